// S4: lines at the input against the definition, and what depth leaves.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "perp/measures/decoding.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/order/claims.hpp"
#include "tests/order/quick.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/rule.hpp"

using namespace perp;
using namespace perp::order;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(order_s4)

BOOST_AUTO_TEST_CASE(line_at_the_input_meets_a_large_sample) {
  // y = x + p over 40,000 tokens: the regression's own R² on another 40,000.
  constexpr std::size_t tokens = 40'000, d = depth_width;
  const Matrix<double> positions = sinusoidal<double>(depth_length, d);
  Matrix<double> y = normal_matrix<double>(2 * tokens, d, stream(1, "tests", "s4", 0, "words")),
                 targets = matrix<double>(2 * tokens, d + 1);
  for (std::size_t r = 0; r < 2 * tokens; ++r) {
    targets(r, 0) = static_cast<double>(r % depth_length);
    for (std::size_t j = 0; j < d; ++j) {
      targets(r, j + 1) = y(r, j);
      y(r, j) += positions(r % depth_length, j);
    }
  }
  const std::vector<double> r2 =
      read_out_r2({block(y, 0, tokens), block(targets, 0, tokens)},
                  {block(y, tokens, 2 * tokens), block(targets, tokens, 2 * tokens)}, 0);
  const Line line = line_at_input("add");
  double word = 0;
  for (std::size_t j = 1; j <= d; ++j) word += r2[j] / static_cast<double>(d);
  // Standard deviation of an R² from so many: below 2 √(R²)(1 - R²)/√n = .0025 for the place; six of them,
  // and d/n = .0016 of learning.
  BOOST_TEST(std::abs(r2[0] - line.place) < 0.017);
  BOOST_TEST(std::abs(word - line.word) < 0.003);
  BOOST_TEST(line_at_input("rotary").word == 1);
  BOOST_TEST(line_at_input("rotary").place == 0);
  BOOST_TEST(line_at_input("concat").word == 1);
  BOOST_TEST(line_at_input("concat").place > 0.99);
  BOOST_TEST(line_at_input("concat").place <= 1);
}

BOOST_AUTO_TEST_CASE(variants_switch_what_they_say) {
  for (const std::string_view name : variants) {
    const model::Shape shape = shape_of(name);
    const bool bare = name == "bare";
    BOOST_TEST(shape.residual == (!bare && name != "no_residual"));
    BOOST_TEST(shape.feed_forward == (!bare && name != "no_feed_forward"));
    BOOST_TEST((shape.norm == model::Norm::none) == (bare || name == "no_norm"));
    BOOST_TEST((shape.norm == model::Norm::after) == (name == "norm_after"));
    BOOST_TEST(shape.depth == 24U);
    BOOST_TEST(!shape.causal);
  }
}

BOOST_AUTO_TEST_CASE(residuals_carry_and_their_absence_collapses) {
  for (const char* meeting : {"add", "concat"}) {
    for (const char* variant : {"full", "norm_after", "no_norm", "no_feed_forward"}) {
      const std::string at = fmt::format("{}.{}", meeting, variant);
      BOOST_TEST(value("S4.place." + at + ".depth24") > 0.5, at);
      BOOST_TEST(value("S4.place_reach." + at) == 24, at);
    }
    for (const char* variant : {"no_residual", "bare"}) {
      const std::string at = fmt::format("{}.{}", meeting, variant);
      BOOST_TEST(value("S4.place." + at + ".depth24") < 0.1, at);
      BOOST_TEST(value("S4.place_reach." + at) == 0, at);
      // All tokens of a sequence the same vector, to float32's rounding.
      BOOST_TEST(value("S4.spread." + at + ".depth24") < 1e-5, at);
    }
  }
}

BOOST_AUTO_TEST_CASE(two_draws_are_too_few_and_eight_say_true_with_limits) {
  const Results& results = results_of("S4");
  const Claim& claim = results.claims.front();
  BOOST_TEST(shape(claim) == "core 4 limit 2: positions residuals");
  BOOST_TEST((claim.verdict() == Verdict::unmeasured));
  std::vector<Finding> findings = results.findings;
  for (Finding& each : findings)
    if (each.spread) each.spread = Spread{MeanSpread{0.001, 7}, {}, 8};
  const Judgement judged = judge(findings, claim.rule);
  BOOST_TEST(outcomes(judged) == "holds holds holds holds fails fails");
  BOOST_TEST(to_text(judged) == "true, with limits");
  for (Finding& each : findings)
    if (each.id.starts_with("S4.place.add.") && each.id.ends_with("depth24")) each.value = 0.1;
  const Judgement other = judge(findings, claim.rule);
  BOOST_TEST((other.verdict == Verdict::depends));
  BOOST_TEST(other.factor == "positions");
}

BOOST_AUTO_TEST_CASE(rotary_leaves_no_place_in_the_states) {
  for (const char* depth : {"depth0", "depth1", "depth24"})
    BOOST_TEST(value(fmt::format("S4.place.rotary.full.{}", depth)) < 0.2);
  BOOST_TEST(value("S4.place_reach.rotary.full") == -1);
  BOOST_TEST(value("S4.word.rotary.full.depth24") > 0.7);
}

BOOST_AUTO_TEST_CASE(input_is_read_as_its_line_says) {
  const Table& reads = table("s4_read.csv");
  std::size_t lines = 0;
  for (std::size_t i = 0; i < reads.rows.size(); ++i) {
    const bool input = reads.number(i, "depth") == 0;
    BOOST_TEST(std::isnan(reads.number(i, "place_line")) == !input);
    if (!input || to_text(reads.at(i, "meeting")) != "concat") continue;
    // Concatenated, what is there is read whole; 384 tokens to learn from and no noise.
    BOOST_TEST(std::abs(reads.number(i, "place") - reads.number(i, "place_line")) < 1e-3);
    BOOST_TEST(std::abs(reads.number(i, "word") - 1) < 1e-6);
    ++lines;
  }
  BOOST_TEST(lines == variants.size());
}

BOOST_AUTO_TEST_CASE(draws_stand_beside_their_means) {
  for (const char* what : {"place", "word", "spread"})
    check_means(table("s4_draws.csv"), table("s4_read.csv"), {"meeting", "variant", "depth"}, what, what, 10);
}

BOOST_AUTO_TEST_SUITE_END()
