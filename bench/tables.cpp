#include "bench/tables.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "bench/answer.hpp"
#include "perp/base/error.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

Line line_of(const Configuration& c, const Row& row, const Roof& roof) {
  Line line{&c, row, c.checks.at(row.name())};
  line.fma = roof.best_fma(line.type(), c.threads);
  const auto it = c.rounds.find(row.name());
  if (it == c.rounds.end() || it->second.empty()) return line;
  line.times = times_of(it->second);
  line.seconds = median(it->second);
  const Cost cost = row.cost();
  line.rate = cost.counted() / line.seconds;
  line.roof_share = line.rate / roof.of(line.type(), c.threads, cost.operations, cost.bytes);
  return line;
}

/// A table that is read aloud must hold a row.
Table or_none(Table table) {
  if (!table.rows.empty()) return table;
  std::vector<Value> row(table.columns.size(), "");
  row.front() = "none";
  table.add(std::move(row));
  return table;
}

using L = const Line&;
const auto shown = exact("shown", "the same, with what tells it from others of that name", &Line::backend);
const auto operation_of = exact("operation", "what was called", &Line::operation);
const auto type = exact("type", "f32 or f64", &Line::type);
const auto threads = exact("threads", "threads of the library, or of our kernels", &Line::threads);
const auto reason = exact("reason", "why not ok", [](L l) { return l.checked.reason; });

/// The lines of one operation at one number of threads, as far as they were timed.
using Timed = Group<Line>;

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
  if (timed.empty()) return {};
  const std::vector<Held> ranked = ranking(timed);
  const Configuration* first = ranked.front().configuration;
  const std::vector<Held> others(ranked.begin() + 1, ranked.end());
  const auto next = std::ranges::find_if(others, &Held::told);
  const std::vector<Held> equals = where(others, std::not_fn(&Held::told));
  return {with_equals(first->backend.shown(), equals.size()), of_limit(timed, first), names_of(equals),
          next == others.end() ? "–" : fmt::format("{}, × {:.2f}", next->shown(), next->cost.ratio)};
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

std::size_t place(std::vector<std::string>& list, const std::string& name) {
  const auto at = std::ranges::find(list, name) - list.begin();
  if (at == std::ssize(list)) list.push_back(name);
  return static_cast<std::size_t>(at) + 1;
}

Table results_table(const std::vector<Line>& lines) {
  return table_of(
      "results.csv", lines,
      {exact("backend", "library, with the core type it was asked for",
             [](L l) { return l.configuration->backend.label(); }),
       exact("lapack", "as_shipped, alone (the reference LAPACK) or none",
             [](L l) { return l.configuration->backend.lapack(); }),
       operation_of, type,
       exact("shape", "m x n x k, as far as the operation has them", [](L l) { return l.row.shape.text(); }),
       threads,
       sampled("rate", "operations a second, or bytes where nothing is counted", &Line::rate).unit("1/s"),
       sampled("roof_share", "rate over what the machine allows", &Line::roof_share),
       exact("status", "ok, failed or skipped", [](L l) { return l.checked.status; }), reason,
       exact("through", "bare, or own (this library's kernels)", &Line::through),
       sampled("seconds", "a call, median over rounds", &Line::seconds).unit("s"),
       sampled("geometric", "a call, geometric mean over rounds", [](L l) { return l.times.mean; }).unit("s"),
       sampled("spread", "standard deviation over rounds of the logarithm of the time",
               [](L l) { return l.times.spread; }),
       exact("rounds", "rounds", [](L l) { return l.times.rounds; }),
       rounded("error", "error of the result in the units of bound", [](L l) { return l.checked.error; }),
       exact("bound", "what rounding may make of it", [](L l) { return l.checked.bound; }),
       exact("bound_source", "where the bound comes from", [](L l) { return l.checked.source; })});
}

Table status_table(const std::vector<Line>& lines, const std::string& status) {
  return or_none(table_of(
      status + ".csv", where(lines, [&](L l) { return l.checked.status == status; }),
      {shown, threads,
       exact("row", "operation, how it was called, type, shape", [](L l) { return l.row.name(); }), reason}));
}

Table best_table(const std::vector<Line>& lines) {
  struct Best {
    std::string what, through;
    Winner fewest, most;
  };
  const auto [fewest, most] = ends_of_threads(lines);
  std::vector<Best> all;
  for (const Timed& timed : group_by(where(lines, &Line::timed), &Line::operation)) {
    const Row& row = timed.front().row;
    all.push_back({std::string(operation(row.operation).title), timed.front().through(),
                   winner(only(timed, &Line::threads, fewest)), winner(only(timed, &Line::threads, most))});
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
  for (const Timed& timed : group_by(where(lines, &Line::timed), &Line::operation, &Line::threads)) {
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

Table rates_table(const std::vector<Line>& lines) {
  struct Drawn : Line {
    std::size_t place;
  };
  std::vector<Drawn> drawn;
  std::vector<std::string> names;
  for (const Line& l : lines)
    if (l.timed() && l.row.operation.starts_with("gemm")) drawn.push_back({l, place(names, l.backend())});
  return table_of(
      "rates.csv", drawn,
      {shown, operation_of, type, threads, exact("n", "its columns", [](L l) { return l.row.shape.n; }),
       sampled("gflops", "billions of operations a second", [](L l) { return l.rate / 1e9; }).unit("1e9/s"),
       sampled("fma", "the machine's own rate of fused multiply-adds", [](L l) { return l.fma / 1e9; })
           .unit("1e9/s"),
       exact("place", "place of the backend in the picture, from 1", &Drawn::place)});
}

Table roof_table(const Roof& roof) {
  return table_of(
      "roof.csv", roof.limits,
      {exact("limit", "fma, copy, read or write", &Limit::kind),
       exact("type", "type of the lanes", &Limit::type), exact("bits", "bits of a vector", &Limit::bits),
       exact("threads", "threads", &Limit::threads),
       sampled("rate", "operations or bytes a second, best of five", &Limit::rate).unit("1/s")});
}

Table loaded_table(const std::vector<Configuration>& all) {
  using C = const Configuration&;
  const double most_threads = most(all, &Configuration::threads);
  return table_of("loaded.csv", all,
                  {exact("backend", "backend", [](C c) { return c.backend.shown(); }),
                   exact("lapack", "as_shipped, alone or none", [](C c) { return c.backend.lapack(); }),
                   exact("threads", "threads it was told to use", &Configuration::threads),
                   exact("all", "1 for the most threads, else 0",
                         [=](C c) { return static_cast<double>(c.threads) == most_threads; }),
                   exact("picked", "1 for the library's own pick of kernels, else 0",
                         [](C c) { return c.backend.kernels.core.empty(); }),
                   exact("library_threads", "threads it says it uses, 0 if it says nothing",
                         [](C c) { return c.loaded.threads; }),
                   exact("library", "what the library says it is", [](C c) { return c.loaded.name; }),
                   exact("version", "its version", [](C c) { return c.loaded.version; }),
                   exact("kernel", "the kernels it chose", [](C c) { return c.loaded.kernel; }),
                   exact("path", "the file that answered for BLAS", [](C c) { return c.loaded.path; }),
                   exact("lapack_path", "and for LAPACK", [](C c) { return c.loaded.lapack_path; })});
}

Table missing_table(const std::vector<std::string>& missing) {
  return or_none(
      table_of("missing.csv", missing,
               {exact("backend", "not found here, and where it comes from; or why it could not be measured",
                      [](const std::string& name) { return name; })}));
}

Table machine_table(const Sheet& sheet) {
  using Entry = Sheet::value_type;
  return table_of("machine.csv", sheet,
                  {exact("what", "what", &Entry::first), exact("value", "its value here", &Entry::second)});
}

Table processor_table(const Sheet& sheet) {
  const auto of_entry = [](const char* name, const char* what) {
    return exact(name, what, [what](const Sheet& all) { return entry(all, what); });
  };
  return table_of("processor.csv", std::vector<Sheet>{sheet},
                  {of_entry("processor", "processor"), of_entry("identity", identity_entry),
                   of_entry("cores", "logical processors this process may use"),
                   of_entry("vectors", "bits of its widest vectors"),
                   of_entry("caches", "caches of the first core"), of_entry("hypervisor", "hypervisor")});
}

}  // namespace perp::bench
