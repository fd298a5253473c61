#pragma once
// What weights leave of positions whose products depend on the lag alone (claims D6, D9). A kernel is
// p_t·p_{t+k} for k = 0 … L-1, L >= 2; everything throws Error for a shorter one.

#include <cstddef>
#include <span>

#include "perp/theory/distance.hpp"

namespace perp::theory {

/// ‖p̄‖², the mean product over all L² pairs of positions.
double square_mean(std::span<const double> kernel);

/// Expected variances of the scores p_tᵀMp_s over all pairs, and of their means per lag. Their ratio is the
/// pooled R²: not the mean of R² over draws, which also feels how much the two vary together.
struct ExpectedScores {
  double by_lag = 0, all = 0;
  double share() const { return by_lag / all; }
};

/// M = QᵀQ, Q rank x d with iid normal entries, rank >= 1: M has the mean rank x 1, and M_ij goes with M_ji,
/// which adds rank g(k)² and <A_k, A_kᵀ> = Σ_j (n_k - |j|) g(j+k) g(j-k)/n_k².
ExpectedScores expected_for_tied(std::span<const double> kernel, std::size_t rank);

/// Expected variances of the four terms of (x+p)ᵀQᵀQ(y+p'), as shares of their sum: Q as above, `words` words
/// with iid normal entries of one variance, each of them met with itself too.
FourShares tied_shares(std::size_t d, std::size_t words, double word_variance, std::span<const double> kernel,
                       std::size_t rank);

}  // namespace perp::theory
