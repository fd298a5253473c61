#pragma once
// Reading a word, a position or both back from a vector y = x_w + p_t (+ noise) (claims A1, A2, Q3).
//
// Tables hold one vector per row: words V x d, positions L x d, queries N x d; an answer is the number of a
// row. Products are float32, tile by tile, and the largest is found while a tile is in cache: a V x N table
// never exists. Equal scores go to the lower row. What finds nearest words throws Error for values that are not
// finite.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

/// What makes a word x the best answer to a query y.
enum class Nearness {
  distance,  ///< smallest ‖y - x‖: largest y·x - ‖x‖²/2; most likely under equal noise in all directions
  inner_product  ///< largest y·x
};

/// The nearest word of each query: N rows of `words`.
std::vector<std::uint32_t> nearest_words(View<float> queries, View<float> words,
                                         Nearness nearness = Nearness::distance, std::size_t threads = 1);

/// Factors f >= 0 with from <= f < to; none unless from < to.
struct Range {
  float from = 0, to = std::numeric_limits<float>::infinity();
  bool holds(double f) const { return from <= f && f < to; }
};
/// For every query i the factors f at which the nearest word of first_i + f second_s(i) is the right one,
/// words(right_i): scores are linear in f, so that one product of `first` (N x d) and one of `second` (L x d)
/// serve all factors. `which` holds s(i) of each query.
std::vector<Range> found_between(View<float> first, View<float> second, std::span<const std::uint32_t> which,
                                 View<float> words, std::span<const std::uint32_t> right,
                                 Nearness nearness = Nearness::distance);

/// `table` (N x d) without its part in the span of `basis` (r x d, orthonormal rows): x - Bᵀ(Bx). Project
/// queries and words alike, then ask for the nearest word: a decoder that knows where positions live and no
/// more.
Matrix<float> project_out(View<float> table, View<float> basis);

/// Ridge regression in closed form, with an intercept. R² of each of the k targets on the test rows,
/// 1 - Σ(f - f̂)²/Σ(f - f̄)²: 1 is perfect, 0 no better than the mean, below 0 worse. `ridge` is added to the
/// eigenvalues of the inputs' covariance, in units of their mean. NaN for a target without variance.
struct Examples {
  View<double> inputs;   ///< n x d
  View<double> targets;  ///< n x k: a function of position, or one column per word, 1 where it stands
};
/// Throws Error for inputs whose covariance is singular at that ridge.
std::vector<double> read_out_r2(const Examples& train, const Examples& test, double ridge);

/// The class of each query by linear discriminant analysis (Fisher 1936, Ann. Eugenics 7, 179; with the
/// classes' shares among the examples as priors): the k of largest z·c_k - ‖c_k‖²/2 + ln π_k, z the query and
/// c_k the class's mean, both whitened by the covariance within classes, to whose diagonal `ridge` times the
/// mean variance of a column is added. Regression on one-hot targets would be linear as well, but hides
/// classes that lie between others, such as middle positions. Equal scores go to the lower class; classes
/// without examples are never answered. examples: n x d, with the class of each; queries: m x d; ridge: above 0.
/// Throws Error for values that are not finite.
std::vector<std::uint32_t> linear_classes(View<float> examples, std::span<const std::uint32_t> classes,
                                          View<float> queries, double ridge);

/// How many of n answers are right; `truth` is as long.
struct Hits {
  std::uint64_t right = 0, n = 0;
  double share() const { return static_cast<double>(right) / static_cast<double>(n); }
};
Hits count_hits(std::span<const std::uint32_t> answers, std::span<const std::uint32_t> truth);

}  // namespace perp
