// O4: the subspace of words and the subspace of positions are approximately orthogonal.

#include <algorithm>
#include <cmath>

#include "perp/study/claim.hpp"
#include "perp/theory/angles.hpp"
#include "perp/theory/energy.hpp"
#include "studies/orthogonality/o4_measure.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t few = 64, many = 128;  // the pair of ranks that stands for words and positions
/// Nearer to orthogonal than chance: an overlap below this, of 1 by chance.
constexpr double clearly_less = 0.5;

constexpr const char* k_meaning = "dimensions of the random word subspace";
constexpr const char* r_meaning = "leading dimensions of 2048 sinusoidal positions";

const auto d_column = exact("d", "dimension", &Angles::d);
const auto k_column = exact("k", k_meaning, &Angles::k);
const auto r_column = exact("r", r_meaning, &Angles::r);
using Draws = Group<Angles>;  ///< that differ in nothing but the draw

double johnstone(const Angles& a) { return theory::largest_cosine_expected(a.d, a.k, a.r); }
double johnstone_sd(const Angles& a) { return theory::largest_cosine_sd(a.d, a.k, a.r); }
bool applies(const Angles& a) { return theory::johnstone_applies(a.d, a.k, a.r); }
theory::OverlapNull null_of(const Angles& a) { return theory::mean_cosine_squared_null(a.d, a.k, a.r); }
double mean_square_null(const Angles& a) { return null_of(a).mean; }
double sd_of_largest(const Draws& draws) { return std::sqrt(draws.moments(&Angles::largest).variance); }

void add_angles(const std::vector<Draws>& groups, Summary& summary) {
  summary.table(
      "o4_largest.csv", groups,
      {exact("measure", "grid of ranks, or its diagonal k = r", &Angles::measure), d_column, k_column,
       r_column, exact("draws", "random word subspaces", &Draws::size),
       mean("largest", "mean over draws of the largest principal cosine", &Angles::largest)
           .interval("low", "high", "its 99% interval by Student's t")
           .with({"sd", "1", Kind::sampled, "standard deviation over draws"}, sd_of_largest)
           .theory("theory", "Johnstone's approximation; 1 from k + r = d on", johnstone),
       exact("theory_sd", "its standard deviation of one draw", johnstone_sd),
       exact("applies", "1 where the approximation is to be trusted", applies),
       mean("mean_square", "mean over draws of the mean squared principal cosine", &Angles::mean_square)
           .theory("mean_square_theory", "max(k, r)/d", mean_square_null)});
}

/// How far Johnstone's approximation is from the grid, and how much of that the draws cannot explain.
void add_departure(const std::vector<Draws>& groups, Summary& summary) {
  const auto trusted = where(groups, [](const Draws& group) {
    const Angles& at = group.front();
    return at.measure == "grid" && at.k + at.r < at.d && applies(at);
  });
  const auto departure = [](const Draws& group) {
    return std::abs(group.mean(&Angles::largest) - johnstone(group.front()));
  };
  const auto outside = [](const Draws& group) {
    const Estimate largest = group.estimate(&Angles::largest);
    const double theory = johnstone(group.front());
    return std::max(*largest.low - theory, theory - *largest.high);
  };
  const auto add = [&](const char* measure, double worst, const char* meaning) {
    add_overall(summary, measure, {}, std::max(0.0, worst), total(trusted, &Draws::size), meaning, 0.0,
                Kind::sampled);
  };
  add("johnstone_departure", most(trusted, departure),
      "Largest |mean of the largest cosine - Johnstone's approximation| over the grid of ranks, where the "
      "approximation is to be trusted.");
  add("johnstone_unexplained", most(trusted, outside),
      "How far, at most, the approximation lies outside the 99% interval of that mean.");
}

/// Squared cosines of one pair of ranks in one bin, over all cells.
struct CosineBin {
  std::size_t d, k, r, bin;
  std::uint64_t count, angles;  ///< angles: in all bins
};

std::vector<CosineBin> cosine_bins(const std::vector<LawBin>& counted) {
  std::vector<CosineBin> bins;
  for (const Group<LawBin>& pair : group_by(counted, &LawCell::d, &LawCell::k, &LawCell::r))
    for (const Group<LawBin>& same : group_by(pair, &LawBin::bin))
      bins.push_back({same[0].d, same[0].k, same[0].r, same[0].bin, total(same, &LawBin::count),
                      total(pair, &LawBin::count)});
  return bins;
}

double edge(std::size_t bin) { return double(bin) / wachter_bins; }
/// Wachter's law at a bin's lower edge, with the smaller rank first, as it asks.
double wachter(const CosineBin& b, std::size_t bin) {
  return theory::wachter_cdf(double(std::min(b.k, b.r)) / b.d, double(std::max(b.k, b.r)) / b.d, edge(bin));
}

/// Largest distance of the distribution of cos² from the law at the edges of the bins; the last edge, 1,
/// holds the atom and everything else: no distance there.
double wachter_distance(const std::vector<CosineBin>& bins) {
  double below = 0, distance = 0;
  for (std::size_t bin = 0; bin + 1 < bins.size(); ++bin) {
    below += double(bins[bin].count);
    distance = std::max(distance, std::abs(below / bins[bin].angles - wachter(bins[bin], bin + 1)));
  }
  return distance;
}

void add_wachter(const std::vector<CosineBin>& bins, Summary& summary) {
  summary.table(
      "o4_wachter.csv", bins,
      {exact("d", "dimension", &CosineBin::d), exact("k", k_meaning, &CosineBin::k),
       exact("r", r_meaning, &CosineBin::r),
       exact("angles", "squared principal cosines counted", &CosineBin::angles),
       exact("cosine_square", "centre of a bin",
             [](const CosineBin& b) { return (edge(b.bin) + edge(b.bin + 1)) / 2; }),
       sampled("density", "share of the squared cosines in the bin over its width",
               [](const CosineBin& b) { return double(b.count) / double(b.angles) * wachter_bins; }),
       exact("law", "Wachter's law over the same bin: its share over the width, atom included",
             [](const CosineBin& b) {
               return (wachter(b, b.bin + 1) - (b.bin ? wachter(b, b.bin) : 0.0)) * wachter_bins;
             })});
}

void add_laws(const std::vector<Draws>& laws, const std::vector<CosineBin>& bins, Summary& summary) {
  // Of projections, d tr(AB)/(tr A tr B) is d times the mean square over all pairs of directions.
  const auto overlap = [](const Draws& draws) {
    const Moments square = draws.moments(&Angles::mean_square);
    const Angles& at = draws.front();
    const double by_chance = double(at.d) / std::max(at.k, at.r);
    return estimated(by_chance * square.mean, spread_of(square, by_chance));
  };
  const auto distance = [&bins](const Draws& draws) {
    const Angles& at = draws.front();
    return wachter_distance(only(bins, &CosineBin::d, at.d, &CosineBin::k, at.k, &CosineBin::r, at.r));
  };
  summary.each(
      where(laws, [](const Draws& draws) { return draws[0].k + draws[0].r < draws[0].d; }),
      {d_column, k_column, r_column},
      {mean("largest_cosine",
            "Mean over random word subspaces of the largest principal cosine with the positions' subspace.",
            &Angles::largest)
           .theory(johnstone)});
  summary.each(
      where(laws, [](const Draws& draws) { return draws[0].k == few; }), {d_column, k_column, r_column},
      {sampled("overlap",
               "Overlap d tr(AB)/(tr A tr B) of random word subspaces with the positions', mean over draws; "
               "1 by chance, exactly, for every pair of tables.",
               overlap)
           .chance(1)
           .n(&Draws::size),
       sampled("wachter_distance",
               "Largest distance of the distribution of squared principal cosines from Wachter's law.",
               distance)
           .chance(0)
           .n([](const Draws& draws) { return draws.size() * std::min(draws[0].k, draws[0].r); })});
}

void add_energies(const std::vector<Energy>& energies, const std::vector<EnergyBin>& bins, Summary& summary) {
  const auto d = exact("d", "dimension", &Inside::d);
  const auto r = exact("r", r_meaning, &Inside::r);
  summary.each(energies, {d, r},
               {sampled("word_energy",
                        "Mean share of a Gaussian word's energy inside the positions' leading r dimensions.",
                        &Energy::energy)
                    .theory([](const Inside& at) { return theory::energy_mean(at.d, at.r); })
                    .n(&Inside::v)});
  const double smallest_p = std::min(1.0, least(energies, &Energy::ks_p));
  add_overall(summary, "energy_p", {}, 1 - std::pow(1 - smallest_p, double(energies.size())),
              total(energies, &Inside::v),
              "Chance that the worst of the Kolmogorov-Smirnov tests of these energies against their Beta "
              "laws is as bad or worse (Šidák over all of them).",
              {}, Kind::sampled);
  summary.table(
      "o4_energy_density.csv", bins,
      {d, r,
       exact("share", "centre of a bin: share of a word's energy inside the subspace", &EnergyBin::share),
       sampled("density", "share of words in the bin over its width", &EnergyBin::density),
       exact("law", "density of Beta(r/2, (d-r)/2)",
             [](const EnergyBin& b) { return theory::energy_density(b.d, b.r, b.share); })});
}

struct Contour {
  std::size_t d;
  double level, k_share, r_share;
};

/// Lines of equal largest cosine by theory, for the figure: for each level and k the r that reaches it.
std::vector<Contour> contours(std::size_t d) {
  std::vector<Contour> points;
  for (const double level : {0.6, 0.7, 0.8, 0.9, 0.95, 0.99})
    for (std::size_t k = 8; k < d; k += 8) {
      const auto largest = [&](std::size_t r) { return theory::largest_cosine_expected(d, k, r); };
      std::size_t r = 8;
      while (k + r < d && largest(r) < level) ++r;
      if (r == 8 || k + r >= d) continue;
      const double between = (largest(r) - level) / (largest(r) - largest(r - 1));
      points.push_back({d, level, double(k) / d, (r - between) / d});
    }
  return points;
}

void add_real(const std::vector<Draws>& groups, Summary& summary) {
  const auto sd = [](const Draws& draws) { return null_of(draws[0]).sd / std::sqrt(double(draws.size())); };
  const auto words =
      exact("words", "real: along their own axes; real_rotated: mean over random rotations of them",
            &Angles::measure);
  const auto k = exact("k", "leading dimensions of the words, and of 2048 sinusoidal positions", &Angles::k);
  const auto z = sampled("z",
                         "departure of the mean squared principal cosine from chance in standard deviations "
                         "of that many draws",
                         [=](const Draws& draws) {
                           return (draws.mean(&Angles::mean_square) - mean_square_null(draws[0])) / sd(draws);
                         })
                     .chance(0)
                     .n(&Draws::size);
  summary.table("o4_real.csv", groups,
                {words, exact("d", "dimension of the real words", &Angles::d), k,
                 exact("draws", "rotations; 1 for none", &Draws::size),
                 mean("largest", "largest principal cosine", &Angles::largest)
                     .theory("largest_theory", "Johnstone's approximation for random subspaces", johnstone),
                 exact("largest_sd", "its standard deviation of one draw", johnstone_sd),
                 mean("mean_square", "mean squared principal cosine", &Angles::mean_square)
                     .theory("mean_square_theory", "k/d, random subspaces", mean_square_null),
                 exact("mean_square_sd", "its standard deviation of one draw, exact",
                       [](const Angles& a) { return null_of(a).sd; }),
                 z});
  const auto by_null = [=](const Draws& draws) {
    return estimated(draws.mean(&Angles::mean_square), known_spread(sd(draws)));
  };
  const auto shown = where(groups, [](const Draws& d) { return d[0].k != 20 && d[0].k != 60; });
  summary.each(where(shown, [](const Draws& d) { return d[0].measure == "real"; }), {words, k},
               {sampled("mean_square",
                        "Mean squared principal cosine of the real words' k leading dimensions with the "
                        "positions', along the words' own axes; interval from the null for random subspaces.",
                        by_null)
                    .theory(mean_square_null)
                    .n(&Draws::size)});
  summary.each(shown, {words, k}, {z.unit("standard deviations")});
}

/// Smallest width at which random subspaces of these ranks have a largest cosine below
/// near_orthogonal_cosine.
std::size_t orthogonal_from(std::size_t k, std::size_t r) {
  std::size_t low = k + r + 1, high = std::size_t{1} << 30;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (theory::largest_cosine_expected(middle, k, r) < near_orthogonal_cosine)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// The overlap is rank-free; the largest angle, which an earlier rule asked for, is extreme in any subspaces.
Rule rule() {
  Rule rule{condition(Role::core, "overlap.d512.k64.r128", Is::below, clearly_less, Evidence::theorem,
                      {{"evidence", "random"}}),
            condition(Role::core, elsewhere, Is::above, 0.0, Evidence::released, {{"evidence", "released"}},
                      "overlap of a released model's words and positions, centred", needs_model)};
  for (const auto& [positions, said] :
       {std::pair{"centred", "centred sinusoid"}, {"learned", "learned positions"}})
    rule.push_back(condition(
        Role::core, fmt::format("A9.overlap_after.all.add.{}.width32", positions), Is::below, clearly_less,
        Evidence::trained, {{"evidence", "trained here"}, {"positions", positions}},
        fmt::format("overlap of words and positions after training, centred, {} added, width 32", said),
        "study learning, preset full"));
  return rule;
}

void conclude(const Cells& cells, const std::string& missing, Summary& summary) {
  const auto angles = rows_of<Angles>(cells);
  const auto draws = group_by(angles, &Angles::measure, &Angles::d, &Angles::k, &Angles::r);
  const auto of = [&](auto... measures) {
    return where(draws, [=](const Draws& d) { return ((d[0].measure == measures) || ...); });
  };
  const auto random = of("grid", "diagonal");
  const std::vector<CosineBin> bins = cosine_bins(rows_of<LawBin>(cells));
  add_angles(random, summary);
  add_wachter(bins, summary);
  add_laws(of("law"), bins, summary);
  add_departure(random, summary);
  add_energies(rows_of<Energy>(cells), rows_of<EnergyBin>(cells), summary);
  summary.table("o4_contours.csv", contours(512),
                {exact("d", "dimension", &Contour::d),
                 exact("level", "largest cosine expected by Johnstone's approximation", &Contour::level),
                 exact("k_share", "k/d", &Contour::k_share),
                 exact("r_share", "r/d that reaches the level, between whole r by a straight line",
                       &Contour::r_share)});
  if (missing.empty()) add_real(of("real", "real_rotated"), summary);
  const std::size_t width = orthogonal_from(few, many);
  summary.number("first_dimension", {{"k", whole(few)}, {"r", whole(many)}}, {double(width)},
                 {.unit = "dimensions",
                  .meaning = "Smallest width in which the largest principal cosine of random subspaces of "
                             "these ranks is expected below .1, by Johnstone's approximation."});
  summary.findings.back().at.clear();  // no place of a grid: the id says which
  summary.rule = rule();
}

}  // namespace

Experiment subspaces_against_chance(const Options& options, const SharedInputs& inputs) {
  Experiment claim{"O4", "The subspace of words and the subspace of positions are approximately orthogonal.",
                   "[d]", inputs->hashes};
  measure_subspaces(claim, options.preset, inputs);
  claim.conclude(
      [inputs](const Cells& cells, Summary& summary) { conclude(cells, inputs->missing, summary); });
  return claim;
}

}  // namespace perp::orthogonality
