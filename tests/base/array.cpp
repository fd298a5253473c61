#include "perp/base/array.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "perp/base/matrix_algebra.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using perp::test::check_refusal;

namespace {

/// 1 2 3 … row by row.
template <class T>
Matrix<T> counting(std::size_t rows, std::size_t cols) {
  Matrix<T> m = matrix<T>(rows, cols);
  for (std::size_t i = 0; i < m.size(); ++i) m.data()[i] = static_cast<T>(i + 1);
  return m;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(array)

BOOST_AUTO_TEST_CASE(blocks_see_the_right_values) {
  const Matrix<int> m = counting<int>(4, 3);
  const View<int> b = block(View<int>(m), 1, 3, 2);
  BOOST_TEST((b.rows == 2 && b.cols == 2 && b(1, 1) == 8 && b.row(0).size() == 2));
  BOOST_TEST(row(m, 3)[2] == 12);
  BOOST_TEST(block(m, 4, 4).rows == 0U);
}

BOOST_AUTO_TEST_CASE(what_memory_cannot_hold_is_refused_before_it_is_allocated) {
  const std::size_t many = std::size_t{1} << 40;
  check_refusal([] { matrix<double>(1 << 20, 1 << 30); },
                "a table of 1048576 x 1073741824 numbers takes 8.39e+06 GiB; this process may", Exit::failed);
  // 2^80 items, of which a size of 64 bits would count none.
  check_refusal([&] { matrix<double>(many, many); }, "1099511627776 x 1099511627776", Exit::failed);
  check_refusal([&] { zeros<float>(many, many); }, "GiB", Exit::failed);
  BOOST_TEST(memory_limit() > std::size_t{1} << 24);
}

BOOST_AUTO_TEST_CASE(a_transpose_exchanges_every_pair) {
  // Wider than one square of the loop, and no multiple of it; a view's stride is not its width.
  const Matrix<float> m = counting<float>(37, 70);
  const Matrix<float> all = transposed(m), part = transposed(block(m, 2, 36, 65));
  BOOST_TEST((rows(all) == 70 && cols(all) == 37 && rows(part) == 65 && cols(part) == 34));
  bool good = true;
  for (std::size_t i = 0; i < 37; ++i)
    for (std::size_t j = 0; j < 70; ++j) {
      good = good && all(j, i) == m(i, j);
      if (i >= 2 && i < 36 && j < 65) good = good && part(j, i - 2) == m(i, j);
    }
  BOOST_TEST(good);
}

BOOST_AUTO_TEST_CASE(entries_change_their_type_one_by_one) {
  Matrix<double> m = counting<double>(3, 4);
  m(1, 1) = 0.1;
  const Matrix<float> narrow = converted<float>(block(m, 1, 3, 3));
  BOOST_TEST((rows(narrow) == 2 && cols(narrow) == 3));
  BOOST_TEST(narrow(0, 1) == 0.1F);
  BOOST_TEST(narrow(1, 2) == 11.0F);
  BOOST_TEST((converted<double>(m) == m));
  BOOST_TEST(converted<double>(narrow)(0, 1) == static_cast<double>(0.1F));
}

BOOST_AUTO_TEST_CASE(rows_are_taken_in_any_order) {
  const Matrix<double> m = counting<double>(4, 2);
  const Matrix<double> some = select_rows(m, std::vector<std::size_t>{3, 0, 3});
  BOOST_TEST((rows(some) == 3 && some(0, 1) == 8 && some(1, 0) == 1 && some(2, 0) == 7));
  BOOST_TEST((leading_rows(m, 2) == counting<double>(2, 2)));
}

BOOST_AUTO_TEST_CASE(columns_lose_their_means) {
  const Matrix<float> m = counting<float>(3, 2);  // columns 1 3 5 and 2 4 6
  BOOST_TEST((column_means(m) == std::vector<double>{3, 4}));
  const Matrix<float> less = centred(m);
  BOOST_TEST((less(0, 0) == -2 && less(1, 1) == 0 && less(2, 1) == 2));
  // Added up in double: in float 2^24 + 1 is 2^24.
  Matrix<float> large = matrix<float>(3, 1);
  large(0, 0) = 0x1p24F;
  large(1, 0) = large(2, 0) = 1;
  BOOST_TEST(column_means(large)[0] == (0x1p24 + 2) / 3);
}

BOOST_AUTO_TEST_CASE(lengths_products_and_traces) {
  const Matrix<float> m = counting<float>(2, 3);
  const std::vector<double> norms = row_norms(block(m, 0, 2, 2));
  BOOST_TEST(norms[0] == std::sqrt(5.));
  BOOST_TEST(norms[1] == std::sqrt(41.));
  BOOST_TEST(row_norms(zeros<double>(0, 3)).empty());
  BOOST_TEST(dot(row(m, 0), row(m, 1)) == 32);
  BOOST_TEST(dot(std::vector<double>{1, 2}, std::vector<double>{3, 4}) == 11);
  // The square of a large float is beyond float.
  Matrix<float> large = matrix<float>(1, 1);
  large(0, 0) = 1e30F;
  BOOST_TEST(row_norms(large)[0] == static_cast<double>(1e30F));
  BOOST_TEST(trace(counting<double>(2, 2)) == 5);
}

BOOST_AUTO_TEST_CASE(shapes_that_do_not_fit_are_refused) {
  const Matrix<double> m = counting<double>(4, 3);
  check_refusal([&] { block(m, 2, 5); }, "block: rows 2:5 and 3 columns of a 4 x 3 matrix");
  for (const auto& call : std::vector<std::function<void()>>{
           [&] { block(m, 3, 2); }, [&] { block(View<double>(m), 0, 4, 4); }, [&] { trace(m); },
           [&] { select_rows(m, std::vector<std::size_t>{4}); }, [&] { leading_rows(m, 5); },
           [&] { less_row(m, std::vector<double>{1}); }})
    BOOST_CHECK_THROW(call(), Error);
}

BOOST_AUTO_TEST_SUITE_END()
