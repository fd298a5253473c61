#include "bench/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "perp/base/error.hpp"
#include "perp/random/uniform.hpp"
#include "perp/statistics/interval.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t replicates = 2000;

double median(std::vector<double> values) { return quantile(values, 0.5); }

double spread_of(const std::vector<double>& values, double centre) {
  std::vector<double> away;
  for (const double v : values) away.push_back(std::abs(v - centre));
  return median(away) / centre;
}

Line line_of(const Configuration& c, const Row& row, const Roof& roof) {
  Line line{&c, row, c.checks.at(row.name())};
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
  const std::vector<double>& mine = line.configuration->rounds.at(line.row.name());
  const std::vector<double>& theirs = best.configuration->rounds.at(best.row.name());
  std::vector<double> ratios;
  for (std::size_t r = 0; r < std::min(mine.size(), theirs.size()); ++r)
    ratios.push_back(mine[r] / theirs[r]);
  line.ratio = median(ratios);
  const auto n = static_cast<std::uint32_t>(ratios.size());
  const Interval interval = bootstrap_median(ratios, ratio_level, replicates, [n](std::uint64_t replicate) {
    return below(stream(1, "bench", "ratio", replicate, "bootstrap"), n, n);
  });
  line.ratio_low = interval.low;
  line.ratio_high = interval.high;
}

void compare_all(std::vector<Line>& lines, std::size_t first) {
  for (const std::size_t threads : {std::size_t{1}, std::numeric_limits<std::size_t>::max()}) {
    Line* best = nullptr;
    const auto same = [&](const Line& l) {
      return timed(l) && (threads == 1) == (l.configuration->threads == 1);
    };
    for (std::size_t i = first; i < lines.size(); ++i)
      if (same(lines[i]) && (best == nullptr || lines[i].seconds < best->seconds)) best = &lines[i];
    for (std::size_t i = first; i < lines.size(); ++i)
      if (best != nullptr && same(lines[i])) compare_to(*best, lines[i]);
  }
}

std::string shown_backend(const Backend& b) { return b.alone ? fmt::format("{} alone", b.name) : b.name; }

Value text(std::string_view v) { return std::string(v); }

}  // namespace

bool timed(const Line& line) { return line.seconds > 0; }

std::vector<Line> compare(const std::vector<Configuration>& configurations, const Roof& roof, bool quick) {
  std::vector<Line> lines;
  for (const Row& row : all_rows(quick)) {
    const std::size_t first = lines.size();
    for (const Configuration& c : configurations)
      if (c.checks.contains(row.name())) lines.push_back(line_of(c, row, roof));
    compare_all(lines, first);
  }
  return lines;
}

Table results_table(const std::vector<Line>& lines) {
  Table table{"results.csv",
              {{"backend", "", Kind::exact, "which library was loaded"},
               {"lapack", "", Kind::exact, "as_shipped, alone (the reference LAPACK) or none"},
               {"operation", "", Kind::exact, "what was called"},
               {"type", "", Kind::exact, "f32 or f64"},
               {"shape", "", Kind::exact, "m x n x k, as far as the operation has them"},
               {"threads", "1", Kind::exact, "threads of the library, or of our kernels"},
               {"rate", "1/s", Kind::sampled, "operations a second, or bytes where nothing is counted"},
               {"roof_share", "1", Kind::sampled, "rate over what the machine allows"},
               {"status", "", Kind::exact, "ok, failed or skipped"},
               {"reason", "", Kind::exact, "why not ok"},
               {"through", "", Kind::exact, "bare, checked (the library's module) or own (its kernels)"},
               {"seconds", "s", Kind::sampled, "a call, median over rounds"},
               {"noise", "1", Kind::sampled, "median absolute deviation over rounds / median"},
               {"ratio", "1", Kind::sampled, "time over that of the fastest, paired by round", "ratio_low",
                "ratio_high"},
               {"ratio_low", "1", Kind::sampled, "its 95% bootstrap interval"},
               {"ratio_high", "1", Kind::sampled, "its 95% bootstrap interval"},
               {"rounds", "1", Kind::exact, "rounds"},
               {"error", "1", Kind::rounded, "error of the result in the units of bound"},
               {"bound", "1", Kind::exact, "what rounding may make of it"},
               {"version", "", Kind::exact, "the library's own word"},
               {"kernel", "", Kind::exact, "the kernels it chose"}},
              {}};
  for (const Line& l : lines) {
    const Configuration& c = *l.configuration;
    const bool t = timed(l);
    const std::size_t rounds = t ? c.rounds.at(l.row.name()).size() : 0;
    const char* lapack = c.backend.lapack_folder.empty()                    ? "none"
                         : c.backend.lapack_folder == c.backend.blas_folder ? "as_shipped"
                                                                            : "alone";
    table.add({text(c.backend.name),
               text(lapack),
               text(l.row.operation),
               text(to_text(l.row.type)),
               text(l.row.shape.text()),
               whole(c.threads),
               t ? l.rate : absent,
               t ? l.roof_share : absent,
               text(l.checked.status),
               text(l.checked.reason),
               text(to_text(l.row.through)),
               t ? l.seconds : absent,
               t ? l.noise : absent,
               t ? l.ratio : absent,
               t ? l.ratio_low : absent,
               t ? l.ratio_high : absent,
               whole(rounds),
               l.checked.error,
               l.checked.bound,
               text(c.loaded.version),
               text(c.loaded.kernel)});
  }
  return table;
}

namespace {

/// Geometric mean of the ratios to the fastest over an operation's shapes and types.
struct Mean {
  double log_sum = 0;
  std::size_t count = 0;
  void add(double ratio) {
    log_sum += std::log(ratio);
    ++count;
  }
  double value() const { return std::exp(log_sum / static_cast<double>(count)); }
};
struct Group {
  std::string operation, through;
  std::size_t threads;
  std::map<std::string, Mean> by_backend;
  std::size_t most() const {
    std::size_t most = 0;
    for (const auto& [name, mean] : by_backend) most = std::max(most, mean.count);
    return most;
  }
};

std::vector<Group> groups(const std::vector<Line>& lines) {
  std::vector<Group> all;
  for (const Line& l : lines) {
    if (!timed(l) || l.row.through == Through::checked) continue;
    const auto same = [&](const Group& g) {
      return g.operation == l.row.operation && g.through == to_text(l.row.through) &&
             g.threads == l.configuration->threads;
    };
    auto it = std::find_if(all.begin(), all.end(), same);
    if (it == all.end())
      it = all.insert(
          all.end(),
          {std::string(l.row.operation), std::string(to_text(l.row.through)), l.configuration->threads, {}});
    it->by_backend[shown_backend(l.configuration->backend)].add(l.ratio);
  }
  return all;
}

}  // namespace

Table best_table(const std::vector<Line>& lines) {
  Table table{"best.csv",
              {{"operation", "", Kind::exact, "operation"},
               {"through", "", Kind::exact, "bare or own"},
               {"threads", "1", Kind::exact, "threads"},
               {"use", "", Kind::sampled,
                "backend with the smallest geometric mean of times over all shapes and types"},
               {"mean_ratio", "1", Kind::sampled, "its time over that of the fastest at each shape"},
               {"next", "", Kind::sampled, "the second"},
               {"next_ratio", "1", Kind::sampled, "its time over that of the fastest at each shape"},
               {"slowest", "", Kind::sampled, "the last"},
               {"slowest_ratio", "1", Kind::sampled, "its time over that of the fastest at each shape"}},
              {}};
  for (const Group& g : groups(lines)) {
    std::vector<std::pair<double, std::string>> order;
    // Only those that ran every shape: a mean over the cheap ones says something else.
    for (const auto& [name, mean] : g.by_backend)
      if (mean.count == g.most()) order.emplace_back(mean.value(), name);
    std::sort(order.begin(), order.end());
    const auto& next = order[std::min<std::size_t>(1, order.size() - 1)];
    table.add({text(g.operation), text(g.through), whole(g.threads), text(order[0].second), order[0].first,
               text(next.second), next.first, text(order.back().second), order.back().first});
  }
  return table;
}

Table heat_table(const std::vector<Line>& lines) {
  Table table{"heat.csv",
              {{"operation", "", Kind::exact, "operation"},
               {"backend", "", Kind::exact, "backend"},
               {"threads", "1", Kind::exact, "threads"},
               {"row", "1", Kind::exact, "place of the operation in the picture, from 0"},
               {"column", "1", Kind::exact, "place of the backend in the picture, from 0"},
               {"ratio", "1", Kind::sampled, "geometric mean of time over that of the fastest"}},
              {}};
  std::vector<std::string> backends, operations;
  const auto place = [](std::vector<std::string>& list, const std::string& name) {
    const auto it = std::find(list.begin(), list.end(), name);
    if (it != list.end()) return static_cast<std::size_t>(it - list.begin());
    list.push_back(name);
    return list.size() - 1;
  };
  for (const Line& l : lines) place(backends, shown_backend(l.configuration->backend));
  for (const Group& g : groups(lines)) {
    const std::size_t y = place(operations, g.operation);
    for (const auto& [name, mean] : g.by_backend)
      table.add({text(g.operation), text(name), whole(g.threads), whole(y), whole(place(backends, name)),
                 mean.value()});
  }
  return table;
}

Table curve_table(const std::vector<Line>& lines, const Roof& roof) {
  Table table{"curve.csv",
              {{"backend", "", Kind::exact, "backend"},
               {"type", "", Kind::exact, "f32 or f64"},
               {"threads", "1", Kind::exact, "threads"},
               {"n", "1", Kind::exact, "square gemm of this size"},
               {"rate", "1/s", Kind::sampled, "operations a second"},
               {"fma", "1/s", Kind::sampled, "the machine's own rate of fused multiply-adds"}},
              {}};
  for (const Line& l : lines)
    if (timed(l) && l.row.operation == "gemm" && l.row.through == Through::bare)
      table.add({text(shown_backend(l.configuration->backend)), text(to_text(l.row.type)),
                 whole(l.configuration->threads), whole(l.row.shape.n), l.rate,
                 roof.best_fma(std::string(to_text(l.row.type)), l.configuration->threads)});
  return table;
}

Table roof_table(const Roof& roof) {
  Table table{"roof.csv",
              {{"limit", "", Kind::exact, "fma, copy, read or write"},
               {"type", "", Kind::exact, "type of the lanes"},
               {"width", "bytes", Kind::exact, "bytes of a vector"},
               {"threads", "1", Kind::exact, "threads"},
               {"rate", "1/s", Kind::sampled, "operations or bytes a second, best of five"}},
              {}};
  for (const FmaRate& f : roof.fma)
    table.add({text("fma"), f.type, whole(f.width), whole(f.threads), f.rate});
  for (const Bandwidth& b : roof.bandwidth) table.add({b.kind, text(""), whole(0), whole(b.threads), b.rate});
  return table;
}

Table overhead_table(const std::vector<Line>& lines) {
  Table table{
      "overhead.csv",
      {{"operation", "", Kind::exact, "operation"},
       {"type", "", Kind::exact, "type"},
       {"shape", "", Kind::exact, "shape"},
       {"backend", "", Kind::exact, "backend"},
       {"threads", "1", Kind::exact, "threads"},
       {"overhead", "1", Kind::sampled, "time through the checked module over the bare call's, less 1"}},
      {}};
  for (const Line& l : lines) {
    if (!timed(l) || l.row.through != Through::checked) continue;
    Row bare = l.row;
    bare.through = Through::bare;
    const auto& rounds = l.configuration->rounds;
    const auto it = rounds.find(bare.name());
    if (it == rounds.end()) continue;
    const std::vector<double>& mine = rounds.at(l.row.name());
    std::vector<double> ratios;
    for (std::size_t r = 0; r < std::min(mine.size(), it->second.size()); ++r)
      ratios.push_back(mine[r] / it->second[r]);
    table.add({text(l.row.operation), text(to_text(l.row.type)), text(l.row.shape.text()),
               text(shown_backend(l.configuration->backend)), whole(l.configuration->threads),
               median(ratios) - 1});
  }
  return table;
}

Table trouble_table(const std::vector<Line>& lines) {
  Table table{"trouble.csv",
              {{"backend", "", Kind::exact, "backend"},
               {"threads", "1", Kind::exact, "threads"},
               {"row", "", Kind::exact, "operation, how it was called, type, shape"},
               {"status", "", Kind::exact, "failed or skipped"},
               {"reason", "", Kind::exact, "why"}},
              {}};
  for (const Line& l : lines)
    if (l.checked.status != "ok")
      table.add({text(shown_backend(l.configuration->backend)), whole(l.configuration->threads),
                 text(l.row.name()), text(l.checked.status), text(l.checked.reason)});
  return table;
}

}  // namespace perp::bench
