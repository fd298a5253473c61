#pragma once
// Word and position through one noisy channel, joined in every way that claims A5 and A7 compare.
//
//   y = a·x + b·p + n·z      d coordinates, z ~ N(0, I)
//   split       x on the first d - d_p coordinates, p on the other d_p
//   sum         x on all d, p on the last d_p: narrow for d_p < d, full for d_p = d
//
// All ways have the power P = 1.5 d, of which the position gets the share β: x has variance 1 on its d_x
// coordinates, a² = (1 - β) P/d_x; the table of positions has mean ‖p‖² = 1, b² = β P. A split and the narrow
// sum of one width have the same table of positions. A5 gives the noise as its standard deviation at d = 32;
// at other widths it grows with √d, so that P/n² is the same at every width. A7's is a coordinate's own.

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/measures/information.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "perp/study/frame.hpp"
#include "perp/theory/reader.hpp"

namespace perp::capacity {

using Sizes = std::vector<std::size_t>;
using Values = std::vector<double>;  ///< by codebook, or by noise

/// What positions look like.
enum class Positions {
  sinusoidal,  ///< as they are: of base 10,000 and the width they are given
  centred,     ///< the sinusoid less its mean over positions, scaled back to the same power
  random       ///< Gaussian entries: a random codebook, as the words'
};
inline constexpr Positions all_positions[] = {Positions::sinusoidal, Positions::centred, Positions::random};
std::string name_of(Positions positions);
/// The one of this name. Throws Error for no such.
Positions family_named(const std::string& name);

/// The setting whose numbers are printed.
inline constexpr std::size_t shown_d = 32, shown_words = 256, shown_length = 64;

/// Shares β of the power for the position; a third gives a word twice the power of its position, as words of
/// variance 1 and a sinusoid have it.
inline constexpr const auto& shares = theory::shares_of_position;
inline constexpr double plain_share = shares[2];

inline double total_power(std::size_t d) { return 1.5 * d; }
/// a and b.
inline double word_amplitude(std::size_t d, std::size_t word_width, double share) {
  return std::sqrt((1 - share) * total_power(d) / word_width);
}
inline double position_amplitude(std::size_t d, double share) { return std::sqrt(share * total_power(d)); }
/// n, from the noise at d = 32.
inline double noise_at(std::size_t d, double noise) { return noise * std::sqrt(d / 32.0); }

/// Position widths d/8, 2d/8 … 7d/8, made even. Choices are made among the first four; a sum may have d, too.
Sizes position_widths(std::size_t d);

/// words: count x d, entries N(0, 1).
Matrix<float> word_table(std::size_t count, std::size_t d, const Stream& stream);

/// positions: length x width, scaled to mean ‖p‖² = 1; sinusoids of even width.
Matrix<float> position_table(Positions positions, std::size_t length, std::size_t width,
                             const Stream& stream);

/// What was sent, N times, and the noise that met it.
struct Samples {
  Sizes words;          ///< N rows of a table of words
  Matrix<float> noise;  ///< N x d, N(0, 1)
  /// N rows of a table of positions, each equally often, or spread evenly over it where they are fewer: the
  /// ends of a text are easier to tell than its middle.
  Sizes positions(std::size_t length) const;
};
Samples draw_samples(std::size_t count, std::size_t words, std::size_t d, const Stream& sent,
                     const Stream& noise);

/// Columns first … first + width - 1.
View<float> columns(const Matrix<float>& table, std::size_t first, std::size_t width);
/// Positions (L x width) in the last `width` of the samples' dimensions.
CodeProducts position_products(const Matrix<float>& positions, const Samples& samples);
/// Words against positions in the words' last dimensions.
CrossTable narrow_cross(const Matrix<float>& words, const Matrix<float>& positions);

/// A cell: one codebook.
struct Book {
  std::size_t d, v, l, codebook, samples;

  Coordinates place() const {
    return {{"d", whole(d)},
            {"v", whole(v)},
            {"l", whole(l)},
            {"codebook", whole(codebook)},
            {"samples", whole(samples)}};
  }
};
/// At which its bits are measured, at d = 32.
inline constexpr double joined_noises[] = {0.5, 2};
/// Bits I(W,T;Y) of one way to join.
struct Joined {
  std::string positions;
  double noise;
  std::string joined;  ///< split or sum
  std::size_t width;   ///< d_p
  double share, bits;
};
std::vector<Joined> measure_joined(const Book& at, const Streams& streams);
/// About its seconds.
double joined_cost(const Book& at);

/// One way to join, at one place.
struct Arm {
  std::string joined;
  std::size_t d, width;
  double share;
  Values bits;
};
/// Of rows of one place (one kind of positions, one noise), their fields those of Book and Joined.
std::vector<Arm> arms_of(const Frame& place);
/// The arms among which a side chooses: splits up to half of the dimensions, all sums.
std::vector<Arm> splits_of(std::vector<Arm> arms);
std::vector<Arm> sums_of(std::vector<Arm> arms);

/// Which codebooks choose the arm that one is measured with. All others choose on nearly the same codebooks
/// each time, so the spread over codebooks holds nothing of the chance in the choice. Of `choosing_groups`
/// groups each chooses for the next: the choices are made on disjoint codebooks, and the spread over groups
/// holds it.
enum class Choosers { others, group_before };
inline constexpr std::size_t choosing_groups = 8;

/// What a side chose: for each codebook the arm with the most bits in those that choose.
struct Choice {
  Values bits;
  std::vector<Arm> arms;  ///< by codebook
  Arm overall;            ///< by all codebooks
};
/// Chosen on `chosen_on`, the same arms at perhaps another noise.
Choice choose(const std::vector<Arm>& arms, const std::vector<Arm>& chosen_on,
              Choosers choosers = Choosers::others);
inline Choice choose(const std::vector<Arm>& arms) { return choose(arms, arms); }

/// Mean over codebooks with Student's interval. The value is their plain sum over their number.
Estimate over_codebooks(const Values& values);
/// The same over the means of the choosing groups.
Estimate over_groups(const Values& values);
Values difference(Values a, const Values& b);
/// The first of the largest means, those within a millionth of a bit being level: near the ceiling many are, and
/// rounding must not choose.
std::size_t first_of_best(std::span<const double> means);

}  // namespace perp::capacity
