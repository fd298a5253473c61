#include "bench/tables.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/answer.hpp"
#include "bench/verdict.hpp"
#include "perp/base/error.hpp"
#include "perp/base/kernels.hpp"
#include "perp/io/file.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/statistics/spread.hpp"
#include "perp/study/experiment.hpp"

namespace perp::bench {

std::string_view toml_of(std::string_view claim);  // built in, from b1.toml

namespace {

namespace fs = std::filesystem;

std::string yes(bool is_so) { return is_so ? "yes" : "no"; }

/// A share of counts with Wilson's interval.
Estimate share_of(std::size_t hits, std::size_t n) {
  const Interval interval = wilson(hits, n, 1 - false_alarms);
  return {static_cast<double>(hits) / static_cast<double>(n), interval.low, interval.high, interval.level};
}

void add_row(const Configuration& c, const Row& row, const Checked& checked, const Roof& roof, Out& out) {
  const auto timed = c.rounds.find(row.name());
  const std::vector<double> seconds = timed == c.rounds.end() ? std::vector<double>{} : timed->second;
  const Times times = times_of(seconds);
  const auto [operations, bytes] = row.cost();
  const std::string type(to_text(row.type));
  const double middle = seconds.empty() ? NAN : median(seconds), rate = operations / middle;
  out("results", {{"backend", c.backend.shown()},
                  {"lapack", c.backend.lapack()},
                  {"operation", std::string(row.operation)},
                  {"type", type},
                  {"shape", row.shape.text()},
                  {"threads", c.threads},
                  {"rate", rate},
                  {"roof_share", rate / roof.of(type, c.threads, operations, bytes)},
                  {"status", checked.status},
                  {"reason", checked.reason},
                  {"through", "bare"},
                  {"seconds", middle},
                  {"geometric", times.mean},
                  {"spread", times.spread},
                  {"rounds", times.rounds},
                  {"error", checked.error},
                  {"bound", checked.bound},
                  {"bound_source", checked.source}});
}

std::string names_of(const std::vector<Held>& list) {
  std::vector<std::string> names;
  for (const Held& held : list) names.push_back(held.configuration->backend.shown());
  return fmt::format("{}", fmt::join(names, ", "));
}

void add_answer(const Answer& a, const std::string& at, const std::string& own, Out& out) {
  const auto add = [&](const char* kind, const Configuration& c, const std::string& best,
                       const Contrast& cost, const std::string& act) {
    out("answer", {{"kind", kind},
                   {"at", at},
                   {"threads", c.threads},
                   {"backend", c.backend.shown()},
                   {"kernel", c.loaded.kernel},
                   {"best", best},
                   {"equal", a.equals.size()},
                   {"equals", names_of(a.equals)},
                   {"takes", cost.estimate()},
                   {"told", yes(cost.told())},
                   {"act", act},
                   {"what", a.what()},
                   {"rounds", std::max<std::size_t>(1, cost.rounds)}});
  };
  add("default", *a.usual, a.best->backend.shown(), a.cost, a.act());
  for (const Held& held : a.overall)
    if (const Backend& b = held.configuration->backend;
        !own.empty() && b.name == a.usual->backend.name && same_core(b.kernels.core, own))
      add("own", *held.configuration, a.usual->backend.shown(), held.cost, "nothing");
}

/// By operation every library as it picks its kernels, and the answer's best, over the fastest of all configurations. Told
/// apart: from the default; the default itself from the fastest. A place in the picture has what a user would notice.
void add_operations(const Answer& a, const std::string& at, Out& out) {
  std::size_t places = 0;
  for (const Operation& o : operations()) {
    std::vector<Held> family = a.operations;
    std::erase_if(family, [&](const Held& held) { return held.operation != o.name; });
    if (family.empty()) continue;
    const bool differs = std::ranges::any_of(family, [](const Held& held) {
      return held.cost.told() && std::abs(std::log(held.cost.ratio)) >= std::log(noticed);
    });
    const Held& fastest =
        *std::ranges::min_element(family, {}, [](const Held& held) { return held.cost.ratio; });
    const auto add = [&, place = differs ? ++places : 0](const Configuration& c, double ratio, bool told) {
      if (&c != a.best && !c.backend.kernels.core.empty()) return;
      out("operations", {{"operation", std::string(o.name)},
                         {"title", std::string(o.title)},
                         {"at", at},
                         {"threads", c.threads},
                         {"backend", c.backend.shown()},
                         {"place", place},
                         {"ratio", ratio / std::min(1.0, fastest.cost.ratio)},
                         {"told", yes(told)}});
    };
    add(*a.usual, 1, fastest.cost.ratio < 1 && fastest.cost.told());
    for (const Held& held : family) add(*held.configuration, held.cost.ratio, held.cost.told());
  }
}

void add_configuration(const Configuration& c, std::size_t most_threads, Out& out) {
  const Loaded& l = c.loaded;
  out("loaded", {{"backend", c.backend.shown()},
                 {"lapack", c.backend.lapack()},
                 {"threads", c.threads},
                 {"all", c.threads == most_threads ? 1 : 0},
                 {"picked", c.backend.kernels.core.empty() ? 1 : 0},
                 {"library_threads", l.threads},
                 {"library", l.name},
                 {"version", l.version},
                 {"kernel", l.kernel},
                 {"path", l.path},
                 {"lapack_path", l.lapack_path}});
  if (!c.fault.empty()) out("missing", {{"backend", fmt::format("{}: {}", c.name(), c.fault)}});
}

void add_tables(const Measured& m, Out& out) {
  const std::vector<Row> rows = all_rows(m.plan.quick);
  for (const Row& row : rows)
    for (const Configuration& c : m.configurations)
      if (const auto checked = c.checks.find(row.name()); checked != c.checks.end())
        add_row(c, row, checked->second, m.roof, out);
  const std::vector<Answer> answers = answers_of(m.configurations, rows, m.baseline);
  for (const Answer& a : answers) {
    const std::string at = &a == &answers.back() ? "most" : "fewest";
    add_answer(a, at, m.own, out);
    add_operations(a, at, out);
  }
  for (const std::string& name : m.missing) out("missing", {{"backend", name}});
  const auto most = std::ranges::max_element(m.configurations, {}, &Configuration::threads);
  for (const Configuration& c : m.configurations) add_configuration(c, most->threads, out);
  for (const Limit& l : m.roof.limits)
    out("roof",
        {{"limit", l.kind}, {"type", l.type}, {"bits", l.bits}, {"threads", l.threads}, {"rate", l.rate}});
  for (const auto& [what, value] : m.sheet) out("machine", {{"what", what}, {"value", value}});
  for (const Calibrated& c : m.calibration)
    out("calibration", {{"row", c.row}, {"comparisons", c.comparisons}, {"different", c.different}});
}

Frame frame(const Frames& frames, const char* name) { return frames.has(name) ? frames[name] : Frame(name); }

/// Absent where there was nothing to take the most of.
double finite(double value) { return std::isfinite(value) ? value : NAN; }

/// What follows from tables, measured now or read back.
void follow(const Frames& m, Out& out) {
  const Frame results = frame(m, "results"), roof = frame(m, "roof"), operations = frame(m, "operations"),
              calibration = frame(m, "calibration");
  std::set<std::string> backends;
  std::vector<double> spreads;
  for (const perp::Row& row : results) {
    backends.insert(row.text("backend").substr(0, row.text("backend").find('/')));
    if (const double spread = row.number("spread"); !std::isnan(spread)) spreads.push_back(spread);
  }
  out("counts", {{"rows", results.size()},
                 {"failed", results.where("status", "failed").size()},
                 {"skipped", results.where("status", "skipped").size()},
                 {"backends", backends.size()},
                 {"rounds", std::max(0.0, results.most("rounds"))},
                 {"noise", spreads.empty() ? NAN : median(spreads)}});
  for (const auto& [at, threads] :
       {std::pair{"fewest", results.least("threads")}, {"most", results.most("threads")}}) {
    const auto here = [threads = threads](const perp::Row& row) { return row.number("threads") == threads; };
    const Frame of = operations.where("at", at),
                squares = results.where("operation", "gemm").where("type", "f32").where(here);
    const Frame usual = frame(m, "answer").where("kind", "default").where("at", at);
    const auto is_slower = [&](const perp::Row& row) {
      return row.text("backend") == usual.front().text("backend") && row.text("told") == "yes" &&
             row.number("ratio") >= noticed;
    };
    out("ends", {{"at", at},
                 {"threads", finite(threads)},
                 {"slower", of.empty() ? NAN : static_cast<double>(of.where(is_slower).size())},
                 {"operations", std::max<std::size_t>(1, of.by("operation").size())},
                 {"bandwidth", finite(roof.where("type", "").where(here).most("rate") / 1e9)},
                 {"fma", finite(roof.where("type", "f32").where(here).most("rate") / 1e9)},
                 {"gemm", finite(squares.most("roof_share"))}});
  }
  if (!calibration.empty()) {
    const auto n = static_cast<std::size_t>(calibration.sum("comparisons"));
    out("alarms",
        {{"share", share_of(static_cast<std::size_t>(calibration.sum("different")), n)}, {"comparisons", n}});
  }
  if (const Frame wrong = results.where("status", "failed"); !wrong.empty())
    out("wrong", {{"rows", wrong.size()}});
  if (const Frame processors = frame(m, "processors"); processors.size() > 1)
    out("others", {{"processors", processors.size() - 1}});
  if (const Frame peers = frame(m, "peers"); !peers.empty())
    out("peered", {{"peers", peers.by("peer").size()}});
  constexpr std::size_t benches = 200;
  for (const Planted& p : planted()) {
    std::size_t called = 0;
    for (std::uint64_t draw = 0; draw < benches; ++draw) called += is_called(p, draw);
    out("planted", {{"planted", std::string(p.name)},
                    {"asked", p.by_operation ? "of one operation" : "of all together"},
                    {"factor", p.factor},
                    {"benches", benches},
                    {"called", share_of(called, benches)}});
  }
}

std::string of_machine(const Frames& m, const char* what) {
  const Frame rows = frame(m, "machine").where("what", what);
  return rows.empty() ? "not shown" : rows.front().text("value");
}
std::string library_of(const Frames& m, const std::string& backend) {
  const perp::Row loaded = m["loaded"].where("backend", backend).front();
  return fmt::format("{} {}", loaded.text("library"), loaded.text("version"));
}

/// What the page's sentences name.
Coordinates names_from(const Frames& m) {
  Coordinates names;
  for (const char* what : {"processor", "system"}) names.emplace_back(what, of_machine(m, what));
  for (const perp::Row& row : frame(m, "answer").where("kind", "default").where("at", "most")) {
    for (const char* field : {"backend", "kernel", "best", "what"})
      names.emplace_back(field, row.text(field));
    names.emplace_back("library", library_of(m, row.text("backend")));
  }
  for (const perp::Row& row : frame(m, "answer").where("kind", "own").where("at", "most"))
    names.emplace_back("own", row.text("kernel"));
  return names;
}

Experiment claim_b1() {
  Experiment claim("B1", toml_of("b1"));
  claim.fold(follow);
  return claim;
}

Results results_of(const Frames& frames) {
  const Experiment described = claim_b1();
  Results results{"bench", "", 1, names_from(frames), {}, {}, {}, {}};
  for (const perp::Row& row : frame(frames, "machine").where("what", "preset"))
    results.preset = row.text("value");
  Outcome outcome = described.conclude(frames);
  Claim claim{
      "B1",         described.statement, described.source, "B1", judge(outcome.findings, outcome.rule),
      outcome.rule, {"B1.failed"}};  // the page need not print the others
  for (Finding& f : outcome.findings)
    if (f.low) f.level = 1 - false_alarms;  // a table read back does not say it
  for (Table& table : outcome.tables) table.file.erase(0, std::string_view("b1_").size());
  results.claims = {std::move(claim)};
  results.findings = std::move(outcome.findings);
  results.tables = std::move(outcome.tables);
  return results;
}

/// The tables of a folder but what is made up anew: b1.toml's texts as texts.
Frames tables_of(const std::function<fs::path(const std::string& table)>& file) {
  return claim_b1().reread([&](const std::string& table) {
    const fs::path path = file(table);
    return table == "planted" || !fs::is_regular_file(path) ? std::string() : read_file(path);
  });
}

/// This processor's row, and behind it those that an earlier table has of others.
void add_processors(const fs::path& earlier, Frames& m) {
  const std::string here = of_machine(m, "processor");
  Out out;
  for (const perp::Row& row : frame(m, "answer").where("kind", "default").where("at", "most"))
    out("processors", {{"processor", here},
                       {"system", of_machine(m, "system")},
                       {"library", library_of(m, row.text("backend"))},
                       {"kernel", row.text("kernel")},
                       {"takes", *row.estimate("takes")},
                       {"told", row.text("told")},
                       {"what", row.text("what")},
                       {"when", of_machine(m, "when").substr(0, 10)}});
  for (perp::Row& row : out.take()) m.add(std::move(row));
  const Frames others =
      tables_of([&](const std::string& table) { return table == "processors" ? earlier : fs::path(); });
  for (const perp::Row& row : frame(others, "processors"))
    if (row.text("processor") != here) m.add(row);
}

}  // namespace

Results results_of(const Measured& measured) {
  Out out;
  add_tables(measured, out);
  Frames frames =
      tables_of([&](const std::string& table) { return table == "peers" ? measured.peers : fs::path(); });
  for (perp::Row& row : out.take()) frames.add(std::move(row));
  add_processors(measured.processors, frames);
  return results_of(frames);
}

Results results_from(const fs::path& folder, const fs::path& runs) {
  require(fs::exists(folder / "results.csv"), "{}: no results.csv of the bench", folder.string());
  Out out;
  const fs::path processors = folder / "processors.csv";
  Frames frames = tables_of([&](const std::string& table) {
    return table == "processors" || (table == "peers" && !runs.empty()) ? fs::path()
                                                                        : folder / (table + ".csv");
  });
  add_processors(processors, frames);
  if (!runs.empty()) add_peers(runs, frames["roof"], out);
  for (perp::Row& row : out.take()) frames.add(std::move(row));
  return results_of(frames);
}

}  // namespace perp::bench
