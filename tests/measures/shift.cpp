#include "perp/measures/shift.hpp"

#include <boost/test/unit_test.hpp>

#include "perp/base/linalg.hpp"
#include "perp/theory/distance.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

/// Distinct frequencies spread over (0, π): a well-conditioned table even for few positions.
std::vector<double> spread(std::size_t d) {
  std::vector<double> out;
  for (std::size_t i = 0; i < d / 2; ++i)
    out.push_back(3 * (static_cast<double>(i) + 0.7) / (static_cast<double>(d) / 2 + 0.5));
  return out;
}

constexpr double cutoff = 1e-10;

}  // namespace

BOOST_AUTO_TEST_SUITE(shift)

BOOST_AUTO_TEST_CASE(the_rotation_moves_every_position) {
  const std::vector<double> omega = made::frequencies(64, 10000);
  const std::size_t length = 3000;
  const Matrix<double> table = made::sinusoids<double>(omega, length);
  for (const std::size_t k : {1, 7, 1000}) {
    const double lag = static_cast<double>(k);
    const Matrix<double> map = shift_map(omega, lag);
    const View<double> from = block(table, 0, length - k), to = block(table, k, length);
    BOOST_TEST(map_error(from, to, map).worst < tolerance::turned_position(length));
    BOOST_TEST(map_error(from, to, map).relative < tolerance::turned_position(length));
    BOOST_TEST(map_error(to, from, shift_map(omega, -lag)).worst < tolerance::turned_position(length));
    BOOST_TEST(map_distance(product_nt(map, map), shift_map(omega, 0)) < tolerance::turned_position(1));
  }
  BOOST_TEST(map_distance(shift_map(omega, 0), shift_map(omega, 5)) > 0.1);
  for (const double j : {0.0, 1.0, 17.0, 2500.0})
    for (const double k : {1.0, 300.0, -17.0})
      BOOST_TEST(map_distance(product(shift_map(omega, j), shift_map(omega, k)), shift_map(omega, j + k)) <
                 tolerance::turned_position(4000));
}

BOOST_AUTO_TEST_CASE(map_errors_by_hand) {
  const Matrix<double> map = shift_map(std::vector<double>{0}, 1);  // identity
  Matrix<double> ones = matrix<double>(2, 2);
  for (double& x : ones) x = 1;
  Matrix<double> to = ones;
  to(1, 0) = 3;
  BOOST_TEST(map_error(ones, to, map).worst == 2.0);
  BOOST_TEST(map_error(ones, to, map).relative == std::sqrt(4.0 / 12));
}

BOOST_AUTO_TEST_CASE(recovered_where_the_data_determine_it) {
  // ωL is over 8 for the slowest pair: the smallest singular value is .13 of the largest.
  const std::vector<double> omega = made::frequencies(64, 10000);
  const std::size_t length = 65536;
  const Matrix<double> table = made::sinusoids<double>(omega, length);
  const RecoveredMap got = recover_map(block(table, 0, length - 1), block(table, 1, length), 1e-13);
  BOOST_TEST(got.rank == 64U);
  BOOST_TEST(got.singular_values.back() > 0.1 * got.singular_values.front());
  BOOST_TEST(map_distance(got.map, shift_map(omega, 1)) < tolerance::recovered_map);
}

BOOST_AUTO_TEST_CASE(in_range_and_not_outside_where_they_do_not) {
  const std::size_t length = 256;
  const Matrix<double> table = made::sinusoids<double>(made::frequencies(256, 10000), 2 * length + 1);
  const View<double> from = block(table, 0, length - 1), to = block(table, 1, length);
  const RecoveredMap got = recover_map(from, to, 1e-13);
  BOOST_TEST((got.rank > 60U && got.rank < 100U));
  BOOST_TEST(map_error(from, to, got.map).relative < tolerance::fitted_in_range(1e-13));
  const double outside =
      map_error(block(table, length, 2 * length), block(table, length + 1, 2 * length + 1), got.map).relative;
  BOOST_TEST((outside > 0.5 && outside < 0.9));
  // A coarser cutoff costs what it cuts off.
  BOOST_TEST(map_error(from, to, recover_map(from, to, 1e-6).map).relative > 1e-9);
}

BOOST_AUTO_TEST_CASE(any_map_over_several_blocks_of_rows) {
  for (const std::size_t n : {9, 10, 11, 1024, 1025, 2500}) {
    const Matrix<double> from = made::normal<double>(n, 9, n), map = made::normal<double>(9, 9, 1);
    const RecoveredMap got = recover_map(from, product_nt(from, map), 1e-12);
    BOOST_TEST(got.rank == 9U);
    const double condition = got.singular_values.front() / got.singular_values.back();
    BOOST_TEST(map_distance(got.map, map) < tolerance::recovered_map * condition);
    const std::vector<double> values = singular_values(from);
    BOOST_TEST(made::worst_difference(values, got.singular_values) < tolerance::recovered_map * values[0]);
  }
}

BOOST_AUTO_TEST_CASE(the_least_map_for_few_rows) {
  const Matrix<double> from = made::normal<double>(4, 10, 5), to = made::normal<double>(4, 10, 6);
  const RecoveredMap got = recover_map(from, to, 1e-12);
  BOOST_TEST(got.rank == 4U);
  BOOST_TEST(map_error(from, to, got.map).relative < tolerance::recovered_map * 10);
  const Matrix<double> unseen = product_nt(block(complete_basis(from), 4, 10), got.map);
  BOOST_TEST(made::worst_difference(unseen, zeros<double>(6, 10)) < tolerance::recovered_map * 10);
}

BOOST_AUTO_TEST_SUITE_END()
