
#include <memory>

#include "perp/io/program.hpp"
#include "perp/study/claim_file.hpp"
#include "studies/distance/answers.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/heads.hpp"
#include "studies/inputs/positions.hpp"

namespace perp::distance {
namespace {

/// Q4, which M8 of study inspect measures.
Experiment learned_positions(const Options&) { return DescribedClaim("Q4", toml_of("q4")); }

Prepared prepare(const Options& options) {
  // Listing claims needs no tables; measuring does.
  const SharedPositions given =
      std::make_shared<const GivenPositions>(options.list ? GivenPositions{} : load_positions(options));
  return {
      {lag_alone(options), nearby_is_similar(options), shift_is_linear(options), sine_alone(options),
       index_instead(options), after_projection(options, given), short_and_long(options), columns(options),
       scores_of_sums(options), base_for_context(options), which_format(options), scaled_contexts(options),
       layout_of_pairs(options, given), after_layer_norm(options), learned_positions(options)},
      given->files,
      given->parameters};
}

/// Questions that have become words of `perp`, until 0.2.
std::optional<std::string> forwarded(const Options& options) {
  const auto moved = [](const char* words, std::optional<std::string> answer) {
    if (answer) print_message("distance: this is 'perp {}' now; as it is here it ends with 0.2\n", words);
    return answer;
  };
  if (auto bases = moved("base --context L --dim D", answer_base(options, "base-for"))) return bases;
  if (auto products = moved("dot --pairs T:S --dim D", answer_pairs(options))) return products;
  return options.json ? moved("heads --positions FILE …", answer_heads(options)) : std::nullopt;
}

std::vector<ExtraOption> extra_options() {
  std::vector<ExtraOption> options = {{"pairs", "T:S,…", "perp dot", true},
                                      {"base-for", "L", "perp base", true},
                                      {"dim", "D", "of either", true},
                                      {"base", "T", "perp dot", true}};
  for (ExtraOption& option : position_options()) options.push_back(std::move(option));
  return options;
}

}  // namespace

Study study() {
  return {"distance",
          "What do dot products of positions depend on, before and after the query and key weights?",
          {"D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "Q1", "Q2", "Q4"},
          extra_options(),
          prepare,
          forwarded,
          [](const Options& options) { load_positions(options); }};
}

}  // namespace perp::distance
