#include "bench/answer.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "bench/tables.hpp"
#include "perp/base/error.hpp"
#include "perp/base/kernels.hpp"

namespace perp::bench {
namespace {

constexpr std::size_t most_shown = 8;

bool is_right(const Configuration& c) {
  return c.fault.empty() &&
         std::ranges::none_of(c.checks, [](const auto& check) { return check.second.status == "failed"; });
}

/// Debian's package or the folder given, and the variable; "nothing" for what the loader takes.
std::string to_have(const Configuration& wanted, const Configuration& usual) {
  std::string text;
  if (wanted.backend.name != usual.backend.name) text = fmt::format("install {}", wanted.backend.package());
  if (!wanted.backend.kernels.core.empty())
    text += fmt::format("{}set {}={}", text.empty() ? "" : ", ", wanted.backend.kernels.variable,
                        wanted.backend.kernels.value);
  return text.empty() ? "nothing" : text;
}

/// Why a library takes so long over an operation, as far as that is known.
std::string reason_of(const Held& held) {
  const Configuration& c = *held.configuration;
  const bool brief = held.operation == "gemm_small" || held.operation == "syrk_skinny" ||
                     held.operation == "gemm_skinny" || held.operation == "angles";
  if (held.cost.ratio < 1) return "not known";
  if (c.loaded.name == "reference") return "plain loops, without vector instructions";
  if (c.loaded.name == "ATLAS") return "built for every processor of this kind, without AVX";
  if (c.threads > 1 && c.loaded.threads == 1) return "it runs one thread";
  if (c.loaded.name == "BLIS" && c.threads > 1 && brief)
    return "it starts threads for products that one thread ends sooner";
  return "not known";
}

/// The time of one configuration over that of another, round by round: geometric mean over operations, each that
/// over its rows. Empty unless both ran every row.
std::vector<double> ratios_by_round(const Configuration& above, const Configuration& below,
                                    const std::vector<Row>& rows) {
  std::map<std::string_view, double> count;
  for (const Row& row : rows) ++count[row.operation];
  std::vector<double> logs;
  for (const Row& row : rows) {
    const auto a = above.rounds.find(row.name()), b = below.rounds.find(row.name());
    if (a == above.rounds.end() || b == below.rounds.end()) return {};
    const std::vector<double> ratios = paired_ratios(a->second, b->second);
    logs.resize(logs.empty() ? ratios.size() : std::min(logs.size(), ratios.size()));
    for (std::size_t r = 0; r < logs.size(); ++r)
      logs[r] += std::log(ratios[r]) / (count[row.operation] * static_cast<double>(count.size()));
  }
  for (double& x : logs) x = std::exp(x);
  return logs;
}

}  // namespace

std::vector<Held> held_against(const Configuration& base, const std::vector<const Configuration*>& all,
                               const std::vector<Row>& rows, bool by_operation) {
  std::map<std::string_view, std::vector<Row>> parts;
  for (const Row& row : rows) parts[by_operation ? row.operation : std::string_view{}].push_back(row);
  std::vector<Held> family;
  std::vector<std::vector<double>> ratios;
  for (const Configuration* c : all)
    for (const auto& [operation, part] : parts)
      if (auto list = c == &base ? std::vector<double>{} : ratios_by_round(*c, base, part); !list.empty()) {
        family.push_back({c, operation});
        ratios.push_back(std::move(list));
      }
  for (std::size_t i = 0; i < family.size(); ++i)
    family[i].cost = paired_contrast(ratios[i], false_alarms / static_cast<double>(family.size()));
  adjust(family, &Held::cost);
  return family;
}

std::string names_of(const std::vector<Held>& list) {
  std::vector<std::string> names;
  for (const Held& held : list) names.push_back(held.shown());
  return fmt::format("{}", fmt::join(names, ", "));
}

namespace {

Answer answer_at(const std::vector<Configuration>& all, const std::vector<Row>& rows,
                 const Configuration& usual) {
  std::vector<const Configuration*> candidates;
  for (const Configuration& c : all)
    if (c.threads == usual.threads && is_right(c)) candidates.push_back(&c);
  const std::vector<Row> compared = where(
      rows, [&](const Row& row) { return calls_blas(row.operation) && usual.rounds.contains(row.name()); });
  Answer answer{&usual, &usual};
  answer.overall = held_against(usual, candidates, compared, false);
  double least = is_right(usual) ? 1 : std::numeric_limits<double>::infinity();
  for (const Held& held : answer.overall)
    if (held.cost.ratio < least) {
      least = held.cost.ratio;
      answer.best = held.configuration;
      answer.cost = held.cost.inverse();
    }
  answer.equals = where(held_against(*answer.best, candidates, compared, false), std::not_fn(&Held::told));
  answer.noticed = where(held_against(usual, candidates, compared, true), [](const Held& held) {
    const bool by_much = held.cost.ratio >= noticed || held.cost.ratio <= 1 / noticed;
    return held.told() && by_much && !held.configuration->backend.repeats;
  });
  std::ranges::stable_sort(answer.noticed, {}, [](const Held& held) {
    return std::pair{held.cost.ratio > 1, -std::abs(std::log(held.cost.ratio))};
  });
  return answer;
}

/// The best, or what is not told apart from it and needs nothing installed: the default's library with other kernels.
const Configuration& easiest(const Answer& answer) {
  const Backend& usual = answer.usual->backend;
  if (answer.best->backend.name == usual.name) return *answer.best;
  const std::vector<Held> at_hand = where(answer.equals, [&](const Held& held) {
    const Backend& b = held.configuration->backend;
    return b.name == usual.name && b.alone == usual.alone && held.configuration != answer.usual;
  });
  const auto least = std::ranges::min_element(at_hand, {}, [](const Held& held) { return held.cost.ratio; });
  return least == at_hand.end() ? *answer.best : *least->configuration;
}

/// What the first rows advise.
std::string advice(const Answer& answer) {
  const std::string have = to_have(easiest(answer), *answer.usual);
  if (!is_right(*answer.usual)) return fmt::format("{}: the default is wrong", have);
  if (answer.is_unclear()) return "not known; a longer run (preset full) may tell";
  if (!answer.cost.told()) return "nothing; you would notice no difference";
  return answer.cost.ratio >= noticed ? have : have + "; it gains less than you would notice";
}

std::string own_advice(const Held& held) {
  if (!held.told()) return "not told apart: they stay";
  return held.cost.ratio < 1 ? "they are the faster ones"
                             : "slower; the table of kernels is fixed within an edition";
}

/// A row of answer.csv.
struct Said {
  std::string kind;
  bool shown;
  std::size_t threads;
  std::string backend, best, what;
  Contrast cost;
  std::string advice, against = "the default", equals = {};
  std::size_t equal = 0;
};

Said default_row(const Answer& a) {
  const std::string usual = a.usual->backend.shown(), best = a.best->backend.shown(),
                    kernel = a.usual->loaded.kernel;
  return {"default",
          true,
          a.usual->threads,
          usual,
          best,
          fmt::format("the default: {}{}", usual, kernel.empty() ? "" : fmt::format(" ({} kernels)", kernel)),
          a.cost,
          advice(a),
          with_equals(a.best == a.usual ? "itself, the fastest" : best, a.equals.size()),
          names_of(a.equals),
          a.equals.size()};
}

Said against_default(const char* kind, bool shown, const Answer& a, const Held& held, const std::string& what,
                     const std::string& said) {
  return {kind, shown, a.usual->threads, held.shown(), a.usual->backend.shown(), what, held.cost, said};
}

/// Of each library as it picks its kernels the operation that is furthest from the default stands on the page, the
/// faster ones before the slower.
void add_operations(const std::vector<Answer>& answers, std::vector<Said>& rows) {
  std::size_t left = most_shown - std::min(most_shown, rows.size());
  for (const bool faster : {true, false})
    for (auto a = answers.rbegin(); a != answers.rend(); ++a) {
      const std::vector<Held> side =
          where(a->noticed, [&](const Held& held) { return (held.cost.ratio < 1) == faster; });
      std::set<std::string> seen;
      for (const Held& held : side) {
        const Configuration& c = *held.configuration;
        const bool shown = left > 0 && c.backend.kernels.core.empty() && seen.insert(c.loaded.name).second;
        left -= shown;
        const std::size_t count = only(side, &Held::configuration, &c).size();
        const std::string worst =
            shown && count > 1 ? fmt::format(", worst of {} operations", count) : std::string();
        rows.push_back(against_default(
            "operation", shown, *a, held,
            fmt::format("{}{}: {}", held.shown(), worst, operation(held.operation).title), reason_of(held)));
      }
    }
}

}  // namespace

std::vector<Answer> answers_of(const std::vector<Configuration>& all, const std::vector<Row>& rows,
                               const std::string& baseline) {
  const double fewest = least(all, &Configuration::threads), most = perp::most(all, &Configuration::threads);
  std::vector<Answer> answers;
  for (const Configuration& c : all)
    if (const auto threads = static_cast<double>(c.threads); threads == fewest || threads == most)
      if (c.backend.shown() == baseline && !c.rounds.empty()) answers.push_back(answer_at(all, rows, c));
  return answers;
}

Table answer_table(const std::vector<Answer>& answers, const std::string& own) {
  std::vector<Said> rows;
  for (const Answer& a : answers) rows.push_back(default_row(a));
  for (const Answer& a : answers)
    for (const Held& held : a.overall)
      if (const Backend& b = held.configuration->backend;
          !own.empty() && b.name == a.usual->backend.name && same_core(b.kernels.core, own))
        rows.push_back(against_default("own", true, a, held, "kernels that this library takes: " + b.shown(),
                                       own_advice(held)));
  add_operations(answers, rows);
  return table_of(
      "answer.csv", rows,
      {exact("kind", "default, own or operation", &Said::kind),
       exact("shown", "1 for the rows of the page", &Said::shown),
       exact("threads", "threads", &Said::threads), exact("backend", "whose time it is", &Said::backend),
       sampled("best", "the fastest, or the default, against which its time is held", &Said::best),
       sampled("equal", "how many are not told apart from that", &Said::equal),
       sampled("what", "which configuration, and the operation where it is not all of them", &Said::what),
       sampled("against", "what its time is held against", &Said::against),
       sampled("equals", "what is not told apart from the one that it is held against", &Said::equals),
       sampled("takes", "its time over the other's, geometric mean",
               [](const Said& s) { return s.cost.estimate(); })
           .interval("low", "high", "Student's t over rounds, for all comparisons at once"),
       sampled("told", "whether the two are told apart, adjusted by Holm",
               [](const Said& s) { return yes(s.cost.told()); }),
       sampled("advice", "what to do, or why", &Said::advice)});
}

}  // namespace perp::bench
