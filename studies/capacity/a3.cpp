// A3: QᵀK has to score four kinds of pairs. What one matrix for sums leaves at GPT-2's size, above what separate ones
// for words and for positions leave: in closed form, and fitted for sinusoids. In words: a3.toml.

#include <algorithm>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bilinear.hpp"
#include "perp/measures/rows.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/bilinear.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// GPT-2 small's words, positions and width; the rank of words and of what is asked of them.
constexpr std::size_t v = 50257, l = 1024, d = 768, low_rank = 16;
/// Positions t and s score exp(-|t - s|/range).
constexpr double range = 32;

/// The rows of two tables of one width, one after the other.
Matrix<double> stacked(const Matrix<double>& above, const Matrix<double>& below) {
  Matrix<double> out = matrix<double>(rows(above) + rows(below), cols(above));
  std::ranges::copy(above, out.begin());
  std::ranges::copy(below, out.begin() + std::ptrdiff_t(above.size()));
  return out;
}

/// T_wv = the Gram of the words' axes (V x r), T_ts = exp(-|t - s|/range), nothing between words and
/// positions; both of mean square 1.
BilinearTargets smooth_targets(const Matrix<double>& axes) {
  const std::size_t words = rows(axes);
  const auto placed_at = [&](Matrix<double> block, std::size_t first) {
    double square = 0;
    for (const double x : block) square += x * x;
    for (double& x : block) x /= std::sqrt(square / block.size());
    return placed(block, first, words + l);
  };
  Matrix<double> by_distance = matrix<double>(l, l);
  for (std::size_t t = 0; t < l; ++t)
    for (std::size_t s = 0; s < l; ++s)
      by_distance(t, s) = std::exp(-std::abs(double(t) - double(s)) / range);
  return bilinear_targets(stacked(placed_at(gram_rows(axes), 0), placed_at(std::move(by_distance), words)),
                          words);
}

/// Of mean square length `square`.
Matrix<double> scaled_to(double square, Matrix<double> table) {
  const double scale = std::sqrt(square / mean_square_length(table));
  for (double& x : table) x *= scale;
  return table;
}

// What is left of targets by words and sinusoids that share d dimensions, and by the same apart: [W 0; 0 P]. Of words of
// mean 0 the residual depends on WᵀW alone, up to a factor: ± each axis stands for any number of them that lie evenly in
// `low_rank` dimensions. They are turned at random into the positions' d dimensions, for the sinusoid lies along the axes
// as no table does; mean ‖x‖² = d.
void measure(double power, const Streams& streams, Out& out) {
  constexpr std::size_t k = low_rank;
  Matrix<double> words = zeros<double>(2 * k, k);
  for (std::size_t i = 0; i < k; ++i) words(i, i) = 1, words(k + i, i) = -1;
  const BilinearTargets targets = smooth_targets(words);
  const Matrix<double> positions = scaled_to(power * double(d), sinusoidal<double>(l, d)),
                       rotation = converted<double>(random_rotation(d, streams("rotation")));
  words = scaled_to(double(d), words);
  const Matrix<double> turned = product(words, converted<double>(block(View(rotation), 0, k, d)));
  const Matrix<double> apart = stacked(placed(words, 0, k + d), placed(positions, k, k + d));
  out("fitted", {{"residual", bilinear_fit(stacked(turned, positions), targets).residual},
                 {"apart", bilinear_fit(apart, targets).residual}});
}

/// What a sum leaves, and words and positions apart. Each has all d dimensions then: the word-word job is left to the
/// words alone, the position-position job to the positions alone, what crosses to both.
void add(const char* rank, const char* positions, double power, double residual, double apart, Out& out) {
  // A sum's range lies in that of the parts, so that nothing is below 0; below the cutoff is rounding.
  const double above = residual - apart > usual_cutoff ? residual - apart : 0;
  out("apart", {{"rank", rank},
                {"positions", positions},
                {"power", power},
                {"residual", residual},
                {"apart", apart},
                {"above", above},
                {"kept", (1 - residual) / (1 - apart)}});
  out("above",
      {{"rank", rank},
       {"positions", positions},
       {"power", power},
       {"above", above},
       {"none", positions == std::string_view("sinusoidal") ? 0.0 : NAN}});  // fewer directions than d
}

void fold(const Frames& measured, Out& out) {
  double square = 0;  // of the positions' targets
  for (std::size_t t = 0; t < l; ++t)
    for (std::size_t s = 0; s < l; ++s) square += std::exp(-2 * std::abs(double(t) - double(s)) / range);
  const double flatness = l / square, alone = std::min(1.0, double(d) / l);
  constexpr double powers[] = {.5, 1, 4, 16, 64, 256};
  for (const double power : powers)
    add("full", "random", power, theory::added_residual(v, l, d, power), theory::split_residual(v, l, d, d),
        out);
  for (const double power : powers)
    add("rank16", "random", power, theory::low_rank_residual(low_rank, l, d, power, flatness),
        theory::smooth_residual(1, alone, flatness), out);
  for (const Row& at : measured["fitted"])
    add("rank16", "sinusoidal", at.number("power"), at.number("residual"), at.number("apart"), out);
  out("model",
      {{"words_alone", theory::expected_residual(d, v)}, {"best_width", theory::best_split(v, l, d)}});
}

}  // namespace

Experiment four_jobs(const Options&) {
  Experiment claim("A3", toml_of("a3"));
  for (const double power : {1.0, 16.0, 64.0})
    claim.cell(
        {{"what", "low rank"}, {"l", whole(l)}, {"d", whole(d)}, {"rank", whole(low_rank)}, {"power", power}},
        3.0, [=](const Streams& streams, Out& out) { measure(power, streams, out); });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::capacity
