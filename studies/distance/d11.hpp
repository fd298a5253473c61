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
/// Throws Error for a name that `to_text` never gives.
Step step_from(std::string_view text);

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

  RoundedScores(std::string_view encoding, std::size_t d, double base, const Roundings& to);
  /// RoPE's with these frequencies.
  RoundedScores(std::vector<double> omega, const Roundings& to);

  /// Whether queries and keys are the same rows.
  bool symmetric() const { return content_.query.empty(); }
  /// Rows for positions first … first + count - 1. Throws Error for a position that overflows its format.
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
  RoundedScores(std::vector<double> omega, Content content, const Roundings& to);
  Matrix<double> rows(const std::vector<double>& content, std::size_t first, std::size_t count) const;
  Matrix<double> turned(const std::vector<double>& content, Matrix<double> table) const;

  Roundings to_;
  Content content_;
  std::vector<double> omega_, exact_;
  double whole_;
};

/// Errors at or above this share of g(0), or of ‖q‖‖k‖, are too large.
inline constexpr double too_far = 0.01;
/// Up to here texts are read; every position up to `dense` is tried, then 128 before each of these places.
inline constexpr std::size_t text_end = 8192, far_end = 1'000'000;
inline constexpr std::size_t window = 128;

struct Setting {
  std::string encoding, step, format;
  std::size_t d, base;
};
struct Trial : Setting {
  std::size_t dense;
};
/// NaN where the format does not reach, or nothing was found.
struct Precision : Trial {
  double first_bad, text_error, far_error;
};

Precision precision_of(const RoundedScores& scores, const Trial& at);

/// Whether a bound says that no position can be bad: a rounded table and rounded vectors move a score by at
/// most 2u + u² of the whole, a rounded score by u.
bool cannot_fail(Step step, Format format);

/// Where rounding one step is expected to bring the first error of a hundredth; NaN: nowhere, or no formula.
/// The first position is not exact at 1/u + 1. An angle is off by .42 u ωt (root mean square), so a score by
/// .42 u t/√(d ln T) of the whole, and the largest of thousands is four times that: t = √(d ln T)/(168 u). A
/// frequency that is off shifts every lag alike, by .30 u k/√(d ln T), twice that before long: k = √(d ln
/// T)/(60 u), if that is a lag that is read.
double expected_first_bad(Step step, Format format, std::size_t d, double base);

}  // namespace perp::distance
