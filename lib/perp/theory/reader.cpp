#include "perp/theory/reader.hpp"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "perp/base/error.hpp"

namespace perp::theory {
namespace {

/// How finely integrals are taken: in e at steps of `most` or, of a law's deviation, a `part`, out to `below`
/// and `above` deviations; over ln χ²_d at `ends` deviations, down to weights of `least`.
struct Grid {
  double most, part, below, above, ends, least;
};
/// Of table_bits, and one for comparing settings: within 1e-5 bits at d = 128 and 2e-3 at 16, in a tenth of
/// the time.
constexpr Grid fine{0.25, 0.25, 14, 10, 0.75, 1e-14}, coarse{0.75, 0.5, 8, 6, 1, 1e-9};

/// log Σ_j y^j/(j! Γ(j + k)), y > 0, outward from its largest term.
double log_series(double y, double k) {
  constexpr double least = 1e-17;
  const double mode = std::floor((std::sqrt(k * k + 4 * y) - k) / 2);
  double sum = 1;
  for (double term = 1, j = mode; (term *= y / ((j + 1) * (j + k))) > least * sum; ++j) sum += term;
  for (double term = 1, j = mode; j > 0 && (term *= j * (j - 1 + k) / y) > least * sum; --j) sum += term;
  return std::log(sum) + mode * std::log(y) - std::lgamma(mode + 1) - std::lgamma(mode + k);
}

/// Half the squared length of a normal vector of d coordinates of one variance about a centre.
struct HalfSquare {
  double d, variance, centre;  ///< `centre`: squared length of the mean

  double mean() const { return (d * variance + centre) / 2; }
  double deviation() const { return std::sqrt(variance * (2 * d * variance + 4 * centre)) / 2; }
  double density(double e) const {
    const double x = 2 * e / variance, noncentral = centre / variance;
    return std::exp((d / 2 - 1) * std::log(x / 2) + log_series(noncentral * x / 4, d / 2) -
                    (x + noncentral) / 2) /
           variance;
  }
};

/// K(u) = 1 - exp(-e^u) at whole steps of u from -40 on; 1 from 4 on.
constexpr double lowest = -40, highest = 4;
std::vector<double> kernel(double step) {
  std::vector<double> values;
  for (long k = std::lround(lowest / step); static_cast<double>(k) * step < highest; ++k)
    values.push_back(-std::expm1(-std::exp(static_cast<double>(k) * step)));
  return values;
}

/// A law on the grid (i + ½) step, i = first, first + 1 …
class Gridded {
 public:
  Gridded(const HalfSquare& law, const Grid& grid, double step, double last)
      : first_(std::max(0L, std::lround((law.mean() - grid.below * law.deviation()) / step))),
        below_(std::lround(lowest / step)) {
    const double most = law.mean() + grid.above * law.deviation();
    for (long i = first_; (static_cast<double>(i) + 0.5) * step < std::min(most, last); ++i)
      mass_.push_back(step * law.density((static_cast<double>(i) + 0.5) * step));
    // What the midpoint rule makes of a density that starts at 0 with a kink (d = 4) or a step.
    if (most <= last) {
      const double all = std::accumulate(mass_.begin(), mass_.end(), 0.0);
      for (double& m : mass_) m /= all;
    }
    sums_.assign(mass_.size() + 1, 0.0);
    std::partial_sum(mass_.begin(), mass_.end(), sums_.begin() + 1);
  }
  long first() const { return first_; }
  long end() const { return first_ + static_cast<long>(mass_.size()); }
  /// 1 - φ at (j + ½) step, K of that step.
  double found(long j, const std::vector<double>& k) const {
    const long certain = std::clamp(j - below_ - static_cast<long>(k.size()) + 1, first_, end()),
               last = std::clamp(j - below_ + 1, certain, end());
    double sum = sums_[static_cast<std::size_t>(certain - first_)];
    for (long i = certain; i < last; ++i)
      sum += mass_[static_cast<std::size_t>(i - first_)] * k[static_cast<std::size_t>(j - i - below_)];
    return std::min(sum, 1.0);
  }

 private:
  long first_, below_;
  std::vector<double> mass_, sums_;
};

/// Nats that are lost, given R.
double loss_given(double square, double codewords, double d, double s, const Grid& grid) {
  const HalfSquare other{d, s, square}, sent{d, s / (1 + s), square / ((1 + s) * (1 + s))};
  const double step = std::min(grid.most, grid.part * std::min(other.deviation(), sent.deviation()));
  const std::vector<double> k = kernel(step);
  const Gridded own(sent, grid, step, INFINITY);
  const double top = static_cast<double>(own.end()) * step + highest;
  const Gridded rivals(other, grid, step, top - lowest);
  double sum = 0;
  for (long j = std::lround(top / step); static_cast<double>(j) * step > lowest - std::log(codewords); --j) {
    const double found = rivals.found(j, k);
    sum += -std::expm1((codewords - 1) * std::log1p(-std::min(found, 1 - 1e-16))) * (1 - own.found(j, k));
    if (j < own.first() && found * codewords < 1e-13) break;
  }
  return sum * step;
}

/// Mean ln(1 + λ/c) over the eigenvalues λ of a covariance whose mean is `variance`: `ratio` rows a dimension.
double mean_log(double variance, double ratio, double c) {
  const double g = variance / (ratio * c), root = std::sqrt(ratio),
               f = std::pow(
                   std::sqrt(g * (1 + root) * (1 + root) + 1) - std::sqrt(g * (1 - root) * (1 - root) + 1),
                   2);
  return ratio * std::log(1 + g - f / 4) + std::log(1 + g * ratio - f / 4) - f / (4 * g);
}

double bits_on(const Grid& grid, double codewords, std::size_t d, double power, double noise) {
  const double n = static_cast<double>(d), s = power / (n * noise * noise),
               step = grid.ends * std::sqrt(2 / n);
  // Trapezoids over ln χ²_d.
  double weights = 0, loss = 0;
  for (int k = -14; k <= 10; ++k) {
    const double u = k * step, weight = std::exp(n / 2 * (u - std::expm1(u)));
    if (weight < grid.least) continue;
    weights += weight;
    loss += weight * loss_given((1 + s) * n * std::exp(u), codewords, n, s, grid);
  }
  return std::log2(codewords) - loss / weights / std::log(2.0);
}

/// Words and positions of random entries, at the power 3/2 a coordinate.
struct Channel {
  std::size_t d, words, positions;

  double power(double share) const { return 1.5 * static_cast<double>(d) * share; }
  double bits(std::size_t rows, std::size_t width, double share, double noise) const {
    return bits_on(coarse, static_cast<double>(rows), width, power(share), noise);
  }
  double split(std::size_t width, double share, double noise) const {
    return bits(words, d - width, 1 - share, noise) + bits(positions, width, share, noise);
  }
  double sum(double share, double noise) const {
    const double word = noise_beside_random(noise, d, power(1 - share), power(share), positions),
                 position = noise_beside_random(noise, d, power(share), power(1 - share), words);
    return bits(words, d, 1 - share, word) + bits(positions, d, share, position);
  }
  /// Noise at which this concatenation carries as much, from one near it.
  double noise_for(std::size_t width, double share, double wanted, double near) const {
    std::uintmax_t steps = 60;
    const auto [low, high] = boost::math::tools::bracket_and_solve_root(
        [&](double noise) { return split(width, share, noise) - wanted; }, near, 1.2, false,
        [](double a, double b) { return b < a * (1 + 1e-4); }, steps);
    return (low + high) / 2;
  }
};

/// Random tables of one stream, at the power 3/2 a coordinate, by bits that each gets through white noise.
struct Superposed {
  Superposition stream;
  double d = static_cast<double>(stream.d), bits = stream.bits(),
         feature = std::log2(static_cast<double>(stream.codewords)) / bits,  // shares of bits and of power
      position = std::log2(static_cast<double>(stream.positions)) / bits;
  /// Of d, what a position apart has.
  std::size_t width = std::max<std::size_t>(2, static_cast<std::size_t>(std::lround(d* position)));

  double power(double share) const { return 1.5 * d * share; }
  double beside(double noise, double others, std::size_t dimensions) const {
    return std::sqrt(noise * noise + power(others) / static_cast<double>(dimensions));
  }
  double position_bits(std::size_t dimensions, double noise) const {
    return table_bits(static_cast<double>(stream.positions), dimensions, power(position), noise);
  }
  double feature_bits(std::size_t dimensions, double noise) const {
    return table_bits(static_cast<double>(stream.codewords), dimensions, power(feature), noise);
  }

  double all_added(double noise) const {
    return position_bits(stream.d, beside(noise, 1 - position, stream.d)) +
           static_cast<double>(stream.features) *
               feature_bits(stream.d, beside(noise, 1 - feature, stream.d));
  }
  double all_apart(double noise) const {
    const std::size_t rest = stream.d - width, each = rest / stream.features, wider = rest % stream.features;
    return position_bits(width, noise) +
           static_cast<double>(stream.features - wider) * feature_bits(each, noise) +
           (wider > 0 ? static_cast<double>(wider) * feature_bits(each + 1, noise) : 0);
  }
  double position_apart(double noise) const {
    const std::size_t rest = stream.d - width;
    return position_bits(width, noise) + static_cast<double>(stream.features) *
                                             feature_bits(rest, beside(noise, 1 - position - feature, rest));
  }
  /// Noise in which `apart` carries that share of the bits.
  double noise_for(double (Superposed::*apart)(double) const, double carried) const {
    std::uintmax_t steps = 60;
    const double near = std::sqrt(1.5 / std::expm1(2 * carried * bits / d * std::log(2.0)));
    const auto [low, high] = boost::math::tools::bracket_and_solve_root(
        [&](double noise) { return (this->*apart)(noise)-carried * bits; }, near, 1.2, false,
        [](double a, double b) { return b < a * (1 + 1e-6); }, steps);
    return (low + high) / 2;
  }
};

}  // namespace

double Superposition::bits() const {
  return static_cast<double>(features) * std::log2(static_cast<double>(codewords)) +
         std::log2(static_cast<double>(positions));
}

CostOfStream cost_of_stream(const Superposition& stream, double carried) {
  const Superposed tables{stream};
  const double squares = static_cast<double>(stream.features) * tables.feature * tables.feature +
                         tables.position * tables.position;
  const double noise = tables.noise_for(&Superposed::all_apart, carried),
               beside = tables.noise_for(&Superposed::position_apart, carried);
  return {noise, (tables.all_apart(noise) - tables.all_added(noise)) / tables.bits,
          (tables.position_apart(beside) - tables.all_added(beside)) / tables.bits,
          std::log(2.0) / 2 * (1 - squares) * tables.bits / tables.d};
}

double table_bits(double codewords, std::size_t d, double power, double noise) {
  if (power == 0 || codewords == 1) return 0;
  return bits_on(fine, codewords, d, power, noise);
}

double noise_beside(double noise, double variance, std::span<const double> eigenvalues) {
  double sum = 0;
  for (const double value : eigenvalues) sum += std::log1p(variance / (noise * noise + std::max(value, 0.0)));
  return std::sqrt(variance / std::expm1(sum / static_cast<double>(eigenvalues.size())));
}

double noise_beside_random(double noise, std::size_t d, double power, double other_power, std::size_t rows) {
  const double n = static_cast<double>(d), own = power / n, square = noise * noise;
  if (other_power == 0) return noise;
  const double ratio = static_cast<double>(rows - 1) / n;
  const auto logarithm = [&](double c) { return std::log(c) + mean_log(other_power / n, ratio, c); };
  return std::sqrt(own / std::expm1(logarithm(square + own) - logarithm(square)));
}

CostOfAdding cost_of_adding(std::size_t d, std::size_t words, std::size_t positions, double carried) {
  constexpr std::size_t most = 100'000'000;
  require(d >= least_dimension && d <= largest_dimension, "dimension {}; expected {} to {}", d,
          least_dimension, largest_dimension);
  require(words >= 2 && words <= most, "{} words; expected 2 to {}", words, most);
  require(positions >= 2 && positions <= most, "{} positions; expected 2 to {}", positions, most);
  require(carried >= 0.1 && carried <= 0.99, "{} of the bits carried; expected 0.1 to 0.99", carried);
  const Channel channel{d, words, positions};
  CostOfAdding best{.ceiling =
                        std::log2(static_cast<double>(words)) + std::log2(static_cast<double>(positions))};
  const double wanted = carried * best.ceiling;
  // Of Gaussian codes of all the power; then at the noise of the best, until that is of one noise.
  best.noise = std::sqrt(1.5 / std::expm1(wanted * 2 / static_cast<double>(d) * std::log(2.0)));
  for (int round = 0; round < 4; ++round) {
    const std::size_t width = best.split_width;
    const double share = best.split_share;
    best.split = 0;
    for (const std::size_t eighths : {1, 2, 3, 4})
      for (const double s : shares_of_position) {
        const std::size_t wide = eighths * d / 16 * 2;
        const double bits = channel.split(wide, s, best.noise);
        if (bits > best.split) best.split = bits, best.split_width = wide, best.split_share = s;
      }
    if (best.split_width == width && best.split_share == share) break;
    best.noise = channel.noise_for(best.split_width, best.split_share, wanted, best.noise);
  }
  best.split = channel.split(best.split_width, best.split_share, best.noise);
  for (const double share : shares_of_position) {
    const double bits = channel.sum(share, best.noise);
    if (bits > best.sum) best.sum = bits, best.sum_share = share;
  }
  return best;
}

double law_of_adding(std::size_t d, std::size_t words, std::size_t positions) {
  const double of_words = std::log(static_cast<double>(words)),
               of_positions = std::log(static_cast<double>(positions));
  return of_words * of_positions / (static_cast<double>(d) * (of_words + of_positions));
}

}  // namespace perp::theory
