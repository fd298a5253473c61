#include "perp/vectors/positions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/base/matrix_algebra.hpp"
#include "perp/base/parallel.hpp"

namespace perp {
namespace {

/// sin and cos of ω_i t for one t and all i.
struct Rotation {
  std::vector<double> sine, cosine;
};

Rotation rotation(const std::vector<double>& omega, double t) {
  Rotation result{std::vector<double>(omega.size()), std::vector<double>(omega.size())};
  for (std::size_t i = 0; i < omega.size(); ++i) {
    const double angle = omega[i] * t, sine = std::sin(angle), cosine = std::cos(angle);  // one call for both
    result.sine[i] = sine;
    result.cosine[i] = cosine;
  }
  return result;
}

/// (sin, cos) of the anchor's angles and the step's together, interleaved.
template <class T>
void rotate_row(const Rotation& anchor, const Rotation& step, T* __restrict out) {
  const double *as = anchor.sine.data(), *ac = anchor.cosine.data(), *s = step.sine.data(),
               *c = step.cosine.data();
  for (std::size_t i = 0; i < anchor.sine.size(); ++i) {
    out[2 * i] = static_cast<T>(as[i] * c[i] + ac[i] * s[i]);
    out[2 * i + 1] = static_cast<T>(ac[i] * c[i] - as[i] * s[i]);
  }
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
Matrix<T> sinusoidal(std::size_t length, std::size_t d, double base, std::size_t threads) {
  const std::vector<double> omega = frequencies(d, base);
  // Sines and cosines are dear, turning is four products: exact angles every `stride` positions, and between
  // them the anchor turned by 1 … stride-1 steps. A few anchors take each step together, while it is near.
  constexpr std::size_t stride = 128, together = 4;
  std::vector<Rotation> steps;
  for (std::size_t k = 0; k < std::min(stride, length); ++k)
    steps.push_back(rotation(omega, static_cast<double>(k)));
  Matrix<T> table = matrix<T>(length, d);
  const std::size_t anchors = (length + stride - 1) / stride;
  parallel_for((anchors + together - 1) / together, threads, [&](std::size_t part) {
    std::vector<Rotation> rotated;
    const std::size_t first = part * together * stride;
    for (std::size_t t = first; t < std::min(length, first + together * stride); t += stride)
      rotated.push_back(rotation(omega, static_cast<double>(t)));
    for (std::size_t k = 0; k < steps.size(); ++k)
      for (std::size_t i = 0; i < rotated.size(); ++i)
        if (const std::size_t t = first + i * stride + k; t < length)
          rotate_row(rotated[i], steps[k], table.data() + t * d);
  });
  return table;
}

template Matrix<float> sinusoidal(std::size_t, std::size_t, double, std::size_t);
template Matrix<double> sinusoidal(std::size_t, std::size_t, double, std::size_t);

std::vector<std::size_t> layout_permutation(std::size_t d, Layout layout) {
  std::vector<std::size_t> order(d);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (layout == Layout::interleaved) return order;
  for (std::size_t i = 0; i < d / 2; ++i) {
    order[i] = 2 * i;
    order[d / 2 + i] = 2 * i + 1;
  }
  return order;
}

template <class T>
Matrix<T> reorder_columns(const Matrix<T>& table, const std::vector<std::size_t>& order) {
  Matrix<T> result = matrix<T>(rows(table), cols(table));
  for (std::size_t t = 0; t < rows(table); ++t) {
    const std::span<const T> from = row(table, t);
    const std::span<T> to = row(result, t);
    for (std::size_t j = 0; j < order.size(); ++j) to[j] = from[order[j]];
  }
  return result;
}

template <class T>
Matrix<T> reorder_rows(const Matrix<T>& table, const std::vector<std::size_t>& order) {
  return select_rows(table, order);
}

template <class T>
Matrix<T> sinusoidal(std::size_t length, std::size_t d, double base, Layout layout) {
  Matrix<T> table = sinusoidal<T>(length, d, base);
  return layout == Layout::interleaved ? table : reorder_columns(table, layout_permutation(d, layout));
}

template Matrix<float> reorder_columns(const Matrix<float>&, const std::vector<std::size_t>&);
template Matrix<double> reorder_columns(const Matrix<double>&, const std::vector<std::size_t>&);
template Matrix<float> reorder_rows(const Matrix<float>&, const std::vector<std::size_t>&);
template Matrix<double> reorder_rows(const Matrix<double>&, const std::vector<std::size_t>&);
template Matrix<float> sinusoidal(std::size_t, std::size_t, double, Layout);
template Matrix<double> sinusoidal(std::size_t, std::size_t, double, Layout);

}  // namespace perp
