// Claim A13: strong components against their law, neighbours on tables whose answer is known.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/random/normal.hpp"
#include "tests/capacity/models.hpp"

using namespace perp;
using namespace perp::test;

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
  const std::string models = model(scratch, "alike", words, alike) +
                             model(scratch, "usual", words, scaled_sinusoid(1.0F, 48)) +
                             model(scratch, "loud", words, scaled_sinusoid(30.0F, 48)) +
                             model(scratch, "eleven", words, scaled_sinusoid(30.0F, 48), "limit = 11\n");
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
