// Functions of tables against NumPy's and SciPy's: tests/reference/measures.py.

#include <boost/test/unit_test.hpp>

#include "perp/measures/bilinear.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/scores.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/measures/subspaces.hpp"
#include "tests/lib/measures/made.hpp"
#include "tests/support/reference_table.hpp"
#include "tests/support/waves.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

using Row = ReferenceRow;

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

BOOST_AUTO_TEST_CASE(dimensions_of_sinusoids) {
  const auto dimensions = [](const Row& row) -> std::vector<double> {
    const SinusoidSpectra both =
        sinusoid_spectra(made::frequencies(row.whole("d"), row["base"]), row.whole("n"));
    const EffectiveDimension of = effective_dimension(row["centred"] > 0 ? both.centred : both.uncentred);
    return {double(of.r90), double(of.r99), double(of.r999), of.stable_rank, of.participation_ratio};
  };
  check_columns("measures_sinusoid_spectra", {"r90", "r99", "r999", "stable_rank", "participation_ratio"},
                dimensions, relative(1e-8));
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
    return {fit.residual, fit.expected, targets.energy, fit.head(0, 0), fit.head(0, 1), fit.head(d - 1, 0)};
  };
  check_columns("measures_bilinear", {"residual", "expected", "energy", "head00", "head01", "last_first"},
                fitted, [](double wanted) { return tolerance::bilinear * std::max(1.0, wanted); });
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
