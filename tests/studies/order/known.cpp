// S1: the sentences, and their words matched by identity. S2: who can read a place.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "perp/random/draws.hpp"
#include "tests/studies/order/quick.hpp"
#include "tests/support/golden.hpp"

using namespace perp;
using namespace perp::order;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(order_s1)

BOOST_AUTO_TEST_CASE(texts_and_partners_hold_the_same_words) {
  for (const Text& text : texts) {
    std::vector<std::string> a = words_of(text.words), b = words_of(text.partner);
    BOOST_TEST((a != b));
    std::ranges::sort(a);
    std::ranges::sort(b);
    BOOST_TEST(a == b, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(words_are_matched_by_identity) {
  const auto match = matched(words_of("tom bit a dog"), words_of("a dog bit tom"));
  BOOST_TEST(match == (std::vector<std::size_t>{3, 2, 0, 1}), boost::test_tools::per_element());
  // A word that comes twice: first with first.
  const auto twice = matched(words_of("the a the"), words_of("a the the"));
  BOOST_TEST(twice == (std::vector<std::size_t>{1, 0, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(order_s2)

namespace {

Matrix<float> noise(std::size_t rows, std::size_t cols) {
  return normal_matrix<float>(rows, cols, stream(1, "tests", "s2", 0, "noise"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_place_that_is_there_is_read) {
  constexpr std::size_t batch = 16, length = 20;
  const Matrix<double> targets = log_places(batch, length);
  BOOST_TEST(targets(25, 0) == std::log(6.0));
  for (const Held held : {Held::sequences, Held::tokens}) {
    const Split split{length, 0, held};
    Matrix<float> states = noise(batch * length, 5);
    // Nothing there: chance, a little below 0; p = 5 or 10 of 240 to learn from, 80 tested.
    BOOST_TEST(std::abs(read(states, targets, split)[0]) < 0.3);
    // The place itself in a mixture with noise that another entry holds.
    for (std::size_t r = 0; r < batch * length; ++r)
      states(r, 2) = static_cast<float>(targets(r, 0)) + 3 * states(r, 4);
    BOOST_TEST(read(states, targets, split)[0] > 0.999);
    // The place as a spread: only squares see it.
    Matrix<float> spread = noise(batch * length, 5);
    for (std::size_t r = 0; r < batch * length; ++r)
      for (float& x : row(spread, r)) x = std::copysign(static_cast<float>(std::sqrt(targets(r, 0))), x);
    BOOST_TEST(read(spread, targets, split)[0] < 0.3);
    BOOST_TEST(read(spread, targets, split, Seen::squares)[0] > 0.999);
    // Equal states read nothing.
    BOOST_TEST(read(zeros<float>(batch * length, 3), targets, split)[0] == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()

// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.
BOOST_AUTO_TEST_SUITE(order_golden)

BOOST_AUTO_TEST_CASE(quick_preset) { check_golden("order", merged(order::study().claims, results_of)); }

BOOST_AUTO_TEST_SUITE_END()
