// What is benched and what blas-check asks: the counts against loops that count, the lists without a repetition.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>
#include <utility>

#include "bench/call.hpp"
#include "bench/operand.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;
using namespace perp::test;

namespace {

Cost cost(std::string_view name, Shape shape, Type type = Type::f32) { return Row{name, type, shape}.cost(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_operation)

// Counted by hand: two operations for each of m n k products, of a triangle's n (n + 1)/2 elements, of m n;
// 2 i + 1 for row i of each of n right sides. Of the factorisations the leading term: Cholesky's loops take
// the sum of (n - j)(2 j + 1), Householder's 4 (m - j)(n - j) for R and as much for Q.
BOOST_AUTO_TEST_CASE(operations_count_what_their_loops_do) {
  struct Counted {
    const char* name;
    Shape shape;
    double operations, within = 0;
  };
  for (const auto& [name, shape, operations, within] :
       std::initializer_list<Counted>{{"gemm", {5, 7, 3}, 210},
                                      {"syrk", {0, 7, 3}, 168},
                                      {"trsm", {5, 7, 0}, 175},
                                      {"gemv", {5, 7, 0}, 70},
                                      {"ger", {5, 7, 0}, 70},
                                      {"potrf", {0, 500, 0}, 41'791'750, 0.006},
                                      {"qr", {700, 500, 0}, 534'734'000, 0.01}})
    BOOST_TEST(std::abs(cost(name, shape).operations - operations) <= within * operations, name);
  BOOST_TEST(cost("gemm", {8, 8, 8}, Type::f64).bytes == 2 * cost("gemm", {8, 8, 8}).bytes);
  BOOST_TEST(cost("gemv", {10, 20, 0}).bytes == 4.0 * (200 + 10 + 20));
  BOOST_TEST(cost("svd_thin", {30, 20, 0}).operations == cost("svd_thin", {20, 30, 0}).operations);
}

BOOST_AUTO_TEST_CASE(every_row_has_one_name_and_quick_keeps_the_smaller_ones) {
  std::set<std::string> names, quick;
  for (const Row& row : all_rows(false)) BOOST_TEST(names.insert(row.name()).second, row.name());
  for (const Row& row : all_rows(true)) quick.insert(row.name());
  BOOST_TEST(quick.size() < names.size());
  for (const std::string& name : quick) BOOST_TEST(names.contains(name), name);
  BOOST_TEST(names.contains("gemm/bare/f64/4096x4096x4096"));
  BOOST_TEST(!quick.contains("gemm/bare/f64/4096x4096x4096"));
  for (const Operation& o : operations())
    for (std::size_t i = 1; i < o.shapes.size(); ++i)
      BOOST_TEST(cost(o.name, o.shapes[i]).bytes > cost(o.name, o.shapes[i - 1]).bytes, o.name);
  BOOST_TEST(contains(message_of([] { operation("gemm3"); }), "gemm3"));
}

// Faults that blas-check finds are in tests/cli/blas_check.sh, each with its own library.
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
