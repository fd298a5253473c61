// A3: QᵀK has to score four kinds of pairs: one matrix fitted to four independent tables.

#include <algorithm>
#include <cmath>
#include <functional>

#include "perp/theory/angles.hpp"
#include "perp/theory/bilinear.hpp"
#include "studies/capacity/a3_measure.hpp"
#include "studies/capacity/a3_real.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// What a sum leaves above what its parts leave apart, as a share of the scores' energy, from which jobs are
/// traded off against one another.
constexpr double traded_off = 0.1;

using Residuals = Group<FitResidual>;

double law(const FitResidual& r) {
  return r.positions == "random" ? theory::added_residual(r.v, r.l, drawn_width, sinusoid_power) : NAN;
}
double expected(const Residuals& group) { return group.mean(&FitResidual::expected); }

const auto load = exact("load", "(V+L)/d, d = 64", &FittedTables::load);
const auto ratio = exact("ratio", "words per position, V/L, about", &FittedTables::ratio);
const auto positions =
    exact("positions", "sinusoidal or random: power half the word's", &FitResidual::positions);
const auto residual =
    mean("residual",
         "share of the scores' squared norm that no matrix fits; theory: mean over targets, given the tables",
         &FitResidual::residual)
        .interval("low", "high", "Student's t, 99%")
        .theory(expected);
const auto cutoff =
    exact("cutoff", "singular values below this share of the largest count as 0", &FitResidual::cutoff);
const auto digits = exact(
    "cutoff", "", [](const FitResidual& r) { return fmt::format("cutoff{:.0f}", -std::log10(r.cutoff)); });
const auto v = exact("v", "words", &FitResidual::v);
const auto l = exact("l", "positions", &FitResidual::l);
const auto line = rounded("line", "closed form for random positions; empty for others", law);
const auto replicates = rows_in<FitResidual>("replicates", "draws of words, positions and targets");
const auto gain =
    mean("gain", "relative error of the fitted scores over that of the sums; theory: orthonormal sums",
         &FitResidual::gain)
        .chance(1);

/// Curves as runs of rows: by everything but the load, which the cells already ascend in.
void add_table(std::vector<Residuals> groups, Summary& summary) {
  std::ranges::stable_sort(groups, {}, [](const Residuals& group) {
    const FitResidual& r = group.front();
    return std::tuple(r.ratio, r.positions, -r.cutoff);
  });
  summary.table("a3_load.csv", groups,
                {load, ratio, v, l, positions, cutoff, residual, line, gain, replicates});
}

/// The groups at these places: positions, load and ratio.
using Place = std::tuple<std::string_view, double, std::size_t>;
std::vector<Residuals> at(const std::vector<Residuals>& groups, std::initializer_list<Place> places) {
  return where(groups, [&](const Residuals& group) {
    const FitResidual& r = group.front();
    return r.cutoff == usual_cutoff && std::ranges::count(places, Place{r.positions, r.load, r.ratio});
  });
}

void add_loads(const std::vector<Residuals>& groups, Summary& summary) {
  summary.each(
      at(groups,
         {{"sinusoidal", .5, 1}, {"sinusoidal", 1, 1}, {"random", 1, 1}, {"random", 2, 1}, {"random", 2, 8}}),
      {positions, load, ratio}, {residual});
  summary.each(at(groups, {{"sinusoidal", .5, 1}, {"random", .5, 1}, {"random", 1, 1}}),
               {positions, load, ratio}, {gain});
  // Sinusoids are of full rank and fit exactly, in exact arithmetic: what is left is a number of the cutoff.
  const auto swept = where(groups, [](const Residuals& group) {
    const FitResidual& r = group.front();
    return r.load == 1 && r.ratio == 1 && r.positions == "sinusoidal";
  });
  summary.each(swept, {positions, digits},
               {residual.as("residual_at",
                            "Residual of 32 words and 32 positions, singular values below 1e-4, 1e-6, 1e-9 "
                            "or 1e-12 of the largest counted as 0.")});
}

/// Random positions in closed form, in so many dimensions.
constexpr std::size_t line_width = 64000;
struct Mix {
  std::size_t ratio, v, l;
};

void add_line(Summary& summary) {
  std::vector<Mix> line;
  for (const std::size_t ratio : {1U, 8U})
    for (std::size_t step = 10; step <= 160; step += 2) {
      const std::size_t rows = step * line_width / 40, l = rows / (ratio + 1);
      line.push_back({ratio, rows - l, l});
    }
  summary.table(
      "a3_line.csv", line,
      {exact("ratio", "words per position", &Mix::ratio),
       exact("load", "(V+L)/d, d = 64,000", [](const Mix& m) { return double(m.v + m.l) / line_width; }),
       rounded("adding", "expected residual, random positions of half the word's power",
               [](const Mix& m) { return theory::added_residual(m.v, m.l, line_width, sinusoid_power); }),
       rounded("apart", "what words and positions leave, each in all d dimensions",
               [](const Mix& m) { return theory::split_residual(m.v, m.l, line_width, line_width); })});
}

/// Fits that must be exact are, and those that must not be are not.
void add_exactness(const std::vector<BoundaryFit>& boundary, const std::vector<FitResidual>& load,
                   Summary& summary) {
  const auto sums = where(boundary, [](const BoundaryFit& b) { return b.match == "sums" && suffices(b); });
  const auto added = where(load, [](const FitResidual& r) { return r.positions == "random" && r.load <= 1; });
  add_overall(summary, "exact_error", {},
              std::max(most(sums, &BoundaryFit::error), most(added, &FitResidual::error)),
              sums.size() + added.size(),
              "Largest relative error of the fitted scores, random positions added, V + L - 1 at most d.",
              0.0, Kind::sampled);
  add_overall(summary, "boundary", {}, double(count_if(boundary, departs)), boundary.size(),
              "Fits around V + L = d that are exact where they should not be, or not where they should: "
              "V+L-1 for sums, V+L for four blocks, V+L-2 centred.",
              0.0, Kind::exact);
}

void add_gains(const std::vector<SubspaceGain>& rows, Summary& summary) {
  const auto groups = group_by(rows, &SubspaceGain::load);
  const auto load = exact("load", "(V+L)/d", &SubspaceGain::load);
  const auto line = [](const SubspaceGain& g) {
    return 1 / theory::least_singular_value(theory::largest_cosine_expected(g.d, g.v, g.l));
  };
  const auto worst = mean("worst",
                          "1 over the least singular value of orthonormal words and positions in random "
                          "subspaces, three to one; theory: from the expected largest cosine",
                          [](const SubspaceGain& g) { return 1 / g.least; })
                         .interval("low", "high", "Student's t, 99%")
                         .theory(line);
  summary.table(
      "a3_gain.csv", groups,
      {load, exact("d", "dimension", &SubspaceGain::d), exact("v", "orthonormal words", &SubspaceGain::v),
       exact("l", "orthonormal positions", &SubspaceGain::l), worst,
       rounded("line", "1/sqrt(1 - expected largest cosine)", line),
       exact("split", "the same in separate dimensions", [](const SubspaceGain&) { return 1; }),
       rows_in<SubspaceGain>("replicates", "pairs of random subspaces")});
  const auto told = where(groups, [](const Group<SubspaceGain>& group) {
    const double load = group.front().load;
    return load == .25 || load == .75 || load == .9375;
  });
  summary.each(told, {load}, {worst.as("worst_gain")});
}

/// No trade-off, at a model's own size; where there is room for everything, there is none.
Rule rule() {
  Rule rule;
  for (const auto& [id, rank, of] :
       {std::tuple{"rank16", "16", "words of rank 16 and sinusoids, scored by Gram matrix and distance"},
        {"full", "full", "independent targets, random positions"}})
    for (const double power : judged_powers)
      rule.push_back(condition(
          Role::core, fmt::format("above_alone.{}.power{}", id, power), Is::below, traded_off,
          Evidence::closed_form,
          {{"rank of what is asked", rank}, {"power of positions over words", fmt::format("{}", power)}},
          fmt::format("share of the scores' squared norm that a sum leaves above what words alone and "
                      "positions alone leave: {}, at {} times the words' power",
                      of, power)));
  rule.push_back(condition(Role::limit, "exact_error", Is::below, exact_error, Evidence::theorem, {}));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const auto rows = rows_of<FitResidual>(cells);
  const auto groups =
      group_by(rows, &FitResidual::load, &FitResidual::ratio, &FitResidual::positions, &FitResidual::cutoff);
  add_table(groups, summary);
  add_line(summary);
  add_exactness(rows_of<BoundaryFit>(cells), rows, summary);
  add_loads(groups, summary);
  add_gains(rows_of<SubspaceGain>(cells), summary);
  add_real(cells, summary);
  summary.rule = rule();
}

double cost_of(double rows, double d, double fits) {
  return 1e-9 * fits * (8 * rows * d * d + 4 * rows * rows * d);
}

using Sizes = std::vector<std::size_t>;

std::vector<FittedTables> loads(Preset preset, std::size_t replicates) {
  using Loads = std::vector<double>;
  std::vector<FittedTables> cells;
  for (const double load : pick<Loads>(preset, {.5, 1, 2}, {.25, .5, .75, .9, 1, 1.25, 1.5, 2, 3, 4},
                                       {.25, .5, .75, .9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4}))
    for (const std::size_t ratio : {1U, 8U}) {
      const double rows = load * drawn_width;
      const std::size_t l = std::lround(rows / double(ratio + 1)), v = std::lround(rows) - l;
      for (std::size_t r = 0; r < replicates && l >= 2; ++r) cells.push_back({"load", load, ratio, v, l, r});
    }
  return cells;
}

}  // namespace

Experiment four_jobs(const Options& options, const SharedWords& words) {
  Experiment claim{
      "A3", "One matrix QᵀK has to score four kinds of pairs; in high dimension there is no trade-off.",
      "[d]", words->hashes};
  const auto by_preset = std::bind_front(pick<std::size_t>, options.preset);
  claim.measure(
      loads(options.preset, by_preset(3, 8, 32)),
      [](const FittedTables& at) { return cost_of(at.load * drawn_width, drawn_width, 4); }, measure_load);
  claim.measure(
      grid<BoundaryWidth>(
          "boundary", pick<Sizes>(options.preset, {16, 64}, {16, 64, 256}, {16, 64, 256, 512}), Sizes{1, 7}),
      [](const BoundaryWidth& at) { return cost_of(at.d, at.d, 40); }, measure_boundary);
  const std::vector loads_below_one{.25, .5, .625, .75, .8125, .875, .9375};
  claim.measure(grid<SubspacePairs>("gain", by_preset(128, 256, 512), loads_below_one, by_preset(2, 8, 16)),
                cost_of(256, 256, 8), measure_gain);
  measure_low_ranks(claim);
  measure_models(claim, options.preset);
  measure_smooth(claim, options.preset, words);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::capacity
