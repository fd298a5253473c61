// The fastest of each operation with its equals.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "bench/answer.hpp"
#include "bench/tables.hpp"
#include "perp/base/error.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

/// The lines of one operation at one number of threads, as far as they were timed.
using Timed = Group<Line>;
std::vector<Timed> by_operation(const std::vector<Line>& lines) {
  return group_by(where(lines, &Line::timed), &Line::operation, &Line::through, &Line::threads);
}

/// The fastest configuration, geometric mean over shapes and types, and the others against it, ascending. Only those
/// that ran every shape: a mean over the cheap ones says something else.
std::vector<Held> ranking(const Timed& timed) {
  struct Sum {
    std::vector<Row> rows;
    double logs = 0;
  };
  std::map<const Configuration*, Sum> sums;
  for (const Line& l : timed) {
    Sum& sum = sums[l.configuration];
    sum.rows.push_back(l.row);
    sum.logs += std::log(l.times.mean);
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

/// "38% to 91%, median 80%", of the shapes; beyond the limit of memory an operand stayed in a cache.
std::string of_limit(const Timed& timed, const Configuration* winner) {
  const std::vector<double> shares =
      Timed(only(timed, &Line::configuration, winner)).values(&Line::roof_share);
  const auto text = [](double share) {
    return share > 1 ? std::string("in cache") : fmt::format("{:.0f}%", 100 * share);
  };
  const auto [low, high] = std::ranges::minmax(shares);
  if (text(low) == text(high)) return text(low);
  return fmt::format("{} to {}, median {}", text(low), text(high), text(median(shares)));
}

/// The fastest of an operation with its share of the limit, those not told apart from it, and the first that is.
struct Winner {
  std::string use, limit, equals, next;
};
Winner winner(const Timed& timed) {
  const std::vector<Held> ranked = ranking(timed);
  const Configuration* first = ranked.front().configuration;
  const std::vector<Held> others(ranked.begin() + 1, ranked.end());
  const auto next = std::ranges::find_if(others, &Held::told);
  const std::vector<Held> equals = where(others, std::not_fn(&Held::told));
  return {with_equals(first->backend.shown(), equals.size()), of_limit(timed, first), names_of(equals),
          next == others.end() ? "–" : fmt::format("{}, × {:.2f}", next->shown(), next->cost.ratio)};
}

}  // namespace

Table best_table(const std::vector<Line>& lines) {
  struct Best {
    std::string what, through;
    Winner fewest, most;
  };
  const auto [fewest, most] = ends_of_threads(lines);
  std::vector<Best> all;
  for (const Timed& timed : by_operation(lines)) {
    const Line& l = timed.front();
    const std::string what(operation(l.row.operation).title);
    auto it = std::ranges::find(all, what, &Best::what);
    if (it == all.end()) it = all.insert(it, {what, l.through(), {}, {}});
    if (l.threads() == fewest) it->fewest = winner(timed);
    if (l.threads() == most) it->most = winner(timed);
  }
  const auto column = [](const char* name, const char* meaning, Winner Best::*end, std::string Winner::*of) {
    return sampled(name, meaning, [=](const Best& best) { return best.*end.*of; });
  };
  constexpr const char *use =
                           "backend with the smallest geometric mean of times over all shapes and types, "
                           "and how many are equal",
                       *limit = "its lowest, highest and median share of the limit, over shapes",
                       *equals = "those that are not told apart from it, adjusted by Holm",
                       *next = "the first that is told apart, and its time over the fastest's";
  return table_of("best.csv", all,
                  {exact("what", "operation", &Best::what), exact("through", "bare or own", &Best::through),
                   column("use_fewest", use, &Best::fewest, &Winner::use),
                   column("limit_fewest", limit, &Best::fewest, &Winner::limit),
                   column("equals_fewest", equals, &Best::fewest, &Winner::equals),
                   column("next_fewest", next, &Best::fewest, &Winner::next),
                   column("use_most", use, &Best::most, &Winner::use),
                   column("limit_most", limit, &Best::most, &Winner::limit),
                   column("equals_most", equals, &Best::most, &Winner::equals),
                   column("next_most", next, &Best::most, &Winner::next)});
}

Table heat_table(const std::vector<Line>& lines) {
  struct Tile {
    std::string operation, backend;
    std::size_t threads, row, column;
    double ratio;
  };
  std::vector<std::string> backends, operations;
  for (const Line& l : lines) place(backends, l.backend());
  std::vector<Tile> tiles;
  for (const Timed& timed : by_operation(lines)) {
    const std::string what = timed.front().operation();
    for (const Held& held : ranking(timed))
      tiles.push_back({what, held.shown(), timed.front().threads(), place(operations, what),
                       place(backends, held.shown()), held.cost.ratio});
  }
  return table_of("heat.csv", tiles,
                  {exact("operation", "operation", &Tile::operation),
                   exact("backend", "backend", &Tile::backend), exact("threads", "threads", &Tile::threads),
                   exact("row", "place of the operation in the picture, from 1", &Tile::row),
                   exact("column", "place of the backend in the picture, from 1", &Tile::column),
                   sampled("ratio", "geometric mean of its time over the fastest's", &Tile::ratio)});
}

}  // namespace perp::bench
