// Linear discriminant analysis, against closed forms.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/random/normal.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using perp::test::check_refusal;

namespace {

using Classes = std::vector<std::uint32_t>;

Matrix<float> normals(std::size_t n, std::size_t d, const char* purpose) {
  return normal_matrix<float>(n, d, stream(1, "tests", "linear_classes", 0, purpose));
}

/// Rows about centres 4 apart along the first column: class i % count.
Matrix<float> on_a_line(Matrix<float> x, std::size_t count) {
  for (std::size_t i = 0; i < rows(x); ++i) x(i, 0) += 4 * static_cast<float>(i % count);
  return x;
}

Classes in_turn(std::size_t n, std::size_t count) {
  Classes classes(n);
  for (std::size_t i = 0; i < n; ++i) classes[i] = static_cast<std::uint32_t>(i % count);
  return classes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_linear_classes)

BOOST_AUTO_TEST_CASE(boundary_lies_where_the_law_puts_it) {
  // Five examples of each of two classes on a line, at -1 and 1 with the same spread: variance within of
  // .08, classes equally frequent, boundary 0. With three times as many of the first it moves to
  // (variance/2) ln 3.
  const std::vector<float> spread{-0.4F, -0.2F, 0.0F, 0.2F, 0.4F};
  const auto boundary = [&](std::size_t times) {
    std::vector<float> values;
    Classes classes;
    for (std::size_t k = 0; k < times; ++k)
      for (const float s : spread) values.push_back(-1 + s), classes.push_back(0);
    for (const float s : spread) values.push_back(1 + s), classes.push_back(1);
    Matrix<float> x = matrix<float>(values.size(), 1), queries = matrix<float>(4001, 1);
    std::ranges::copy(values, x.data());
    for (std::size_t i = 0; i < 4001; ++i) queries(i, 0) = -1 + static_cast<float>(i) / 2000;
    const Classes answers = linear_classes(x, classes, queries, 1e-9);
    BOOST_TEST(std::ranges::is_sorted(answers));
    const auto first = std::ranges::find(answers, 1U);
    return static_cast<double>(queries(static_cast<std::size_t>(first - answers.begin()), 0));
  };
  BOOST_TEST(std::abs(boundary(1)) <= 1e-3);  // the step of the queries
  BOOST_TEST(std::abs(boundary(3) - 0.08 / 2 * std::log(3.0)) <= 1e-3);
}

BOOST_AUTO_TEST_CASE(classes_between_others_are_found) {
  // Regression on one-hot targets answers the outer ones alone here.
  const Matrix<float> x = on_a_line(normals(6000, 3, "line"), 6),
                      queries = on_a_line(normals(6000, 3, "line again"), 6);
  const Classes classes = in_turn(6000, 6), answers = linear_classes(x, classes, queries, 1e-6);
  const double share = count_hits(answers, classes).share();
  // Neighbours 4 deviations apart: an end misses P(Z > 2) = .0228, a middle twice that: .9621 on average,
  // binomial standard deviation .0025.
  BOOST_TEST(std::abs(share - (1 - 0.0227501 * 10 / 6)) < 5 * 0.0025);
}

BOOST_AUTO_TEST_CASE(a_linear_map_of_all_vectors_changes_no_answer) {
  const Matrix<float> x = on_a_line(normals(2000, 4, "map"), 5),
                      queries = on_a_line(normals(500, 4, "map again"), 5);
  Matrix<float> map = normals(4, 4, "the map");
  for (std::size_t j = 0; j < 4; ++j) map(j, j) += 3;
  const Classes classes = in_turn(2000, 5), answers = linear_classes(x, classes, queries, 1e-9),
                mapped = linear_classes(product(x, map), classes, product(queries, map), 1e-9);
  // Rounding may turn what lies on a boundary: one in 500 at 1e-5 of the spread would be unlucky already.
  BOOST_TEST(count_hits(mapped, answers).share() > 0.997);
}

BOOST_AUTO_TEST_CASE(classes_that_do_not_vary_are_told_apart) {
  // The words of a table, in sums with nothing: no covariance within classes but the ridge.
  const Matrix<float> table = normals(40, 8, "words");
  Matrix<float> x = matrix<float>(400, 8);
  for (std::size_t i = 0; i < 400; ++i) std::ranges::copy(row(table, i % 40), row(x, i).begin());
  BOOST_TEST(linear_classes(x, in_turn(400, 40), table, 1e-4) == in_turn(40, 40),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(classes_without_examples_are_never_answered) {
  const Matrix<float> x = on_a_line(normals(200, 2, "gap"), 2);
  Classes classes = in_turn(200, 2);
  for (std::uint32_t& k : classes) k = k == 0 ? 0 : 7;
  for (const std::uint32_t k : linear_classes(x, classes, x, 1e-6)) BOOST_TEST((k == 0 || k == 7));
}

BOOST_AUTO_TEST_CASE(refusals) {
  const Matrix<float> x = normals(10, 3, "refusals"), narrow = normals(10, 2, "narrow");
  const Classes classes = in_turn(10, 2);
  check_refusal([&] { linear_classes(x, in_turn(9, 2), x, 1e-6); }, "9 known classes");
  check_refusal([&] { linear_classes(x, classes, narrow, 1e-6); }, "10 x 2 queries");
  check_refusal([&] { linear_classes(normals(1, 3, "one"), in_turn(1, 2), x, 1e-6); }, "1 x 3 examples");
  check_refusal([&] { linear_classes(x, classes, x, 0); }, "a ridge of 0");
  check_refusal([&] { linear_classes(matrix<float>(10, 3) = zeros<float>(10, 3), classes, x, 1e-6); },
                "singular");
  Matrix<float> broken = x;
  broken(4, 1) = std::numeric_limits<float>::quiet_NaN();
  check_refusal([&] { linear_classes(broken, classes, x, 1e-6); }, "column 1");
  check_refusal([&] { linear_classes(x, classes, broken, 1e-6); }, "row 4");
}

BOOST_AUTO_TEST_SUITE_END()
