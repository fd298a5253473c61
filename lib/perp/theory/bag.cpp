#include "perp/theory/bag.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "perp/base/error.hpp"

namespace perp::theory {
namespace {

/// ln Φ(x), accurate in both tails as far as an integral over z needs it.
double log_normal_cdf(double x) {
  return std::log(std::max(0.5 * std::erfc(-x / std::numbers::sqrt2), 1e-300));
}

/// √2 · difference/deviation. Scores that never differ are a tie, decided by chance.
double lead(double difference, double variance) {
  if (variance > 0) return std::numbers::sqrt2 * difference / std::sqrt(variance);
  return difference > 0 ? INFINITY : 0;
}

/// Variance of (score of the right word - score of a rival in the sum), n >= 2 words in the sum:
///   (2(n-2) + 2(1-κ) + 2(m-κ²)[+ 1 if the key is random])/d.
/// The n-2 other words meet the right word and the rival, 1/d each; the right word and the rival meet one
/// another through K - 1; the rival's own energy is unevenly spread over the blocks.
double rival_variance(std::size_t d, std::size_t n, const Rival& rival, bool random_key) {
  require(rival.overlap >= -1 && rival.overlap <= 1 && rival.mean_square <= 1 + 1e-12 &&
              rival.mean_square >= rival.overlap * rival.overlap - 1e-12,
          "matched_filter_share: overlap {} with mean square {}, expected -1 to 1 and its square to 1",
          rival.overlap, rival.mean_square);
  const double kappa = rival.overlap, spread = std::max(0.0, rival.mean_square - kappa * kappa);
  return (2 * static_cast<double>(n - 2) + 2 * (1 - kappa) + 2 * spread + (random_key ? 1 : 0)) /
         static_cast<double>(d);
}

/// Variance of (score of the right word - score of a word that is not in the sum).
double stranger_variance(std::size_t d, std::size_t n) {
  return (2 * static_cast<double>(n) - 1) / static_cast<double>(d);
}

}  // namespace

double matched_filter_share(std::size_t d, std::size_t words, std::span<const Rival> rivals,
                            bool random_key) {
  const std::size_t n = rivals.size() + 1;
  require(d >= 1, "matched_filter_share: dimension 0 given, expected at least 1");
  require(words >= n, "matched_filter_share: {} words in the sum, of {} in all", n, words);
  std::vector<double> leads;
  for (const Rival& rival : rivals)
    leads.push_back(lead(1 - rival.overlap, rival_variance(d, n, rival, random_key)));
  const double stranger = lead(1, stranger_variance(d, n)), strangers = static_cast<double>(words - n);
  constexpr int points = 160;
  constexpr double reach = 8, step = 2 * reach / points;
  double sum = 0;
  for (int i = 0; i <= points; ++i) {
    const double z = -reach + i * step;
    double log_p = strangers * log_normal_cdf(z + stranger);
    for (const double rival : leads) log_p += log_normal_cdf(z + rival);
    sum += std::exp(log_p - z * z / 2);
  }
  return std::min(1.0, sum * step / std::sqrt(2 * std::numbers::pi));
}

double unpaired_share(std::size_t n) {
  require(n >= 1, "unpaired_share: 0 words in the sum, expected at least 1");
  return 1 / static_cast<double>(n);
}

}  // namespace perp::theory
