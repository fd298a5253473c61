#include "bench/answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "perp/base/error.hpp"
#include "perp/base/kernels.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();
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
    if (row.through != Through::checked && calls_blas(row) && usual.rounds.contains(row.name()))
      kept.push_back(row);
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

std::string with_equals(const std::string& name, std::size_t equals) {
  return equals == 0 ? name : fmt::format("{} (+{} equal)", name, equals);
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
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

/// As the page names it.
std::string called(std::string_view operation) {
  static const std::map<std::string_view, std::string> names{{"gemm", "gemm: square products"},
                                                             {"gemm_tall", "gemm: words times positions"},
                                                             {"gemm_small", "gemm: small squares"},
                                                             {"gemm_skinny", "gemm: tall and skinny"},
                                                             {"syrk_skinny", "syrk: tall and skinny"},
                                                             {"syrk", "syrk: Gram matrices"},
                                                             {"gemv", "gemv: matrix times vector"},
                                                             {"ger", "ger: rank-one update"},
                                                             {"trsm", "trsm: triangular solve"},
                                                             {"potrf", "potrf: Cholesky"},
                                                             {"qr", "geqrf + orgqr: QR"},
                                                             {"svd_values", "gesdd: singular values"},
                                                             {"svd_thin", "gesdd: thin SVD"},
                                                             {"syevd", "syevd: symmetric eigenvectors"},
                                                             {"positions", "sinusoidal positions"},
                                                             {"normals", "normal numbers"},
                                                             {"cosine_histogram", "cosine histogram"},
                                                             {"angles", "principal angles"},
                                                             {"nearest_word", "nearest word"},
                                                             {"lag_statistics", "per-lag statistics"}};
  const auto it = names.find(operation);
  return it == names.end() ? std::string(operation) : it->second;
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

std::vector<Group> groups(const std::vector<ComparisonRow>& lines) {
  std::vector<Group> all;
  for (const ComparisonRow& l : lines) {
    if (!timed(l) || l.row.through == Through::checked) continue;
    auto it = std::ranges::find_if(all, [&](const Group& g) {
      return g.operation == l.row.operation && g.through == l.row.through && g.threads == l.threads();
    });
    if (it == all.end()) it = all.insert(all.end(), {l.row.operation, l.row.through, l.threads(), {}});
    it->rows.push_back(&l);
  }
  return all;
}

std::vector<std::pair<double, const Configuration*>> ranking(const Group& group) {
  std::vector<std::pair<double, const Configuration*>> ranking;
  std::map<const Configuration*, std::pair<double, std::size_t>> logs;
  std::size_t most = 0;
  for (const ComparisonRow* l : group.rows) {
    auto& [sum, count] = logs[l->configuration];
    sum += std::log(l->ratio);
    most = std::max(most, ++count);
  }
  // In the order of the lines, so that ties fall the same way each time.
  for (const ComparisonRow* l : group.rows)
    if (const auto it = logs.find(l->configuration); it != logs.end()) {
      if (it->second.second == most)
        ranking.emplace_back(std::exp(it->second.first / static_cast<double>(most)), it->first);
      logs.erase(it);
    }
  std::ranges::stable_sort(ranking, {}, [](const auto& entry) { return entry.first; });
  return ranking;
}

namespace {

/// "38% to 91%, median 80%", of the shapes; beyond the limit of memory an operand stayed in a cache.
std::string of_limit(const Group& group, const Configuration* winner) {
  std::vector<double> shares;
  for (const ComparisonRow* l : group.rows)
    if (l->configuration == winner) shares.push_back(l->roof_share);
  const auto text = [](double share) {
    return share > 1 ? std::string("in cache") : fmt::format("{:.0f}%", 100 * share);
  };
  const auto [low, high] = std::ranges::minmax(shares);
  if (text(low) == text(high)) return text(low);
  return fmt::format("{} to {}, median {}", text(low), text(high), text(median(shares)));
}

/// The fastest of an operation, those not told apart from it, and the first that is.
std::vector<Value> winner(const Group& group) {
  const auto ranked = ranking(group);
  const Configuration& first = *ranked.front().second;
  std::vector<const Configuration*> others;
  for (const auto& [ratio, c] : ranked) others.push_back(c);
  std::vector<Row> rows;
  for (const ComparisonRow* l : group.rows)
    if (l->configuration == &first) rows.push_back(l->row);
  std::vector<std::string> equals;
  std::string next = "–";
  double next_ratio = absent;
  for (const Held& held : held_against(first, others, rows, false))
    if (!held.told) {
      equals.push_back(held.configuration->backend.shown());
    } else if (std::isnan(next_ratio)) {
      next = held.configuration->backend.shown();
      next_ratio = held.cost.ratio;
    }
  return {first.backend.shown(),
          with_equals(first.backend.shown(), equals.size()),
          joined(equals),
          of_limit(group, &first),
          next,
          next_ratio};
}

}  // namespace

Table best_table(const std::vector<ComparisonRow>& lines) {
  Table table{"best.csv",
              {{"operation", "", Kind::exact, "operation"},
               {"what", "", Kind::exact, "what it does"},
               {"through", "", Kind::exact, "bare or own"},
               {"all", "1", Kind::exact, "1 for the most threads, 0 for the fewest"},
               {"threads", "1", Kind::exact, "threads"},
               {"winner", "", Kind::sampled,
                "backend with the smallest geometric mean of times over all shapes and types that all ran"},
               {"use", "", Kind::sampled, "the same, with the number of its equals"},
               {"equals", "", Kind::sampled, "those that are not told apart from it, adjusted by Holm"},
               {"limit", "", Kind::sampled, "its lowest, highest and median share of the limit, over shapes"},
               {"next", "", Kind::sampled, "the first that is told apart"},
               {"next_ratio", "1", Kind::sampled, "its time over the winner's"}},
              {}};
  std::size_t fewest = std::numeric_limits<std::size_t>::max(), most = 0;
  for (const ComparisonRow& l : lines) {
    fewest = std::min(fewest, l.threads());
    most = std::max(most, l.threads());
  }
  for (const Group& g : groups(lines)) {
    if (g.threads != fewest && g.threads != most) continue;
    std::vector<Value> row{std::string(g.operation), called(g.operation), std::string(to_text(g.through)),
                           whole(g.threads == most), whole(g.threads)};
    for (Value& value : winner(g)) row.push_back(std::move(value));
    table.add(std::move(row));
  }
  return table;
}

Table best_wide_table(const Table& best) {
  Table table{"best_wide.csv",
              {{"what", "", Kind::exact, "operation"},
               {"through", "", Kind::exact, "bare or own"},
               {"use_fewest", "", Kind::sampled, "use of best.csv, with the fewest threads"},
               {"limit_fewest", "", Kind::sampled, "limit of best.csv, likewise"},
               {"use_most", "", Kind::sampled, "use of best.csv, with the most threads"},
               {"limit_most", "", Kind::sampled, "limit of best.csv, likewise"}},
              {}};
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < best.rows.size(); ++i) {
    const std::string what = perp::to_text(best.at(i, "what"));
    const Value use = best.at(i, "use"), limit = best.at(i, "limit");
    if (const auto [it, is_new] = place.try_emplace(what, table.rows.size()); is_new) {
      table.add({what, best.at(i, "through"), use, limit, use, limit});
    } else {
      const std::size_t at = best.number(i, "all") == 1 ? 4 : 2;
      table.rows[it->second][at] = use;
      table.rows[it->second][at + 1] = limit;
    }
  }
  return table;
}

}  // namespace perp::bench
