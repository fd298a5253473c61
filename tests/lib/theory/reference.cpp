// Closed forms against mpmath, SciPy and NumPy: integrals, spectra and sums of what they stand for, and draws
// where nothing else is independent; and what is refused, each with the words that tell what was wrong.

#include "tests/support/reference.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "perp/theory/bilinear.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/theory/cost.hpp"
#include "perp/theory/distance.hpp"
#include "perp/theory/reader.hpp"
#include "perp/theory/recovery.hpp"
#include "perp/theory/rotary_base.hpp"
#include "perp/theory/subspaces.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
using perp::test::call;
using perp::test::of;
using perp::test::reference_table;
using perp::test::relative;
using perp::test::within;
using Row = perp::test::ReferenceRow;
namespace tolerance = perp::tolerance;

namespace {

const auto closely = relative(tolerance::closed_form);
const auto nearly = within(tolerance::closed_form);
const auto inversely = relative(tolerance::inverse);
const auto exactly = within(0);

std::vector<double> eigenvalues(const Row& r, const std::string& table) {
  std::vector<double> values;
  for (const char* i : {"0", "1", "2", "3", "4", "5"}) values.push_back(r[table + i]);
  return values;
}
std::vector<double> kernel(const Row& r) {
  std::vector<double> lags(r.whole("length"));
  std::iota(lags.begin(), lags.end(), 0.0);
  return kernel_exact(r.whole("d"), r["base"], lags);
}
double first_negative(const Row& r) {
  const double lag = static_cast<double>(
      first_negative_lag(r.whole("d"), r["base"], r.whole("most"), r["tolerance"]).value_or(0));
  if (lag > 1)
    BOOST_TEST(!first_negative_lag(r.whole("d"), r["base"], r.whole("first") - 1, r["tolerance"]), r.place);
  return lag;
}
FourShares tied(const Row& r) {
  return tied_shares(r.whole("d"), r.whole("words"), r["power"], kernel(r), r.whole("rank"));
}
FourShares four(const Row& r) { return four_shares({r["word_power"], 0}, {r["d"] / 2, r["square_mean"]}); }
Rival rival(const Row& r) { return {r["overlap"], r["mean_square"]}; }
double beside(const Row& r) {
  return noise_beside(r["noise"], r["variance"], std::vector{r["first"], r["second"], r["third"]});
}
double filtered(const Row& r) {
  return matched_filter_share(r.whole("d"), r.whole("words"), std::vector<Rival>(r.whole("n") - 1, rival(r)),
                              r["random"] != 0);
}

const auto overlap = call(overlap_null, {"d", "tr_a", "tr_a2", "tr_b", "tr_b2"});
const auto largest = call(largest_angle, {"d", "k", "r"});
const auto exact_kernel = static_cast<double (*)(std::size_t, double, double)>(kernel_exact);
const perp::test::RowValue largest_mean = of(largest_cosine_expected, {"d", "k", "r"}),
                           largest_sd = of(largest_cosine_sd, {"d", "k", "r"}),
                           r99 = of(sinusoid_r99, {"positions", "d", "base"}),
                           r99_centred = of(sinusoid_r99_centred, {"positions", "d", "base"});

const perp::test::ReferenceEntry entries[] = {
    {"cosine", "density", closely, of(cosine_density, {"d", "c"})},
    {"cosine", "sd", closely, of(cosine_sd, {"d"})},
    {"cosine_tail", "log_exceeds", closely,
     [](const Row& r) { return std::log(cosine_exceeds(r.whole("d"), r["m"])); }},
    {"cosine_largest", "m", inversely, of(largest_cosine_quantile, {"d", "pairs", "p"})},
    {"first_dimension", "d", exactly, of(first_dimension, {"m", "share"})},
    {"overlap", "mean", inversely, of(overlap, &OverlapNull::mean)},
    {"overlap", "sd", inversely, of(overlap, &OverlapNull::sd)},
    {"least_overlap", "least", nearly,
     [](const Row& r) { return least_overlap(eigenvalues(r, "a"), eigenvalues(r, "b")); }},
    {"least_overlap", "least", nearly,
     [](const Row& r) { return least_overlap(eigenvalues(r, "b"), eigenvalues(r, "a")); }},
    {"largest_angle", "mu", closely, of(largest, &LargestAngle::mu)},
    {"largest_angle", "sigma", closely, of(largest, &LargestAngle::sigma)},
    {"johnstone", "applies", exactly, of(johnstone_applies, {"d", "k", "r"})},
    {"largest_cosine", "sd", inversely, largest_sd},
    {"largest_cosine", "mean", within(tolerance::three_points), largest_mean},
    {"sinusoid_dimension", "line", inversely, r99},
    {"sinusoid_dimension", "centred_line", inversely, r99_centred},
    {"sinusoid_mean", "line", nearly, of(sinusoid_mean_share, {"positions", "base"})},
    {"sinusoid_mean", "share", within(tolerance::mean_share_line),
     of(sinusoid_mean_share, {"positions", "base"})},
    {"kernel", "exact", within(tolerance::kernel_exact), of(exact_kernel, {"d", "base", "lag"})},
    {"kernel", "limit", nearly, of(kernel_limit, {"base", "lag"})},
    {"kernel", "finite", nearly, of(kernel_finite, {"d", "base", "lag"})},
    {"kernel", "log_line", closely, of(kernel_log_line, {"base", "lag"})},
    {"kernel", "alias_lag", closely, of(alias_lag, {"d", "base"})},
    {"kernel", "alias_size", closely, of(alias_size, {"d", "base"})},
    {"kernel_low", "first", exactly, first_negative},
    {"rise", "rise", exactly, of(first_rise, {"d", "base"})},
    {"rise", "wavelength", closely, of(last_wavelength, {"d", "base"})},
    {"rounding", "bound", closely, of(angle_rounding_bound, {"d", "base", "u", "t", "s"})},
    {"constant_share", "share", inversely, of(constant_share, {"length", "d", "first", "last", "base"})},
    {"scores", "word_word", inversely, of(tied, &FourShares::word_word)},
    {"scores", "word_position", inversely, of(tied, &FourShares::word_position)},
    {"four_shares", "word_word", inversely, of(four, &FourShares::word_word)},
    {"four_shares", "word_position", inversely, of(four, &FourShares::word_position)},
    {"four_shares", "position_position", inversely, of(four, &FourShares::position_position)},
    {"recovered", "share", within(tolerance::recovered), of(recovered, {"d", "words", "ratio"})},
    {"knee", "knee", closely, of(recovery_knee, {"d", "words"})},
    {"knee", "half", relative(tolerance::halved_ratio), of(recovery_ratio, {"d", "words", "share"})},
    {"matched_filter", "share", within(tolerance::bell), filtered},
    {"added_residual", "residual", within(tolerance::inverse),
     of(added_residual, {"words", "positions", "d", "power"})},
    {"split_residual", "best", exactly, of(best_split, {"words", "positions", "d"})},
    {"split_residual", "residual", nearly, of(split_residual, {"words", "positions", "word_width", "best"})},
    {"low_rank_residual", "residual", within(tolerance::inverse),
     of(low_rank_residual, {"rank", "positions", "d", "power", "flatness"})},
    {"noise_beside", "beside", closely, beside},
    {"noise_beside_random", "beside", inversely,
     of(noise_beside_random, {"noise", "d", "power", "other", "rows"})},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(theory_reference)

BOOST_AUTO_TEST_CASE(functions_of_a_rows_columns) { perp::test::check_entries("theory", entries); }

// The largest cosine of drawn subspaces, and eigenvalues of the sinusoid.
BOOST_AUTO_TEST_CASE(laws_beside_what_they_describe) {
  for (const Row& r : reference_table("theory_largest_cosine_drawn")) {
    const double slack = tolerance::johnstone_mean * r["sd"];
    BOOST_TEST(johnstone_applies(r.whole("d"), r.whole("k"), r.whole("r")));
    BOOST_TEST(std::abs(largest_mean(r) - r["mean"]) < slack, r.place);
    BOOST_TEST(std::abs(largest_sd(r) - r["sd"]) < tolerance::johnstone_sd * r["sd"], r.place);
  }
  for (const Row& r : reference_table("theory_sinusoid_dimension")) {
    const double bound = tolerance::sinusoid_dimension(r["crowding"]);
    BOOST_TEST((std::abs(r99(r) - r["whole"]) < bound && std::abs(r99_centred(r) - r["centred"]) < bound),
               r.place);
  }
}

// Two rows by an integral over their distance; many by drawn distances, whose error is five of their own at most.
BOOST_AUTO_TEST_CASE(bits_of_random_tables) {
  const auto bits = [](const Row& r) {
    return table_bits(r["codewords"], r.whole("d"), r["power"], r["noise"]);
  };
  for (const Row& r : reference_table("theory_table_bits"))
    BOOST_TEST(std::abs(bits(r) - r["bits"]) < tolerance::table_bits(r.whole("d")), r.place);
  for (const Row& r : reference_table("theory_table_bits_drawn"))
    BOOST_TEST(std::abs(bits(r) - r["bits"]) < 5 * r["error"], r.place);
}

BOOST_AUTO_TEST_CASE(columns_of_the_sinusoid) {
  for (const Row& r : reference_table("theory_cosine_integral"))
    BOOST_TEST(std::abs(cosine_integral(r["x"]) - r["value"]) < tolerance::cosine_integral(r["x"]), r.place);
  for (const Row& r : reference_table("theory_columns")) {
    const std::size_t length = r.whole("length");
    const double omega = r["omega"], bound = tolerance::column_moment(length);
    const ColumnMoments sine = sine_column(length, omega), cosine = cosine_column(length, omega);
    BOOST_TEST_CONTEXT(r.place) {
      BOOST_TEST(
          (std::abs(sine.mean - r["sine_mean"]) < bound && std::abs(cosine.mean - r["cosine_mean"]) < bound));
      BOOST_TEST((sine.variance >= 0 && std::abs(sine.variance - r["sine_variance"]) < bound));
      BOOST_TEST(std::abs(cosine.variance - r["cosine_variance"]) < bound);
      BOOST_TEST(std::abs(sine.mean_square() + cosine.mean_square() - 1) < bound);
      BOOST_TEST(std::abs(std::abs(dirichlet_mean(length, omega)) - r["overlap"]) < tolerance::closed_form);
    }
  }
}

BOOST_AUTO_TEST_CASE(costs) {
  for (const Row& r : reference_table("theory_block")) {
    const BlockShape block{r.whole("width"), r.whole("inner")};
    BOOST_TEST(block_parameters(block) == r.whole("parameters"), r.place);
    BOOST_TEST(block_operations(block, r.whole("tokens")) == r.whole("operations"), r.place);
    BOOST_TEST(block_cache(block) == r.whole("cache"), r.place);
  }
  for (const Row& r : reference_table("theory_model")) {
    const ModelShape model{r.whole("width"), r.whole("positions"), r.whole("blocks"), r.whole("words")};
    const Joining joining = static_cast<Joining>(r.whole("joining"));
    BOOST_TEST(joined_width(model, joining) == r.whole("joined"), r.place);
    BOOST_TEST(model_parameters(model, joining) == r.whole("parameters"), r.place);
  }
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

using Numbers = std::vector<double>;

/// T{values…}; braces inside of an entry would be formatted over five lines.
template <class T, class... Values>
T of(Values... values) {
  return T{values...};
}

std::vector<Rival> rivals(double overlap, double mean_square) { return {{overlap, mean_square}}; }

const std::vector<perp::test::Refusal> refusals{
    {"cosine_density: dimension 1 given, expected 2 to 1000000000", [] { cosine_density(1, 0); }},
    {"cosine_density: the cosine is not a number", [] { cosine_density(4, nan); }},
    {"cosine_exceeds: dimension 2000000000 given", [] { cosine_exceeds(2000000000, .5); }},
    {"cosine_exceeds: bound -0.5 given, expected 0 to 1", [] { cosine_exceeds(4, -.5); }},
    {"cosine_sd: dimension 1 given", [] { cosine_sd(1); }},
    {"largest_cosine_quantile: dimension 1 given", [] { largest_cosine_quantile(1, 4, .5); }},
    {"largest_cosine_quantile: 0 pairs given", [] { largest_cosine_quantile(4, 0, .5); }},
    {"inf pairs given", [] { largest_cosine_quantile(4, infinity, .5); }},
    {"probability 1 given, expected between 0 and 1", [] { largest_cosine_quantile(4, 4, 1); }},
    {"first_dimension: bound 0 given, expected between 0 and 1", [] { first_dimension(0, .5); }},
    {"first_dimension: share 1 given, expected between 0 and 1", [] { first_dimension(.5, 1); }},
    {"takes more than 10^9 dimensions", [] { first_dimension(1e-6, .9); }},
    {"2 eigenvalues of A and 1 of B", [] { least_overlap(of<Numbers>(1., 2.), of<Numbers>(1.)); }},
    {"no eigenvalue of B is above 0", [] { least_overlap(of<Numbers>(1., 2.), of<Numbers>(0., -1.)); }},
    {"an eigenvalue of A is nan", [] { least_overlap(of<Numbers>(1., nan), of<Numbers>(1., 1.)); }},
    {"overlap_null: dimension 1 given, expected at least 2", [] { overlap_null(1, 1, 1, 1, 1); }},
    {"overlap_skewness: dimension 1 given, expected at least 2", [] { overlap_skewness(1, {}, {}); }},
    {"overlap_null: tr A is -1, expected 0 or more", [] { overlap_null(4, -1, 1, 1, 1); }},
    {"overlap_null: tr B is nan", [] { overlap_null(4, 1, .5, nan, 1); }},
    {"overlap_null: tr A^2 is 0.2, expected 0.25 to 1", [] { overlap_null(4, 1, .2, 1, 1); }},
    {"overlap_null: tr B^2 is 1.5, expected 0.25 to 1", [] { overlap_null(4, 1, .5, 1, 1.5); }},
    {"largest_angle: subspaces of 0 and 3", [] { largest_angle(8, 0, 3); }},
    {"largest_angle: subspaces of 9 and 3 dimensions in 8, expected 1 to d", [] { largest_angle(8, 9, 3); }},
    {"largest_angle: k + r = 40 + 24 = d, where the law does not hold", [] { largest_angle(64, 40, 24); }},
    {"largest_angle: one subspace is all of the 64 dimensions", [] { largest_angle(64, 64, 24); }},
    {"largest_cosine_expected: subspaces of 0 and 9", [] { largest_cosine_expected(64, 0, 9); }},
    {"largest_cosine_sd: subspaces of 65 and 9", [] { largest_cosine_sd(64, 65, 9); }},
    {"sinusoid_r99: 0 positions given, expected at least 1", [] { sinusoid_r99(0, 64, 1e4); }},
    {"sinusoid_r99: dimension 63 given, expected an even number", [] { sinusoid_r99(8, 63, 1e4); }},
    {"sinusoid_r99: dimension 0 given", [] { sinusoid_r99(8, 0, 1e4); }},
    {"sinusoid_r99: base 1 given, expected above 1", [] { sinusoid_r99(8, 64, 1); }},
    {"sinusoid_r99: base inf given", [] { sinusoid_r99(8, 64, infinity); }},
    {"sinusoid_r99_centred: 0 positions given", [] { sinusoid_r99_centred(0, 64, 1e4); }},
    {"sinusoid_mean_share: 0 positions given", [] { sinusoid_mean_share(0, 1e4); }},
    {"kernel_exact: dimension 7 given, expected an even number", [] { kernel_exact(7, 1e4, 1); }},
    {"kernel_exact: base 1 given, expected above 1", [] { kernel_exact(8, 1, 1); }},
    {"kernel_exact: lag nan given", [] { kernel_exact(8, 1e4, nan); }},
    {"kernel_limit: base nan given", [] { kernel_limit(nan, 1); }},
    {"kernel_limit: lag 1e+300 given", [] { kernel_limit(1e4, 1e300); }},
    {"lag 0 given, expected another", [] { kernel_log_line(1e4, 0); }},
    {"kernel_finite: dimension 0 given", [] { kernel_finite(0, 1e4, 1); }},
    {"cosine_integral: argument 0 given, expected above 0", [] { cosine_integral(0); }},
    {"alias_lag: dimension 3", [] { alias_lag(3, 1e4); }},
    {"alias_size: base 0.5", [] { alias_size(4, .5); }},
    {"base 1 given", [] { first_rise(4, 1); }},
    {"last_wavelength: dimension 5", [] { last_wavelength(5, 1e4); }},
    {"positions nan and 1", [] { angle_rounding_bound(4, 10, .1, nan, 1); }},
    {"toeplitz_null: length 1", [] { toeplitz_null(1); }},
    {"words with mean square 1 and", [] { four_shares(of<Power>(1., 2.), of<Power>(1., 0.)); }},
    {"positions with mean square nan", [] { four_shares(of<Power>(1., 0.), of<Power>(nan, 0.)); }},
    {"neither words nor positions vary", [] { four_shares(of<Power>(1., 1.), of<Power>(1., 1.)); }},
    {"BaseSieve: dimension 7 given, expected an even number", [] { BaseSieve(7, of<BaseRange>(2., 3.)); }},
    {"bases from 1 to 3 given, expected a range above 1", [] { BaseSieve(8, of<BaseRange>(1., 3.)); }},
    {"BaseSieve: bases from 3 to 2", [] { BaseSieve(8, of<BaseRange>(3., 2.)); }},
    {"BaseSieve: lag 0 given, expected 1 to", [] { BaseSieve(8, of<BaseRange>(2., 3.)).take_out(0); }},
    {"BaseSieve: lag 1048577 given", [] { BaseSieve(8, of<BaseRange>(2., 3.)).take_out(1048577); }},
    {"first_negative_lag: dimension 0 given", [] { first_negative_lag(0, 2, 5); }},
    {"first_negative_lag: base 1 given, expected above 1", [] { first_negative_lag(8, 1, 5); }},
    {"first_negative_lag: tolerance -1 given", [] { first_negative_lag(8, 2, 5, -1); }},
    {"base_estimate: dimension 9 given", [] { base_estimate(9, 100); }},
    {"base_estimate: lag 0 given", [] { base_estimate(8, 0); }},
    {"length 0", [] { sine_column(0, 0.1); }},
    {"-0.1", [] { cosine_column(4, -0.1); }},
    {"nan", [] { cosine_column(4, nan); }},
    {"7", [] { dirichlet_mean(4, 7); }},
    {"columns 6:7 given of 6", [] { sinusoid_column(4, 6, 6, 1e4); }},
    {"dimension 5", [] { sinusoid_column(4, 5, 0, 1e4); }},
    {"columns 3:3", [] { constant_share(4, 6, 3, 3, 1e4); }},
    {"base 1", [] { constant_share(4, 6, 0, 6, 1); }},
    {"zero", [] { constant_share(1, 6, 0, 1, 1e4); }},
    {"dimension 1 given, expected 2", [] { recovered(1, 10, 1); }},
    {"0.5 words given, expected at least 1", [] { recovered(8, 0.5, 1); }},
    {"nan words given", [] { recovered(8, nan, 1); }},
    {"a ratio of -1 given, expected 0 or more", [] { recovered(8, 10, -1); }},
    {"a ratio of nan given", [] { recovered(8, 10, nan); }},
    {"1 words given, expected more than 1", [] { recovery_knee(8, 1); }},
    {"a share of 0.05 among 10 words given", [] { recovery_ratio(8, 10, 0.05); }},
    {"a share of 1 among 10 words given", [] { recovery_ratio(8, 10, 1); }},
    {"overlap 1.2", [] { matched_filter_share(8, 9, rivals(1.2, 1), true); }},
    {"overlap nan", [] { matched_filter_share(8, 9, rivals(nan, 1), true); }},
    {"mean square 0.2", [] { matched_filter_share(8, 9, rivals(0.5, 0.2), true); }},
    {"dimension 0 given", [] { matched_filter_share(0, 9, rivals(0, 1), true); }},
    {"2 words in the sum, of 1", [] { matched_filter_share(8, 1, std::vector<Rival>(1), true); }},
    {"0 words", [] { unpaired_share(0); }},
    {"0 words and 3 positions", [] { added_residual(0, 3, 4, 1); }},
    {"3 of 2 kept", [] { expected_residual(3, 2); }},
    {"0 of 0 kept", [] { expected_residual(0, 0); }},
    {"3 words and 0 positions", [] { added_residual(3, 0, 4, 1); }},
    {"dimension 0", [] { added_residual(3, 3, 0, 1); }},
    {"power nan", [] { added_residual(3, 3, 4, nan); }},
    {"0 words", [] { split_residual(0, 1, 2, 2); }},
    {"1 dimensions", [] { best_split(3, 3, 1); }},
    {"1.5", [] { smooth_residual(1, 1.5, 0); }},
    {"power 0", [] { low_rank_residual(3, 3, 4, 0, 1); }},
    {"table_bits: noise 0", [] { table_bits(4, 8, 1, 0); }},
    {"power 1 in 1 dimensions", [] { table_bits(4, 1, 1, 1); }},
    {"table_bits: 0.5 codewords", [] { table_bits(0.5, 8, 1, 1); }},
    {"noise 1, variance 1, 0 eigenvalues", [] { noise_beside(1, 1, std::span<const double>{}); }},
    {"power 1 beside 1 rows", [] { noise_beside_random(1, 8, 1, 1, 1); }},
    {"dimension 15; expected 16 to 16384", [] { cost_of_adding(15, 4, 4, 0.9); }},
    {"1 words; expected 2", [] { cost_of_adding(16, 1, 4, 0.9); }},
    {"100000001 positions", [] { cost_of_adding(16, 4, 100'000'001, 0.9); }},
    {"1 of the bits carried", [] { cost_of_adding(16, 4, 4, 1); }},
    {"0 features of 4 rows, 4 positions; expected 1",
     [] {
       cost_of_stream({16, 0, 4, 4}, 0.9);
     }},
    {"1 features of 1 rows",
     [] {
       cost_of_stream({16, 1, 1, 4}, 0.9);
     }},
    {"8 tables in 15 dimensions; expected 2 for each",
     [] {
       cost_of_stream({15, 7, 4, 4}, 0.9);
     }},
    {"1 of the bits carried",
     [] {
       cost_of_stream({16, 1, 4, 4}, 1);
     }},
    {"0 dimensions, 2 words", [] { law_of_adding(0, 2, 2); }},
    {"8 dimensions, 1 words", [] { law_of_adding(8, 1, 2); }},
    {"width 0", [] { block_parameters(of<BlockShape>(0u, 4u)); }},
    {"inner width 0", [] { block_operations(of<BlockShape>(4u, 0u), 3); }},
    {"width 0", [] { block_cache(of<BlockShape>(0u, 0u)); }},
    {"width 0", [] { model_parameters(of<ModelShape>(0u, 4u), Joining::added); }},
    {"positions of width 0", [] { model_parameters(of<ModelShape>(8u, 0u), Joining::appended); }},
    {"8 of 8", [] { model_parameters(of<ModelShape>(8u, 8u), Joining::divided); }},
    {"9 of 8", [] { joined_width(of<ModelShape>(8u, 9u), Joining::divided); }},
    {"9", [] { to_text(static_cast<Joining>(9)); }},
    {"a kernel of 1 lags, expected at least 2", [] { square_mean(of<Numbers>(1.0)); }},
    {"tied weights of rank 0, expected at least 1", [] { tied_shares(4, 5, 1, of<Numbers>(1.0, 0.5), 0); }},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(theory_refusals)

BOOST_AUTO_TEST_CASE(each_in_its_words) { perp::test::check_refusals(refusals); }

BOOST_AUTO_TEST_SUITE_END()
