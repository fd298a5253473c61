#pragma once
// A7 for released models: what a linear reader loses in the sum of a model's own words and positions, and what
// it would if the positions lay otherwise, in the noise where the two, each read alone, carry 90 % of log2(VL).
//
// Alone is as if they were orthogonal: no rotation of the positions exceeds it, and beside words that vary
// along all d axes none reaches it. It is no concatenation, which has d dimensions for both.

#include "perp/study/claim.hpp"
#include "studies/inspect/model_under_test.hpp"

namespace perp::capacity {

struct ReleasedTables {
  std::string what, model;
  std::size_t samples;
};
PERP_ROW(ReleasedTables, what, model, samples)
/// Bits of words and of positions. standing: "as_released"; "random", turned at random; "alone".
struct ReleasedBits : ReleasedTables {
  std::size_t v, l, d;
  double noise;
  std::string standing;
  std::size_t rotation;
  double word, position;
  double lost, lost_error;  ///< bits less than alone, mean over samples, and its standard error

  double ceiling() const { return std::log2(double(v) * double(l)); }
};
PERP_ROW_OF(ReleasedBits, ReleasedTables, v, l, d, noise, standing, rotation, word, position, lost,
            lost_error)

/// Rows for all standings; none where alike rows keep 90 % from being carried in any noise.
void measure_reading(const ReleasedTables& at, const Matrix<float>& words, const Matrix<float>& positions,
                     const Streams& streams, Rows& rows);

/// A cell for each model that has words and positions; the others say nothing here.
void measure_released_readers(Experiment& claim, const inspect::Models& models, Preset preset);
/// Their table and findings, in no rule.
void add_released_readers(const Cells& cells, Summary& summary);

}  // namespace perp::capacity
