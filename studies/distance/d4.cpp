// D4: why sine and cosine: what becomes of the products and of the shift with sines alone, at equal width.
// Sines alone: p_t,i = sin(T^(-i/d) t), i = 0 … d-1.

#include <cmath>

#include "perp/measures/kernel.hpp"
#include "perp/measures/shift.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/encoding.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

using Sizes = std::vector<std::size_t>;

/// Singular values of a table up to this share of the largest do not enter its best shift map.
constexpr double sine_cutoff = 1e-12;
/// Defects and errors above this are no rounding and no detail.
constexpr double clear = 0.1;
constexpr const char* tables[] = {"sine_only", "sinusoidal"};
const Sizes law_lengths = doubling(64, 2048);

struct Range {
  std::string measure, encoding;
  std::size_t d, l;
};
PERP_ROW(Range, measure, encoding, d, l)
struct Defect : Range {
  double defect, line, worst, bound, start;
};
PERP_ROW_OF(Defect, Range, defect, line, worst, bound, start)
struct Lag : Range {
  std::size_t lag;
};
PERP_ROW_OF(Lag, Range, lag)
struct Shift : Lag {
  std::size_t rank;
  double start_error, rest_error, line;
};
PERP_ROW_OF(Shift, Lag, rank, start_error, rest_error, line)
bool is_alone(const Range& at) { return at.encoding == "sine_only"; }
bool is_both(const Range& at) { return at.encoding == "sinusoidal"; }

/// A product's distance from the mean of its lag by float64's rounding of the table, the angles and the sums.
double deviation_bound(std::size_t d, std::size_t length) {
  const double u = std::ldexp(1.0, -53), last = length - 1.0, n = d;
  return 2 * (theory::table_rounding_bound(d, 5 * u) +
              theory::angle_rounding_bound(d, usual_base, u, last, last) + n * u * n / 2);
}

void measure_defect(const Range& at, const Streams& streams, Rows& rows) {
  const Matrix<double> table = encoding_named(at.encoding)->vectors(at.l, at.d, streams("nothing"));
  const LagStatistics lags = lag_statistics(table, 1);
  double start = 0;
  for (const double x : row(table, 0)) start += x * x;
  rows.add(Defect{at, toeplitz_defect(lags), is_alone(at) ? sine_alone_defect(at.l, usual_base) : 0.0,
                  worst_deviation(lags), is_alone(at) ? NAN : deviation_bound(at.d, at.l), std::sqrt(start)});
}

void measure_shift(const Lag& at, const Streams& streams, Rows& rows) {
  const std::size_t lag = at.lag, end = at.l + lag;
  const Matrix<double> table = encoding_named(at.encoding)->vectors(end, at.d, streams("nothing"));
  const RecoveredMap found = recover_map(block(table, 0, at.l), block(table, lag, end), sine_cutoff);
  const auto error = [&](std::size_t first, std::size_t last) {
    return map_error(block(table, first, last), block(table, first + lag, last + lag), found.map).relative;
  };
  rows.add(Shift{at, found.rank, error(0, 1), error(1, at.l),
                 is_alone(at) ? theory::sine_alone_shift_error(at.d, usual_base, lag) : 0.0});
}

const auto encoding =
    exact("encoding", "sine_only: d sines; sinusoidal: d/2 sines and their cosines", &Range::encoding);
const auto d = exact("d", "dimension", &Range::d);
const auto positions = exact("positions", "L", &Range::l).unit("positions");
const auto e = encoding.as("e", "");
const auto l = positions.as("l", "");

const Coordinates sine_only{{"e", "sine_only"}}, sinusoidal{{"e", "sinusoidal"}};

void add_defects(const std::vector<Defect>& defects, Summary& summary) {
  const auto defect = rounded("defect",
                              "Toeplitz residual |G - Toep(G)|/|G|, G the products of all positions; theory: "
                              "its limit for many dimensions",
                              &Defect::defect)
                          .theory(&Defect::line)
                          .n(std::uint64_t{512 * 512});
  summary.table("d4_defect.csv", defects,
                {encoding, d, positions, defect,
                 rounded("line", "its limit for many dimensions; 0 for the sinusoid", &Defect::line),
                 rounded("start", "length of p_0", &Defect::start)});
  const std::vector<Defect> alone = where(defects, is_alone), both = where(defects, is_both);
  add_overall(summary, "defect_least", sine_only, least(alone, &Defect::defect), alone.size(),
              "Smallest Toeplitz residual of sines alone over the widths and lengths tried.");
  add_overall(summary, "defect_largest", sine_only, most(alone, &Defect::defect), alone.size(),
              "Largest Toeplitz residual of sines alone over the widths and lengths tried.");
  add_overall(summary, "defect_largest", sinusoidal, most(both, &Defect::defect), both.size(),
              "Largest Toeplitz residual of sine and cosine over the widths and lengths tried.", 0.0);
  summary.each(where(alone, [](const Defect& r) { return r.l == 512 && (r.d == 64 || r.d == 512); }),
               {e, d, l}, {defect});
  add_overall(summary, "excess", {}, most(both, [](const Defect& r) { return r.worst / r.bound; }),
              both.size(),
              "Sine and cosine: largest deviation of a product from the mean of its lag, in units of the "
              "bound for rounding.",
              {}, Kind::rounded, "× rounding error");
}

void add_shifts(const std::vector<Shift>& shifts, Summary& summary) {
  summary.table("d4_shift.csv", shifts,
                {encoding, d, positions.as("positions", "L: the best linear map over t = 0 … L-1"),
                 exact("lag", "k", &Lag::lag).unit("positions"),
                 counted("rank", "singular values of the table above 1e-12 of the largest", &Shift::rank),
                 rounded("start_error", "relative error at t = 0", &Shift::start_error),
                 rounded("rest_error", "relative error over t = 1 … L-1", &Shift::rest_error),
                 rounded("line", "its value for long ranges; 0 for the sinusoid", &Shift::line)});
  const std::vector<Shift> alone = where(shifts, is_alone);
  add_overall(summary, "shift_error_brief", sine_only, least(alone, &Shift::rest_error), alone.size(),
              "Smallest relative error at t > 0 of the best linear map of sines alone over all lengths.");
  summary.number("cutoff", {}, {sine_cutoff},
                 {.meaning = "Singular values of a table up to this share of the largest are left out."});
}

/// The smallest defect over many lengths, in closed form.
struct Law {
  std::size_t d;
  double least;
};
std::vector<Law> defect_laws() {
  std::vector<Law> laws;
  for (const std::size_t d : doubling(32, 1024)) {
    // d sines have the frequencies of a sinusoid of 2d dimensions.
    const std::vector<double> kernel = sinusoid_kernel(2 * law_lengths.back(), 2 * d);
    const auto defect = [&](std::size_t length) { return sine_alone_defect(length, kernel); };
    laws.push_back({d, least(law_lengths, defect)});
  }
  return laws;
}

Rule rule() {
  Rule rule;
  for (const std::size_t d : {512, 1024, 256, 128, 64, 32})
    rule.push_back(condition(Role::core, fmt::format("defect_law.d{}", d), Is::above, clear,
                             Evidence::closed_form, {{"d", fmt::format("{}", d)}}));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  add_defects(rows_of<Defect>(cells), summary);
  add_shifts(rows_of<Shift>(cells), summary);
  const std::vector<Law> laws = defect_laws();
  summary.each(laws, {exact("d", "", &Law::d)},
               {rounded("defect_law",
                        "Smallest Toeplitz residual of sines alone over 64, 128, … 2,048 positions, from the "
                        "exact sums of cosines.",
                        &Law::least)
                    .n(law_lengths.size())});
  summary.rule = rule();
}

}  // namespace

Experiment sine_alone(const Options& options) {
  Experiment claim{"D4", "Both sine and cosine are needed; sines alone are not enough.", "[a]"};
  const std::vector<Range> defects = grid<Range>(
      "defect", tables, pick<Sizes>(options.preset, {64, 512}, doubling(32, 512), doubling(32, 1024)),
      pick<Sizes>(options.preset, {64, 512}, {64, 256, 512, 1024, 2048}, {64, 256, 512, 1024, 4096, 16384}));
  std::vector<Range> shifts =
      grid<Range>("shift", "sine_only", pick<Sizes>(options.preset, {64}, {16, 64, 256}, {16, 64, 256, 512}),
                  pick<Sizes>(options.preset, {4096}, {64, 512, 4096}, {64, 512, 4096, 16384}));
  shifts.push_back({"shift", "sinusoidal", 64, 4096});
  claim.measure(
      defects, [](const Range& r) { return 1e-10 * double(r.l * r.l) * r.d + 1e-3; }, measure_defect);
  claim.measure(
      grid<Lag>(shifts, Sizes{1, 10, 100}),
      [](const Lag& s) { return 1e-9 * double(s.d * s.d) * (5 * s.d + 4 * s.l) + 1e-3; }, measure_shift);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
