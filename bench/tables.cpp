#include "bench/tables.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "perp/base/error.hpp"
#include "perp/statistics/order.hpp"

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

Table results_table(const std::vector<ComparisonRow>& lines) {
  Table table{
      "results.csv",
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
       {"ratio_low", "1", Kind::sampled, ratio_low_meaning},
       {"ratio_high", "1", Kind::sampled, ratio_high_meaning},
       {"rounds", "1", Kind::exact, "rounds"},
       {"error", "1", Kind::rounded, "error of the result in the units of bound"},
       {"bound", "1", Kind::exact, "what rounding may make of it"},
       {"bound_source", "", Kind::exact, "where the bound comes from"},
       {"library", "", Kind::exact, "the library's own name"},
       {"version", "", Kind::exact, "the library's own word"},
       {"kernel", "", Kind::exact, "the kernels it chose"},
       {"library_threads", "1", Kind::exact, "threads the library says it uses, 0 if it says nothing"},
       {"path", "", Kind::exact, "the file that answered for BLAS"},
       {"lapack_path", "", Kind::exact, "the file that answered for LAPACK"},
       {"geometric", "s", Kind::sampled, "a call, geometric mean over rounds"},
       {"spread", "1", Kind::sampled, "standard deviation over rounds of the logarithm of the time"},
       {"against", "1", Kind::sampled, "time over that of the baseline, paired by round, geometric mean",
        "against_low", "against_high"},
       {"against_low", "1", Kind::sampled, "its 95% interval by Student's t"},
       {"against_high", "1", Kind::sampled, "its 95% interval by Student's t"},
       {"verdict", "", Kind::sampled,
        "faster or slower than the baseline or not told apart, adjusted for the rows by Holm"},
       {"detectable", "1", Kind::sampled,
        "smallest ratio that would be told apart with probability .8 at Holm's strictest level"}},
      {}};
  for (const ComparisonRow& l : lines) {
    const Configuration& c = *l.configuration;
    const bool t = timed(l);
    const Times times = t ? times_of(c.rounds.at(l.row.name())) : Times{absent, absent, 0};
    const std::size_t rounds = times.rounds;
    const bool held = !l.verdict.empty();
    table.add({text(c.backend.label()),
               text(c.backend.lapack()),
               text(l.row.operation),
               text(l.type()),
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
               text(l.checked.source),
               text(c.loaded.name),
               text(c.loaded.version),
               text(c.loaded.kernel),
               whole(l.row.through == Through::own ? 1 : c.loaded.threads),
               text(c.loaded.path),
               text(c.loaded.lapack_path),
               times.mean,
               times.spread,
               held ? l.against.ratio : absent,
               held ? l.against.low : absent,
               held ? l.against.high : absent,
               text(l.verdict),
               held ? l.detectable : absent});
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
               {"backends", "", Kind::exact, "which backends skipped it, and why"}},
              {}};
  for (const ComparisonRow& l : lines) {
    if (l.checked.status != "skipped") continue;
    const std::string who = fmt::format("{}: {}", l.backend(), l.checked.reason);
    const auto same = [&](const std::vector<Value>& row) {
      return perp::to_text(row[0]) == l.row.name() && to_number(row[1]) == static_cast<double>(l.threads());
    };
    const auto it = std::find_if(table.rows.begin(), table.rows.end(), same);
    if (it == table.rows.end())
      table.add({text(l.row.name()), whole(l.threads()), text(who)});
    else
      (*it)[2] = fmt::format("{}; {}", perp::to_text((*it)[2]), who);
  }
  return or_none(std::move(table));
}

Table noise_table(const std::vector<ComparisonRow>& lines) {
  Table table{"noise.csv",
              {{"backend", "", Kind::exact, "backend"},
               {"threads", "1", Kind::exact, "threads"},
               {"rows", "1", Kind::exact, "rows timed"},
               {"median", "1", Kind::sampled, "median over rows of the noise"},
               {"worst", "1", Kind::sampled, "nine rows in ten have less noise than this"}},
              {}};
  std::vector<const Configuration*> order;
  std::map<const Configuration*, std::vector<double>> noise;
  for (const ComparisonRow& l : lines) {
    if (!timed(l)) continue;
    if (!noise.contains(l.configuration)) order.push_back(l.configuration);
    noise[l.configuration].push_back(l.noise);
  }
  for (const Configuration* c : order)
    table.add({text(c->backend.shown()), whole(c->threads), whole(noise[c].size()), median(noise[c]),
               quantile(noise[c], 0.9)});
  return table;
}

Table loaded_table(const std::vector<Configuration>& all) {
  Table table{"loaded.csv",
              {{"backend", "", Kind::exact, "backend"},
               {"lapack", "", Kind::exact, "as_shipped, alone or none"},
               {"threads", "1", Kind::exact, "threads it was told to use"},
               {"all", "1", Kind::exact, "1 for the most threads, else 0"},
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
               whole(c.loaded.threads), c.loaded.name, c.loaded.version, c.loaded.kernel, c.loaded.path,
               c.loaded.lapack_path});
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

}  // namespace perp::bench
