// What blas-check asks: the list itself. Faults that it finds are in tests/cli/blas_check.sh, each with its own library.

#include "bench/grid.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>
#include <utility>

#include "bench/operand.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;
using perp::test::message_of;

BOOST_AUTO_TEST_SUITE(bench_grid)

BOOST_AUTO_TEST_CASE(every_call_has_one_name_and_the_reported_shapes_are_among_them) {
  std::set<std::string> some, all;
  for (const BareCall& c : grid_calls(false)) BOOST_TEST(some.insert(c.name()).second, c.name());
  for (const BareCall& c : grid_calls(true)) BOOST_TEST(all.insert(c.name()).second, c.name());
  BOOST_TEST(std::ranges::includes(all, some));
  for (const char* name :
       {"syrk/UT/f64/55x165/aligned", "syrk/LN/f32/4x5/shifted", "gemm/TT/f32/300x300x300/aligned",
        "gemm/NT/f64/33x34x67/shifted", "trsm/RLT/f32/64x64/aligned", "potrf/L/f64/194/aligned",
        "geqrf/-/f32/8x1/shifted", "gesdd/S/f64/257x257/aligned", "syevd/U/f32/1/aligned"})
    BOOST_TEST(some.contains(name), name);
  BOOST_TEST(!some.contains("gemm/NN/f32/200x200x200/aligned"));
  BOOST_TEST(all.contains("gemm/NN/f32/200x200x200/aligned"));
}

// The library that these tests are linked with is right, in every letter of every operation.
BOOST_AUTO_TEST_CASE(small_calls_of_a_right_library_pass) {
  std::set<std::string> kinds;
  for (const BareCall& c : grid_calls(false)) {
    if (std::max({c.shape.m, c.shape.n, c.shape.k}) > 20) continue;
    const Call call = make_call(c.name());  // as a worker hears of it
    call.run();
    const Check check = call.check();
    BOOST_TEST(check.good(), c.name() << ": " << check.error);
    kinds.insert(std::string(c.operation) + std::string(c.letters));
  }
  BOOST_TEST(kinds.size() == 23u);
}

// In columns of five rows whose leading dimension is eight, the upper triangle is the call's own.
BOOST_AUTO_TEST_CASE(a_write_beside_an_operand_or_into_an_input_is_seen) {
  const Operand<float> a(5, 5, true, Part::upper), input(normal_matrix<float>(3, 3, 1), false);
  const auto seen = [&](std::ptrdiff_t place) {
    const float kept = std::exchange(a.data()[place], 1.0F);
    const std::string message = message_of([&] { a.require_guards("A"); });
    a.data()[place] = kept;
    return message == "A: it wrote beside the operand";
  };
  for (const std::ptrdiff_t own : {0, 8, 9, 36}) BOOST_TEST(!seen(own), own);
  for (const std::ptrdiff_t beside : {-64, -1, 1, 5, 7, 37, 40, 103}) BOOST_TEST(seen(beside), beside);
  BOOST_TEST(message_of([&] { input.require_unchanged("B"); }) == "");
  input(1, 1) += 1.0F;
  BOOST_TEST(message_of([&] { input.require_unchanged("B"); }) == "B: it wrote into an input");
}

BOOST_AUTO_TEST_SUITE_END()
