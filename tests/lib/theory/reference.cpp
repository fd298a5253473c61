// Closed forms against mpmath, SciPy and NumPy: integrals, spectra and sums of what they stand for, and draws
// where nothing else is independent.

#include "tests/support/reference.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
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
    {"johnstone", "applies", exactly, of(johnstone_applies, {"d", "k", "r"})},
    {"largest_cosine", "sd", inversely, largest_sd},
    {"largest_cosine", "mean", within(tolerance::three_points), largest_mean},
    {"sinusoid_dimension", "line", inversely, r99},
    {"sinusoid_dimension", "centred_line", inversely, r99_centred},
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
    const std::size_t width = r.whole("width");
    BOOST_TEST(block_parameters(width) == r.whole("parameters"), r.place);
    BOOST_TEST(block_operations(width, r.whole("tokens")) == r.whole("operations"), r.place);
    BOOST_TEST(block_cache(width) == r.whole("cache"), r.place);
  }
  for (const Row& r : reference_table("theory_model")) {
    const ModelShape model{r.whole("width"), r.whole("positions"), r.whole("blocks"), r.whole("words")};
    const Joining joining = static_cast<Joining>(r.whole("joining"));
    BOOST_TEST(joined_width(model, joining) == r.whole("joined"), r.place);
    BOOST_TEST(model_parameters(model, joining) == r.whole("parameters"), r.place);
  }
}

BOOST_AUTO_TEST_SUITE_END()
