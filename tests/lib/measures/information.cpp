// Bits by Monte Carlo against numerical integration, against a plain log-sum-exp and against their ceilings.

#include "perp/measures/information.hpp"

#include <boost/test/unit_test.hpp>
#include <numbers>

#include "perp/base/functions.hpp"
#include "tests/lib/measures/made.hpp"
#include "tests/support/reference.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

using Nats = std::vector<NegativeLogLikelihood>;

/// Words, positions and samples of a sum, products included.
struct Sum {
  Matrix<float> words, positions, noise;
  std::vector<std::size_t> sent_words, sent_positions;
  CodeProducts word, position;
  CrossTable cross;

  Sum(Matrix<float> words_, Matrix<float> positions_, std::size_t samples)
      : words(std::move(words_)),
        positions(std::move(positions_)),
        noise(made::normal<float>(samples, cols(words), 3)) {
    for (std::size_t i = 0; i < samples; ++i) {
      sent_words.push_back(i % rows(words));
      sent_positions.push_back(i / rows(words) % rows(positions));
    }
    multiply();
  }
  void multiply() {
    word = code_products(words, noise, sent_words);
    position = code_products(positions, noise, sent_positions);
    cross = cross_table(words, positions);
  }
  Nats nats(double n, const Scales& scales = {}) const {
    return added_negative_log_likelihoods(word, position, cross, n, scales);
  }
  Nats slow_nats(double n, const Scales& scales = {}) const {
    return added_negative_log_likelihoods_one_by_one(word, position, cross, n, scales);
  }
  SharedBits bits(double n) const { return shared_bits(word, position, cross, n); }
};

Sum random_sum(std::size_t words, std::size_t positions, std::size_t d, std::size_t samples) {
  return {made::normal<float>(words, d, 1), made::normal<float>(positions, d, 2), samples};
}

double worst_difference(const Nats& a, const Nats& b) {
  double worst = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max({worst, std::abs(a[i].both - b[i].both), std::abs(a[i].word - b[i].word),
                      std::abs(a[i].position - b[i].position)});
  return worst;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_information)

BOOST_AUTO_TEST_CASE(exponentials) {
  double worst_float = 0, worst_double = 0;
  for (int i = -86000; i <= 86000; ++i) {
    const float x = static_cast<float>(i) * 1e-3F;
    const double exact = std::exp(static_cast<double>(x)), y = 8e-3 * i;
    worst_float = std::max(worst_float, std::abs(double(quick_exp(x)) / exact - 1));
    worst_double = std::max(worst_double, std::abs(quick_exp(y) / std::exp(y) - 1));
  }
  BOOST_TEST(worst_float < 3e-7);
  BOOST_TEST(worst_double < 4e-15);
  BOOST_TEST((quick_exp(0.0F) == 1.0F && quick_exp(0.0) == 1.0));
  BOOST_TEST((quick_exp(-1e30F) == 0.0F && quick_exp(-1e300) == 0.0));
  BOOST_TEST((quick_exp(-87.0F) > 0 && quick_exp(std::nextafter(-87.0F, -100.0F)) == 0));
  for (const float nan : {NAN, -NAN})
    BOOST_TEST((std::isnan(quick_exp(nan)) && std::isnan(quick_exp(double(nan)))));
  BOOST_TEST(quick_exp(-INFINITY) == 0);
}

BOOST_AUTO_TEST_CASE(the_largest_wherever_it_is) {
  for (std::size_t n = 1; n <= 200; ++n)
    for (std::size_t at = 0; at < n; ++at) {
      std::vector<float> x(n, -2);
      x[at] = -1;
      BOOST_REQUIRE(largest_of(x.data(), n) == -1);
    }
}

BOOST_AUTO_TEST_CASE(normal_distribution) {
  const auto normal = [](auto x) { return quick_below(x, quick_exp(-x * x / 2)); };
  double worst_float = 0, worst_double = 0, worst_density = 0, worst_tail = 0;
  for (int i = -80000; i <= 80000; ++i) {
    // Both hold these exactly.
    const double y = 0x1p-11 * i, below = std::erfc(-y / std::numbers::sqrt2) / 2,
                 in_float = static_cast<double>(normal(static_cast<float>(y)));
    worst_float = std::max(worst_float, std::abs(in_float - below));
    worst_double = std::max(worst_double, std::abs(normal(y) - below));
    worst_density = std::max(worst_density, std::abs(quick_exp(-y * y / 2) - std::exp(-y * y / 2)));
    // Far below, too, relative to the little that is left: y²/2 is rounded before it is an exponent.
    if (y < 0 && y > -37)
      worst_tail = std::max(worst_tail, std::abs(normal(y) / below - 1) / (1 + y * y / 2));
  }
  BOOST_TEST(worst_float < 3e-7);
  BOOST_TEST(worst_double < 4e-16);
  BOOST_TEST(worst_density < 4e-16);
  BOOST_TEST(worst_tail < 4e-15);
  BOOST_TEST((normal(-1e9F) == 0.0F && normal(1e9) == 1.0));
}

BOOST_AUTO_TEST_CASE(bits_by_integration) {
  for (const test::ReferenceRow& row : test::reference_table("measures_information")) {
    const std::size_t d = row.whole("d"), v = row.whole("words"), l = row.whole("positions");
    const double n = row["noise"], both = row["both"], word = row["word"], position = row["position"];
    const Sum sum(made::times(1.5, test::waves<float>(v, d, 2)), test::waves<float>(l, d, 5), 60000);
    const SharedBits bits = sum.bits(n);
    BOOST_TEST(bits.both.standard_error < 0.01);
    for (const auto& [got, want] : {std::pair{bits.both, both}, {bits.word, word}, {bits.position, position}})
      BOOST_TEST(std::abs(got.value - want) < tolerance::standard_errors * got.standard_error + 1e-6,
                 row.place << ": " << got.value << " instead of " << want);
    if (l > 1) continue;
    const Bits alone = channel_bits(sum.word, n);
    BOOST_TEST(std::abs(alone.value - both) < tolerance::standard_errors * alone.standard_error, row.place);
  }
}

BOOST_AUTO_TEST_CASE(fast_equals_slow) {
  // 5·√20 is about the largest of |x·p|: float above noise .9, double above .3, one by one below.
  const Sum sum = random_sum(60, 24, 20, 300);
  for (const double n : {0.1, 0.3, 0.5, 1.0, 1.5, 4.0}) {
    const Nats fast = sum.nats(n), slow = sum.slow_nats(n);
    BOOST_TEST(worst_difference(fast, slow) < tolerance::negative_log_likelihood, "noise " << n);
    for (const NegativeLogLikelihood& one : slow)
      BOOST_TEST(std::min({one.both - one.word, one.word, one.position}) >=
                 -tolerance::negative_log_likelihood);
  }
}

BOOST_AUTO_TEST_CASE(scales_of_both_parts) {
  // a·x and b·p by scales, and as tables that are scaled already; in float, in double and one by one.
  const Scales both{1.5, 0.4};
  const Sum sum = random_sum(20, 9, 5, 60),
            scaled(made::times(1.5, sum.words), made::times(0.4, sum.positions), 60);
  for (const double n : {1.0, 0.2, 0.05}) {
    // Exponents are of the order 1/n², known to 2^-24 of themselves.
    const double bound = tolerance::negative_log_likelihood / (n * n);
    BOOST_TEST(worst_difference(sum.nats(n, both), scaled.nats(n)) < bound);
    BOOST_TEST(worst_difference(sum.nats(n, both), sum.slow_nats(n, both)) < bound);
  }
}

BOOST_AUTO_TEST_SUITE_END()
