// perp rope: what a model's RoPE configuration means.

#include "studies/distance/rope.hpp"

#include <cmath>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/io/written.hpp"
#include "program/words.hpp"
#include "studies/distance/number_option.hpp"

namespace perp::program {

int rope(int argc, char** argv) {
  const Parsed parsed = parse_word(
      {"perp rope",
       "Says what a model's RoPE configuration means: its frequencies, the context that they are good for "
       "beside "
       "the one that is claimed, the factor that logits get, the position from which a number format is too "
       "coarse, and both layouts. For ALiBi, the slopes.",
       "  perp rope config.json           Hugging Face's: rope_theta, rope_scaling or rope_parameters, head "
       "size\n"
       "  perp rope folder/               that of a model's folder\n"
       "  perp rope model.gguf --json     llama.cpp's, as JSON with every frequency\n"
       "  perp rope config.json --positions 65536   dynamic and longrope depend on the sequence's length",
       "CONFIG", "config.json, a model's folder, or a .gguf file"},
      {{"references", "DIR", "Write reference vectors of public configurations into this folder instead"},
       {"positions", "N", "Length of the sequence (default: the context that the configuration claims)"},
       {"json", "", "Print JSON"}},
      argc, argv);
  if (!parsed.options) return parsed.exit_code;
  const Options& options = *parsed.options;
  if (const auto folder = options.text("references")) {
    options.expect_none_of({"positions", "json"}, "references");
    if (!options.files.empty())
      refuse("--references and {}: expected one of them", in_quotes(options.files.front()));
    NamedBytes files;
    for (const auto& [name, text] : distance::rope_references())
      files.emplace_back(std::filesystem::path(*folder) / name, text);
    Written(*folder, "rope.csv").write(files, true);
    return 0;
  }
  require(options.files.size() == 1,
          "{} configurations; expected one: config.json, a model's folder, or a .gguf file",
          options.files.size());
  const double positions = distance::number_option(options, "positions", 0);
  require(!options.text("positions") ||
              (positions >= 1 && positions <= 1e9 && positions == std::floor(positions)),
          "--positions {}; expected a whole number from 1 to 10^9", positions);
  const distance::RopeConfig config = distance::read_rope_config(options.files.front());
  if (config.alibi_heads > 0) {
    require(!options.text("positions"), "--positions {}: ALiBi's slopes are the same at any length",
            positions);
    print_data((options.json ? alibi_json(config) : alibi_text(config)) + "\n");
    return 0;
  }
  const distance::RopeAnswer answer = distance::answer_rope(config, static_cast<std::size_t>(positions));
  print_data((options.json ? json_of(answer) : text_of(answer)) + "\n");
  return 0;
}

}  // namespace perp::program
