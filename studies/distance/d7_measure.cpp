#include "studies/distance/d7_measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::distance {
namespace {

/// ∫ cos(ωk) d ln ω over the quarter, as a share of ln T.
double cosine_part(double base, std::size_t quarter, double lag) {
  const auto integral = [&](std::size_t edge) {
    return theory::cosine_integral(std::pow(base, -double(edge) / quarters) * lag);
  };
  return (integral(quarter - 1) - integral(quarter)) / std::log(base);
}

/// `change(q, k)`: what quarter q (from 0) changes from lag k to 2k.
template <class Change>
ChangeShare share_of(std::size_t quarter, std::size_t first, const Change& change) {
  std::array<double, quarters> sizes{}, sums{};
  for (std::size_t k = first; k < 2 * first; ++k)
    for (std::size_t q = 0; q < quarters; ++q) {
      const double moved = change(q, double(k));
      sizes[q] += std::abs(moved);
      sums[q] += moved;
    }
  for (double& sum : sums) sum = std::abs(sum);
  const auto share = [&](const std::array<double, quarters>& of) {
    return of[quarter - 1] / std::accumulate(of.begin(), of.end(), 0.0);
  };
  return {share(sizes), share(sums)};
}

/// The x below which a column over [0, x] stands still: `variance` grows with x up to there.
template <class Variance>
double standing_angle(const Variance& variance) {
  double low = 0.01, high = 1.5;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (variance(middle) < still * still ? low : high) = middle;
  }
  return low;
}

}  // namespace

double distance_share_limit(double base, std::size_t quarter, double lag) {
  return (1.0 / quarters - cosine_part(base, quarter, lag)) / (1 - theory::kernel_limit(base, lag));
}

double change_limit(double base, std::size_t quarter, double lag) {
  return cosine_part(base, quarter, lag) - cosine_part(base, quarter, 2 * lag);
}

ChangeShare change_share(std::size_t d, double base, std::size_t quarter, std::size_t first) {
  const std::vector<double> omega = frequencies(d, base);
  const std::size_t width = omega.size() / quarters;
  return share_of(quarter, first, [&](std::size_t q, double lag) {
    double change = 0;
    for (std::size_t i = q * width; i < (q + 1) * width; ++i)
      change += std::cos(omega[i] * lag) - std::cos(2 * omega[i] * lag);
    return change;
  });
}

ChangeShare change_share_limit(double base, std::size_t quarter, std::size_t first) {
  return share_of(quarter, first, [&](std::size_t q, double lag) { return change_limit(base, q + 1, lag); });
}

double still_share_line(double base, double length) {
  const double sine = standing_angle([](double x) {
    const double mean = (1 - std::cos(x)) / x;
    return 0.5 - std::sin(2 * x) / (4 * x) - mean * mean;
  });
  const double cosine = standing_angle([](double x) {
    const double mean = std::sin(x) / x;
    return 0.5 + std::sin(2 * x) / (4 * x) - mean * mean;
  });
  const auto slower = [&](double angle) {
    return std::max(0.0, 1 - std::log(length / angle) / std::log(base));
  };
  return (slower(sine) + slower(cosine)) / 2;
}

}  // namespace perp::distance
