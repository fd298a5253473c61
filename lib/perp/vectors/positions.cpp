#include "perp/vectors/positions.hpp"

#include <cmath>

namespace perp {
namespace {

/// sin and cos of ω_i t for one t and all i.
struct Turn {
  std::vector<double> sine, cosine;
};

Turn turn(const std::vector<double>& omega, double t) {
  Turn result{std::vector<double>(omega.size()), std::vector<double>(omega.size())};
  for (std::size_t i = 0; i < omega.size(); ++i) {
    result.sine[i] = std::sin(omega[i] * t);
    result.cosine[i] = std::cos(omega[i] * t);
  }
  return result;
}

}  // namespace

std::vector<double> frequencies(std::size_t d, double base) {
  require(d > 0 && d % 2 == 0, "sinusoidal positions: dimension {}; expected an even number above 0", d);
  require(base > 1 && std::isfinite(base), "sinusoidal positions: base {}; expected a number above 1", base);
  std::vector<double> omega(d / 2);
  for (std::size_t i = 0; i < omega.size(); ++i)
    omega[i] = std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(d));
  return omega;
}

template <class T>
Matrix<T> sinusoidal(std::size_t length, std::size_t d, double base) {
  const std::vector<double> omega = frequencies(d, base);
  require(length > 0, "sinusoidal positions: length 0; expected at least 1");
  // Sines and cosines are dear, turning is four products: exact angles every `stride` positions, and between
  // them the anchor turned by 1 … stride-1 steps.
  constexpr std::size_t stride = 64;
  std::vector<Turn> steps;
  for (std::size_t k = 0; k < std::min(stride, length); ++k)
    steps.push_back(turn(omega, static_cast<double>(k)));
  Matrix<T> table = matrix<T>(length, d);
  for (std::size_t first = 0; first < length; first += stride) {
    const Turn anchor = turn(omega, static_cast<double>(first));
    for (std::size_t t = first; t < std::min(first + stride, length); ++t) {
      const Turn& step = steps[t - first];
      T* out = table.data() + t * d;
      for (std::size_t i = 0; i < omega.size(); ++i) {
        out[2 * i] = static_cast<T>(anchor.sine[i] * step.cosine[i] + anchor.cosine[i] * step.sine[i]);
        out[2 * i + 1] = static_cast<T>(anchor.cosine[i] * step.cosine[i] - anchor.sine[i] * step.sine[i]);
      }
    }
  }
  return table;
}

template Matrix<float> sinusoidal(std::size_t, std::size_t, double);
template Matrix<double> sinusoidal(std::size_t, std::size_t, double);

}  // namespace perp
