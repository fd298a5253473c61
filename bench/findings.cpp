#include "bench/findings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "bench/answer.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

void say_counts(const Measured& m, const std::vector<Line>& lines, Summary& say) {
  const auto of_status = [&](const char* status) {
    return count_if(lines, [&](const Line& l) { return l.checked.status == status; });
  };
  std::set<std::string> names;
  for (const Configuration& c : m.configurations) names.insert(c.backend.name);
  std::size_t rounds = 0;
  for (const Line& l : lines) rounds = std::max(rounds, l.times.rounds);
  for (const auto& [measure, count, meaning] :
       {std::tuple{"rows", lines.size(), "Rows: operation, shape, type, backend and threads."},
        {"failed", of_status("failed"), "Rows whose result errs by more than its bound."},
        {"skipped", of_status("skipped"), "Rows that were predicted to take too long a call."},
        {"backends", names.size(), "Backends found."},
        {"rounds", rounds, "Rounds, backends taking turns."}})
    add_overall(say, measure, {}, static_cast<double>(count), lines.size(), meaning, {}, Kind::count);
}

void say_number(Summary& say, const char* measure, const Coordinates& at, const Estimate& value,
                std::size_t n, const char* meaning, const char* unit = "1") {
  say.number(measure, at, value, {.unit = unit, .n = n, .kind = Kind::sampled, .meaning = meaning});
}

void say_limits(const Measured& m, const std::vector<Line>& lines, Summary& say) {
  const auto [fewest, most_threads] = ends_of_threads(lines);
  for (const auto& [at, threads] : {std::pair{"fewest", fewest}, {"most", most_threads}}) {
    say_number(say, "threads", {{"are", at}}, {static_cast<double>(threads)}, 1,
               "Threads of a configuration.");
    for (const char* type : {"f32", "f64"}) {
      const double fma = m.roof.best_fma(type, threads),
                   best = std::max(0.0, most(only(lines, &Line::operation, "gemm", &Line::type, type,
                                                  &Line::threads, threads),
                                             &Line::rate));
      const Coordinates typed{{"type", type}, {"threads", at}};
      say_number(say, "fma", typed, {fma / 1e9}, 5,
                 "Rate of fused multiply-adds over registers, two operations each.", "1e9/s");
      say_number(say, "gemm_share", typed, {best / fma}, lines.size(),
                 "Best square product's share of that rate.");
    }
    say_number(say, "bandwidth", {{"threads", at}}, {m.roof.best_bandwidth(threads) / 1e9}, 5,
               "Bytes a second through memory: the best of copy, read and write.", "1e9/s");
  }
}

void say_noise(const Measured& m, const std::vector<Line>& lines, Summary& say) {
  std::vector<double> spread;
  for (const Line& l : lines)
    if (l.times.rounds > 1) spread.push_back(l.times.spread);
  const bool any = !spread.empty();
  say_number(say, "noise", {}, {any ? median(spread) : std::nan("")}, spread.size(),
             "Median over rows of the standard deviation over rounds of the logarithm of the time.");
  say_number(say, "noise_worst", {}, {any ? quantile(spread, 0.9) : std::nan("")}, spread.size(),
             "The same of the row that nine in ten lie below.");
  const auto [low, high] = std::ranges::minmax(m.fma_by_round);
  say_number(
      say, "drift", {}, {(high - low) / median(m.fma_by_round)}, m.fma_by_round.size(),
      "Range over configurations and rounds of one thread's rate of fused multiply-adds, over its median.");
}

/// How often one configuration is called different from itself, beside what is claimed; what a row can tell.
void say_calibration(const Calibration& c, Summary& say) {
  const Interval interval = c.interval();
  say.number("alarms", {}, {c.rate(), interval.low, interval.high, interval.level},
             {.theory = false_alarms,
              .n = c.comparisons(),
              .kind = Kind::sampled,
              .meaning = "Share of comparisons of a configuration with itself that call it different; "
                         "claimed: the level of the test."});
  std::vector<double> smallest;
  for (const CalibratedRow& row : c.rows) smallest.push_back(c.detectable(row));
  say_number(say, "detectable", {}, {median(smallest)}, smallest.size(),
             "Median over rows of the smallest ratio of times above 1 that one comparison tells apart with "
             "probability .8.");
}

/// What the default costs: its time over that of the fastest configuration. The page's sentences follow findings that are
/// there only where it is so, and print none of them.
void say_answers(const std::vector<Answer>& answers, Summary& say, Summary& switches) {
  for (const Answer& a : answers) {
    const Coordinates where{{"threads", &a == &answers.back() ? "most" : "fewest"}};
    say_number(say, "gain", where, a.cost.estimate(), std::max<std::size_t>(a.cost.rounds, 1),
               "Time of what the loader takes by default over that of the fastest configuration, geometric "
               "mean over all operations; the interval holds for all configurations at once.");
    if (a.best != a.usual)
      say_number(switches, "behind", where, {a.cost.ratio}, 1, "The same, where something is faster at all.");
    if (a.cost.told()) say_number(switches, "told", where, {1}, 1, "The two are told apart.");
    if (a.is_unclear())
      say_number(switches, "unclear", where, {1}, 1, "Not told apart, and it may cost what a user notices.");
    if (a.cost.told() && a.cost.ratio >= noticed)
      say_number(switches, "noticed", where, {a.cost.ratio}, 1, "A difference that a user notices.");
  }
}

/// What a user of the same machine asks next: which rows moved since its last run, by more than can be told.
Table moved_table(const std::vector<Run>& history, const Run& here, Summary& say) {
  const auto before = std::find_if(history.rbegin(), history.rend(), [&](const Run& run) {
    return run.machine == here.machine && run.preset == here.preset && hash_of(run) != hash_of(here);
  });
  const bool any = before != history.rend();
  const std::vector<Compared> all = compared(any ? *before : here, here);
  const std::vector<Compared> moved = where(all, &Compared::told);
  if (any)
    say_number(say, "moved", {}, {static_cast<double>(moved.size())}, all.size(),
               "Rows that take another time than in the last run of this machine, adjusted by Holm.");
  return comparison_table("moved.csv", moved);
}

/// What the figures draw: every library as it picks, and the fastest configurations. All core types would hide them.
std::vector<Line> drawn(const std::vector<Line>& lines, const std::vector<Answer>& answers) {
  return where(lines, [&](const Line& l) {
    return l.configuration->backend.kernels.core.empty() ||
           std::ranges::any_of(answers,
                               [&](const Answer& a) { return a.best->backend.shown() == l.backend(); });
  });
}

/// Of those one library of a kind, so that every line has a colour of its own: the answer's, the default, or the first.
std::vector<Line> of_a_kind(const std::vector<Line>& lines, const std::vector<Answer>& answers) {
  const auto kind = [](const Configuration* c) {
    return c->backend.name.substr(0, c->backend.name.find_last_of('-'));
  };
  std::map<std::string, std::string> chosen;
  const auto choose = [&](const Configuration* c) { chosen.try_emplace(kind(c), c->backend.name); };
  for (const Answer& a : answers) {
    choose(a.best);
    choose(a.usual);
  }
  for (const Line& l : lines) choose(l.configuration);
  return where(lines, [&](const Line& l) {
    return chosen.at(kind(l.configuration)) == l.configuration->backend.name;
  });
}

Csv as_csv(const Table& table) { return parse_csv(to_csv(table), table.file); }

Claim claim_of(const Summary& say) {
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
  return claim;
}

/// What is not installed, and what did not work.
std::vector<std::string> not_measured(const Measured& m) {
  std::vector<std::string> all = m.missing;
  all.insert(all.end(), m.faults.begin(), m.faults.end());
  for (const Configuration& c : m.configurations)
    if (!c.fault.empty()) all.push_back(fmt::format("{}: {}", c.name(), c.fault));
  return all;
}

}  // namespace

Results results_of(const Measured& m) {
  Results results;
  results.study = "bench";
  results.preset = m.plan.quick ? "quick" : "full";
  results.seed = 1;
  Summary say("B1"), switches("B1");
  const std::vector<Line> lines = lines_of(m.configurations, m.roof, m.plan.rows());
  say_counts(m, lines, say);
  say_limits(m, lines, say);
  say_noise(m, lines, say);
  const std::vector<Answer> answers = answers_of(m.configurations, m.plan.rows(), m.baseline);
  say_answers(answers, say, switches);
  if (m.calibration) say_calibration(*m.calibration, say);
  const std::vector<Line> figures = drawn(lines, answers);
  const Table all = results_table(lines), sheet = machine_table(m.sheet),
              answer = answer_table(answers, m.own);
  const Run here = run_of(as_csv(sheet), as_csv(all), as_csv(answer), results.preset);
  const std::vector<Machine> machines = machines_of(m.history, here);
  results.tables = {all,
                    sheet,
                    answer,
                    best_table(lines),
                    heat_table(figures),
                    rates_table(of_a_kind(figures, answers)),
                    roof_table(m.roof),
                    status_table(lines, "failed"),
                    status_table(lines, "skipped"),
                    calibration_table(m.calibration.value_or(Calibration{})),
                    loaded_table(m.configurations),
                    missing_table(not_measured(m)),
                    processor_table(m.sheet),
                    moved_table(m.history, here, say),
                    machines_table(machines)};
  if (group_by(machines, &Machine::machine).size() == 1)
    say_number(switches, "alone", {}, {1}, 1, "There is no other machine.");
  results.claims = {claim_of(say)};
  results.findings = std::move(say.findings);
  std::ranges::move(switches.findings, std::back_inserter(results.findings));
  return results;
}

}  // namespace perp::bench
