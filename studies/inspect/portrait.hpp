#pragma once
// In which respects a table of positions is like the sinusoid of its shape (question Q4).

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/measures/kernel.hpp"

namespace perp::inspect {

/// Share of the variance that the lag explains among the products of different rows, lag 0 left out. NaN of
/// fewer than 3 rows, which have one lag each, and where these products differ by rounding alone.
double r2_apart(const LagStatistics& lags);

struct Portrait {
  std::size_t r99 = 0;  ///< dimensions that hold 99 % of the variance of the rows about their mean
  double r2_apart = NAN;
  double neighbours = NAN;     ///< share of the rows whose largest cosine with another is with a row beside
  std::vector<double> kernel;  ///< mean of p_t·p_{t+k} over t, over that of lag 0; k = 0 … L-1
};

/// table: L x d, L at least 3. Throws Error for fewer rows, for rows of length 0 and for equal rows.
Portrait portrait(View<double> table);

/// The mean products of two tables of L rows, at lags up to L/2: their largest difference.
double kernel_departure(std::span<const double> kernel, std::span<const double> other);

/// A table of positions beside the sinusoid of its shape.
struct BesideSinusoid {
  Portrait own, wave;
};
/// Of the longest run of rows that training reached: within a run lags are what they were; none of fewer than three
/// rows or of equal ones, which have no spectrum.
std::optional<BesideSinusoid> trained_beside_sinusoid(const Matrix<double>& table);

}  // namespace perp::inspect
