#include "bench/findings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "bench/best.hpp"
#include "perp/base/error.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

Finding number(const char* measure, const Coordinates& at, double value, std::size_t n, const char* unit,
               const char* meaning) {
  return finding("B1", measure, at, {value},
                 {.unit = unit, .n = n, .kind = Kind::sampled, .meaning = meaning});
}

std::size_t count_of(const std::vector<ComparisonRow>& lines, std::string_view status) {
  return static_cast<std::size_t>(std::count_if(
      lines.begin(), lines.end(), [&](const ComparisonRow& l) { return l.checked.status == status; }));
}

void add_counts(const Measured& m, std::vector<Finding>& findings) {
  const auto count = [&](const char* measure, std::size_t value, const char* meaning) {
    findings.push_back(finding("B1", measure, {}, {static_cast<double>(value)},
                               {.unit = "1", .n = m.lines.size(), .kind = Kind::count, .meaning = meaning}));
  };
  std::vector<std::string> names;
  for (const Configuration& c : m.configurations)
    if (std::find(names.begin(), names.end(), c.backend.name) == names.end()) names.push_back(c.backend.name);
  std::size_t rounds = 0;
  for (const Configuration& c : m.configurations)
    for (const auto& [row, list] : c.rounds) rounds = std::max(rounds, list.size());
  count("rows", m.lines.size(), "Rows: operation, shape, type, backend and threads.");
  count("failed", count_of(m.lines, "failed"), "Rows whose result errs by more than its bound.");
  count("skipped", count_of(m.lines, "skipped"), "Rows that were predicted to take too long a call.");
  count("backends", names.size(), "Backends found.");
  count("rounds", rounds, "Rounds, backends taking turns.");
}

/// The fewest and the most threads.
std::pair<std::size_t, std::size_t> ends(const Measured& m) {
  std::pair ends{std::numeric_limits<std::size_t>::max(), std::size_t{0}};
  for (const Configuration& c : m.configurations)
    ends = {std::min(ends.first, c.threads), std::max(ends.second, c.threads)};
  return ends;
}

void add_limits(const Measured& m, std::vector<Finding>& findings) {
  const auto [fewest, most] = ends(m);
  for (const auto& [at, threads] : {std::pair{"fewest", fewest}, std::pair{"most", most}}) {
    const Coordinates where{{"threads", std::string(at)}};
    findings.push_back(number("threads", {{"are", std::string(at)}}, static_cast<double>(threads), 1, "1",
                              "Threads of a configuration."));
    for (const char* type : {"f32", "f64"}) {
      const Coordinates typed{{"type", std::string(type)}, {"threads", std::string(at)}};
      findings.push_back(number("fma", typed, m.roof.best_fma(type, threads) / 1e9, 5, "1e9/s",
                                "Rate of fused multiply-adds over registers, two operations each."));
      double share = 0;
      std::size_t n = 0;
      for (const ComparisonRow& l : m.lines)
        if (timed(l) && l.row.operation == "gemm" && l.type() == type && l.threads() == threads) {
          share = std::max(share, l.rate / m.roof.best_fma(type, threads));
          ++n;
        }
      findings.push_back(
          number("gemm_share", typed, share, n, "1", "Best square product's share of that rate."));
    }
    findings.push_back(number("bandwidth", where, m.roof.best_bandwidth(threads) / 1e9, 5, "1e9/s",
                              "Bytes a second through memory: the best of copy, read and write."));
  }
}

void add_noise(const Measured& m, std::vector<Finding>& findings) {
  std::vector<double> noise;
  for (const ComparisonRow& l : m.lines)
    if (timed(l)) noise.push_back(l.noise);
  const double none = std::numeric_limits<double>::quiet_NaN();
  findings.push_back(number("noise", {}, noise.empty() ? none : median(noise), noise.size(), "1",
                            "Median over rows of the rounds' median absolute deviation over their median."));
  findings.push_back(number("noise_worst", {}, noise.empty() ? none : quantile(noise, 0.9), noise.size(), "1",
                            "The same of the row that nine in ten lie below."));
  const auto [low, high] = std::minmax_element(m.fma_by_round.begin(), m.fma_by_round.end());
  findings.push_back(number(
      "drift", {}, (*high - *low) / median(m.fma_by_round), m.fma_by_round.size(), "1",
      "Range over configurations and rounds of one thread's rate of fused multiply-adds, over its median."));
}

/// How often one configuration is called different from itself, beside what is claimed; what a row can tell.
void add_calibration(const Measured& m, std::vector<Finding>& findings) {
  if (m.calibration) {
    const Calibration& c = *m.calibration;
    const Interval interval = c.interval();
    findings.push_back(finding("B1", "alarms", {},
                               {c.rate(), interval.low, interval.high, interval.level, {}},
                               {.theory = false_alarms,
                                .n = c.comparisons(),
                                .kind = Kind::sampled,
                                .meaning = "Share of comparisons of a configuration with itself that call it "
                                           "different; claimed: the level of the test."}));
    std::vector<double> smallest;
    for (const CalibratedRow& row : c.rows) smallest.push_back(detectable(row.spread, c.rounds));
    findings.push_back(number("detectable", {}, median(smallest), smallest.size(), "1",
                              "Median over rows of the smallest ratio of times above 1 that one comparison "
                              "tells apart with probability .8."));
  }
  std::vector<double> strict;
  for (const ComparisonRow& l : m.lines)
    if (!l.verdict.empty() && l.verdict != "baseline") strict.push_back(l.detectable);
  if (strict.empty()) return;
  findings.push_back(number("detectable_adjusted", {}, median(strict), strict.size(), "1",
                            "The same for the rows held against the default, at the strictest level of the "
                            "adjustment for their number."));
  for (const auto& [name, what] :
       {std::pair{"faster", "faster"}, std::pair{"slower", "slower"}, std::pair{"same", "not told apart"}})
    findings.push_back(number(
        "against", {{"verdict", std::string(name)}},
        static_cast<double>(std::count_if(
            m.lines.begin(), m.lines.end(),
            [wanted = std::string_view(what)](const ComparisonRow& l) { return l.verdict == wanted; })),
        strict.size(), "1", "Rows by how they came out against the default."));
}

/// What the default costs: its time over that of the fastest configuration. `told` and `noticed` are there only where
/// it is so: the page's sentences follow them.
void add_answer(const std::vector<Answer>& answers, std::vector<Finding>& findings) {
  for (const Answer& a : answers) {
    const Coordinates where{{"threads", std::string(&a == &answers.back() ? "most" : "fewest")}};
    findings.push_back(
        finding("B1", "gain", where, {a.cost.ratio, a.cost.low, a.cost.high, 1 - false_alarms, {}},
                {.n = std::max<std::size_t>(a.cost.rounds, 1),
                 .kind = Kind::sampled,
                 .meaning = "Time of what the loader takes by default over that of the fastest "
                            "configuration, geometric mean over all operations; the interval "
                            "holds for all configurations at once."}));
    if (a.best != a.usual)
      findings.push_back(
          number("behind", where, a.cost.ratio, 1, "1", "The same, where something is faster at all."));
    if (!a.told) continue;
    findings.push_back(number("told", where, 1, 1, "1", "The two are told apart."));
    if (a.cost.ratio >= noticed)
      findings.push_back(number("noticed", where, a.cost.ratio, 1, "1", "A difference that a user notices."));
  }
}

/// What a user of the same machine asks next: which rows moved since its last run, by more than can be told.
Table moved_table(const std::vector<Run>& history, const Run& here, std::vector<Finding>& findings) {
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
    findings.push_back(
        number("moved", {}, static_cast<double>(table.rows.size()), all, "1",
               "Rows that take another time than in the last run of this machine, adjusted by Holm."));
  return table;
}

/// What the figures draw: every library as it picks, and the fastest configurations. All core types would hide them.
std::vector<ComparisonRow> drawn(const std::vector<ComparisonRow>& lines,
                                 const std::vector<Answer>& answers) {
  std::vector<ComparisonRow> kept;
  std::ranges::copy_if(lines, std::back_inserter(kept), [&](const ComparisonRow& l) {
    return l.configuration->backend.core.empty() || std::ranges::any_of(answers, [&](const Answer& a) {
             return a.best->backend.shown() == l.backend();
           });
  });
  return kept;
}

/// Of those one library of a kind, so that every line has a colour of its own: the answer's, the default, or the first.
std::vector<ComparisonRow> of_a_kind(const std::vector<ComparisonRow>& lines,
                                     const std::vector<Answer>& answers) {
  const auto kind = [](const std::string& name) { return name.substr(0, name.find_last_of('-')); };
  std::map<std::string, std::string> chosen;
  for (const Answer& a : answers)
    for (const Configuration* c : {a.best, a.usual})
      chosen.try_emplace(kind(c->backend.name), c->backend.name);
  for (const ComparisonRow& l : lines)
    chosen.try_emplace(kind(l.configuration->backend.name), l.configuration->backend.name);
  std::vector<ComparisonRow> kept;
  std::ranges::copy_if(lines, std::back_inserter(kept), [&](const ComparisonRow& l) {
    return chosen.at(kind(l.configuration->backend.name)) == l.configuration->backend.name;
  });
  return kept;
}

}  // namespace

Results results_of(const Measured& m) {
  Results results;
  results.study = "bench";
  results.preset = m.quick ? "quick" : "full";
  results.seed = 1;
  const Table best = best_table(m.lines);
  add_counts(m, results.findings);
  add_limits(m, results.findings);
  add_noise(m, results.findings);
  const std::vector<Answer> answers = answers_of(m.configurations, m.rows, m.baseline);
  add_answer(answers, results.findings);
  const std::vector<ComparisonRow> figures = drawn(m.lines, answers), curves = of_a_kind(figures, answers);
  add_calibration(m, results.findings);
  const Run here = run_of(m.lines, answers, m.sheet, m.quick ? "quick" : "full");
  const Table moved = moved_table(m.history, here, results.findings),
              machines = machines_table(m.history, here);
  if (std::ranges::all_of(machines.rows, [&](const auto& row) { return row[1] == machines.rows[0][1]; }))
    results.findings.push_back(number("alone", {}, 1, 1, "1", "There is no other machine."));
  Claim claim;
  claim.id = claim.of = "B1";
  claim.statement = "Any BLAS gives right results for this work.";
  claim.source = "asked";
  claim.rule = {{.finding = "B1.failed",
                 .is = Is::below,
                 .bound = 1.0,
                 .evidence = Evidence::simulation,
                 .says = "rows that err by more than rounding"}};
  claim.judgement = judge(results.findings, claim.rule);
  for (const Finding& f : results.findings)  // the page's sentences follow the others and print none of them
    if (!f.id.starts_with("B1.told.") && !f.id.starts_with("B1.noticed.") &&
        !f.id.starts_with("B1.behind.") && f.id != "B1.alone")
      claim.findings.push_back(f.id);
  results.claims = {claim};
  results.tables = {results_table(m.lines),
                    best,
                    best_wide_table(best),
                    heat_table(figures),
                    curve_table(curves, m.roof),
                    small_table(curves),
                    roof_table(m.roof),
                    failed_table(m.lines),
                    answer_table(answers, m.configurations, m.rows, m.own),
                    noticed_table(answers),
                    calibration_table(m.calibration.value_or(Calibration{})),
                    machines,
                    moved,
                    skipped_table(m.lines),
                    loaded_table(m.configurations),
                    missing_table(m.missing),
                    machine_table(m.sheet),
                    processor_table(m.sheet)};
  return results;
}

}  // namespace perp::bench
