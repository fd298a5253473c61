#include "bench/findings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "bench/best.hpp"
#include "perp/base/error.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

/// The findings of B1.
struct Said {
  std::vector<Finding> findings;

  void number(const char* measure, const Coordinates& at, const Estimate& value, std::size_t n,
              const char* meaning, const char* unit = "1", std::optional<double> theory = {}) {
    findings.push_back(
        finding("B1", measure, at, value,
                {.theory = theory, .unit = unit, .n = n, .kind = Kind::sampled, .meaning = meaning}));
  }
  void count(const char* measure, std::size_t value, std::size_t n, const char* meaning) {
    findings.push_back(finding("B1", measure, {}, {static_cast<double>(value)},
                               {.unit = "1", .n = n, .kind = Kind::count, .meaning = meaning}));
  }
};

void say_counts(const Measured& m, Said& say) {
  const auto of_status = [&](std::string_view status) {
    return static_cast<std::size_t>(
        std::ranges::count_if(m.lines, [&](const Line& l) { return l.checked.status == status; }));
  };
  std::set<std::string> names;
  for (const Configuration& c : m.configurations) names.insert(c.backend.name);
  std::size_t rounds = 0;
  for (const Line& l : m.lines) rounds = std::max(rounds, l.times.rounds);
  const std::size_t rows = m.lines.size();
  say.count("rows", rows, rows, "Rows: operation, shape, type, backend and threads.");
  say.count("failed", of_status("failed"), rows, "Rows whose result errs by more than its bound.");
  say.count("skipped", of_status("skipped"), rows, "Rows that were predicted to take too long a call.");
  say.count("backends", names.size(), rows, "Backends found.");
  say.count("rounds", rounds, rows, "Rounds, backends taking turns.");
}

void say_limits(const Measured& m, Said& say) {
  const auto [fewest, most] = ends_of_threads(m.lines);
  for (const auto& [at, threads] : {std::pair{"fewest", fewest}, {"most", most}}) {
    say.number("threads", {{"are", at}}, {static_cast<double>(threads)}, 1, "Threads of a configuration.");
    for (const char* type : {"f32", "f64"}) {
      const double fma = m.roof.best_fma(type, threads);
      double best = 0;
      for (const Line& l : m.lines)
        if (l.row.operation == "gemm" && l.type() == type && l.configuration->threads == threads)
          best = std::max(best, l.rate);
      const Coordinates typed{{"type", type}, {"threads", at}};
      say.number("fma", typed, {fma / 1e9}, 5,
                 "Rate of fused multiply-adds over registers, two operations each.", "1e9/s");
      say.number("gemm_share", typed, {best / fma}, m.lines.size(),
                 "Best square product's share of that rate.");
    }
    say.number("bandwidth", {{"threads", at}}, {m.roof.best_bandwidth(threads) / 1e9}, 5,
               "Bytes a second through memory: the best of copy, read and write.", "1e9/s");
  }
}

void say_noise(const Measured& m, Said& say) {
  std::vector<double> spread;
  for (const Line& l : m.lines)
    if (l.times.rounds > 1) spread.push_back(l.times.spread);
  const bool any = !spread.empty();
  say.number("noise", {}, {any ? median(spread) : std::nan("")}, spread.size(),
             "Median over rows of the standard deviation over rounds of the logarithm of the time.");
  say.number("noise_worst", {}, {any ? quantile(spread, 0.9) : std::nan("")}, spread.size(),
             "The same of the row that nine in ten lie below.");
  const auto [low, high] = std::ranges::minmax(m.fma_by_round);
  say.number(
      "drift", {}, {(high - low) / median(m.fma_by_round)}, m.fma_by_round.size(),
      "Range over configurations and rounds of one thread's rate of fused multiply-adds, over its median.");
}

/// How often one configuration is called different from itself, beside what is claimed; what a row can tell.
void say_calibration(const Calibration& c, Said& say) {
  const Interval interval = c.interval();
  say.number("alarms", {}, {c.rate(), interval.low, interval.high, interval.level, {}}, c.comparisons(),
             "Share of comparisons of a configuration with itself that call it different; claimed: the level "
             "of the test.",
             "1", false_alarms);
  std::vector<double> smallest;
  for (const auto& [name, row] : c.rows) smallest.push_back(detectable(row.spread, c.rounds));
  say.number("detectable", {}, {median(smallest)}, smallest.size(),
             "Median over rows of the smallest ratio of times above 1 that one comparison tells apart with "
             "probability .8.");
}

/// What the default costs: its time over that of the fastest configuration. The page's sentences follow findings that are
/// there only where it is so, and print none of them.
void say_answers(const std::vector<Answer>& answers, Said& say, Said& switches) {
  for (const Answer& a : answers) {
    const Coordinates where{{"threads", &a == &answers.back() ? "most" : "fewest"}};
    say.number("gain", where, {a.cost.ratio, a.cost.low, a.cost.high, 1 - false_alarms, {}},
               std::max<std::size_t>(a.cost.rounds, 1),
               "Time of what the loader takes by default over that of the fastest configuration, geometric "
               "mean over all operations; the interval holds for all configurations at once.");
    if (a.best != a.usual)
      switches.number("behind", where, {a.cost.ratio}, 1, "The same, where something is faster at all.");
    if (a.told) switches.number("told", where, {1}, 1, "The two are told apart.");
    if (a.told && a.cost.ratio >= noticed)
      switches.number("noticed", where, {a.cost.ratio}, 1, "A difference that a user notices.");
  }
}

/// What a user of the same machine asks next: which rows moved since its last run, by more than can be told.
Table moved_table(const std::vector<Run>& history, const Run& here, Said& say) {
  const auto before = std::find_if(history.rbegin(), history.rend(), [&](const Run& run) {
    return run.machine == here.machine && run.preset == here.preset && hash_of(run) != hash_of(here);
  });
  Table table = before == history.rend() ? comparison_table(here, here) : comparison_table(*before, here);
  table.file = "moved.csv";
  const std::size_t all = table.rows.size();
  std::size_t i = 0;
  std::erase_if(table.rows, [&, full = table](const auto&) {
    return perp::to_text(full.at(i++, "verdict")) == "not told apart";
  });
  if (before != history.rend())
    say.number("moved", {}, {static_cast<double>(table.rows.size())}, all,
               "Rows that take another time than in the last run of this machine, adjusted by Holm.");
  return table;
}

/// What the figures draw: every library as it picks, and the fastest configurations. All core types would hide them.
std::vector<Line> drawn(const std::vector<Line>& lines, const std::vector<Answer>& answers) {
  std::vector<Line> kept;
  std::ranges::copy_if(lines, std::back_inserter(kept), [&](const Line& l) {
    return l.configuration->backend.core.empty() || std::ranges::any_of(answers, [&](const Answer& a) {
             return a.best->backend.shown() == l.backend();
           });
  });
  return kept;
}

/// Of those one library of a kind, so that every line has a colour of its own: the answer's, the default, or the first.
std::vector<Line> of_a_kind(const std::vector<Line>& lines, const std::vector<Answer>& answers) {
  const auto kind = [](const std::string& name) { return name.substr(0, name.find_last_of('-')); };
  std::map<std::string, std::string> chosen;
  for (const Answer& a : answers)
    for (const Configuration* c : {a.best, a.usual})
      chosen.try_emplace(kind(c->backend.name), c->backend.name);
  for (const Line& l : lines)
    chosen.try_emplace(kind(l.configuration->backend.name), l.configuration->backend.name);
  std::vector<Line> kept;
  std::ranges::copy_if(lines, std::back_inserter(kept), [&](const Line& l) {
    return chosen.at(kind(l.configuration->backend.name)) == l.configuration->backend.name;
  });
  return kept;
}

Csv as_csv(const Table& table) { return parse_csv(to_csv(table), table.file); }

}  // namespace

Results results_of(const Measured& m) {
  Results results;
  results.study = "bench";
  results.preset = m.quick ? "quick" : "full";
  results.seed = 1;
  Said say, switches;
  say_counts(m, say);
  say_limits(m, say);
  say_noise(m, say);
  const std::vector<Answer> answers = answers_of(m.configurations, m.rows, m.baseline);
  say_answers(answers, say, switches);
  if (m.calibration) say_calibration(*m.calibration, say);
  const std::vector<Line> figures = drawn(m.lines, answers);
  results.tables = {results_table(m.lines),
                    machine_table(m.sheet),
                    answer_table(answers, m.own),
                    best_table(m.lines),
                    heat_table(figures),
                    rates_table(of_a_kind(figures, answers)),
                    roof_table(m.roof),
                    status_table(m.lines, "failed"),
                    status_table(m.lines, "skipped"),
                    calibration_table(m.calibration.value_or(Calibration{})),
                    loaded_table(m.configurations),
                    missing_table(m.missing),
                    processor_table(m.sheet)};
  const Run here =
      run_of(as_csv(results.tables[1]), as_csv(results.tables[0]), as_csv(results.tables[2]), results.preset);
  results.tables.push_back(moved_table(m.history, here, say));
  const Table machines = machines_table(m.history, here);
  results.tables.push_back(machines);
  if (std::ranges::all_of(machines.rows, [&](const auto& row) { return row[1] == machines.rows[0][1]; }))
    switches.number("alone", {}, {1}, 1, "There is no other machine.");
  Claim claim;
  claim.id = claim.of = "B1";
  claim.statement = "Any BLAS gives right results for this work.";
  claim.source = "asked";
  claim.rule = {{.finding = "B1.failed",
                 .is = Is::below,
                 .bound = 1.0,
                 .evidence = Evidence::simulation,
                 .says = "rows that err by more than rounding"}};
  claim.judgement = judge(say.findings, claim.rule);
  for (const Finding& f : say.findings) claim.findings.push_back(f.id);
  results.claims = {claim};
  results.findings = std::move(say.findings);
  std::ranges::move(switches.findings, std::back_inserter(results.findings));
  return results;
}

}  // namespace perp::bench
