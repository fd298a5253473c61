#include "bench/tables.hpp"

#include <algorithm>

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
                         [](C c) { return c.backend.core.empty(); }),
                   exact("library_threads", "threads it says it uses, 0 if it says nothing",
                         [](C c) { return c.loaded.threads; }),
                   exact("library", "what the library says it is", [](C c) { return c.loaded.name; }),
                   exact("version", "its version", [](C c) { return c.loaded.version; }),
                   exact("kernel", "the kernels it chose", [](C c) { return c.loaded.kernel; }),
                   exact("path", "the file that answered for BLAS", [](C c) { return c.loaded.path; }),
                   exact("lapack_path", "and for LAPACK", [](C c) { return c.loaded.lapack_path; })});
}

Table missing_table(const std::vector<std::string>& missing) {
  return or_none(table_of("missing.csv", missing,
                          {exact("backend", "not found here, and where it comes from",
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
