// The second half of distance.hpp: columns of the table, and scores.

#include <cmath>
#include <numbers>

#include "perp/base/error.hpp"
#include "perp/theory/distance.hpp"

namespace perp::theory {
namespace {

/// Σ_t e^{iδt}, t = 0 … L-1, turned so that it is real: sin(Lδ/2)/sin(δ/2), with its sign.
double dirichlet(double length, double delta) {
  const double half = std::remainder(delta, 2 * std::numbers::pi) / 2;
  return half == 0 ? length : std::sin(length * half) / std::sin(half);
}

void check_power(const char* who, const Power& power) {
  require(
      power.square_mean >= 0 && power.mean_square >= power.square_mean && std::isfinite(power.mean_square),
      "four_shares: {} with mean square {} and squared mean {}; expected 0 <= squared mean <= mean square",
      who, power.mean_square, power.square_mean);
}

/// Expected variance over all pairs (u, v) of uᵀMv, entries of M iid with mean 0 and variance 1, in units of
/// it. Not for M = QᵀQ, whose scores have a mean.
double random_score_variance(const Power& u, const Power& v) {
  return u.mean_square * v.mean_square - u.square_mean * v.square_mean;
}

}  // namespace

double frequency_overlap(std::size_t length, double delta) {
  require(length >= 1, "frequency_overlap: length 0 given, expected at least 1");
  require(std::isfinite(delta), "frequency_overlap: difference {} given, expected a finite one", delta);
  const double n = static_cast<double>(length);
  return std::abs(dirichlet(n, delta)) / n;
}

double sine_cosine_overlap(std::size_t length, double omega) {
  require(length >= 2, "sine_cosine_overlap: length {} given, expected at least 2", length);
  require(omega > 0 && omega < std::numbers::pi,
          "sine_cosine_overlap: frequency {} given, expected one between 0 and pi", omega);
  // sin cos, sin² and cos² are made of sin 2ωt and cos 2ωt; sin² is summed as it stands, because for ωL ≪ 1
  // its closed form is the difference of two nearly equal numbers.
  double cross = 0, sines = 0, cosines = 0;
  for (std::size_t t = 0; t < length; ++t) {
    const double s = std::sin(omega * static_cast<double>(t)), c = std::cos(omega * static_cast<double>(t));
    cross += s * c;
    sines += s * s;
    cosines += c * c;
  }
  return cross / std::sqrt(sines * cosines);
}

double toeplitz_null(std::size_t length) {
  require(length >= 2, "toeplitz_null: length {} given, expected at least 2", length);
  return 2 / (static_cast<double>(length) + 1);
}

FourShares four_shares(const Power& words, const Power& positions) {
  check_power("words", words);
  check_power("positions", positions);
  const double ww = random_score_variance(words, words);
  const double wp = random_score_variance(words, positions);
  const double pp = random_score_variance(positions, positions);
  const double sum = ww + 2 * wp + pp;
  require(sum > 0, "four_shares: neither words nor positions vary");
  return {ww / sum, wp / sum, wp / sum, pp / sum};
}

}  // namespace perp::theory
