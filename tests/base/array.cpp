#include "perp/base/array.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace perp;

BOOST_AUTO_TEST_SUITE(array)

BOOST_AUTO_TEST_CASE(blocks_see_the_right_values) {
  Matrix<int> m = zeros<int>(4, 3);
  for (std::size_t i = 0; i < 12; ++i) m.data()[i] = static_cast<int>(i);
  const View<int> b = block(View<int>(m), 1, 3, 2);
  BOOST_TEST(b.rows == 2U);
  BOOST_TEST(b.cols == 2U);
  BOOST_TEST(b(1, 1) == 7);
  BOOST_TEST(b.row(0).size() == 2U);
  BOOST_TEST(row(m, 3)[2] == 11);
  BOOST_TEST(block(m, 4, 4).rows == 0U);
}

BOOST_AUTO_TEST_CASE(blocks_outside_are_refused_with_their_numbers) {
  const Matrix<int> m = zeros<int>(4, 3);
  const auto says = [](const Error& error) {
    return error.exit() == Exit::unusable &&
           std::string(error.what()) == "block: rows 2:5 and 3 columns of a 4 x 3 matrix";
  };
  BOOST_CHECK_EXCEPTION(block(m, 2, 5), Error, says);
  BOOST_CHECK_THROW(block(m, 3, 2), Error);
  BOOST_CHECK_THROW(block(View<int>(m), 0, 4, 4), Error);
}

BOOST_AUTO_TEST_CASE(what_memory_cannot_hold_is_refused_before_it_is_allocated) {
  const auto says = [](const char* part) {
    return [part](const Error& error) {
      return error.exit() == Exit::failed && std::string(error.what()).find(part) != std::string::npos;
    };
  };
  const std::size_t many = std::size_t{1} << 40;
  BOOST_CHECK_EXCEPTION(matrix<double>(1 << 20, 1 << 30), Error,
                        says("a table of 1048576 x 1073741824 numbers takes 8.39e+06 GiB; this process may"));
  // 2^80 items, of which a size of 64 bits would count none.
  BOOST_CHECK_EXCEPTION(matrix<double>(many, many), Error, says("1099511627776 x 1099511627776"));
  BOOST_CHECK_EXCEPTION(zeros<float>(many, many), Error, says("GiB"));
  BOOST_CHECK_EXCEPTION(vector<double>(many), Error, says("8.19e+03 GiB"));
  BOOST_TEST(memory_limit() > std::size_t{1} << 24);
}

BOOST_AUTO_TEST_SUITE_END()
