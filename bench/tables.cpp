#include "bench/tables.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "perp/base/error.hpp"

namespace perp::bench {
namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

Value text(std::string_view v) { return std::string(v); }
/// A table that is read aloud must hold a row.
Table or_none(Table table) {
  if (table.rows.empty()) {
    std::vector<Value> row(table.columns.size(), text(""));
    row.front() = text("none");
    table.add(std::move(row));
  }
  return table;
}

}  // namespace

namespace {

/// A column of results.csv and where a line has its value.
struct ResultColumn {
  Column column;
  Value (*of)(const ComparisonRow& line);
};

const Loaded& loaded(const ComparisonRow& l) { return l.configuration->loaded; }
Value if_timed(const ComparisonRow& l, double value) { return timed(l) ? value : absent; }
Value if_held(const ComparisonRow& l, double value) { return l.verdict.empty() ? absent : value; }
Times times(const ComparisonRow& l) {
  return timed(l) ? times_of(l.configuration->rounds.at(l.row.name())) : Times{absent, absent, 0};
}

using L = const ComparisonRow&;
const std::vector<ResultColumn>& result_columns() {
  using K = Kind;
  constexpr const char* students = "its 95% interval by Student's t";
  static const std::vector<ResultColumn> all{
      {{"backend", "", K::exact, "which library was loaded"},
       [](L l) { return text(l.configuration->backend.label()); }},
      {{"lapack", "", K::exact, "as_shipped, alone (the reference LAPACK) or none"},
       [](L l) { return text(l.configuration->backend.lapack()); }},
      {{"operation", "", K::exact, "what was called"}, [](L l) { return text(l.row.operation); }},
      {{"type", "", K::exact, "f32 or f64"}, [](L l) { return text(l.type()); }},
      {{"shape", "", K::exact, "m x n x k, as far as the operation has them"},
       [](L l) { return text(l.row.shape.text()); }},
      {{"threads", "1", K::exact, "threads of the library, or of our kernels"},
       [](L l) -> Value { return whole(l.threads()); }},
      {{"rate", "1/s", K::sampled, "operations a second, or bytes where nothing is counted"},
       [](L l) { return if_timed(l, l.rate); }},
      {{"roof_share", "1", K::sampled, "rate over what the machine allows"},
       [](L l) { return if_timed(l, l.roof_share); }},
      {{"status", "", K::exact, "ok, failed or skipped"}, [](L l) { return text(l.checked.status); }},
      {{"reason", "", K::exact, "why not ok"}, [](L l) { return text(l.checked.reason); }},
      {{"through", "", K::exact, "bare, or own (this library's kernels)"},
       [](L l) { return text(to_text(l.row.through)); }},
      {{"seconds", "s", K::sampled, "a call, median over rounds"},
       [](L l) { return if_timed(l, l.seconds); }},
      {{"noise", "1", K::sampled, "median absolute deviation over rounds / median"},
       [](L l) { return if_timed(l, l.noise); }},
      {{"ratio", "1", K::sampled, "time over that of the fastest, paired by round", "ratio_low",
        "ratio_high"},
       [](L l) { return if_timed(l, l.ratio); }},
      {{"ratio_low", "1", K::sampled, ratio_low_meaning}, [](L l) { return if_timed(l, l.ratio_low); }},
      {{"ratio_high", "1", K::sampled, ratio_high_meaning}, [](L l) { return if_timed(l, l.ratio_high); }},
      {{"rounds", "1", K::exact, "rounds"}, [](L l) -> Value { return whole(times(l).rounds); }},
      {{"error", "1", K::rounded, "error of the result in the units of bound"},
       [](L l) -> Value { return l.checked.error; }},
      {{"bound", "1", K::exact, "what rounding may make of it"},
       [](L l) -> Value { return l.checked.bound; }},
      {{"bound_source", "", K::exact, "where the bound comes from"},
       [](L l) { return text(l.checked.source); }},
      {{"library", "", K::exact, "the library's own name"}, [](L l) { return text(loaded(l).name); }},
      {{"version", "", K::exact, "the library's own word"}, [](L l) { return text(loaded(l).version); }},
      {{"kernel", "", K::exact, "the kernels it chose"}, [](L l) { return text(loaded(l).kernel); }},
      {{"library_threads", "1", K::exact, "threads the library says it uses, 0 if it says nothing"},
       [](L l) -> Value { return whole(l.row.through == Through::own ? 1 : loaded(l).threads); }},
      {{"path", "", K::exact, "the file that answered for BLAS"}, [](L l) { return text(loaded(l).path); }},
      {{"lapack_path", "", K::exact, "the file that answered for LAPACK"},
       [](L l) { return text(loaded(l).lapack_path); }},
      {{"geometric", "s", K::sampled, "a call, geometric mean over rounds"},
       [](L l) -> Value { return times(l).mean; }},
      {{"spread", "1", K::sampled, "standard deviation over rounds of the logarithm of the time"},
       [](L l) -> Value { return times(l).spread; }},
      {{"against", "1", K::sampled, "time over that of the baseline, paired by round, geometric mean",
        "against_low", "against_high"},
       [](L l) { return if_held(l, l.against.ratio); }},
      {{"against_low", "1", K::sampled, students}, [](L l) { return if_held(l, l.against.low); }},
      {{"against_high", "1", K::sampled, students}, [](L l) { return if_held(l, l.against.high); }},
      {{"verdict", "", K::sampled,
        "faster or slower than the baseline or not told apart, adjusted for the rows by Holm"},
       [](L l) { return text(l.verdict); }},
      {{"detectable", "1", K::sampled,
        "smallest ratio that would be told apart with probability .8 at Holm's strictest level"},
       [](L l) { return if_held(l, l.detectable); }}};
  return all;
}

}  // namespace

Table results_table(const std::vector<ComparisonRow>& lines) {
  Table table{"results.csv", {}};
  for (const ResultColumn& c : result_columns()) table.columns.push_back(c.column);
  for (const ComparisonRow& l : lines) {
    std::vector<Value> row;
    for (const ResultColumn& c : result_columns()) row.push_back(c.of(l));
    table.add(std::move(row));
  }
  return table;
}

Table failed_table(const std::vector<ComparisonRow>& lines) {
  Table table{"failed.csv",
              {{"backend", "", Kind::exact, "backend"},
               {"threads", "1", Kind::exact, "threads"},
               {"row", "", Kind::exact, "operation, how it was called, type, shape"},
               {"reason", "", Kind::exact, "its error and the bound"}},
              {}};
  for (const ComparisonRow& l : lines)
    if (l.checked.status == "failed")
      table.add({text(l.backend()), whole(l.threads()), text(l.row.name()), text(l.checked.reason)});
  return or_none(std::move(table));
}

Table skipped_table(const std::vector<ComparisonRow>& lines) {
  Table table{"skipped.csv",
              {{"row", "", Kind::exact, "operation, how it was called, type, shape"},
               {"threads", "1", Kind::exact, "threads"},
               {"count", "1", Kind::exact, "how many configurations skipped it"},
               {"backends", "", Kind::exact, "which, and why"}},
              {}};
  std::map<std::pair<std::string, std::size_t>, std::size_t> place;
  for (const ComparisonRow& l : lines) {
    if (l.checked.status != "skipped") continue;
    const std::string who = fmt::format("{}: {}", l.backend(), l.checked.reason);
    const auto [it, is_new] = place.try_emplace({l.row.name(), l.threads()}, table.rows.size());
    if (is_new) {
      table.add({text(l.row.name()), whole(l.threads()), whole(1), text(who)});
    } else {
      std::vector<Value>& row = table.rows[it->second];
      row[2] = whole(static_cast<std::size_t>(to_number(row[2])) + 1);
      row[3] = fmt::format("{}; {}", perp::to_text(row[3]), who);
    }
  }
  return or_none(std::move(table));
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
