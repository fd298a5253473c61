#include "studies/distance/d7_measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "perp/random/normal.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

constexpr double pi = std::numbers::pi;
/// Where distances begin. Any position will do (D1); far from the start, so that nothing rests on it.
constexpr std::uint64_t place = 1000;
/// Noise per coordinate as a share of ‖p‖ for which two positions are told apart.
constexpr std::array noises{0.25, 0.5, 1.0, 1.25};

/// One number per quarter of the frequencies.
using Bands = std::array<double, quarters>;
double sum_of(const Bands& bands) { return std::accumulate(bands.begin(), bands.end(), 0.0); }

/// Half the squared distance of these rows: g(0) - g(k) without taking a difference of products.
Bands half_squared_distances(const Matrix<double>& table, std::size_t r) {
  Bands sums{};
  const std::size_t width = cols(table) / quarters;
  for (std::size_t q = 0; q < quarters; ++q) {
    const double *x = table.data() + q * width, *y = row(table, r).data() + q * width;
    constexpr std::size_t lanes = 8;  // sums side by side, which compilers may not invent
    double parts[lanes] = {};
    std::size_t j = 0;
    for (; j + lanes <= width; j += lanes)
      for (std::size_t l = 0; l < lanes; ++l) parts[l] += (x[j + l] - y[j + l]) * (x[j + l] - y[j + l]);
    for (; j < width; ++j) parts[0] += (x[j] - y[j]) * (x[j] - y[j]);
    sums[q] = std::accumulate(parts, parts + lanes, 0.0) / 2;
  }
  return sums;
}

/// 1 … last in steps of an octave's `parts`-th part, rounded, each once.
std::vector<std::uint64_t> parts_of_octaves(double parts, std::uint64_t last) {
  std::vector<std::uint64_t> lags;
  for (int step = 0;; ++step) {
    const auto lag = std::uint64_t(std::llround(std::exp2(step / parts)));
    if (lag > last) return lags;
    if (lags.empty() || lag != lags.back()) lags.push_back(lag);
  }
}

/// Σ cos(ωk) over `count` lags k from `first` on.
double cosine_sum(double omega, std::uint64_t first, std::uint64_t count) {
  const double n = double(count), middle = double(first) + (n - 1) / 2;
  return std::sin(omega * n / 2) / std::sin(omega / 2) * std::cos(omega * middle);
}

/// Whether a pair turns less than once from the first position to the last; no step turns it back.
bool less_than_once(std::span<const double> sine, std::span<const double> cosine) {
  double turned = 0;
  for (std::size_t t = 1; t < sine.size() && turned < 2 * pi; ++t)
    turned += std::atan2(sine[t] * cosine[t - 1] - cosine[t] * sine[t - 1],
                         cosine[t] * cosine[t - 1] + sine[t] * sine[t - 1]);
  return turned < 2 * pi;
}

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
  Bands sizes{}, sums{};
  for (std::size_t k = first; k < 2 * first; ++k)
    for (std::size_t q = 0; q < quarters; ++q) {
      const double moved = change(q, double(k));
      sizes[q] += std::abs(moved);
      sums[q] += moved;
    }
  for (double& sum : sums) sum = std::abs(sum);
  const auto share = [&](const Bands& of) { return of[quarter - 1] / sum_of(of); };
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

void measure_bands(const Reach& at, const Streams&, Rows& rows) {
  for (const std::uint64_t lag : parts_of_octaves(4, at.lags)) {
    const Bands squares =
        half_squared_distances(sinusoid_at(std::array{place, place + lag}, at.d, at.base), 1);
    const double sum = sum_of(squares);
    for (std::size_t q = 0; q < quarters; ++q) rows.add(Band{at, lag, q + 1, squares[q] / sum});
  }
  // Windows an octave wide, half an octave apart: the exact sums, every lag; their limits, which no alias
  // bends, at no more than 64 of them.
  const std::vector<double> omega = frequencies(at.d, at.base);
  const std::size_t width = omega.size() / quarters;
  for (const std::uint64_t first : parts_of_octaves(2, at.lags / 2)) {
    const std::uint64_t step = (first + 63) / 64;
    for (std::size_t q = 0; q < quarters; ++q) {
      double change = 0;
      for (std::size_t i = q * width; i < (q + 1) * width; ++i)
        change += cosine_sum(omega[i], first, first) - cosine_sum(2 * omega[i], first, first);
      MomentSums limits;
      for (std::uint64_t lag = first; lag < 2 * first; lag += step)
        limits.add(change_limit(at.base, q + 1, double(lag)));
      rows.add(Octave{at, first, q + 1, change / (double(first) * (at.d / 2.0)), limits.moments().mean});
    }
  }
}

void measure_noise(const Reach& at, const Streams&, Rows& rows) {
  const double norm = std::sqrt(at.d / 2.0);
  std::array<std::size_t, noises.size()> reached{}, last_below{};
  constexpr std::size_t tile = 256;
  for (std::size_t first = 1; first <= at.lags; first += tile) {
    std::vector<std::uint64_t> positions{place};
    for (std::size_t k = first; k < std::min(first + tile, at.lags + 1); ++k) positions.push_back(place + k);
    const Matrix<double> table = sinusoid_at(positions, at.d, at.base);
    for (std::size_t r = 1; r < positions.size(); ++r) {
      const double distance = std::sqrt(2 * sum_of(half_squared_distances(table, r))) / norm;
      const std::size_t lag = first + r - 1;
      for (std::size_t i = 0; i < noises.size(); ++i)
        if (distance < noises[i])
          last_below[i] = lag;
        else if (reached[i] == 0)
          reached[i] = lag;
    }
  }
  for (std::size_t i = 0; i < noises.size(); ++i)
    rows.add(Noise{at, noises[i], reached[i] ? double(reached[i]) : NAN, last_below[i]});
}

/// The wavelength of the slowest pair from how far it turns, in steps short enough to be counted.
void measure_wavelength(const Place& at, const Streams&, Rows& rows) {
  double turned = 0, last = 0;
  for (std::uint64_t lag = 1; lag < (std::uint64_t{1} << 40); lag *= 2) {
    const Matrix<double> table = sinusoid_at(std::array{std::uint64_t{0}, lag}, at.d, at.base);
    const double angle = std::atan2(table(1, at.d - 2), table(1, at.d - 1));
    if (angle < turned) break;  // past half a turn
    turned = angle;
    last = lag;
    if (angle > pi / 2) break;
  }
  rows.add(Wavelength{at, 2 * pi * last / turned});
}

void measure_columns(const Text& at, const Streams&, Rows& rows) {
  const Matrix<double> table = sinusoidal<double>(at.l, at.d, at.base);
  std::size_t slow = 0, standing = 0;
  // Columns of a cache line together.
  constexpr std::size_t together = 8;
  std::vector<std::vector<double>> columns(together, std::vector<double>(at.l));
  for (std::size_t first = 0; first < at.d; first += together) {
    const std::size_t count = std::min(together, at.d - first);
    for (std::size_t t = 0; t < at.l; ++t)
      for (std::size_t j = 0; j < count; ++j) columns[j][t] = table(t, first + j);
    for (std::size_t j = 0; j < count; ++j) {
      standing += moments_of(columns[j]).variance < still * still;
      if (j % 2) slow += 2 * less_than_once(columns[j - 1], columns[j]);
    }
  }
  rows.add(Turns{at, slow / double(at.d), standing / double(at.d)});
}

void measure_errors(const Copies& at, const Streams& streams, Rows& rows) {
  const double scale = confusion_noise * std::sqrt(at.d / 2.0);
  std::vector<float> noise(at.d);
  for (const std::size_t lag : {1, 4, 16, 64, 256, 1024, 4096}) {
    const Matrix<double> table = sinusoid_at(std::array{place, place + lag}, at.d, at.base);
    std::size_t errors = 0;
    for (std::size_t trial = 0; trial < at.trials; ++trial) {
      fill_normal(streams("noise", lag), std::span<float>(noise), trial * at.d);
      double own = 0, other = 0;
      for (std::size_t j = 0; j < at.d; ++j) {
        const double seen = table(0, j) + scale * noise[j];
        own += (seen - table(0, j)) * (seen - table(0, j));
        other += (seen - table(1, j)) * (seen - table(1, j));
      }
      errors += other < own;
    }
    rows.add(Errors{at, lag, errors});
  }
}

}  // namespace perp::distance
