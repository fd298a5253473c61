// Claims against the definition, drawn targets and codebooks whose answer is known.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/squares.hpp"
#include "perp/theory/bilinear.hpp"
#include "perp/theory/columns.hpp"
#include "perp/theory/recovery.hpp"
#include "studies/capacity/a3_tables.hpp"
#include "studies/capacity/claims.hpp"
#include "studies/capacity/split.hpp"
#include "tests/capacity/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using namespace perp::capacity;

BOOST_AUTO_TEST_SUITE(capacity_a2)

BOOST_AUTO_TEST_CASE(columns_by_the_definition) {
  const Table& rows = table("a2_dimensions.csv");
  BOOST_TEST(rows.rows.size() == 512U);
  for (const std::size_t j : {0U, 1U, 100U, 301U, 511U}) {
    double sum = 0, squares = 0;
    for (int t = 0; t < 512; ++t) {
      const double angle = t * std::pow(1e4, -2.0 * static_cast<double>(j / 2) / 512);
      const double entry = j % 2 ? std::cos(angle) : std::sin(angle);
      sum += entry;
      squares += entry * entry;
    }
    const double mean = sum / 512, square = squares / 512;
    const theory::ColumnMoments law = theory::sinusoid_column(512, 512, j, 1e4);
    BOOST_TEST(std::abs(rows.number(j, "mean") - mean) < tolerance::column_moment(512));
    BOOST_TEST(std::abs(rows.number(j, "mean") - law.mean) < 1e-13);
    BOOST_TEST(std::abs(rows.number(j, "variance") - law.variance) < 1e-13);
    BOOST_TEST(std::abs(rows.number(j, "variance") + mean * mean - square) < 1e-12);
    BOOST_TEST(to_text(rows.at(j, "wave")) == (j % 2 ? "cosine" : "sine"));
  }
}

BOOST_AUTO_TEST_CASE(constants) {
  const Table& rows = table("a2_quarters.csv");  // d = L = 512 first
  double varying = 0;
  for (const char* quarter : {"first", "second", "third", "last"}) varying += rows.number(0, quarter);
  BOOST_TEST(std::abs(varying / 4 + rows.number(0, "constant") - 1) < 1e-12);
  BOOST_TEST(std::abs(value("A2.last_share.d512.l512") - rows.number(0, "last") / varying) < 1e-12);
}

BOOST_AUTO_TEST_CASE(words_of_a_quarter_meet_their_chance) {
  // A quarter of every position has the squared length d/8: one disturbance, one chance. Student's 99 % over eight
  // codebooks, half as wide again: 99.9 %.
  const Finding& found = finding("A2.first_quarter.v1000");
  const double line = theory::word_from_dimensions(128, 1000, 64);
  BOOST_TEST(found.value - 1.6 * (found.value - *found.low) < line);
  BOOST_TEST(found.value + 1.6 * (*found.high - found.value) > line);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(capacity_a3)

/// What sums and what words and positions apart, in d dimensions each, leave of random targets on average.
std::pair<double, double> drawn(std::size_t v, std::size_t l, std::size_t d, double power) {
  const Streams streams{1, "A3", "apart"};
  const capacity::Draw one = capacity::draw(v, l, d, streams);
  const BilinearTargets targets = bilinear_targets(one.targets, v);
  const Matrix<double> sum = capacity::added_table(one, capacity::Positions::random, power);
  Matrix<double> apart = zeros<double>(v + l, 2 * d);
  for (std::size_t i = 0; i < v + l; ++i)
    std::ranges::copy(row(sum, i), row(apart, i).begin() + (i < v ? 0 : d));
  return {bilinear_residual(sum, targets).expected, bilinear_residual(apart, targets).expected};
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
  const capacity::Draw one = capacity::draw(v, many, between, Streams{1, "A3", "crowd"}, replicate);
  Matrix<double> sum = capacity::added_table(one, capacity::Positions::random, power),
                 targets = zeros<double>(v + many, v + many);
  double square = 0;
  for (std::size_t t = 0; t < many; ++t)
    for (std::size_t s = 0; s < many; ++s) {
      targets(v + t, v + s) = by_distance(t, s);
      square += targets(v + t, v + s) * targets(v + t, v + s);
    }
  const auto sign = [](std::size_t i) { return i / few % 2 ? -1. : 1.; };
  const Matrix<double> axes = orthonormal_rows(leading_rows(one.word_entries, few));
  for (std::size_t i = 0; i < v; ++i) {
    for (std::size_t j = 0; j < between; ++j) sum(i, j) = sign(i) * std::sqrt(between) * axes(i % few, j);
    for (std::size_t j = i % few; j < v; j += few)  // T² on average as at positions
      targets(i, j) = sign(i) * sign(j) * std::sqrt(few * square) / many;
  }
  return bilinear_residual(sum, bilinear_targets(targets, v)).residual;
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

BOOST_AUTO_TEST_CASE(tables_of_equal_power) {
  const Streams streams{1, "A3", "test"};
  const capacity::Draw one = capacity::draw(400, 16, 32, streams);
  for (const capacity::Positions kind : {capacity::Positions::sinusoidal, capacity::Positions::centred}) {
    const Matrix<double> added = capacity::added_table(one, kind, .5),
                         split = capacity::split_table(one, kind, 8, .5);
    for (const Matrix<double>& table : {added, split})
      BOOST_TEST(std::abs(mean_square_length(converted<double>(block(View(table), 400, 416, 32))) - 16) <
                 1e-12);
    BOOST_TEST(std::abs(mean_square_length(leading_rows(split, 400)) / 32 - 1) < .06);  // sd .014
    for (std::size_t i = 0; i < 416; ++i)
      for (std::size_t j = 0; j < 32; ++j)
        if ((i < 400) != (j < 24)) BOOST_TEST(split(i, j) == 0);
  }
  check_refusal([&] { capacity::split_table(one, capacity::Positions::random, 32, 1); }, "32 of 32");
  check_refusal([&] { capacity::exact_positions(capacity::Positions::random, one, 40, 1); }, "40 of 32");
  check_refusal([&] { capacity::even_widths(8, 3); }, "step of 3");
  const capacity::Draw single = capacity::draw(4, 1, 8, streams);
  check_refusal([&] { capacity::exact_positions(capacity::Positions::centred, single, 8, 1); }, "is nothing");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(capacity_a4)

BOOST_AUTO_TEST_CASE(of_five_starts_the_best_counts) {
  Options options;
  options.preset = Preset::quick;
  const Experiment claim = capacity::adding_contains_concatenating(options);
  const auto cell =
      std::ranges::find_if(claim.cells, [](const Cell& each) { return contains(to_text(each.at), "alone"); });
  const Records records = claim.run(*cell, {1, "A4", to_text(cell->at)});
  BOOST_REQUIRE(records.size() == 6U);
  double least = INFINITY;
  for (std::size_t i = 0; i < 5; ++i) least = std::min(least, to_number(at(records[i].values, "end")));
  const Coordinates& best = records[5].values;
  BOOST_TEST(to_number(at(best, "end")) == least);
  BOOST_TEST(to_number(at(best, "excess")) == least - to_number(at(records[0].values, "split")));
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
    const Cell cell(coordinates_of(at));
    Rows rows(cell);
    for (const Positions positions : all_positions)
      for (const double noise : joined_noises)
        for (const std::string joined : {"split", "sum"})
          for (const std::size_t width : {4U, 8U, 12U}) {
            // An eighth is by far the best split, and no split that counts.
            const double bits = width == 4                  ? (joined == "split" ? 100 : 0)
                                : noise == joined_noises[0] ? steady(width)
                                                            : changing(width, book);
            rows.add(Joined{at, name_of(positions), noise, joined, width, -1, -1, bits, -1, -1});
          }
    cells.push_back({cell, rows.take()});
  }
  const Outcome outcome = choosing_a_split({}).summarise(cells);
  const auto loss = [&](const char* id) { return value(outcome, id); };
  // The third's choice at noise 2 costs the fourth four bits at noise one half.
  for (const char* id : {"A5.moved_loss.split.sinusoidal.d32", "A5.moved_loss.sum.random.d32",
                         "A5.width_loss.split.sinusoidal.d32"}) {
    BOOST_TEST(loss(id) == 0.5);
    // Student's interval of 0 seven times and 4: the chance of the choice is in it.
    BOOST_TEST(finding(outcome, id).spread->replicates == 8U);
    BOOST_TEST(std::abs(*finding(outcome, id).high - (0.5 + 3.499483 * 0.5)) < 1e-5);
  }
  const Table& books = table(outcome, "a5_codebooks.csv");
  for (std::size_t i = 0; i < books.rows.size(); ++i)
    BOOST_TEST(books.number(i, "moved") == (books.number(i, "codebook") == 3 ? 1 : 5));
  // The share of power is the same at both.
  BOOST_TEST(loss("A5.share_loss.split.sinusoidal.d32") == 0);
  BOOST_TEST(loss("A5.eighth_loss.sinusoidal") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
