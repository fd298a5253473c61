#include "bench/tables.hpp"

#include <algorithm>
#include <cmath>

#include "bench/best.hpp"
#include "perp/base/error.hpp"

namespace perp::bench {
namespace {

Value text(std::string_view v) { return std::string(v); }

/// A table that is read aloud must hold a row.
Table or_none(Table table) {
  if (table.rows.empty()) {
    std::vector<Value> row(table.columns.size(), "");
    row.front() = "none";
    table.add(std::move(row));
  }
  return table;
}

/// A column, and what a line has in it.
struct LineColumn {
  Column column;
  Value (*of)(const Line& line);
};
using L = const Line&;
Value if_timed(L l, double value) { return l.timed() ? value : std::nan(""); }
const std::vector<LineColumn>& line_columns() {
  using K = Kind;
  static const std::vector<LineColumn> all{
      {{"backend", "", K::exact, "library, with the core type it was asked for"},
       [](L l) -> Value { return l.configuration->backend.label(); }},
      {{"shown", "", K::exact, "the same, with what tells it from others of that name"},
       [](L l) -> Value { return l.backend(); }},
      {{"lapack", "", K::exact, "as_shipped, alone (the reference LAPACK) or none"},
       [](L l) { return text(l.configuration->backend.lapack()); }},
      {{"operation", "", K::exact, "what was called"}, [](L l) { return text(l.row.operation); }},
      {{"type", "", K::exact, "f32 or f64"}, [](L l) -> Value { return l.type(); }},
      {{"shape", "", K::exact, "m x n x k, as far as the operation has them"},
       [](L l) -> Value { return l.row.shape.text(); }},
      {{"n", "1", K::exact, "its columns"}, [](L l) { return whole(l.row.shape.n); }},
      {{"threads", "1", K::exact, "threads of the library, or of our kernels"},
       [](L l) { return whole(l.threads()); }},
      {{"rate", "1/s", K::sampled, "operations a second, or bytes where nothing is counted"},
       [](L l) { return if_timed(l, l.rate); }},
      {{"gflops", "1e9/s", K::sampled, "billions of operations a second"},
       [](L l) { return if_timed(l, l.rate / 1e9); }},
      {{"fma", "1e9/s", K::sampled, "the machine's own rate of fused multiply-adds"},
       [](L l) -> Value { return l.fma / 1e9; }},
      {{"roof_share", "1", K::sampled, "rate over what the machine allows"},
       [](L l) { return if_timed(l, l.roof_share); }},
      {{"status", "", K::exact, "ok, failed or skipped"}, [](L l) { return text(l.checked.status); }},
      {{"reason", "", K::exact, "why not ok"}, [](L l) { return text(l.checked.reason); }},
      {{"through", "", K::exact, "bare, or own (this library's kernels)"},
       [](L l) { return text(to_text(l.row.through)); }},
      {{"row", "", K::exact, "operation, how it was called, type, shape"},
       [](L l) -> Value { return l.row.name(); }},
      {{"seconds", "s", K::sampled, "a call, median over rounds"},
       [](L l) { return if_timed(l, l.seconds); }},
      {{"geometric", "s", K::sampled, "a call, geometric mean over rounds"},
       [](L l) -> Value { return l.times.mean; }},
      {{"spread", "1", K::sampled, "standard deviation over rounds of the logarithm of the time"},
       [](L l) -> Value { return l.times.spread; }},
      {{"rounds", "1", K::exact, "rounds"}, [](L l) { return whole(l.times.rounds); }},
      {{"error", "1", K::rounded, "error of the result in the units of bound"},
       [](L l) -> Value { return l.checked.error; }},
      {{"bound", "1", K::exact, "what rounding may make of it"},
       [](L l) -> Value { return l.checked.bound; }},
      {{"bound_source", "", K::exact, "where the bound comes from"},
       [](L l) { return text(l.checked.source); }}};
  return all;
}

/// The named columns of those lines that are `wanted`.
template <class Wanted>
Table table_of(const std::string& file, const std::vector<std::string_view>& names,
               const std::vector<Line>& lines, const Wanted& wanted) {
  Table table{file, std::vector<Column>{}};
  std::vector<Value (*)(const Line&)> getters;
  for (const std::string_view name : names) {
    const auto it =
        std::ranges::find_if(line_columns(), [&](const LineColumn& c) { return c.column.name == name; });
    require(it != line_columns().end(), "{}: no column {}", file, name);
    table.columns.push_back(it->column);
    getters.push_back(it->of);
  }
  for (const Line& line : lines) {
    if (!wanted(line)) continue;
    std::vector<Value> row;
    for (const auto& of : getters) row.push_back(of(line));
    table.add(std::move(row));
  }
  return table;
}

/// Place of a name in a list that grows, from 1.
Value place(std::vector<std::string>& list, const std::string& name) {
  const auto it = std::ranges::find(list, name);
  const auto at = it - list.begin();
  if (it == list.end()) list.push_back(name);
  return whole(static_cast<std::size_t>(at) + 1);
}

}  // namespace

Table results_table(const std::vector<Line>& lines) {
  return table_of(
      "results.csv",
      {"backend", "lapack", "operation", "type", "shape", "threads", "rate", "roof_share", "status", "reason",
       "through", "seconds", "geometric", "spread", "rounds", "error", "bound", "bound_source"},
      lines, [](const Line&) { return true; });
}

Table status_table(const std::vector<Line>& lines, std::string_view status) {
  return or_none(table_of(fmt::format("{}.csv", status), {"shown", "threads", "row", "reason"}, lines,
                          [&](const Line& l) { return l.checked.status == status; }));
}

Table rates_table(const std::vector<Line>& lines) {
  Table table = table_of("rates.csv", {"shown", "operation", "type", "threads", "n", "gflops", "fma"}, lines,
                         [](const Line& l) { return l.timed() && l.row.operation.starts_with("gemm"); });
  table.columns.push_back({"place", "1", Kind::exact, "place of the backend in the picture, from 1"});
  std::vector<std::string> names;
  for (std::vector<Value>& row : table.rows) row.push_back(place(names, perp::to_text(row.front())));
  return table;
}

Table heat_table(const std::vector<Line>& lines) {
  Table table{"heat.csv",
              {{"operation", "", Kind::exact, "operation"},
               {"backend", "", Kind::exact, "backend"},
               {"threads", "1", Kind::exact, "threads"},
               {"row", "1", Kind::exact, "place of the operation in the picture, from 1"},
               {"column", "1", Kind::exact, "place of the backend in the picture, from 1"},
               {"ratio", "1", Kind::sampled, "geometric mean of its time over the fastest's"}},
              {}};
  std::vector<std::string> backends, operations;
  for (const Line& l : lines) place(backends, l.backend());
  for (const Group& g : groups(lines)) {
    const Value row = place(operations, std::string(g.operation));
    for (const Held& held : ranking(g)) {
      const std::string backend = held.configuration->backend.shown();
      table.add(
          {text(g.operation), backend, whole(g.threads), row, place(backends, backend), held.cost.ratio});
    }
  }
  return table;
}

Table roof_table(const Roof& roof) {
  Table table{"roof.csv",
              {{"limit", "", Kind::exact, "fma, copy, read or write"},
               {"type", "", Kind::exact, "type of the lanes"},
               {"bits", "1", Kind::exact, "bits of a vector"},
               {"threads", "1", Kind::exact, "threads"},
               {"rate", "1/s", Kind::sampled, "operations or bytes a second, best of five"}},
              {}};
  for (const Limit& l : roof.limits) table.add({l.kind, l.type, whole(l.bits), whole(l.threads), l.rate});
  return table;
}

Table loaded_table(const std::vector<Configuration>& all) {
  Table table{"loaded.csv",
              {{"backend", "", Kind::exact, "backend"},
               {"lapack", "", Kind::exact, "as_shipped, alone or none"},
               {"threads", "1", Kind::exact, "threads it was told to use"},
               {"all", "1", Kind::exact, "1 for the most threads, else 0"},
               {"picked", "1", Kind::exact, "1 for the library's own pick of kernels, else 0"},
               {"library_threads", "1", Kind::exact, "threads it says it uses, 0 if it says nothing"},
               {"library", "", Kind::exact, "what the library says it is"},
               {"version", "", Kind::exact, "its version"},
               {"kernel", "", Kind::exact, "the kernels it chose"},
               {"path", "", Kind::exact, "the file that answered for BLAS"},
               {"lapack_path", "", Kind::exact, "and for LAPACK"}},
              {}};
  std::size_t most = 0;
  for (const Configuration& c : all) most = std::max(most, c.threads);
  for (const Configuration& c : all)
    table.add({c.backend.shown(), text(c.backend.lapack()), whole(c.threads), whole(c.threads == most),
               whole(c.backend.core.empty()), whole(c.loaded.threads), c.loaded.name, c.loaded.version,
               c.loaded.kernel, c.loaded.path, c.loaded.lapack_path});
  return table;
}

Table missing_table(const std::vector<std::string>& missing) {
  Table table{"missing.csv", {{"backend", "", Kind::exact, "not found here, and where it comes from"}}, {}};
  for (const std::string& name : missing) table.add({name});
  return or_none(std::move(table));
}

Table machine_table(const Sheet& sheet) {
  Table table{
      "machine.csv", {{"what", "", Kind::exact, "what"}, {"value", "", Kind::exact, "its value here"}}, {}};
  for (const auto& [what, value] : sheet) table.add({what, value});
  return table;
}

Table processor_table(const Sheet& sheet) {
  Table table{"processor.csv", {}};
  std::vector<Value> row;
  for (const auto& [name, what] : {std::pair{"processor", "processor"},
                                   {"identity", identity_entry},
                                   {"cores", "logical processors this process may use"},
                                   {"vectors", "bits of its widest vectors"},
                                   {"caches", "caches of the first core"},
                                   {"hypervisor", "hypervisor"}}) {
    table.columns.push_back({name, "", Kind::exact, what});
    row.emplace_back(entry(sheet, what));
  }
  table.add(std::move(row));
  return table;
}

}  // namespace perp::bench
