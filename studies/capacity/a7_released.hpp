#pragma once
// A7 for released models: what a linear reader loses in the sum of a model's own words and positions, and what
// it would if the positions lay otherwise, in the noise where the two, each read alone, carry 90 % of log2(VL).
//
// Alone is as if they were orthogonal: no rotation of the positions exceeds it, and beside words that vary
// along all d axes none reaches it. It is no concatenation, which has d dimensions for both.

#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"

namespace perp::capacity {

/// standing: "as_released"; "random", turned at random.
struct ReleasedBits {
  std::string standing;
  std::size_t rotation;
  double lost, lost_error;  ///< bits less than of each table alone, mean over samples, and its standard error
};

/// For both standings; none where alike rows keep 90 % from being carried in any noise.
std::vector<ReleasedBits> measure_reading(std::size_t samples, const Matrix<float>& words,
                                          const Matrix<float>& positions, const Streams& streams);

}  // namespace perp::capacity
