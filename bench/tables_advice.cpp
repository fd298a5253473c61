// Which backend for which operation, and what the checked module costs.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "bench/tables.hpp"
#include "perp/base/error.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

Value text(std::string_view v) { return std::string(v); }

}  // namespace

std::vector<Group> groups(const std::vector<ComparisonRow>& lines) {
  std::vector<Group> all;
  for (const ComparisonRow& l : lines) {
    if (!timed(l) || l.row.through == Through::checked) continue;
    const auto same = [&](const Group& g) {
      return g.operation == l.row.operation && g.through == l.row.through && g.threads == l.threads();
    };
    auto it = std::find_if(all.begin(), all.end(), same);
    if (it == all.end()) it = all.insert(all.end(), {l.row.operation, l.row.through, l.threads(), {}, {}});
    if (std::find(it->order.begin(), it->order.end(), l.backend()) == it->order.end())
      it->order.push_back(l.backend());
    Mean& mean = it->by_backend[l.backend()];
    mean.log_sum += std::log(l.ratio);
    mean.best_share = std::max(mean.best_share, l.roof_share);
    ++mean.count;
  }
  return all;
}

std::vector<std::pair<double, std::string>> Group::ranking() const {
  std::size_t most = 0;
  for (const auto& [name, mean] : by_backend) most = std::max(most, mean.count);
  std::vector<std::pair<double, std::string>> ranking;
  for (const std::string& name : order)
    if (by_backend.at(name).count == most) ranking.emplace_back(by_backend.at(name).value(), name);
  std::stable_sort(ranking.begin(), ranking.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return ranking;
}

namespace {

/// The advice for one operation at one number of threads.
struct Advice {
  std::string use = "–", next = "–";
  double share = std::numeric_limits<double>::quiet_NaN(), next_ratio = share, slowest_ratio = share;
};

Advice advice(const Group& group) {
  const auto ranking = group.ranking();
  Advice a;
  std::size_t i = 0;
  for (; i < ranking.size() && ranking[i].first <= ranking[0].first * equally_fast; ++i)
    a.use = i == 0 ? ranking[i].second : fmt::format("{}, {}", a.use, ranking[i].second);
  a.share = group.by_backend.at(ranking[0].second).best_share;
  if (i < ranking.size()) {
    a.next = ranking[i].second;
    a.next_ratio = ranking[i].first / ranking[0].first;
    a.slowest_ratio = ranking.back().first / ranking[0].first;
  }
  return a;
}

std::string called(std::string_view operation) {
  static const std::map<std::string_view, std::string> names{{"gemm", "gemm: square products"},
                                                             {"gemm_tall", "gemm: words times positions"},
                                                             {"gemm_small", "gemm: small squares"},
                                                             {"gemm_skinny", "gemm: tall and skinny"},
                                                             {"syrk_skinny", "syrk: tall and skinny"},
                                                             {"syrk", "syrk: Gram matrices"},
                                                             {"gemv", "gemv: matrix times vector"},
                                                             {"ger", "ger: rank-one update"},
                                                             {"trsm", "trsm: triangular solve"},
                                                             {"potrf", "potrf: Cholesky"},
                                                             {"qr", "geqrf + orgqr: QR"},
                                                             {"svd_values", "gesdd: singular values"},
                                                             {"svd_thin", "gesdd: thin SVD"},
                                                             {"syevd", "syevd: symmetric eigenvectors"},
                                                             {"positions", "sinusoidal positions"},
                                                             {"normals", "normal numbers"},
                                                             {"cosine_histogram", "cosine histogram"},
                                                             {"angles", "principal angles"},
                                                             {"nearest_word", "nearest word"},
                                                             {"lag_statistics", "per-lag statistics"}};
  const auto it = names.find(operation);
  return it == names.end() ? std::string(operation) : it->second;
}

}  // namespace

Table best_table(const std::vector<ComparisonRow>& lines) {
  Table table{
      "best.csv",
      {{"operation", "", Kind::exact, "operation"},
       {"what", "", Kind::exact, "what it does"},
       {"through", "", Kind::exact, "bare or own"},
       {"all", "1", Kind::exact, "1 for the most threads, 0 for the fewest"},
       {"threads", "1", Kind::exact, "threads"},
       {"use", "", Kind::sampled,
        "backend with the smallest geometric mean of times over all shapes and types that all ran, and "
        "those equally fast"},
       {"share", "1", Kind::sampled, "the largest share of its limit that the first of them reached"},
       {"next", "", Kind::sampled, "the next"},
       {"next_ratio", "1", Kind::sampled, "its time over that of the first"},
       {"slowest_ratio", "1", Kind::sampled, "the slowest backend's time over that of the first"}},
      {}};
  std::size_t fewest = std::numeric_limits<std::size_t>::max(), most = 0;
  for (const ComparisonRow& l : lines) {
    fewest = std::min(fewest, l.threads());
    most = std::max(most, l.threads());
  }
  for (const Group& g : groups(lines)) {
    if (g.threads != fewest && g.threads != most) continue;
    const Advice a = advice(g);
    table.add({text(g.operation), called(g.operation), text(to_text(g.through)), whole(g.threads == most),
               whole(g.threads), a.use, a.share, a.next, a.next_ratio, a.slowest_ratio});
  }
  return table;
}

Table best_wide_table(const Table& best) {
  Table table{"best_wide.csv",
              {{"operation", "", Kind::exact, "operation"}, {"what", "", Kind::exact, "what it does"}},
              {}};
  const std::vector<std::string> parts{"use", "share", "next", "next_ratio"};
  for (const char* threads : {"fewest", "most"})
    for (const std::string& part : parts)
      table.columns.push_back({fmt::format("{}_{}", part, threads),
                               part == "use" || part == "next" ? "" : "1", Kind::sampled,
                               fmt::format("{} of best.csv, with the {} threads", part, threads)});
  const auto row_of = [&](const std::string& operation, bool all) {
    std::size_t found = best.rows.size();
    for (std::size_t i = 0; i < best.rows.size(); ++i)
      if (perp::to_text(best.at(i, "operation")) == operation)
        if (found == best.rows.size() || (best.number(i, "all") == 1) == all) found = i;
    return found;
  };
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < best.rows.size(); ++i) {
    const std::string operation = perp::to_text(best.at(i, "operation"));
    if (std::find(seen.begin(), seen.end(), operation) != seen.end()) continue;
    seen.push_back(operation);
    std::vector<Value> row{best.at(i, "operation"), best.at(i, "what")};
    for (const bool all : {false, true})
      for (const std::string& part : parts) row.push_back(best.at(row_of(operation, all), part));
    table.add(std::move(row));
  }
  return table;
}

namespace {

/// What it takes to have a configuration: Debian's package or the folder given, and the variables.
std::string what_to_set(const Configuration& c) {
  const Backend& b = c.backend;
  return b.core.empty() ? "nothing" : fmt::format("{}={}", b.core_variable, b.core_value);
}

/// Geometric mean over operations of a configuration's mean ratio to the fastest; NaN unless it ran them all.
double mean_over(const std::vector<Group>& groups, const std::string& backend) {
  double log_sum = 0;
  for (const Group& group : groups) {
    const auto ranking = group.ranking();
    const auto it =
        std::find_if(ranking.begin(), ranking.end(), [&](const auto& r) { return r.second == backend; });
    if (it == ranking.end()) return std::numeric_limits<double>::quiet_NaN();
    log_sum += std::log(it->first);
  }
  return std::exp(log_sum / static_cast<double>(groups.size()));
}

}  // namespace

Table answer_table(const std::vector<ComparisonRow>& lines, const Roof& roof, const std::string& baseline) {
  Table table{"answer.csv",
              {{"all", "1", Kind::exact, "1 for the most threads, 0 for the fewest"},
               {"threads", "1", Kind::exact, "threads"},
               {"use", "", Kind::sampled,
                "the configuration with the smallest geometric mean of times over all operations"},
               {"install", "", Kind::sampled, "what brings it"},
               {"set", "", Kind::sampled, "the variable that asks for its kernels"},
               {"kernel", "", Kind::sampled, "the kernels that ran"},
               {"share", "1", Kind::sampled,
                "the largest share of the multiply-adds' rate in a square product in float32"},
               {"behind", "1", Kind::sampled, "its mean time over that of the fastest of each operation"},
               {"default", "", Kind::exact, "what the loader takes by default"},
               {"gain", "1", Kind::sampled, "the default's mean time over its own"}},
              {}};
  std::size_t fewest = std::numeric_limits<std::size_t>::max(), most = 0;
  for (const ComparisonRow& l : lines) {
    fewest = std::min(fewest, l.threads());
    most = std::max(most, l.threads());
  }
  const std::vector<Group> every = groups(lines);
  for (const std::size_t threads : {fewest, most}) {
    if (threads == most && !table.rows.empty() && fewest == most) continue;
    std::vector<Group> here;
    // The last two call no BLAS: they would dilute every ratio.
    for (const Group& g : every)
      if (g.threads == threads && g.operation != "positions" && g.operation != "normals") here.push_back(g);
    const ComparisonRow* best = nullptr;
    double least = std::numeric_limits<double>::infinity(), share = 0;
    for (const ComparisonRow& l : lines)
      if (l.threads() == threads && timed(l))
        if (const double mean = mean_over(here, l.backend()); mean < least) {
          least = mean;
          best = &l;
        }
    if (best == nullptr) continue;
    for (const ComparisonRow& l : lines)
      if (timed(l) && l.configuration == best->configuration && l.row.operation == "gemm" &&
          l.row.type == Type::f32)
        share = std::max(share, l.rate / roof.best_fma("f32", threads));
    const Configuration& c = *best->configuration;
    table.add({whole(threads == most), whole(threads), best->backend(), c.backend.package(), what_to_set(c),
               c.loaded.kernel, share, least, baseline.empty() ? std::string("none") : baseline,
               mean_over(here, baseline) / least});
  }
  return table;
}

Table overhead_table(const std::vector<ComparisonRow>& lines) {
  Table table{"overhead.csv",
              {{"operation", "", Kind::exact, "operation"},
               {"type", "", Kind::exact, "type"},
               {"shape", "", Kind::exact, "shape"},
               {"backend", "", Kind::exact, "backend"},
               {"threads", "1", Kind::exact, "threads"},
               {"overhead", "1", Kind::sampled,
                "time through the checked module over the bare call's, less 1, median over rounds"}},
              {}};
  for (const ComparisonRow& l : lines) {
    if (!timed(l) || l.row.through != Through::checked) continue;
    Row bare = l.row;
    bare.through = Through::bare;
    const auto& rounds = l.configuration->rounds;
    const auto it = rounds.find(bare.name());
    if (it == rounds.end()) continue;
    table.add({text(l.row.operation), text(l.type()), text(l.row.shape.text()), text(l.backend()),
               whole(l.threads()), median(paired_ratios(rounds.at(l.row.name()), it->second)) - 1});
  }
  return table;
}

Table overhead_summary(const Table& overhead) {
  Table table{"overhead_summary.csv",
              {{"operation", "", Kind::exact, "operation"},
               {"shape", "", Kind::exact, "shape"},
               {"overhead", "1", Kind::sampled, "median over backends and types", "lowest", "highest"},
               {"lowest", "1", Kind::sampled, "the lowest of them"},
               {"highest", "1", Kind::sampled, "the highest of them"}},
              {}};
  double fewest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < overhead.rows.size(); ++i)
    fewest = std::min(fewest, overhead.number(i, "threads"));
  std::vector<std::pair<std::string, std::string>> order;
  std::map<std::pair<std::string, std::string>, std::vector<double>> values;
  for (std::size_t i = 0; i < overhead.rows.size(); ++i) {
    if (overhead.number(i, "threads") != fewest) continue;
    const std::pair key{perp::to_text(overhead.at(i, "operation")), perp::to_text(overhead.at(i, "shape"))};
    if (!values.contains(key)) order.push_back(key);
    values[key].push_back(overhead.number(i, "overhead"));
  }
  for (const auto& key : order) {
    const auto& list = values.at(key);
    const auto [low, high] = std::minmax_element(list.begin(), list.end());
    table.add({text(key.first), text(key.second), median(list), *low, *high});
  }
  return table;
}

}  // namespace perp::bench
