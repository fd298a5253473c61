#include "perp/measures/bag.hpp"

#include <algorithm>
#include <cmath>

namespace perp {
namespace {

/// out += x bound to key.
void add_bound(std::span<const float> x, std::span<const float> key, Binding binding, std::span<float> out) {
  const std::size_t d = x.size();
  switch (binding) {
    case Binding::sum:
      for (std::size_t j = 0; j < d; ++j) out[j] += x[j] + key[j];
      return;
    case Binding::product:
      for (std::size_t j = 0; j < d; ++j) out[j] += x[j] * key[j];
      return;
    case Binding::rotate:
      for (std::size_t j = 0; j < d; j += 2) {
        out[j] += key[j] * x[j] - key[j + 1] * x[j + 1];
        out[j + 1] += key[j + 1] * x[j] + key[j] * x[j + 1];
      }
      return;
  }
}

}  // namespace

void bag_of(View<float> words, std::span<const std::uint32_t> chosen, View<float> keys, Binding binding,
            std::span<float> bag) {
  std::ranges::fill(bag, 0.0F);
  for (std::size_t t = 0; t < chosen.size(); ++t) add_bound(words.row(chosen[t]), keys.row(t), binding, bag);
}

void unbind(std::span<const float> bag, std::span<const float> key, Binding binding, std::span<float> out) {
  const std::size_t d = bag.size();
  switch (binding) {
    case Binding::sum:
      for (std::size_t j = 0; j < d; ++j) out[j] = bag[j] - key[j];
      return;
    case Binding::product:
      for (std::size_t j = 0; j < d; ++j) out[j] = bag[j] * key[j];
      return;
    case Binding::rotate:
      for (std::size_t j = 0; j < d; j += 2) {
        const float x = bag[j], y = bag[j + 1];
        out[j] = key[j] * x + key[j + 1] * y;
        out[j + 1] = key[j] * y - key[j + 1] * x;
      }
      return;
  }
}

Matrix<float> rotation_keys(View<double> angles) {
  Matrix<float> keys = matrix<float>(angles.rows, 2 * angles.cols);
  for (std::size_t t = 0; t < angles.rows; ++t)
    for (std::size_t i = 0; i < angles.cols; ++i) {
      keys(t, 2 * i) = static_cast<float>(std::cos(angles(t, i)));
      keys(t, 2 * i + 1) = static_cast<float>(std::sin(angles(t, i)));
    }
  return keys;
}

KeyOverlap key_overlap(std::span<const float> a, std::span<const float> b, Binding binding) {
  const std::size_t d = a.size(), width = binding == Binding::rotate ? 2 : 1;
  KeyOverlap out;
  for (std::size_t j = 0; j < d; j += width) {
    double overlap = static_cast<double>(a[j]) * b[j];
    if (width == 2) overlap += static_cast<double>(a[j + 1]) * b[j + 1];
    out.mean += overlap;
    out.mean_square += overlap * overlap;
  }
  const double blocks = static_cast<double>(d / width);
  return {out.mean / blocks, out.mean_square / blocks};
}

}  // namespace perp
