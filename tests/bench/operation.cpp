// What is benched: the counts against loops that count, the lists without a repetition, the random shapes
// keyed.

#include "bench/operation.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>

#include "perp/base/error.hpp"

using namespace perp::bench;

namespace {

Cost cost(const char* name, Shape shape, Type type = Type::f32, Through through = Through::bare) {
  return Row{name, through, type, shape}.cost();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_operation)

BOOST_AUTO_TEST_CASE(products_count_what_their_loops_do) {
  const std::size_t m = 5, n = 7, k = 3;
  double product = 0, triangle = 0, solve = 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t l = 0; l < k; ++l) product += 2;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      for (std::size_t l = 0; l < k; ++l) triangle += 2;
  // x_i = (b_i - Σ_{j<i} l_ij x_j) / l_ii for each of n right sides
  for (std::size_t right = 0; right < n; ++right)
    for (std::size_t i = 0; i < m; ++i) solve += 2 * static_cast<double>(i) + 1;
  BOOST_TEST(cost("gemm", {m, n, k}).operations == product);
  BOOST_TEST(cost("syrk", {0, n, k}).operations == triangle);
  BOOST_TEST(cost("trsm", {m, n, 0}).operations == solve);
  BOOST_TEST(cost("gemv", {m, n, 0}).operations == 2.0 * m * n);
  BOOST_TEST(cost("ger", {m, n, 0}).operations == 2.0 * m * n);
}

BOOST_AUTO_TEST_CASE(factorisations_count_their_leading_term) {
  // Cholesky's loops: Σ_j ((n - j)(2j + 1)), whose leading term is n³/3.
  const std::size_t n = 500;
  double cholesky = 0;
  for (std::size_t j = 0; j < n; ++j) cholesky += static_cast<double>((n - j) * (2 * j + 1));
  BOOST_TEST(cost("potrf", {0, n, 0}).operations == cholesky, boost::test_tools::tolerance(2.0 / n * 1.5));
  // Householder QR: reflection j acts on (m - j) x (n - j) with four operations an element; and Q as much.
  const std::size_t m = 700;
  double reflections = 0;
  for (std::size_t j = 0; j < n; ++j) reflections += 4.0 * static_cast<double>((m - j) * (n - j));
  BOOST_TEST(cost("qr", {m, n, 0}).operations == 2 * reflections, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(bytes_follow_the_type_and_turned_shapes_cost_the_same) {
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
}

BOOST_AUTO_TEST_CASE(shapes_ascend_in_cost) {
  for (const Operation& o : operations())
    for (std::size_t i = 1; i < o.shapes.size(); ++i)
      BOOST_TEST(o.cost(o.shapes[i], 4).bytes > o.cost(o.shapes[i - 1], 4).bytes, o.name);
}

BOOST_AUTO_TEST_CASE(an_unknown_operation_is_refused_with_those_there_are) {
  BOOST_CHECK_EXCEPTION(operation("gemm3", Through::bare), perp::Error, [](const perp::Error& e) {
    return std::string(e.what()).find("gemm/bare") != std::string::npos;
  });
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
