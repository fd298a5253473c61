// Closed forms of the sinusoid's products against sums, simulations and SciPy.

#include "perp/theory/distance.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/base/linalg.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
using perp::Matrix;
using perp::test::check_refusal;
namespace tolerance = perp::tolerance;

namespace {

constexpr double pi = std::numbers::pi;

/// Interleaved sinusoid, L x d.
Matrix<double> table(std::size_t length, std::size_t d, double base) {
  Matrix<double> p = perp::matrix<double>(length, d);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t i = 0; i < d / 2; ++i) {
      const double omega = std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(d));
      p(t, 2 * i) = std::sin(omega * static_cast<double>(t));
      p(t, 2 * i + 1) = std::cos(omega * static_cast<double>(t));
    }
  return p;
}

/// d² - rank of the conditions p_{t+1}ᵀMp_{s+1} = p_tᵀMp_s on M.
std::size_t solutions(std::size_t length, std::size_t d) {
  if (length == 1) return d * d;
  const Matrix<double> p = table(length, d, 30);
  Matrix<double> conditions = perp::matrix<double>((length - 1) * (length - 1), d * d);
  for (std::size_t t = 0; t + 1 < length; ++t)
    for (std::size_t s = 0; s + 1 < length; ++s)
      for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j)
          conditions(t * (length - 1) + s, i * d + j) = p(t + 1, i) * p(s + 1, j) - p(t, i) * p(s, j);
  std::size_t rank = 0;
  const std::vector<double> values = perp::singular_values(conditions);
  for (const double value : values) rank += value > tolerance::commutant_cutoff * values[0];
  return d * d - rank;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(theory_distance)

BOOST_AUTO_TEST_CASE(cosine_integral_against_reference) {
  // mpmath 1.3, 30 digits.
  const std::pair<double, double> rows[] = {
      {1e-8, -17.843465079050832616},   {.01, -4.0279795209823920514},   {.5, -.17778407880661290134},
      {1, .33740392290096813466},       {1.9999, .42300163436353921331}, {2, .4229808287748649957},
      {2.0001, .42296001968007068592},  {3, .11962978600800032763},      {5, -.19002974965664387862},
      {10, -.045456433004455372635},    {50, -.0056283863241163054402},  {616.9, .0014770778061406148544},
      {1e4, -3.0551916724485212665e-5}, {1e6, -3.4999443892272049264e-7}};
  for (const auto& [x, value] : rows)
    BOOST_TEST(std::abs(cosine_integral(x) - value) < tolerance::cosine_integral(x), "Ci(" << x << ")");
}

BOOST_AUTO_TEST_CASE(numbers_of_the_texts) {
  BOOST_TEST(std::abs(kernel_exact(16, 1e4, 1) - 7.4852) < tolerance::rounded(1e-4));
  BOOST_TEST(std::abs(kernel_exact(16, 1e4, -5) - 6.1370) < tolerance::rounded(1e-4));
  BOOST_TEST(kernel_exact(16, 1e4, 0) == 8);
  BOOST_TEST(std::abs(kernel_share(512, 1e4, 1) - .9731) < tolerance::rounded(1e-4));
  BOOST_TEST(std::abs(kernel_share(512, 1e4, 10) - .6789) < tolerance::rounded(1e-4));
  BOOST_TEST(std::abs(kernel_share(512, 1e4, 100) - .4373) < tolerance::rounded(1e-4));
  const std::size_t rises[] = {5, 11, 24, 43, 68, 131, 244};
  for (std::size_t i = 0; i < 7; ++i) BOOST_TEST(first_rise(std::size_t{64} << i, 1e4) == rises[i]);
  BOOST_TEST(first_rise(2, 1e4) == 3);  // one cosine
}

BOOST_AUTO_TEST_CASE(limit_of_many_dimensions) {
  // SciPy 1's sici.
  BOOST_TEST(std::abs(kernel_limit(1e4, 1) - .9739627712098209) < tolerance::closed_form);
  BOOST_TEST(std::abs(kernel_limit(1e4, 100) - .4367732932085589) < tolerance::closed_form);
  BOOST_TEST(std::abs(kernel_limit(1e2, -7) - .46903031010851765) < tolerance::closed_form);
  BOOST_TEST(std::abs(kernel_limit(1e4, 50000) - .0206300467937278) < tolerance::closed_form);
  BOOST_TEST(kernel_limit(1e4, 0) == 1);
  BOOST_TEST(std::abs(kernel_limit(1e4, 1e-200) - 1) < tolerance::closed_form);
  BOOST_TEST(std::abs(kernel_limit(1e4, 1.9999999) - kernel_limit(1e4, 2)) < 1e-7);
  // The line leaves out Ci's ripple, at most 1/k, and the end near T, (k/T)²/4.
  for (const double k : {30.0, 300.0})
    BOOST_TEST(std::abs(kernel_limit(1e4, k) - kernel_log_line(1e4, k)) <
               (1 / k + k * k / 4e8) / std::log(1e4));
}

BOOST_AUTO_TEST_CASE(finite_dimensions_and_their_aliases) {
  for (const double base : {1e2, 1e4, 1e6})
    for (const std::size_t d : {64, 512}) {
      const double alias = alias_lag(d, base), size = alias_size(d, base);
      double middle = 0, quarter = 0, beyond = 0;
      for (double k = 1; k <= 4 * alias; ++k) {
        const double exact = kernel_share(d, base, k);
        const double off = std::abs(exact - kernel_finite(d, base, k)) / size;
        if (k <= alias / 4) quarter = std::max(quarter, off);
        if (k <= alias / 2) middle = std::max(middle, off);
        if (k > alias) beyond = std::max(beyond, std::abs(exact - kernel_limit(base, k)) / size);
      }
      BOOST_TEST_CONTEXT("d = " << d << ", T = " << base) {
        BOOST_TEST(quarter < .003);
        BOOST_TEST(middle < .02);
        BOOST_TEST(beyond > 1.8);
        BOOST_TEST(beyond < 3);
      }
    }
  BOOST_TEST(std::abs(last_wavelength(512, 1e4) - 2 * pi * 9646.616) < .01);
  BOOST_TEST(std::abs(last_wavelength(2, 1e4) - 2 * pi) < tolerance::closed_form);
}

BOOST_AUTO_TEST_CASE(rounding) {
  BOOST_TEST(table_rounding_bound(512, 0x1p-8) == 512 * (0x1p-8 + 0x1p-17));
  BOOST_TEST(table_rounding_rms(64, 0x1p-8) == 2 * 0x1p-8);
  // The line is the large-d limit of the bound at t = s: 1/2 + ln T/6d of a pair less.
  for (const std::size_t d : {256, 4096}) {
    const double line = angle_rounding_line(d, 1e4, 0x1p-53, 1e6);
    const double bound = angle_rounding_bound(d, 1e4, 0x1p-53, 1e6, 1e6);
    BOOST_TEST(std::abs(bound / line - 1) < 1.02 * std::log(1e4) / static_cast<double>(d) + 1e-4);
  }
  BOOST_TEST(angle_rounding_bound(64, 1e4, .25, 1e9, 1e9) == 64);  // the whole score is lost
  BOOST_TEST(angle_rounding_bound(64, 1e4, 0x1p-24, 100, 50, 2) ==
             2 * angle_rounding_bound(64, 1e4, 0x1p-24, 100, 50));
}

BOOST_AUTO_TEST_CASE(columns) {
  for (const std::size_t length : {1, 2, 7, 512})
    for (const double delta : {1e-9, .003, .4, 2., pi, 6., 100.}) {
      double real = 0, imaginary = 0;
      for (std::size_t t = 0; t < length; ++t) {
        real += std::cos(delta * static_cast<double>(t));
        imaginary += std::sin(delta * static_cast<double>(t));
      }
      const double n = static_cast<double>(length), overlap = frequency_overlap(length, delta);
      BOOST_TEST(std::abs(overlap - std::hypot(real, imaginary) / n) < tolerance::closed_form);
    }
  BOOST_TEST(std::abs(frequency_overlap(512, pi / 512) - 2 / pi) < 1e-5);
  BOOST_TEST(frequency_overlap(512, 2 * pi / 512) < tolerance::closed_form);
  BOOST_TEST(frequency_overlap(64, 0) == 1);
  // Not 2/(LΔ) far out: at Δ = π and odd L the overlap is 1/L.
  BOOST_TEST(std::abs(frequency_overlap(7, pi) - 1.0 / 7) < tolerance::closed_form);
  BOOST_TEST(std::abs(sine_cosine_overlap(5000, 1e-8) - std::sqrt(.75)) < 1e-3);
  BOOST_TEST(std::abs(sine_cosine_overlap(512, 2 * pi / 512)) < tolerance::closed_form);
  BOOST_TEST(std::abs(sine_cosine_overlap(2, 1) - std::cos(1) / std::sqrt(1 + std::cos(1) * std::cos(1))) <
             tolerance::closed_form);
}

BOOST_AUTO_TEST_CASE(commutant) {
  for (const std::size_t d : {2, 4, 6})
    for (std::size_t length = 1; length <= d + 3; ++length)
      BOOST_TEST(commutant_dimension(length, d) == solutions(length, d), "L = " << length << ", d = " << d);
  BOOST_TEST(commutant_dimension(20, 32) == 32 * 32 - 400 + 40 - 1);
  BOOST_TEST(toeplitz_null(512) == 2 / 513.);
}

BOOST_AUTO_TEST_CASE(four_terms) {
  // Sinusoid of d = 64, L = 256 under isotropic words of power d: the exact mean of its columns.
  const std::size_t d = 64, length = 256;
  const Matrix<double> p = table(length, d, 1e4);
  Power positions{static_cast<double>(d) / 2, 0};
  for (std::size_t j = 0; j < d; ++j) {
    double mean = 0;
    for (std::size_t t = 0; t < length; ++t) mean += p(t, j) / static_cast<double>(length);
    positions.square_mean += mean * mean;
  }
  const FourShares shares = four_shares({static_cast<double>(d), 0}, positions);
  BOOST_TEST(std::abs(shares.position_position - .0875) < tolerance::rounded(1e-4));
  BOOST_TEST(shares.word_position == shares.position_word);
  BOOST_TEST(std::abs(shares.word_word + 2 * shares.word_position + shares.position_position - 1) <
             tolerance::special_function);
  BOOST_TEST(random_score_variance({3, 1}, {5, 2}) == 13);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_asked) {
  const double nan = std::nan("");
  check_refusal([] { kernel_exact(7, 1e4, 1); }, "kernel_exact: dimension 7 given, expected an even number");
  check_refusal([] { kernel_exact(8, 1, 1); }, "kernel_exact: base 1 given, expected above 1");
  check_refusal([&] { kernel_exact(8, 1e4, nan); }, "kernel_exact: lag nan given");
  check_refusal([&] { kernel_limit(nan, 1); }, "kernel_limit: base nan given");
  check_refusal([] { kernel_limit(1e4, 1e300); }, "kernel_limit: lag 1e+300 given");
  check_refusal([] { kernel_log_line(1e4, 0); }, "lag 0 given, expected another");
  check_refusal([] { kernel_finite(0, 1e4, 1); }, "kernel_finite: dimension 0 given");
  check_refusal([] { cosine_integral(0); }, "cosine_integral: argument 0 given, expected above 0");
  check_refusal([] { alias_lag(3, 1e4); }, "alias_lag: dimension 3");
  check_refusal([] { alias_size(4, .5); }, "alias_size: base 0.5");
  check_refusal([] { first_rise(4, 1); }, "base 1 given");
  check_refusal([] { last_wavelength(5, 1e4); }, "last_wavelength: dimension 5");
  check_refusal([] { table_rounding_bound(4, 0); }, "unit roundoff 0 given");
  check_refusal([] { table_rounding_rms(4, 1); }, "table_rounding_rms: unit roundoff 1 given");
  check_refusal([&] { angle_rounding_bound(4, 10, .1, nan, 1); }, "positions nan and 1");
  check_refusal([] { angle_rounding_line(4, 10, .1, -1); }, "position -1 given");
  check_refusal([] { angle_rounding_rms(4, 10, .1, -1); }, "angle_rounding_rms: position -1 given");
  check_refusal([] { frequency_overlap(0, 1); }, "frequency_overlap: length 0");
  check_refusal([&] { frequency_overlap(3, nan); }, "difference nan given");
  check_refusal([] { sine_cosine_overlap(1, 1); }, "length 1 given, expected at least 2");
  check_refusal([] { sine_cosine_overlap(9, 4); }, "frequency 4 given");
  check_refusal([] { toeplitz_null(1); }, "toeplitz_null: length 1");
  check_refusal([] { commutant_dimension(0, 4); }, "commutant_dimension: length 0");
  check_refusal([] { commutant_dimension(4, 5); }, "commutant_dimension: dimension 5");
  check_refusal([] { random_score_variance({1, 2}, {1, 0}); }, "left vectors with mean square 1");
  check_refusal([&] { random_score_variance({1, 0}, {nan, 0}); }, "right vectors with mean square nan");
  check_refusal([] { four_shares({1, 1}, {1, 1}); }, "neither words nor positions vary");
}

BOOST_AUTO_TEST_SUITE_END()
