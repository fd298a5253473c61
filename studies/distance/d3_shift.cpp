// D3: a linear map takes p_t to p_{t+k}, the same for every t.

#include "studies/distance/d3_shift.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/measures/shift.hpp"
#include "perp/vectors/format.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t lags[] = {1, 10, 100, 1000};
/// Construction: this many neighbouring positions from each of these on.
constexpr std::size_t starts[] = {0, 1000, 1000000}, checked = 256;
/// Recovered maps: this many positions outside the range, spread evenly over L … 2L-1 and over far_first …
/// far_last-1.
constexpr std::size_t spread = 1024, far_first = 100000, far_last = 1000000;

// ---- cells
// ------------------------------------------------------------------------------------------------------

Cell construction_cell(std::size_t d, std::size_t lag) {
  return {{{"measure", std::string("construction")}, {"d", whole(d)}, {"lag", whole(lag)}},
          1e-9 * static_cast<double>(d * d * d) + 1e-3};
}

Cell recovery_cell(std::size_t d, std::size_t length, double cutoff) {
  const double n = static_cast<double>(d);
  return {{{"measure", std::string("recovery")}, {"d", whole(d)}, {"l", whole(length)}, {"cutoff", cutoff}},
          1e-9 * n * n * n * 5 + 1e-9 * static_cast<double>(length) * n * n * 4 + 1e-3};
}

std::vector<Cell> cells(const Options& options) {
  const bool quick = options.preset == Preset::quick, longest = options.preset == Preset::long_;
  std::vector<Cell> cells;
  for (const std::size_t d : {16, 64, 512})
    for (const std::size_t lag : lags) cells.push_back(construction_cell(d, lag));
  if (quick) {
    for (const std::size_t d : {16, 64})
      for (const std::size_t length : {512, 65536}) cells.push_back(recovery_cell(d, length, shift_cutoff));
    for (const std::size_t d : {256, 512}) cells.push_back(recovery_cell(d, 512, shift_cutoff));
    return cells;
  }
  for (const std::size_t d : {16, 64, 256})
    for (std::size_t length = 32; length <= (d < 256 ? 65536U : longest ? 32768U : 8192U); length *= 2)
      cells.push_back(recovery_cell(d, length, shift_cutoff));
  for (const double cutoff : {1e-14, shift_cutoff, 1e-10, 1e-8})
    cells.push_back(recovery_cell(512, 512, cutoff));
  cells.push_back(recovery_cell(512, 2048, shift_cutoff));
  if (longest)
    for (const std::size_t length : {8192, 16384}) cells.push_back(recovery_cell(512, length, shift_cutoff));
  return cells;
}

// ---- one cell
// ---------------------------------------------------------------------------------------------------

/// `count` positions spread evenly over first … last-1, each of them moved on by `lag`.
Matrix<double> spread_table(std::size_t first, std::size_t last, std::size_t count, std::size_t lag,
                            std::size_t d) {
  std::vector<std::uint64_t> positions;
  for (std::size_t i = 0; i < count; ++i) positions.push_back(first + (last - first) * i / count + lag);
  return sinusoidal_in_format(positions, d, usual_base, Format::float64, Format::float64);
}

double outside_error(const Matrix<double>& map, std::size_t first, std::size_t last) {
  const std::size_t count = std::min(spread, last - first), d = rows(map);
  return map_error(spread_table(first, last, count, 0, d), spread_table(first, last, count, 1, d), map)
      .relative;
}

Records run_construction(std::size_t d, std::size_t lag) {
  const std::vector<double> omega = frequencies(d);
  const double k = static_cast<double>(lag);
  const Matrix<double> map = shift_map(omega, k);
  Records records;
  for (const std::size_t first : starts) {
    const MapError error = map_error(spread_table(first, first + checked, checked, 0, d),
                                     spread_table(first, first + checked, checked, lag, d), map);
    const double t = static_cast<double>(first);
    records.push_back({"construction",
                       {{"first", whole(first)},
                        {"worst", error.worst},
                        {"bound", construction_bound(static_cast<double>(first + checked), k)},
                        {"composition", composition_error(omega, t, k)},
                        {"composition_bound", construction_bound(t, k)},
                        {"orthogonality", orthogonality_error(map)},
                        {"mixing", mixing_between_pairs(map)}}});
  }
  return records;
}

Records run_recovery(std::size_t d, std::size_t length, double cutoff) {
  const Matrix<double> table = sinusoidal<double>(length + 1, d);
  const View<double> from = block(table, 0, length), to = block(table, 1, length + 1);
  const RecoveredMap found = recover_map(from, to, cutoff);
  const Matrix<double> built = shift_map(frequencies(d), 1);
  const std::vector<double>& s = found.singular_values;
  return {{"recovery",
           {{"rank", whole(found.rank)},
            {"smallest", s.size() < d ? 0.0 : s.back() / s.front()},
            {"inside", map_error(from, to, found.map).relative},
            {"inside_built", map_error(from, to, built).relative},
            {"next", outside_error(found.map, length, 2 * length)},
            {"far", outside_error(found.map, far_first, far_last)},
            {"distance", map_distance(found.map, built)},
            {"mixing", mixing_between_pairs(found.map)}}}};
}

Records run(const Cell& cell, const Streams&) {
  const std::size_t d = size_at(cell.at, "d");
  return text_at(cell.at, "measure") == "construction"
             ? run_construction(d, size_at(cell.at, "lag"))
             : run_recovery(d, size_at(cell.at, "l"), number_at(cell.at, "cutoff"));
}

}  // namespace

double construction_bound(double t, double k) { return std::ldexp(2 * (t + k) + 16, -53); }

double certain_length(std::size_t d) {
  std::vector<double> all;
  for (const double omega : frequencies(d)) all.insert(all.end(), {omega, -omega});
  std::ranges::sort(all);
  double gap = all.front() + 2 * std::numbers::pi - all.back();
  for (std::size_t i = 1; i < all.size(); ++i) gap = std::min(gap, all[i] - all[i - 1]);
  return 2 * std::numbers::pi / gap;
}

double far_error(std::size_t d, double rank) { return std::sqrt(1 - rank / static_cast<double>(d)); }

Experiment shift_is_linear(const Options& options) {
  return {"D3",           "A linear map takes p_t to p_{t+k}, the same for every t.",
          "[a]",          {},
          cells(options), run,
          summarise_shift};
}

}  // namespace perp::distance
