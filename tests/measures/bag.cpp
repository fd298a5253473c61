// Binding and undoing against their definitions.

#include "perp/measures/bag.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using perp::test::check_refusal;

namespace {

constexpr std::size_t d = 24, places = 5, count = 9;

Matrix<float> drawn_words() { return normal_matrix<float>(count, d, stream(1, "bag", "words", 0, "")); }
Matrix<double> drawn_angles() {
  Matrix<double> angles = matrix<double>(places, d / 2);
  fill_uniform(stream(1, "bag", "angles", 0, ""), std::span<double>(angles.data(), angles.size()), 0,
               2 * std::numbers::pi);
  return angles;
}
Matrix<float> keys_for(Binding binding) {
  if (binding == Binding::rotate) return rotation_keys(drawn_angles());
  Matrix<float> keys = matrix<float>(places, d);
  fill_signs(stream(1, "bag", "signs", 0, ""), std::span<float>(keys.data(), keys.size()));
  return keys;
}

std::vector<float> bag(const Matrix<float>& words, const std::vector<std::uint32_t>& chosen,
                       const Matrix<float>& keys, Binding binding) {
  std::vector<float> out(cols(words), 99);  // whatever was there is overwritten
  bag_of(words, chosen, keys, binding, out);
  return out;
}

double distance(const std::vector<float>& a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += std::pow(static_cast<double>(a[j]) - b[j], 2);
  return std::sqrt(sum);
}

constexpr Binding bindings[] = {Binding::sum, Binding::product, Binding::rotate};

/// Sums of a few terms of a few units each.
const double few_roundings = tolerance::float_sum(8, 30);

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_bag)

BOOST_AUTO_TEST_CASE(one_word_comes_back) {
  const Matrix<float> words = drawn_words();
  for (const Binding binding : bindings) {
    const Matrix<float> keys = keys_for(binding);
    std::vector<float> out(d);
    unbind(bag(words, {4}, keys, binding), row(keys, 0), binding, out);
    BOOST_TEST(distance(out, row(words, 4)) < few_roundings, to_text(binding));
    unbind(bag(words, {4}, keys, binding), row(keys, 1), binding, out);
    BOOST_TEST(distance(out, row(words, 4)) > 1, to_text(binding));
  }
}

BOOST_AUTO_TEST_CASE(bags_by_definition) {
  const Matrix<float> words = drawn_words();
  const std::vector<std::uint32_t> chosen{3, 8, 0, 1, 6};
  const Matrix<double> angles = drawn_angles();
  const Matrix<float> signs = keys_for(Binding::product);
  std::vector<float> sum(d, 0), product(d, 0), turned(d, 0);
  for (std::size_t t = 0; t < chosen.size(); ++t)
    for (std::size_t j = 0; j < d; ++j) {
      sum[j] += words(chosen[t], j) + signs(t, j);
      product[j] += words(chosen[t], j) * signs(t, j);
      if (j % 2) continue;
      const std::complex<double> x(words(chosen[t], j), words(chosen[t], j + 1));
      const std::complex<double> y = x * std::polar(1.0, angles(t, j / 2));
      turned[j] += static_cast<float>(y.real());
      turned[j + 1] += static_cast<float>(y.imag());
    }
  BOOST_TEST(distance(bag(words, chosen, signs, Binding::sum), sum) < few_roundings);
  BOOST_TEST(distance(bag(words, chosen, signs, Binding::product), product) < few_roundings);
  BOOST_TEST(distance(bag(words, chosen, keys_for(Binding::rotate), Binding::rotate), turned) <
             few_roundings);
}

BOOST_AUTO_TEST_CASE(a_sum_forgets_the_pairing) {
  const Matrix<float> words = drawn_words();
  std::vector<std::uint32_t> chosen{0, 1, 2, 3, 7};
  for (const Binding binding : bindings) {
    const Matrix<float> keys = keys_for(binding);
    const std::vector<float> one = bag(words, chosen, keys, binding);
    std::vector<std::uint32_t> other = chosen;
    double least = INFINITY, largest = 0;
    while (std::ranges::next_permutation(other).found) {
      const double apart = distance(one, bag(words, other, keys, binding));
      least = std::min(least, apart);
      largest = std::max(largest, apart);
    }
    if (binding == Binding::sum)
      BOOST_TEST(largest < few_roundings);
    else
      BOOST_TEST(least > 0.5, to_text(binding));
  }
}

BOOST_AUTO_TEST_CASE(overlap_is_a_trace) {
  Matrix<float> axes = zeros<float>(d, d);
  for (std::size_t j = 0; j < d; ++j) axes(j, j) = 1;
  for (const Binding binding : {Binding::product, Binding::rotate}) {
    const Matrix<float> keys = keys_for(binding);
    const Matrix<float> second = [&] {
      Matrix<float> out = matrix<float>(1, d);
      std::ranges::copy(row(keys, 1), out.data());
      return out;
    }();
    double trace = 0;
    for (std::uint32_t j = 0; j < d; ++j) {
      std::vector<float> out(d);
      unbind(bag(axes, {j}, second, binding), row(keys, 0), binding, out);
      trace += out[j];
    }
    const KeyOverlap overlap = key_overlap(row(keys, 0), row(keys, 1), binding);
    BOOST_TEST(std::abs(overlap.mean - trace / d) < 1e-6, to_text(binding));
    BOOST_TEST(overlap.mean_square >= overlap.mean * overlap.mean);
    const KeyOverlap self = key_overlap(row(keys, 2), row(keys, 2), binding);
    BOOST_TEST(std::abs(self.mean - 1) < 1e-6);
    BOOST_TEST(std::abs(self.mean_square - 1) < 1e-6);
  }
  // Quarter turns in half of the pairs: cosines 0 and 1.
  Matrix<double> angles = zeros<double>(2, 4);
  angles(1, 0) = angles(1, 1) = std::numbers::pi / 2;
  const Matrix<float> keys = rotation_keys(angles);
  const KeyOverlap half = key_overlap(row(keys, 0), row(keys, 1), Binding::rotate);
  BOOST_TEST(std::abs(half.mean - 0.5) < 1e-6);
  BOOST_TEST(std::abs(half.mean_square - 0.5) < 1e-6);
}

BOOST_AUTO_TEST_CASE(refusals) {
  const Matrix<float> words = drawn_words(), keys = keys_for(Binding::product), narrow = zeros<float>(9, 7);
  std::vector<float> out(d), seven(7);
  const std::vector<std::uint32_t> one{0}, absent{9}, six(6, 0);
  check_refusal([&] { bag_of(words, one, narrow, Binding::sum, out); }, "keys of 7");
  check_refusal([&] { bag_of(words, one, keys, Binding::sum, seven); }, "room for 7");
  check_refusal([&] { bag_of(words, absent, keys, Binding::sum, out); }, "word 9 chosen of 9");
  check_refusal([&] { bag_of(words, six, keys, Binding::sum, out); }, "6 words and keys for 5");
  check_refusal([&] { bag_of(narrow, one, narrow, Binding::rotate, seven); }, "7 numbers cannot be turned");
  check_refusal([&] { unbind(seven, row(narrow, 0), Binding::rotate, seven); }, "7 numbers cannot be turned");
  check_refusal([&] { unbind(out, row(narrow, 0), Binding::sum, out); }, "keys of 7");
  check_refusal([&] { unbind(out, row(keys, 0), Binding::sum, seven); }, "room for 7");
  check_refusal([&] { key_overlap(row(keys, 0), row(keys, 1), Binding::sum); }, "no overlap");
  check_refusal([&] { key_overlap(row(keys, 0), row(narrow, 1), Binding::product); }, "keys of 7");
  check_refusal([] { to_text(static_cast<Binding>(7)); }, "7");
}

BOOST_AUTO_TEST_SUITE_END()
