// perp dot: dot products of sinusoidal positions.

#include "perp/base/error.hpp"
#include "perp/io/program.hpp"
#include "program/words.hpp"
#include "studies/distance/pairs.hpp"

namespace perp::program {

int dot(int argc, char** argv) {
  const Parsed parsed = parse_word(
      {"perp dot", "Prints the dot products of the sinusoidal encodings of pairs of positions, as JSON.",
       "  perp dot --dim 16 --pairs 105:106,5:6,5:10   7.4852, 7.4852 and 6.1370: the distance decides\n"
       "  perp dot --dim 128 --base 500000 --pairs 0:4096",
       "", ""},
      {{"pairs", "T:S,…", "Pairs of positions, whole numbers from 0"},
       {"dim", "D", "Dimension of the encoding, even (default 512)"},
       {"base", "T", "Base of its wavelengths (default 10000)"},
       {"json", "", "Print JSON, as without it"}},
      argc, argv);
  if (!parsed.options) return parsed.exit_code;
  require(parsed.options->text("pairs").has_value(),
          "no pairs; expected --pairs T:S, for example 105:106,5:6");
  print_data(distance::answer_pairs(*parsed.options).value() + "\n");
  return 0;
}

}  // namespace perp::program
