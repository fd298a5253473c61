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

ComparisonRow comparison_row(const Configuration& c, const Row& row, const Roof& roof) {
  ComparisonRow line;
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
void compare_to(const ComparisonRow& best, ComparisonRow& line) {
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
void compare_row(std::vector<ComparisonRow>& lines, std::size_t first) {
  std::set<std::size_t> threads;
  for (std::size_t i = first; i < lines.size(); ++i) threads.insert(lines[i].configuration->threads);
  for (const std::size_t n : threads) {
    const auto same = [&](const ComparisonRow& l) { return timed(l) && l.configuration->threads == n; };
    const ComparisonRow* best = nullptr;
    for (std::size_t i = first; i < lines.size(); ++i)
      if (same(lines[i]) && (best == nullptr || lines[i].seconds < best->seconds)) best = &lines[i];
    for (std::size_t i = first; i < lines.size(); ++i)
      if (best != nullptr && same(lines[i])) compare_to(*best, lines[i]);
  }
}

/// All rows of one configuration against the baseline's: one family of tests.
void hold_against(const Configuration& base, const Configuration& c, std::vector<ComparisonRow>& lines) {
  std::vector<ComparisonRow*> held;
  for (ComparisonRow& line : lines)
    if (line.configuration == &c && timed(line) && base.rounds.contains(line.row.name()))
      held.push_back(&line);
  std::vector<double> p;
  for (ComparisonRow* line : held) {
    const std::string name = line->row.name();
    line->against = paired_contrast(paired_ratios(c.rounds.at(name), base.rounds.at(name)));
    p.push_back(line->against.p);
  }
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < held.size(); ++i) {
    held[i]->verdict = &base == &c ? "baseline" : verdict(held[i]->against, adjusted[i]);
    held[i]->detectable = detectable(held[i]->against.spread, held[i]->against.rounds,
                                     false_alarms / static_cast<double>(held.size()));
  }
}

}  // namespace

bool timed(const ComparisonRow& line) { return line.seconds > 0; }

std::vector<double> paired_ratios(const std::vector<double>& above, const std::vector<double>& below) {
  std::vector<double> ratios;
  for (std::size_t r = 0; r < std::min(above.size(), below.size()); ++r)
    ratios.push_back(above[r] / below[r]);
  return ratios;
}

std::vector<ComparisonRow> compare(const std::vector<Configuration>& configurations, const Roof& roof,
                                   const std::vector<Row>& rows, const std::string& baseline) {
  std::vector<ComparisonRow> lines;
  for (const Row& row : rows) {
    const std::size_t first = lines.size();
    for (const Configuration& c : configurations)
      if (c.checks.contains(row.name())) lines.push_back(comparison_row(c, row, roof));
    compare_row(lines, first);
  }
  for (const Configuration& c : configurations)
    for (const Configuration& base : configurations)
      if (base.backend.shown() == baseline && base.threads == c.threads) hold_against(base, c, lines);
  return lines;
}

}  // namespace perp::bench
