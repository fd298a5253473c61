// O2: word vectors and PE are unrelated, so they are nearly orthogonal. Cells.

#include "studies/orthogonality/o2_words_positions.hpp"

#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/overlap.hpp"
#include "perp/theory/overlap.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t bins = 2000;       // of the histogram over ±1
constexpr std::size_t bins_a_point = 4;  // of the density that is drawn

// ---- cells
// ------------------------------------------------------------------------------------------------------

Cell cell(const std::string& family, std::size_t words, std::size_t d, std::size_t length) {
  return {
      {{"family", family}, {"v", whole(words)}, {"d", whole(d)}, {"l", whole(length)}},
      1e-11 * 2 * static_cast<double>(words) * static_cast<double>(length) * static_cast<double>(d) + 0.05};
}

std::vector<Cell> cells(const Options& options, const WordInputs& inputs) {
  const std::size_t words = pick<std::size_t>(options.preset, 1000, 4000, 20000);
  std::vector<Cell> cells;
  for (const Family family : families) {
    for (const std::size_t d :
         pick<std::vector<std::size_t>>(options.preset, {64, 512}, {64, 128, 256, 512, 1024, 2048},
                                        {64, 128, 256, 512, 1024, 2048, 4096}))
      cells.push_back(cell(std::string(to_text(family)), words, d, 2048));
    if (options.preset != Preset::quick)
      cells.push_back(cell(std::string(to_text(family)), words, 512, 8192));
  }
  if (inputs.words) {
    const std::size_t count = rows(inputs.words->unit), d = cols(inputs.words->unit);
    cells.push_back(cell(learned, count, d, 2048));
    cells.push_back(cell(centred, count, d, 2048));
    cells.push_back(cell(rotated, count, d, 2048));
    cells.push_back(cell(std::string(to_text(Family::gaussian)), count, d, 2048));  // their control
  }
  return cells;
}

// ---- one cell
// ---------------------------------------------------------------------------------------------------

Matrix<float> without_mean(const Matrix<float>& words) {
  std::vector<double> mean(cols(words));
  for (std::size_t i = 0; i < rows(words); ++i)
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += words(i, j);
  Matrix<float> out = matrix<float>(rows(words), cols(words));
  for (std::size_t i = 0; i < rows(words); ++i)
    for (std::size_t j = 0; j < mean.size(); ++j)
      out(i, j) = static_cast<float>(words(i, j) - mean[j] / static_cast<double>(rows(words)));
  return out;
}

Matrix<float> unit_words(const Cell& cell, const Streams& streams, const WordInputs& inputs) {
  const std::string& name = text_at(cell.at, "family");
  if (name == learned) return inputs.words->unit;
  if (name == centred) return unit_rows(without_mean(inputs.words->unit)).rows;
  const std::size_t d = size_at(cell.at, "d");
  if (name == rotated)
    return unit_rows(product<float>(inputs.words->unit, random_rotation(d, streams("rotation")))).rows;
  const Family family = family_from(name);
  const Matrix<float> words = draw_words(family, size_at(cell.at, "v"), d, streams("words"));
  // Positions lie along the axes as no learned table does: turn words whose law does not do that by itself.
  if (is_isotropic(family)) return unit_rows(words).rows;
  return unit_rows(product(View<float>(words), View<float>(random_rotation(d, streams("rotation"))))).rows;
}

Records run(const Cell& cell, const Streams& streams, const WordInputs& inputs) {
  const std::size_t d = size_at(cell.at, "d");
  const Matrix<float> words = unit_words(cell, streams, inputs);
  const Matrix<float> positions = unit_rows(sinusoidal<float>(size_at(cell.at, "l"), d)).rows;
  const CosineSummary cosines = cosines_between(words, positions, bins, 1);
  const TableOverlap overlap = table_overlap(words, positions);
  const theory::OverlapNull null = theory::overlap_null(d, overlap.trace_a, overlap.trace_square_a,
                                                        overlap.trace_b, overlap.trace_square_b);
  Records records{{"overlap",
                   {{"pairs", whole(cosines.count)},
                    {"mean", cosines.mean()},
                    {"mean_square", overlap.mean_square},
                    {"null_mean", null.mean},
                    {"null_sd", null.sd},
                    {"max_abs", cosines.max_abs},
                    {"words_trace_square", overlap.trace_square_a},
                    {"positions_trace_square", overlap.trace_square_b}}}};
  if (d != 512 && text_at(cell.at, "family") != learned && text_at(cell.at, "family") != centred)
    return records;
  const std::vector<double> centres = cosines.histogram.centres(), density = cosines.histogram.density();
  const double reach = 5 / std::sqrt(static_cast<double>(d));
  for (std::size_t first = 0; first + bins_a_point <= bins; first += bins_a_point) {
    double centre = 0, sum = 0;
    for (std::size_t i = first; i < first + bins_a_point; ++i) {
      centre += centres[i] / bins_a_point;
      sum += density[i] / bins_a_point;
    }
    if (std::abs(centre) <= reach) records.push_back({"density", {{"cosine", centre}, {"density", sum}}});
  }
  return records;
}

}  // namespace

Experiment words_against_positions(const Options& options, const SharedInputs& inputs) {
  return {
      "O2",
      "Word vectors and positional encodings are unrelated, so they are nearly orthogonal.",
      "[d]",
      inputs->hashes,
      cells(options, *inputs),
      [inputs](const Cell& cell, const Streams& streams) { return run(cell, streams, *inputs); },
      [inputs](const std::vector<CellRecords>& cells) { return summarise_words_positions(cells, *inputs); }};
}

}  // namespace perp::orthogonality
