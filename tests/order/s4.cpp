// S4: lines at the input against the definition.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/measures/decoding.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/order/claims.hpp"

using namespace perp;
using namespace perp::order;

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

BOOST_AUTO_TEST_SUITE_END()
