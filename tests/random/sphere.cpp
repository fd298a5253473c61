#include "perp/random/sphere.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/random/normal.hpp"
#include "tests/tolerance.hpp"

namespace {

namespace tolerance = perp::tolerance;

perp::Stream named(const char* purpose) { return perp::stream(1, "random", "sphere", 0, purpose); }

BOOST_AUTO_TEST_SUITE(sphere)

BOOST_AUTO_TEST_CASE(rows_have_length_one) {
  for (const std::size_t d : {1, 2, 3, 7, 8, 9, 64, 300, 4096}) {
    perp::Matrix<float> words = perp::matrix<float>(d > 1000 ? 50 : 1000, d);
    fill_sphere(named("length"), words);
    double worst = 0;
    for (std::size_t i = 0; i < perp::rows(words); ++i) {
      double sum = 0;
      for (const float value : perp::row(words, i)) sum += double{value} * value;
      worst = std::max(worst, std::abs(std::sqrt(sum) - 1));
    }
    BOOST_TEST(worst < tolerance::unit_length, "d = " << d);
  }
}

BOOST_AUTO_TEST_CASE(rows_are_the_streams_normals_scaled) {
  perp::Matrix<float> words = perp::matrix<float>(20, 37);
  std::vector<float> normals(20 * 37);
  fill_sphere(named("scaled"), words);
  fill_normal(named("scaled"), normals);
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t j = 1; j < 37; ++j) {
      const double got = double{words(i, j)} * normals[i * 37],
                   expected = double{words(i, 0)} * normals[i * 37 + j];
      BOOST_TEST(std::abs(got - expected) <= 0x1p-22 * std::abs(expected));
    }
}

// A coordinate of a uniform direction has mean 0, second moment 1/d and fourth 3 / (d (d + 2)); products of
// two coordinates have mean 0 and second moment 1 / (d (d + 2)).
BOOST_AUTO_TEST_CASE(directions_have_no_preference) {
  const std::size_t n = 20000, d = 16;
  perp::Matrix<float> words = perp::matrix<float>(n, d);
  fill_sphere(named("preference"), words);
  const double size = double(n), product = 1 / (double(d) * double(d + 2));
  for (std::size_t j = 0; j < d; ++j) {
    double first = 0, second = 0, mixed = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = words(i, j), y = words(i, (j + 1) % d);
      first += x;
      second += x * x;
      mixed += x * y;
    }
    const double spread = std::sqrt(3 * product - 1 / double(d * d));
    BOOST_TEST(std::abs(first / size) < tolerance::standard_errors * std::sqrt(1 / (size * double(d))));
    BOOST_TEST(std::abs(second / size - 1 / double(d)) <
               tolerance::standard_errors * spread / std::sqrt(size));
    BOOST_TEST(std::abs(mixed / size) < tolerance::standard_errors * std::sqrt(product / size));
  }
}

BOOST_AUTO_TEST_CASE(rows_need_columns) {
  perp::Matrix<float> none = perp::matrix<float>(0, 5), flat = perp::matrix<float>(3, 0);
  BOOST_CHECK_NO_THROW(fill_sphere(named("none"), none));
  BOOST_CHECK_EXCEPTION(fill_sphere(named("none"), flat), perp::Error, [](const perp::Error& e) {
    return std::string(e.what()).find("3 rows of 0 columns") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
