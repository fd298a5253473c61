#include "studies/distance/study.hpp"

#include "studies/distance/claims.hpp"
#include "studies/distance/pairs.hpp"

namespace perp::distance {
namespace {

Prepared prepare(const Options& options) {
  return {{lag_alone(options), nearby_is_similar(options), shift_is_linear(options), sine_alone(options),
           index_instead(options), after_projection(options), short_and_long(options), columns(options),
           scores_of_sums(options)},
          {},
          {}};
}

}  // namespace

Study study() {
  return {
      "distance",
      "What do dot products of positions depend on, before and after the query and key weights?",
      {"D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9"},
      {{"pairs", "T:S,…", "Dot products of these positions' sinusoidal encodings as JSON, and nothing else"},
       {"dim", "D", "Dimension for --pairs (default 512)"},
       {"base", "T", "Base for --pairs (default 10000)"}},
      prepare,
      answer_pairs};
}

}  // namespace perp::distance
