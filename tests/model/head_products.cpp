// Products of one head's size against the definition: whole numbers, so that every order of additions gives
// the same.

#include "perp/model/head_products.hpp"

#include <boost/test/unit_test.hpp>

#include "perp/model/columns.hpp"
#include "tests/model/drawn.hpp"

using namespace perp;
using namespace perp::model;

namespace {

/// A table whose rows lie further apart than they are long.
template <class T>
struct Spread {
  std::size_t rows, cols, stride = cols + 3;
  std::vector<T> values = std::vector<T>(rows * stride, T{-77});

  Spread(std::size_t rows_, std::size_t cols_, std::size_t seed) : rows(rows_), cols(cols_) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j)
        values[i * stride + j] = static_cast<T>((i * 31 + j * 17 + seed * 7) % 13) - T{6};
  }
  View<T> view() const { return {values.data(), rows, cols, stride}; }
};

/// Whether every entry is what `entry` says, and what lies between rows untouched.
template <class T, class Entry>
bool holds(const Spread<T>& out, Entry entry) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < out.rows; ++i)
    for (std::size_t j = 0; j < out.stride; ++j)
      wrong += out.values[i * out.stride + j] != (j < out.cols ? entry(i, j) : T{-77});
  return wrong == 0;
}

constexpr std::size_t sizes[] = {1, 2, 7, 8, 9, 16, 17, 24, 31, 32, 40};

}  // namespace

BOOST_AUTO_TEST_SUITE(model_head_products)

BOOST_AUTO_TEST_CASE_TEMPLATE(products_of_every_size, T, test::Both) {
  for (const std::size_t m : sizes)
    for (const std::size_t n : sizes)
      for (const std::size_t k : {1U, 5U, 8U, 32U}) {
        const Spread<T> a(m, k, 1), turned(k, m, 2), b(k, n, 3);
        Spread<T> out(m, n, 4), out_tn(m, n, 5);
        head_product(a.view(), b.view(), out.values.data(), out.stride);
        head_product_tn(turned.view(), b.view(), out_tn.values.data(), out_tn.stride);
        const auto sum = [&](auto left) {
          return [&, left](std::size_t i, std::size_t j) {
            T total = 0;
            for (std::size_t p = 0; p < k; ++p) total += left(i, p) * b.view()(p, j);
            return total;
          };
        };
        BOOST_TEST(holds(out, sum([&](std::size_t i, std::size_t p) { return a.view()(i, p); })));
        BOOST_TEST(holds(out_tn, sum([&](std::size_t i, std::size_t p) { return turned.view()(p, i); })));
      }
}

BOOST_AUTO_TEST_CASE(turning_and_sums_of_columns) {
  for (const std::size_t cols : sizes) {
    const Spread<float> x(9, cols, 1), y(9, cols, 2);
    std::vector<float> sums(cols, 5), products(cols, 5), turned(9 * cols);
    column_sums(x.view(), sums.data());
    column_sums(x.view(), y.view(), products.data());
    transpose_head(x.view(), turned.data());
    for (std::size_t j = 0; j < cols; ++j) {
      float sum = 0, product = 0;
      for (std::size_t i = 0; i < 9; ++i) {
        sum += x.view()(i, j);
        product += x.view()(i, j) * y.view()(i, j);
        BOOST_TEST(turned[j * 9 + i] == x.view()(i, j));
      }
      BOOST_TEST(sums[j] == sum);
      BOOST_TEST(products[j] == product);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
