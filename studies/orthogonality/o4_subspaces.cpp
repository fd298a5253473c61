// O4: the subspace of words and the subspace of positions are approximately orthogonal. Cells.

#include "studies/orthogonality/o4_subspaces.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/angles.hpp"
#include "perp/measures/energy.hpp"
#include "perp/measures/overlap.hpp"
#include "perp/measures/sinusoid_spectrum.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/random/normal.hpp"
#include "perp/statistics/histogram.hpp"
#include "perp/statistics/kolmogorov.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/energy.hpp"
#include "perp/theory/overlap.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"
#include "studies/orthogonality/positions_basis.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t length = 2048;  // positions that make the PE subspace
constexpr std::size_t steps = 12;     // of the grid in k/d and in r/d
constexpr std::size_t law_draws_per_cell = 50;
constexpr std::size_t rotations = 20;

/// i-th of 12 ranks at i/12.5 of d: never on the line k + r = d, where no approximation of the largest angle
/// holds.
std::size_t grid_rank(std::size_t i, std::size_t d) {
  return static_cast<std::size_t>(std::lround(static_cast<double>(i) * static_cast<double>(d) / 12.5));
}

struct Ranks {
  std::size_t k, r;
};
/// Pairs whose whole distribution is kept: few in few, words and positions as they come, more than fit.
constexpr Ranks laws[] = {{64, 128}, {128, 128}, {128, 256}, {205, 410}};

/// What cells share, each made by the first that asks.
struct Bases {
  PositionBases positions{length};
  Once<Matrix<double>> words;  ///< leading directions of the real words
};

const Matrix<double>& word_directions(const WordInputs& inputs, Bases& bases) {
  return bases.words([&] { return leading_directions(inputs.words->unit); });
}

// ---- cells
// ------------------------------------------------------------------------------------------------------

double cube(std::size_t d) {
  return 1e-9 * static_cast<double>(d) * static_cast<double>(d) * static_cast<double>(d);
}

Cell draw_cell(const std::string& measure, std::size_t d, std::size_t draw, double cost) {
  return {{{"measure", measure}, {"d", whole(d)}, {"draw", whole(draw)}}, cost};
}

std::vector<Cell> random_cells(Preset preset) {
  std::vector<Cell> cells;
  for (std::size_t draw = 0; draw < pick<std::size_t>(preset, 2, 50, 400); ++draw)
    cells.push_back(draw_cell("grid", 512, draw, 5 * cube(512)));
  if (preset != Preset::quick)
    for (const std::size_t d : {64, 128, 256, 512, 1024})
      for (std::size_t draw = 0; draw < pick<std::size_t>(preset, 0, 20, 200); ++draw)
        cells.push_back(draw_cell("diagonal", d, draw, 3 * cube(d)));
  for (std::size_t draw = 0; draw < pick<std::size_t>(preset, 0, 2, 20); ++draw)
    cells.push_back(draw_cell("diagonal", 2048, draw, 3 * cube(2048)));
  for (const Ranks& law : laws)
    for (std::size_t draw = 0; draw < pick<std::size_t>(preset, 1, law.k == 64 ? 8 : 2, 40); ++draw)
      cells.push_back({{{"measure", std::string("law")},
                        {"d", whole(512)},
                        {"k", whole(law.k)},
                        {"r", whole(law.r)},
                        {"draw", whole(draw)}},
                       0.1});
  for (const std::size_t r : {16, 64, 109, 128, 256})
    cells.push_back({{{"measure", std::string("energy")},
                      {"d", whole(512)},
                      {"r", whole(r)},
                      {"v", whole(pick<std::size_t>(preset, 4000, 20000, 200000))}},
                     0.1});
  return cells;
}

std::vector<Cell> cells(Preset preset, const WordInputs& inputs) {
  std::vector<Cell> cells = random_cells(preset);
  if (!inputs.words) return cells;
  const std::size_t d = cols(inputs.words->unit);
  for (const std::size_t k : {10, 20, 30, 60, 82})
    if (2 * k <= d) {
      const Coordinates ranks{{"d", whole(d)}, {"k", whole(k)}};
      for (const char* measure : {"real", "real_rotated"}) {
        Coordinates at{{"measure", std::string(measure)}};
        at.insert(at.end(), ranks.begin(), ranks.end());
        cells.push_back({std::move(at), 0.2});
      }
    }
  cells.push_back({{{"measure", std::string("real_energy")}, {"d", whole(d)}}, 0.3});
  return cells;
}

// ---- one cell
// ---------------------------------------------------------------------------------------------------

Matrix<double> gaussian(std::size_t rows, std::size_t d, const Stream& stream) {
  Matrix<double> table = matrix<double>(rows, d);
  fill_normal(stream, std::span<double>(table.data(), table.size()));
  return table;
}

double mean_square(const std::vector<double>& cosines) {
  double sum = 0;
  for (const double c : cosines) sum += c * c;
  return sum / static_cast<double>(cosines.size());
}

Record angles_record(std::size_t k, std::size_t r, const std::vector<double>& cosines) {
  return {"angles",
          {{"k", whole(k)},
           {"r", whole(r)},
           {"largest", cosines.front()},
           {"mean_square", mean_square(cosines)}}};
}

/// One random basis of words against the positions', nested subspaces of both: every pair of ranks, or equal
/// ones.
Records run_nested(const Cell& cell, const Streams& streams, const PositionBases& bases, bool diagonal) {
  const std::size_t d = size_at(cell.at, "d");
  const Matrix<double> words = complete_basis(gaussian(d, d, streams("words")));
  std::vector<std::size_t> ranks;
  // The widest spaces cost most and show the same: six ranks below half of the dimensions do there.
  for (std::size_t i = 1; i <= (d > 1024 ? steps / 2 : steps); ++i) ranks.push_back(grid_rank(i, d));
  Records records;
  if (diagonal) {
    for (const std::size_t k : ranks)
      records.push_back(
          angles_record(k, k, principal_cosines_nested<double>(words, bases(d), {{k}}, {{k}}).front()));
    return records;
  }
  const std::vector<std::vector<double>> all =
      principal_cosines_nested<double>(words, bases(d), ranks, ranks);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    for (std::size_t j = 0; j < ranks.size(); ++j)
      records.push_back(angles_record(ranks[i], ranks[j], all[i * ranks.size() + j]));
  return records;
}

Records run_law(const Cell& cell, const Streams& streams, const PositionBases& bases) {
  const std::size_t d = size_at(cell.at, "d"), k = size_at(cell.at, "k"), r = size_at(cell.at, "r");
  const Matrix<double>& basis = bases(d);
  Matrix<double> positions = matrix<double>(r, d);
  std::copy_n(basis.data(), r * d, positions.data());
  Histogram histogram(0, 1, wachter_bins);
  Records records;
  for (std::size_t draw = 0; draw < law_draws_per_cell; ++draw) {
    const std::vector<double> cosines = principal_cosines(gaussian(k, d, streams("words", draw)), positions);
    for (const double c : cosines) histogram.add(static_cast<float>(c * c));
    records.push_back({"draw", {{"largest", cosines.front()}, {"mean_square", mean_square(cosines)}}});
  }
  const std::vector<std::uint64_t> counts = histogram.counts();
  for (std::size_t bin = 0; bin < counts.size(); ++bin)
    records.push_back({"bin", {{"bin", whole(bin)}, {"count", whole(counts[bin])}}});
  return records;
}

Matrix<float> leading_rows(const Matrix<double>& basis, std::size_t count) {
  Matrix<float> out = matrix<float>(count, cols(basis));
  for (std::size_t i = 0; i < out.size(); ++i) out.data()[i] = static_cast<float>(basis.data()[i]);
  return out;
}

Records run_energy(const Cell& cell, const Streams& streams, const PositionBases& bases) {
  const std::size_t d = size_at(cell.at, "d"), r = size_at(cell.at, "r"), v = size_at(cell.at, "v");
  const Matrix<float> words = draw_words(Family::gaussian, v, d, streams("words"));
  const std::vector<double> inside = energy_inside(words, leading_rows(bases(d), r));
  MomentSums sums;
  sums.add(inside);
  const Moments moments = sums.moments();
  const Interval interval = mean_interval(moments, shown_level);
  const double distance = ks_statistic(inside, [&](double x) { return theory::energy_cdf(d, r, x); });
  Records records{{"energy",
                   {{"energy", moments.mean},
                    {"low", interval.low},
                    {"high", interval.high},
                    {"sd", std::sqrt(moments.variance)},
                    {"ks_p", ks_p_value(v, distance)}}}};
  const double reach = 5 * theory::energy_sd(d, r), mean = theory::energy_mean(d, r);
  Histogram histogram(std::max(0.0, mean - reach), std::min(1.0, mean + reach), energy_bins);
  for (const double x : inside) histogram.add(static_cast<float>(x));
  const std::vector<double> centres = histogram.centres(), density = histogram.density();
  for (std::size_t bin = 0; bin < energy_bins; ++bin)
    records.push_back({"energy_bin", {{"share", centres[bin]}, {"density", density[bin]}}});
  return records;
}

Record real_record(const Matrix<double>& words, const Matrix<double>& positions, std::size_t k) {
  const std::vector<double> cosines =
      principal_cosines_nested<double>(words, positions, {{k}}, {{k}}).front();
  return {"real", {{"largest", cosines.front()}, {"mean_square", mean_square(cosines)}}};
}

/// Real words, along their own axes, against as many leading position directions.
Records run_real(const Cell& cell, const WordInputs& inputs, Bases& bases) {
  const std::size_t d = size_at(cell.at, "d"), k = size_at(cell.at, "k");
  return {real_record(word_directions(inputs, bases), bases.positions(d), k)};
}

/// The same after random rotations of the words, which leave no relation between their axes and the
/// positions'.
Records run_real_rotated(const Cell& cell, const Streams& streams, const WordInputs& inputs, Bases& bases) {
  const std::size_t d = size_at(cell.at, "d"), k = size_at(cell.at, "k");
  const Matrix<double>& words = word_directions(inputs, bases);
  Records records;
  for (std::size_t draw = 0; draw < rotations; ++draw) {
    const Matrix<double> rotation = complete_basis(gaussian(d, d, streams("rotation", draw)));
    records.push_back(
        real_record(product(View<double>(words), View<double>(rotation)), bases.positions(d), k));
  }
  return records;
}

Records run_real_energy(const Cell& cell, const WordInputs& inputs, const PositionBases& bases) {
  const std::size_t d = size_at(cell.at, "d");
  const std::size_t r = effective_dimension(sinusoid_spectra(frequencies(d), 512).uncentred).r99;
  const Matrix<float> basis = leading_rows(bases(d), r);
  const std::vector<double> inside = energy_inside(inputs.words->unit, basis);
  MomentSums sums;
  sums.add(inside);
  // Of unit words, the mean energy is tr(A Π): the null for two fixed tables, one of them a projection.
  const TableOverlap overlap = table_overlap(inputs.words->unit, basis);
  const double rank = static_cast<double>(r);
  const theory::OverlapNull null =
      theory::overlap_null(d, overlap.trace_a, overlap.trace_square_a, rank, rank);
  return {{"real_energy",
           {{"v", whole(inside.size())},
            {"r", whole(r)},
            {"energy", sums.moments().mean},
            {"null_mean", null.mean},
            {"null_sd", null.sd}}}};
}

Records run(const Cell& cell, const Streams& streams, const WordInputs& inputs, Bases& bases) {
  const std::string& measure = text_at(cell.at, "measure");
  if (measure == "grid") return run_nested(cell, streams, bases.positions, false);
  if (measure == "diagonal") return run_nested(cell, streams, bases.positions, true);
  if (measure == "law") return run_law(cell, streams, bases.positions);
  if (measure == "energy") return run_energy(cell, streams, bases.positions);
  if (measure == "real") return run_real(cell, inputs, bases);
  if (measure == "real_rotated") return run_real_rotated(cell, streams, inputs, bases);
  return run_real_energy(cell, inputs, bases.positions);
}

}  // namespace

Experiment subspaces_against_chance(const Options& options, const SharedInputs& inputs) {
  const auto bases = std::make_shared<Bases>();
  return {"O4",
          "The subspace of words and the subspace of positions are approximately orthogonal.",
          "[d]",
          inputs->hashes,
          cells(options.preset, *inputs),
          [inputs, bases](const Cell& cell, const Streams& streams) {
            return run(cell, streams, *inputs, *bases);
          },
          [inputs](const std::vector<CellRecords>& cells) {
            return summarise_subspaces(cells, inputs->missing);
          }};
}

}  // namespace perp::orthogonality
