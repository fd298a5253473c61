#include "bench/compare.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "perp/base/error.hpp"
#include "perp/random/uniform.hpp"
#include "perp/statistics/interval.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

constexpr std::uint64_t replicates = 2000;

double spread_of(const std::vector<double>& values, double centre) {
  std::vector<double> away;
  for (const double v : values) away.push_back(std::abs(v - centre));
  return median(away) / centre;
}

Line line_of(const Configuration& c, const Row& row, const Roof& roof) {
  Line line;
  line.configuration = &c;
  line.row = row;
  line.checked = c.checks.at(row.name());
  const auto it = c.rounds.find(row.name());
  if (it == c.rounds.end() || it->second.empty()) return line;
  line.seconds = median(it->second);
  line.noise = spread_of(it->second, line.seconds);
  const Cost cost = row.cost();
  line.rate = (cost.operations > 0 ? cost.operations : cost.bytes) / line.seconds;
  line.roof_share =
      line.rate / roof.of(std::string(to_text(row.type)), c.threads, cost.operations, cost.bytes);
  return line;
}

/// Paired by round: what disturbs a round disturbs both sides.
void compare_to(const Line& best, Line& line) {
  const std::vector<double> ratios = paired_ratios(line.configuration->rounds.at(line.row.name()),
                                                   best.configuration->rounds.at(best.row.name()));
  line.ratio = median(ratios);
  const auto n = static_cast<std::uint32_t>(ratios.size());
  const Interval interval = bootstrap_median(ratios, ratio_level, replicates, [n](std::uint64_t replicate) {
    return below(stream(1, "bench", "ratio", replicate, "bootstrap"), n, n);
  });
  line.ratio_low = interval.low;
  line.ratio_high = interval.high;
}

/// The lines of one row, which begin at `first`.
void compare_row(std::vector<Line>& lines, std::size_t first) {
  std::set<std::size_t> threads;
  for (std::size_t i = first; i < lines.size(); ++i) threads.insert(lines[i].configuration->threads);
  for (const std::size_t n : threads) {
    const auto same = [&](const Line& l) { return timed(l) && l.configuration->threads == n; };
    const Line* best = nullptr;
    for (std::size_t i = first; i < lines.size(); ++i)
      if (same(lines[i]) && (best == nullptr || lines[i].seconds < best->seconds)) best = &lines[i];
    for (std::size_t i = first; i < lines.size(); ++i)
      if (best != nullptr && same(lines[i])) compare_to(*best, lines[i]);
  }
}

}  // namespace

bool timed(const Line& line) { return line.seconds > 0; }

std::vector<double> paired_ratios(const std::vector<double>& above, const std::vector<double>& below) {
  std::vector<double> ratios;
  for (std::size_t r = 0; r < std::min(above.size(), below.size()); ++r)
    ratios.push_back(above[r] / below[r]);
  return ratios;
}

std::vector<Line> compare(const std::vector<Configuration>& configurations, const Roof& roof,
                          const std::vector<Row>& rows) {
  std::vector<Line> lines;
  for (const Row& row : rows) {
    const std::size_t first = lines.size();
    for (const Configuration& c : configurations)
      if (c.checks.contains(row.name())) lines.push_back(line_of(c, row, roof));
    compare_row(lines, first);
  }
  return lines;
}

}  // namespace perp::bench
