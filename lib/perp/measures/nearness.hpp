#pragma once
// What the order of similarities says about the order of distances.

#include <cstddef>
#include <span>

namespace perp {

/// Of a kernel g(k), k = 0, 1, ….
struct Nearness {
  std::size_t first_rise = 0;   ///< smallest k with g(k+1) > g(k)
  std::size_t best = 0;         ///< the lag above 0 with the largest g
  std::size_t best_beyond = 0;  ///< the lag above `best` with the largest g
  double largest_rise = 0;      ///< max over k < m of g(m) - g(k), k >= 1
};
/// Throws Error below 4 lags.
Nearness nearness(std::span<const double> kernel);

/// Share of the pairs of lags 1 <= k < m < lags with g(k) > g(m). Throws Error unless 3 <= lags <=
/// kernel.size().
double ordered_share(std::span<const double> kernel, std::size_t lags);

}  // namespace perp
