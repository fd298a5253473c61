#include "bench/answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "bench/best.hpp"
#include "perp/base/error.hpp"
#include "perp/base/kernels.hpp"

namespace perp::bench {
namespace {

constexpr std::size_t most_answers = 8;

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

std::string shown_with_kernel(const Configuration& c) {
  return c.loaded.kernel.empty() ? c.backend.shown()
                                 : fmt::format("{} ({} kernels)", c.backend.shown(), c.loaded.kernel);
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

}  // namespace

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

Answer answer_at(std::size_t threads, const std::vector<Configuration>& all, const std::vector<Row>& rows,
                 const Configuration& usual) {
  const std::vector<const Configuration*> candidates = with_threads(all, threads);
  const std::vector<Row> part = compared(rows, usual);
  Answer answer{&usual, &usual, {1, 1, 1, 0, 1, 0}};
  double least = is_right(usual) ? 1 : std::numeric_limits<double>::infinity();
  for (const Held& held : held_against(usual, candidates, part, false))
    if (held.cost.ratio < least) {
      least = held.cost.ratio;
      answer.best = held.configuration;
      answer.cost = {1 / held.cost.ratio, 1 / held.cost.high, 1 / held.cost.low,
                     held.cost.spread,    held.cost.p,        held.cost.rounds};
      answer.told = held.told;
    }
  for (const Held& held : held_against(*answer.best, candidates, part, false))
    if (!held.told) answer.equals.push_back(held.configuration->backend.shown());
  for (const Held& held : held_against(usual, candidates, part, true)) {
    if (!held.told || held.configuration->backend.repeats) continue;
    if (held.cost.ratio >= noticed) answer.slower.push_back(held);
    if (held.cost.ratio <= 1 / noticed) answer.faster.push_back(held);
  }
  const auto further = [](const Held& a, const Held& b) {
    return std::abs(std::log(a.cost.ratio)) > std::abs(std::log(b.cost.ratio));
  };
  std::ranges::stable_sort(answer.slower, further);
  std::ranges::stable_sort(answer.faster, further);
  return answer;
}

}  // namespace

std::vector<Answer> answers_of(const std::vector<Configuration>& all, const std::vector<Row>& rows,
                               const std::string& baseline) {
  std::set<std::size_t> threads;
  for (const Configuration& c : all) threads.insert(c.threads);
  if (threads.size() > 2) threads = {*threads.begin(), *threads.rbegin()};
  std::vector<Answer> answers;
  for (const std::size_t n : threads)
    for (const Configuration& c : all)
      if (c.threads == n && c.backend.shown() == baseline && !c.rounds.empty())
        answers.push_back(answer_at(n, all, rows, c));
  return answers;
}

namespace {

/// What the first rows advise.
std::string advice(const Answer& answer) {
  if (!is_right(*answer.usual))
    return fmt::format("{}: the default is wrong", to_have(*answer.best, *answer.usual));
  if (!answer.told) return "nothing; you would notice no difference";
  const std::string have = to_have(*answer.best, *answer.usual);
  return answer.cost.ratio >= noticed ? have : have + "; it gains less than you would notice";
}

std::string own_advice(const Held& held) {
  if (!held.told) return "not told apart: they stay";
  return held.cost.ratio < 1 ? "they are the faster ones"
                             : "slower; the table of kernels is fixed within an edition";
}

/// Of each library, as it picks its kernels, the operation that is furthest from the default, with how many more.
std::vector<std::pair<Held, std::size_t>> furthest(const std::vector<Held>& noticed_ones) {
  std::vector<std::pair<Held, std::size_t>> list;
  for (const Held& held : noticed_ones) {
    if (!held.configuration->backend.core.empty()) continue;
    const auto same = [&](const auto& entry) {
      return entry.first.configuration->loaded.name == held.configuration->loaded.name;
    };
    const auto it = std::ranges::find_if(list, same);
    if (it == list.end())
      list.emplace_back(held, 0);
    else
      it->second += it->first.configuration == held.configuration;
  }
  return list;
}

}  // namespace

Table answer_table(const std::vector<Answer>& answers, const std::vector<Configuration>& all,
                   const std::vector<Row>& rows, const std::string& own) {
  Table table{
      "answer.csv",
      {{"kind", "", Kind::exact, "default, own or operation"},
       {"all", "1", Kind::exact, "1 for the most threads, 0 for the fewest"},
       {"threads", "1", Kind::exact, "threads"},
       {"backend", "", Kind::exact, "whose time it is"},
       {"best", "", Kind::sampled, "what its time is held against"},
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
  const auto add = [&](const char* kind, const Answer& of, const Configuration& backend, std::string what,
                       std::string advice, const Contrast& cost, bool told) {
    const bool usual = kind == std::string_view("default");
    const std::string best = usual ? of.best->backend.shown() : of.usual->backend.shown();
    const std::vector<std::string> equals = usual ? of.equals : std::vector<std::string>{};
    table.add({std::string(kind), whole(&of == &answers.back()), whole(of.usual->threads),
               backend.backend.shown(), best, whole(equals.size()), std::move(what),
               usual && of.best == of.usual ? with_equals("itself, the fastest", equals.size())
               : usual                      ? with_equals(best, equals.size())
                                            : std::string("the default"),
               joined(equals), cost.ratio, cost.low, cost.high, std::string(told ? "yes" : "no"),
               std::move(advice)});
  };
  for (const Answer& a : answers)
    add("default", a, *a.usual, fmt::format("the default: {}", shown_with_kernel(*a.usual)), advice(a),
        a.cost, a.told);
  for (const Answer& a : answers)
    for (const Held& held :
         held_against(*a.usual, with_threads(all, a.usual->threads), compared(rows, *a.usual), false))
      if (const Backend& b = held.configuration->backend;
          !own.empty() && b.name == a.usual->backend.name && same_core(b.core, own))
        add("own", a, *held.configuration, fmt::format("kernels that this library takes: {}", b.shown()),
            own_advice(held), held.cost, held.told);
  for (const bool faster : {true, false})
    for (auto a = answers.rbegin(); a != answers.rend(); ++a)
      for (const auto& [held, more] : furthest(faster ? a->faster : a->slower)) {
        if (table.rows.size() == most_answers) return table;
        add("operation", *a, *held.configuration,
            fmt::format("{}{}: {}", held.configuration->backend.shown(),
                        more == 0 ? std::string() : fmt::format(", worst of {} operations", more + 1),
                        called(held.operation)),
            reason_of(held), held.cost, held.told);
      }
  return table;
}

Table noticed_table(const std::vector<Answer>& answers) {
  Table table{
      "noticed.csv",
      {{"threads", "1", Kind::exact, "threads"},
       {"backend", "", Kind::exact, "library, with the core type it was asked for"},
       {"operation", "", Kind::exact, "operation"},
       {"ratio", "1", Kind::sampled, "its time over the default's", "low", "high"},
       {"low", "1", Kind::sampled, "Student's t over rounds, for all operations and libraries at once"},
       {"high", "1", Kind::sampled, "Student's t over rounds, for all operations and libraries at once"},
       {"why", "", Kind::exact, "as far as it is known"}},
      {}};
  for (const Answer& a : answers)
    for (const auto* list : {&a.faster, &a.slower})
      for (const Held& held : *list)
        table.add({whole(a.usual->threads), held.configuration->backend.shown(), std::string(held.operation),
                   held.cost.ratio, held.cost.low, held.cost.high, reason_of(held)});
  return table;
}

}  // namespace perp::bench
