// What is benched and what blas-check asks: counts against loops that count; references let right results
// through and see one wrong element.

#include <algorithm>
#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "bench/call.hpp"
#include "bench/operand.hpp"
#include "bench/reference.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;
using namespace perp::test;
using namespace perp;

BOOST_AUTO_TEST_SUITE(bench_operation)

namespace {

Cost cost(std::string_view name, Shape shape, Type type = Type::f32) { return Row{name, type, shape}.cost(); }

}  // namespace

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

BOOST_AUTO_TEST_SUITE(bench_reference)

namespace {

using Types = boost::mpl::list<float, double>;

template <class T>
At at(const Matrix<T>& matrix) {
  return [&](std::size_t i, std::size_t j) -> double { return matrix(i, j); };
}

template <class T>
struct Product {
  Matrix<T> a, b, c;  ///< n x n each, c = a b summed in double precision

  explicit Product(std::size_t n)
      : a(normal_matrix<T>(n, n, 1)), b(normal_matrix<T>(n, n, 2)), c(zeros<T>(n, n)) {
    std::vector<double> sum(n);
    for (std::size_t i = 0; i < n; ++i) {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (std::size_t l = 0; l < n; ++l)
        for (std::size_t j = 0; j < n; ++j) sum[j] += double{a(i, l)} * double{b(l, j)};
      for (std::size_t j = 0; j < n; ++j) c(i, j) = static_cast<T>(sum[j]);
    }
  }
  Check check() const {
    return check_product(unit_roundoff<T>, rows(a), rows(a), rows(a), at(a), at(b), at(c));
  }
};

}  // namespace

// 257 is the last size compared element by element, 512 goes by the action on random signs.
BOOST_AUTO_TEST_CASE_TEMPLATE(one_wrong_element_of_a_product_is_seen, T, Types) {
  for (const std::size_t n : {std::size_t{31}, compared_in_full, std::size_t{512}}) {
    Product<T> p(n);
    const Check right = p.check();
    BOOST_TEST(right.good(), "n = " << n << ": " << right.error << " over " << right.bound);
    // A hundredth of the usual size of an element, anywhere.
    const T wrong = static_cast<T>(std::sqrt(static_cast<double>(n)) / 100);
    for (const auto& [i, j] :
         {std::pair{n - 1, n - 1}, std::pair{std::size_t{0}, n / 2}, std::pair{n / 3, std::size_t{0}}}) {
      const T kept = p.c(i, j);
      p.c(i, j) += wrong;
      BOOST_TEST(!p.check().good(), "n = " << n << ", element " << i << ", " << j);
      p.c(i, j) = std::numeric_limits<T>::quiet_NaN();
      BOOST_TEST(!p.check().good(), "NaN at n = " << n);
      p.c(i, j) = kept;
    }
    BOOST_TEST(p.check().good());
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(factors_are_held_by_columns, T, Types) {
  for (const std::size_t n : {std::size_t{40}, std::size_t{300}}) {
    // A rotation of two axes times a matrix: exact factors but for one rounding.
    const Matrix<T> r = normal_matrix<T>(n, n, 3);
    Matrix<T> a = r;
    const double cosine = 0.6, sine = 0.8;
    for (std::size_t j = 0; j < n; ++j) {
      a(0, j) = static_cast<T>(cosine * double{r(0, j)} - sine * double{r(1, j)});
      a(1, j) = static_cast<T>(sine * double{r(0, j)} + cosine * double{r(1, j)});
    }
    const At q = [&](std::size_t i, std::size_t j) -> double {
      if (i > 1 || j > 1) return i == j ? 1 : 0;
      return static_cast<double>(static_cast<T>(i == j ? cosine : i == 0 ? -sine : sine));
    };
    const auto check = [&] { return check_factors(unit_roundoff<T>, n, n, n, q, at(r), at(a)); };
    BOOST_TEST(check().good());
    a(n / 2, n / 2) += T{0.2};
    BOOST_TEST(!check().good(), "n = " << n);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_column_that_is_not_orthogonal_is_seen, T, Types) {
  const std::size_t m = 90, n = 30;
  Matrix<T> q = zeros<T>(m, n);
  for (std::size_t j = 0; j < n; ++j) q(2 * j, j) = T{1};
  const auto check = [&] { return check_orthonormal(unit_roundoff<T>, m, n, at(q)); };
  BOOST_TEST(check().good());
  q(0, 1) = T{0.01};
  BOOST_TEST(!check().good());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_wrong_singular_value_is_seen, T, Types) {
  Matrix<T> a = zeros<T>(20, 5);
  std::vector<double> values;
  for (std::size_t j = 0; j < 5; ++j) {
    a(j + 3, j) = static_cast<T>(5 - j);
    values.push_back(static_cast<double>(5 - j));
  }
  const auto good = [&] { return check_singular_values(unit_roundoff<T>, 20, 5, at(a), values).good(); };
  BOOST_TEST(good());
  std::swap(values[0], values[1]);
  BOOST_TEST(!good());
  std::swap(values[0], values[1]);
  values[4] += 0.01;
  BOOST_TEST(!good());
}

BOOST_AUTO_TEST_SUITE_END()
