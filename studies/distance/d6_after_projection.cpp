// D6: positions may be looked at alone, although attention sees them through QᵀK.

#include <algorithm>
#include <cmath>
#include <limits>

#include "perp/base/linalg.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/shift.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/statistics/order.hpp"
#include "perp/vectors/encoding.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d6_ratio.hpp"
#include "studies/distance/d6_scores.hpp"
#include "studies/distance/d6_summary.hpp"
#include "studies/distance/spreads.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t length = 512, head = 64;
constexpr std::size_t panel = 64;  // positions and dimensions of the score matrices that are drawn
/// Singular values below this share of the largest count as 0. Rounding leaves 1e-16.
constexpr double null_cutoff = 1e-12;
/// For few positions a short base: at T = 10,000 the slow pairs of d = 8 are constant to rounding.
constexpr double short_base = 10;
constexpr std::size_t short_d = 8;

// ---- cells ---------------------------------------------------------------------------------------------

Cell score_cell(const ScoreCase& c, std::size_t draws) {
  const double l = static_cast<double>(c.length), d = static_cast<double>(c.d);
  const double inner = c.rank ? static_cast<double>(c.rank) : d;
  return {{{"what", std::string("scores")},
           {"encoding", c.encoding},
           {"matrix", c.matrix},
           {"rank", whole(c.rank)},
           {"d", whole(c.d)},
           {"l", whole(c.length)},
           {"draws", whole(draws)}},
          static_cast<double>(draws) * (1e-11 * l * inner * (2 * d + l) + 1e-3)};
}

void add_dimension(std::size_t d, std::size_t draws, std::vector<Cell>& cells) {
  const auto add = [&](const char* encoding, const char* matrix, std::size_t rank, std::size_t n) {
    cells.push_back(score_cell({encoding, matrix, rank, d, length}, n));
  };
  add("sinusoidal", "identity", 0, 1);
  add("sinusoidal", "gaussian", 0, draws);
  for (const std::size_t rank : {16, 64})
    if (rank < d) add("sinusoidal", "heads", rank, draws);
  add("sinusoidal", "heads", d, draws);
  for (const std::size_t rank : {16, 64}) add("sinusoidal", "tied", rank, draws);
  for (const char* matrix : {"commutant", "rotary_same", "rotary_own"})
    add(matrix[0] == 'c' ? "sinusoidal" : "none", matrix, 0, draws);
  if (d != 512) return;
  for (const char* encoding : {"random", "random_fourier"}) {
    add(encoding, "identity", 0, draws);
    add(encoding, "gaussian", 0, draws);
    add(encoding, "heads", head, draws);
  }
  add("none", "iid", 0, draws);
}

std::vector<Cell> cells(const Options& options) {
  const bool quick = options.preset == Preset::quick;
  const std::size_t few = pick<std::size_t>(options.preset, 6, 50, 500),
                    many = pick<std::size_t>(options.preset, 12, 200, 2000);
  std::vector<Cell> cells;
  for (const std::size_t d :
       quick ? std::vector<std::size_t>{64, 512} : std::vector<std::size_t>{64, 256, 512, 1024})
    add_dimension(d, d <= 256 ? many : few, cells);
  // The shape of GPT-2's heads, for which there are numbers to compare with.
  for (const char* matrix : {"heads", "tied"})
    cells.push_back(score_cell({"sinusoidal", matrix, head, 768, length}, many));
  for (std::size_t d = 4; d <= (quick ? 8 : 32); d += 4)
    cells.push_back({{{"what", std::string("shift")}, {"d", whole(d)}}, 1e-9 * std::pow(d, 6)});
  for (std::size_t l = 2; l <= short_d + 3; ++l)
    cells.push_back({{{"what", std::string("few")}, {"l", whole(l)}}, 1e-3});
  cells.push_back({{{"what", std::string("panels")}}, 1e-2});
  return cells;
}

// ---- one cell ------------------------------------------------------------------------------------------

template <class T>
LagStatistics lags(const Factors<T>& f) {
  return lag_statistics<T>(View<T>(f.left), View<T>(f.right), 1);
}

/// Weights that mix everything are drawn and multiplied in float32, which moves R² by less than 1e-6; what
/// should be exact stays in float64.
LagStatistics lags_of(const ScoreCase& c, const Matrix<double>& positions, const Streams& streams,
                      std::size_t draw) {
  if (c.matrix != "gaussian" && c.matrix != "heads" && c.matrix != "tied" && c.matrix != "iid")
    return lags(score_factors<double>(c, positions, streams, draw));
  Matrix<float> single = matrix<float>(rows(positions), cols(positions));
  std::ranges::transform(std::span(positions.data(), positions.size()), single.data(),
                         [](double v) { return static_cast<float>(v); });
  return lags(score_factors<float>(c, single, streams, draw));
}

Interval interval_of(const Moments& moments) {
  const double absent = std::numeric_limits<double>::quiet_NaN();
  return moments.count < 2 ? Interval{absent, absent, recorded_level}
                           : mean_interval(moments, recorded_level);
}

Record run_scores(const ScoreCase& c, std::size_t draws, const Streams& streams) {
  const bool placed = c.encoding != "none", fixed = c.encoding == "sinusoidal";
  Matrix<double> positions = zeros<double>(placed ? 0 : 1, c.d);
  MomentSums r2, odd;
  std::vector<double> by_lag, all, values;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    if (placed && (draw == 0 || !fixed)) positions = score_positions(c, streams, draw);
    const LagStatistics statistics = lags_of(c, positions, streams, draw);
    const LagSquares squares = lag_squares(statistics);
    values.push_back(toeplitz_r2(statistics));
    r2.add(values.back());
    odd.add(lag_parity(statistics).odd_share);
    by_lag.push_back(squares.between / squares.entries);
    all.push_back((squares.within + squares.between) / squares.entries);
  }
  const Moments m = r2.moments(), o = odd.moments();
  const Interval mean = interval_of(m), parity = interval_of(o);
  const PooledRatio pooled = pooled_ratio(by_lag, all);
  const double absent = std::numeric_limits<double>::quiet_NaN();
  const Interval ratio = pooled.spread ? interval_at(pooled.value, *pooled.spread, recorded_level)
                                       : Interval{absent, absent, recorded_level};
  return {"r2",
          {{"r2", m.mean},
           {"r2_low", mean.low},
           {"r2_high", mean.high},
           {"sd", draws > 1 ? std::sqrt(m.variance) : absent},
           {"smallest", m.minimum},
           {"q05", quantile(values, 0.05)},
           {"q95", quantile(values, 0.95)},
           {"pooled", pooled.value},
           {"pooled_low", ratio.low},
           {"pooled_high", ratio.high},
           {"odd", o.mean},
           {"odd_low", parity.low},
           {"odd_high", parity.high}}};
}

Record null_record(const NullSpace& null) {
  return {"null",
          {{"dimension", whole(null.dimension)},
           {"largest_null", null.largest_null},
           {"smallest_kept", null.smallest_kept}}};
}

/// Six score matrices of 64 positions, each scaled to mean 0 and standard deviation 1.
Records run_panels(const Streams& streams) {
  Records records, entries;
  for (std::size_t i = 0; i < panel * panel; ++i)
    entries.push_back({"panel", {{"t", whole(i / panel + 1)}, {"s", whole(i % panel + 1)}}});
  for (const char* matrix : {"identity", "commutant", "rotary_same", "heads", "tied", "rotary_own"}) {
    const ScoreCase c{"sinusoidal", matrix, panel / 4, panel, panel};
    const Factors<double> f = score_factors<double>(c, score_positions(c, streams, 0), streams, 0);
    const LagStatistics statistics = lags(f);
    const LagSquares squares = lag_squares(statistics);
    const double scale = std::sqrt((squares.within + squares.between) / squares.entries);
    records.push_back({"panel_r2", {{"matrix", std::string(matrix)}, {"r2", toeplitz_r2(statistics)}}});
    const Matrix<double> scores = product_nt(View<double>(f.left), View<double>(f.right));
    for (std::size_t i = 0; i < entries.size(); ++i) {
      // Two digits are more than a picture shows.
      const double shown = std::round((scores.data()[i] - squares.mean) / scale * 100) / 100;
      entries[i].values.emplace_back(matrix, shown);
    }
  }
  records.insert(records.end(), entries.begin(), entries.end());
  return records;
}

Records run(const Cell& cell, const Streams& streams) {
  const std::string& what = text_at(cell.at, "what");
  if (what == "panels") return run_panels(streams);
  if (what == "shift") return {null_record(shift_commutant(frequencies(size_at(cell.at, "d")), null_cutoff))};
  if (what == "few") {
    const Matrix<double> few = sinusoidal<double>(size_at(cell.at, "l"), short_d, short_base);
    return {null_record(distance_only_matrices(few, null_cutoff))};
  }
  const ScoreCase c{text_at(cell.at, "encoding"), text_at(cell.at, "matrix"), size_at(cell.at, "rank"),
                    size_at(cell.at, "d"), size_at(cell.at, "l")};
  return {run_scores(c, size_at(cell.at, "draws"), streams)};
}

}  // namespace

Experiment after_projection(const Options& options) {
  return {"D6",
          "Positions may be looked at alone, although attention sees them through QᵀK between sums.",
          "[a]",
          {},
          cells(options),
          run,
          summarise_projection};
}

}  // namespace perp::distance
