// What claim A5 must find whatever the machine.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "studies/capacity/a5_split.hpp"
#include "studies/capacity/claims.hpp"
#include "tests/capacity/quick.hpp"

using namespace perp;
using namespace perp::capacity;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a5)

BOOST_AUTO_TEST_CASE(known_numbers) {
  // Words without limit, against 640,000 samples of a program of its own: 1.666 and 1.837 bits of position,
  // each ± .002, the word's ½·32 log₂(1 + 1/2.25) and 12 log₂(1 + (32/24)/2.25). Standard errors of the quick
  // preset: .01 for the sum, .03 for the split.
  BOOST_TEST(std::abs(value("A5.unlimited.adding") - 9.704) < 0.06);
  BOOST_TEST(std::abs(value("A5.unlimited_position.adding") - 1.666) < 0.06);
  BOOST_TEST(std::abs(value("A5.unlimited.width8") - 9.894) < 0.15);
  BOOST_TEST(std::abs(value("A5.unlimited_position.width8") - 1.837) < 0.15);
  BOOST_TEST(value("A5.unlimited.width8") > value("A5.unlimited.adding"));
}

BOOST_AUTO_TEST_CASE(wrong_splits_cost_bits_and_errors) {
  for (const char* positions : {"sinusoidal", "centred", "random"}) {
    const std::string name(positions);
    BOOST_TEST(*finding("A5.worst_loss." + name).low > material_loss);
    BOOST_TEST(*finding("A5.worst_loss_error." + name).low > 0.1);
  }
  BOOST_TEST(*finding("A5.moved_loss.sinusoidal").low > material_loss);
  BOOST_TEST(*finding("A5.moved_loss.random").high < material_loss);
  BOOST_TEST(*finding("A5.adding_loss.random").high < 0);
  BOOST_TEST((results_of("A5").claims.front().verdict == Verdict::conditional));
}

BOOST_AUTO_TEST_CASE(the_condition_says_more_and_less_as_measured) {
  const std::string& condition = results_of("A5").claims.front().condition;
  for (const auto& [positions, rest] :
       {std::pair{"random", " than the best split with random positions"},
        std::pair{"centred", " with centred ones"}, std::pair{"sinusoidal", " with sinusoids"}}) {
    const double loss = value(std::string("A5.adding_loss.") + positions);
    const std::string said = fmt::format("{:.2f}{} {}{}", std::abs(loss), rest[1] == 't' ? " bits" : "",
                                         loss > 0 ? "less" : "more", rest);
    BOOST_TEST(condition.find(said) != std::string::npos, condition << " says nothing of '" << said << "'");
  }
}

BOOST_AUTO_TEST_CASE(rows_agree_with_one_another) {
  const Table& losses = table("a5_loss.csv");
  BOOST_TEST(losses.rows.size() == 3 * 4 * split_steps);
  for (std::size_t i = 0; i < losses.rows.size(); ++i) {
    const double word = losses.number(i, "word"), position = losses.number(i, "position"),
                 bits = losses.number(i, "bits");
    // A split's bits add up; of a sum, both together say more than each alone.
    if (losses.number(i, "width") > 0) BOOST_TEST(std::abs(bits - word - position) < 1e-9);
    if (losses.number(i, "width") == 0) BOOST_TEST(bits > word + position - 1e-6);
    const double either = losses.number(i, "error"), w = losses.number(i, "word_error"),
                 p = losses.number(i, "position_error");
    BOOST_TEST(either >= std::max(w, p) - 1e-12);
    BOOST_TEST(either <= w + p + 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(points_lie_inside_the_pentagon) {
  const Table &points = table("a5_region.csv"), &curve = table("a5_curve.csv");
  const double word = curve.number(0, "word"), position = curve.number(3, "position"),
               both = word + curve.number(1, "position");
  BOOST_TEST(std::abs(curve.number(2, "word") + curve.number(2, "position") - both) < 1e-12);
  BOOST_TEST(points.rows.size() == 3 * 2 * (split_steps + 1));
  for (std::size_t i = 0; i < points.rows.size(); ++i) {
    BOOST_TEST(points.number(i, "word_low") <= word);
    BOOST_TEST(points.number(i, "position_low") <= position);
    BOOST_TEST(points.number(i, "word_low") + points.number(i, "position_low") <= both);
  }
}

BOOST_AUTO_TEST_SUITE_END()
