// A1: the quick preset against the exact lines, its known values, and its verdict.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/random/normal.hpp"
#include "tests/capacity/models.hpp"
#include "tests/support/rule.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a1)

BOOST_AUTO_TEST_CASE(the_star) {
  const Table& star = table("a1_star.csv");
  for (std::size_t i = 0; i < star.rows.size(); ++i) {
    const double word = star.number(i, "word"), line = star.number(i, "line");
    // Intervals of .99 over 4 or more codebooks, doubled: no cell may miss the exact line.
    BOOST_TEST(line >= word - 2 * (word - star.number(i, "word_low")) - 0.01);
    BOOST_TEST(line <= word + 2 * (star.number(i, "word_high") - word) + 0.01);
    // Positions large enough are always found.
    if (star.number(i, "rho") >= 5) BOOST_TEST(star.number(i, "position") == 1.0);
  }
  BOOST_TEST(star.rows.size() == 16U);
  BOOST_TEST(value("A1.projected.noise0.rho16") > 0.99);
}

BOOST_AUTO_TEST_CASE(released_words_at_their_own_size) {
  const Scratch scratch;
  const auto of_size = [&](const char* name, float size, const char* limit) {
    return model(scratch, name, normal_matrix<float>(400, 16, stream(1, "tests", "capacity a1", 0, "words")),
                 scaled_sinusoid(size), limit);
  };
  // Sixteen dimensions have room for both beside 20 words (up to .82), not beside 400 (.58).
  const std::filesystem::path models = scratch.file(
      "models.txt", of_size("small", 1, "") + of_size("loud", 10, "") + of_size("few", 1.1F, "limit = 20\n") +
                        of_size("quiet", 0.55F, "limit = 20\n") +
                        fmt::format("[deaf]\nwords = {}\n", (scratch / "words.npy").string()));
  const Results results = measured({"A1"}, {{"corpus", "none"}, {"models", models.string()}});
  const auto number = [&](const char* id) { return value(results, id); };
  BOOST_TEST(std::abs(number("A1.released_size.small") - std::sqrt(0.5)) < 0.02);  // words drawn
  BOOST_TEST(std::abs(number("A1.released_size.loud") / number("A1.released_size.small") - 10) < 1e-4);
  BOOST_TEST(number("A1.released.small") > 0.8);
  BOOST_TEST(number("A1.released.loud") < 0.1);
  BOOST_TEST(number("A1.released_outside") == 3);
  const Table& released = table(results, "a1_released.csv");
  std::string places;
  for (std::size_t i = 1; i < released.rows.size(); ++i) places += to_text(released.at(i, "place")) + " ";
  BOOST_TEST(places == "above inside below ");
  const Claim& claim = results.claims.front();
  BOOST_TEST(outcomes(claim) == "fails fails fails holds fails fails holds holds fails");
}

BOOST_AUTO_TEST_SUITE_END()
