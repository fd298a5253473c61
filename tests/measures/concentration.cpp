// Coordinates that hold a table's variance, and the same of rotations.

#include "perp/measures/concentration.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/statistics/moments.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

Stream rotations(std::uint64_t seed = 1) { return stream(seed, "test", "concentration", 0, "rotation"); }

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_concentration)

BOOST_AUTO_TEST_CASE(of_variances_by_hand) {
  const Concentration one = concentration(std::vector{0.0, 3.0, 0.0, 0.0});
  BOOST_TEST(one.participation_ratio == 1);
  BOOST_TEST(one.leading_share == 1);
  const Concentration even = concentration(std::vector<double>(40, 1e-300));
  BOOST_TEST(std::abs(even.participation_ratio - 40) < tolerance::plain_sum * 40);
  BOOST_TEST(std::abs(even.leading_share - 0.05) < tolerance::plain_sum);
  BOOST_TEST(std::abs(concentration(std::vector{1.0, 3.0}).participation_ratio - 1.6) < tolerance::plain_sum);
  BOOST_TEST(largest_share(std::vector{1.0, 4.0, 3.0}, 2) == 0.875);
  for (const auto& [d, columns] : {std::pair{1U, 1U}, {9U, 1U}, {30U, 2U}, {384U, 19U}, {768U, 38U}})
    BOOST_TEST(leading_columns(d) == columns);
  Matrix<double> table = zeros<double>(2, 2);
  table(1, 0) = 4;
  BOOST_TEST((column_variances(table) == std::vector{4.0, 0.0}));
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
  for (const std::vector<double>& none : {std::vector<double>{}, {0, 0}, {3, -1}, {1, NAN}, {1, INFINITY}})
    check_refusal([&] { concentration(none); }, "");
  Matrix<double> covariance = zeros<double>(3, 3);
  covariance(0, 0) = 1, covariance(1, 1) = 5, covariance(2, 2) = 4, covariance(0, 1) = 9;
  BOOST_TEST((variance_shares(covariance) == std::vector{0.1, 0.5, 0.4}));
  const auto holding = [](double part) { return columns_holding(std::vector{0.25, 0.5, 0.25}, part); };
  BOOST_TEST((holding(0.5) == std::vector<std::size_t>{1}));
  BOOST_TEST((holding(0.6) == std::vector<std::size_t>{1, 0}));  // of equal ones the first
  BOOST_TEST((holding(1) == std::vector<std::size_t>{1, 0, 2}));
  BOOST_TEST(holding(0).empty());
  check_refusal([&] { holding(1.1); }, "hold 1.1 of a sum of 1");
  check_refusal([] { largest_share(std::vector{1.0}, 2); }, "the largest 2 of 1 values");
  check_refusal([] { column_variances(zeros<double>(0, 3)); }, "without rows");
}

// Σv² of a rotation has the mean ((Σλ)² + 2Σλ²)/(d + 2): second moments of uniform directions.
BOOST_AUTO_TEST_CASE(rotations_have_the_exact_mean) {
  constexpr std::size_t d = 24, draws = 4000;
  std::vector<double> few(d, 0.0);
  few[3] = 5, few[7] = 2, few[8] = 1;
  std::vector<double> all;
  for (std::size_t i = 0; i < d; ++i) all.push_back(1 / double(1 + i));
  for (const std::vector<double>& eigenvalues : {few, all}) {
    double sum = 0, square = 0;
    for (const double x : eigenvalues) sum += x, square += x * x;
    MomentSums shares;
    for (const Concentration& draw : turned_concentrations(eigenvalues, draws, rotations(), 2))
      shares.add(1 / draw.participation_ratio);
    const double expected = (sum * sum + 2 * square) / (double(d) + 2) / (sum * sum);
    // A false alarm in 16,000 runs, were the numbers drawn anew.
    BOOST_TEST(std::abs(shares.moments().mean - expected) < 4 * standard_error(shares.moments()));
  }
  // Equal eigenvalues stay as they are.
  const auto same = turned_concentrations(std::vector<double>(d, 2.0), 3, rotations(), 1);
  for (const Concentration& draw : same) BOOST_TEST(std::abs(draw.participation_ratio - double(d)) < 1e-9);
}

BOOST_AUTO_TEST_CASE(rotations_are_the_streams_own_on_any_threads) {
  const std::vector<double> eigenvalues{4, 3, 2, 1, 0, 0, 0, 0};
  const auto one = turned_concentrations(eigenvalues, 20, rotations(), 1),
             three = turned_concentrations(eigenvalues, 20, rotations(), 3),
             other = turned_concentrations(eigenvalues, 20, rotations(2), 1);
  for (std::size_t i = 0; i < one.size(); ++i) {
    BOOST_TEST(one[i].participation_ratio == three[i].participation_ratio);
    BOOST_TEST(one[i].participation_ratio != other[i].participation_ratio);
    if (i > 0) BOOST_TEST(one[i].participation_ratio != one[i - 1].participation_ratio);
  }
}

BOOST_AUTO_TEST_SUITE_END()
