// O4: findings and rule.

#include <algorithm>
#include <cmath>

#include "perp/statistics/interval.hpp"
#include "perp/theory/angles.hpp"
#include "studies/orthogonality/claims.hpp"
#include "studies/orthogonality/o4_subspaces.hpp"
#include "studies/orthogonality/o4_tables.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t few = 64, many = 128;  // the pair of ranks that stands for words and positions
/// Nearer to orthogonal than chance: an overlap below this, of 1 by chance.
constexpr double clearly_less = 0.5;

/// Standard deviation by theory, with the interval that it gives.
Estimate by_null(double value, double sd) { return estimated(value, known_spread(sd)); }

/// How far Johnstone's approximation is from the grid, and how much of that the draws cannot explain.
void add_departure(const std::vector<AngleGroup>& angles, std::vector<Finding>& findings) {
  double departure = 0, unexplained = 0;
  std::uint64_t draws = 0;
  for (const AngleGroup& group : angles) {
    if (group.measure != "grid" || group.k + group.r >= group.d ||
        !theory::johnstone_applies(group.d, group.k, group.r))
      continue;
    const double theory = theory::largest_cosine_expected(group.d, group.k, group.r);
    const Interval interval = mean_interval(group.largest.moments(), shown_level);
    departure = std::max(departure, std::abs(group.largest.moments().mean - theory));
    unexplained = std::max({unexplained, interval.low - theory, theory - interval.high});
    draws += group.largest.count();
  }
  findings.push_back(
      {finding_id("O4", "johnstone_departure"),
       {},
       departure,
       {},
       {},
       {},
       0.0,
       "1",
       draws,
       Kind::sampled,
       "Largest |mean of the largest cosine - Johnstone's approximation| over the grid of ranks, where the "
       "approximation is to be trusted."});
  findings.push_back({finding_id("O4", "johnstone_unexplained"),
                      {},
                      unexplained,
                      {},
                      {},
                      {},
                      0.0,
                      "1",
                      draws,
                      Kind::sampled,
                      "How far, at most, the approximation lies outside the 99% interval of that mean."});
}

void add_largest_findings(const std::vector<AngleGroup>& angles, const std::vector<LawGroup>& laws,
                          std::vector<Finding>& findings) {
  for (const LawGroup& law : laws) {
    const Coordinates at{{"d", whole(law.d)}, {"k", whole(law.k)}, {"r", whole(law.r)}};
    const Moments largest = law.largest.moments(), square = law.mean_square.moments();
    findings.push_back(
        finding("O4", "largest_cosine", at, estimated(largest),
                {.theory = theory::largest_cosine_expected(law.d, law.k, law.r),
                 .n = largest.count,
                 .kind = Kind::sampled,
                 .meaning = "Mean over random word subspaces of the largest principal cosine with the "
                            "positions' subspace."}));
    findings.push_back({finding_id("O4", "largest_sd", at),
                        at,
                        std::sqrt(largest.variance),
                        {},
                        {},
                        {},
                        theory::largest_cosine_sd(law.d, law.k, law.r),
                        "1",
                        largest.count,
                        Kind::sampled,
                        "Standard deviation of that largest cosine over word subspaces."});
    findings.push_back(finding("O4", "mean_square", at, estimated(square),
                               {.theory = theory::mean_cosine_squared_null(law.d, law.k, law.r).mean,
                                .n = square.count,
                                .kind = Kind::sampled,
                                .meaning = "Mean squared principal cosine."}));
    // Of projections, d tr(AB)/(tr A tr B) is the mean square over all pairs of directions.
    const double by_chance = static_cast<double>(law.d) / static_cast<double>(std::max(law.k, law.r));
    findings.push_back(
        finding("O4", "overlap", at, estimated(by_chance * square.mean, spread_of(square, by_chance)),
                {.theory = 1.0,
                 .n = square.count,
                 .kind = Kind::sampled,
                 .meaning = "Overlap d tr(AB)/(tr A tr B) of random word subspaces with the positions', mean "
                            "over draws; 1 by chance, exactly, for every pair of tables."}));
    findings.push_back(
        {finding_id("O4", "wachter_distance", at),
         at,
         wachter_distance(law),
         {},
         {},
         {},
         0.0,
         "1",
         square.count * std::min(law.k, law.r),
         Kind::sampled,
         "Largest distance of the distribution of squared principal cosines from Wachter's law."});
  }
  add_departure(angles, findings);
}

void add_energy_findings(const Table& energy, std::vector<Finding>& findings) {
  double smallest_p = 1;
  std::uint64_t words = 0;
  for (std::size_t i = 0; i < energy.rows.size(); ++i) {
    const Coordinates at{{"d", energy.at(i, "d")}, {"r", energy.at(i, "r")}};
    const std::uint64_t n = static_cast<std::uint64_t>(energy.number(i, "words"));
    findings.push_back(
        {finding_id("O4", "word_energy", at), at, energy.number(i, "energy"), energy.number(i, "low"),
         energy.number(i, "high"), shown_level, energy.number(i, "theory"), "1", n, Kind::sampled,
         "Mean share of a Gaussian word's energy inside the positions' leading r dimensions."});
    smallest_p = std::min(smallest_p, energy.number(i, "ks_p"));
    words += n;
  }
  findings.push_back(
      {finding_id("O4", "energy_p"),
       {},
       1 - std::pow(1 - smallest_p, static_cast<double>(energy.rows.size())),
       {},
       {},
       {},
       {},
       "1",
       words,
       Kind::sampled,
       "Chance that the worst of the Kolmogorov-Smirnov tests of these energies against their Beta laws is "
       "as bad or worse (Šidák over all of them)."});
}

void add_real_findings(const Table& real, const std::vector<CellRecords>& cells,
                       std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < real.rows.size(); ++i) {
    const Coordinates at{{"words", real.at(i, "words")}, {"k", real.at(i, "k")}};
    const double draws = real.number(i, "draws");
    const std::uint64_t n = static_cast<std::uint64_t>(draws);
    findings.push_back(
        finding("O4", "mean_square", at,
                by_null(real.number(i, "mean_square"), real.number(i, "mean_square_sd") / std::sqrt(draws)),
                {.theory = real.number(i, "mean_square_theory"),
                 .n = n,
                 .kind = Kind::sampled,
                 .meaning = "Mean squared principal cosine of the real words' k leading dimensions with the "
                            "positions', along the words' own axes or rotated at random; interval from the "
                            "null for random subspaces."}));
    findings.push_back({finding_id("O4", "z", at),
                        at,
                        real.number(i, "z"),
                        {},
                        {},
                        {},
                        0.0,
                        "standard deviations",
                        n,
                        Kind::sampled,
                        "Departure of that mean square from chance."});
  }
  for (const Coordinates& r : records_of(cells, "real_energy")) {
    const Coordinates at{{"words", std::string("real")}};
    findings.push_back(
        finding("O4", "word_energy", at, by_null(number_at(r, "energy"), number_at(r, "null_sd")),
                {.theory = number_at(r, "null_mean"),
                 .n = size_at(r, "v"),
                 .kind = Kind::sampled,
                 .meaning = "Mean share of a real word's energy inside the dimensions that hold 99% of 512 "
                            "positions; interval from the null for two fixed tables."}));
  }
}

/// Smallest width at which random subspaces of these ranks have a largest cosine below
/// `near_orthogonal_cosine`.
std::size_t orthogonal_from(std::size_t k, std::size_t r) {
  std::size_t low = k + r + 1, high = low;
  while (theory::largest_cosine_expected(high, k, r) >= near_orthogonal_cosine) high *= 2;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (theory::largest_cosine_expected(middle, k, r) < near_orthogonal_cosine)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

std::string pair_id(std::string_view measure) {
  return fmt::format("O4.{}.d512.k{}.r{}", measure, few, many);
}

/// The overlap is rank-free; the largest angle, which an earlier rule asked for, is extreme in any subspaces.
Rule rule() {
  return {
      {.finding = pair_id("overlap"),
       .is = Is::below,
       .bound = clearly_less,
       .evidence = Evidence::theorem,
       .levels = {{"evidence", "random"}},
       .says = fmt::format("overlap of random {}-dimensional and the positions' {}-dimensional subspaces, "
                           "d = 512; 1 by chance for every pair of tables",
                           few, many)},
      {.finding = {},
       .evidence = Evidence::released,
       .levels = {{"evidence", "released"}},
       .says = "overlap of a released model's words and positions, centred",
       .needs = "a released model: make reports MODELS=FILE"},
      {.finding = "O4.overlap.trained",
       .is = Is::below,
       .bound = clearly_less,
       .evidence = Evidence::trained,
       .levels = {{"evidence", "trained here"}},
       .says = "overlap of words and positions after training, centred",
       .needs = "not programmed yet: the centred overlap in the trained models, before and after"}};
}

std::string condition_of(const std::vector<Finding>& findings, const std::string& missing) {
  std::string text = fmt::format(
      "random subspaces overlap {:.3f} times chance; {} of their dimensions and {} of the positions' in 512 "
      "meet at cosines up to {:.2f}",
      find(findings, pair_id("overlap"))->value, few, many, find(findings, pair_id("largest_cosine"))->value);
  if (!missing.empty()) return text + "; random words only: " + missing;
  return text + "; in released models and after training the centred overlap is not measured yet";
}

}  // namespace

Outcome summarise_subspaces(const std::vector<CellRecords>& cells, const std::string& missing) {
  Outcome outcome;
  const std::vector<AngleGroup> angles = angle_groups(cells);
  const std::vector<LawGroup> laws = law_groups(cells);
  outcome.tables = {angle_table(angles), wachter_table(laws), energy_table(cells),
                    energy_density_table(cells), contour_table(512)};
  add_largest_findings(angles, laws, outcome.findings);
  add_energy_findings(outcome.tables[2], outcome.findings);
  if (missing.empty()) {
    outcome.tables.push_back(real_table(real_groups(cells)));
    add_real_findings(outcome.tables.back(), cells, outcome.findings);
  }
  const std::size_t width = orthogonal_from(few, many);
  outcome.findings.push_back(
      {finding_id("O4", "first_dimension", {{"k", whole(few)}, {"r", whole(many)}}),
       {},
       static_cast<double>(width),
       {},
       {},
       {},
       {},
       "dimensions",
       1,
       Kind::exact,
       "Smallest width in which the largest principal cosine of random subspaces of these ranks is "
       "expected below .1, by Johnstone's approximation."});
  outcome.rule = rule();
  outcome.condition = condition_of(outcome.findings, missing);
  outcome.matters = fmt::format(
      "single pairs are nearly orthogonal while subspaces are not: for {} and {} dimensions to meet at no "
      "cosine above {} takes a width of {}",
      few, many, near_orthogonal_cosine, grouped(width));
  return outcome;
}

}  // namespace perp::orthogonality
