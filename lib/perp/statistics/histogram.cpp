#include "perp/statistics/histogram.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "perp/base/error.hpp"

namespace perp {

Histogram::Histogram(double low, double high, std::size_t bins) {
  constexpr std::size_t most = std::size_t{1} << 20;  // bin numbers stay exact in float
  require(bins >= 1 && bins <= most, "histogram: {} bins, expected 1 … {}", bins, most);
  rule_.low = static_cast<float>(low);
  rule_.high = static_cast<float>(high);
  rule_.scale = static_cast<float>(bins) / (rule_.high - rule_.low);
  rule_.bins = static_cast<std::int32_t>(bins);
  require(rule_.low < rule_.high && std::isfinite(rule_.high - rule_.low) && std::isfinite(rule_.scale),
          "histogram: bounds {} … {}, expected finite, ascending and distinct as floats", low, high);
  lanes_.assign((bins + 3) * lanes, 0);
}

void Histogram::add(float value) noexcept { ++lanes_[rule_.slot(value) * lanes]; }

void Histogram::add(std::span<const float> values) noexcept {
  // First all slots of a tile, which vectorises, then all increments, which cannot.
  constexpr std::size_t tile = 1024;
  std::array<std::uint32_t, tile> slots;
  const BinRule rule = rule_;
  std::uint64_t* const counts = lanes_.data();
  for (std::size_t begin = 0; begin < values.size(); begin += tile) {
    const std::size_t n = std::min(tile, values.size() - begin);
    const float* const value = values.data() + begin;
    for (std::size_t i = 0; i < n; ++i) slots[i] = rule.slot(value[i]);
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) ++counts[slots[i + lane] * lanes + lane];
    for (; i < n; ++i) ++counts[slots[i] * lanes];
  }
}

void Histogram::merge(const Histogram& other) {
  require(rule_.low == other.rule_.low && rule_.high == other.rule_.high && rule_.bins == other.rule_.bins,
          "histogram: cannot merge {} bins over {} … {} into {} bins over {} … {}", other.bins(), other.low(),
          other.high(), bins(), low(), high());
  for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i] += other.lanes_[i];
}

std::uint64_t Histogram::slot_count(std::size_t slot) const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) sum += lanes_[slot * lanes + lane];
  return sum;
}

std::uint64_t Histogram::total() const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t slot = 0; slot < bins() + 2; ++slot) sum += slot_count(slot);
  return sum;
}

std::vector<std::uint64_t> Histogram::counts() const {
  std::vector<std::uint64_t> result(bins());
  for (std::size_t bin = 0; bin < bins(); ++bin) result[bin] = slot_count(bin + 1);
  return result;
}

std::vector<double> Histogram::centres() const {
  std::vector<double> result(bins());
  for (std::size_t i = 0; i < bins(); ++i) result[i] = low() + width() * (static_cast<double>(i) + 0.5);
  return result;
}

double Histogram::quantile(double p) const {
  const std::uint64_t values = total();
  require(values > 0, "histogram: a quantile of no values");
  require(p >= 0 && p <= 1, "histogram: quantile of probability {}, expected 0 … 1", p);
  const double target = p * static_cast<double>(values);
  double below = static_cast<double>(underflow());
  require(underflow() == 0 || target >= below,
          "histogram: the {}-quantile lies below {}, with {} of {} values", p, low(), underflow(), values);
  for (std::size_t bin = 0; bin < bins(); ++bin) {
    const double inside = static_cast<double>(slot_count(bin + 1));
    if (inside > 0 && target <= below + inside)
      return std::min(high(), low() + width() * (static_cast<double>(bin) + (target - below) / inside));
    below += inside;
  }
  refuse("histogram: the {}-quantile lies above {}, with {} of {} values", p, high(), overflow(), values);
}

}  // namespace perp
