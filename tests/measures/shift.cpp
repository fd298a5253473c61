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

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(commutant)

BOOST_AUTO_TEST_CASE(as_many_dimensions_as_the_vector) {
  for (const std::size_t d : {2, 4, 8, 12, 20})
    for (const std::vector<double>& omega : {made::frequencies(d, 10000), spread(d)}) {
      const NullSpace got = shift_commutant(omega, cutoff);
      BOOST_TEST(got.dimension == d);
      BOOST_TEST(got.largest_null < tolerance::null_value(d * d));
      BOOST_TEST(got.smallest_kept > 1e-5);
    }
}

BOOST_AUTO_TEST_CASE(equal_and_standing_frequencies_free_more) {
  // Two equal pairs: 2 x 2 blocks between them too, 8; ω = 0: all 4 matrices; -1 and 1 turn apart: π.
  BOOST_TEST(shift_commutant(std::vector<double>{0.5, 0.5}, cutoff).dimension == 8U);
  BOOST_TEST(shift_commutant(std::vector<double>{0.0, 0.5}, cutoff).dimension == 6U);
  const NullSpace all = shift_commutant(std::vector<double>{0.0}, cutoff);
  BOOST_TEST(all.dimension == 4U);
  BOOST_TEST(all.smallest_kept == 1.0);
}

BOOST_AUTO_TEST_CASE(few_positions_bind_fewer) {
  for (const std::size_t d : {4, 6, 10})
    for (const std::size_t length : {std::size_t{2}, d / 2, d - 1, d, d + 1, d + 4}) {
      const NullSpace got = distance_only_matrices(made::sinusoids<double>(spread(d), length), cutoff);
      BOOST_TEST(got.dimension == theory::commutant_dimension(length, d),
                 "d " << d << " L " << length << ": " << got.dimension);
      BOOST_TEST(got.smallest_kept > 0.01);
      BOOST_TEST(got.largest_null < tolerance::null_value(d * d));
    }
  // Not only sinusoids: d² - (L-1)² for any independent rows.
  BOOST_TEST(distance_only_matrices(made::normal<double>(5, 7, 3), cutoff).dimension == 33U);
}

BOOST_AUTO_TEST_SUITE_END()
