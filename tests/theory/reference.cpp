// Closed forms against mpmath, SciPy and NumPy: integrals, spectra and sums of what they stand for, and draws
// where nothing else is independent.

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

#include "perp/theory/angles.hpp"
#include "perp/theory/bag.hpp"
#include "perp/theory/bilinear.hpp"
#include "perp/theory/columns.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/theory/cost.hpp"
#include "perp/theory/dimension.hpp"
#include "perp/theory/distance.hpp"
#include "perp/theory/energy.hpp"
#include "perp/theory/information.hpp"
#include "perp/theory/layernorm.hpp"
#include "perp/theory/overlap.hpp"
#include "perp/theory/recovery.hpp"
#include "perp/theory/room.hpp"
#include "perp/theory/scores.hpp"
#include "tests/support/reference_table.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
using perp::test::reference_table;
using perp::test::relative;
using perp::test::within;
using Row = perp::test::ReferenceRow;
namespace tolerance = perp::tolerance;
using Columns = std::initializer_list<std::pair<const char*, double (*)(const Row&)>>;

namespace {

const auto closely = relative(tolerance::closed_form);
const auto inversely = relative(tolerance::inverse);

template <class Off>
void hold(const std::string& table, const Off& off, Columns columns) {
  for (const auto& [name, value] : columns) perp::test::check_reference("theory_" + table, name, value, off);
}

OverlapNull overlap(const Row& r) {
  return overlap_null(r.whole("d"), r["tr_a"], r["tr_a2"], r["tr_b"], r["tr_b2"]);
}
OverlapNull mean_angle(const Row& r) {
  return mean_cosine_squared_null(r.whole("d"), r.whole("k"), r.whole("r"));
}
std::vector<double> eigenvalues(const Row& r, const std::string& table) {
  std::vector<double> values;
  for (const char* i : {"0", "1", "2", "3", "4", "5"}) values.push_back(r[table + i]);
  return values;
}
LargestAngle largest(const Row& r) { return largest_angle(r.whole("d"), r.whole("k"), r.whole("r")); }
Expectation room(const Row& r) {
  return expect(r.whole("d"), r.whole("words"), r.whole("positions"), r["base"]);
}
Edges edges(const Row& r) { return wachter_edges(r["a"], r["b"]); }
std::vector<double> kernel(const Row& r) {
  std::vector<double> lags(r.whole("length"));
  std::iota(lags.begin(), lags.end(), 0.0);
  return kernel_exact(r.whole("d"), r["base"], lags);
}
FourShares tied(const Row& r) {
  return tied_shares(r.whole("d"), r.whole("words"), r["power"], kernel(r), r.whole("rank"));
}
FourShares four(const Row& r) { return four_shares({r["word_power"], 0}, {r["d"] / 2, r["square_mean"]}); }
Rival rival(const Row& r) { return {r["overlap"], r["mean_square"]}; }
RecoveryBounds positions(const Row& r) {
  return sinusoid_recovered(r.whole("d"), r.whole("positions"), r["base"], r["ratio"]);
}
Pentagon pentagon(const Row& r) {
  return white_pentagon(r.whole("d"), r["word_power"], r["position_power"], r["noise"]);
}
Rates rates(const Row& r) {
  return frequency_division(r.whole("d"), r["position"], r["word_power"], r["position_power"], r["noise"]);
}
BlockShape block(const Row& r) { return {r.whole("width"), r.whole("inner")}; }
ModelShape model(const Row& r) {
  return {r.whole("width"), r.whole("positions"), r.whole("blocks"),
          r.whole("words"), r.whole("length"),    r.whole("learned") == 1};
}
Joining joining(const Row& r) { return static_cast<Joining>(r.whole("joining")); }
double real(std::size_t n) { return static_cast<double>(n); }

}  // namespace

BOOST_AUTO_TEST_SUITE(theory_reference)

BOOST_AUTO_TEST_CASE(cosines_and_shares) {
  hold("cosine", closely,
       {{"density", [](const Row& r) { return cosine_density(r.whole("d"), r["c"]); }},
        {"cdf", [](const Row& r) { return cosine_cdf(r.whole("d"), r["c"]); }},
        {"cdf", [](const Row& r) { return 1 - cosine_cdf(r.whole("d"), -r["c"]); }},
        {"sd", [](const Row& r) { return cosine_sd(r.whole("d")); }}});
  hold("cosine", inversely, {{"c", [](const Row& r) { return cosine_quantile(r.whole("d"), r["cdf"]); }}});
  hold("cosine_tail", closely,
       {{"log_exceeds", [](const Row& r) { return cosine_log_exceeds(r.whole("d"), r["m"]); }}});
  hold("cosine_largest", inversely,
       {{"m", [](const Row& r) { return largest_cosine_quantile(r.whole("d"), r["pairs"], r["p"]); }}});
  hold("cosine_largest", relative(tolerance::extreme_value),
       {{"p", [](const Row& r) { return largest_cosine_cdf(r.whole("d"), r["pairs"], r["m"]); }}});
  hold("first_dimension", within(0),
       {{"d", [](const Row& r) { return real(first_dimension(r["m"], r["share"])); }}});
  hold("rademacher", closely,
       {{"atom", [](const Row& r) { return rademacher_atom(r.whole("d")); }},
        {"atom", [](const Row& r) { return 2 * rademacher_distance(r.whole("d")); }}});
  hold("energy", closely,
       {{"density", [](const Row& r) { return energy_density(r.whole("d"), r.whole("r"), r["x"]); }},
        {"cdf", [](const Row& r) { return energy_cdf(r.whole("d"), r.whole("r"), r["x"]); }},
        {"mean", [](const Row& r) { return energy_mean(r.whole("d"), r.whole("r")); }},
        {"sd", [](const Row& r) { return energy_sd(r.whole("d"), r.whole("r")); }}});
  hold("energy", inversely,
       {{"x", [](const Row& r) { return energy_quantile(r.whole("d"), r.whole("r"), r["cdf"]); }}});
}

BOOST_AUTO_TEST_CASE(overlaps_and_angles) {
  hold("overlap", inversely,
       {{"mean", [](const Row& r) { return overlap(r).mean; }},
        {"sd", [](const Row& r) { return overlap(r).sd; }}});
  hold("mean_angle", inversely,
       {{"mean", [](const Row& r) { return mean_angle(r).mean; }},
        {"sd", [](const Row& r) { return mean_angle(r).sd; }}});
  hold("least_overlap", within(tolerance::closed_form),
       {{"least", [](const Row& r) { return least_overlap(eigenvalues(r, "a"), eigenvalues(r, "b")); }},
        {"least", [](const Row& r) { return least_overlap(eigenvalues(r, "b"), eigenvalues(r, "a")); }}});
  hold("wachter", within(tolerance::closed_form),
       {{"lower", [](const Row& r) { return edges(r).lower; }},
        {"upper", [](const Row& r) { return edges(r).upper; }},
        {"atom", [](const Row& r) { return wachter_atom(r["a"], r["b"]); }}});
  hold("wachter", closely,
       {{"density", [](const Row& r) { return wachter_density(r["a"], r["b"], r["x"]); }},
        {"cdf", [](const Row& r) { return wachter_cdf(r["a"], r["b"], r["x"]); }}});
  hold("wachter", inversely,
       {{"x", [](const Row& r) { return wachter_quantile(r["a"], r["b"], r["cdf"]); }}});
  hold("largest_angle", closely,
       {{"mu", [](const Row& r) { return largest(r).mu; }},
        {"sigma", [](const Row& r) { return largest(r).sigma; }}});
  hold("largest_cosine", inversely, {{"square", [](const Row& r) {
                                        return largest_cosine_squared_quantile(r.whole("d"), r.whole("k"),
                                                                               r.whole("r"), r["p"]);
                                      }}});
  // A rule of three points beside the mean over the gamma law itself.
  hold("largest_cosine", within(3e-5),
       {{"mean",
         [](const Row& r) { return largest_cosine_expected(r.whole("d"), r.whole("k"), r.whole("r")); }}});
  for (const Row& r : reference_table("theory_largest_cosine_drawn")) {
    const std::size_t d = r.whole("d"), k = r.whole("k"), s = r.whole("r");
    BOOST_TEST(johnstone_applies(d, k, s));
    const double slack = tolerance::johnstone_mean * r["sd"],
                 median = std::sqrt(largest_cosine_squared_quantile(d, k, s, .5));
    BOOST_TEST(std::abs(largest_cosine_expected(d, k, s) - r["mean"]) < slack, r.place);
    BOOST_TEST(std::abs(largest_cosine_sd(d, k, s) - r["sd"]) < tolerance::johnstone_sd * r["sd"], r.place);
    BOOST_TEST(std::abs(median - r["median"]) < slack, r.place);
  }
  hold("largest_angle", closely, {{"sd", [](const Row& r) {
                                     const std::size_t d = r.whole("d"), k = r.whole("k"), s = r.whole("r");
                                     return k + s < d ? largest_cosine_sd(d, k, s)
                                                      : largest_cosine_sd(d, d - k, d - s);
                                   }}});
}

BOOST_AUTO_TEST_CASE(dimensions) {
  hold("sinusoid_dimension", inversely,
       {{"crowding",
         [](const Row& r) { return sinusoid_crowding(r.whole("positions"), r.whole("d"), r["base"]); }},
        {"line", [](const Row& r) { return sinusoid_r99(r.whole("positions"), r.whole("d"), r["base"]); }},
        {"centred_line",
         [](const Row& r) { return sinusoid_r99_centred(r.whole("positions"), r.whole("d"), r["base"]); }}});
  for (const Row& r : reference_table("theory_sinusoid_dimension")) {  // eigenvalues of the tables themselves
    const double bound = tolerance::sinusoid_dimension(r["crowding"]);
    BOOST_TEST(std::abs(sinusoid_r99(r.whole("positions"), r.whole("d"), r["base"]) - r["whole"]) < bound,
               r.place);
    BOOST_TEST(
        std::abs(sinusoid_r99_centred(r.whole("positions"), r.whole("d"), r["base"]) - r["centred"]) < bound,
        r.place);
  }
  for (const char* share : {"line", "share"})
    perp::test::check_reference(
        "theory_sinusoid_mean", share,
        [](const Row& r) { return sinusoid_mean_share(r.whole("positions"), r["base"]); },
        within(share[0] == 'l' ? tolerance::closed_form : .003));
  hold("room", inversely,
       {{"words_line", [](const Row& r) { return room(r).largest_words; }},
        {"position_line", [](const Row& r) { return room(r).largest_word_position; }},
        {"r99", [](const Row& r) { return room(r).r99; }},
        {"r99", [](const Row& r) { return r["d"] - room(r).free_dimensions; }},
        {"r99", [](const Row& r) { return r["d"] * room(r).word_energy; }},
        {"d", [](const Row& r) { return 1 / std::pow(room(r).chance_cosine, 2); }}});
}

BOOST_AUTO_TEST_CASE(kernels_and_rounding) {
  for (const Row& r : reference_table("theory_cosine_integral"))
    BOOST_TEST(std::abs(cosine_integral(r["x"]) - r["value"]) < tolerance::cosine_integral(r["x"]), r.place);
  hold("kernel", within(1e-11),
       {{"exact", [](const Row& r) { return kernel_exact(r.whole("d"), r["base"], r["lag"]); }}});
  hold("kernel", within(tolerance::closed_form),
       {{"limit", [](const Row& r) { return kernel_limit(r["base"], r["lag"]); }},
        {"finite", [](const Row& r) { return kernel_finite(r.whole("d"), r["base"], r["lag"]); }},
        {"alias_size", [](const Row& r) { return alias_size(r.whole("d"), r["base"]); }}});
  hold("kernel", closely,
       {{"log_line", [](const Row& r) { return kernel_log_line(r["base"], r["lag"]); }},
        {"alias_lag", [](const Row& r) { return alias_lag(r.whole("d"), r["base"]); }}});
  hold("rise", closely,
       {{"rise", [](const Row& r) { return real(first_rise(r.whole("d"), r["base"])); }},
        {"wavelength", [](const Row& r) { return last_wavelength(r.whole("d"), r["base"]); }}});
  hold("rounding", closely,
       {{"table_bound", [](const Row& r) { return table_rounding_bound(r.whole("d"), r["u"]); }},
        {"table_rms", [](const Row& r) { return table_rounding_rms(r.whole("d"), r["u"]); }},
        {"bound",
         [](const Row& r) {
           return angle_rounding_bound(r.whole("d"), r["base"], r["u"], r["t"], r["s"], r["roundings"]);
         }},
        {"line", [](const Row& r) { return angle_rounding_line(r.whole("d"), r["base"], r["u"], r["t"]); }},
        {"rms", [](const Row& r) { return angle_rounding_rms(r.whole("d"), r["base"], r["u"], r["t"]); }}});
  hold("shift", closely,
       {{"entry", [](const Row& r) { return shift_rounding_bound(r["t"], r["lag"]); }},
        {"far", [](const Row& r) { return shift_error_far(r.whole("d"), r["rank"]); }},
        {"sine_alone",
         [](const Row& r) { return sine_alone_shift_error(r.whole("d"), r["base"], r["lag"]); }}});
  hold("layernorm", closely,
       {{"along", [](const Row& r) { return sinusoid_mean_direction(r.whole("d"), r["base"], r["t"]); }}});
  // What is left of a difference of terms near 2.
  hold("layernorm", relative(1e-9),
       {{"change", [](const Row& r) { return normalised_cosine_change(r.whole("d")); }}});
}

BOOST_AUTO_TEST_CASE(columns_and_scores) {
  for (const Row& r : reference_table("theory_columns")) {
    const std::size_t length = r.whole("length");
    const double omega = r["omega"], bound = tolerance::column_moment(length);
    const ColumnMoments sine = sine_column(length, omega), cosine = cosine_column(length, omega);
    BOOST_TEST_CONTEXT(r.place) {
      BOOST_TEST(std::abs(sine.mean - r["sine_mean"]) < bound);
      BOOST_TEST(std::abs(sine.variance - r["sine_variance"]) < bound);
      BOOST_TEST(std::abs(cosine.mean - r["cosine_mean"]) < bound);
      BOOST_TEST(std::abs(cosine.variance - r["cosine_variance"]) < bound);
      BOOST_TEST(sine.variance >= 0);
      BOOST_TEST(std::abs(sine.mean_square() + cosine.mean_square() - 1) < bound);
      BOOST_TEST(std::abs(frequency_overlap(length, omega) - r["overlap"]) < tolerance::closed_form);
      BOOST_TEST(std::abs(std::abs(dirichlet_mean(length, omega)) - r["overlap"]) < tolerance::closed_form);
      if (length > 1 && omega > 0 && omega < 3.14)
        BOOST_TEST(std::abs(sine_cosine_overlap(length, omega) - r["cross"]) < tolerance::closed_form);
    }
  }
  hold("constant_share", inversely, {{"share", [](const Row& r) {
                                        return constant_share(r.whole("length"), r.whole("d"),
                                                              r.whole("first"), r.whole("last"), r["base"]);
                                      }}});
  hold("commutant", within(0), {{"dimension", [](const Row& r) {
                                   return real(commutant_dimension(r.whole("length"), r.whole("d")));
                                 }}});
  hold("scores", inversely,
       {{"random_lag", [](const Row& r) { return expected_for_random(kernel(r)).by_lag; }},
        {"random_all", [](const Row& r) { return expected_for_random(kernel(r)).all; }},
        {"tied_lag", [](const Row& r) { return expected_for_tied(kernel(r), r.whole("rank")).by_lag; }},
        {"tied_all", [](const Row& r) { return expected_for_tied(kernel(r), r.whole("rank")).all; }},
        {"word_word", [](const Row& r) { return tied(r).word_word; }},
        {"word_position", [](const Row& r) { return tied(r).word_position; }}});
  hold("four_shares", inversely,
       {{"word_word", [](const Row& r) { return four(r).word_word; }},
        {"word_position", [](const Row& r) { return four(r).word_position; }},
        {"position_position", [](const Row& r) { return four(r).position_position; }}});
}

BOOST_AUTO_TEST_CASE(words_recovered) {
  hold("recovered", within(tolerance::recovered),
       {{"share", [](const Row& r) { return recovered(r.whole("d"), r["words"], r["ratio"]); }}});
  const auto in_noise = [](const Row& r) {
    return recovered_in_noise(r.whole("d"), r["words"], r["ratio"], r["noise"]);
  };
  hold("recovered_in_noise", within(tolerance::recovered), {{"share", in_noise}});
  hold("recovered_drawn", [](double p) { return tolerance::hit_share(p, 100000); }, {{"share", in_noise}});
  hold("knee", relative(1e-7),
       {{"knee", [](const Row& r) { return recovery_knee(r.whole("d"), r["words"]); }},
        {"half", [](const Row& r) { return recovery_ratio(r.whole("d"), r["words"], .5); }}});
  hold("sinusoid_recovered", within(tolerance::recovered),
       {{"low", [](const Row& r) { return positions(r).low; }},
        {"high", [](const Row& r) { return positions(r).high; }}});
  for (const Row& r : reference_table("theory_sinusoid_recovered")) {
    const double slack = tolerance::hit_share(r["drawn"], 96000);
    BOOST_TEST((positions(r).low < r["drawn"] + slack && positions(r).high > r["drawn"] - slack), r.place);
  }
  const auto from_dimensions = [](const Row& r) {
    return word_from_dimensions(r.whole("k"), r.whole("words"), r["s"]);
  };
  hold("word_from_dimensions", within(tolerance::word_from_dimensions), {{"share", from_dimensions}});
  hold("word_from_drawn", [](double p) { return tolerance::hit_share(p, 200000); },
       {{"share", from_dimensions}});
  for (const Row& r : reference_table("theory_word_from_two"))
    BOOST_TEST(std::abs(word_from_dimensions(r.whole("k"), 2, r["s"]) - r["share"]) <
                   (r["k"] < 6 ? 1e-6 : tolerance::word_from_dimensions),
               r.place);
}

BOOST_AUTO_TEST_CASE(sums_read) {
  hold("matched_filter", within(1e-9), {{"share", [](const Row& r) {
                                           return matched_filter_share(
                                               r.whole("d"), r.whole("words"),
                                               std::vector<Rival>(r.whole("n") - 1, rival(r)),
                                               r.whole("random") == 1);
                                         }}});
  for (const Row& r : reference_table("theory_matched_filter")) {
    const std::size_t d = r.whole("d"), n = r.whole("n");
    BOOST_TEST(std::abs(stranger_variance(d, n) - r["stranger_variance"]) < 1e-15, r.place);
    if (n > 1)
      BOOST_TEST(
          std::abs(rival_variance(d, n, rival(r), r.whole("random") == 1) - r["rival_variance"]) < 1e-15,
          r.place);
  }
  hold("added_residual", within(tolerance::inverse),
       {{"residual", [](const Row& r) {
           return added_residual(r.whole("words"), r.whole("positions"), r.whole("d"), r["power"]);
         }}});
  hold("split_residual", within(tolerance::closed_form),
       {{"best",
         [](const Row& r) { return real(best_split(r.whole("words"), r.whole("positions"), r.whole("d"))); }},
        {"residual", [](const Row& r) {
           return split_residual(r.whole("words"), r.whole("positions"), r.whole("d") - r.whole("best"),
                                 r.whole("best"));
         }}});
  hold("singular_share", inversely,
       {{"share", [](const Row& r) { return largest_singular_share(r["fraction"]); }}});
  hold("least_singular", closely,
       {{"value", [](const Row& r) { return least_singular_value(r["cosine"]); }}});
  hold("bits", closely,
       {{"word", [](const Row& r) { return pentagon(r).word; }},
        {"positions", [](const Row& r) { return pentagon(r).position; }},
        {"both", [](const Row& r) { return pentagon(r).both; }},
        {"word_rate", [](const Row& r) { return rates(r).word; }},
        {"position_rate", [](const Row& r) { return rates(r).position; }}});
}

BOOST_AUTO_TEST_CASE(costs) {
  hold("block", within(0),
       {{"arrays", [](const Row& r) { return real(block_tensors(block(r)).size()); }},
        {"parameters", [](const Row& r) { return real(block_parameters(block(r))); }},
        {"operations", [](const Row& r) { return real(block_operations(block(r), r.whole("tokens"))); }},
        {"cache", [](const Row& r) { return real(block_cache(block(r))); }}});
  hold("model", within(0),
       {{"joined", [](const Row& r) { return real(joined_width(model(r), joining(r))); }},
        {"parameters", [](const Row& r) { return real(model_parameters(model(r), joining(r))); }},
        {"operations", [](const Row& r) { return real(model_operations(model(r), joining(r))); }}});
}

BOOST_AUTO_TEST_SUITE_END()
