// Products of one head's size against BLAS: whole numbers, so that every order of additions gives the same.

#include "perp/model/head_products.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/model/columns.hpp"
#include "tests/model/drawn.hpp"

using namespace perp;
using namespace perp::model;

namespace {

constexpr std::size_t sizes[] = {1, 2, 7, 8, 9, 16, 17, 24, 31, 32, 40};
constexpr std::size_t gap = 3;

/// A table whose rows lie further apart than they are long.
template <class T>
Matrix<T> spread(std::size_t rows, std::size_t cols, std::size_t seed) {
  Matrix<T> out = matrix<T>(rows, cols + gap);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols + gap; ++j)
      out(i, j) = j < cols ? static_cast<T>((i * 31 + j * 17 + seed * 7) % 13) - T{6} : T{-77};
  return out;
}
template <class T>
View<T> near(const Matrix<T>& m) {
  return block(m, 0, rows(m), cols(m) - gap);
}

/// Whether `out` is `wanted`, and what lies between its rows untouched.
template <class T>
bool holds(const Matrix<T>& out, const Matrix<T>& wanted) {
  bool same = converted<T>(near(out)) == wanted;
  for (std::size_t i = 0; i < rows(out); ++i)
    for (std::size_t j = cols(wanted); j < cols(out); ++j) same = same && out(i, j) == T{-77};
  return same;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model_head_products)

BOOST_AUTO_TEST_CASE_TEMPLATE(products_of_every_size, T, test::Both) {
  for (const std::size_t m : sizes)
    for (const std::size_t n : sizes)
      for (const std::size_t k : {1U, 5U, 8U, 32U}) {
        const Matrix<T> a = spread<T>(m, k, 1), turned = spread<T>(k, m, 2), b = spread<T>(k, n, 3);
        Matrix<T> out = spread<T>(m, n, 4), out_tn = spread<T>(m, n, 5);
        head_product(near(a), near(b), out.data(), n + gap);
        head_product_tn(near(turned), near(b), out_tn.data(), n + gap);
        BOOST_TEST(holds(out, product(near(a), near(b))));
        BOOST_TEST(holds(out_tn, product_tn(near(turned), near(b))));
      }
}

BOOST_AUTO_TEST_CASE(turning_and_sums_of_columns) {
  for (const std::size_t n : sizes) {
    const Matrix<float> x = spread<float>(9, n, 1), y = spread<float>(9, n, 2),
                        products = product_tn(near(x), near(y));
    std::vector<float> sums(n, 5), squares(n, 5);
    Matrix<float> turned = matrix<float>(n, 9);
    column_sums(near(x), sums.data());
    column_sums(near(x), near(y), squares.data());
    transpose_head(near(x), turned.data());
    BOOST_TEST((turned == transposed(near(x))));
    for (std::size_t j = 0; j < n; ++j) {
      BOOST_TEST(squares[j] == products(j, j));
      BOOST_TEST(sums[j] == std::accumulate(row(turned, j).begin(), row(turned, j).end(), 0.0F));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
