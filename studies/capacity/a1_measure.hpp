#pragma once
// A1: what is measured. The size of a position is ρ = ‖p‖/‖x‖, root mean squares over positions and words.

#include <string>
#include <vector>

#include "perp/measures/decoding.hpp"
#include "perp/study/claim.hpp"
#include "studies/inputs/words.hpp"

namespace perp::capacity {

/// What "comparable" and "A ≪ 1" mean here.
inline constexpr double comparable = 1, small = 0.1;

/// A share of hits over several independent codebooks. Trials that share a codebook share their competitors,
/// so that the interval is the wider, on either side, of Wilson's over trials and Student's over codebooks.
struct Share {
  std::uint64_t right = 0, n = 0;
  std::vector<double> by_codebook;
  void add(const Hits& hits);
  double value() const { return double(right) / double(n); }
  Interval interval(double level) const;
  Estimate estimate() const;  ///< at shown_level
};

/// A share with its interval, of so many trials.
template <class Get, class Count>
auto share_column(const std::string& name, const char* meaning, Get get, Count n) {
  return sampled(name, meaning, get)
      .interval(name + "_low", name + "_high", "lower end of its 99% interval",
                "upper end of its 99% interval")
      .n(n);
}

/// Positions L x d with mean square length 1: of the sinusoid, or of the sinusoid less its mean.
Matrix<float> unit_power_positions(std::size_t length, std::size_t d, bool centred);

/// V words and L positions in R^d; noise in lengths of a word; trials of each codebook.
struct Decoding {
  std::string what;
  std::size_t d, v, l;
  bool centred;
  double noise;
  std::size_t codebooks, trials;
};
PERP_ROW(Decoding, what, d, v, l, centred, noise, codebooks, trials)
struct Star : Decoding {
  std::string family;  ///< of words.hpp, or learned
};
PERP_ROW(Star, what, family, d, v, l, centred, noise, codebooks, trials)

/// Shares found with positions of size rho, 0: none; the exact share for unit words.
struct FoundAtSize : Star {
  double rho, line;
  Estimate word, position;
};
PERP_ROW_OF(FoundAtSize, Star, rho, line, word, position)
/// The size from which on fewer than half of the words are found, and the same by the exact line, noise and
/// unequal lengths of positions included; NaN where noise alone hides half.
struct Thresholds : Star {
  Estimate half;
  double exact_half;
};
PERP_ROW_OF(Thresholds, Star, half, exact_half)
/// That size from the sizes at which each trial's word is found, by codebook: exact, between no sizes of a
/// grid. Student's interval over codebooks; of one codebook the sizes at which its share leaves Wilson's.
Estimate half_found(const std::vector<std::vector<Range>>& by_codebook);
/// Words and positions found by decoders that know nothing of each other, at every size of the position.
void measure_star(const Star& at, const WordInputs& inputs, const Streams& streams, Rows& rows);

/// Shares of words found by the nearest word, with the positions' subspace (of so many dimensions) projected
/// out, by joint maximum likelihood; of positions, nearest and joint.
struct Decoded : Decoding {
  double rho;
  std::size_t removed;
  Estimate nothing, projected, joint, position, joint_position;
};
PERP_ROW_OF(Decoded, Decoding, rho, removed, nothing, projected, joint, position, joint_position)
/// Decoders that know more: both tables, compared pair by pair; the subspace of positions.
void measure_decoders(const Decoding& at, const Streams& streams, Rows& rows);

/// Words and noise of these standard deviations per dimension; rows of a codebook to learn from.
struct ReadingOut {
  std::string what;
  std::size_t d, l;
  double sigma, noise;
  std::size_t codebooks, rows;
};
PERP_ROW(ReadingOut, what, d, l, sigma, noise, codebooks, rows)
/// Eigenfunction i of position, from the strongest, and R² of its read-out on rows not seen.
struct ReadOut : ReadingOut {
  std::size_t i;
  double eigenvalue;
  Estimate r2;
};
PERP_ROW_OF(ReadOut, ReadingOut, i, eigenvalue, r2)
/// What a linear map reads of position from sums, one eigenfunction of position after another. Words are
/// drawn anew for every row: V ≫ d.
void measure_read_out(const ReadingOut& at, const Streams& streams, Rows& rows);

}  // namespace perp::capacity
