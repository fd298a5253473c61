// What is benched: the counts against loops that count, the lists without a repetition, the random shapes
// keyed.

#include "bench/operation.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

#include "tests/support/scratch.hpp"

using namespace perp::bench;
using namespace perp::test;

namespace {

Cost cost(const char* name, Shape shape, Type type = Type::f32, Through through = Through::bare) {
  return Row{name, through, type, shape}.cost();
}

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
  BOOST_TEST(cost("positions", {16, 8, 0}, Type::f32, Through::own).operations == 0);
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
      BOOST_TEST(o.cost(o.shapes[i], 4).bytes > o.cost(o.shapes[i - 1], 4).bytes, o.name);
  BOOST_TEST(contains(message_of([] { operation("gemm3"); }), "gemm3"));
}

BOOST_AUTO_TEST_CASE(random_shapes_are_keyed_and_fit_their_operation) {
  const std::vector<Row> rows = random_rows(8, 1), again = random_rows(8, 1), other = random_rows(8, 2);
  BOOST_REQUIRE(rows.size() == again.size());
  std::size_t same = 0, odd = 0, beyond = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    BOOST_TEST(rows[i].name() == again[i].name());
    same += rows[i].name() == other[i].name();
    const Shape& s = rows[i].shape;
    odd += s.n % 2;
    beyond += std::max({s.m, s.n, s.k}) > 257;
    BOOST_TEST(rows[i].cost().operations > 0, rows[i].name());
    if (rows[i].operation == "qr") BOOST_TEST(s.m >= s.n, rows[i].name());
    if (rows[i].operation == "angles") BOOST_TEST(s.m + s.n < s.k, rows[i].name());
  }
  BOOST_TEST(same < rows.size() / 10);
  BOOST_TEST(odd > rows.size() / 3);
  BOOST_TEST(beyond > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
