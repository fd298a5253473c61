// D2: nearby positions are similar. The kernel of the table, lag by lag, against its laws.

#include "studies/distance/d2_nearby.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/format.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t ordered_lags = 512;  // positions whose distances are put in order

std::vector<Cell> cells(const Options& options) {
  const bool quick = options.preset == Preset::quick;
  const std::size_t side = pick<std::size_t>(options.preset, 128, 512, 1024);
  std::vector<Cell> cells;
  for (std::size_t d = 64; d <= 4096; d *= 2)
    for (const double base : quick ? std::vector<double>{1e4} : std::vector<double>{1e2, 1e3, 1e4, 1e5, 1e6})
      cells.push_back(
          {{{"d", whole(d)}, {"base", whole(static_cast<std::size_t>(base))}, {"lags", whole(side * side)}},
           1e-10 * static_cast<double>(side * side * d) + 0.01});
  return cells;
}

/// The kernel by steps of a twentieth of a decade: value at the step's first lag, least and most in the step.
void add_steps(const Cell& cell, std::span<const double> kernel, Records& records) {
  const double half = number_at(cell.at, "d") / 2;
  for (std::size_t lag = 1, next; lag < kernel.size(); lag = next) {
    next =
        std::min(std::max(lag + 1, static_cast<std::size_t>(std::pow(10, 0.05) * static_cast<double>(lag))),
                 kernel.size());
    const auto [least, most] = std::minmax_element(kernel.begin() + static_cast<std::ptrdiff_t>(lag),
                                                   kernel.begin() + static_cast<std::ptrdiff_t>(next));
    records.push_back({"step",
                       {{"lag", whole(lag)},
                        {"share", kernel[lag] / half},
                        {"least", *least / half},
                        {"most", *most / half}}});
  }
}

/// Largest |g(k)/g(0) - line(k)| for first <= k < last, NaN if there is no such lag.
template <class Line>
double departure(std::span<const double> kernel, double half, double first, double last, const Line& line) {
  double worst = std::numeric_limits<double>::quiet_NaN();
  const double end = std::min(last, static_cast<double>(kernel.size()));
  for (double k = std::ceil(first); k < end; ++k)
    worst = std::fmax(worst, std::abs(kernel[static_cast<std::size_t>(k)] / half - line(k)));
  return worst;
}

Record laws(const Cell& cell, std::span<const double> kernel) {
  const std::size_t d = size_at(cell.at, "d");
  const double base = number_at(cell.at, "base"), half = static_cast<double>(d) / 2;
  const double from = theory::alias_lag(d, base), size = theory::alias_size(d, base);
  std::vector<double> lags(std::min<std::size_t>(1000, kernel.size()));
  std::iota(lags.begin(), lags.end(), 0.0);
  const std::vector<double> sums = theory::kernel_exact(d, base, lags);
  const auto exact = [&](double k) { return sums[static_cast<std::size_t>(k)] / half; };
  const auto limit = [&](double k) { return theory::kernel_limit(base, k); };
  const auto finite = [&](double k) { return theory::kernel_finite(d, base, k); };
  const auto line = [&](double k) { return theory::kernel_log_line(base, k); };
  return {"laws",
          {{"exact", departure(kernel, half, 0, 1000, exact)},
           {"limit", departure(kernel, half, 1, from / 2, limit)},
           {"finite", departure(kernel, half, 1, from / 2, finite)},
           {"log_line", departure(kernel, half, 10, std::min(from / 2, base / 10), line)},
           {"ripple", departure(kernel, half, from, 4 * from, limit) / size}}};
}

Records run(const Cell& cell) {
  const std::size_t d = size_at(cell.at, "d");
  const double base = number_at(cell.at, "base"), half = static_cast<double>(d) / 2;
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(number_at(cell.at, "lags"))));
  const std::vector<double> kernel = kernel_of_table(d, base, side);
  const Nearness near = nearness(kernel);
  const auto distance = [&](std::size_t k) { return std::sqrt(std::max(0.0, 2 * (half - kernel[k]))); };
  Records records{laws(cell, kernel),
                  {"nearness",
                   {{"rise", whole(near.first_rise)},
                    {"rise_share", kernel[near.first_rise] / half},
                    {"best", whole(near.best)},
                    {"best_share", kernel[near.best] / half},
                    {"beyond", whole(near.best_beyond)},
                    {"beyond_share", kernel[near.best_beyond] / half},
                    {"distance", distance(near.best)},
                    {"rise_near", nearness(std::span(kernel).first(ordered_lags)).largest_rise / half},
                    {"largest_rise", near.largest_rise / half},
                    {"ordered", ordered_share(kernel, ordered_lags)}}}};
  for (const std::size_t k : {1, 10, 100})
    records.push_back({"share", {{"lag", whole(k)}, {"share", kernel[k] / half}}});
  // Curves that are drawn or worth a look: every width at the usual base, every base at the usual width.
  if (d == 512 || base == usual_base) add_steps(cell, kernel, records);
  return records;
}

}  // namespace

std::vector<double> kernel_of_table(std::size_t d, double base, std::size_t side) {
  std::vector<std::uint64_t> late(side), early(side);
  for (std::size_t i = 0; i < side; ++i) {
    late[i] = side * (i + 1) - 1;
    early[i] = side - 1 - i;
  }
  const auto table = [&](const std::vector<std::uint64_t>& positions) {
    return sinusoidal_in_format(positions, d, base, Format::float64, Format::float64);
  };
  const Matrix<double> products = product_nt(View<double>(table(late)), View<double>(table(early)));
  return {products.data(), products.data() + products.size()};
}

Nearness nearness(std::span<const double> kernel) {
  require(kernel.size() > 3, "nearness: {} lags given, expected at least 4", kernel.size());
  Nearness n;
  const auto rise =
      std::adjacent_find(kernel.begin(), kernel.end(), [](double a, double b) { return b > a; });
  n.first_rise = static_cast<std::size_t>(std::min(rise, kernel.end() - 1) - kernel.begin());
  n.best = static_cast<std::size_t>(std::max_element(kernel.begin() + 1, kernel.end()) - kernel.begin());
  n.best_beyond =
      n.best + 1 < kernel.size()
          ? static_cast<std::size_t>(
                std::max_element(kernel.begin() + static_cast<std::ptrdiff_t>(n.best) + 1, kernel.end()) -
                kernel.begin())
          : n.best;
  double least = kernel[1];
  for (std::size_t k = 2; k < kernel.size(); ++k) {
    n.largest_rise = std::max(n.largest_rise, kernel[k] - least);
    least = std::min(least, kernel[k]);
  }
  return n;
}

double ordered_share(std::span<const double> kernel, std::size_t lags) {
  require(lags > 2 && lags <= kernel.size(), "ordered_share: {} of {} lags, expected 3 or more", lags,
          kernel.size());
  std::size_t ordered = 0;
  for (std::size_t k = 1; k < lags; ++k)
    for (std::size_t m = k + 1; m < lags; ++m) ordered += kernel[k] > kernel[m];
  return static_cast<double>(ordered) / (static_cast<double>((lags - 1) * (lags - 2)) / 2);
}

double rise_estimate(std::size_t d, double base) {
  const double fast = 2 * std::log(base) / static_cast<double>(d);
  return 1 / std::sqrt(fast * fast + 12 / (base * base));
}

Experiment nearby_is_similar(const Options& options) {
  return {"D2",
          "Positions near each other are similar, which is nice: similarity falls with distance.",
          "[d, c]",
          {},
          cells(options),
          [](const Cell& cell, const Streams&) { return run(cell); },
          summarise_nearby};
}

}  // namespace perp::distance
