#pragma once
// A1: what is measured. The size of a position is ρ = ‖p‖/‖x‖, root mean squares over positions and words.

#include <string>
#include <vector>

#include "perp/measures/decoding.hpp"
#include "perp/study/claim.hpp"

namespace perp::capacity {

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
  std::string family;  ///< of words.hpp
};
PERP_ROW(Star, what, family, d, v, l, centred, noise, codebooks, trials)

/// Shares found with positions of size rho; the exact share of unit words.
struct FoundAtSize : Star {
  double rho, line;
  Estimate word, position;
};
PERP_ROW_OF(FoundAtSize, Star, rho, line, word, position)
/// Unit words and positions found by decoders that know nothing of each other, at every size of the position.
void measure_star(const Star& at, const Streams& streams, Rows& rows);

/// Share of words found beside positions of size rho whose subspace is projected out.
struct Projected : Decoding {
  double rho;
  Estimate word;
};
PERP_ROW_OF(Projected, Decoding, rho, word)
void measure_projected(const Decoding& at, const Streams& streams, Rows& rows);

}  // namespace perp::capacity
