#pragma once
// What question Q4 measures of a table of positions, whichever it is.

#include <cstddef>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/measures/spectrum.hpp"

namespace perp::distance {

struct Portrait {
  EffectiveDimension centred, as_is;  ///< of the rows about their mean, and about the origin
  double toeplitz_defect = 0;         ///< of PPᵀ, as toeplitz_defect
  double r2 = 0;                      ///< of PPᵀ, as toeplitz_r2
  double r2_apart = 0;  ///< the same without lag 0, where every row meets itself: over pairs t != s
  double neighbours =
      0;  ///< share of the rows whose largest cosine, of those with other rows, is with a row beside
  double norm = 0;             ///< mean of the rows' norms
  double norm_spread = 0;      ///< their standard deviation over their mean
  std::vector<double> kernel;  ///< mean of p_t·p_{t+k} over t, over that of lag 0; k = 0 … L-1
  std::vector<double> left;    ///< share of the centred spectrum that its first r + 1 values leave
  std::vector<double> norms;   ///< of the rows
};

/// table: L x d, L at least 3. Throws Error for fewer rows, for rows of length 0 and for equal rows.
Portrait portrait(View<double> table);

}  // namespace perp::distance
