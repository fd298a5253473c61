#include "studies/distance/study.hpp"

#include <memory>

#include "studies/distance/base_for.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/heads.hpp"
#include "studies/distance/pairs.hpp"
#include "studies/inputs/positions.hpp"

namespace perp::distance {
namespace {

Prepared prepare(const Options& options) {
  // Listing claims needs no tables; measuring does.
  const SharedPositions given =
      std::make_shared<const GivenPositions>(options.list ? GivenPositions{} : load_positions(options));
  return {
      {lag_alone(options), nearby_is_similar(options), shift_is_linear(options), sine_alone(options),
       index_instead(options), after_projection(options, given), short_and_long(options), columns(options),
       scores_of_sums(options), base_for_context(options), which_format(options),
       layout_of_pairs(options, given), after_layer_norm(options, given), learned_positions(options, given)},
      given->files,
      given->parameters};
}

/// The study's own questions that options alone ask.
std::optional<std::string> answer(const Options& options) {
  if (std::optional<std::string> bases = answer_base_for(options)) return bases;
  if (std::optional<std::string> pairs = answer_pairs(options)) return pairs;
  return answer_heads(options);
}

std::vector<ExtraOption> extra_options() {
  std::vector<ExtraOption> options = {
      {"pairs", "T:S,…",
       "Print the dot products of the sinusoidal encodings of these positions as JSON and stop"},
      {"base-for", "L",
       "Print the RoPE bases that are good for a context of L positions (--dim: width of a head; --json: as "
       "JSON) and stop"},
      {"dim", "D", "Dimension for --pairs (default 512) or --base-for (default 128)"},
      {"base", "T", "Base for --pairs (default 10000)"}};
  for (ExtraOption& option : position_options()) options.push_back(std::move(option));
  return options;
}

}  // namespace

Study study() {
  return {"distance",
          "What do dot products of positions depend on, before and after the query and key weights?",
          {"D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "Q1", "Q2", "Q4"},
          extra_options(),
          prepare,
          answer};
}

}  // namespace perp::distance
