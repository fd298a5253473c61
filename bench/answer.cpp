#include "bench/answer.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "perp/base/error.hpp"

namespace perp::bench {
namespace {

bool is_right(const Configuration& c) {
  return c.fault.empty() &&
         std::ranges::none_of(c.checks, [](const auto& check) { return check.second.status == "failed"; });
}

/// The time of one configuration over that of another, round by round: geometric mean over operations, each that over its
/// rows. Empty unless both ran every row.
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

/// Every configuration of `all` that ran the rows, but `base` itself; a family of tests. `by_operation`: each operation is a
/// test of its own.
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

Answer answer_at(const std::vector<Configuration>& all, const std::vector<Row>& rows,
                 const Configuration& usual) {
  std::vector<const Configuration*> candidates;
  for (const Configuration& c : all)
    if (c.threads == usual.threads && is_right(c)) candidates.push_back(&c);
  std::vector<Row> compared = rows;
  std::erase_if(compared, [&](const Row& row) { return !usual.rounds.contains(row.name()); });
  Answer answer{&usual, &usual};
  answer.overall = held_against(usual, candidates, compared, false);
  answer.operations = held_against(usual, candidates, compared, true);
  double least = is_right(usual) ? 1 : INFINITY;
  for (const Held& held : answer.overall)
    if (held.cost.ratio < least) {
      least = held.cost.ratio;
      answer.best = held.configuration;
      answer.cost = held.cost.inverse();
    }
  answer.equals = held_against(*answer.best, candidates, compared, false);
  std::erase_if(answer.equals, [](const Held& held) { return held.cost.told(); });
  return answer;
}

/// The best, or what is not told apart from it and needs nothing installed: the default's library with other kernels.
const Configuration& easiest(const Answer& answer) {
  const Backend& usual = answer.usual->backend;
  if (answer.best->backend.name == usual.name) return *answer.best;
  const Held* least = nullptr;
  for (const Held& held : answer.equals)
    if (held.configuration->backend.name == usual.name && held.configuration != answer.usual &&
        (!least || held.cost.ratio < least->cost.ratio))
      least = &held;
  return least ? *least->configuration : *answer.best;
}

}  // namespace

std::string Answer::act() const {
  if (!is_right(*usual)) return "wrong";
  if (!cost.told()) return cost.high >= noticed ? "unclear" : "nothing";
  if (cost.ratio < noticed) return "little";
  return easiest(*this).backend.name == usual->backend.name ? "set" : "install";
}

std::string Answer::what() const {
  if (const std::string now = act(); now == "nothing" || now == "unclear" || now == "little")
    return "nothing";
  const Backend& wanted = easiest(*this).backend;
  const std::string variable = wanted.kernels.core.empty()
                                   ? std::string()
                                   : fmt::format("{}={}", wanted.kernels.variable, wanted.kernels.value);
  if (wanted.name == usual->backend.name) return variable;
  return variable.empty() ? wanted.package() : fmt::format("{} and {}", wanted.package(), variable);
}

std::vector<Answer> answers_of(const std::vector<Configuration>& all, const std::vector<Row>& rows,
                               const std::string& baseline) {
  const auto [fewest, most] = std::ranges::minmax_element(all, {}, &Configuration::threads);
  std::vector<Answer> answers;
  for (const Configuration& c : all)
    if (c.threads == fewest->threads || c.threads == most->threads)
      if (c.backend.shown() == baseline && !c.rounds.empty()) answers.push_back(answer_at(all, rows, c));
  return answers;
}

}  // namespace perp::bench
