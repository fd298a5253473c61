#include "bench/best.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "bench/answer.hpp"
#include "perp/base/error.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::string with_equals(const std::string& name, std::size_t equals) {
  return equals == 0 ? name : fmt::format("{} (+{} equal)", name, equals);
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
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

std::vector<Group> groups(const std::vector<ComparisonRow>& lines) {
  std::vector<Group> all;
  for (const ComparisonRow& l : lines) {
    if (!timed(l)) continue;
    auto it = std::ranges::find_if(all, [&](const Group& g) {
      return g.operation == l.row.operation && g.through == l.row.through && g.threads == l.threads();
    });
    if (it == all.end()) it = all.insert(all.end(), {l.row.operation, l.row.through, l.threads(), {}});
    it->rows.push_back(&l);
  }
  return all;
}

std::vector<std::pair<double, const Configuration*>> ranking(const Group& group) {
  std::vector<std::pair<double, const Configuration*>> ranking;
  std::map<const Configuration*, std::pair<double, std::size_t>> logs;
  std::size_t most = 0;
  for (const ComparisonRow* l : group.rows) {
    auto& [sum, count] = logs[l->configuration];
    sum += std::log(l->ratio);
    most = std::max(most, ++count);
  }
  // In the order of the lines, so that ties fall the same way each time.
  for (const ComparisonRow* l : group.rows)
    if (const auto it = logs.find(l->configuration); it != logs.end()) {
      if (it->second.second == most)
        ranking.emplace_back(std::exp(it->second.first / static_cast<double>(most)), it->first);
      logs.erase(it);
    }
  std::ranges::stable_sort(ranking, {}, [](const auto& entry) { return entry.first; });
  return ranking;
}

namespace {

/// "38% to 91%, median 80%", of the shapes; beyond the limit of memory an operand stayed in a cache.
std::string of_limit(const Group& group, const Configuration* winner) {
  std::vector<double> shares;
  for (const ComparisonRow* l : group.rows)
    if (l->configuration == winner) shares.push_back(l->roof_share);
  const auto text = [](double share) {
    return share > 1 ? std::string("in cache") : fmt::format("{:.0f}%", 100 * share);
  };
  const auto [low, high] = std::ranges::minmax(shares);
  if (text(low) == text(high)) return text(low);
  return fmt::format("{} to {}, median {}", text(low), text(high), text(median(shares)));
}

/// The fastest of an operation, those not told apart from it, and the first that is.
std::vector<Value> winner(const Group& group) {
  const auto ranked = ranking(group);
  const Configuration& first = *ranked.front().second;
  std::vector<const Configuration*> others;
  for (const auto& [ratio, c] : ranked) others.push_back(c);
  std::vector<Row> rows;
  for (const ComparisonRow* l : group.rows)
    if (l->configuration == &first) rows.push_back(l->row);
  std::vector<std::string> equals;
  std::string next = "–";
  double next_ratio = absent;
  for (const Held& held : held_against(first, others, rows, false))
    if (!held.told) {
      equals.push_back(held.configuration->backend.shown());
    } else if (std::isnan(next_ratio)) {
      next = held.configuration->backend.shown();
      next_ratio = held.cost.ratio;
    }
  return {first.backend.shown(),
          with_equals(first.backend.shown(), equals.size()),
          joined(equals),
          of_limit(group, &first),
          next,
          next_ratio};
}

}  // namespace

Table best_table(const std::vector<ComparisonRow>& lines) {
  Table table{"best.csv",
              {{"operation", "", Kind::exact, "operation"},
               {"what", "", Kind::exact, "what it does"},
               {"through", "", Kind::exact, "bare or own"},
               {"all", "1", Kind::exact, "1 for the most threads, 0 for the fewest"},
               {"threads", "1", Kind::exact, "threads"},
               {"winner", "", Kind::sampled,
                "backend with the smallest geometric mean of times over all shapes and types that all ran"},
               {"use", "", Kind::sampled, "the same, with the number of its equals"},
               {"equals", "", Kind::sampled, "those that are not told apart from it, adjusted by Holm"},
               {"limit", "", Kind::sampled, "its lowest, highest and median share of the limit, over shapes"},
               {"next", "", Kind::sampled, "the first that is told apart"},
               {"next_ratio", "1", Kind::sampled, "its time over the winner's"}},
              {}};
  std::size_t fewest = std::numeric_limits<std::size_t>::max(), most = 0;
  for (const ComparisonRow& l : lines) {
    fewest = std::min(fewest, l.threads());
    most = std::max(most, l.threads());
  }
  for (const Group& g : groups(lines)) {
    if (g.threads != fewest && g.threads != most) continue;
    std::vector<Value> row{std::string(g.operation), called(g.operation), std::string(to_text(g.through)),
                           whole(g.threads == most), whole(g.threads)};
    for (Value& value : winner(g)) row.push_back(std::move(value));
    table.add(std::move(row));
  }
  return table;
}

Table best_wide_table(const Table& best) {
  Table table{"best_wide.csv",
              {{"what", "", Kind::exact, "operation"},
               {"through", "", Kind::exact, "bare or own"},
               {"use_fewest", "", Kind::sampled, "use of best.csv, with the fewest threads"},
               {"limit_fewest", "", Kind::sampled, "limit of best.csv, likewise"},
               {"use_most", "", Kind::sampled, "use of best.csv, with the most threads"},
               {"limit_most", "", Kind::sampled, "limit of best.csv, likewise"}},
              {}};
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < best.rows.size(); ++i) {
    const std::string what = perp::to_text(best.at(i, "what"));
    const Value use = best.at(i, "use"), limit = best.at(i, "limit");
    if (const auto [it, is_new] = place.try_emplace(what, table.rows.size()); is_new) {
      table.add({what, best.at(i, "through"), use, limit, use, limit});
    } else {
      const std::size_t at = best.number(i, "all") == 1 ? 4 : 2;
      table.rows[it->second][at] = use;
      table.rows[it->second][at + 1] = limit;
    }
  }
  return table;
}

}  // namespace perp::bench
