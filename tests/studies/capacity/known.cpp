// Claims against the definition, drawn targets and codebooks whose answer is known; those that read given tables, on
// models made here.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bilinear.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/bilinear.hpp"
#include "perp/theory/recovery.hpp"
#include "studies/capacity/claims.hpp"
#include "studies/capacity/split.hpp"
#include "tests/studies/capacity/quick.hpp"
#include "tests/support/found.hpp"
#include "tests/support/golden.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using namespace perp::capacity;

BOOST_AUTO_TEST_SUITE(capacity_a3)

/// Words of d dimensions above positions of `power` times their length, all drawn.
Matrix<double> added(std::size_t v, std::size_t l, std::size_t d, double power, const Streams& streams,
                     std::size_t replicate = 0) {
  const Matrix<double> words = normal_matrix<double>(v, d, streams("words", replicate)),
                       positions = normal_matrix<double>(l, d, streams("positions", replicate));
  Matrix<double> sum = matrix<double>(v + l, d);
  for (std::size_t i = 0; i < v + l; ++i)
    for (std::size_t j = 0; j < d; ++j)
      sum(i, j) = i < v ? words(i, j) : std::sqrt(power) * positions(i - v, j);
  return sum;
}

/// What sums and what words and positions apart, in d dimensions each, leave of random targets.
std::pair<double, double> drawn(std::size_t v, std::size_t l, std::size_t d, double power) {
  const Streams streams{1, "A3", "apart"};
  const BilinearTargets targets =
      bilinear_targets(normal_matrix<double>(v + l, v + l, streams("targets", 0)), v);
  const Matrix<double> sum = added(v, l, d, power, streams);
  Matrix<double> apart = zeros<double>(v + l, 2 * d);
  for (std::size_t i = 0; i < v + l; ++i)
    std::ranges::copy(row(sum, i), row(apart, i).begin() + (i < v ? 0 : d));
  return {bilinear_fit(sum, targets).residual, bilinear_fit(apart, targets).residual};
}

BOOST_AUTO_TEST_CASE(sums_above_words_and_positions_alone) {
  for (const double power : {1., 16., 64.}) {
    const auto [sum, apart] = drawn(500, 60, 48, power);
    BOOST_TEST(std::abs(sum - theory::added_residual(500, 60, 48, power)) < .01);
    BOOST_TEST(std::abs(apart - theory::split_residual(500, 60, 48, 48)) < .01);
  }
}

constexpr std::size_t few = 4, many = 120, between = 80;  // axes of words, positions, dimensions
double by_distance(std::size_t t, std::size_t s) { return std::exp(-std::abs(double(t) - double(s)) / 4); }

/// Residual of `copies` of ± each axis with random positions: Gram against distance, of as much energy.
double left_by_axes(std::size_t copies, double power, std::size_t replicate) {
  const std::size_t v = 2 * few * copies;
  Matrix<double> sum = added(v, many, between, power, Streams{1, "A3", "crowd"}, replicate),
                 targets = zeros<double>(v + many, v + many);
  double square = 0;
  for (std::size_t t = 0; t < many; ++t)
    for (std::size_t s = 0; s < many; ++s) {
      targets(v + t, v + s) = by_distance(t, s);
      square += targets(v + t, v + s) * targets(v + t, v + s);
    }
  const auto sign = [](std::size_t i) { return i / few % 2 ? -1. : 1.; };
  const Matrix<double> axes = orthonormal_rows(leading_rows(sum, few));
  for (std::size_t i = 0; i < v; ++i) {
    for (std::size_t j = 0; j < between; ++j) sum(i, j) = sign(i) * std::sqrt(between) * axes(i % few, j);
    for (std::size_t j = i % few; j < v; j += few)  // T² on average as at positions
      targets(i, j) = sign(i) * sign(j) * std::sqrt(few * square) / many;
  }
  return bilinear_fit(sum, bilinear_targets(targets, v)).residual;
}

BOOST_AUTO_TEST_CASE(random_positions_crowd_words_of_low_rank) {
  double square = 0;
  for (std::size_t t = 0; t < many; ++t)
    for (std::size_t s = 0; s < many; ++s) square += by_distance(t, s) * by_distance(t, s);
  for (const double power : {1., 64.}) {
    double mean = 0;
    for (std::size_t draw = 0; draw < 6; ++draw) mean += left_by_axes(1, power, draw) / 6;
    BOOST_TEST(std::abs(mean - theory::low_rank_residual(few, many, between, power, many / square)) < .03);
    BOOST_TEST(std::abs(left_by_axes(3, power, 0) - left_by_axes(1, power, 0)) < 1e-9);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(capacity_a5)

BOOST_AUTO_TEST_CASE(what_is_chosen_is_chosen_on_the_codebooks_before) {
  // Eight codebooks, each a group; at noise 2 the third would choose width 8, the others 12.
  const auto changing = [](std::size_t width, std::size_t book) {
    return (width == 8) == (book == 2) ? 4 : 0;
  };
  const auto steady = [](std::size_t width) { return width == 8 ? 1 : 5; };
  std::vector<CellRecords> cells;
  for (std::size_t book = 0; book < 8; ++book) {
    const Book at{32, 256, 64, book, 1024};
    const Cell cell{at.place()};
    Records records;
    for (const Positions positions : all_positions)
      for (const double noise : joined_noises)
        for (const std::string joined : {"split", "sum"})
          for (const std::size_t width : {4U, 8U, 12U}) {
            // An eighth is by far the best split, and no split that counts.
            const double bits = width == 4                  ? (joined == "split" ? 100 : 0)
                                : noise == joined_noises[0] ? steady(width)
                                                            : changing(width, book);
            for (const double share : shares)
              records.push_back({"joined",
                                 {{"positions", name_of(positions)},
                                  {"noise", noise},
                                  {"joined", joined},
                                  {"width", whole(width)},
                                  {"share", share},
                                  {"bits", share == plain_share ? bits : -1}}});
          }
    cells.push_back({cell, records});
  }
  const Outcome outcome = choosing_a_split({}).summarise(cells);
  const auto loss = [&](const char* id) { return value(outcome, id); };
  // The third's choice at noise 2 costs the fourth four bits at noise one half.
  for (const char* id : {"A5.moved_loss.split.sinusoidal.d32", "A5.moved_loss.sum.random.d32"}) {
    BOOST_TEST(loss(id) == 0.5);
    // Student's interval of 0 seven times and 4: the chance of the choice is in it.
    BOOST_TEST(finding(outcome, id).spread->replicates == 8U);
    BOOST_TEST(std::abs(*finding(outcome, id).high - (0.5 + 3.499483 * 0.5)) < 1e-5);
  }
  BOOST_TEST(loss("A5.eighth_loss.sinusoidal") == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(capacity_laws)

BOOST_AUTO_TEST_CASE(simulations_meet_their_laws) {
  // Two half-widths of the 99 % interval are five standard errors.
  for (const char* id :
       {"A1.word.rho16", "A7.gain_share.linear.random.d32.v256.carried90", "Q3.recovered.sum.d512.n8",
        "Q3.recovered.rotary_10k.d512.n8", "Q3.recovered.signs.d512.n32", "Q3.recovered.signs.d512.n128",
        "A13.changed.d64.rho1", "A13.changed.d384.rho1", "A13.changed.d512.rho1", "A13.changed.d512.rho3"})
    check_theory(results_of(std::string_view(id).substr(0, std::string_view(id).find('.'))), id, 2);
}

BOOST_AUTO_TEST_SUITE_END()

// The quick study against what it gave when somebody last looked: tests/support/golden.hpp.
BOOST_AUTO_TEST_SUITE(capacity_golden)

BOOST_AUTO_TEST_CASE(quick_preset) { check_golden("capacity", merged(capacity::study().claims, results_of)); }

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(capacity_a1)

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
