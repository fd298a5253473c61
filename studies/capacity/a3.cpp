// A3: QᵀK has to score four kinds of pairs: one matrix fitted to four independent tables.

#include <algorithm>
#include <cmath>

#include "perp/theory/angles.hpp"
#include "perp/theory/bilinear.hpp"
#include "studies/capacity/a3_measure.hpp"
#include "studies/capacity/a3_real.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// Residual, as a share of the scores' energy, from which jobs are traded off against one another.
constexpr double traded_off = 0.1;
constexpr std::size_t known_words = 300, known_positions = 32;  // many words, few positions

using Residuals = Group<FitResidual>;

double adding_law(std::size_t v, std::size_t l, double power) {
  return theory::added_residual(v, l, drawn_width, power);
}
double split_law(std::size_t v, std::size_t l) {
  const std::size_t width = theory::best_split(v, l, drawn_width);
  return theory::split_residual(v, l, drawn_width - width, width);
}
/// Closed form for random positions; NaN for others.
double law(const FitResidual& r) {
  if (!r.positions.starts_with("random")) return NAN;
  if (r.table == "split") return split_law(r.v, r.l);
  return adding_law(r.v, r.l, r.positions == "random" ? sinusoid_power : 1);
}
double expected(const Residuals& group) { return group.mean(&FitResidual::expected); }

const auto load = exact("load", "(V+L)/d, d = 64", &FittedTables::load);
const auto ratio = exact("ratio", "words per position, V/L, about", &FittedTables::ratio);
const auto positions =
    exact("positions", "sinusoidal, centred, random: power half the word's; random_equal: the word's",
          &FitResidual::positions);
const auto table = exact("table", "adding, or the best split of the concatenation", &FitResidual::table);
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

void add_tables(const std::vector<Residuals>& loads, const std::vector<Residuals>& known, Summary& summary) {
  summary.table("a3_load.csv", loads,
                {load, ratio, v, l, positions, table, cutoff, residual, line, gain,
                 mean("ww", "residual of the word-word job", &FitResidual::ww),
                 mean("wp", "residual of word-position and position-word, mean", &FitResidual::wp),
                 mean("pp", "residual of the position-position job", &FitResidual::pp),
                 mean("ww_expected", "expected, word-word", &FitResidual::ww_expected),
                 mean("wp_expected", "expected, word-position", &FitResidual::wp_expected),
                 mean("pp_expected", "expected, position-position", &FitResidual::pp_expected), replicates});
  summary.table("a3_known.csv", known,
                {load, ratio, v, l, positions, table,
                 mean("width", "dimensions of positions, mean of replicates", &FitResidual::width), cutoff,
                 mean("rank", "singular values that count, mean", &FitResidual::rank), residual,
                 mean("expected", "mean over targets, given the tables", &FitResidual::expected), line, gain,
                 replicates});
}

/// The groups at these places: positions, table, load and ratio.
using Place = std::tuple<std::string_view, std::string_view, double, std::size_t>;
std::vector<Residuals> at(const std::vector<Residuals>& groups, std::initializer_list<Place> places) {
  return where(groups, [&](const Residuals& group) {
    const FitResidual& r = group.front();
    return r.cutoff == usual_cutoff &&
           std::ranges::count(places, Place{r.positions, r.table, r.load, r.ratio});
  });
}

void add_loads(const std::vector<Residuals>& groups, Summary& summary) {
  const auto told = at(groups, {{"sinusoidal", "adding", .5, 1},
                                {"sinusoidal", "adding", 1, 1},
                                {"sinusoidal", "split", 1, 1},
                                {"random", "adding", 1, 1},
                                {"random", "adding", 2, 1},
                                {"random", "split", 2, 1},
                                {"random", "adding", 2, 8},
                                {"random", "split", 2, 8}});
  summary.each(told, {positions, table, load, ratio}, {residual});
  summary.each(
      at(groups, {{"sinusoidal", "adding", .5, 1}, {"random", "adding", .5, 1}, {"random", "adding", 1, 1}}),
      {positions, table, load, ratio}, {gain});
  // Sinusoids are of full rank and fit exactly, in exact arithmetic: what is left is a number of the cutoff.
  const auto swept = where(groups, [](const Residuals& group) {
    const FitResidual& r = group.front();
    return r.load == 1 && r.ratio == 1 && r.table == "adding" && r.positions == "sinusoidal";
  });
  summary.each(swept, {positions, digits},
               {residual.as("residual_at",
                            "Residual of 32 words and 32 positions, singular values below 1e-4, 1e-6, 1e-9 "
                            "or 1e-12 of the largest counted as 0.")});
}

/// Adding less the best split, draw by draw: twice as many of both as dimensions, eight words per position.
void add_excess(const std::vector<FitResidual>& rows, Summary& summary) {
  const auto draws =
      only(rows, &FitResidual::positions, "random", &FitResidual::load, 2.0, &FitResidual::ratio, 8U);
  const auto adding = only(draws, &FitResidual::table, "adding"),
             split = only(draws, &FitResidual::table, "split");
  std::vector<double> excess;
  for (std::size_t i = 0; i < adding.size(); ++i) excess.push_back(adding[i].residual - split[i].residual);
  const FitResidual& r = adding.at(0);
  summary.number("excess", {{"positions", r.positions}, {"load", r.load}, {"ratio", whole(r.ratio)}},
                 estimated(excess),
                 {.theory = law(r) - law(split.at(0)),
                  .n = excess.size(),
                  .kind = Kind::sampled,
                  .meaning = "Residual of adding less that of the best split; above 0 concatenating scores "
                             "better."});
}

void add_known(const std::vector<Residuals>& groups, Summary& summary) {
  const auto equal = where(groups, [](const Residuals& group) {
    return group.front().positions == "random_equal" && group.front().table == "adding";
  });
  summary.each(equal, {positions, table, digits},
               {residual.as("known", "Residual of 300 words and 32 positions.")});
}

/// Random positions in closed form, in so many dimensions.
constexpr std::size_t line_width = 64000;
struct Mix {
  std::size_t ratio, v, l;
};

void add_line(Summary& summary) {
  std::vector<Mix> line;
  for (const std::size_t ratio : {1U, 8U, 32U})
    for (std::size_t step = 10; step <= 160; step += 2) {
      const std::size_t rows = step * line_width / 40, l = rows / (ratio + 1);
      line.push_back({ratio, rows - l, l});
    }
  const auto adding = [](const Mix& m) {
    return theory::added_residual(m.v, m.l, line_width, sinusoid_power);
  };
  const auto split = [](const Mix& m) {
    // A dimension serves 1/L of the positions or 1/V of the words, so the fewer come first.
    const std::size_t width = std::min(m.l, line_width - 1);
    return theory::split_residual(m.v, m.l, line_width - width, width);
  };
  summary.table(
      "a3_line.csv", line,
      {exact("ratio", "words per position", &Mix::ratio),
       exact("load", "(V+L)/d, d = 64,000", [](const Mix& m) { return double(m.v + m.l) / line_width; }),
       rounded("adding", "expected residual, random positions of half the word's power", adding),
       rounded("split", "expected residual of the best split", split)});
}

/// Fits that must be exact are, and those that must not be are not.
void add_exactness(const std::vector<BoundaryFit>& boundary, const std::vector<FitResidual>& load,
                   Summary& summary) {
  const auto sums = where(boundary, [](const BoundaryFit& b) { return b.match == "sums" && suffices(b); });
  const auto added = where(load, [](const FitResidual& r) {
    return r.positions == "random" && r.table == "adding" && r.load <= 1;
  });
  summary.number(
      "exact_error", {}, {std::max(most(sums, &BoundaryFit::error), most(added, &FitResidual::error))},
      {.theory = 0.0,
       .n = sums.size() + added.size(),
       .kind = Kind::sampled,
       .meaning = "Largest relative error of the fitted scores, random positions added, V + L - 1 at "
                  "most d."});
  summary.number(
      "boundary", {}, {double(count_if(boundary, departs))},
      {.theory = 0.0,
       .n = boundary.size(),
       .meaning = "Fits around V + L = d that are exact where they should not be, or not where they "
                  "should: V+L-1 for sums, V+L for four blocks, V+L-2 centred."});
}

/// Mean over replicates with its interval alone: no rule reads how it spreads.
template <class Row, class Get>
auto shown_mean(const char* name, const char* meaning, Get get) {
  return sampled(name, meaning,
                 [get](const Group<Row>& group) {
                   const Estimate mean = group.estimate(get);
                   return Estimate{mean.value, mean.low, mean.high, shown_level};
                 })
      .interval("low", "high", "Student's t, 99%")
      .n([](const Group<Row>& group) { return group.size(); });
}

void add_gains(const std::vector<SubspaceGain>& rows, Summary& summary) {
  const auto groups = group_by(rows, &SubspaceGain::load);
  const auto load = exact("load", "(V+L)/d", &SubspaceGain::load);
  const auto line = [](const SubspaceGain& g) {
    return 1 / theory::least_singular_value(theory::largest_cosine_expected(g.d, g.v, g.l));
  };
  const auto worst =
      shown_mean<SubspaceGain>("worst",
                               "1 over the least singular value of orthonormal words and positions in random "
                               "subspaces, three to one; theory: from the expected largest cosine",
                               [](const SubspaceGain& g) { return 1 / g.least; })
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
  summary.each(told, {load}, {worst.as("worst_gain", worst.about().meaning)});
}

void add_heads(const std::vector<HeadResidual>& rows, Summary& summary) {
  const auto groups = group_by(rows, &HeadResidual::positions, &HeadResidual::head);
  const auto line = [](const Group<HeadResidual>& group) { return group.mean(&HeadResidual::line); };
  const auto residual =
      shown_mean<HeadResidual>("residual", "share of the scores' energy left by the best one",
                               &HeadResidual::residual)
          .theory(line);
  summary.table("a3_heads.csv", groups,
                {exact("load", "(V+L)/d, d = 64, V = L", &HeadResidual::load),
                 exact("positions", "sinusoidal, centred, random", &HeadResidual::positions),
                 exact("head", "largest rank of the matrix", &HeadResidual::head), residual,
                 sampled("line", "quarter-circle law times what full rank keeps on average", line),
                 rows_in<HeadResidual>("replicates", "draws")});
}

/// Expected residual that no tables in d dimensions go below: they keep the d largest of the incidence's
/// squared singular values (theory/bilinear.hpp). More words than positions, d at most their number.
double least_residual(double v, double l, double d) {
  return theory::expected_residual(v + l + (d - 1) * v, 2 * v * l);
}

void add_model(Summary& summary) {
  constexpr std::size_t words = 50257, positions = 1024, d = 768;
  const auto add = [&](const char* measure, const Coordinates& at, double value, const char* meaning) {
    summary.number(measure, at, {value}, {.kind = Kind::rounded, .meaning = meaning});
  };
  add("model_least", {}, least_residual(words, positions, d),
      "Expected residual that no words and positions in 768 dimensions go below, 50,257 words and 1,024 "
      "positions, by the count of dimensions.");
  add("model_load", {}, double(words + positions) / d,
      "(50,257 + 1,024)/768: words and positions per dimension.");
  const char* model =
      "Expected share of the scores' squared norm that no matrix fits, independent targets, 50,257 words and "
      "1,024 random positions in 768 dimensions, closed form.";
  const std::size_t width = theory::best_split(words, positions, d);
  add("model", {{"table", "adding"}}, theory::added_residual(words, positions, d, sinusoid_power), model);
  add("model", {{"table", "split"}}, theory::split_residual(words, positions, d - width, width), model);
}

void conclude(const Cells& cells, Summary& summary) {
  const auto by_cell = [&](const char* what) {
    return only(rows_of<FitResidual>(cells), &FitResidual::what, what);
  };
  const auto load_rows = by_cell("load");
  const auto load_groups = group_by(load_rows, &FitResidual::load, &FitResidual::ratio,
                                    &FitResidual::positions, &FitResidual::table, &FitResidual::cutoff);
  const auto known =
      group_by(by_cell("known"), &FitResidual::positions, &FitResidual::table, &FitResidual::cutoff);
  // Curves as runs of rows: by everything but the load, which the cells already ascend in.
  auto curves = load_groups;
  std::ranges::stable_sort(curves, {}, [](const Residuals& group) {
    const FitResidual& r = group.front();
    return std::tuple(r.ratio, r.positions, r.table, -r.cutoff);
  });
  add_tables(curves, known, summary);
  add_line(summary);
  add_exactness(rows_of<BoundaryFit>(cells), load_rows, summary);
  add_loads(load_groups, summary);
  add_excess(load_rows, summary);
  add_known(known, summary);
  add_gains(rows_of<SubspaceGain>(cells), summary);
  add_heads(rows_of<HeadResidual>(cells), summary);
  add_model(summary);
  add_real(cells, summary);
  // No trade-off, at a model's own size; where there is room for everything, there is none.
  summary.rule = {condition(Role::core, "model.adding", Is::below, traded_off, Evidence::closed_form, {}),
                  condition(Role::limit, "exact_error", Is::below, exact_error, Evidence::theorem, {})};
}

double cost_of(double rows, double d, double fits) {
  return 1e-9 * fits * (8 * rows * d * d + 4 * rows * rows * d);
}

using Sizes = std::vector<std::size_t>;

std::vector<FittedTables> loads(Preset preset, std::size_t step, std::size_t replicates) {
  using Loads = std::vector<double>;
  std::vector<FittedTables> cells;
  for (const double load : pick<Loads>(preset, {.5, 1, 2}, {.25, .5, .75, .9, 1, 1.25, 1.5, 2, 3, 4},
                                       {.25, .5, .75, .9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4}))
    for (const std::size_t ratio : pick<Sizes>(preset, {1, 8}, {1, 8, 32}, {1, 2, 4, 8, 16, 32})) {
      const double rows = load * drawn_width;
      const std::size_t l = std::lround(rows / double(ratio + 1)), v = std::lround(rows) - l;
      for (std::size_t r = 0; r < replicates && l >= 2; ++r)
        cells.push_back({"load", load, ratio, v, l, step, r});
    }
  return cells;
}

}  // namespace

Experiment four_jobs(const Options& options, const SharedWords& words) {
  Experiment claim{
      "A3", "One matrix QᵀK has to score four kinds of pairs; in high dimension there is no trade-off.",
      "[d]", words->hashes};
  const auto by_preset = [&](std::size_t quick, std::size_t full, std::size_t long_) {
    return pick(options.preset, quick, full, long_);
  };
  const std::size_t replicates = by_preset(3, 8, 32), step = by_preset(16, 2, 2);
  claim.measure(
      loads(options.preset, step, replicates),
      [](const FittedTables& at) { return cost_of(at.load * drawn_width, drawn_width, 200.0 / at.step); },
      measure_load);
  std::vector<KnownTables> known;
  for (std::size_t r = 0; r < replicates; ++r)
    known.push_back({"known", known_words, known_positions, step, r});
  claim.measure(known, cost_of(332, 64, by_preset(40, 250, 250)), measure_known);
  claim.measure(grid<SquareTables>("heads", 1.0, first(replicates)), cost_of(64, 64, 2), measure_heads);
  claim.measure(
      grid<BoundaryWidth>(
          "boundary", pick<Sizes>(options.preset, {16, 64}, {16, 64, 256}, {16, 64, 256, 512}), Sizes{1, 7}),
      [](const BoundaryWidth& at) { return cost_of(at.d, at.d, 40); }, measure_boundary);
  const std::vector loads_below_one{.25, .5, .625, .75, .8125, .875, .9375};
  claim.measure(grid<SubspacePairs>("gain", by_preset(128, 256, 512), loads_below_one, by_preset(2, 8, 16)),
                cost_of(256, 256, 8), measure_gain);
  measure_models(claim, options.preset);
  measure_smooth(claim, options.preset, words);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::capacity
