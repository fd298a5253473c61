#include "bench/best.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "perp/base/error.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {

std::string with_equals(const std::string& name, std::size_t equals) {
  return equals == 0 ? name : fmt::format("{} (+{} equal)", name, equals);
}

std::vector<Group> groups(const std::vector<Line>& lines) {
  std::vector<Group> all;
  for (const Line& l : lines) {
    if (!l.timed()) continue;
    auto it = std::ranges::find_if(all, [&](const Group& g) {
      return g.operation == l.row.operation && g.through == l.row.through && g.threads == l.threads();
    });
    if (it == all.end()) it = all.insert(all.end(), {l.row.operation, l.row.through, l.threads(), {}});
    it->lines.push_back(&l);
  }
  return all;
}

std::vector<Held> ranking(const Group& group) {
  struct Sum {
    std::vector<Row> rows;
    double logs = 0;
  };
  std::map<const Configuration*, Sum> sums;
  for (const Line* l : group.lines) {
    Sum& sum = sums[l->configuration];
    sum.rows.push_back(l->row);
    sum.logs += std::log(l->times.mean);
  }
  const auto& [fastest, least] = *std::ranges::min_element(sums, {}, [](const auto& entry) {
    return std::pair{-static_cast<double>(entry.second.rows.size()), entry.second.logs};
  });
  std::vector<const Configuration*> all;
  for (const auto& [c, sum] : sums) all.push_back(c);
  std::vector<Held> ranked = held_against(*fastest, all, least.rows, false);
  std::ranges::stable_sort(ranked, {}, [](const Held& held) { return held.cost.ratio; });
  ranked.insert(ranked.begin(), {fastest, {}, {1, 1, 1, 0, 1, 0}});
  return ranked;
}

namespace {

/// "38% to 91%, median 80%", of the shapes; beyond the limit of memory an operand stayed in a cache.
std::string of_limit(const Group& group, const Configuration* winner) {
  std::vector<double> shares;
  for (const Line* l : group.lines)
    if (l->configuration == winner) shares.push_back(l->roof_share);
  const auto text = [](double share) {
    return share > 1 ? std::string("in cache") : fmt::format("{:.0f}%", 100 * share);
  };
  const auto [low, high] = std::ranges::minmax(shares);
  if (text(low) == text(high)) return text(low);
  return fmt::format("{} to {}, median {}", text(low), text(high), text(median(shares)));
}

/// The fastest of an operation with its share of the limit, those not told apart from it, and the first that is.
std::vector<Value> winner(const Group& group) {
  const std::vector<Held> ranked = ranking(group);
  const std::string first = ranked.front().configuration->backend.shown();
  std::vector<std::string> equals;
  std::string next = "–";
  for (const Held& held : ranked) {
    if (&held == &ranked.front()) continue;
    const std::string name = held.configuration->backend.shown();
    if (!held.told)
      equals.push_back(name);
    else if (next == "–")
      next = fmt::format("{}, × {:.2f}", name, held.cost.ratio);
  }
  return {with_equals(first, equals.size()), of_limit(group, ranked.front().configuration),
          fmt::format("{}", fmt::join(equals, ", ")), next};
}

}  // namespace

Table best_table(const std::vector<Line>& lines) {
  Table table{"best.csv",
              {{"what", "", Kind::exact, "operation"}, {"through", "", Kind::exact, "bare or own"}}};
  for (const std::string threads : {"fewest", "most"})
    for (const auto& [name, meaning] :
         {std::pair{"use",
                    "backend with the smallest geometric mean of times over all shapes and types, and "
                    "how many are equal"},
          {"limit", "its lowest, highest and median share of the limit, over shapes"},
          {"equals", "those that are not told apart from it, adjusted by Holm"},
          {"next", "the first that is told apart, and its time over the fastest's"}})
      table.columns.push_back({fmt::format("{}_{}", name, threads), "", Kind::sampled, meaning});
  const auto [fewest, most] = ends_of_threads(lines);
  std::map<std::string_view, std::size_t> place;
  for (const Group& g : groups(lines)) {
    const auto [it, is_new] = place.try_emplace(g.operation, table.rows.size());
    if (is_new) {
      std::vector<Value> row(table.columns.size(), std::string());
      row[0] = std::string(operation(g.operation).title);
      row[1] = std::string(to_text(g.through));
      table.add(std::move(row));
    }
    for (const auto& [threads, column] : {std::pair{fewest, 2}, {most, 6}})
      if (g.threads == threads) std::ranges::copy(winner(g), table.rows[it->second].begin() + column);
  }
  return table;
}

}  // namespace perp::bench
