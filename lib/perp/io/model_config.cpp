#include "perp/io/model_config.hpp"

#include "perp/io/config_values.hpp"

namespace perp {

ModelConfig read_model_config(const ByteSource& source) {
  constexpr std::uint64_t most = 1'000'000'000;
  const ConfigValues values = read_config_values(source);
  ModelConfig config;
  config.type = values.text("model_type").value_or("");
  for (const char* name : {"num_attention_heads", "n_head", "n_heads", "num_heads"})
    if (const auto heads = values.whole(name, 1, most)) config.heads = heads;
  // Some say -1 for no padding.
  if (values.number("pad_token_id") != -1) config.padding = values.whole("pad_token_id", 0, most);
  return config;
}

}  // namespace perp
