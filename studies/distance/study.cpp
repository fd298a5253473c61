
#include <memory>

#include "perp/study/experiment.hpp"
#include "studies/distance/claims.hpp"
#include "studies/inputs/positions.hpp"

namespace perp::distance {
namespace {

/// Q4, which M8 of study inspect measures.
Experiment learned_positions(const Options&) { return Experiment("Q4", toml_of("q4")); }

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

}  // namespace

Study study() {
  return {"distance",
          "What do dot products of positions depend on, before and after the query and key weights?",
          {"D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "Q1", "Q2", "Q4"},
          position_options(),
          prepare,
          [](const Options& options) { load_positions(options); }};
}

}  // namespace perp::distance
