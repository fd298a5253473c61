#include "studies/capacity/a3_tables.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/squares.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::capacity {
namespace {

Matrix<double> first_columns(const Matrix<double>& table, std::size_t width, double scale) {
  Matrix<double> out = converted<double>(block(table, 0, rows(table), width));
  for (double& x : out) x *= scale;
  return out;
}

}  // namespace

Matrix<double> stacked(const Matrix<double>& above, const Matrix<double>& below) {
  Matrix<double> out = matrix<double>(rows(above) + rows(below), cols(above));
  std::ranges::copy(above, out.begin());
  std::ranges::copy(below, out.begin() + std::ptrdiff_t(above.size()));
  return out;
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
  if (kind == Positions::random)
    return first_columns(draw.position_entries, width, std::sqrt(whole / static_cast<double>(width)));
  Matrix<double> table = sinusoidal<double>(draw.positions, width);
  if (kind == Positions::centred) {
    require(draw.positions > 1, "exact_positions: one position, centred, is nothing");
    table = centred(table);
  }
  return first_columns(table, width, std::sqrt(whole / mean_square_length(table)));
}

Matrix<double> added_table(const Draw& draw, Positions kind, double power) {
  return stacked(draw.word_entries, exact_positions(kind, draw, draw.d, power));
}

Matrix<double> split_table(const Draw& draw, Positions kind, std::size_t width, double power) {
  require(width > 0 && width < draw.d, "split_table: positions have {} of {} dimensions, words need one too",
          width, draw.d);
  const std::size_t rest = draw.d - width;
  const Matrix<double> words = first_columns(draw.word_entries, rest, word_scale(draw.d, rest));
  return stacked(placed(words, 0, draw.d), placed(exact_positions(kind, draw, width, power), rest, draw.d));
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
