#include "perp/measures/angles.hpp"

#include <boost/test/unit_test.hpp>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

template <class T>
std::vector<double> by_qr(const Matrix<T>& a, const Matrix<T>& b) {
  const std::vector<T> s = singular_values(product_nt(orthonormal_rows(a), orthonormal_rows(b)));
  return {s.begin(), s.end()};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(angles)

BOOST_AUTO_TEST_CASE_TEMPLATE(constructed_angles_come_back, T, made::Both) {
  // In a random frame, behind mixed rows; b has five directions more.
  const std::vector<double> angle = {0, 1e-3, 0.4, 1.0, 1.5, std::acos(0.0)};
  constexpr std::size_t d = 40, k = 6, r = 11;
  const Matrix<double> frame = orthonormal_rows(made::normal<double>(d, d, 77));
  Matrix<double> turned = matrix<double>(r, d);
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < d; ++j)
      turned(i, j) =
          i < k ? std::cos(angle[i]) * frame(i, j) + std::sin(angle[i]) * frame(k + i, j) : frame(k + i, j);
  const auto a = converted<T>(product(made::normal<double>(k, k, 78), block(frame, 0, k))),
             b = converted<T>(product(made::normal<double>(r, r, 79), turned));
  const std::vector<double> got = principal_cosines(a, b), other_way = principal_cosines(b, a);
  BOOST_REQUIRE(got.size() == k);
  BOOST_TEST(made::worst_difference(other_way, got) < tolerance::principal_cosine<T>);
  BOOST_TEST((std::is_sorted(got.rbegin(), got.rend()) && got[0] <= 1.0));
  for (std::size_t i = 0; i < k; ++i)
    BOOST_TEST(std::abs(got[i] - std::cos(angle[i])) < tolerance::principal_cosine<T>);
  for (const double c : principal_cosines(a, a)) BOOST_TEST(std::abs(c - 1) < tolerance::principal_cosine<T>);
}

BOOST_AUTO_TEST_CASE(nearly_dependent_rows_take_the_careful_way) {
  // Row 2 is row 0 + row 1 but for 1e-6: a condition of some 1e7, whose square Cholesky would lose.
  const Matrix<double> clean = made::normal<double>(3, 20, 8), b = made::normal<double>(5, 20, 9);
  Matrix<double> close = clean, closer = clean;
  for (std::size_t j = 0; j < 20; ++j) {
    close(2, j) = clean(0, j) + clean(1, j) + 1e-6 * clean(2, j);
    closer(2, j) = clean(0, j) + 1e-3 * clean(2, j);
  }
  BOOST_TEST(made::worst_difference(principal_cosines(close, b), principal_cosines(clean, b)) <
             tolerance::principal_cosine_close);
  const Matrix<float> close_f = converted<float>(closer), b_f = converted<float>(b);
  BOOST_TEST(made::worst_difference(principal_cosines(close_f, b_f), by_qr(close_f, b_f)) <
             tolerance::principal_cosine<float>);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nested_subspaces_agree_one_by_one, T, made::Both) {
  const std::size_t d = 48;
  const Matrix<T> a = complete_basis(made::normal<T>(d, d, 20)),
                  b = complete_basis(made::normal<T>(d, d, 21));
  const std::vector<std::size_t> ks = {1, 8, 24, 40, 48}, rs = {3, 24, 30, 48};
  const std::vector<std::vector<double>> all = principal_cosines_nested<T>(a, b, ks, rs);
  BOOST_REQUIRE(all.size() == ks.size() * rs.size());
  for (std::size_t i = 0; i < ks.size(); ++i)
    for (std::size_t j = 0; j < rs.size(); ++j) {
      const std::vector<double>&got = all[i * rs.size() + j],
            want = by_qr(leading_rows(a, ks[i]), leading_rows(b, rs[j]));
      BOOST_TEST(got.size() == want.size());
      BOOST_TEST(made::worst_difference(got, want) < tolerance::principal_cosine<T>);
      for (std::size_t l = 0; l + d < ks[i] + rs[j]; ++l) BOOST_TEST(got[l] == 1.0);
    }
}

BOOST_AUTO_TEST_SUITE_END()
