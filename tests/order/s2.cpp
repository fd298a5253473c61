// S2: who can read a place.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/random/normal.hpp"
#include "studies/order/readout.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::order;
using namespace perp::test;

namespace {

Matrix<float> noise(std::size_t rows, std::size_t cols) {
  return normal_matrix<float>(rows, cols, stream(1, "tests", "s2", 0, "noise"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(order_s2)

BOOST_AUTO_TEST_CASE(a_place_that_is_there_is_read) {
  constexpr std::size_t batch = 16, length = 20;
  const Matrix<double> targets = log_places(batch, length);
  BOOST_TEST(targets(25, 0) == std::log(6.0));
  for (const Held held : {Held::sequences, Held::tokens}) {
    const Split split{length, 0, held};
    Matrix<float> states = noise(batch * length, 5);
    // Nothing there: chance, a little below 0; p = 5 or 10 of 240 to learn from, 80 tested.
    BOOST_TEST(std::abs(read(states, targets, split)[0]) < 0.3);
    // The place itself in a mixture with noise that another entry holds.
    for (std::size_t r = 0; r < batch * length; ++r)
      states(r, 2) = static_cast<float>(targets(r, 0)) + 3 * states(r, 4);
    BOOST_TEST(read(states, targets, split)[0] > 0.999);
    // The place as a spread: only squares see it.
    Matrix<float> spread = noise(batch * length, 5);
    for (std::size_t r = 0; r < batch * length; ++r)
      for (float& x : row(spread, r)) x = std::copysign(static_cast<float>(std::sqrt(targets(r, 0))), x);
    BOOST_TEST(read(spread, targets, split)[0] < 0.3);
    BOOST_TEST(read(spread, targets, split, Seen::squares)[0] > 0.999);
    // Equal states read nothing.
    BOOST_TEST(read(zeros<float>(batch * length, 3), targets, split)[0] == 0);
  }
}

BOOST_AUTO_TEST_CASE(reading_refuses) {
  const Matrix<float> states = noise(40, 3);
  const Matrix<double> targets = log_places(4, 10), few = log_places(3, 10);
  check_refusal([&] { read(states, few, {10, 0}); }, "40 states and 30 targets");
  check_refusal([&] { read(states, targets, {7, 0}); }, "sequences of 7");
  check_refusal([&] { read(states, targets, {10, 10}); }, "10 of each skipped");
  check_refusal([&] { read(states, targets, {20, 0}); }, "2 sequences");
}

BOOST_AUTO_TEST_SUITE_END()
