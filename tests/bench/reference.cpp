// The references let right results through and see one wrong element.

#include "bench/reference.hpp"

#include <algorithm>
#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

using namespace perp;
using namespace perp::bench;

namespace {

using Types = boost::mpl::list<float, double>;

template <class T>
At at(const Matrix<T>& matrix) {
  return [&](std::size_t i, std::size_t j) -> double { return matrix(i, j); };
}

template <class T>
struct Product {
  Matrix<T> a, b, c;  ///< n x n each, c = a b summed in double precision

  explicit Product(std::size_t n)
      : a(normal_matrix<T>(n, n, 1)), b(normal_matrix<T>(n, n, 2)), c(zeros<T>(n, n)) {
    std::vector<double> sum(n);
    for (std::size_t i = 0; i < n; ++i) {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (std::size_t l = 0; l < n; ++l)
        for (std::size_t j = 0; j < n; ++j) sum[j] += double{a(i, l)} * double{b(l, j)};
      for (std::size_t j = 0; j < n; ++j) c(i, j) = static_cast<T>(sum[j]);
    }
  }
  Check check() const {
    return check_product(unit_roundoff<T>, rows(a), rows(a), rows(a), at(a), at(b), at(c));
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_reference)

// 257 is the last size compared element by element, 512 goes by the action on random signs.
BOOST_AUTO_TEST_CASE_TEMPLATE(one_wrong_element_of_a_product_is_seen, T, Types) {
  for (const std::size_t n : {std::size_t{31}, compared_in_full, std::size_t{512}}) {
    Product<T> p(n);
    const Check right = p.check();
    BOOST_TEST(right.good(), "n = " << n << ": " << right.error << " over " << right.bound);
    // A hundredth of the usual size of an element, anywhere.
    const T wrong = static_cast<T>(std::sqrt(static_cast<double>(n)) / 100);
    for (const auto& [i, j] :
         {std::pair{n - 1, n - 1}, std::pair{std::size_t{0}, n / 2}, std::pair{n / 3, std::size_t{0}}}) {
      const T kept = p.c(i, j);
      p.c(i, j) += wrong;
      BOOST_TEST(!p.check().good(), "n = " << n << ", element " << i << ", " << j);
      p.c(i, j) = std::numeric_limits<T>::quiet_NaN();
      BOOST_TEST(!p.check().good(), "NaN at n = " << n);
      p.c(i, j) = kept;
    }
    BOOST_TEST(p.check().good());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(factors_are_held_by_columns, T, Types) {
  for (const std::size_t n : {std::size_t{40}, std::size_t{300}}) {
    // A rotation of two axes times a matrix: exact factors but for one rounding.
    const Matrix<T> r = normal_matrix<T>(n, n, 3);
    Matrix<T> a = r;
    const double cosine = 0.6, sine = 0.8;
    for (std::size_t j = 0; j < n; ++j) {
      a(0, j) = static_cast<T>(cosine * double{r(0, j)} - sine * double{r(1, j)});
      a(1, j) = static_cast<T>(sine * double{r(0, j)} + cosine * double{r(1, j)});
    }
    const At q = [&](std::size_t i, std::size_t j) -> double {
      if (i > 1 || j > 1) return i == j ? 1 : 0;
      return static_cast<double>(static_cast<T>(i == j ? cosine : i == 0 ? -sine : sine));
    };
    const auto check = [&] { return check_factors(unit_roundoff<T>, n, n, n, q, at(r), at(a)); };
    BOOST_TEST(check().good());
    a(n / 2, n / 2) += T{0.2};
    BOOST_TEST(!check().good(), "n = " << n);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_column_that_is_not_orthogonal_is_seen, T, Types) {
  const std::size_t m = 90, n = 30;
  Matrix<T> q = zeros<T>(m, n);
  for (std::size_t j = 0; j < n; ++j) q(2 * j, j) = T{1};
  const auto check = [&] { return check_orthonormal(unit_roundoff<T>, m, n, at(q)); };
  BOOST_TEST(check().good());
  q(0, 1) = T{0.01};
  BOOST_TEST(!check().good());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_wrong_singular_value_is_seen, T, Types) {
  Matrix<T> a = zeros<T>(20, 5);
  std::vector<double> values;
  for (std::size_t j = 0; j < 5; ++j) {
    a(j + 3, j) = static_cast<T>(5 - j);
    values.push_back(static_cast<double>(5 - j));
  }
  const auto good = [&] { return check_singular_values(unit_roundoff<T>, 20, 5, at(a), values).good(); };
  BOOST_TEST(good());
  std::swap(values[0], values[1]);
  BOOST_TEST(!good());
  std::swap(values[0], values[1]);
  values[4] += 0.01;
  BOOST_TEST(!good());
}

BOOST_AUTO_TEST_SUITE_END()
