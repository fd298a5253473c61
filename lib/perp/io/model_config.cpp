#include "perp/io/model_config.hpp"

#include "perp/io/config_values.hpp"

namespace perp {

ModelConfig read_model_config(const ByteSource& source) {
  constexpr std::uint64_t most = 1'000'000'000;
  const ConfigValues values = read_config_values(source);
  const std::string part = values.has("decoder.model_type") ? "decoder." : "";
  ModelConfig config;
  config.type = values.text(part + "model_type").value_or("");
  for (const char* name : {"num_attention_heads", "n_head", "n_heads", "num_heads"})
    if (const auto heads = values.whole(part + name, 1, most)) config.heads = heads;
  config.positions = values.text(part + "position_embedding_type").value_or("");
  config.most = values.whole(part + "max_position_embeddings", 1, most);
  // Some say -1 for no padding.
  if (values.number(part + "pad_token_id") != -1)
    config.padding = values.whole(part + "pad_token_id", 0, most);
  return config;
}

}  // namespace perp
