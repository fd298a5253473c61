#pragma once
// Shared by the files of claim D2: the kernel of a table, and what of "nearer is more similar" it keeps.

#include <cstddef>
#include <span>
#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::distance {

/// "The nearer of two is the more similar one": in more than this share of the pairs of lags.
inline constexpr double mostly_in_order = 0.9;

/// g(k) = p_t·p_s, s - t = k, for k = 0 … side² - 1, each lag from one pair of rows of the table: product of
/// the rows at positions side·(q+1) - 1 with those at side - 1 - r, q, r = 0 … side-1, whose distance is
/// side·q + r. Claim D1 says that any other pair would have done. 2·side rows are held, and the products.
std::vector<double> kernel_of_table(std::size_t d, double base, std::size_t side);

/// What the order of similarities says about the order of distances.
struct Nearness {
  std::size_t first_rise = 0;   ///< smallest k with g(k+1) > g(k)
  std::size_t best = 0;         ///< the lag above 0 with the largest g
  std::size_t best_beyond = 0;  ///< the lag above `best` with the largest g
  double largest_rise = 0;      ///< max over k < m of g(m) - g(k), k >= 1
};
Nearness nearness(std::span<const double> kernel);

/// Share of the pairs of lags 1 <= k < m < lags with g(k) > g(m).
double ordered_share(std::span<const double> kernel, std::size_t lags);

/// The project's own estimate of where the kernel may first rise, 1/√((2 ln T/d)² + 12/T²). Near a full turn
/// of the fastest pair, k = 2πm + x, the kernel's slope is ((k/T)²/2 - x²/2)/(k ln T) - x/d - k ln T/3d² (the
/// limit's own and the finite-d terms of theory::kernel_finite); its mean over one step, at the best x, is
/// above 0 from this lag on.
double rise_estimate(std::size_t d, double base);

/// Tables, findings and rule of D2 from its cells' records.
Outcome summarise_nearby(const std::vector<CellRecords>& cells);

}  // namespace perp::distance
