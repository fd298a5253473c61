// Functions of tables against NumPy's and SciPy's: tests/reference/measures.py; and what the measures do not take.

#include "tests/support/reference.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bag.hpp"
#include "perp/measures/bilinear.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/information.hpp"
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

namespace {

using Doubles = std::vector<double>;
using Numbers = std::vector<std::uint32_t>;

constexpr double infinity = std::numeric_limits<double>::infinity(),
                 no_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
Matrix<T> with(Matrix<T> m, std::size_t i, std::size_t j, double value) {
  m(i, j) = static_cast<T>(value);
  return m;
}

const Matrix<float> a = made::normal<float>(5, 4, 1), narrow = made::normal<float>(5, 3, 2),
                    none = zeros<float>(0, 4), longer = made::normal<float>(6, 4, 3),
                    broken = with(a, 2, 1, no_number), odd = zeros<float>(5, 7);
const Matrix<double> x = made::normal<double>(5, 4, 1), thin = made::normal<double>(5, 3, 2),
                     square = made::normal<double>(4, 4, 3), five = made::normal<double>(5, 5, 4),
                     void_ = zeros<double>(0, 4), holed = with(x, 2, 3, no_number),
                     zero = zeros<double>(5, 4);

LagStatistics constant(double value) {
  const ScoreTile<double> tile = [value](std::size_t r0, std::size_t r1, std::size_t c0, std::size_t c1,
                                         double* out) { std::fill_n(out, (r1 - r0) * (c1 - c0), value); };
  return lag_statistics_of<double>(4, false, tile, 1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_refusals)

BOOST_AUTO_TEST_CASE(of_angles_and_cosines) {
  const Matrix<double> three = leading_rows(x, 3), two = leading_rows(made::normal<double>(5, 4, 9), 2);
  Matrix<double> dependent = three;
  for (std::size_t j = 0; j < 4; ++j) dependent(2, j) = dependent(0, j) - dependent(1, j);
  const std::vector<std::size_t> zeroth{0}, first{1}, fifth{5};
  check_refusals(
      {{"a is 3 x 4, b is 5 x 3", [&] { principal_cosines(three, thin); }},
       {"b is 5 x 4; 1 to 4 rows", [&] { principal_cosines(three, x); }},
       {"a is 0 x 4", [&] { principal_cosines(void_, three); }},
       {"the 3 rows of a (4 dimensions) are dependent", [&] { principal_cosines(dependent, two); }},
       {"the 3 rows of b", [&] { principal_cosines(two, dependent); }},
       {"entry (1, 2) of b is nan", [&] { principal_cosines(two, with(dependent, 1, 2, no_number)); }},
       {"4 x 4 and 2 x 4", [&] { principal_cosines_nested<double>(square, two, first, first); }},
       {"rank of 0 in 4", [&] { principal_cosines_nested<double>(square, square, zeroth, first); }},
       {"rank of 5 in 4", [&] { principal_cosines_nested<double>(square, square, first, fifth); }},
       {"a is 5 x 4, b is 5 x 3", [&] { cosines_between(a, narrow, 10, 1); }},
       {"no pairs in tables of 0 and 5", [&] { cosines_between(none, a, 10, 1); }},
       {"a is 5 x 4, b is 5 x 3", [&] { table_overlap(a, narrow); }},
       {"empty table, 0 x 4", [&] { table_overlap(none, a); }},
       {"words are 5 x 4, the basis 5 x 3", [&] { energy_inside(a, narrow); }},
       {"orthonormal rows were expected", [&] { energy_inside(a, a); }},
       {"row 2 of the 5 x 4 table", [&] { unit_rows(broken); }},
       {"row 2 of the 5 x 4 table", [&] { cosines_between(broken, a, 10, 1); }},
       {"row 2 of the 5 x 4 table", [&] { max_abs_cosine_between(block(a, 0, 2), broken, 1); }}});
}

BOOST_AUTO_TEST_CASE(of_bags) {
  std::vector<float> out(4), seven(7);
  check_refusals(
      {{"keys of 7", [&] { bag_of(a, Numbers{0}, odd, Binding::sum, out); }},
       {"room for 7", [&] { bag_of(a, Numbers{0}, a, Binding::sum, seven); }},
       {"word 5 chosen of 5", [&] { bag_of(a, Numbers{5}, a, Binding::sum, out); }},
       {"6 words and keys for 5", [&] { bag_of(a, Numbers(6, 0), a, Binding::sum, out); }},
       {"7 numbers cannot be turned", [&] { bag_of(odd, Numbers{0}, odd, Binding::rotate, seven); }},
       {"7 numbers cannot be turned", [&] { unbind(seven, row(odd, 0), Binding::rotate, seven); }},
       {"keys of 7", [&] { unbind(out, row(odd, 0), Binding::sum, out); }},
       {"room for 7", [&] { unbind(out, row(a, 0), Binding::sum, seven); }},
       {"no overlap", [&] { key_overlap(row(a, 0), row(a, 1), Binding::sum); }},
       {"keys of 7", [&] { key_overlap(row(a, 0), row(odd, 1), Binding::product); }}});
}

BOOST_AUTO_TEST_CASE(of_bilinear_fits) {
  const BilinearTargets good = bilinear_targets(five, 3);
  check_refusals({{"entry (2, 3)", [&] { bilinear_targets(with(five, 2, 3, no_number), 3); }},
                  {"5 x 3 targets", [&] { bilinear_targets(thin, 3); }},
                  {"5 words and 0 positions", [&] { bilinear_targets(five, 5); }},
                  {"all sums are 0", [&] { bilinear_targets(zeros<double>(5, 5), 3); }},
                  {"4 x 4 table", [&] { bilinear_fit(square, good); }},
                  {"every sum is 0", [&] { bilinear_fit(zero, good); }},
                  {"0 words", [&] { whitened_rows(thin, 0); }}});
}

BOOST_AUTO_TEST_CASE(of_decoders) {
  const Numbers few{0}, five_of{0, 1, 2, 3, 9}, ninth{9};
  const auto read_out = [](const Matrix<double>& in, const Matrix<double>& out, const Matrix<double>& test,
                           double ridge) {
    return read_out_r2({in, out}, {test, x}, ridge);
  };
  Matrix<double> twins = x;
  for (std::size_t i = 0; i < 5; ++i) twins(i, 1) = twins(i, 0);
  const Matrix<double> one = leading_rows(x, 1);
  const Matrix<float> single = leading_rows(a, 1), all_zero = zeros<float>(5, 4);
  check_refusals(
      {{"queries are 5 x 3, words 5 x 4", [&] { nearest_words(narrow, a); }},
       {"a table of 0 words", [&] { nearest_words(a, none); }},
       {"row 2 of the 5 x 4 queries is not finite", [&] { nearest_words(broken, a); }},
       {"row 2 of the 5 x 4 words is not finite", [&] { nearest_words(a, broken); }},
       {"index 9 into a table of 5 rows", [&] { found_between(a, a, five_of, a, few); }},
       {"1 indices for 5 queries", [&] { found_between(a, a, few, a, few); }},
       {"index 9 into a table of 5 rows", [&] { found_between(single, a, few, a, ninth); }},
       {"5 indices for 1 queries", [&] { found_between(single, a, few, a, five_of); }},
       {"the basis 5 x 3", [&] { project_out(a, narrow); }},
       {"expected orthonormal rows", [&] { project_out(a, a); }},
       {"row 2 of the 5 x 4 table is not finite", [&] { project_out(broken, none); }},
       {"1 answers to 5 questions", [&] { count_hits(few, five_of); }},
       {"5 inputs with 1 targets", [&] { read_out(x, one, x, 0); }},
       {"1 inputs with 1 targets", [&] { read_out(one, one, x, 0); }},
       {"learned from 4 columns for 4 targets, tested on 3 for 4", [&] { read_out(x, x, thin, 0); }},
       {"a ridge of -1", [&] { read_out(x, x, x, -1); }},
       {"is singular at ridge 0", [&] { read_out(twins, x, x, 0); }},
       {"column 3 of a 5 x 4 table is not finite", [&] { read_out(holed, x, x, 0); }},
       {"4 known classes", [&] { linear_classes(a, Numbers(4), a, 1); }},
       {"5 x 3 queries", [&] { linear_classes(a, Numbers(5), narrow, 1); }},
       {"1 x 4 examples", [&] { linear_classes(single, Numbers(1), a, 1); }},
       {"a ridge of 0", [&] { linear_classes(a, Numbers(5), a, 0); }},
       {"singular", [&] { linear_classes(all_zero, Numbers(5), a, 1); }},
       {"column 1", [&] { linear_classes(broken, Numbers(5), a, 1); }},
       {"row 2", [&] { linear_classes(a, Numbers(5), broken, 1); }}});
}

BOOST_AUTO_TEST_CASE(of_information) {
  using Sent = std::vector<std::size_t>;
  const CodeProducts code = code_products(a, longer, Sent(6, 0)), fewer = code_products(a, a, Sent(5, 0)),
                     other = code_products(longer, longer, Sent(6, 0));
  const CrossTable cross = cross_table(a, a), wrong = cross_table(longer, a);
  const Scales no_word{0, 1}, backwards{1, -1};
  const auto grown = [](CodeProducts products, const CodeProducts& more) { append_columns(products, more); };
  check_refusals(
      {{"none of them may be empty", [&] { code_products(none, a, Sent(5, 0)); }},
       {"code_products: table is 5 x 3", [&] { code_products(narrow, a, Sent(5, 0)); }},
       {"2 rows sent", [&] { code_products(a, a, Sent(2, 0)); }},
       {"row 5 sent of a table of 5", [&] { code_products(a, a, Sent(5, 5)); }},
       {"cross_table: words are 5 x 4, positions 5 x 3", [&] { cross_table(a, narrow); }},
       {"cross_table: words are 0 x 4", [&] { cross_table(none, a); }},
       {"single_negative_log_likelihoods: noise 0", [&] { single_negative_log_likelihoods(code, 0); }},
       {"noise -1", [&] { single_negative_log_likelihoods(code, -1); }},
       {"scale 0", [&] { single_negative_log_likelihoods(code, 1, 0); }},
       {"scale -2", [&] { single_negative_log_likelihoods(code, 1, -2); }},
       {"0 samples", [&] { single_negative_log_likelihoods({}, 1); }},
       {"scales 0 and 1", [&] { added_negative_log_likelihoods(code, code, cross, 1, no_word); }},
       {"scales 1 and -1", [&] { added_negative_log_likelihoods(code, code, cross, 1, backwards); }},
       {"added_negative_log_likelihoods: noise 0",
        [&] { added_negative_log_likelihoods(code, code, cross, 0); }},
       {"6 samples of words, 5 of positions", [&] { added_negative_log_likelihoods(code, fewer, cross, 1); }},
       {"cross table is 6 x 5", [&] { added_negative_log_likelihoods(code, code, wrong, 1); }},
       {"cross table is 6 x 5", [&] { added_negative_log_likelihoods_one_by_one(code, code, wrong, 1); }},
       {"expected the same ones", [&] { grown(code, other); }},
       {"append_columns: 0 samples", [&] { grown({}, code); }},
       {"append_columns: 0 samples", [&] { grown(code, {}); }},
       {"shared_bits: 1 samples", [&] { shared_bits(std::vector<NegativeLogLikelihood>(1), 2, 2); }},
       {"channel_bits: 1 samples", [&] { channel_bits(Doubles{1}, 2); }}});
}

BOOST_AUTO_TEST_CASE(of_kernels_and_scores) {
  const Matrix<float> endless = with(a, 3, 1, infinity);
  check_refusals({{"a is 5 x 4, b is 5 x 3", [&] { lag_statistics(a, narrow, 1); }},
                  {"a is 5 x 4, b is 6 x 4", [&] { lag_statistics(a, longer, 1); }},
                  {"an empty table, 0 x 4", [&] { lag_statistics(none, 1); }},
                  {"lag -5 was asked for of 5 positions", [&] { lag_statistics(a, a, 1).at(-5); }},
                  {"row 3 of the 5 x 4 table a", [&] { lag_statistics(endless, 1); }},
                  {"row 2 of the 5 x 4 table a", [&] { lag_statistics(broken, broken, 1); }},
                  {"not finite or too large", [&] { lag_statistics(with(a, 3, 1, 3e38), 1); }},
                  {"all scores of 4 positions are 0", [&] { toeplitz_defect(constant(0)); }},
                  {"all scores of 4 positions are 2", [&] { toeplitz_r2(constant(2)); }},
                  {"words of 3 dimensions, positions of 4", [&] { four_terms(thin, x, square); }},
                  {"a 5 x 5 matrix", [&] { four_terms(x, x, five); }},
                  {"a is 5 x 4, b is 5 x 3", [&] { score_r2(x, thin); }},
                  {"an empty table, 0 x 4", [&] { four_terms(void_, x, square); }},
                  {"column 3 of the 5 x 4 table has a mean of nan", [&] { four_terms(x, holed, square); }}});
  BOOST_TEST(toeplitz_defect(constant(2)) == 0.0);
}

BOOST_AUTO_TEST_CASE(of_layer_norm) {
  const Doubles three(3, 1), four(4, 1), bad{1, 1, infinity, 1};
  check_refusals({{"3 values of gain for rows of 4", [&] { layer_norm(x, three); }},
                  {"3 values of bias for rows of 4", [&] { layer_norm(x, four, three); }},
                  {"the bias of dimension 2 is inf", [&] { layer_norm(x, four, bad); }},
                  {"epsilon 0; expected above 0", [&] { layer_norm(x, {}, {}, 0); }},
                  {"no dimension", [&] { layer_norm(View<double>(x.data(), 5, 0, 4)); }},
                  {"row 2 has a variance of nan", [&] { layer_norm(holed); }}});
}

BOOST_AUTO_TEST_CASE(of_spectra) {
  const auto column = [](std::size_t, std::span<double>) {};
  const Doubles both_zero{0, 0}, up{1, 2}, negative{1, -1}, below_zero{1, -2}, fast{0.5, 3.2}, ok{1};
  check_refusals(
      {{"all 0 eigenvalues are 0", [&] { effective_dimension({}); }},
       {"all 2 eigenvalues are 0", [&] { effective_dimension(both_zero); }},
       {"eigenvalue 1 of 2 is 2 after 1", [&] { effective_dimension(up); }},
       {"eigenvalue 1 of 2 is -1", [&] { effective_dimension(negative); }},
       {"0 x 4", [&] { spectrum(void_, Centring::as_is); }},
       {"entry (2, 3) of the 5 x 4 table is nan", [&] { spectrum(holed, Centring::as_is); }},
       {"column 3 of the 5 x 4", [&] { spectrum(holed, Centring::centred); }},
       {"empty diagonal", [&] { low_rank_eigenvalues({}, column, 0.1); }},
       {"tolerance 1.5", [&] { low_rank_eigenvalues({1}, column, 1.5); }},
       {"entry 1 of the diagonal of 2 is -2", [&] { low_rank_eigenvalues(below_zero, column, 0.1); }},
       {"0 frequencies, 3 positions", [&] { sinusoid_spectra({}, 3); }},
       {"1 frequencies, 0 positions", [&] { sinusoid_spectra(ok, 0); }},
       {"frequency 1 is 3.2", [&] { sinusoid_spectra(fast, 3); }},
       {"6 of 5 directions", [&] { leading_directions(five, 6); }},
       {"0 of 5 directions", [&] { leading_directions(five, 0); }}});
}

BOOST_AUTO_TEST_CASE(of_tables_that_stream) {
  const auto read = [](const Matrix<float>& table, std::size_t threads = 1, View<float> against = {}) {
    return stream_table(stream_of(table, "a table"), {threads, against, 0});
  };
  const Matrix<float> rows = made::normal<float>(9000, 5, 1), bad = with(rows, 8123, 2, no_number);
  check_refusals({{"a table: row 8123 holds a value that is not finite", [&] { read(bad, 1); }},
                  {"a table: row 8123 holds a value that is not finite", [&] { read(bad, 2); }},
                  {"row 8123 has length 3e+19", [&] { read(with(rows, 8123, 2, 3e19)); }},
                  {"a table: no rows", [&] { read(none); }},
                  {"a table: rows of 5 numbers beside rows of 4", [&] { read(rows, 1, a); }},
                  {"1 rows that are not 0", [&] { mean_cosine(read(leading_rows(a, 1))); }}});
}

BOOST_AUTO_TEST_SUITE_END()
