// D10: is every base above the least good one good? Bases T of rotary positions that keep Σ_i cos(m
// T^(-2i/d)) above 0 at every lag m of a context, and what a closed form says of them.

#include <algorithm>
#include <cmath>

#include "perp/study/claim.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d10_measure.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t widths[] = {64, 128, 256, 1024};
/// The context and the widths that the claim is judged by, and contexts where it may end.
constexpr std::size_t judged = 4096, beside[] = {512, 2048};
/// Exact bases beside what theory says.
struct Exact : Bases {
  theory::BaseEstimate law;
};
struct Grid : GridBases {
  theory::BaseEstimate law;
};

std::vector<Exact> with_laws(const std::vector<Bases>& bases) {
  std::vector<Exact> exact;
  for (const Bases& row : bases) exact.push_back({row, theory::base_estimate(row.d, row.l, row.tolerance)});
  return exact;
}

/// Least and safe base of an item, beside the closed form's for finite d.
template <class Item>
auto least_base(const char* meaning) {
  return rounded("least", meaning, [](const Item& at) { return at.least; })
      .theory("least_law", "the least base by the closed form", [](const Item& at) { return at.law.least; });
}
template <class Item>
auto safe_base(const char* meaning) {
  return rounded("safe", meaning, [](const Item& at) { return at.safe; })
      .theory("safe_law", "the safe base by the closed form", [](const Item& at) { return at.law.safe; });
}

void add_exact(const std::vector<Exact>& all, Summary& summary) {
  const auto d = exact("d", "dimension", &Bases::d);
  const auto l = exact("l", "L, the context: lags 1 to L", &Bases::l).unit("positions");
  const auto least =
      least_base<Exact>(
          "least base T with g(m) >= 0 at every lag m from 1 to L; theory: the closed form for finite d")
          .n(&Bases::l);
  const auto safe =
      safe_base<Exact>(
          "least base T from which on every base to 10^9 is good; theory: the closed form for finite d")
          .n(&Bases::l);
  const auto bad =
      counted("bad", "intervals of bad bases between the least good base and 10^9", &Bases::bad).n(&Bases::l);
  summary.table("d10_bases.csv", all, {d, l, least, safe, bad});
  summary.each(where(all, [](const Exact& e) { return std::ranges::count(beside, e.l) > 0; }), {l, d}, {bad});
  summary.each(only(all, &Bases::l, judged), {l, d}, {least, safe, bad});
}

void add_grid(const Cells& cells, Summary& summary) {
  std::vector<Grid> found;
  for (const auto& reached : group_by(rows_of<Reached>(cells), &Reached::d))
    for (std::size_t length = 2 * longest_exact; length <= reached.front().longest; length *= 2)
      found.push_back({on_grid(reached, length), theory::base_estimate(reached.front().d, length)});
  const auto d = exact("d", "dimension", &GridBases::d);
  const auto l = exact("l", "L, the context", &GridBases::l).unit("positions");
  summary.table("d10_grid.csv", found,
                {d, l, exact("per_octave", "bases to each doubling of T", &GridBases::per_octave),
                 least_base<Grid>("T, the least good base of the grid; absent: none to 10^9"),
                 safe_base<Grid>("T, the least base of the grid from which on all are good"),
                 counted("bad", "runs of bad bases of the grid above the least good one", &GridBases::bad)});
}

/// The lines through and beyond what is measured.
struct Law {
  std::size_t d, l;
  theory::BaseEstimate law;
};

void add_laws(Summary& summary) {
  std::vector<Law> laws;
  for (const std::size_t d : widths)
    for (std::size_t l = shortest_context; l <= longest_context; l *= 2)
      laws.push_back({d, l, theory::base_estimate(d, l)});
  summary.table(
      "d10_laws.csv", laws,
      {exact("d", "dimension", &Law::d), exact("l", "L, the context", &Law::l).unit("positions"),
       exact("least", "T, the least base by the closed form", [](const Law& at) { return at.law.least; }),
       exact("safe", "T, the safe base by the closed form", [](const Law& at) { return at.law.safe; }),
       exact("limit", "L/.6165, both for d to infinity",
             [](const Law& at) { return theory::least_base_limit(at.l); }),
       exact("published", ".0424 L^1.628",
             [](const Law& at) { return theory::least_base_published(at.l); })});
}

void add_in_use(const Cells& cells, Summary& summary) {
  const auto placed = rows_of<Placed>(cells);
  const auto d = exact("d", "dimension of a head", &InUse::d);
  const auto base = exact("base", "T", &InUse::base);
  const auto to = counted("good_to", "longest context L for which the base keeps g(m) >= 0 at every lag to L",
                          &Placed::good_to)
                      .unit("positions");
  summary.table(
      "d10_models.csv", placed,
      {d, base, exact("model", "a model with it", &InUse::model),
       exact("context", "the context it was trained for; absent: no model is named",
             [](const InUse& at) { return at.context ? double(at.context) : NAN; })
           .unit("positions"),
       to,
       counted("nearly_to", "the same where g may fall to -.01 g(0)", &Placed::nearly_to).unit("positions")});
}

Rule rule() {
  Rule rule;
  for (const std::size_t length : {judged, beside[0], beside[1]})
    for (const std::size_t d : widths)
      rule.push_back(condition(length == judged ? Role::core : Role::limit,
                               fmt::format("bad.l{}.d{}", length, d), Is::equal, 0.0, Evidence::closed_form,
                               {{"L", fmt::format("{}", length)}, {"d", fmt::format("{}", d)}}));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  add_exact(with_laws(rows_of<Bases>(cells)), summary);
  add_grid(cells, summary);
  add_laws(summary);
  add_in_use(cells, summary);
  summary.rule = rule();
}

const std::vector<InUse> in_use = {{"in use", "TinyLlama 1.1B", 64, 10000, 2048},
                                   {"in use", "SmolLM2 135M", 64, 100000, 8192},
                                   {"in use", "–", 64, 500000, 0},
                                   {"in use", "Qwen2.5 0.5B", 64, 1000000, 32768},
                                   {"in use", "Llama 2 7B", 128, 10000, 4096},
                                   {"in use", "–", 128, 100000, 0},
                                   {"in use", "Llama 3 8B", 128, 500000, 8192},
                                   {"in use", "Code Llama 7B", 128, 1000000, 16384}};

}  // namespace

Experiment base_for_context(const Options& options) {
  const Preset preset = options.preset;
  std::vector<Sieved> sieved;
  for (const std::size_t d : widths) {
    const bool head = d <= 128;
    sieved.push_back({"sieve", d, 0.0,
                      preset == Preset::long_ || (preset == Preset::full && head) ? longest_exact : judged});
  }
  std::vector<Gridded> gridded;
  for (const std::size_t d : widths)
    if (d <= 128 || preset == Preset::long_)
      gridded.push_back({"grid", d, pick<std::size_t>(preset, 4, 16, 32),
                         pick<std::size_t>(preset, 65536, longest_context, longest_context)});
  Experiment claim{"D10", "Above the least base that is good for a context, every base is good.", "(asked)"};
  claim.measure(
      sieved,
      [](const Sieved& at) { return 3e-11 * std::pow(double(at.longest), 1.8) * double(at.d) * 0.03; },
      measure_sieved);
  claim.measure(
      gridded, [](const Gridded& at) { return 3e-10 * double(at.longest * at.d * at.per_octave); },
      measure_gridded);
  claim.measure(in_use, 0.01, measure_in_use);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
