#pragma once
// D11: scores of positions when one step of their computation is rounded to a number format, the others in
// float64, or all of them.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/vectors/format.hpp"

namespace perp::distance {

/// In the order of the computation; `all`: each of them, as a model that is cast to the format computes.
enum class Step { inverse_frequencies, position, angle, table, vectors, scores, all };
inline constexpr Step steps[] = {Step::inverse_frequencies,
                                 Step::position,
                                 Step::angle,
                                 Step::table,
                                 Step::vectors,
                                 Step::scores,
                                 Step::all};
std::string_view to_text(Step step);

/// What each number is rounded to on its way: the inverse frequency ω, the position t, the angle ωt, its sine
/// and cosine, the rotated query and key, these as factors of the score, the score.
struct Roundings {
  Format frequency = Format::float64, position = Format::float64, angle = Format::float64,
         table = Format::float64, vector = Format::float64, factor = Format::float64, score = Format::float64;
};
/// TF32 is no format to store in: it rounds the factors of a matrix product, whose sums stay in float32.
/// There the angle is a product of rounded ω and t, the score one of rounded vectors, and `all` rounds both.
Roundings roundings(Step step, Format format);

/// A sinusoid's positions, or RoPE's queries and keys of one content each, with scores rounded on the way.
/// RoPE's content: every pair of coordinates has length 1, its angle a multiple of an irrational part of a
/// turn, and 8 significant bits, which every format holds.
class RoundedScores {
 public:
  static constexpr std::size_t lags = 513;  ///< 0 … 512

  /// The sinusoid's with these frequencies, or RoPE's, where content is turned.
  RoundedScores(std::vector<double> omega, bool is_turned, const Roundings& to);

  /// Whether queries and keys are the same rows.
  bool symmetric() const { return content_.query.empty(); }
  /// Rows for positions first … first + count - 1, up to `last_position`.
  Matrix<double> queries(std::size_t first, std::size_t count) const {
    return rows(content_.query, first, count);
  }
  Matrix<double> keys(std::size_t first, std::size_t count) const { return rows(content_.key, first, count); }
  /// Products of queries and keys as scores are stored.
  void round_scores(std::span<double> products) const { round_to(to_.score, products); }
  /// The score of lag k in exact arithmetic, and what errors are a share of: g(0), or ‖q‖‖k‖.
  double exact(std::size_t lag) const { return exact_[lag]; }
  double whole() const { return whole_; }
  /// The last position that its format can hold, as a double holds it.
  double last_position() const;

 private:
  struct Content {
    std::vector<double> query, key;  ///< both empty for the sinusoid
  };
  Matrix<double> rows(const std::vector<double>& content, std::size_t first, std::size_t count) const;
  Matrix<double> turned(const std::vector<double>& content, Matrix<double> table) const;

  Roundings to_;
  Content content_;
  std::vector<double> omega_, exact_;
  double whole_;
};

/// Up to here texts are read.
inline constexpr std::size_t text_end = 8192;

/// The first position with a score off by a hundredth of g(0), or of ‖q‖‖k‖, and the largest errors in texts and up to
/// a million; NaN where the format does not reach, or nothing was found.
struct Precision {
  double first_bad, text_error, far_error;
};
/// Every position up to `dense` is tried, then the 128 that end at each power of two and at a million.
Precision precision_of(const RoundedScores& scores, std::size_t dense);

}  // namespace perp::distance
