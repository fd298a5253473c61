// The roof as a function; no rate of this machine is asked for.

#include "bench/roof.hpp"

#include <boost/test/unit_test.hpp>

using perp::bench::Roof;

namespace {

Roof made() {
  Roof roof;
  roof.fma = {{"f32", 16, 1, 50.0}, {"f32", 64, 1, 200.0}, {"f64", 64, 1, 100.0}, {"f32", 64, 2, 390.0}};
  roof.bandwidth = {{"copy", 1, 10.0}, {"read", 1, 8.0}, {"copy", 2, 15.0}};
  return roof;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_roof)

BOOST_AUTO_TEST_CASE(the_lower_of_two_limits) {
  const Roof roof = made();
  BOOST_TEST(roof.of("f32", 1, 100, 50) == 20.0);     // two operations a byte, ten bytes a second
  BOOST_TEST(roof.of("f32", 1, 2000, 100) == 200.0);  // the ridge: twenty operations a byte
  BOOST_TEST(roof.of("f32", 1, 1e6, 1) == 200.0);
  BOOST_TEST(roof.of("f64", 1, 1e6, 1) == 100.0);
  BOOST_TEST(roof.of("f32", 2, 1e6, 1) == 390.0);
  BOOST_TEST(roof.of("f32", 2, 1, 1) == 15.0);
}

BOOST_AUTO_TEST_CASE(without_operations_bytes_are_the_rate) {
  BOOST_TEST(made().of("f32", 1, 0, 4096) == 10.0);
}

BOOST_AUTO_TEST_CASE(a_second_measurement_only_raises) {
  Roof roof = made(), other = made();
  other.fma[1].rate = 250;
  other.bandwidth[0].rate = 5;
  roof.raise(other);
  BOOST_TEST(roof.best_fma("f32", 1) == 250.0);
  BOOST_TEST(roof.best_bandwidth(1) == 10.0);
  Roof empty;
  empty.raise(other);
  BOOST_TEST(empty.best_fma("f32", 1) == 250.0);
}

BOOST_AUTO_TEST_SUITE_END()
