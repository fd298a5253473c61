// Cross-entropy against its definition, at equal logits, with ties, with rows that are not asked, and
// refusals.

#include "perp/model/cross_entropy.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "perp/base/matrix_algebra.hpp"
#include "perp/random/normal.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using namespace perp::model;

namespace {

template <class T>
Matrix<T> filled(std::size_t rows, std::size_t cols, T value) {
  return Matrix<T>(std::array<std::size_t, 2>{rows, cols}, value);
}

/// The same by the definition, in long double.
struct Plain {
  long double nats = 0;
  Matrix<double> derivative;
};
Plain plainly(const Matrix<double>& logits, const std::vector<std::int32_t>& labels) {
  Plain plain{0, zeros<double>(rows(logits), cols(logits))};
  long double asked = 0;
  for (const std::int32_t label : labels) asked += label != ignored_target;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    if (labels[r] == ignored_target) continue;
    long double sum = 0;
    for (const double x : row(logits, r)) sum += std::exp(static_cast<long double>(x));
    const auto label = static_cast<std::size_t>(labels[r]);
    plain.nats += (std::log(sum) - static_cast<long double>(logits(r, label))) / asked;
    for (std::size_t j = 0; j < cols(logits); ++j)
      plain.derivative(r, j) = static_cast<double>(
          (std::exp(static_cast<long double>(logits(r, j))) / sum - (j == label ? 1 : 0)) / asked);
  }
  return plain;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model_cross_entropy)

BOOST_AUTO_TEST_CASE(equal_logits_cost_the_logarithm_of_the_classes) {
  for (const std::size_t classes : {1U, 2U, 32U, 4001U})
    for (const double logit : {0.0, -300.0, 1e6}) {
      Matrix<double> logits = filled(3, classes, logit);
      const LossAndAccuracy result = cross_entropy(logits, std::vector<std::int32_t>{0, 0, 0});
      const double expected = std::log(static_cast<double>(classes));
      BOOST_TEST(std::abs(result.nats - expected) <= tolerance::cross_entropy, classes << " " << logit);
      Matrix<float> narrow = filled(3, classes, static_cast<float>(logit));
      BOOST_TEST(std::abs(cross_entropy(narrow, std::vector<std::int32_t>{0, 0, 0}).nats - expected) <=
                 tolerance::float_cross_entropy);
      // (1/C - 1)/3 where the label is, 1/(3 C) elsewhere.
      const double share = 1 / static_cast<double>(classes);
      BOOST_TEST(std::abs(logits(1, 0) - (share - 1) / 3) <= tolerance::cross_entropy);
      BOOST_TEST(std::abs(logits(2, classes - 1) - (share - (classes == 1)) / 3) <= tolerance::cross_entropy);
    }
}

BOOST_AUTO_TEST_CASE(normal_logits_against_the_definition) {
  constexpr std::size_t n = 40, classes = 13;
  Matrix<double> logits = normal_matrix<double>(n, classes, stream(1, "tests", "cross_entropy", 0, "logits"));
  for (double& x : std::span<double>(logits.data(), logits.size())) x *= 5;
  std::vector<std::int32_t> labels;
  for (std::size_t r = 0; r < n; ++r)
    labels.push_back(r % 4 == 1 ? ignored_target : static_cast<std::int32_t>(r * 7 % classes));
  const Plain plain = plainly(logits, labels);
  Matrix<float> narrow = converted<float>(logits);
  const LossAndAccuracy result = cross_entropy(logits, labels), in_float = cross_entropy(narrow, labels);
  BOOST_TEST(result.asked == 30U);
  BOOST_TEST(std::abs(result.nats - static_cast<double>(plain.nats)) <= tolerance::cross_entropy);
  BOOST_TEST(std::abs(in_float.nats - static_cast<double>(plain.nats)) <= tolerance::float_cross_entropy);
  BOOST_TEST(in_float.right == result.right);
  double worst = 0;
  for (std::size_t i = 0; i < logits.size(); ++i)
    worst = std::max(worst, std::abs(logits.data()[i] - plain.derivative.data()[i]));
  BOOST_TEST(worst <= tolerance::cross_entropy);
  for (std::size_t r = 0; r < n; ++r) {
    double sum = 0;
    for (const double x : row(logits, r)) {
      sum += x;
      if (labels[r] == ignored_target) BOOST_TEST(x == 0.0);
    }
    BOOST_TEST(std::abs(sum) <= tolerance::cross_entropy);  // adding the same to all logits changes nothing
  }
}

BOOST_AUTO_TEST_CASE(the_first_of_equal_largest_logits_answers) {
  Matrix<double> logits = filled(4, 5, 0.0);
  for (std::size_t r = 0; r < 4; ++r) logits(r, 1) = logits(r, 3) = 2;
  const LossAndAccuracy result = cross_entropy(logits, std::vector<std::int32_t>{1, 3, 0, ignored_target});
  BOOST_TEST(result.asked == 3U);
  BOOST_TEST(result.right == 1U);
}

BOOST_AUTO_TEST_CASE(a_sure_answer_costs_nothing_and_a_sure_mistake_its_distance) {
  Matrix<double> logits = filled(2, 3, 0.0);
  logits(0, 2) = logits(1, 2) = 900;
  const LossAndAccuracy result = cross_entropy(logits, std::vector<std::int32_t>{2, 0});
  BOOST_TEST(std::abs(result.nats - 450) <= 450 * tolerance::cross_entropy);
  BOOST_TEST(result.right == 1U);
  BOOST_TEST(std::abs(logits(0, 2)) <= tolerance::cross_entropy);
  BOOST_TEST(logits(1, 0) == -0.5);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_answered_is_refused) {
  using Labels = std::vector<std::int32_t>;
  Matrix<float> logits = filled(2, 3, 0.0F);
  check_refusal([&] { cross_entropy(logits, Labels{0}); }, "1 labels for 2 rows");
  check_refusal([&] { cross_entropy(logits, Labels{0, 3}); }, "label 3 of 3 classes");
  check_refusal([&] { cross_entropy(logits, Labels{0, -2}); }, "label -2 of 3 classes");
  check_refusal([&] { cross_entropy(logits, Labels{ignored_target, ignored_target}); }, "none of 2 rows");
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Matrix<float> spoiled = filled(2, 3, 0.0F);
    spoiled(1, 2) = bad;
    const std::optional<Error> error = error_of([&] { cross_entropy(spoiled, Labels{0, 1}); });
    BOOST_REQUIRE(error.has_value());
    BOOST_TEST((error->exit() == Exit::failed));
    BOOST_TEST(contains(error->what(), "row 1"));
    // A row that is not asked may hold anything.
    Matrix<float> unread = filled(2, 3, 0.0F);
    unread(1, 2) = bad;
    BOOST_TEST(cross_entropy(unread, Labels{0, ignored_target}).asked == 1U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
