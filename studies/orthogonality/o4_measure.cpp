#include "studies/orthogonality/o4_measure.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/angles.hpp"
#include "perp/measures/energy.hpp"
#include "perp/random/normal.hpp"
#include "perp/statistics/histogram.hpp"
#include "perp/statistics/kolmogorov.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/energy.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/positions_basis.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t length = 2048;  // positions that make the PE subspace
constexpr std::size_t law_draws_per_cell = 50, rotations = 20, energy_bins = 60;

/// Ranks at i/12.5 of d: never on the line k + r = d, where no approximation of the largest angle holds. The
/// widest spaces cost most and show the same: six ranks below half of the dimensions do there.
std::vector<std::size_t> grid_ranks(std::size_t d) {
  std::vector<std::size_t> ranks;
  for (std::size_t i = 1; i <= (d > 1024 ? 6u : 12u); ++i)
    ranks.push_back(std::size_t(std::lround(double(i) * double(d) / 12.5)));
  return ranks;
}

Angles angles(const std::string& measure, std::size_t d, std::size_t k, std::size_t r,
              const std::vector<double>& cosines) {
  double squares = 0;
  for (const double c : cosines) squares += c * c;
  return {measure, d, k, r, cosines.front(), squares / static_cast<double>(cosines.size())};
}

void measure_law(const LawCell& at, const Matrix<double>& basis, const Streams& streams, Rows& rows) {
  const Matrix<double> positions = leading_rows(basis, at.r);
  Histogram histogram(0, 1, wachter_bins);
  for (std::size_t draw = 0; draw < law_draws_per_cell; ++draw) {
    const std::vector<double> cosines =
        principal_cosines(normal_matrix<double>(at.k, at.d, streams("words", draw)), positions);
    for (const double c : cosines) histogram.add(static_cast<float>(c * c));
    rows.add(angles(at.measure, at.d, at.k, at.r, cosines));
  }
  const std::vector<std::uint64_t> counts = histogram.counts();
  for (std::size_t bin = 0; bin < counts.size(); ++bin) rows.add(LawBin{at, bin, counts[bin]});
}

void measure_energy(const Inside& at, const Matrix<double>& basis, const Streams& streams, Rows& rows) {
  const Matrix<float> words = draw_words(Family::gaussian, at.v, at.d, streams("words"));
  const std::vector<double> inside = energy_inside(words, converted<float>(leading_rows(basis, at.r)));
  MomentSums sums;
  sums.add(inside);
  const double distance = ks_statistic(inside, [&](double x) { return theory::energy_cdf(at.d, at.r, x); });
  rows.add(Energy{at, estimated(sums.moments()), ks_p_value(at.v, distance)});
  const double reach = 5 * theory::energy_sd(at.d, at.r), mean = theory::energy_mean(at.d, at.r);
  Histogram histogram(std::max(0.0, mean - reach), std::min(1.0, mean + reach), energy_bins);
  for (const double x : inside) histogram.add(static_cast<float>(x));
  const std::vector<double> centres = histogram.centres(), density = histogram.density();
  for (std::size_t bin = 0; bin < energy_bins; ++bin) rows.add(EnergyBin{at, centres[bin], density[bin]});
}

/// Rotations leave no relation between the words' axes and the positions'.
void measure_real(const RealCell& at, const Matrix<double>& words, const Matrix<double>& positions,
                  const Streams& streams, Rows& rows) {
  const auto add = [&](const Matrix<double>& directions) {
    const auto cosines = principal_cosines_nested<double>(directions, positions, {{at.k}}, {{at.k}});
    rows.add(angles(at.measure, at.d, at.k, at.k, cosines.front()));
  };
  if (at.measure == "real") return add(words);
  for (std::size_t draw = 0; draw < rotations; ++draw) {
    const Matrix<double> rotation =
        complete_basis(normal_matrix<double>(at.d, at.d, streams("rotation", draw)));
    add(product(words, rotation));
  }
}

void measure_words(Experiment& claim, const SharedInputs& inputs,
                   std::shared_ptr<const PositionBases> bases) {
  const std::size_t d = cols(inputs->words->unit);
  const auto directions = std::make_shared<Once<Matrix<double>>>();
  std::vector<RealCell> ranks;
  for (const std::size_t k : {10, 20, 30, 60, 82})
    for (const char* measure : {"real", "real_rotated"})
      if (2 * k <= d) ranks.push_back({measure, d, k});
  claim.measure(ranks, 0.2, [=](const RealCell& at, const Streams& streams, Rows& rows) {
    const auto make = [&] { return leading_directions(inputs->words->unit); };
    measure_real(at, (*directions)(make), (*bases)(at.d), streams, rows);
  });
}

}  // namespace

void measure_nested(const Draw& at, const Matrix<double>& positions, const Streams& streams, Rows& rows) {
  const Matrix<double> words = complete_basis(normal_matrix<double>(at.d, at.d, streams("words")));
  const auto add = [&](std::span<const std::size_t> ks, std::span<const std::size_t> rs) {
    const auto cosines = principal_cosines_nested<double>(words, positions, ks, rs);
    for (std::size_t i = 0; i < cosines.size(); ++i)
      rows.add(angles(at.measure, at.d, ks[i / rs.size()], rs[i % rs.size()], cosines[i]));
  };
  const std::vector<std::size_t> ranks = grid_ranks(at.d);
  if (at.measure == "grid") return add(ranks, ranks);
  for (const std::size_t k : ranks) add({{k}}, {{k}});
}

void measure_subspaces(Experiment& claim, Preset preset, const SharedInputs& inputs) {
  const auto bases = std::make_shared<const PositionBases>(length);
  const auto with_basis = [bases](auto measure) {
    return [=](const auto& at, const Streams& streams, Rows& rows) {
      measure(at, (*bases)(at.d), streams, rows);
    };
  };
  const auto nested = [&](double scale, const std::vector<Draw>& cells) {
    const auto cost = [scale](const Draw& at) { return scale * std::pow(double(at.d), 3); };
    claim.measure(cells, cost, with_basis(measure_nested));
  };
  nested(5e-9, grid<Draw>("grid", 512u, first(pick<std::size_t>(preset, 2, 50, 400))));
  nested(3e-9, grid<Draw>("diagonal", doubling(64, 1024), first(pick<std::size_t>(preset, 0, 20, 200))));
  nested(3e-9, grid<Draw>("diagonal", 2048u, first(pick<std::size_t>(preset, 0, 2, 20))));
  // Few in few, words and positions as they come, more than fit.
  const std::pair<std::size_t, std::size_t> laws[] = {{64, 128}, {128, 128}, {128, 256}, {205, 410}};
  for (const auto& [k, r] : laws)
    claim.measure(grid<LawCell>("law", 512u, k, r, first(pick<std::size_t>(preset, 1, k == 64 ? 8 : 2, 40))),
                  0.1, with_basis(measure_law));
  claim.measure(grid<Inside>("energy", 512u, std::vector<std::size_t>{16, 64, 109, 128, 256},
                             pick<std::size_t>(preset, 4000, 20000, 200000)),
                0.1, with_basis(measure_energy));
  if (inputs->words) measure_words(claim, inputs, bases);
}

}  // namespace perp::orthogonality
