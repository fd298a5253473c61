// Q4: portraits of tables against the definitions, and the verdict on tables whose answer is known.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/io/npy.hpp"
#include "perp/io/table_reference.hpp"
#include "perp/random/normal.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/q4_portrait.hpp"
#include "studies/distance/study.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/rule.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::distance;
using namespace perp::test;

namespace {

Matrix<double> normal(std::size_t rows, std::size_t cols, std::uint64_t number) {
  return normal_matrix<double>(rows, cols, stream(20240607, "tests", "q4", number, "table"));
}

/// Its rows in an order of chance.
Matrix<double> shuffled(Matrix<double> table) {
  Picks picks(1);
  for (std::size_t t = rows(table); t-- > 1;)
    std::ranges::swap_ranges(row(table, t), row(table, picks.below(t + 1)));
  return table;
}

/// What Q4 says of a table.
Results results_of(const std::optional<Matrix<double>>& table) {
  const Scratch folder;
  Options options;
  options.preset = Preset::quick;
  options.build = folder.path();
  options.only = {"Q4"};
  if (table) {
    write_npy(folder / "positions.npy", *table);
    options.extra["positions"] = (folder / "positions.npy").string();
  }
  return measure(study(), options);
}

double value(const Results& results, const char* id) {
  const Finding* found = find(results.findings, id);
  BOOST_REQUIRE_MESSAGE(found, "no finding " << id);
  return found->value;
}

bool verdict_is(const Results& results, Verdict verdict) {
  return results.claims.front().verdict() == verdict;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_q4)

BOOST_AUTO_TEST_CASE(portrait_of_the_sinusoid) {
  const std::size_t d = 64, length = 200;
  const Portrait seen = portrait(sinusoidal<double>(length, d));
  const double rounding = tolerance::sinusoid_product(d, length);
  BOOST_TEST(seen.toeplitz_defect < rounding);
  BOOST_TEST(seen.r2 > 1 - rounding);
  BOOST_TEST(seen.r2_apart > 1 - rounding);
  BOOST_TEST(seen.neighbours == 1.0);
  BOOST_TEST(seen.norm_spread < rounding);
  BOOST_TEST(std::abs(seen.norm - std::sqrt(d / 2.0)) < rounding);
  BOOST_REQUIRE(seen.kernel.size() == length);
  for (std::size_t k = 0; k < length; ++k)
    BOOST_TEST(std::abs(seen.kernel[k] - theory::kernel_share(d, usual_base, static_cast<double>(k))) <
               rounding);
}

BOOST_AUTO_TEST_CASE(portrait_by_the_definitions) {
  const std::size_t length = 12;
  Matrix<double> table = normal(length, 5, 1);
  for (std::size_t t = 1; t < length; ++t)  // rows that remember the one before
    for (std::size_t j = 0; j < 5; ++j) table(t, j) += table(t - 1, j);
  const Portrait seen = portrait(table);
  double mean = 0, all = 0, within = 0, near = 0;
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t s = 0; s < length; ++s)
      if (s != t) mean += dot(row(table, t), row(table, s)) / (length * (length - 1));
  for (std::size_t k = 1; k < length; ++k) {
    double at_lag = 0;
    for (std::size_t t = 0; t + k < length; ++t)
      at_lag += dot(row(table, t), row(table, t + k)) / double(length - k);
    for (std::size_t t = 0; t + k < length; ++t) {
      within += 2 * std::pow(dot(row(table, t), row(table, t + k)) - at_lag, 2);
      all += 2 * std::pow(dot(row(table, t), row(table, t + k)) - mean, 2);
    }
    double at_0 = 0;
    for (std::size_t t = 0; t < length; ++t) at_0 += dot(row(table, t), row(table, t)) / length;
    BOOST_TEST(std::abs(seen.kernel[k] - at_lag / at_0) < 1e-13);
  }
  BOOST_TEST(std::abs(seen.r2_apart - (1 - within / all)) < tolerance::gram_variance);
  for (std::size_t t = 0; t < length; ++t) {
    std::size_t best = t == 0 ? 1 : 0;
    const auto cosine = [&](std::size_t s) {
      return dot(row(table, t), row(table, s)) / std::sqrt(dot(row(table, s), row(table, s)));
    };
    for (std::size_t s = 0; s < length; ++s)
      if (s != t && cosine(s) > cosine(best)) best = s;
    near += (best + 1 == t || best == t + 1) / double(length);
  }
  BOOST_TEST(std::abs(seen.neighbours - near) < 1e-15);
  BOOST_TEST(near > 0.2);
  BOOST_TEST(seen.left.size() == 5U);
  BOOST_TEST(seen.left.back() == 0.0);
  BOOST_TEST(std::abs(1 - seen.left[0] - 1 / seen.centred.stable_rank) < 1e-14);
}

BOOST_AUTO_TEST_CASE(portrait_of_chance) {
  // Independent rows: the lag says 2/(L+1) of the products of different rows (sd .0003 at L = 300), and
  // d/(d+L) of all, by lag 0 alone.
  const std::size_t length = 300, d = 200;
  const Portrait seen = portrait(normal(length, d, 2));
  BOOST_TEST(std::abs(seen.r2_apart - theory::toeplitz_null(length)) < 0.002);
  BOOST_TEST(std::abs(seen.r2 - 200.0 / 500) < 0.03);
  BOOST_TEST(seen.neighbours < 0.05);
}

BOOST_AUTO_TEST_CASE(order_is_what_the_kernel_sees) {
  const Matrix<double> table = sinusoidal<double>(101, 32);
  const Portrait as_is = portrait(table), mixed = portrait(shuffled(table));
  BOOST_TEST(std::abs(as_is.centred.stable_rank - mixed.centred.stable_rank) < 1e-10);
  BOOST_TEST(as_is.centred.r99 == mixed.centred.r99);
  BOOST_TEST(mixed.r2_apart < 0.5);
  BOOST_TEST(mixed.neighbours < 0.1);
}

BOOST_AUTO_TEST_CASE(portraits_that_cannot_be_taken) {
  check_refusal([] { portrait(normal(2, 4, 1)); }, "2 positions; expected at least 3");
  Matrix<double> table = normal(5, 4, 1);
  std::ranges::fill(row(table, 3), 0.0);
  check_refusal([&] { portrait(table); }, "row 3 is 0");
}

BOOST_AUTO_TEST_CASE(without_a_table_it_says_what_to_give) {
  const Results results = results_of(std::nullopt);
  BOOST_TEST(verdict_is(results, Verdict::unmeasured));
  BOOST_TEST(contains(results.claims.front().condition, "--positions"));
  BOOST_TEST(results.claims.front().rule.size() == 1U);
  BOOST_TEST(results.claims.front().rule.front().finding.empty());
  BOOST_TEST(!results.claims.front().rule.front().needs.empty());
  BOOST_TEST(results.findings.empty());
  BOOST_TEST(results.tables.empty());
}

BOOST_AUTO_TEST_CASE(a_given_sinusoid_is_like_the_sinusoid) {
  const Results results = results_of(sinusoidal<double>(100, 32));
  BOOST_TEST(verdict_is(results, Verdict::is_true));
  BOOST_TEST(conditions(results.claims.front().rule, Role::core) == 4U);
  BOOST_TEST(conditions(results.claims.front().rule, Role::limit) == 4U);
  BOOST_TEST(factors(results.claims.front().rule) == "evidence, file, measure");
  BOOST_TEST(results.claims.front().rule.front().levels.at(1).second.starts_with("positions.npy "));
  BOOST_TEST(value(results, "Q4.left_out") == 0.0);
  for (const char* respect : {"r2_apart", "neighbours"})
    BOOST_TEST(value(results, fmt::format("Q4.{}.trained_rows", respect).c_str()) ==
               value(results, fmt::format("Q4.{}.given", respect).c_str()));
  for (const char* respect : {"r99_factor", "kernel_departure"})
    BOOST_TEST(value(results, fmt::format("Q4.{}.trained_rows", respect).c_str()) ==
               value(results, fmt::format("Q4.{}", respect).c_str()));
  BOOST_TEST(to_text(with(results.findings, results.claims.front().rule, "Q4.kernel_departure", 0.2)) ==
             "depends");
  check_wording(results);
  BOOST_TEST(value(results, "Q4.r99_factor") == 1.0);
  BOOST_TEST(value(results, "Q4.kernel_departure") == 0.0);
  BOOST_TEST(value(results, "Q4.r99.given") == value(results, "Q4.r99.sinusoidal"));
  const Finding* chance = find(results.findings, "Q4.r2_apart.gaussian");
  BOOST_TEST(*chance->low < theory::toeplitz_null(100));
  BOOST_TEST(*chance->high > theory::toeplitz_null(100));
  BOOST_TEST(*find(results.findings, "Q4.r2_apart.given")->theory == chance->value);
  BOOST_TEST(results.tables.at(0).rows.size() == portrait_measures().size());
  BOOST_TEST(results.tables.at(1).rows.size() == 100U);
  BOOST_TEST(results.tables.at(2).rows.size() == 32U);
  BOOST_TEST(results.inputs.at(0).name == "positions.npy");
}

BOOST_AUTO_TEST_CASE(rows_that_training_never_reached_are_left_out) {
  // Rows 0 to 2 and 70 keep a hundredth of the others' length and no direction: of what is left rows 3 to 69
  // are the longest run.
  Matrix<double> table = sinusoidal<double>(100, 32);
  const Matrix<double> start = normal(4, 32, 5);
  const std::size_t never[] = {0, 1, 2, 70};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 32; ++j) table(never[i], j) = 0.01 * start(i, j);
  const Results results = results_of(table);
  BOOST_TEST(value(results, "Q4.left_out") == 100.0 - 67);
  const Portrait run = portrait(block(table, 3, 70)), wave = portrait(sinusoidal<double>(67, 32));
  BOOST_TEST(value(results, "Q4.r2_apart.trained_rows") == run.r2_apart);
  BOOST_TEST(run.r2_apart > 1 - tolerance::sinusoid_product(32, 100));
  BOOST_TEST(value(results, "Q4.r2_apart.given") < 0.99);
  BOOST_TEST(value(results, "Q4.neighbours.trained_rows") == 1.0);
  BOOST_TEST(value(results, "Q4.neighbours.given") < 1.0);
  BOOST_TEST(run.centred.r99 == wave.centred.r99);
  BOOST_TEST(value(results, "Q4.r99_factor.trained_rows") == 1.0);
  BOOST_TEST(value(results, "Q4.kernel_departure.trained_rows") < tolerance::sinusoid_product(32, 100));
  BOOST_TEST(value(results, "Q4.kernel_departure") > 0.001);
  BOOST_TEST((answer_on(results.claims.front(), "Q4.kernel_departure.trained_rows") == Answer::holds));
  // Half of the rows short, every second: no run is left to measure.
  for (std::size_t t = 0; t < 100; t += 2)
    for (double& x : row(table, t)) x *= t > 2 && t != 70 ? 0.01 : 1;
  for (double& x : row(table, 1)) x *= 100;
  const Results none = results_of(table);
  BOOST_TEST((answer_on(none.claims.front(), "Q4.r2_apart.trained_rows") == Answer::unmeasured));
  check_wording(none);
}

BOOST_AUTO_TEST_CASE(equal_rows_that_are_left_say_nothing) {
  // 20 equal rows, then short ones that differ: without these there is no spectrum, and no error either.
  Matrix<double> table = normal(30, 8, 6);
  for (std::size_t t = 0; t < 30; ++t)
    for (std::size_t j = 0; j < 8; ++j) table(t, j) = t < 20 ? 1 : 0.01 * table(t, j);
  const Results results = results_of(table);
  BOOST_TEST((answer_on(results.claims.front(), "Q4.r99_factor.trained_rows") == Answer::unmeasured));
  BOOST_TEST((answer_on(results.claims.front(), "Q4.r99_factor") != Answer::unmeasured));
}

BOOST_AUTO_TEST_CASE(departures_beyond_half_of_the_positions_do_not_count) {
  // The last fifth is turned round: pairs more than four fifths apart all have the other sign.
  const std::size_t length = 100;
  Matrix<double> table = sinusoidal<double>(length, 32);
  for (std::size_t t = 80; t < length; ++t)
    for (double& x : row(table, t)) x = -x;
  const Results results = results_of(table);
  const Table& kernel = results.tables.at(1);
  double within = 0, beyond = 0, lag = 0;
  for (std::size_t k = 1; k < length; ++k) {
    const double off = std::abs(kernel.number(k, "given") - kernel.number(k, "sinusoidal"));
    double& largest = 2 * k <= length ? within : beyond;
    if (off > within && 2 * k <= length) lag = static_cast<double>(k);
    largest = std::max(largest, off);
  }
  BOOST_TEST(beyond > 1.1 * within);
  BOOST_TEST(value(results, "Q4.kernel_departure") == within);
  BOOST_TEST(value(results, "Q4.kernel_departure_lag") == lag);
}

BOOST_AUTO_TEST_CASE(a_turned_sinusoid_too) {
  // What no product sees is no difference: dimensions exchanged, and all rows 7 positions later and half as
  // long.
  const Matrix<double> table = sinusoidal<double>(107, 32);
  Matrix<double> other = matrix<double>(100, 32);
  for (std::size_t t = 0; t < 100; ++t)
    for (std::size_t j = 0; j < 32; ++j) other(t, j) = table(t + 7, 31 - j) / 2;
  const Results results = results_of(other);
  BOOST_TEST(verdict_is(results, Verdict::is_true));
  BOOST_TEST(value(results, "Q4.kernel_departure") < tolerance::sinusoid_product(32, 107));
}

BOOST_AUTO_TEST_CASE(others_are_not) {
  const Results chance = results_of(normal(100, 256, 3));
  BOOST_TEST((answer_on(chance.claims.front(), "Q4.r2_apart.given") == Answer::fails));
  BOOST_TEST((answer_on(chance.claims.front(), "Q4.kernel_departure") == Answer::fails));
  Matrix<double> index = matrix<double>(100, 32);
  for (std::size_t t = 0; t < 100; ++t)
    for (std::size_t j = 0; j < 32; ++j) index(t, j) = static_cast<double>(t + 1);
  const Results counted = results_of(index);
  BOOST_TEST(verdict_is(counted, Verdict::is_false));
  BOOST_TEST(contains(counted.claims.front().condition, "1 dimensions hold 99%"));
  BOOST_TEST(value(counted, "Q4.r99.given") == 1.0);
}

BOOST_AUTO_TEST_CASE(tables_that_cannot_be_compared_are_refused) {
  check_refusal([] { results_of(normal(10, 7, 1)); }, "7 dimensions; expected an even number");
  check_refusal([] { results_of(normal(2, 8, 1)); }, "2 rows; expected at least 3");
  Matrix<double> padded = normal(10, 8, 1);
  std::ranges::fill(row(padded, 4), 0.0);
  check_refusal([&] { results_of(padded); }, "row 4 of those read is 0 throughout");
}

BOOST_AUTO_TEST_CASE(gpt2, *needs_tables()) {
  const auto file = real_table("gpt2-small-wpe.npy");
  if (!file) return;
  const std::filesystem::path& path = *file;
  const auto close = [](double got, double known, double digit) {
    BOOST_TEST(std::abs(got - known) <= tolerance::rounded(digit), got << " against " << known);
  };
  const Portrait trained = portrait(read_table<double>({path, {}}, RowRange{1, 512}));
  close(trained.centred.stable_rank, 2.054, 1e-3);
  close(trained.centred.participation_ratio, 2.72, 1e-2);
  BOOST_TEST(trained.centred.r90 == 3U);
  BOOST_TEST(trained.centred.r99 == 7U);
  const Portrait all = portrait(read_table<double>({path, {}}));
  close(all.centred.participation_ratio, 3.59, 1e-2);
  BOOST_TEST(all.centred.r90 == 3U);
  BOOST_TEST(all.centred.r99 == 10U);
  close(1 - all.left[2], .904, 1e-3);
  close(all.as_is.participation_ratio, 3.79, 1e-2);
  BOOST_TEST(all.as_is.r90 == 4U);
  BOOST_TEST(all.as_is.r99 == 11U);
  close(all.norms.front(), 9.876, 1e-3);
  close(all.norms.back(), .118, 1e-3);
}

BOOST_AUTO_TEST_SUITE_END()
