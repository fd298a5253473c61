// Binding and undoing against their definitions.

#include "perp/measures/bag.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <complex>
#include <numbers>

#include "perp/base/matrix_algebra.hpp"
#include "perp/random/uniform.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

constexpr std::size_t d = 24, places = 5;

const Matrix<float> words = made::normal<float>(9, d, 1);
const Matrix<double> angles = [] {
  Matrix<double> drawn = matrix<double>(places, d / 2);
  fill_uniform(stream(1, "bag", "angles", 0, ""), std::span<double>(drawn.data(), drawn.size()), 0,
               2 * std::numbers::pi);
  return drawn;
}();
Matrix<float> keys_for(Binding binding) {
  if (binding == Binding::rotate) return rotation_keys(angles);
  Matrix<float> keys = matrix<float>(places, d);
  fill_signs(stream(1, "bag", "signs", 0, ""), std::span<float>(keys.data(), keys.size()));
  return keys;
}

std::vector<float> bag(const Matrix<float>& from, const std::vector<std::uint32_t>& chosen,
                       const Matrix<float>& keys, Binding binding) {
  std::vector<float> out(d, 99);  // whatever was there is overwritten
  bag_of(from, chosen, keys, binding, out);
  return out;
}
std::vector<float> unbound(const std::vector<float>& from, std::span<const float> key, Binding binding) {
  std::vector<float> out(d);
  unbind(from, key, binding, out);
  return out;
}

double distance(const std::vector<float>& a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += std::pow(static_cast<double>(a[j]) - b[j], 2);
  return std::sqrt(sum);
}

/// Sums of a few terms of a few units each.
const double few_roundings = tolerance::float_sum(8, 30);

constexpr Binding bindings[] = {Binding::sum, Binding::product, Binding::rotate};

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_bag)

BOOST_AUTO_TEST_CASE(one_word_comes_back) {
  for (const Binding binding : bindings) {
    const Matrix<float> keys = keys_for(binding);
    const std::vector<float> one = bag(words, {4}, keys, binding);
    BOOST_TEST(distance(unbound(one, row(keys, 0), binding), row(words, 4)) < few_roundings,
               static_cast<int>(binding));
    BOOST_TEST(distance(unbound(one, row(keys, 1), binding), row(words, 4)) > 1, static_cast<int>(binding));
  }
}

BOOST_AUTO_TEST_CASE(bags_by_definition) {
  const std::vector<std::uint32_t> chosen{3, 8, 0, 1, 6};
  for (const Binding binding : bindings) {
    const Matrix<float> keys = keys_for(binding);
    std::vector<float> want(d, 0);
    for (std::size_t t = 0; t < places; ++t)
      for (std::size_t j = 0; j < d; ++j) {
        const float x = words(chosen[t], j), k = keys(t, j);
        const std::complex<double> pair(words(chosen[t], j - j % 2), words(chosen[t], j - j % 2 + 1)),
            turned = pair * std::polar(1.0, angles(t, j / 2));
        want[j] += binding == Binding::sum       ? x + k
                   : binding == Binding::product ? x * k
                                                 : float(j % 2 ? turned.imag() : turned.real());
      }
    BOOST_TEST(distance(bag(words, chosen, keys, binding), want) < few_roundings, static_cast<int>(binding));
  }
}

BOOST_AUTO_TEST_CASE(overlap_is_a_trace) {
  Matrix<float> axes = zeros<float>(d, d);
  for (std::size_t j = 0; j < d; ++j) axes(j, j) = 1;
  for (const Binding binding : {Binding::product, Binding::rotate}) {
    const Matrix<float> keys = keys_for(binding), second = converted<float>(block(keys, 1, 2));
    double trace = 0;
    for (std::uint32_t j = 0; j < d; ++j)
      trace += unbound(bag(axes, {j}, second, binding), row(keys, 0), binding)[j];
    const KeyOverlap overlap = key_overlap(row(keys, 0), row(keys, 1), binding),
                     self = key_overlap(row(keys, 2), row(keys, 2), binding);
    BOOST_TEST(std::abs(overlap.mean - trace / d) < 1e-6, static_cast<int>(binding));
    BOOST_TEST(overlap.mean_square >= overlap.mean * overlap.mean);
    BOOST_TEST((std::abs(self.mean - 1) < 1e-6 && std::abs(self.mean_square - 1) < 1e-6));
  }
  // Quarter turns in half of the pairs: cosines 0 and 1.
  Matrix<double> quarter = zeros<double>(2, 4);
  quarter(1, 0) = quarter(1, 1) = std::numbers::pi / 2;
  const Matrix<float> keys = rotation_keys(quarter);
  const KeyOverlap half = key_overlap(row(keys, 0), row(keys, 1), Binding::rotate);
  BOOST_TEST((std::abs(half.mean - 0.5) < 1e-6 && std::abs(half.mean_square - 0.5) < 1e-6));
}

BOOST_AUTO_TEST_SUITE_END()
