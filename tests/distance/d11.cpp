// D11: the roundings step by step, held against plain arithmetic; the rule of thumb.

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>

#include "perp/theory/distance.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d11_measure.hpp"
#include "tests/distance/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/rule.hpp"
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

double kernel(double lag) {
  double sum = 0;
  for (int i = 0; i < 256; ++i) sum += std::cos(std::pow(1e4, -2.0 * i / 512) * lag);
  return sum;
}

/// First position up to `last` with a score that is off by a hundredth, angle by angle.
template <class Angle>
int first_bad_sinusoid(int last, const Angle& angle) {
  std::vector<double> exact;
  for (int k = 0; k <= last; ++k) exact.push_back(kernel(k));
  std::vector<std::vector<double>> angles;
  for (int t = 0; t <= last; ++t) {
    std::vector<double> here;
    for (int i = 0; i < 256; ++i) here.push_back(angle(std::pow(1e4, -2.0 * i / 512), double(t)));
    angles.push_back(here);
    for (int s = 0; s <= t; ++s) {
      double score = 0;
      for (int i = 0; i < 256; ++i) score += std::cos(here[i] - angles[s][i]);
      if (std::abs(score - exact[t - s]) >= 2.56) return t;
    }
  }
  return -1;
}

std::size_t row_of(const Table& table, const std::string& encoding, const std::string& step,
                   const std::string& format) {
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (to_text(table.at(i, "encoding")) == encoding && to_text(table.at(i, "step")) == step &&
        to_text(table.at(i, "format")) == format)
      return i;
  BOOST_FAIL("no row of " << encoding << ", " << step << ", " << format);
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d11)

BOOST_AUTO_TEST_CASE(first_bad_positions_by_plain_arithmetic) {
  BOOST_TEST(value("D11.first_bad.sinusoid.position.bfloat16") ==
             first_bad_sinusoid(300, [](double w, double t) { return w * bfloat16(t); }));
  BOOST_TEST(value("D11.first_bad.sinusoid.angle.bfloat16") ==
             first_bad_sinusoid(300, [](double w, double t) { return bfloat16(w * t); }));
  const Table& table = perp::test::table("d11_precision.csv");
  const auto first_bad = [&](const char* encoding, const char* step, const char* format) {
    return table.number(row_of(table, encoding, step, format), "first_bad");
  };
  BOOST_TEST(first_bad("sinusoid", "inverse_frequencies", "bfloat16") ==
             first_bad_sinusoid(320, [](double w, double t) { return bfloat16(w) * t; }));
  // Every position below is exact; tried at the powers of two.
  BOOST_TEST(value("D11.first_bad.sinusoid.position.float16") == 2049);
  BOOST_TEST(first_bad("rope", "position", "tf32") == 2049);
  BOOST_TEST(first_bad("rope", "angle", "tf32") == 2049);
  BOOST_TEST(std::isnan(first_bad("sinusoid", "all", "float32")));
}

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
}

BOOST_AUTO_TEST_CASE(one_step_at_a_time) {
  const auto row_at = [](Step step, Format format, std::size_t t) {
    const RoundedScores scores("sinusoid", 8, 100, distance::roundings(step, format));
    const Matrix<double> table = scores.keys(t, 1);
    return std::vector<double>(table.data(), table.data() + 8);
  };
  const auto made = [](double t, const auto& frequency, const auto& angle, const auto& entry) {
    std::vector<double> row;
    for (int i = 0; i < 4; ++i) {
      const double a = angle(frequency(std::pow(100, -i / 4.0)) * t);
      row.insert(row.end(), {entry(std::sin(a)), entry(std::cos(a))});
    }
    return row;
  };
  const auto same = [](double x) { return x; };
  const auto check = [](const std::vector<double>& found, const std::vector<double>& expected) {
    // One last place of a sine, which two libraries may round apart; of entries rounded to bfloat16 none.
    for (std::size_t j = 0; j < 8; ++j) BOOST_TEST(std::abs(found[j] - expected[j]) <= 0x1p-52);
  };
  check(row_at(Step::inverse_frequencies, Format::bfloat16, 777), made(777, bfloat16, same, same));
  check(row_at(Step::position, Format::bfloat16, 777), made(776, same, same, same));
  check(row_at(Step::angle, Format::bfloat16, 777), made(777, same, bfloat16, same));
  check(row_at(Step::table, Format::bfloat16, 777), made(777, same, same, bfloat16));
  check(row_at(Step::scores, Format::bfloat16, 777), made(777, same, same, same));
  check(row_at(Step::all, Format::bfloat16, 777), made(776, bfloat16, bfloat16, bfloat16));
  // A product in TF32: both factors in 11 bits, the result in float32.
  const auto tf32 = [](double x) { return round_to(Format::tf32, x); };
  const auto single = [](double x) { return double{static_cast<float>(x)}; };
  check(row_at(Step::angle, Format::tf32, 2049), made(2048, tf32, single, same));
  check(row_at(Step::scores, Format::tf32, 2049), made(2049, same, same, tf32));
  check(row_at(Step::all, Format::tf32, 2049),
        made(2048, tf32, single, [&](double x) { return tf32(single(x)); }));
  std::vector<double> scores{1 + 0x1p-9, 1 + 0x1p-30};
  RoundedScores("rope", 8, 100, distance::roundings(Step::scores, Format::bfloat16)).round_scores(scores);
  BOOST_TEST(scores[0] == 1);
  scores = {1 + 0x1p-9, 1 + 0x1p-30};
  RoundedScores("rope", 8, 100, distance::roundings(Step::scores, Format::tf32)).round_scores(scores);
  BOOST_TEST(scores[0] == 1 + 0x1p-9);
  BOOST_TEST(scores[1] == 1);
}

BOOST_AUTO_TEST_CASE(vectors_are_rounded_after_they_were_turned) {
  const RoundedScores plain("rope", 8, 100, {}),
      rounded("rope", 8, 100, distance::roundings(Step::vectors, Format::bfloat16));
  const Matrix<double> wide = plain.queries(777, 1), narrow = rounded.queries(777, 1);
  for (std::size_t j = 0; j < 8; ++j) BOOST_TEST(narrow(0, j) == bfloat16(wide(0, j)));
}

BOOST_AUTO_TEST_CASE(what_cannot_fail_stays_within_its_bound) {
  const Table& table = perp::test::table("d11_precision.csv");
  std::size_t bounded = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Step step = distance::step_from(to_text(table.at(i, "step")));
    const Format format = format_from(to_text(table.at(i, "format")));
    if (!distance::cannot_fail(step, format)) continue;
    const double u = unit_roundoff(format);
    BOOST_TEST(table.number(i, "far_error") > 0);
    BOOST_TEST(table.number(i, "far_error") < 2 * u + u * u);
    BOOST_TEST(table.number(i, "collisions") == 0);
    ++bounded;
  }
  BOOST_TEST(bounded == 4U * (2 + 3));  // four formats, two steps of the sinusoid, three of RoPE
  BOOST_TEST(!distance::cannot_fail(Step::angle, Format::float32));
}

BOOST_AUTO_TEST_CASE(how_large_the_errors_are) {
  const Table& table = perp::test::table("d11_precision.csv");
  const auto number = [&](const char* column, const char* step, const char* format) {
    return table.number(row_of(table, "sinusoid", step, format), column);
  };
  // A score in bfloat16 is off by what rounding g(k) leaves, at every position alike.
  double largest = 0;
  for (int k = 0; k <= 512; ++k) largest = std::max(largest, std::abs(bfloat16(kernel(k)) - kernel(k)) / 256);
  BOOST_TEST(std::abs(number("text_error", "scores", "bfloat16") - largest) < tolerance::plain_sum);
  BOOST_TEST(std::abs(number("far_error", "scores", "bfloat16") - largest) < tolerance::plain_sum * 100);
  // Findings are the largest over sinusoid and RoPE.
  for (const auto& [error, step] :
       {std::pair{"text_error", "table"}, {"text_error", "angle"}, {"far_error", "table"}})
    BOOST_TEST(value(fmt::format("D11.{}.{}.bfloat16", error, step)) ==
               std::max(number(error, step, "bfloat16"),
                        table.number(row_of(table, "rope", step, "bfloat16"), error)));
  // Angles in float32 stay within their bound in a text, and grow with the position.
  const double text_bound = theory::angle_rounding_bound(512, 1e4, 0x1p-24, 8192, 8192) / 256,
               far_bound = theory::angle_rounding_bound(512, 1e4, 0x1p-24, 1e6, 1e6) / 256;
  BOOST_TEST(number("text_error", "angle", "float32") < text_bound);
  BOOST_TEST(number("far_error", "angle", "float32") > text_bound);
  BOOST_TEST(number("far_error", "angle", "float32") < far_bound);
}

BOOST_AUTO_TEST_CASE(positions_that_become_one) {
  const Table& table = perp::test::table("d11_precision.csv");
  const std::size_t row = row_of(table, "sinusoid", "all", "bfloat16");
  std::set<double> values;
  const double dense = table.number(row, "dense");
  for (double t = 0; t <= dense; ++t) values.insert(bfloat16(t));
  BOOST_TEST(table.number(row, "collisions") == dense + 1 - double(values.size()));
  BOOST_TEST(table.number(row, "collisions") > 0);
  // float16 ends at 65,504.
  BOOST_TEST(std::isnan(table.number(row_of(table, "rope", "position", "float16"), "far_error")));
  BOOST_TEST(std::isfinite(table.number(row_of(table, "rope", "table", "float16"), "far_error")));
}

BOOST_AUTO_TEST_CASE(share_that_the_lag_explains) {
  // Positions in bfloat16: g of what is left of the distance, 128 positions before 8,192, lags to 512.
  std::vector<double> g;
  for (int k = 0; k <= 640; ++k) g.push_back(kernel(k) / 256);
  double all = 0, squares = 0, within = 0;
  for (int k = 0; k <= 512; ++k) {
    double sum = 0, square = 0;
    for (int t = 8192 - 127; t <= 8192; ++t) {
      const double score = g[static_cast<std::size_t>(std::abs(bfloat16(t) - bfloat16(t - k)))];
      sum += score;
      square += score * score;
    }
    within += square - sum * sum / 128;
    all += sum;
    squares += square;
  }
  const double share = 1 - within / (squares - all * all / (128 * 513));
  const Table& table = perp::test::table("d11_precision.csv");
  BOOST_TEST(std::abs(table.number(row_of(table, "sinusoid", "position", "bfloat16"), "text_share") - share) <
             tolerance::plain_sum);
  // A frequency that is off is another frequency, and the lag explains all.
  const double frequencies =
      table.number(row_of(table, "rope", "inverse_frequencies", "bfloat16"), "text_share");
  BOOST_TEST(std::abs(frequencies - 1) < tolerance::share_of_one);
}

BOOST_AUTO_TEST_CASE(rule_of_thumb) {
  const auto expected = [](Step step, Format format) {
    return distance::expected_first_bad(step, format, 128, 1e4);
  };
  const double size = std::sqrt(128 * std::log(1e4));
  BOOST_TEST(expected(Step::position, Format::bfloat16) == 257);
  BOOST_TEST(expected(Step::position, Format::float32) == 0x1p24 + 1);
  BOOST_TEST(std::abs(expected(Step::angle, Format::bfloat16) - size * 256 / 168) <
             tolerance::plain_sum * 1000);
  BOOST_TEST(std::abs(expected(Step::inverse_frequencies, Format::bfloat16) - size * 256 / 60) <
             tolerance::plain_sum * 1000);
  BOOST_TEST(std::isnan(expected(Step::inverse_frequencies, Format::float16)));  // beyond lag 512
  for (const Step step : {Step::table, Step::vectors, Step::scores, Step::all})
    BOOST_TEST(std::isnan(expected(step, Format::bfloat16)));
}

BOOST_AUTO_TEST_CASE(what_there_is_not) {
  check_refusal([] { distance::step_from("sine"); }, "step 'sine' is none of inverse_frequencies, position");
  check_refusal([] { RoundedScores("alibi", 8, 100, {}); }, "encoding 'alibi' is neither sinusoid nor rope");
  const RoundedScores scores("rope", 8, 100, distance::roundings(Step::position, Format::float16));
  BOOST_TEST(scores.last_position() == 65504);
  check_refusal([&] { scores.keys(65520, 1); },
                "position 65520 as float16: the largest number there is 65504");
}

BOOST_AUTO_TEST_CASE(rule_of_the_claim) {
  const Results& results = results_of("D11");
  const Claim& claim = results.claims.front();
  std::vector<Finding> better = results.findings;
  for (Finding& finding : better)
    if (finding.id.starts_with("D11.text_error.") && finding.id.ends_with(".bfloat16")) finding.value = .001;
  BOOST_TEST(to_text(judge(better, claim.rule)) == "true, with limits");  // in float16 and TF32 it ends
}

BOOST_AUTO_TEST_SUITE_END()
