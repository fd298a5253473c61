#include "bench/lines.hpp"

#include <algorithm>

#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

Line line_of(const Configuration& c, const Row& row, const Roof& roof) {
  Line line{&c, row, c.checks.at(row.name())};
  line.fma = roof.best_fma(line.type(), c.threads);
  const auto it = c.rounds.find(row.name());
  if (it == c.rounds.end() || it->second.empty()) return line;
  line.seconds = median(it->second);
  line.times = times_of(it->second);
  const Cost cost = row.cost();
  line.rate = (cost.operations > 0 ? cost.operations : cost.bytes) / line.seconds;
  line.roof_share = line.rate / roof.of(line.type(), c.threads, cost.operations, cost.bytes);
  return line;
}

}  // namespace

std::vector<Line> lines_of(const std::vector<Configuration>& configurations, const Roof& roof,
                           const std::vector<Row>& rows) {
  std::vector<Line> lines;
  for (const Row& row : rows)
    for (const Configuration& c : configurations)
      if (c.checks.contains(row.name())) lines.push_back(line_of(c, row, roof));
  return lines;
}

std::pair<std::size_t, std::size_t> ends_of_threads(const std::vector<Line>& lines) {
  if (lines.empty()) return {0, 0};
  const auto [fewest, most] = std::ranges::minmax_element(lines, {}, &Line::threads);
  return {fewest->threads(), most->threads()};
}

}  // namespace perp::bench
