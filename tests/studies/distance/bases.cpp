// D10: bases of the quick preset held against plain sums at every lag, and what the grid says of longer ones. D11: the
// roundings step by step, held against plain arithmetic. D12: RoPE's scalings against numbers that were computed apart;
// of files: cli/cases.py.

#include <algorithm>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <sstream>
#include <string>

#include "studies/distance/answers.hpp"
#include "studies/distance/d11.hpp"
#include "studies/distance/rope.hpp"
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

BOOST_AUTO_TEST_CASE(least_and_safe_on_a_grid) {
  const std::vector<double> bases = distance::grid_of_bases(4096, 4);
  BOOST_TEST(bases.front() == 4096);
  BOOST_TEST(bases[4] == 8192);
  BOOST_TEST(bases.back() == 1e9);
  BOOST_TEST((std::ranges::adjacent_find(bases, std::greater_equal<>()) == bases.end()));
  // Bases 200, 400, 800 …; those below L/8 are not asked.
  const auto on_grid = [](std::initializer_list<std::size_t> good_to, std::size_t length) {
    std::vector<distance::Reached> rows;
    double base = 100;
    for (const std::size_t lag : good_to) rows.push_back({base *= 2, lag});
    return distance::on_grid(rows, length);
  };
  const auto found = on_grid({9, 500, 9, 9, 500, 500}, 400);
  BOOST_TEST(found.least == 400);
  BOOST_TEST(found.safe == 3200);
  BOOST_TEST(on_grid({500, 500}, 400).safe == 200);
  BOOST_TEST(on_grid({5000, 5000, 9, 5000}, 4000).least == 1600);
  BOOST_TEST(std::isnan(on_grid({9, 500, 9}, 400).safe));
  BOOST_TEST(std::isnan(on_grid({9, 9}, 400).least));
}

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

BOOST_AUTO_TEST_CASE(rope_by_complex_numbers) {
  // Query and key of angle φ and ψ: the score of a pair is cos(ω(t - s) + φ - ψ), whatever t.
  const RoundedScores exact("rope", 8, 100, {});
  const Matrix<double> queries = exact.queries(1000, 1), keys = exact.keys(990, 11);
  for (std::size_t k = 0; k <= 10; ++k) {
    double score = 0, sum = 0, q = 0, p = 0;
    for (std::size_t j = 0; j < 8; ++j) score += queries(0, j) * keys(10 - k, j);
    for (int i = 0; i < 4; ++i) {
      const double turn = 2 * std::numbers::pi * i;
      const double x = bfloat16(std::cos(turn * std::numbers::phi)),
                   y = bfloat16(std::sin(turn * std::numbers::phi));
      const double v = bfloat16(std::cos(turn * std::sqrt(2.0))),
                   w = bfloat16(std::sin(turn * std::sqrt(2.0)));
      const double size = std::hypot(x, y) * std::hypot(v, w);
      sum += size * std::cos(std::pow(100, -i / 4.0) * double(k) + std::atan2(y, x) - std::atan2(w, v));
      q += x * x + y * y;
      p += v * v + w * w;
    }
    // 8 products of entries whose angles, up to 1000, are off by u of themselves.
    BOOST_TEST(std::abs(score - sum) < 8 * 1000 * 0x1p-52);
    BOOST_TEST(std::abs(exact.exact(k) - sum) < 8 * 10 * 0x1p-52);
    BOOST_TEST(std::abs(exact.whole() - std::sqrt(q * p)) < tolerance::plain_sum);
  }
  // Vectors are rounded after they were turned.
  const Matrix<double> narrow =
      RoundedScores("rope", 8, 100, distance::roundings(Step::vectors, Format::bfloat16)).queries(1000, 1);
  for (std::size_t j = 0; j < 8; ++j) BOOST_TEST(narrow(0, j) == bfloat16(queries(0, j)));
}

BOOST_AUTO_TEST_CASE(one_step_at_a_time) {
  const auto same = [](double x) { return x; };
  const auto tf32 = [](double x) { return round_to(Format::tf32, x); };
  const auto single = [](double x) { return double{static_cast<float>(x)}; };
  /// The row of position t when this step is rounded, as roundings of the position, the frequency, the angle
  /// and the entry make it.
  const auto check = [](Step step, Format format, double t, double rounded, const auto& frequency,
                        const auto& angle, const auto& entry) {
    const Matrix<double> row = RoundedScores("sinusoid", 8, 100, distance::roundings(step, format))
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
    RoundedScores("rope", 8, 100, distance::roundings(Step::scores, format)).round_scores(scores);
    BOOST_TEST(scores == (std::vector<double>{first, 1}), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(positions_end_where_the_format_does) {
  const RoundedScores scores("rope", 8, 100, distance::roundings(Step::position, Format::float16));
  BOOST_TEST(scores.last_position() == 65504);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

std::size_t good(const RopeSettings& settings) { return good_to(inverse_frequencies(settings, 0)).strictly; }

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d12)

BOOST_AUTO_TEST_CASE(contexts_that_were_computed_apart) {
  RopeSettings s{.scaling = RopeScaling::ntk, .factor = 1};
  for (const auto& [alpha, context] :
       {std::pair{1, 1706}, {2, 2571}, {4, 4066}, {8, 5731}, {16, 7919}, {32, 10628}}) {
    s.factor = alpha;
    BOOST_TEST(good(s) == std::size_t(context), "α = " << alpha);
  }
  s = {.scaling = RopeScaling::yarn, .factor = 8, .trained = 4096};
  BOOST_TEST(good(s) == 8885U);
  s.ramp = Ramp::unrounded;
  BOOST_TEST(good(s) == 7322U);
  s = {.scaling = RopeScaling::llama3, .base = 5e5, .factor = 8, .trained = 8192, .fast = 4};
  BOOST_TEST(good(s) == 85132U);
  BOOST_TEST(good(unscaled(s)) == 18437U);
}

BOOST_AUTO_TEST_CASE(amplitudes_and_slopes) {
  RopeSettings s{.scaling = RopeScaling::yarn, .factor = 8, .trained = 8192};
  BOOST_TEST(rope_amplitude(s, 8192) == 1.2079441541679836);  // Olmo 3's file has it
  s.log_slope = s.log_slope_all = 1;
  BOOST_TEST(rope_amplitude(s, 8192) == 1);
  s = {.scaling = RopeScaling::longrope,
       .factor = 32,
       .trained = 4096,
       .near = std::vector<double>(64, 1.0),
       .far = std::vector<double>(64, 2.0)};
  BOOST_TEST(rope_amplitude(s, 8192) == 1.1902380714238083);
  BOOST_TEST(inverse_frequencies(s, 4096)[0] == 1);
  BOOST_TEST(inverse_frequencies(s, 4097)[0] == 0.5);
  const std::vector<double> six = alibi_slopes(6), want{0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125};
  BOOST_TEST(six == want, boost::test_tools::per_element());
  BOOST_TEST(alibi_slopes(4, 16).front() == 0.0625);  // 2^(-16/4)
  const std::vector<double> sections{2, 1, 1};
  BOOST_TEST(rope_axes(sections, false, 4) == "TTHW");
  BOOST_TEST(rope_axes(sections, true, 4) == "THWT");
}

BOOST_AUTO_TEST_SUITE_END()
