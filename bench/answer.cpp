#include "bench/answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "bench/best.hpp"
#include "perp/base/error.hpp"
#include "perp/base/kernels.hpp"
#include "perp/statistics/holm.hpp"

namespace perp::bench {
namespace {

constexpr std::size_t most_shown = 8;

bool calls_blas(const Row& row) { return row.operation != "positions" && row.operation != "normals"; }

bool is_right(const Configuration& c) {
  return std::ranges::none_of(c.checks, [](const auto& check) { return check.second.status == "failed"; });
}

std::vector<const Configuration*> with_threads(const std::vector<Configuration>& all, std::size_t threads) {
  std::vector<const Configuration*> chosen;
  for (const Configuration& c : all)
    if (c.threads == threads && is_right(c)) chosen.push_back(&c);
  return chosen;
}

/// What is compared: every row that the default ran and that calls a BLAS.
std::vector<Row> compared(const std::vector<Row>& rows, const Configuration& usual) {
  std::vector<Row> kept;
  for (const Row& row : rows)
    if (calls_blas(row) && usual.rounds.contains(row.name())) kept.push_back(row);
  return kept;
}

/// Debian's package or the folder given, and the variable; "nothing" for what the loader takes.
std::string to_have(const Configuration& wanted, const Configuration& usual) {
  std::string text;
  if (wanted.backend.name != usual.backend.name) text = fmt::format("install {}", wanted.backend.package());
  if (!wanted.backend.core.empty())
    text += fmt::format("{}set {}={}", text.empty() ? "" : ", ", wanted.backend.core_variable,
                        wanted.backend.core_value);
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
  std::vector<double> p;
  for (std::size_t i = 0; i < family.size(); ++i) {
    family[i].cost = paired_contrast(ratios[i], false_alarms / static_cast<double>(family.size()));
    p.push_back(family[i].cost.p);
  }
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < family.size(); ++i)
    family[i].told = verdict(family[i].cost, adjusted[i]) != "not told apart";
  return family;
}

namespace {

Answer answer_at(const std::vector<Configuration>& all, const std::vector<Row>& rows,
                 const Configuration& usual) {
  const std::vector<const Configuration*> candidates = with_threads(all, usual.threads);
  const std::vector<Row> part = compared(rows, usual);
  Answer answer{&usual, &usual, {1, 1, 1, 0, 1, 0}};
  answer.overall = held_against(usual, candidates, part, false);
  double least = is_right(usual) ? 1 : std::numeric_limits<double>::infinity();
  for (const Held& held : answer.overall)
    if (held.cost.ratio < least) {
      least = held.cost.ratio;
      answer.best = held.configuration;
      answer.cost = {1 / held.cost.ratio, 1 / held.cost.high, 1 / held.cost.low,
                     held.cost.spread,    held.cost.p,        held.cost.rounds};
      answer.told = held.told;
    }
  answer.equals = held_against(*answer.best, candidates, part, false);
  std::erase_if(answer.equals, &Held::told);
  answer.noticed = held_against(usual, candidates, part, true);
  std::erase_if(answer.noticed, [](const Held& held) {
    const bool by_much = held.cost.ratio >= noticed || held.cost.ratio <= 1 / noticed;
    return !held.told || !by_much || held.configuration->backend.repeats;
  });
  std::ranges::stable_sort(answer.noticed, {}, [](const Held& held) {
    return std::pair{held.cost.ratio > 1, -std::abs(std::log(held.cost.ratio))};
  });
  return answer;
}

/// What the first rows advise.
std::string advice(const Answer& answer) {
  const std::string have = to_have(*answer.best, *answer.usual);
  if (!is_right(*answer.usual)) return fmt::format("{}: the default is wrong", have);
  if (!answer.told) return "nothing; you would notice no difference";
  return answer.cost.ratio >= noticed ? have : have + "; it gains less than you would notice";
}

std::string own_advice(const Held& held) {
  if (!held.told) return "not told apart: they stay";
  return held.cost.ratio < 1 ? "they are the faster ones"
                             : "slower; the table of kernels is fixed within an edition";
}

std::string names_of(const std::vector<Held>& list) {
  std::vector<std::string> names;
  for (const Held& held : list) names.push_back(held.configuration->backend.shown());
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::vector<Answer> answers_of(const std::vector<Configuration>& all, const std::vector<Row>& rows,
                               const std::string& baseline) {
  std::vector<Answer> answers;
  if (all.empty()) return answers;
  const auto [fewest, most] = std::ranges::minmax_element(all, {}, &Configuration::threads);
  for (const Configuration& c : all)
    if (c.threads == fewest->threads || c.threads == most->threads)
      if (c.backend.shown() == baseline && !c.rounds.empty()) answers.push_back(answer_at(all, rows, c));
  return answers;
}

Table answer_table(const std::vector<Answer>& answers, const std::string& own) {
  Table table{
      "answer.csv",
      {{"kind", "", Kind::exact, "default, own or operation"},
       {"shown", "1", Kind::exact, "1 for the rows of the page"},
       {"threads", "1", Kind::exact, "threads"},
       {"backend", "", Kind::exact, "whose time it is"},
       {"best", "", Kind::sampled, "the fastest, or the default, against which its time is held"},
       {"equal", "1", Kind::sampled, "how many are not told apart from that"},
       {"what", "", Kind::sampled, "which configuration, and the operation where it is not all of them"},
       {"against", "", Kind::sampled, "what its time is held against"},
       {"equals", "", Kind::sampled, "what is not told apart from the one that it is held against"},
       {"takes", "1", Kind::sampled, "its time over the other's, geometric mean", "low", "high"},
       {"low", "1", Kind::sampled, "Student's t over rounds, for all comparisons at once"},
       {"high", "1", Kind::sampled, "Student's t over rounds, for all comparisons at once"},
       {"told", "", Kind::sampled, "whether the two are told apart, adjusted by Holm"},
       {"advice", "", Kind::sampled, "what to do, or why"}},
      {}};
  const auto yes = [](bool told) { return std::string(told ? "yes" : "no"); };
  for (const Answer& a : answers) {
    const std::string best = a.best->backend.shown(), kernel = a.usual->loaded.kernel;
    table.add({std::string("default"), whole(1), whole(a.usual->threads), a.usual->backend.shown(), best,
               whole(a.equals.size()),
               fmt::format("the default: {}{}", a.usual->backend.shown(),
                           kernel.empty() ? "" : fmt::format(" ({} kernels)", kernel)),
               with_equals(a.best == a.usual ? "itself, the fastest" : best, a.equals.size()),
               names_of(a.equals), a.cost.ratio, a.cost.low, a.cost.high, yes(a.told), advice(a)});
  }
  const auto against_default = [&](const char* kind, bool shown, const Answer& a, const Held& held,
                                   const std::string& what, const std::string& said) {
    table.add({std::string(kind), whole(shown), whole(a.usual->threads), held.configuration->backend.shown(),
               a.usual->backend.shown(), whole(0), what, std::string("the default"), std::string(),
               held.cost.ratio, held.cost.low, held.cost.high, yes(held.told), said});
  };
  for (const Answer& a : answers)
    for (const Held& held : a.overall)
      if (const Backend& b = held.configuration->backend;
          !own.empty() && b.name == a.usual->backend.name && same_core(b.core, own))
        against_default("own", true, a, held, "kernels that this library takes: " + b.shown(),
                        own_advice(held));
  std::size_t left = most_shown - std::min(most_shown, table.rows.size());
  // Of each library as it picks its kernels the operation that is furthest from the default stands on the page.
  for (const bool faster : {true, false})
    for (auto a = answers.rbegin(); a != answers.rend(); ++a) {
      std::set<std::string> seen;
      for (const Held& held : a->noticed) {
        const Configuration& c = *held.configuration;
        if ((held.cost.ratio < 1) != faster) continue;
        const bool shown = left > 0 && c.backend.core.empty() && seen.insert(c.loaded.name).second;
        left -= shown;
        const auto count = std::ranges::count_if(a->noticed, [&](const Held& other) {
          return other.configuration == &c && (other.cost.ratio < 1) == faster;
        });
        against_default("operation", shown, *a, held,
                        fmt::format("{}{}: {}", c.backend.shown(),
                                    shown && count > 1 ? fmt::format(", worst of {} operations", count) : "",
                                    operation(held.operation).title),
                        reason_of(held));
      }
    }
  return table;
}

}  // namespace perp::bench
