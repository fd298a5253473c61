#include "studies/orthogonality/o4_tables.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/theory/angles.hpp"
#include "perp/theory/energy.hpp"
#include "studies/orthogonality/claims.hpp"
#include "studies/orthogonality/o4_subspaces.hpp"

namespace perp::orthogonality {
namespace {

/// The group of these coordinates, made if it is new. Groups keep the order in which they appear.
template <class Group, class Same>
Group& group_of(std::vector<Group>& groups, const Same& same, Group fresh) {
  const auto it = std::find_if(groups.begin(), groups.end(), same);
  if (it != groups.end()) return *it;
  groups.push_back(std::move(fresh));
  return groups.back();
}

/// Wachter's law with the smaller rank first, as it asks.
struct Shares {
  double a, b;
};
Shares shares(std::size_t d, std::size_t k, std::size_t r) {
  const double width = static_cast<double>(d);
  return {static_cast<double>(std::min(k, r)) / width, static_cast<double>(std::max(k, r)) / width};
}

Interval interval_or_value(const MomentSums& sums) {
  const Moments moments = sums.moments();
  if (moments.count < 2) return {moments.mean, moments.mean, shown_level};
  return mean_interval(moments, shown_level);
}

}  // namespace

std::vector<AngleGroup> angle_groups(const std::vector<CellRecords>& cells) {
  std::vector<AngleGroup> groups;
  for (const Coordinates& r : records_of(cells, "angles")) {
    const AngleGroup fresh{text_at(r, "measure"), size_at(r, "d"), size_at(r, "k"), size_at(r, "r"), {}, {}};
    AngleGroup& group = group_of(
        groups,
        [&](const AngleGroup& g) {
          return g.measure == fresh.measure && g.d == fresh.d && g.k == fresh.k && g.r == fresh.r;
        },
        fresh);
    group.largest.add(number_at(r, "largest"));
    group.mean_square.add(number_at(r, "mean_square"));
  }
  return groups;
}

std::vector<LawGroup> law_groups(const std::vector<CellRecords>& cells) {
  std::vector<LawGroup> groups;
  const auto group_for = [&](const Coordinates& r) -> LawGroup& {
    const LawGroup fresh{
        size_at(r, "d"), size_at(r, "k"), size_at(r, "r"), {}, {}, std::vector<std::uint64_t>(wachter_bins)};
    return group_of(
        groups, [&](const LawGroup& g) { return g.d == fresh.d && g.k == fresh.k && g.r == fresh.r; }, fresh);
  };
  for (const Coordinates& r : records_of(cells, "draw")) {
    LawGroup& group = group_for(r);
    group.largest.add(number_at(r, "largest"));
    group.mean_square.add(number_at(r, "mean_square"));
  }
  for (const Coordinates& r : records_of(cells, "bin"))
    group_for(r).counts[size_at(r, "bin")] += size_at(r, "count");
  return groups;
}

Table angle_table(const std::vector<AngleGroup>& groups) {
  Table table{
      "o4_largest.csv",
      {{"measure", "", Kind::exact, "grid of ranks, or its diagonal k = r"},
       {"d", "1", Kind::exact, "dimension"},
       {"k", "1", Kind::exact, "dimensions of the random word subspace"},
       {"r", "1", Kind::exact, "leading dimensions of 2048 sinusoidal positions"},
       {"draws", "1", Kind::exact, "random word subspaces"},
       {"largest", "1", Kind::sampled, "mean over draws of the largest principal cosine", "low", "high"},
       {"low", "1", Kind::sampled, "its 99% interval by Student's t"},
       {"high", "1", Kind::sampled, "its 99% interval by Student's t"},
       {"sd", "1", Kind::sampled, "standard deviation over draws"},
       {"theory", "1", Kind::exact, "Johnstone's approximation; 1 from k + r = d on"},
       {"theory_sd", "1", Kind::exact, "its standard deviation of one draw"},
       {"applies", "1", Kind::exact, "1 where the approximation is to be trusted"},
       {"mean_square", "1", Kind::sampled, "mean over draws of the mean squared principal cosine"},
       {"mean_square_theory", "1", Kind::exact, "max(k, r)/d"}},
      {}};
  for (const AngleGroup& g : groups) {
    const Interval interval = interval_or_value(g.largest);
    const Moments largest = g.largest.moments();
    table.add({g.measure, whole(g.d), whole(g.k), whole(g.r), whole(largest.count), largest.mean,
               interval.low, interval.high, std::sqrt(largest.variance),
               theory::largest_cosine_expected(g.d, g.k, g.r), theory::largest_cosine_sd(g.d, g.k, g.r),
               whole(theory::johnstone_applies(g.d, g.k, g.r)), g.mean_square.moments().mean,
               theory::mean_cosine_squared_null(g.d, g.k, g.r).mean});
  }
  return table;
}

double wachter_distance(const LawGroup& group) {
  const auto [a, b] = shares(group.d, group.k, group.r);
  const double total =
      static_cast<double>(std::accumulate(group.counts.begin(), group.counts.end(), std::uint64_t{0}));
  double below = 0, distance = 0;
  // The last edge, 1, holds the atom and everything else: no distance there.
  for (std::size_t bin = 0; bin + 1 < group.counts.size(); ++bin) {
    below += static_cast<double>(group.counts[bin]);
    const double edge = static_cast<double>(bin + 1) / wachter_bins;
    distance = std::max(distance, std::abs(below / total - theory::wachter_cdf(a, b, edge)));
  }
  return distance;
}

Table wachter_table(const std::vector<LawGroup>& groups) {
  Table table{
      "o4_wachter.csv",
      {{"d", "1", Kind::exact, "dimension"},
       {"k", "1", Kind::exact, "dimensions of the random word subspace"},
       {"r", "1", Kind::exact, "leading dimensions of 2048 sinusoidal positions"},
       {"angles", "1", Kind::exact, "squared principal cosines counted"},
       {"cosine_square", "1", Kind::exact, "centre of a bin"},
       {"density", "1", Kind::sampled, "share of the squared cosines in the bin over its width"},
       {"law", "1", Kind::exact, "Wachter's law over the same bin: its share over the width, atom included"}},
      {}};
  for (const LawGroup& g : groups) {
    const auto [a, b] = shares(g.d, g.k, g.r);
    const std::uint64_t total = std::accumulate(g.counts.begin(), g.counts.end(), std::uint64_t{0});
    for (std::size_t bin = 0; bin < wachter_bins; ++bin) {
      const double low = static_cast<double>(bin) / wachter_bins,
                   high = static_cast<double>(bin + 1) / wachter_bins;
      const double law = theory::wachter_cdf(a, b, high) - (bin ? theory::wachter_cdf(a, b, low) : 0.0);
      table.add({whole(g.d), whole(g.k), whole(g.r), whole(total), (low + high) / 2,
                 static_cast<double>(g.counts[bin]) / static_cast<double>(total) * wachter_bins,
                 law * wachter_bins});
    }
  }
  return table;
}

Table contour_table(std::size_t d) {
  Table table{
      "o4_contours.csv",
      {{"d", "1", Kind::exact, "dimension"},
       {"level", "1", Kind::exact, "largest cosine expected by Johnstone's approximation"},
       {"k_share", "1", Kind::exact, "k/d"},
       {"r_share", "1", Kind::exact, "r/d that reaches the level, between whole r by a straight line"}},
      {}};
  const double width = static_cast<double>(d);
  for (const double contour : {0.6, 0.7, 0.8, 0.9, 0.95, 0.99})
    for (std::size_t k = 8; k < d; k += 8) {
      std::size_t r = 8;
      while (k + r < d && theory::largest_cosine_expected(d, k, r) < contour) ++r;
      if (r == 8 || k + r >= d) continue;
      const double above = theory::largest_cosine_expected(d, k, r),
                   below = theory::largest_cosine_expected(d, k, r - 1);
      table.add({whole(d), contour, static_cast<double>(k) / width,
                 (static_cast<double>(r) - (above - contour) / (above - below)) / width});
    }
  return table;
}

Table energy_table(const std::vector<CellRecords>& cells) {
  Table table{
      "o4_energy.csv",
      {{"d", "1", Kind::exact, "dimension"},
       {"r", "1", Kind::exact, "leading dimensions of 2048 sinusoidal positions"},
       {"words", "1", Kind::exact, "independent Gaussian words"},
       {"energy", "1", Kind::sampled, "mean share of a word's energy inside the subspace", "low", "high"},
       {"low", "1", Kind::sampled, "its 99% interval by Student's t"},
       {"high", "1", Kind::sampled, "its 99% interval by Student's t"},
       {"theory", "1", Kind::exact, "r/d"},
       {"sd", "1", Kind::sampled, "standard deviation over words"},
       {"sd_theory", "1", Kind::exact, "that of Beta(r/2, (d-r)/2)"},
       {"ks_p", "1", Kind::sampled, "Kolmogorov-Smirnov p-value against Beta(r/2, (d-r)/2)"}},
      {}};
  for (const Coordinates& r : records_of(cells, "energy")) {
    const std::size_t d = size_at(r, "d"), rank = size_at(r, "r");
    table.add({at(r, "d"), at(r, "r"), at(r, "v"), at(r, "energy"), at(r, "low"), at(r, "high"),
               theory::energy_mean(d, rank), at(r, "sd"), theory::energy_sd(d, rank), at(r, "ks_p")});
  }
  return table;
}

Table energy_density_table(const std::vector<CellRecords>& cells) {
  Table table{"o4_energy_density.csv",
              {{"d", "1", Kind::exact, "dimension"},
               {"r", "1", Kind::exact, "leading dimensions of 2048 sinusoidal positions"},
               {"share", "1", Kind::exact, "centre of a bin: share of a word's energy inside the subspace"},
               {"density", "1", Kind::sampled, "share of words in the bin over its width"},
               {"law", "1", Kind::exact, "density of Beta(r/2, (d-r)/2)"}},
              {}};
  for (const Coordinates& r : records_of(cells, "energy_bin"))
    table.add({at(r, "d"), at(r, "r"), at(r, "share"), at(r, "density"),
               theory::energy_density(size_at(r, "d"), size_at(r, "r"), number_at(r, "share"))});
  return table;
}

std::vector<RealGroup> real_groups(const std::vector<CellRecords>& cells) {
  std::vector<RealGroup> groups;
  for (const Coordinates& r : records_of(cells, "real")) {
    const RealGroup fresh{text_at(r, "measure"), size_at(r, "d"), size_at(r, "k"), {}, {}};
    RealGroup& group = group_of(
        groups, [&](const RealGroup& g) { return g.measure == fresh.measure && g.k == fresh.k; }, fresh);
    group.largest.add(number_at(r, "largest"));
    group.mean_square.add(number_at(r, "mean_square"));
  }
  return groups;
}

Table real_table(const std::vector<RealGroup>& groups) {
  Table table{"o4_real.csv",
              {{"words", "", Kind::exact,
                "real: along their own axes; real_rotated: mean over random rotations of them"},
               {"d", "1", Kind::exact, "dimension of the real words"},
               {"k", "1", Kind::exact, "leading dimensions of the words, and of 2048 sinusoidal positions"},
               {"draws", "1", Kind::exact, "rotations; 1 for none"},
               {"largest", "1", Kind::sampled, "largest principal cosine"},
               {"largest_theory", "1", Kind::exact, "Johnstone's approximation for random subspaces"},
               {"largest_sd", "1", Kind::exact, "its standard deviation of one draw"},
               {"mean_square", "1", Kind::sampled, "mean squared principal cosine"},
               {"mean_square_theory", "1", Kind::exact, "k/d, random subspaces"},
               {"mean_square_sd", "1", Kind::exact, "its standard deviation of one draw, exact"},
               {"z", "1", Kind::sampled,
                "departure of the mean square from chance in standard deviations of that many draws"}},
              {}};
  for (const RealGroup& g : groups) {
    const theory::OverlapNull null = theory::mean_cosine_squared_null(g.d, g.k, g.k);
    const Moments largest = g.largest.moments(), square = g.mean_square.moments();
    const double sd = null.sd / std::sqrt(static_cast<double>(square.count));
    table.add({g.measure, whole(g.d), whole(g.k), whole(square.count), largest.mean,
               theory::largest_cosine_expected(g.d, g.k, g.k), theory::largest_cosine_sd(g.d, g.k, g.k),
               square.mean, null.mean, null.sd, (square.mean - null.mean) / sd});
  }
  return table;
}

}  // namespace perp::orthogonality
