// D10: bases that perp base answers held against plain sums at every lag. D11: the roundings step by step, held against
// plain arithmetic. RoPE's scalings are held by tests/cli/rope.py and tests/cli/cases.py.

#include <algorithm>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>

#include "perp/vectors/positions.hpp"
#include "perp/vectors/rope_scaling.hpp"
#include "studies/distance/answers.hpp"
#include "studies/distance/d11.hpp"
#include "tests/studies/distance/quick.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using distance::RoundedScores;
using distance::Step;
using namespace perp::distance;

namespace {

/// The lowest sum over lags 1 to L, over its value at lag 0.
double lowest(std::size_t d, double base, std::size_t length) {
  double lowest = 1;
  for (std::size_t lag = 1; lag <= length; ++lag) {
    double sum = 0;
    for (std::size_t i = 0; i < d / 2; ++i)
      sum += std::cos(static_cast<double>(lag) *
                      std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(d)));
    lowest = std::min(lowest, sum / static_cast<double>(d) * 2);
  }
  return lowest;
}

std::string answer(const std::string& context, const std::string& dim) {
  Options options;
  options.extra = {{"context", context}, {"dim", dim}};
  options.json = true;
  return distance::answer_base(options);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d10)

BOOST_AUTO_TEST_CASE(answer_on_the_command_line) {
  // Ends are rounded inwards: the bases printed are good themselves.
  std::string json = answer("512", "64");
  std::ranges::replace_if(
      json, [](char c) { return c == '[' || c == ']' || c == ','; }, ' ');
  std::istringstream intervals(json.substr(json.find("\"intervals\":") + 12));
  std::size_t ends = 0;
  for (double base = 0; intervals >> base; ++ends) BOOST_TEST(lowest(64, base, 512) >= 0, "T = " << base);
  BOOST_TEST(ends == 4U);
  // One pair alone is cos m, below 0 at lag 2.
  BOOST_TEST(answer("16", "2") ==
             R"({"base_for":16,"dim":2,"least":null,"safe":null,"intervals":[],"exact":true})");
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

/// bfloat16 by the bits of a float: half of the last place is added, less one if that place is even.
double bfloat16(double x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  return double{std::bit_cast<float>((bits + 0x7fffU + ((bits >> 16U) & 1U)) & 0xffff0000U)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d11)

BOOST_AUTO_TEST_CASE(one_step_at_a_time) {
  const auto same = [](double x) { return x; };
  const auto tf32 = [](double x) { return round_to(Format::tf32, x); };
  const auto single = [](double x) { return double{static_cast<float>(x)}; };
  /// The row of position t when this step is rounded, as roundings of the position, the frequency, the angle
  /// and the entry make it.
  const auto check = [](Step step, Format format, double t, double rounded, const auto& frequency,
                        const auto& angle, const auto& entry) {
    const Matrix<double> row = RoundedScores(frequencies(8, 100), false, distance::roundings(step, format))
                                   .keys(static_cast<std::size_t>(t), 1);
    for (std::size_t i = 0; i < 4; ++i) {
      const double a = angle(frequency(std::pow(100, -static_cast<double>(i) / 4)) * rounded);
      // One last place of a sine, which two libraries may round apart; of entries rounded to bfloat16 none.
      BOOST_TEST(std::abs(row(0, 2 * i) - entry(std::sin(a))) <= 0x1p-52, to_text(step));
      BOOST_TEST(std::abs(row(0, 2 * i + 1) - entry(std::cos(a))) <= 0x1p-52, to_text(step));
    }
  };
  check(Step::inverse_frequencies, Format::bfloat16, 777, 777, bfloat16, same, same);
  check(Step::position, Format::bfloat16, 777, 776, same, same, same);
  check(Step::angle, Format::bfloat16, 777, 777, same, bfloat16, same);
  check(Step::table, Format::bfloat16, 777, 777, same, same, bfloat16);
  check(Step::scores, Format::bfloat16, 777, 777, same, same, same);
  check(Step::all, Format::bfloat16, 777, 776, bfloat16, bfloat16, bfloat16);
  // A product in TF32: both factors in 11 bits, the result in float32.
  check(Step::angle, Format::tf32, 2049, 2048, tf32, single, same);
  check(Step::scores, Format::tf32, 2049, 2049, same, same, tf32);
  check(Step::all, Format::tf32, 2049, 2048, tf32, single, [&](double x) { return tf32(single(x)); });
  for (const auto& [format, first] : {std::pair{Format::bfloat16, 1.0}, {Format::tf32, 1 + 0x1p-9}}) {
    std::vector<double> scores{1 + 0x1p-9, 1 + 0x1p-30};
    RoundedScores(frequencies(8, 100), true, distance::roundings(Step::scores, format)).round_scores(scores);
    BOOST_TEST(scores == (std::vector<double>{first, 1}), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(distance_d12)

BOOST_AUTO_TEST_CASE(the_far_divisors_begin_behind_the_trained_positions) {
  const RopeSettings s{.scaling = RopeScaling::longrope,
                       .factor = 32,
                       .trained = 4096,
                       .near = std::vector<double>(64, 1.0),
                       .far = std::vector<double>(64, 2.0)};
  BOOST_TEST(inverse_frequencies(s, 4096)[0] == 1);
  BOOST_TEST(inverse_frequencies(s, 4097)[0] == 0.5);
}

BOOST_AUTO_TEST_SUITE_END()
