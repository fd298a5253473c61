#include "perp/statistics/moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "perp/base/error.hpp"
#include "perp/base/functions.hpp"

namespace perp {

double normal_quantile(double p) { return -std::numbers::sqrt2 * special::erfc_inv(2 * p); }

Interval wilson(std::uint64_t successes, std::uint64_t n, double level) {
  require(n > 0 && successes <= n,
          "wilson: {} successes in {} trials, expected at least one trial and no more successes", successes,
          n);
  const double z = -normal_quantile((1 - level) / 2);
  const double count = static_cast<double>(n);
  const double share = static_cast<double>(successes) / count;
  const double centre = (share + z * z / (2 * count)) / (1 + z * z / count);
  const double half =
      z / (1 + z * z / count) * std::sqrt((share * (1 - share) + z * z / (4 * count)) / count);
  // The ends are exactly 0 and 1 here; the formula reaches them only up to rounding.
  const double low = successes == 0 ? 0.0 : centre - half;
  const double high = successes == n ? 1.0 : centre + half;
  return {low, high, level};
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

namespace {

// A block stays in the first-level cache for its two passes; eight accumulators fill a vector register.
constexpr std::size_t block_size = 2048;
constexpr std::size_t lanes = 8;
using Lanes = std::array<double, lanes>;

double total(const Lanes& sums) {
  double result = 0;
  for (const double sum : sums) result += sum;
  return result;
}

double block_sum(std::span<const double> block) {
  Lanes sums{};
  std::size_t i = 0;
  for (; i + lanes <= block.size(); i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += block[i + l];
  for (; i < block.size(); ++i) sums[0] += block[i];
  return total(sums);
}

struct Shape {
  double second, minimum, maximum;
};

Shape block_shape(std::span<const double> block, double mean) {
  Lanes second{}, minimum, maximum;
  minimum.fill(block[0]);
  maximum.fill(block[0]);
  const auto take = [&](double value, std::size_t l) {
    const double deviation = value - mean;
    second[l] += deviation * deviation;
    minimum[l] = value < minimum[l] ? value : minimum[l];
    maximum[l] = value > maximum[l] ? value : maximum[l];
  };
  std::size_t i = 0;
  for (; i + lanes <= block.size(); i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) take(block[i + l], l);
  for (; i < block.size(); ++i) take(block[i], 0);
  return {total(second), *std::min_element(minimum.begin(), minimum.end()),
          *std::max_element(maximum.begin(), maximum.end())};
}

}  // namespace

MomentSums MomentSums::of_block(std::span<const double> block) {
  MomentSums sums;
  sums.count_ = block.size();
  sums.mean_ = block_sum(block) / static_cast<double>(block.size());
  const Shape shape = block_shape(block, sums.mean_);
  // One NaN or infinity makes this sum NaN or infinite: the search for it is off the hot path.
  if (!std::isfinite(shape.second)) {
    for (const double value : block)
      require(std::isfinite(value), "moments: a value is {}, expected a finite one", value);
    refuse("moments: the squares of values near {} overflow", sums.mean_);
  }
  sums.second_ = shape.second;
  sums.minimum_ = shape.minimum;
  sums.maximum_ = shape.maximum;
  return sums;
}

void MomentSums::add(double value) {
  require(std::isfinite(value), "moments: a value is {}, expected a finite one", value);
  MomentSums one;
  one.count_ = 1;
  one.mean_ = one.minimum_ = one.maximum_ = value;
  merge(one);
}

void MomentSums::add(std::span<const double> values) {
  MomentSums all = *this;
  for (std::size_t begin = 0; begin < values.size(); begin += block_size)
    all.merge(of_block(values.subspan(begin, std::min(block_size, values.size() - begin))));
  *this = all;
}

void MomentSums::merge(const MomentSums& other) noexcept {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    *this = other;
    return;
  }
  const double a = static_cast<double>(count_), b = static_cast<double>(other.count_), n = a + b;
  const double delta = other.mean_ - mean_, step = delta / n;
  second_ += other.second_ + delta * step * a * b;
  mean_ += b * step;
  count_ += other.count_;
  minimum_ = std::min(minimum_, other.minimum_);
  maximum_ = std::max(maximum_, other.maximum_);
}

Moments MomentSums::moments() const {
  require(count_ > 0, "moments: no values were added");
  Moments result{count_, mean_, std::numeric_limits<double>::quiet_NaN(), minimum_, maximum_};
  if (count_ > 1) result.variance = second_ / static_cast<double>(count_ - 1);
  return result;
}

Moments moments_of(std::span<const double> values) {
  MomentSums sums;
  sums.add(values);
  return sums.moments();
}

double standard_error(const Moments& moments) {
  require(moments.count > 1, "standard_error: {} values, expected at least 2", moments.count);
  return std::sqrt(moments.variance / static_cast<double>(moments.count));
}

Interval mean_interval(const Moments& moments, double level) {
  const double error = standard_error(moments);
  const double t = special::student_quantile_above(static_cast<double>(moments.count - 1), (1 - level) / 2);
  return {moments.mean - t * error, moments.mean + t * error, level};
}

}  // namespace perp
