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

/// How far Johnstone's approximation is from the grid, and how much of that the draws cannot explain.
void add_departure(const std::vector<AngleGroup>& angles, std::vector<Finding>& findings) {
  double departure = 0, unexplained = 0;
  std::uint64_t draws = 0;
  for (const AngleGroup& group : angles) {
    if (group.measure != "grid" || group.k + group.r >= group.d ||
        !theory::johnstone_applies(group.d, group.k, group.r))
      continue;
    const double theory = theory::largest_cosine_expected(group.d, group.k, group.r);
    const Interval interval = mean_interval(group.largest.moments(), level);
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
    const Interval interval = mean_interval(largest, level), square_interval = mean_interval(square, level);
    findings.push_back(
        {finding_id("O4", "largest_cosine", at), at, largest.mean, interval.low, interval.high, level,
         theory::largest_cosine_expected(law.d, law.k, law.r), "1", largest.count, Kind::sampled,
         "Mean over random word subspaces of the largest principal cosine with the positions' subspace."});
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
    findings.push_back({finding_id("O4", "mean_square", at), at, square.mean, square_interval.low,
                        square_interval.high, level,
                        theory::mean_cosine_squared_null(law.d, law.k, law.r).mean, "1", square.count,
                        Kind::sampled, "Mean squared principal cosine."});
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
         energy.number(i, "high"), level, energy.number(i, "theory"), "1", n, Kind::sampled,
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
    const double draws = real.number(i, "draws"), value = real.number(i, "mean_square");
    const double reach =
        normal_quantile((1 + decisive) / 2) * real.number(i, "mean_square_sd") / std::sqrt(draws);
    const std::uint64_t n = static_cast<std::uint64_t>(draws);
    findings.push_back(
        {finding_id("O4", "mean_square", at), at, value, value - reach, value + reach, decisive,
         real.number(i, "mean_square_theory"), "1", n, Kind::sampled,
         "Mean squared principal cosine of the real words' k leading dimensions with the positions', "
         "along the words' own axes or rotated at random; interval from the null for random subspaces."});
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
  const double reach = normal_quantile((1 + decisive) / 2);
  for (const Coordinates& r : records_of(cells, "real_energy")) {
    const Coordinates at{{"words", std::string("real")}};
    const double value = number_at(r, "energy"), sd = number_at(r, "null_sd");
    findings.push_back(
        {finding_id("O4", "word_energy", at), at, value, value - reach * sd, value + reach * sd, decisive,
         number_at(r, "null_mean"), "1", size_at(r, "v"), Kind::sampled,
         "Mean share of a real word's energy inside the dimensions that hold 99% of 512 positions; "
         "interval from the null for two fixed tables."});
  }
}

/// Smallest width at which random subspaces of these ranks have a largest cosine below `near`.
std::size_t orthogonal_from(std::size_t k, std::size_t r) {
  std::size_t low = k + r + 1, high = low;
  while (theory::largest_cosine_expected(high, k, r) >= near) high *= 2;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (theory::largest_cosine_expected(middle, k, r) < near)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
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
  outcome.rule = {{"O4.largest_cosine.d512.k64.r128", Is::below, near},
                  {"O4.largest_cosine.d512.k128.r256", Is::below, near},
                  {"O4.word_energy.d512.r109", Is::below, near}};
  outcome.condition = fmt::format(
      "as orthogonal as chance makes them and no more; {}- and {}-dimensional subspaces would "
      "need {} dimensions for every angle to be near a right one{}{}",
      few, many, width, missing.empty() ? "" : "; random words only: ", missing);
  return outcome;
}

}  // namespace perp::orthogonality
