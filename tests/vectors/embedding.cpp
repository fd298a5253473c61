#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/embedding_sparse.hpp"
#include "perp/vectors/embedding_svd.hpp"
#include "tests/tolerance.hpp"
#include "tests/vectors/corpus_fixture.hpp"

namespace perp {
namespace {

Sparse<float> sparse_of(const Matrix<float>& dense) {
  std::vector<SparseRows<float>> parts(1);
  for (std::size_t i = 0; i < rows(dense); ++i) {
    for (std::size_t j = 0; j < cols(dense); ++j)
      if (dense(i, j) != 0) parts[0].add(static_cast<std::uint32_t>(j), dense(i, j));
    parts[0].end_row();
  }
  return stack(cols(dense), std::move(parts));
}

/// m x n, every fifth entry or so from 0 to 1, row i weighted 1/sqrt(1 + i) for a falling spectrum; row 3 is
/// empty.
Matrix<float> falling_matrix(std::size_t m, std::size_t n) {
  test::Dice dice;
  Matrix<float> a = zeros<float>(m, n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (dice.roll(5) == 0 && i != 3)
        a(i, j) = static_cast<float>(dice.roll(1000)) / 1000 / std::sqrt(1 + static_cast<float>(i));
  return a;
}

Matrix<float> normals(std::size_t m, std::size_t n) {
  return normal_matrix<float>(m, n, stream(7, "test", "", 0, "dense"));
}

SparsePair pair_of(const Matrix<float>& a) { return {sparse_of(a), sparse_of(transposed(View<float>(a)))}; }

double apart(const Matrix<float>& a, const Matrix<float>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i])));
  return worst;
}

double largest_gram_error(const Matrix<float>& columns) {
  Matrix<float> one = zeros<float>(cols(columns), cols(columns));
  for (std::size_t i = 0; i < cols(columns); ++i) one(i, i) = 1;
  return apart(gram_columns(columns), one);
}

const Stream sketch = stream(1, "test", "", 0, "sketch");

BOOST_AUTO_TEST_SUITE(embedding)

BOOST_AUTO_TEST_CASE(sparse_product_equals_the_dense_one_for_every_width) {
  const Matrix<float> a = falling_matrix(70, 90);
  // Below one vector, whole vectors, a tail, a panel, panels and a tail.
  for (const std::size_t width : {1U, 16U, 37U, 128U, 300U, 384U}) {
    const Matrix<float> x = normals(90, width), expected = product(a, x);
    Matrix<float> found = matrix<float>(70, width);
    product_into(sparse_of(a), x, 2, found.data());
    // |a| <= 1, |x| < 6: the terms of one sum add up to less than 90 * 6 in magnitude.
    BOOST_TEST(apart(found, expected) <= tolerance::float_sum(90, 90 * 6), "width " << width);
  }
}

BOOST_AUTO_TEST_CASE(orthonormal_columns_span_the_same_space) {
  const Matrix<float> before = normals(2500, 30);
  Matrix<float> y = before;
  orthonormalise_columns(y, 2);
  BOOST_TEST(largest_gram_error(y) <= tolerance::orthonormal_float(2500));
  // Projecting on the new columns leaves the old ones as they were.
  BOOST_TEST(apart(product(y, product_tn(y, before)), before) <= tolerance::float_sum(2500, 60));
}

BOOST_AUTO_TEST_CASE(leading_values_and_vectors_equal_the_dense_ones) {
  const Matrix<float> a = falling_matrix(180, 140);
  const std::vector<float> expected = singular_values(a);
  std::vector<double> told;
  const TruncatedSvd svd =
      truncated_svd(pair_of(a), {20, 20, 30}, sketch, 2, [&](double f) { told.push_back(f); });
  BOOST_TEST(told.size() == 32U);
  BOOST_TEST(told.front() == 1.0 / 32);
  BOOST_TEST(std::is_sorted(told.begin(), told.end()));
  BOOST_TEST(told.back() == 1.0);
  BOOST_TEST(svd.values.size() == 20U);
  for (std::size_t i = 0; i < 20; ++i)
    BOOST_TEST(std::abs(svd.values[i] - static_cast<double>(expected[i])) <=
               tolerance::singular_value(180) * static_cast<double>(expected[0]));
  BOOST_TEST(largest_gram_error(svd.left) <= tolerance::orthonormal_float(180));
  // The definition: A Aᵀ u = s² u, relative to the largest s².
  Matrix<float> scaled = svd.left;
  for (std::size_t i = 0; i < 180; ++i)
    for (std::size_t j = 0; j < 20; ++j) scaled(i, j) *= static_cast<float>(svd.values[j] * svd.values[j]);
  BOOST_TEST(apart(product(a, product_tn(a, svd.left)), scaled) <=
             tolerance::singular_vector * svd.values[0] * svd.values[0]);
}

BOOST_AUTO_TEST_CASE(bytes_do_not_depend_on_threads) {
  const SparsePair a = pair_of(falling_matrix(2600, 300));  // three tiles
  const TruncatedSvd one = truncated_svd(a, {20, 30, 2}, sketch, 1);
  for (const std::size_t threads : {2U, 7U}) {
    const TruncatedSvd many = truncated_svd(a, {20, 30, 2}, sketch, threads);
    BOOST_TEST((many.left == one.left && many.values == one.values), threads << " threads");
  }
}

BOOST_AUTO_TEST_CASE(impossible_shapes_and_ranks_are_refused) {
  const SparsePair a = pair_of(falling_matrix(30, 20));
  Matrix<float> thin = normals(30, 20);
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t j = 4; j < 20; ++j) thin(i, j) = thin(i, j % 4);
  Matrix<float> out = matrix<float>(2, 2), wide = normals(2, 3);
  const auto svd = [](const SparsePair& of, std::size_t rank) { truncated_svd(of, {rank, 5, 2}, sketch, 1); };
  const std::pair<const char*, std::function<void()>> refusals[] = {
      {"a is 2 x 3, b is 4 x 2",
       [&] { product_into(sparse_of(falling_matrix(2, 3)), normals(4, 2), 1, out.data()); }},
      {"3 of them in 2 dimensions", [&] { orthonormalise_columns(wide, 1); }},
      {"21 singular vectors of a 30 x 20 matrix; 1 to 20 exist", [&] { svd(a, 21); }},
      {"0 singular vectors", [&] { svd(a, 0); }},
      {"its transpose 30 x 20",
       [&] {
         svd({a.matrix, a.matrix}, 5);
       }},
      {"the matrix has rank 4 only", [&] { svd(pair_of(thin), 5); }},
      {"the matrix has rank 0 only", [&] { svd(pair_of(zeros<float>(30, 20)), 5); }}};
  for (const auto& [part, call] : refusals) test::check_refusal(call, part);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp
