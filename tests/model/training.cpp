// Cross-entropy at its limits (equal logits, ties, sure answers, rows that are not asked), Adam's first step
// and the learning rate.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "perp/model/adam.hpp"
#include "perp/model/cross_entropy.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::model;

namespace {

using Labels = std::vector<std::int32_t>;

template <class T>
Matrix<T> filled(std::size_t rows, std::size_t cols, T value) {
  return Matrix<T>(std::array<std::size_t, 2>{rows, cols}, value);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model_training)

BOOST_AUTO_TEST_CASE(equal_logits_cost_the_logarithm_of_the_classes) {
  for (const std::size_t classes : {1U, 2U, 32U, 4001U})
    for (const double logit : {0.0, -300.0, 1e6}) {
      Matrix<double> logits = filled(3, classes, logit);
      Matrix<float> narrow = filled(3, classes, static_cast<float>(logit));
      const double expected = std::log(static_cast<double>(classes)),
                   share = 1 / static_cast<double>(classes);
      BOOST_TEST(std::abs(cross_entropy(logits, Labels{0, 0, 0}).nats - expected) <=
                 tolerance::cross_entropy);
      BOOST_TEST(std::abs(cross_entropy(narrow, Labels{0, 0, 0}).nats - expected) <=
                 tolerance::float_cross_entropy);
      // (1/C - 1)/3 where the label is, 1/(3 C) elsewhere.
      BOOST_TEST(std::abs(logits(1, 0) - (share - 1) / 3) <= tolerance::cross_entropy);
      BOOST_TEST(std::abs(logits(2, classes - 1) - (share - (classes == 1)) / 3) <= tolerance::cross_entropy);
    }
}

BOOST_AUTO_TEST_CASE(the_first_of_equal_largest_logits_answers) {
  Matrix<double> logits = filled(4, 5, 0.0);
  for (std::size_t r = 0; r < 4; ++r) logits(r, 1) = logits(r, 3) = 2;
  const LossAndAccuracy result = cross_entropy(logits, Labels{1, 3, 0, ignored_target});
  BOOST_TEST((result.asked == 3U && result.right == 1U));
}

BOOST_AUTO_TEST_CASE(only_a_row_that_is_asked_has_to_be_finite) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Matrix<float> spoiled = filled(2, 3, 0.0F);
    spoiled(1, 2) = bad;
    Matrix<float> unread = spoiled;
    test::check_refusal([&] { cross_entropy(spoiled, Labels{0, 1}); }, "row 1", Exit::failed);
    BOOST_TEST(cross_entropy(unread, Labels{0, ignored_target}).asked == 1U);
  }
}

BOOST_AUTO_TEST_CASE(first_step_is_the_rate_towards_less) {
  // m̂ = g and v̂ = g²: a step of rate · g/(|g| + epsilon), whatever the size of g; none where g is 0.
  std::vector<double> values(4, 1), gradients{3e-4, -500, 0, 1e-9};
  const std::vector<std::span<double>> parts{values}, derivatives{gradients};
  Adam<double>().step(parts, derivatives, 0.25);
  const std::vector<double> expected{0.75, 1.25, 1, 1 - 0.25 / 2};
  for (std::size_t i = 0; i < 4; ++i)
    BOOST_TEST(std::abs(values[i] - expected[i]) <= tolerance::adam_first_step * 0.25, values[i]);
}

BOOST_AUTO_TEST_CASE(rate_rises_then_stays) {
  BOOST_TEST(warmed_up_rate(0, 10, 0.5) == 0.05);
  BOOST_TEST(std::abs(warmed_up_rate(5, 10, 0.5) - 0.3) < 1e-15);
  for (const std::size_t step : {9U, 10U, 1000U}) BOOST_TEST(warmed_up_rate(step, 10, 0.5) == 0.5);
  BOOST_TEST(warmed_up_rate(0, 1, 0.5) == 0.5);
  // And down again as half a cosine.
  BOOST_TEST(cosine_rate(5, 10, 110, 0.5) == warmed_up_rate(5, 10, 0.5));
  BOOST_TEST(cosine_rate(10, 10, 110, 0.5) == 0.5);
  BOOST_TEST(std::abs(cosine_rate(60, 10, 110, 0.5) - 0.25) < 1e-15);
  BOOST_TEST(std::abs(cosine_rate(35, 10, 110, 0.5) - 0.25 * (1 + std::sqrt(0.5))) < 1e-15);
  BOOST_TEST(cosine_rate(110, 10, 110, 0.5) < 1e-15);
}

BOOST_AUTO_TEST_SUITE_END()
