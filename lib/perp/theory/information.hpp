#pragma once
// Claims A5 and A7: what noise lets through, in bits. Powers are totals over all dimensions, noise is the
// standard deviation per dimension.

#include <cstddef>

namespace perp::theory {

/// Power spread evenly over `dimensions`: (dimensions/2) log2(1 + power/(dimensions n²)); 0 for 0 dimensions.
/// No law of that power gets more through N(0, n² I) (Cover and Thomas 2006, theorem 8.6.5 and section 9.4).
/// Throws Error{unusable} for negative power or dimensions, and noise <= 0.
double white_bits(double dimensions, double power, double noise);

/// Bits that two senders get through one channel.
struct Rates {
  double word = 0, position = 0;
  double both() const { return word + position; }
};

/// The region word <= `word`, position <= `position`, word + position <= `both`: adding, for white Gaussian
/// codebooks and long blocks (Cover and Thomas 2006, section 15.3.1, one channel use per dimension). Its
/// corners are (word, both - word) and (both - position, position).
struct Pentagon {
  double word = 0, position = 0, both = 0;
};
Pentagon white_pentagon(std::size_t d, double word_power, double position_power, double noise);

/// Frequency division: the position has position_dimensions of d to itself, the word the rest, each with all
/// of its power there (Cover and Thomas 2006, section 15.3.4): concatenation. The curve touches the pentagon
/// where dimensions are shared as the powers are. 0 <= position_dimensions <= d.
Rates frequency_division(std::size_t d, double position_dimensions, double word_power, double position_power,
                         double noise);

}  // namespace perp::theory
