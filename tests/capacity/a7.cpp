// What claim A7 must find whatever the machine.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "studies/capacity/split.hpp"
#include "tests/capacity/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/rule.hpp"

using namespace perp;
using namespace perp::capacity;
using namespace perp::test;

namespace {

/// The published numbers, each ± .05 over twenty codebooks: a mean's own standard error is .02 at most.
constexpr double known = 0.05;
constexpr std::size_t ways = 8;  // the sum and seven splits

double mean_square(const Matrix<float>& table) {
  double sum = 0;
  for (const float x : table) sum += static_cast<double>(x) * static_cast<double>(x);
  return sum / static_cast<double>(rows(table));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(capacity_a7)

BOOST_AUTO_TEST_CASE(known_numbers) {
  BOOST_TEST(std::abs(value("A7.adding.sinusoidal.noise0p5") - 13.14) < known);
  BOOST_TEST(std::abs(value("A7.split.sinusoidal.noise0p5.width16") - 13.38) < known);
  BOOST_TEST(std::abs(value("A7.split.sinusoidal.noise0p5.width12") - 13.41) < known);
  BOOST_TEST(std::abs(value("A7.split.sinusoidal.noise0p5.width4") - 11.60) < known);
  BOOST_TEST(std::abs(value("A7.adding.centred.noise0p5") - 13.79) < known);
  BOOST_TEST(std::abs(value("A7.split.centred.noise0p5.width12") - 13.94) < known);
  BOOST_TEST(std::abs(value("A7.adding.random.noise0p5") - 14.00) < known);
  BOOST_TEST(std::abs(value("A7.split.random.noise0p5.width16") - 14.00) < known);
  BOOST_TEST(std::abs(value("A7.adding.centred.noise1") - 12.49) < known);
  BOOST_TEST(std::abs(value("A7.split.centred.noise1.width16") - 12.44) < known);
  BOOST_TEST(finding("A7.adding.centred.noise1").n == 20U);
}

BOOST_AUTO_TEST_CASE(both_sides_win_somewhere) {
  BOOST_TEST(*finding("A7.gain.sinusoidal.noise0p5").low > 0);
  BOOST_TEST(*finding("A7.gain.centred.noise0p5").low > 0);
  BOOST_TEST(*finding("A7.gain.random.noise1").high < 0);
  BOOST_TEST(value("A7.gain.centred.noise1") < 0);
}

BOOST_AUTO_TEST_CASE(sums_of_narrow_positions_are_to_be_measured) {
  const Results& results = results_of("A7");
  const Claim& claim = results.claims.front();
  // Two widths, three kinds of positions, three noises, without centred and random ones at one half.
  BOOST_TEST(shape(claim) == "core 14 limit 7: positions noise d");
  BOOST_TEST((claim.verdict() == Verdict::unmeasured));
  for (const Condition& condition : claim.rule) BOOST_TEST(!condition.needs.empty(), condition.finding);
  BOOST_TEST(claim.rule.front().finding == "A7.gain_best_sum.sinusoidal.noise0p5.d32");
  BOOST_TEST(std::get<double>(claim.rule.front().bound) == 0.14);
  // What is left out is full already.
  for (const char* positions : {"centred", "random"})
    BOOST_TEST(std::max(value(fmt::format("A7.adding.{}.noise0p5", positions)),
                        value(fmt::format("A7.split.{}.noise0p5.width12", positions))) > 0.98 * 14);
  BOOST_TEST(value("A7.split.sinusoidal.noise0p5.width12") < 0.98 * 14);
}

BOOST_AUTO_TEST_CASE(wins_are_adjusted_for_their_number) {
  // Gains of known standard deviation 1 with these two-sided p.
  const auto found = [](const std::vector<double>& ps) {
    std::vector<Estimate> gains;
    for (const double p : ps) gains.push_back(estimated(-normal_quantile(p / 2), known_spread(1)));
    return certain(gains);
  };
  BOOST_TEST((found({.02, .001, .5, .004}) == std::vector<bool>{false, true, false, true}));
  BOOST_TEST((found({.009, .5}) == std::vector<bool>{false, false}));  // certain alone, not among two
  BOOST_TEST((found({.009}) == std::vector<bool>{true}));
  BOOST_TEST(
      (found({.0075, .0077, .0076}) == std::vector<bool>(3, true)));  // the last of them allows the first
  BOOST_TEST(certain({}).empty());
  const Table& bits = table("a7_bits.csv");
  for (std::size_t i = 0; i < bits.rows.size(); ++i) {
    const double gain = bits.number(i, "gain");
    const std::string winner = to_text(bits.at(i, "winner"));
    if (winner != "even") BOOST_TEST(winner == (gain > 0 ? "concatenating" : "adding"));
  }
}

BOOST_AUTO_TEST_CASE(below_every_ceiling) {
  const Table& bits = table("a7_bits.csv");
  BOOST_TEST(bits.rows.size() == 15U);
  for (std::size_t i = 0; i < bits.rows.size(); ++i) {
    BOOST_TEST(bits.number(i, "ceiling") == 14);
    BOOST_TEST(bits.number(i, "adding_low") <= 14 + 1e-6);
    BOOST_TEST(bits.number(i, "best_low") <= 14 + 1e-6);
    BOOST_TEST(bits.number(i, "adding_low") < bits.number(i, "gaussian"));
    BOOST_TEST(bits.number(i, "adding_word") <= 8 + 1e-6);
    BOOST_TEST(bits.number(i, "adding_position") <= 6 + 1e-6);
    // The chain rule: what both carry is no less than what each carries alone.
    BOOST_TEST(bits.number(i, "adding") >
               bits.number(i, "adding_word") + bits.number(i, "adding_position") - 1e-6);
    BOOST_TEST(std::abs(bits.number(i, "best") - bits.number(i, "adding") - bits.number(i, "gain")) < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(more_noise_fewer_bits) {
  const Table& splits = table("a7_splits.csv");
  for (std::size_t i = 0; i + ways < splits.rows.size(); ++i) {
    const std::size_t next = i + ways;
    if (to_text(splits.at(i, "positions")) != to_text(splits.at(next, "positions"))) continue;
    BOOST_TEST(splits.number(i, "width") == splits.number(next, "width"));
    BOOST_TEST(splits.number(i, "noise") < splits.number(next, "noise"));
    BOOST_TEST(splits.number(i, "bits") >= splits.number(next, "bits_low"));
  }
}

BOOST_AUTO_TEST_CASE(powers_are_equal) {
  const Stream drawn = stream(1, "tests", "split", 0, "table");
  for (const std::size_t width : position_widths(64)) {
    for (const Positions family : {Positions::sinusoidal, Positions::centred}) {
      const Matrix<float> table = position_table(family, 50, width, position_power(64), drawn);
      BOOST_TEST(cols(table) == width);
      BOOST_TEST(std::abs(mean_square(table) / 32 - 1) < 1e-6);
    }
    // 50·width squares of normals: relative standard error √(2/(50 width)), five of them.
    const Matrix<float> random = position_table(Positions::random, 50, width, position_power(64), drawn);
    BOOST_TEST(std::abs(mean_square(random) / 32 - 1) <
               5 * std::sqrt(2 / (50.0 * static_cast<double>(width))));
  }
  BOOST_TEST((position_widths(32) == std::vector<std::size_t>{4, 8, 12, 16, 20, 24, 28}));
  BOOST_TEST(std::abs(word_scale(32, 8) - 2) < 1e-15);
  const Matrix<float> centred = position_table(Positions::centred, 50, 16, 8, drawn);
  for (std::size_t j = 0; j < 16; ++j) {
    double sum = 0;
    for (std::size_t t = 0; t < 50; ++t) sum += static_cast<double>(centred(t, j));
    BOOST_TEST(std::abs(sum) < 50 * 4 * 0x1p-24);
  }
}

BOOST_AUTO_TEST_CASE(covariances) {
  // Rows ±(3, 0) have variance 9 along one axis; ±(0, 2) beside it 4 along the other.
  Matrix<float> a = zeros<float>(2, 2), b = zeros<float>(2, 2);
  a(0, 0) = 3 + 10, a(1, 0) = -3 + 10, b(0, 1) = 2, b(1, 1) = -2;
  const std::vector<double> one = covariance_eigenvalues(a), two = covariance_eigenvalues(a, b);
  BOOST_TEST(std::abs(one[0]) < 1e-12);
  BOOST_TEST(std::abs(one[1] - 9) < 1e-12);
  BOOST_TEST(std::abs(two[0] - 4) < 1e-12);
  BOOST_TEST(std::abs(two[1] - 9) < 1e-12);
}

BOOST_AUTO_TEST_CASE(refusals) {
  const Stream drawn = stream(1, "tests", "split", 0, "table");
  check_refusal([&] { position_table(Positions::random, 0, 4, 1, drawn); }, "0 positions of 4 dimensions");
  check_refusal([&] { position_table(Positions::sinusoidal, 4, 4, 0, drawn); }, "power 0");
  check_refusal([&] { position_table(Positions::centred, 1, 4, 1, drawn); }, "one position, centred");
  check_refusal([] { word_scale(8, 0); }, "word_scale: 0 of 8");
  check_refusal([] { word_scale(8, 9); }, "word_scale: 9 of 8");
  const Matrix<float> a = zeros<float>(2, 3), b = zeros<float>(2, 2);
  check_refusal([&] { columns(a, 2, 2); }, "columns: 2 from 2 on of a 2 x 3 table");
  check_refusal([&] { covariance_eigenvalues(a, b); }, "tables of 3 and 2 columns");
  check_refusal([] { Samples{}.positions(0); }, "no positions to send");
}

BOOST_AUTO_TEST_SUITE_END()
