#include "perp/measures/sinusoid_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "perp/base/error.hpp"
#include "perp/measures/low_rank.hpp"

namespace perp {
namespace {

/// Share of the trace that may be left out: ten million times less than r99.9 leaves out.
constexpr double left_out = 1e-10;

/// D(ω_i ± ω_j)/L for all pairs, from 4 sines and cosines per frequency.
class Kernel {
 public:
  Kernel(std::span<const double> frequencies, std::size_t positions)
      : omega_(frequencies.begin(), frequencies.end()), length_(static_cast<double>(positions)) {
    for (const double w : omega_) {
      top_.push_back(sine_and_cosine(length_ * w / 2));
      bottom_.push_back(sine_and_cosine(w / 2));
    }
  }

  std::size_t size() const { return omega_.size(); }
  /// D(x)/L; D's limit at 0 is L.
  double at(double x) const { return x == 0 ? 1 : std::sin(length_ * x / 2) / (length_ * std::sin(x / 2)); }
  double at_frequency(std::size_t i) const { return at(omega_[i]); }
  double at_sum(std::size_t i, std::size_t j) const {
    const double bottom = bottom_[i].sin * bottom_[j].cos + bottom_[i].cos * bottom_[j].sin;
    if (bottom == 0) return 1;
    return (top_[i].sin * top_[j].cos + top_[i].cos * top_[j].sin) / (length_ * bottom);
  }
  double at_difference(std::size_t i, std::size_t j) const {
    const double x = omega_[i] - omega_[j];
    // The subtraction below would cancel: for close frequencies x itself is exact and its sine is not.
    if (std::abs(x) <= close * omega_[i]) return at(x);
    const double bottom = bottom_[i].sin * bottom_[j].cos - bottom_[i].cos * bottom_[j].sin;
    return (top_[i].sin * top_[j].cos - top_[i].cos * top_[j].sin) / (length_ * bottom);
  }

 private:
  static constexpr double close = 1e-3;
  struct SineAndCosine {
    double sin, cos;
  };
  static SineAndCosine sine_and_cosine(double x) { return {std::sin(x), std::cos(x)}; }

  std::vector<double> omega_;
  double length_;
  std::vector<SineAndCosine> top_, bottom_;
};

std::vector<double> eigenvalues(std::size_t size,
                                const std::function<double(std::size_t, std::size_t)>& entry) {
  std::vector<double> diagonal(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double square = entry(i, i);
    diagonal[i] = square < 0 ? 0 : square;  // below 0 by rounding only
  }
  const auto column = [&](std::size_t j, std::span<double> out) {
    for (std::size_t i = 0; i < size; ++i) out[i] = entry(i, j);
  };
  return low_rank_eigenvalues(std::move(diagonal), column, left_out);
}

std::vector<double> merged(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin(), std::greater<>());
  return all;
}

}  // namespace

SinusoidSpectra sinusoid_spectra(std::span<const double> frequencies, std::size_t positions) {
  require(!frequencies.empty() && positions > 0,
          "sinusoid_spectra: {} frequencies, {} positions; at least one of each", frequencies.size(),
          positions);
  for (std::size_t i = 0; i < frequencies.size(); ++i)
    // Beyond π the table is that of a lower frequency, and at 2π D's closed form is 0/0.
    require(frequencies[i] >= 0 && frequencies[i] <= 3,
            "sinusoid_spectra: frequency {} is {}, expected within [0, 3]", i, frequencies[i]);
  const Kernel d(frequencies, positions);
  std::vector<double> mean(d.size());
  for (std::size_t i = 0; i < d.size(); ++i) mean[i] = d.at_frequency(i);
  const auto sines = [&](std::size_t i, std::size_t j) {
    return (d.at_difference(i, j) - d.at_sum(i, j)) / 2;
  };
  const auto cosines = [&](std::size_t i, std::size_t j) {
    return (d.at_difference(i, j) + d.at_sum(i, j)) / 2;
  };
  const auto centred = [&](std::size_t i, std::size_t j) { return cosines(i, j) - mean[i] * mean[j]; };
  const std::vector<double> odd = eigenvalues(d.size(), sines);
  return {merged(eigenvalues(d.size(), cosines), odd), merged(eigenvalues(d.size(), centred), odd)};
}

}  // namespace perp
