#include "perp/statistics/histogram.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace perp {

void Histogram::add(std::span<const float> values) noexcept {
  // First all bins of a tile, which vectorises, then all increments, which cannot.
  constexpr std::size_t tile = 1024;
  std::array<std::uint32_t, tile> places;
  const float scale = static_cast<float>(bins()) / 2, last = static_cast<float>(bins() - 1);
  const auto place_of = [=](float value) {
    float place = (value + 1) * scale;
    place = place < last ? place : last;  // NaN too: the conversion below is always defined
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(place > 0 ? place : 0));
  };
  std::uint64_t* const counts = lanes_.data();
  for (std::size_t begin = 0; begin < values.size(); begin += tile) {
    const std::size_t n = std::min(tile, values.size() - begin);
    const float* const value = values.data() + begin;
    for (std::size_t i = 0; i < n; ++i) places[i] = place_of(value[i]);
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) ++counts[places[i + lane] * lanes + lane];
    for (; i < n; ++i) ++counts[places[i] * lanes];
  }
}

void Histogram::merge(const Histogram& other) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i] += other.lanes_[i];
}

std::uint64_t Histogram::total() const noexcept {
  return std::accumulate(lanes_.begin(), lanes_.end(), std::uint64_t{0});
}

std::vector<std::uint64_t> Histogram::counts() const {
  std::vector<std::uint64_t> result(bins());
  for (std::size_t i = 0; i < lanes_.size(); ++i) result[i / lanes] += lanes_[i];
  return result;
}

std::vector<double> Histogram::centres() const {
  const double width = 2 / static_cast<double>(bins());
  std::vector<double> result(bins());
  for (std::size_t i = 0; i < bins(); ++i) result[i] = -1 + width * (static_cast<double>(i) + 0.5);
  return result;
}

double Histogram::quantile(double p) const {
  const double target = p * static_cast<double>(total()), width = 2 / static_cast<double>(bins());
  const std::vector<std::uint64_t> all = counts();
  std::size_t bin = 0;
  double below = 0;
  while (all[bin] == 0 || target > below + static_cast<double>(all[bin]))
    below += static_cast<double>(all[bin++]);
  return std::min(1.0,
                  -1 + width * (static_cast<double>(bin) + (target - below) / static_cast<double>(all[bin])));
}

}  // namespace perp
