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
       "Says what a model's positions are: for RoPE which layers rotate, by which frequencies, the context "
       "that "
       "they are good for beside the one that is claimed, the factor that logits get, the position from "
       "which a "
       "number format is too coarse, and the layout; for ALiBi the slopes; or that nothing is rotated. What "
       "a "
       "file says of rotation and is not read is listed.",
       "  perp rope config.json                  Hugging Face's, or the folder that it lies in\n"
       "  perp rope model.gguf --json            llama.cpp's, as JSON with every layer's frequencies\n"
       "  perp rope config.json --reach 120000   the least factors and the least base that are good so far",
       "CONFIG", "config.json, a model's folder, or a .gguf file"},
      {{"references", "DIR", "Write reference vectors of public configurations into this folder instead"},
       {"positions", "N",
        "Length of the sequence, on which dynamic and longrope depend (default: the context that is "
        "claimed)"},
       {"reach", "N", "Ask for the least factor of each scaling that is good to N positions, 16 to 1048576"},
       {"json", "", "Print JSON"}},
      argc, argv);
  if (!parsed.options) return parsed.exit_code;
  const Options& options = *parsed.options;
  if (const auto folder = options.text("references")) {
    options.expect_none_of({"positions", "reach", "json"}, "references");
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
  const bool has_reach = options.text("reach").has_value();
  const double reach = distance::number_option(options, "reach", 0);
  require(
      !has_reach || (reach >= 16 && reach <= double(distance::farthest_lag) && reach == std::floor(reach)),
      "--reach {}; expected a whole number from 16 to {}", reach, distance::farthest_lag);
  if (config.positions != distance::Positions::rotary) {
    require(!options.text("positions") && !has_reach, "--{}: nothing is rotated in {}, at any length",
            has_reach ? "reach" : "positions", in_quotes(options.files.front()));
    print_data((options.json ? unrotated_json(config) : unrotated_text(config)) + "\n");
    return 0;
  }
  if (has_reach) {
    require(!options.text("positions"), "--positions and --reach: expected one of them");
    const distance::ReachAnswer answer = distance::answer_reach(config, static_cast<std::size_t>(reach));
    print_data((options.json ? json_of(answer) : text_of(answer)) + "\n");
    return 0;
  }
  const distance::RopeAnswer answer = distance::answer_rope(config, static_cast<std::size_t>(positions));
  print_data((options.json ? json_of(answer) : text_of(answer)) + "\n");
  return 0;
}

}  // namespace perp::program
