#include "perp/measures/angles.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "perp/base/linalg.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

using Both = std::tuple<float, double>;

/// Two subspaces of R^d whose principal angles are exactly `angles`, in a random frame, behind mixed rows.
template <class T>
std::pair<Matrix<T>, Matrix<T>> constructed(std::size_t d, const std::vector<double>& angles,
                                            std::size_t extra) {
  const Matrix<double> frame = orthonormal_rows(made::normal<double>(d, d, 77));
  const std::size_t k = angles.size(), r = k + extra;
  Matrix<double> a = matrix<double>(k, d), b = matrix<double>(r, d);
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      if (i < k) a(i, j) = frame(i, j);
      b(i, j) =
          i < k ? std::cos(angles[i]) * frame(i, j) + std::sin(angles[i]) * frame(k + i, j) : frame(k + i, j);
    }
  const Matrix<double> mix_a = made::normal<double>(k, k, 78), mix_b = made::normal<double>(r, r, 79);
  const Matrix<double> mixed_a = product(mix_a, a), mixed_b = product(mix_b, b);
  std::pair<Matrix<T>, Matrix<T>> result{matrix<T>(k, d), matrix<T>(r, d)};
  std::copy(mixed_a.data(), mixed_a.data() + mixed_a.size(), result.first.data());
  std::copy(mixed_b.data(), mixed_b.data() + mixed_b.size(), result.second.data());
  return result;
}

template <class T>
std::vector<double> by_qr(const Matrix<T>& a, const Matrix<T>& b) {
  const std::vector<T> s = singular_values(product_nt(orthonormal_rows(a), orthonormal_rows(b)));
  return {s.begin(), s.end()};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(angles)

BOOST_AUTO_TEST_CASE_TEMPLATE(constructed_angles_come_back, T, Both) {
  const std::vector<double> angle = {0, 1e-3, 0.4, 1.0, 1.5, std::acos(0.0)};
  const auto [a, b] = constructed<T>(40, angle, 5);
  const std::vector<double> got = principal_cosines(a, b), turned = principal_cosines(b, a);
  BOOST_REQUIRE(got.size() == angle.size());
  for (std::size_t i = 0; i < angle.size(); ++i) {
    BOOST_TEST(std::abs(got[i] - std::cos(angle[i])) < tolerance::principal_cosine<T>);
    BOOST_TEST(std::abs(turned[i] - got[i]) < tolerance::principal_cosine<T>);
    BOOST_TEST(got[i] <= 1.0);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(whitening_agrees_with_qr, T, Both) {
  for (const auto& [d, k, r] :
       {std::array<std::size_t, 3>{64, 20, 9}, {64, 9, 20}, {128, 32, 32}, {50, 40, 30}, {9, 1, 1}}) {
    const Matrix<T> a = made::normal<T>(k, d, k), b = made::normal<T>(r, d, 100 + r);
    const std::vector<double> got = principal_cosines(a, b);
    BOOST_TEST(got.size() == std::min(k, r));
    BOOST_TEST(made::worst_difference(got, by_qr(a, b)) < tolerance::principal_cosine<T>);
    BOOST_TEST(std::is_sorted(got.rbegin(), got.rend()));
  }
}

BOOST_AUTO_TEST_CASE(disjoint_coordinates_are_orthogonal) {
  Matrix<double> a = zeros<double>(3, 9), b = zeros<double>(4, 9);
  for (std::size_t j = 0; j < 9; ++j)
    for (std::size_t i = 0; i < 4; ++i) {
      if (j < 4 && i < 3) a(i, j) = made::normal<double>(3, 4, 1)(i, j);
      if (j >= 4) b(i, j) = made::normal<double>(4, 5, 2)(i, j - 4);
    }
  for (const double c : principal_cosines(a, b)) BOOST_TEST(c == 0.0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_subspace_with_itself, T, Both) {
  const Matrix<T> a = made::normal<T>(12, 30, 4);
  for (const double c : principal_cosines(a, a)) BOOST_TEST(std::abs(c - 1) < tolerance::principal_cosine<T>);
}

BOOST_AUTO_TEST_CASE(nearly_dependent_rows_take_the_careful_way) {
  // Row 2 is row 0 + row 1 but for 1e-6: a condition of some 1e7, whose square Cholesky would lose.
  const Matrix<double> clean = made::normal<double>(3, 20, 8), b = made::normal<double>(5, 20, 9);
  Matrix<double> close = clean;
  for (std::size_t j = 0; j < 20; ++j) close(2, j) = clean(0, j) + clean(1, j) + 1e-6 * clean(2, j);
  const std::vector<double> want = principal_cosines(clean, b), got = principal_cosines(close, b);
  BOOST_TEST(made::worst_difference(got, want) < tolerance::principal_cosine_close);
  Matrix<float> close_f = matrix<float>(3, 20), b_f = matrix<float>(5, 20);
  for (std::size_t j = 0; j < 20; ++j) {
    for (std::size_t i = 0; i < 3; ++i) close_f(i, j) = static_cast<float>(clean(i, j));
    for (std::size_t i = 0; i < 5; ++i) b_f(i, j) = static_cast<float>(b(i, j));
    close_f(2, j) = static_cast<float>(clean(0, j) + 1e-3 * clean(2, j));
  }
  BOOST_TEST(made::worst_difference(principal_cosines(close_f, b_f), by_qr(close_f, b_f)) <
             tolerance::principal_cosine<float>);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nested_subspaces_agree_one_by_one, T, Both) {
  const std::size_t d = 48;
  const Matrix<T> a = complete_basis(made::normal<T>(d, d, 20)),
                  b = complete_basis(made::normal<T>(d, d, 21));
  const std::vector<std::size_t> ks = {1, 8, 24, 40, 48}, rs = {3, 24, 30, 48};
  const std::vector<std::vector<double>> all = principal_cosines_nested<T>(a, b, ks, rs);
  BOOST_REQUIRE(all.size() == ks.size() * rs.size());
  for (std::size_t i = 0; i < ks.size(); ++i)
    for (std::size_t j = 0; j < rs.size(); ++j) {
      const std::vector<double>& got = all[i * rs.size() + j];
      const Matrix<T> sub_a = matrix<T>(ks[i], d), sub_b = matrix<T>(rs[j], d);
      std::copy_n(a.data(), ks[i] * d, const_cast<T*>(sub_a.data()));
      std::copy_n(b.data(), rs[j] * d, const_cast<T*>(sub_b.data()));
      BOOST_TEST(got.size() == std::min(ks[i], rs[j]));
      BOOST_TEST(made::worst_difference(got, by_qr(sub_a, sub_b)) < tolerance::principal_cosine<T>);
      for (std::size_t l = 0; l + d < ks[i] + rs[j]; ++l) BOOST_TEST(got[l] == 1.0);
    }
}

BOOST_AUTO_TEST_CASE(the_largest_cosine_of_random_subspaces) {
  double sum = 0, sum_square = 0;
  const int replicates = 40;
  for (int i = 0; i < replicates; ++i) {
    const auto number = static_cast<std::uint64_t>(1000 + 2 * i);
    const double c =
        principal_cosines(made::normal<float>(64, 512, number), made::normal<float>(128, 512, number + 1))[0];
    sum += c / replicates;
    sum_square += c * c / replicates;
  }
  BOOST_TEST(std::abs(sum - 0.7634) < tolerance::five_sigma(0.0096 / std::sqrt(40.0)) + 2e-4);
  BOOST_TEST(std::sqrt(sum_square - sum * sum) < 2 * 0.0096);
}

BOOST_AUTO_TEST_CASE(unusable_input_is_refused) {
  Matrix<double> a = made::normal<double>(3, 6, 1);
  const Matrix<double> b = made::normal<double>(2, 5, 2), c = made::normal<double>(2, 6, 3);
  const Matrix<double> tall = made::normal<double>(7, 6, 3), none = matrix<double>(0, 6);
  BOOST_TEST(made::refused([&] { principal_cosines(a, b); }, "a is 3 x 6, b is 2 x 5"));
  BOOST_TEST(made::refused([&] { principal_cosines(a, tall); }, "b is 7 x 6; 1 to 6 rows"));
  BOOST_TEST(made::refused([&] { principal_cosines(none, a); }, "a is 0 x 6"));
  for (std::size_t j = 0; j < 6; ++j) a(2, j) = a(0, j) - a(1, j);
  BOOST_TEST(made::refused([&] { principal_cosines(a, c); }, "the 3 rows of a (6 dimensions) are dependent"));
  BOOST_TEST(made::refused([&] { principal_cosines(c, a); }, "the 3 rows of b"));
  a(1, 2) = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(made::refused([&] { principal_cosines(c, a); }, "entry (1, 2) of b is nan"));
  const Matrix<double> square = made::normal<double>(6, 6, 3);
  const std::vector<std::size_t> one = {1}, zero = {0}, seven = {7};
  BOOST_TEST(
      made::refused([&] { principal_cosines_nested<double>(square, c, one, one); }, "6 x 6 and 2 x 6"));
  BOOST_TEST(
      made::refused([&] { principal_cosines_nested<double>(square, square, zero, one); }, "rank of 0 in 6"));
  BOOST_TEST(
      made::refused([&] { principal_cosines_nested<double>(square, square, one, seven); }, "rank of 7 in 6"));
}

BOOST_AUTO_TEST_SUITE_END()
