// What a thread spent on products, decompositions and random numbers.

#include "perp/base/work.hpp"

#include <boost/test/unit_test.hpp>
#include <thread>

#include "perp/base/linalg.hpp"

using namespace perp;

namespace {

/// What `action` costs this thread.
template <class Action>
WorkCounters cost(const Action& action) {
  const WorkCounters before = thread_work();
  action();
  return thread_work() - before;
}

Matrix<double> made(std::size_t rows, std::size_t cols) {
  Matrix<double> m = zeros<double>(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      m(i, j) = 1.0 / static_cast<double>(1 + i + 2 * j) + (i == j ? 2 : 0);
  return m;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(base_work)

BOOST_AUTO_TEST_CASE(every_door_to_blas_and_lapack_counts_its_operations) {
  const Matrix<double> tall = made(30, 7), wide = made(7, 30), square = made(7, 7),
                       spd = gram_rows(View(wide));
  const Matrix<double> lower = cholesky(spd);
  const auto is = [&](double WorkCounters::*other, double flops, const auto& action) {
    const WorkCounters work = cost(action);
    BOOST_TEST(work.calls == 1u);
    BOOST_TEST(work.flops == flops, boost::test_tools::tolerance(1e-9));  // a difference of sums
    BOOST_TEST((work.*other) == 0.0);                                     // time is counted as its own sort
  };
  const auto product_is = [&](double flops, const auto& action) {
    is(&WorkCounters::decompositions_s, flops, action);
  };
  const auto decomposition_is = [&](double flops, const auto& action) {
    is(&WorkCounters::products_s, flops, action);
  };
  product_is(2.0 * 30 * 7 * 7, [&] { product(View(tall), View(square)); });
  product_is(2.0 * 30 * 30 * 7, [&] { product_nt(View(tall), View(tall)); });
  product_is(2.0 * 7 * 7 * 30, [&] { product_tn(View(tall), View(tall)); });
  product_is(7.0 * 8 * 30, [&] { gram_columns(View(tall)); });
  product_is(30.0 * 31 * 7, [&] { gram_rows(View(tall)); });
  product_is(7.0 * 7 * 30, [&] { solve_lower(lower, wide); });
  decomposition_is(7.0 * 7 * 7 / 3, [&] { cholesky(spd); });
  decomposition_is(flops::orthonormal(30, 7, 7), [&] { orthonormal_rows(wide); });
  decomposition_is(flops::orthonormal(30, 7, 30), [&] { complete_basis(wide); });
  decomposition_is(flops::singular_values(30, 7), [&] { singular_values(tall); });
  decomposition_is(flops::singular_vectors(7, 30), [&] { singular_decomposition(wide); });
  decomposition_is(4.0 * 7 * 7 * 7 / 3, [&] { symmetric_eigenvalues(spd); });
  decomposition_is(9.0 * 7 * 7 * 7, [&] { symmetric_eigen(spd); });
}

// k reflections of columns that shrink from d: the sum that the closed form is the leading order of.
BOOST_AUTO_TEST_CASE(the_operations_of_qr_are_the_sum_over_its_reflections) {
  const std::size_t d = 3000, k = 900;
  double reduce = 0, form = 0;
  for (std::size_t i = 0; i < k; ++i) {
    reduce += 4.0 * static_cast<double>((d - i) * (k - i));
    form += 4.0 * static_cast<double>((d - i) * (k - i));
  }
  BOOST_TEST(flops::orthonormal(d, k, k) == reduce + form, boost::test_tools::tolerance(3e-3));
  double whole = reduce;
  for (std::size_t i = 0; i < k; ++i) whole += 4.0 * static_cast<double>((d - i) * (d - i));
  BOOST_TEST(flops::orthonormal(d, k, d) == whole, boost::test_tools::tolerance(3e-3));
}

BOOST_AUTO_TEST_CASE(time_in_blas_is_a_part_of_the_threads_time) {
  const Matrix<double> a = made(300, 300);
  const WorkCounters work = cost([&] { product(View(a), View(a)); });
  BOOST_TEST(work.products_s > 0.0);
  BOOST_TEST(work.cpu_s >= work.products_s);
  BOOST_TEST(work.decompositions_s == 0.0);
  const WorkCounters decomposed = cost([&] { symmetric_eigenvalues(a); });
  BOOST_TEST(decomposed.decompositions_s > 0.0);
  BOOST_TEST(decomposed.products_s == 0.0);
}

BOOST_AUTO_TEST_CASE(each_thread_counts_its_own) {
  const Matrix<double> a = made(20, 20);
  const WorkCounters here = cost([&] { std::thread([&] { product(View(a), View(a)); }).join(); });
  BOOST_TEST(here.calls == 0u);
  count_normals(5);
  WorkCounters sum = cost([] { count_normals(2); });
  sum += cost([] { count_normals(40); });
  BOOST_TEST(sum.normals == 42.0);
}

BOOST_AUTO_TEST_SUITE_END()
