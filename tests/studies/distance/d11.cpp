// D11: the roundings step by step, held against plain arithmetic.

#include "studies/distance/d11.hpp"

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using distance::RoundedScores;
using distance::Step;

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

BOOST_AUTO_TEST_CASE(what_there_is_not) {
  check_refusal([] { distance::step_from("sine"); }, "step 'sine' is none of inverse_frequencies, position");
  check_refusal([] { RoundedScores("alibi", 8, 100, {}); }, "encoding 'alibi' is neither sinusoid nor rope");
  const RoundedScores scores("rope", 8, 100, distance::roundings(Step::position, Format::float16));
  BOOST_TEST(scores.last_position() == 65504);
  check_refusal([&] { scores.keys(65520, 1); },
                "position 65520 as float16: the largest number there is 65504");
}

BOOST_AUTO_TEST_SUITE_END()
