// Functions of tables against NumPy's and SciPy's: tests/reference/measures.py; and what the measures do not take.

#include "tests/support/reference.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bilinear.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/scores.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/measures/subspaces.hpp"
#include "tests/lib/measures/made.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using Row = ReferenceRow;

namespace {

/// Holds every named column of a table against what `of(row)` says in their order.
template <class Of, class Off>
void check_columns(const std::string& file, const std::vector<std::string>& columns, const Of& of,
                   const Off& off) {
  for (std::size_t i = 0; i < columns.size(); ++i)
    check_reference(
        file, columns[i], [&](const Row& row) { return std::vector<double>(of(row)).at(i); }, off);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_reference)

BOOST_AUTO_TEST_CASE_TEMPLATE(angles, T, made::Both) {
  const auto cosine = [](const Row& row) {
    const std::size_t d = row.whole("d");
    return principal_cosines(waves<T>(row.whole("k"), d, 2), waves<T>(row.whole("r"), d, 5))
        .at(row.whole("index"));
  };
  check_reference("measures_principal_cosines", "expected", cosine, within(tolerance::principal_cosine<T>));
}

BOOST_AUTO_TEST_CASE(spectra) {
  const auto value = [](const Row& row) {
    Matrix<double> table = waves<double>(row.whole("n"), row.whole("d"), 3);
    for (std::size_t i = 0; i < table.size(); ++i)
      table.data()[i] = table.data()[i] / static_cast<double>(1 + i % row.whole("d")) + 3;
    const std::vector<double> all = spectrum(table, row["centred"] > 0 ? Centring::centred : Centring::as_is);
    BOOST_TEST(all.size() == std::min(row.whole("n"), row.whole("d")));
    return all.at(row.whole("index"));
  };
  check_reference("measures_spectrum", "expected", value, within(tolerance::spectrum_double * 9.0 * 90));
}

BOOST_AUTO_TEST_CASE(layer_norms) {
  const auto entry = [](const Row& row) {
    const std::size_t d = row.whole("d");
    Matrix<double> x = waves<double>(1, d, 4);
    for (double& value : x) value = row["offset"] + row["size"] * value;
    const Matrix<double> gain = waves<double>(1, d, 5), bias = waves<double>(1, d, 6);
    const std::size_t given = row["gained"] > 0 ? d : 0;
    return layer_norm(x, {gain.data(), given}, {bias.data(), given}, row["epsilon"])(0, row.whole("index"));
  };
  for (const Row& row : reference_table("measures_layer_norm"))
    BOOST_TEST(std::abs(entry(row) - row["expected"]) <=
                   2 * tolerance::layer_norm(row.whole("d"), 1 + row["offset"] + row["size"]),
               row.place);
}

BOOST_AUTO_TEST_CASE(toeplitz) {
  const auto summary = [](const Row& row) -> std::vector<double> {
    const std::size_t length = row.whole("length"), d = row.whole("d");
    const LagStatistics lags = lag_statistics(waves<double>(length, d, 2), waves<double>(length, d, 7), 2);
    const LagSquares squares = lag_squares(lags);
    return {squares.total,         squares.within,    squares.between,      squares.mean,
            toeplitz_defect(lags), toeplitz_r2(lags), worst_deviation(lags)};
  };
  check_columns("measures_toeplitz", {"total", "within", "between", "mean", "defect", "r2", "worst"}, summary,
                relative(tolerance::shifted_squares));
}

BOOST_AUTO_TEST_CASE(scores) {
  const auto terms = [](const Row& row) -> std::vector<double> {
    const std::size_t d = row.whole("d");
    Matrix<double> words = waves<double>(row.whole("words"), d, 2);
    for (double& x : words) x += 1.5;
    const FourTerms got =
        four_terms(words, waves<double>(row.whole("positions"), d, 5), waves<double>(d, d, 9));
    return {got.word_word,         got.word_position, got.position_word,
            got.position_position, got.distance_only, got.score};
  };
  check_columns(
      "measures_scores",
      {"word_word", "word_position", "position_word", "position_position", "distance_only", "score"}, terms,
      [](double) { return tolerance::gram_variance * 200; });
}

BOOST_AUTO_TEST_CASE(bilinear_fits) {
  const auto fitted = [](const Row& row) -> std::vector<double> {
    const std::size_t words = row.whole("words"), n = words + row.whole("positions"), d = row.whole("d");
    const BilinearTargets targets = bilinear_targets(waves<double>(n, n, 5), words);
    const BilinearFit fit = bilinear_fit(waves<double>(n, d, 2), targets);
    BOOST_TEST(fit.rank == d);
    return {fit.residual, targets.energy, fit.head(0, 0), fit.head(0, 1), fit.head(d - 1, 0)};
  };
  check_columns("measures_bilinear", {"residual", "energy", "head00", "head01", "last_first"}, fitted,
                [](double wanted) { return tolerance::bilinear * std::max(1.0, wanted); });
}

BOOST_AUTO_TEST_CASE(read_outs) {
  const auto r2 = [](const Row& row) {
    const std::size_t n = row.whole("n"), d = row.whole("d");
    const Matrix<double> x = waves<double>(n, d, 2), f = waves<double>(n, 2, 5), z = waves<double>(30, d, 8),
                         g = waves<double>(30, 2, 9);
    return read_out_r2({x, f}, {z, g}, row["ridge"]);
  };
  check_columns("measures_read_out", {"first", "second"}, r2, within(tolerance::closed_form));
}

BOOST_AUTO_TEST_CASE(discriminants) {
  const auto answer = [](const Row& row) {
    const std::size_t n = row.whole("n"), d = row.whole("d"), count = row.whole("count");
    Matrix<float> x = waves<float>(n, d, 2), queries = waves<float>(24, d, 5);
    std::vector<std::uint32_t> classes;
    for (std::size_t i = 0; i < n; ++i) {
      classes.push_back(static_cast<std::uint32_t>(i % (count + 1) % count));
      x(i, 0) += static_cast<float>(classes[i]);
    }
    for (float& value : queries) value *= 2;
    return linear_classes(x, classes, queries, row["ridge"]).at(row.whole("index"));
  };
  check_reference("measures_linear_classes", "expected", answer, within(0));
}

BOOST_AUTO_TEST_CASE(one_look_at_a_table) {
  Matrix<float> table = waves<float>(5000, 6, 2);
  for (float& x : table) x += 3;
  std::ranges::fill(row(table, 7), 0.0F);
  const TableSums sums = stream_table(stream_of(table, "table"), {});
  BOOST_TEST((sums.rows == 5000 && sums.zero_rows == 1 && sums.norms.size() == 5000 && sums.norms[7] == 0));
  const auto entry = [&](const Matrix<double>& m) {
    return [&m](const Row& row) { return m(row.whole("a"), row.whole("b")); };
  };
  // About the mean nothing is lost to it: the bound is of the rows' spread, not of their length.
  check_reference("measures_stream_table", "as_is", entry(sums.as_is), within(tolerance::float_gram * 9.5));
  check_reference("measures_stream_table", "centred", entry(sums.centred),
                  within(tolerance::float_gram * .5));
  check_reference("measures_stream_table", "directions", entry(sums.directions),
                  within(tolerance::float_gram));
  check_reference(
      "measures_stream_table", "mean_cosine", [&](const Row&) { return mean_cosine(sums); },
      within(tolerance::cosine_float));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(measures_refusals)

// What numbers of a table, whatever its shape, no measure can answer for. Shapes that do not fit are mistakes of a
// program; those that somebody can ask for are refused by it (tests/cli).
BOOST_AUTO_TEST_CASE(of_what_a_table_holds) {
  constexpr double infinity = std::numeric_limits<double>::infinity(),
                   no_number = std::numeric_limits<double>::quiet_NaN();
  const auto with = [](auto table, std::size_t i, std::size_t j, double value) {
    table(i, j) = static_cast<std::decay_t<decltype(table(i, j))>>(value);
    return table;
  };
  const Matrix<float> a = made::normal<float>(5, 4, 1), broken = with(a, 2, 1, no_number),
                      rows = made::normal<float>(9000, 5, 1), none = zeros<float>(0, 5);
  const Matrix<double> x = made::normal<double>(5, 4, 1), holed = with(x, 2, 3, no_number),
                       two = leading_rows(made::normal<double>(5, 4, 9), 2);
  Matrix<double> dependent = leading_rows(x, 3), twins = x;
  for (std::size_t j = 0; j < 4; ++j) dependent(2, j) = dependent(0, j) - dependent(1, j);
  for (std::size_t i = 0; i < 5; ++i) twins(i, 1) = twins(i, 0);
  const std::vector<std::uint32_t> classes(5);
  const std::vector<double> both_zero{0, 0};
  const auto constant = [](double value) {
    const ScoreTile<double> tile = [value](std::size_t r0, std::size_t r1, std::size_t c0, std::size_t c1,
                                           double* out) { std::fill_n(out, (r1 - r0) * (c1 - c0), value); };
    return lag_statistics_of<double>(4, false, tile, 1);
  };
  const auto read = [](const Matrix<float>& table, std::size_t threads = 1) {
    return stream_table(stream_of(table, "a table"), {threads, {}, 0});
  };
  check_refusals(
      {{"the 3 rows of a (4 dimensions) are dependent", [&] { principal_cosines(dependent, two); }},
       {"the 3 rows of b", [&] { principal_cosines(two, dependent); }},
       {"row 2 of the 5 x 4 table", [&] { unit_rows(broken); }},
       {"row 2 of the 5 x 4 queries is not finite", [&] { nearest_words(broken, a); }},
       {"row 2 of the 5 x 4 words is not finite", [&] { nearest_words(a, broken); }},
       {"is singular at ridge 0",
        [&] {
          read_out_r2({twins, x}, {x, x}, 0);
        }},
       {"singular", [&] { linear_classes(zeros<float>(5, 4), classes, a, 1); }},
       {"column 1", [&] { linear_classes(broken, classes, a, 1); }},
       {"row 2", [&] { linear_classes(a, classes, broken, 1); }},
       {"not finite or too large", [&] { lag_statistics(with(a, 3, 1, infinity), 1); }},
       {"not finite or too large", [&] { lag_statistics(with(a, 3, 1, 3e38), 1); }},
       {"all scores of 4 positions are 0", [&] { toeplitz_defect(constant(0)); }},
       {"all scores of 4 positions are 2", [&] { toeplitz_r2(constant(2)); }},
       {"row 2 has a variance of nan", [&] { layer_norm(holed); }},
       {"all 2 eigenvalues are 0", [&] { effective_dimension(both_zero); }},
       {"a table: row 8123 holds a value that is not finite",
        [&] { read(with(rows, 8123, 2, no_number), 2); }},
       {"row 8123 has length 3e+19", [&] { read(with(rows, 8123, 2, 3e19)); }},
       {"a table: no rows", [&] { read(none); }},
       {"1 rows that are not 0", [&] { mean_cosine(read(leading_rows(a, 1))); }}});
  BOOST_TEST(toeplitz_defect(constant(2)) == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
