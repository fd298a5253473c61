#include "perp/measures/scores.hpp"

#include <boost/test/unit_test.hpp>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

bool close(double a, double b, double scale) { return std::abs(a - b) <= tolerance::gram_variance * scale; }

}  // namespace

BOOST_AUTO_TEST_SUITE(scores)

BOOST_AUTO_TEST_CASE(the_terms_add_up_where_words_have_no_mean) {
  const std::size_t d = 8;
  const Matrix<double> words = made::normal<double>(3000, d, 3), m = made::normal<double>(d, d, 4),
                       positions = made::sinusoids<double>(made::frequencies(d, 100), 400);
  const FourTerms got = four_terms(centred(words), positions, m), coupled = four_terms(words, positions, m);
  BOOST_TEST(close(got.score, got.sum(), got.sum()));
  BOOST_TEST(!close(coupled.score, coupled.sum(), coupled.sum()));
}

BOOST_AUTO_TEST_CASE(what_only_the_distance_says) {
  // M = I: the positions' scores are Toeplitz; with words gone nothing else is left, and twice the words is
  // four times the noise of one kind and twice of two.
  const std::size_t d = 16;
  const Matrix<double> positions = made::sinusoids<double>(made::frequencies(d, 10000), 200);
  Matrix<double> identity = zeros<double>(d, d);
  for (std::size_t i = 0; i < d; ++i) identity(i, i) = 1;
  const Matrix<double> words = made::normal<double>(500, d, 5);
  const FourTerms got = four_terms(words, positions, identity);
  BOOST_TEST(std::abs(got.distance_only / got.position_position - 1) < tolerance::sinusoid_product(d, 200));
  BOOST_TEST(got.distance_only <= got.position_position);
  const Matrix<double> m = made::normal<double>(d, d, 6);
  const FourTerms random = four_terms(words, positions, m);
  const double r2 = score_r2(product(positions, m), positions);
  BOOST_TEST(close(random.distance_only / random.position_position, r2, 1));
  BOOST_TEST(r2 < 0.9);
}

BOOST_AUTO_TEST_SUITE_END()
