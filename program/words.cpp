#include "program/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/study/start.hpp"

namespace perp::program {
namespace {

constexpr auto all = std::to_array<Word>({
    {"report", "measure what the claims say and write the report", report},
    {"inspect", "hold a model's words and positions against chance", inspect},
    {"list", "list the tables of a file with shape and type", list},
    {"dot", "dot products of sinusoidal positions", dot},
    {"heads", "what the heads of an attention layer keep of the distance", heads},
    {"base", "which rotary bases are good for a context", base},
    {"rope", "what a model's RoPE configuration means", rope},
    {"reader", "what adding costs a linear classifier at your sizes", reader},
    {"render", "write the pages again from what was measured", render},
    {"verify", "compare a fresh run with a published report", verify},
    {"bench", "which BLAS is fastest here, and is it right", bench},
    {"blas-check", "hold every BLAS here against references", blas_check},
    {"doctor", "check the setup and say what is missing", doctor},
});

constexpr std::string_view about =
    "Why can Transformers add positional encodings to word vectors? The answer, with numbers.\n"
    "Usage: perp COMMAND [OPTIONS]";

constexpr std::string_view examples =
    "  help           perp help COMMAND, or perp COMMAND --help: all of one, with examples\n"
    "\n"
    "Data goes to standard output, messages to standard error.\n"
    "Exit codes: 0 done, 1 failed, 2 unusable input or options.";

std::string help() {
  std::string text = fmt::format("{}\n\n", about);
  for (const Word& word : words()) text += fmt::format("  {:<14} {}\n", word.name, word.about);
  return text + fmt::format("{}\n", examples);
}

const Word* find(std::string_view name) {
  const auto word = std::ranges::find(words(), name, &Word::name);
  return word == words().end() ? nullptr : &*word;
}

int call(const Word& word, std::vector<char*> rest) {
  std::string name = fmt::format("perp {}", word.name);
  rest.insert(rest.begin(), name.data());
  rest.push_back(nullptr);
  return word.run(static_cast<int>(rest.size()) - 1, rest.data());
}

}  // namespace

std::span<const Word> words() { return all; }

std::string name_of(int argc, char** argv) {
  const Word* word = argc > 1 ? find(argv[1]) : nullptr;
  return word ? fmt::format("perp {}", word->name) : "perp";
}

int run(int argc, char** argv) {
  const std::string_view asked = argc > 1 ? argv[1] : "--help";
  if (const Word* word = find(asked)) return call(*word, {argv + 2, argv + argc});
  const bool of_word = asked == "help" && argc > 2;
  if (const int taken = of_word ? 3 : 2;
      argc > taken && (of_word || asked == "--version" || asked == "--help" || asked == "-h"))
    refuse("{} behind {}; expected nothing more", in_quotes(argv[taken]), of_word ? argv[2] : asked);
  if (asked == "--version") {
    print_data(version_text("perp") + "\n");
    return 0;
  }
  if (!of_word && (asked == "help" || asked == "--help" || asked == "-h")) {
    print_data(help());
    return 0;
  }
  const std::string_view wanted = of_word ? argv[2] : asked;
  std::string flag = "--help";
  if (const Word* word = of_word ? find(wanted) : nullptr) return call(*word, {flag.data()});
  std::vector<std::string> names;
  for (const Word& word : words()) names.emplace_back(word.name);
  const std::string meant = nearest(wanted, names);
  refuse("no command {}{}; perp --help lists them", in_quotes(wanted),
         meant.empty() ? "" : fmt::format("; did you mean {}?", meant));
}

}  // namespace perp::program
