// Q2: read-outs against cases whose answer is known, lines against simulation, the verdict of the quick
// preset.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "perp/measures/layernorm.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/theory/layernorm.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/q2_measure.hpp"
#include "tests/distance/quick.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/rule.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::distance;
using namespace perp::test;

namespace {

Matrix<double> normal(std::size_t rows, std::size_t cols, std::uint64_t number) {
  return normal_matrix<double>(rows, cols, stream(1, "tests", "q2", number, "table"));
}

/// Of the row's number and its line, in widths of its interval.
double off_the_line(const Table& table, std::size_t row, const std::string& number) {
  return std::abs(table.number(row, number) - table.number(row, number + "_line")) /
         (table.number(row, number + "_high") - table.number(row, number + "_low"));
}

/// The sums where positions and words have the lengths of a sinusoid and of words of variance 1.
Table natural_sums() {
  const Table& sums = table("q2_sums.csv");
  Table natural = sums;
  natural.rows.clear();
  for (std::size_t i = 0; i < sums.rows.size(); ++i)
    if (std::abs(sums.number(i, "ratio") - std::sqrt(0.5)) < 1e-9) natural.rows.push_back(sums.rows[i]);
  return natural;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_q2)

BOOST_AUTO_TEST_CASE(a_linear_place_is_read_exactly) {
  // Place 3 a - 2 b of two of the columns; the third is noise, the fourth does not vary.
  const std::size_t n = 200;
  Matrix<double> y = normal(n, 4, 1);
  std::vector<std::uint32_t> places = below(stream(1, "tests", "q2", 0, "places"), n, 100);
  for (std::size_t r = 0; r < n; ++r) {
    y(r, 0) = (places[r] + 2 * y(r, 1)) / 3;
    y(r, 3) = 7;
  }
  BOOST_TEST(1 - readout_r2(y, places, 100) < 1e-6);  // the ridge's share
  // Noise alone: the held-out R² of nothing, near 1 - (n+1)(n-2)/(n(n-p-2)) = -.04 ± its own spread.
  BOOST_TEST(std::abs(readout_r2(normal(n, 4, 2), places, 100)) < 0.3);
  check_refusal([&] { readout_r2(y, places, 4); }, "4 to learn from");
  check_refusal([&] { readout_r2(y, places, 199); }, "199 to learn from");
}

BOOST_AUTO_TEST_CASE(held_out_line_meets_simulation) {
  // One regressor of share .5, p = 6, n = 40 to learn from: mean over 4000 fits.
  const std::size_t p = 6, train = 40, tests = 400, fits = 400;
  double sum = 0, squares = 0;
  for (std::size_t fit = 0; fit < fits; ++fit) {
    Matrix<double> y = normal(train + tests, p, 100 + fit);
    const Matrix<double> noise = normal(train + tests, 1, 100'000 + fit);
    std::vector<std::uint32_t> places(train + tests);
    for (std::size_t r = 0; r < places.size(); ++r)
      places[r] = static_cast<std::uint32_t>(std::lround(1e6 + 1e5 * (y(r, 0) + noise(r, 0))));
    const double r2 = readout_r2(y, places, train);
    sum += r2, squares += r2 * r2;
  }
  const double mean = sum / fits, sd = std::sqrt(squares / fits - mean * mean);
  BOOST_TEST(std::abs(mean - held_out_r2(0.5, train, p)) <
             tolerance::five_sigma(sd / std::sqrt(static_cast<double>(fits))) +
                 tolerance::held_out_ratio(tests));
  check_refusal([] { held_out_r2(0.5, 8, 6); }, "8 rows for 6 dimensions");
}

BOOST_AUTO_TEST_CASE(nearest_by_cosine) {
  const Matrix<double> table = sinusoidal<double>(20, 16);
  std::vector<std::uint32_t> places(20);
  std::iota(places.begin(), places.end(), 0u);
  Matrix<double> scaled = table;
  for (std::size_t i = 0; i < scaled.size(); ++i) scaled.data()[i] *= 3;
  BOOST_TEST(nearest_share(scaled, table, places) == 1);
  std::swap(places[0], places[19]);
  BOOST_TEST(nearest_share(scaled, table, places) == 0.9);
}

BOOST_AUTO_TEST_CASE(cosines_change_as_derived) {
  // Four dimensions, where every term of the line counts.
  const double line = theory::normalised_cosine_change(4);
  double sum = 0, squares = 0;
  constexpr std::size_t draws = 40;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const double change = cosine_change(normal(2000, 4, 500'000 + draw));
    sum += change * change, squares += change * change * change * change;
  }
  const double mean = sum / draws, sd = std::sqrt(squares / draws - mean * mean);
  BOOST_TEST(std::abs(mean - line * line) < tolerance::five_sigma(sd / std::sqrt(1.0 * draws)) + 1e-4);
  BOOST_TEST(std::abs(512 * theory::normalised_cosine_change(512) - 1) < 2 / 512.0);
}

BOOST_AUTO_TEST_CASE(what_is_lost_follows_its_form) {
  const Table& lost = table("q2_lost.csv");
  for (std::size_t t = 0; t < lost.rows.size(); ++t)
    BOOST_TEST(std::abs(lost.number(t, "share") - lost.number(t, "line")) <
               tolerance::sinusoid_product(64, 512));
  BOOST_TEST(theory::sinusoid_mean_direction(64, 1e4, 0) == 0.5);
  check_refusal([] { theory::sinusoid_mean_direction(63, 1e4, 0); }, "d = 63");
  check_refusal([] { theory::normalised_cosine_change(1); }, "d = 1");
}

BOOST_AUTO_TEST_CASE(lines_of_isotropic_words) {
  // 99 % intervals of sixteen draws: their width is 5.9 standard errors. What the lines leave out (lengths
  // that vary, regressors that are not normal) is below that at d = 64.
  const Table sums = natural_sums();
  std::size_t lines = 0;
  for (std::size_t row = 0; row < sums.rows.size(); ++row)
    for (const char* number : {"before", "after"})
      if (const double off = off_the_line(sums, row, number); !std::isnan(off)) {
        BOOST_TEST(off < 1, to_text(sums.at(row, "measure")) << " " << number);
        ++lines;
      }
  BOOST_TEST(lines == 8U);
  const Finding& change = finding("Q2.cosine_change.gaussian.d64");
  BOOST_TEST(std::abs(change.value - *change.theory) < *change.high - *change.low);
}

BOOST_AUTO_TEST_CASE(rule_of_the_claim) {
  const Results& results = results_of("Q2");
  const Claim& claim = results.claims.front();
  BOOST_TEST(to_text(with(results.findings, claim.rule, "Q2.lag_r2_change.sinusoidal.gaussian.d64", -.2)) ==
             "depends, with limits");
}

BOOST_AUTO_TEST_CASE(draws_stand_beside_their_means) {
  for (const char* when : {"before", "after"})
    check_means(table("q2_draws.csv"), natural_sums(), {"positions", "words", "d", "measure"}, when, when, 6);
}

BOOST_AUTO_TEST_SUITE_END()
