#include "studies/capacity/a3_tables.hpp"

#include <cmath>

#include "perp/measures/squares.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::capacity {
namespace {

/// The first `width` columns of `from`, times `scale`, to columns `to` … of the rows `first` … of `out`.
void place(const Matrix<double>& from, std::size_t width, double scale, Matrix<double>& out,
           std::size_t first, std::size_t to) {
  for (std::size_t i = 0; i < rows(from); ++i)
    for (std::size_t j = 0; j < width; ++j) out(first + i, to + j) = scale * from(i, j);
}

}  // namespace

void centre(Matrix<double>& table, std::size_t first, std::size_t last) {
  for (std::size_t j = 0; j < cols(table); ++j) {
    double mean = 0;
    for (std::size_t i = first; i < last; ++i) mean += table(i, j) / double(last - first);
    for (std::size_t i = first; i < last; ++i) table(i, j) -= mean;
  }
}

Draw draw(std::size_t words, std::size_t positions, std::size_t d, const Streams& streams,
          std::size_t replicate) {
  const std::size_t n = words + positions;
  return {words,
          positions,
          d,
          normal_matrix<double>(words, d, streams("words", replicate)),
          normal_matrix<double>(positions, d, streams("positions", replicate)),
          normal_matrix<double>(n, n, streams("targets", replicate))};
}

Matrix<double> exact_positions(Positions kind, const Draw& draw, std::size_t width, double power) {
  require(width > 0 && width <= draw.d && power > 0,
          "exact_positions: {} of {} dimensions and power {}, expected both above 0", width, draw.d, power);
  const double whole = power * static_cast<double>(draw.d);
  Matrix<double> table;
  double scale = std::sqrt(whole / static_cast<double>(width));
  if (kind == Positions::random) {
    table = matrix<double>(draw.positions, width);
    place(draw.position_entries, width, 1, table, 0, 0);
  } else {
    table = sinusoidal<double>(draw.positions, width);
    if (kind == Positions::centred) {
      require(draw.positions > 1, "exact_positions: one position, centred, is nothing");
      centre(table, 0, rows(table));
    }
    scale = std::sqrt(whole / mean_square_length(table));
  }
  for (std::size_t i = 0; i < table.size(); ++i) table.data()[i] *= scale;
  return table;
}

Matrix<double> added_table(const Draw& draw, Positions kind, double power) {
  Matrix<double> table = matrix<double>(draw.words + draw.positions, draw.d);
  place(draw.word_entries, draw.d, 1, table, 0, 0);
  place(exact_positions(kind, draw, draw.d, power), draw.d, 1, table, draw.words, 0);
  return table;
}

Matrix<double> split_table(const Draw& draw, Positions kind, std::size_t width, double power) {
  require(width > 0 && width < draw.d, "split_table: positions have {} of {} dimensions, words need one too",
          width, draw.d);
  Matrix<double> table = zeros<double>(draw.words + draw.positions, draw.d);
  place(draw.word_entries, draw.d - width, word_scale(draw.d, draw.d - width), table, 0, 0);
  place(exact_positions(kind, draw, width, power), width, 1, table, draw.words, draw.d - width);
  return table;
}

BestSplit best_split_of(const Draw& draw, const BilinearTargets& targets, Positions kind, double power,
                        const std::vector<std::size_t>& widths, double cutoff) {
  BestSplit best;
  for (const std::size_t width : widths) {
    const BilinearResidual fit = bilinear_residual(split_table(draw, kind, width, power), targets, cutoff);
    // Where several splits are exact, rounding must not choose among them: the one that noise moves least.
    constexpr double exact = 1e-12;
    const bool better = fit.residual > exact || best.fit.residual > exact
                            ? fit.residual < best.fit.residual
                            : fit.noise_gain < best.fit.noise_gain;
    if (best.width == 0 || better) best = {width, fit};
  }
  require(best.width > 0, "best_split_of: no split to choose from");
  return best;
}

std::vector<std::size_t> even_widths(std::size_t d, std::size_t step) {
  require(step > 0 && step % 2 == 0, "even_widths: a step of {}, expected an even one above 0", step);
  std::vector<std::size_t> widths;
  for (std::size_t width = step; width < d; width += step) widths.push_back(width);
  return widths;
}

}  // namespace perp::capacity
