// perp reader: what adding costs a linear classifier, by theory.

#include "perp/theory/reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "perp/base/error.hpp"
#include "perp/io/program.hpp"
#include "perp/study/options.hpp"
#include "program/words.hpp"

namespace perp::program {
namespace {

/// Where claim A7 holds the theory against readers that it measured, in dimensions and in words.
constexpr std::size_t checked_from = 32, checked_to = 2048;
constexpr std::string_view checked =
    "It is an approximation: a sum's positions fill all\n"
    "dimensions, and a narrower table can do better. Claim A7 measured random\n"
    "tables at {} to {} dimensions{}.\n"
    "Sinusoidal positions give other numbers.\n";

struct Asked {
  std::size_t d, words, positions, carried;  ///< per cent
};

std::size_t whole(const Options& options, const std::string& name) {
  const std::optional<std::size_t> given = options.count(name);
  require(given.has_value(), "no {0}; expected --{0} N", name);
  return *given;
}

double bits_per_dimension(const Asked& at, const theory::CostOfAdding& cost) {
  return cost.ceiling / static_cast<double>(at.d);
}

std::string as_json(const Asked& at, const theory::CostOfAdding& cost) {
  return fmt::format(
      R"({{"dim":{},"words":{},"positions":{},"carried":{},"ceiling_bits":{},"bits_per_dimension":{},)"
      R"("noise":{},"concatenation_width":{},"concatenation_share":{},"concatenation_bits":{},)"
      R"("sum_share":{},"sum_bits":{},"loss_bits":{},"loss_share":{},"law":{},"dim_checked":[{},{}]}})",
      at.d, at.words, at.positions, static_cast<double>(at.carried) / 100, cost.ceiling,
      bits_per_dimension(at, cost), cost.noise, cost.split_width, cost.split_share, cost.split,
      cost.sum_share, cost.sum, cost.loss(), cost.loss() / cost.ceiling,
      theory::law_of_adding(at.d, at.words, at.positions), checked_from, checked_to);
}

std::string as_text(const Asked& at, const theory::CostOfAdding& cost) {
  const bool is_outside = at.d < checked_from || at.d > checked_to;
  const double law = theory::law_of_adding(at.d, at.words, at.positions);
  std::string text = fmt::format(
      "Frozen random tables of {} words and {} positions in {} dimensions:\n"
      "added instead of concatenated they cost a linear classifier about {:.2g}% of\n"
      "the bits where noise leaves the best concatenation 90%, ln V ln L/(d ln VL). The\n"
      "positions raise a word's noise by a fraction 2 ln L/d = {:.2g} ({:.2g} dB).\n"
      "Tables that are learned with their decoder lost next to nothing where that\n"
      "was tried, in small tables (claim A12).\n\n"
      "By the formula behind the law, where the best concatenation delivers {}% of the\n"
      "bits:\n\n",
      at.words, at.positions, at.d, 100 * law, 2 * std::log(double(at.positions)) / double(at.d),
      10 * std::log10(1 + 2 * std::log(double(at.positions)) / double(at.d)), at.carried);
  const auto line = [&text](std::string_view name, const std::string& value) {
    text += fmt::format("{:<20}{}\n", name, value);
  };
  line("bits in all", fmt::format("{:.2f}, {:.3f} a dimension", cost.ceiling, bits_per_dimension(at, cost)));
  line("noise", fmt::format("{:.3g} a coordinate, beside a signal of mean square 3/2", cost.noise));
  line("best concatenation", fmt::format("{:.2f} bits; position: {} dimensions, {:.0f}% of the power",
                                         cost.split, cost.split_width, 100 * cost.split_share));
  line("best such sum",
       fmt::format("{:.2f} bits; position: {:.0f}% of the power", cost.sum, 100 * cost.sum_share));
  line(cost.loss() < 0 ? "adding gains" : "adding costs",
       fmt::format("{:.3f} bits, {:.2f}% of the bits", std::abs(cost.loss()),
                   100 * std::abs(cost.loss()) / cost.ceiling));
  text +=
      "\nThe classifier knows its own table, and mean and covariance of the other, which\n"
      "acts as noise. ";
  text += fmt::format(checked, checked_from, checked_to, is_outside ? "; your width lies outside" : "");
  return text +
         "Words of a sum are taken to fill all dimensions: if they leave some free for the\n"
         "position, adding loses nothing. An ideal decoder can lose less.";
}

}  // namespace

int reader(int argc, char** argv) {
  const Parsed parsed = parse_word(
      {"perp reader",
       "Says by theory how many bits of a word and its position a linear classifier gets where they are "
       "added "
       "and "
       "where they are concatenated, at equal dimension, power and noise.",
       "  perp reader --dim 768 --words 50257 --positions 1024   at GPT-2's size\n"
       "  perp reader --dim 64 --words 256 --positions 64 --carried 50 --json",
       "", ""},
      {{"dim", "D", "Dimension of the vectors, 16 to 16384"},
       {"words", "V", "Words, from 2"},
       {"positions", "L", "Positions, from 2"},
       {"carried", "P",
        "Per cent of log2(VL) bits that the best concatenation delivers, 10 to 99 (default 90): sets the "
        "noise"},
       {"json", "",
        "Print one object of dim, words, positions, carried, ceiling_bits, bits_per_dimension, noise, "
        "concatenation_width, concatenation_share, concatenation_bits, sum_share, sum_bits, loss_bits, "
        "loss_share, law, dim_checked: carried, loss_share and law are of log2(VL), the other shares of the "
        "power"}},
      argc, argv);
  if (!parsed.options) return parsed.exit_code;
  const Options& options = *parsed.options;
  const Asked at{whole(options, "dim"), whole(options, "words"), whole(options, "positions"),
                 options.count("carried").value_or(90)};
  require(10 <= at.carried && at.carried <= 99, "--carried {}: expected per cent, 10 to 99", at.carried);
  const theory::CostOfAdding cost =
      theory::cost_of_adding(at.d, at.words, at.positions, static_cast<double>(at.carried) / 100);
  print_data((options.json ? as_json(at, cost) : as_text(at, cost)) + "\n");
  return 0;
}

}  // namespace perp::program
