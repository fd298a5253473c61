// perp base: which rotary bases are good for a context.

#include "perp/base/error.hpp"
#include "perp/io/program.hpp"
#include "program/words.hpp"
#include "studies/distance/base_for.hpp"

namespace perp::program {

int base(int argc, char** argv) {
  const Parsed parsed = parse_word(
      {"perp base",
       "Prints the rotary bases (RoPE) that are good for a context of L positions: with which the sum of "
       "cosines over a head's frequencies, the score of equal contents, is at 0 or above at every distance.",
       "  perp base --context 4096 --dim 128          least base, safe base, every stretch of good ones\n"
       "  perp base --context 131072 --json           of heads of 128 dimensions, as JSON",
       "", ""},
      {{"context", "L", "Positions, 16 to 1048576; above 16384 bases are tried on a grid"},
       {"dim", "D", "Dimension of a head, even, 2 to 1024 (default 128)"},
       {"json", "", "Print {\"base_for\", \"dim\", \"least\", \"safe\", \"intervals\", \"exact\"}"}},
      argc, argv);
  if (!parsed.options) return parsed.exit_code;
  require(parsed.options->text("context").has_value(), "no context; expected --context L, for example 4096");
  print_data(distance::answer_base(*parsed.options, "context").value() + "\n");
  return 0;
}

}  // namespace perp::program
