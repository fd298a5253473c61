#include "studies/distance/d10_measure.hpp"

#include <cmath>

namespace perp::distance {
namespace {

using theory::BaseRange;

Bases describe(const Sieved& at, std::size_t length, const std::vector<BaseRange>& good) {
  Bases row{at, length, NAN, NAN, 0};
  if (good.empty()) return row;
  row.least = good.front().low;
  if (good.back().high > largest_base * (1 - 1e-9)) row.safe = good.back().low;
  row.bad = good.size() - 1;
  return row;
}

/// The last lag before the first whose sum falls below, or `most`.
std::size_t good_to(std::size_t d, double base, std::size_t most, double tolerance) {
  const std::optional<std::size_t> negative = theory::first_negative_lag(d, base, most, tolerance);
  return negative ? *negative - 1 : most;
}

}  // namespace

std::vector<double> grid_of_bases(double first, std::size_t per_octave) {
  std::vector<double> bases;
  for (std::size_t i = 0;; ++i) {
    const double base = first * std::exp2(static_cast<double>(i) / static_cast<double>(per_octave));
    if (base >= largest_base) break;
    bases.push_back(base);
  }
  bases.push_back(largest_base);
  return bases;
}

void measure_sieved(const Sieved& at, const Streams&, Rows& rows) {
  theory::BaseSieve sieve(at.d, {smallest_base(shortest_context), largest_base}, at.tolerance);
  std::size_t lag = 1;
  for (std::size_t length = shortest_context; length <= at.longest; length *= 2) {
    sieve.cut_below(smallest_base(length));
    for (; lag <= length; ++lag) sieve.take_out(lag);
    rows.add(describe(at, length, sieve.left()));
  }
}

void measure_gridded(const Gridded& at, const Streams&, Rows& rows) {
  for (const double base : grid_of_bases(smallest_base(2 * longest_exact), at.per_octave))
    rows.add(Reached{at, base, good_to(at.d, base, at.longest, 0)});
}

void measure_in_use(const InUse& at, const Streams&, Rows& rows) {
  const auto to = [&](double tolerance) {
    return good_to(at.d, static_cast<double>(at.base), longest_context, tolerance);
  };
  rows.add(Placed{at, to(0), to(usual_tolerance)});
}

GridBases on_grid(const std::vector<Reached>& reached, std::size_t length) {
  GridBases found{reached.front().d, reached.front().per_octave, length, NAN, NAN, 0};
  bool before = true;
  for (const Reached& at : reached) {
    if (at.base < smallest_base(length)) continue;
    const bool good = at.good_to >= length;
    if (good && std::isnan(found.least)) found.least = at.base;
    if (good && (!before || std::isnan(found.safe))) found.safe = at.base;
    if (!std::isnan(found.least)) found.bad += before && !good;
    before = good;
  }
  if (!before) found.safe = NAN;  // bad up to the last base
  return found;
}

}  // namespace perp::distance
