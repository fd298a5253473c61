// perp heads: what the heads of an attention layer keep of the distance.

#include "studies/distance/heads.hpp"

#include "perp/base/error.hpp"
#include "perp/io/program.hpp"
#include "program/words.hpp"

namespace perp::program {

int heads(int argc, char** argv) {
  std::vector<ExtraOption> options = position_options();
  options.front().help = "A table of positions, one per row";
  options.insert(options.end(), {{"json", "", "Print {\"heads\":[{\"head\",\"r2\",…},…],\"null\"}"},
                                 {"seed", "N", "Names the random weights' stream"},
                                 {"threads", "N", "Draws of random weights run side by side"}});
  const Parsed parsed = parse_word(
      {"perp heads",
       "Says for each head of an attention layer which share of the variance of its position scores the "
       "distance alone explains, beside random weights of its size.",
       "  perp heads --positions wpe.npy --query wq.npy --key wk.npy --heads 12\n"
       "  perp heads --positions M:wpe --query M:wq --key M:wk --heads 12 --json\n"
       "where M is a file of several tables, such as model.safetensors (perp list M names them).",
       "", ""},
      options, argc, argv);
  if (!parsed.options) return parsed.exit_code;
  const std::optional<std::string> answer = distance::answer_heads(*parsed.options);
  require(answer.has_value(), "no weights; expected --positions FILE --query FILE --key FILE --heads H");
  print_data(*answer + "\n");
  return 0;
}

}  // namespace perp::program
