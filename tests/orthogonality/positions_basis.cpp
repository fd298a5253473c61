// What cells share: made once, by whoever asks first, and in nobody else's way.

#include "studies/orthogonality/positions_basis.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <latch>
#include <stdexcept>
#include <thread>

#include "perp/base/parallel.hpp"

using namespace perp;
using orthogonality::PositionBases;

namespace {

/// Only one thread after the other would never get there; this ends the test instead of the patience.
constexpr unsigned hangs = 60;  // seconds

}  // namespace

BOOST_AUTO_TEST_SUITE(orthogonality_positions_basis)

BOOST_AUTO_TEST_CASE(each_basis_is_made_once_and_is_the_same_for_all) {
  const std::size_t widths[] = {6, 8, 10};
  std::atomic<int> made = 0;
  const PositionBases bases(20, [&](std::size_t length, std::size_t d) {
    ++made;
    return orthogonality::position_basis(length, d);
  });
  std::vector<const Matrix<double>*> seen(48);
  parallel_for(seen.size(), 8, [&](std::size_t i) { seen[i] = &bases(widths[i % 3]); });
  BOOST_TEST(made == 3);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    BOOST_TEST(seen[i] == seen[i % 3]);
    BOOST_TEST((*seen[i] == orthogonality::position_basis(20, widths[i % 3])));
  }
}

BOOST_AUTO_TEST_CASE(another_width_does_not_wait, *boost::unit_test::timeout(hangs)) {
  std::latch begun(1), other_is_there(1);
  const PositionBases bases(20, [&](std::size_t length, std::size_t d) {
    if (d == 8) {
      begun.count_down();
      other_is_there.wait();
    }
    return orthogonality::position_basis(length, d);
  });
  std::jthread slow([&] { bases(8); });
  begun.wait();
  BOOST_TEST(rows(bases(6)) == 6u);
  other_is_there.count_down();
}

BOOST_AUTO_TEST_CASE(a_make_that_fails_is_tried_again) {
  bool fails = true;
  const PositionBases bases(20, [&](std::size_t length, std::size_t d) {
    if (fails) throw std::runtime_error("no");
    return orthogonality::position_basis(length, d);
  });
  BOOST_CHECK_THROW(bases(6), std::runtime_error);
  fails = false;
  BOOST_TEST(rows(bases(6)) == 6u);
}

BOOST_AUTO_TEST_SUITE_END()
