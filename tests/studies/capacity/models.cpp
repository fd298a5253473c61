// Claims that read given tables, on models made here.

#include "tests/studies/capacity/models.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/random/draws.hpp"
#include "perp/theory/recovery.hpp"
#include "tests/support/rule.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a1)

BOOST_AUTO_TEST_CASE(the_star) {
  const Table& star = table("a1_star.csv");
  for (std::size_t i = 0; i < star.rows.size(); ++i) {
    const double word = star.number(i, "word"), line = theory::recovered(512, 5000, star.number(i, "rho"));
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
    return model_entry(scratch, name,
                       normal_matrix<float>(400, 16, stream(1, "tests", "capacity a1", 0, "words")),
                       scaled_sinusoid(size), limit);
  };
  // Sixteen dimensions have room for both beside 20 words (up to .82), not beside 400 (.58).
  const std::filesystem::path models = scratch.file(
      "models.txt", of_size("small", 1, "") + of_size("loud", 10, "") + of_size("few", 1.1F, "limit = 20\n") +
                        of_size("quiet", 0.55F, "limit = 20\n") +
                        fmt::format("[deaf]\nwords = {}\n", (scratch / "words.npy").string()));
  const Results results = measured({"A1"}, {{"corpus", "none"}, {"models", models.string()}});
  const auto number = [&](const char* id) { return value(results, id); };
  BOOST_TEST(number("A1.released.small") > 0.8);
  BOOST_TEST(number("A1.released.loud") < 0.1);
  BOOST_TEST(number("A1.released_outside") == 3);
  const Table& released = table(results, "a1_released.csv");
  BOOST_TEST(std::abs(released.number(0, "rho") - std::sqrt(0.5)) < 0.02);  // words drawn
  BOOST_TEST(std::abs(released.number(1, "rho") / released.number(0, "rho") - 10) < 1e-4);
  std::string places;
  for (std::size_t i = 1; i < released.rows.size(); ++i) places += to_text(released.at(i, "place")) + " ";
  BOOST_TEST(places == "above inside below ");
  const Claim& claim = results.claims.front();
  BOOST_TEST(outcomes(claim) == "fails fails fails holds fails fails holds holds fails");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(capacity_a13)

BOOST_AUTO_TEST_CASE(random_directions_meet_their_law) {
  for (const char* id : {"A13.changed.d64.rho1", "A13.changed.d384.rho1", "A13.changed.d512.rho3"}) {
    const Finding& found = finding(id);
    const Interval interval = interval_at(found.value, *found.spread, 0.999);
    BOOST_TEST((interval.low < *found.theory && *found.theory < interval.high),
               id << ": " << found.value << ", by law " << *found.theory);
  }
  // By the normal law, to its error in 512 dimensions: P(|z| > .1 √512).
  BOOST_TEST(std::abs(*finding("A13.changed.d512.rho1").theory - 0.02365) < 5e-4);
  BOOST_TEST(std::abs(value("A13.spread.d512.rho1") * std::sqrt(512.0) - 1) < 0.03);
}

// Pairs of words that are nearly one. Positions that are all alike change no difference; large ones bring together whom they
// belong to; without their directions the words are as before.
BOOST_AUTO_TEST_CASE(neighbours_that_are_known) {
  const Scratch scratch;
  const Matrix<float> words = normal_matrix<float>(60, 48, stream(1, "tests", "capacity a13", 0, "words"));
  Matrix<float> alike = zeros<float>(4, 48);
  for (std::size_t t = 0; t < 4; ++t) alike(t, 0) = 1e-3F;
  const std::string models =
      model_entry(scratch, "alike", words, alike) +
      model_entry(scratch, "usual", words, scaled_sinusoid(1.0F, 48)) +
      model_entry(scratch, "loud", words, scaled_sinusoid(30.0F, 48)) +
      model_entry(scratch, "eleven", words, scaled_sinusoid(30.0F, 48), "limit = 11\n");
  const Results results =
      measured({"A13"}, {{"corpus", "none"}, {"models", scratch.file("models.txt", models).string()}});
  const Table& table = test::table(results, "a13_neighbours.csv");
  const auto kept = [&](const char* model, const char* size, std::size_t without = 0) {
    for (std::size_t i = 0; i < table.rows.size(); ++i)
      if (to_text(table.at(i, "model")) == model && to_text(table.at(i, "size")) == size &&
          to_number(table.at(i, "without")) == double(without))
        return to_number(table.at(i, "kept"));
    return double(NAN);
  };
  BOOST_TEST(kept("alike", "own") == 1);
  BOOST_TEST(kept("eleven", "own") == 1);  // all others, whatever is added; nobody is their own neighbour
  BOOST_TEST(kept("loud", "own") < 0.35);  // by chance a sixth
  BOOST_TEST(kept("usual", "own") > kept("loud", "own"));
  BOOST_TEST(std::abs(kept("usual", "one") - kept("loud", "one")) < 0.01);
  BOOST_TEST(kept("loud", "own", 30) > kept("loud", "own"));
  BOOST_TEST(to_number(table.at(0, "asked")) == 60);
}

BOOST_AUTO_TEST_SUITE_END()
