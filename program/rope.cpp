// perp rope: what a model's RoPE configuration means.

#include "studies/distance/rope.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/io/written.hpp"
#include "perp/study/options.hpp"
#include "program/words.hpp"

namespace perp::program {
namespace {

/// 0 where the option is not given.
std::size_t whole_option(const Options& options, const char* name, std::size_t least, std::size_t most) {
  if (!options.text(name)) return 0;
  const double number = *options.number(name);
  require(number >= double(least) && number <= double(most) && number == std::floor(number),
          "--{} {}; expected a whole number from {} to {}", name, number, least, most);
  return static_cast<std::size_t>(number);
}

/// Refuses a folder with anything in it that no run before wrote there.
void expect_no_other(const std::filesystem::path& folder, const NamedBytes& files) {
  const std::filesystem::path list = folder / "rope.csv.sha256";
  const std::string listed = std::filesystem::exists(list) ? read_file(list) : "";
  std::error_code error;  // a folder that is none is refused where it is written to
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (is_temporary_name(name)) continue;  // of a run that was killed, or writes now
    const auto is_it = [&](const auto& file) { return file.first == entry.path(); };
    require(entry.path() == list || std::ranges::any_of(files, is_it) ||
                listed.find("  " + name + "\n") != listed.npos,
            "--references {}: holds {}, which no run before wrote; expected a folder of its own",
            in_quotes(folder), in_quotes(name));
  }
}

}  // namespace

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
    options.expect_alone("references", {});
    if (!options.files.empty())
      refuse("--references and {}: expected one of them", in_quotes(options.files.front()));
    NamedBytes files;
    for (const auto& [name, text] : distance::rope_references())
      files.emplace_back(std::filesystem::path(*folder) / name, text);
    const Alone alone("perp rope", *folder);
    expect_unpublished(*folder);
    expect_no_other(*folder, files);
    Written(*folder, "rope.csv").write(files, true);
    return 0;
  }
  require(options.files.size() == 1,
          "{} configurations; expected one: config.json, a model's folder, or a .gguf file",
          options.files.size());
  const std::size_t positions = whole_option(options, "positions", 1, 1'000'000'000),
                    reach = whole_option(options, "reach", 16, distance::farthest_lag);
  const distance::RopeConfig config = distance::read_rope_config(options.files.front());
  require(positions == 0 || reach == 0, "--positions and --reach: expected one of them");
  require(config.positions == distance::Positions::rotary || positions + reach == 0,
          "--{}: nothing is rotated in {}, at any length", reach > 0 ? "reach" : "positions",
          in_quotes(options.files.front()));
  const distance::RopeAnswer answer =
      reach > 0 ? answer_reach(config, reach) : answer_rope(config, positions);
  print_data((options.json ? answer.json : answer.text) + "\n");
  return 0;
}

}  // namespace perp::program
