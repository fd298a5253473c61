// D3: a linear map takes p_t to p_{t+k}, the same for every t. The shift as a construction, and what data
// determine of it.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

#include "perp/measures/shift.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

using Sizes = std::vector<std::size_t>;

/// Singular values of the table up to this share of the largest do not enter the map recovered from data.
constexpr double shift_cutoff = 1e-12;
/// A map that errs by less than this outside the positions it was fitted to counts as recovered.
constexpr double recovered = 1e-6;
/// Construction: this many neighbouring positions from each of these on.
constexpr std::size_t starts[] = {0, 1000, 1000000}, checked = 256;
constexpr std::size_t shift_lags[] = {1, 10, 100, 1000};
/// Row by row: a table of this many positions, so many at a time.
constexpr std::size_t long_table = 65536, tile = 4096;
/// Recovered maps: this many positions outside the range, spread evenly over L … 2L-1 and over far_first …
/// far_last-1.
constexpr std::size_t spread = 1024, far_first = 100000, far_last = 1000000;

struct Shift {
  std::string measure;
  std::size_t d, lag;
};
PERP_ROW(Shift, measure, d, lag)
struct Construction : Shift {
  std::size_t first;
  double worst, bound, composition, composition_bound, orthogonality;
};
PERP_ROW_OF(Construction, Shift, first, worst, bound, composition, composition_bound, orthogonality)

struct LongTable {
  std::string measure;
  std::size_t d, l;
};
PERP_ROW(LongTable, measure, d, l)
/// |R(k) p_t - p_{t+k}| over 4u(t + k)|p_t|, the largest of all rows t.
struct RowError : LongTable {
  std::size_t lag;
  double worst;
};
PERP_ROW_OF(RowError, LongTable, lag, worst)

struct Fit {
  std::string measure;
  std::size_t d, l;
  double cutoff;
};
PERP_ROW(Fit, measure, d, l, cutoff)
struct Recovery : Fit {
  std::size_t rank;
  double smallest, inside, inside_built, next, far, distance, mixing;
};
PERP_ROW_OF(Recovery, Fit, rank, smallest, inside, inside_built, next, far, distance, mixing)

std::vector<Fit> fits(Preset preset) {
  const bool quick = preset == Preset::quick, longest = preset == Preset::long_;
  std::vector<Fit> fits;
  const auto add = [&](std::size_t d, const Sizes& lengths, double cutoff = shift_cutoff) {
    for (const std::size_t l : lengths) fits.push_back({"recovery", d, l, cutoff});
  };
  for (const std::size_t d : {16, 64}) add(d, quick ? Sizes{512, 65536} : doubling(32, 65536));
  add(256, quick ? Sizes{512} : doubling(32, longest ? 32768 : 8192));
  for (const double cutoff :
       quick ? std::vector{shift_cutoff} : std::vector{1e-14, shift_cutoff, 1e-10, 1e-8})
    add(512, {512}, cutoff);
  if (!quick) add(512, longest ? Sizes{2048, 8192, 16384} : Sizes{2048});
  return fits;
}

/// The map's error over 1024 positions (all, if there are fewer) spread evenly over first … last-1.
MapError error_over(const Matrix<double>& map, std::size_t lag, std::size_t first, std::size_t last) {
  const std::size_t count = std::min(spread, last - first);
  std::vector<std::uint64_t> from, to;
  for (std::size_t i = 0; i < count; ++i) {
    from.push_back(first + (last - first) * i / count);
    to.push_back(from.back() + lag);
  }
  return map_error(sinusoid_at(from, rows(map)), sinusoid_at(to, rows(map)), map);
}

void construct(const Shift& at, const Streams&, Rows& rows) {
  const std::vector<double> omega = frequencies(at.d);
  const Matrix<double> map = shift_map(omega, at.lag);
  for (const std::size_t t : starts)
    rows.add(Construction{at, t, error_over(map, at.lag, t, t + checked).worst,
                          theory::shift_rounding_bound(t + checked, at.lag),
                          composition_error(omega, t, at.lag), theory::shift_rounding_bound(t, at.lag),
                          orthogonality_error(map)});
}

/// |R p - q|/|p| for a map R of pairs alone: its other entries are 0 (`mixing`).
double turned_apart(const Matrix<double>& map, std::span<const double> p, std::span<const double> q) {
  double off = 0, length = 0;
  for (std::size_t i = 0; i < p.size(); i += 2) {
    const double sine = map(i, i) * p[i] + map(i, i + 1) * p[i + 1] - q[i],
                 cosine = map(i + 1, i) * p[i] + map(i + 1, i + 1) * p[i + 1] - q[i + 1];
    off += sine * sine + cosine * cosine;
    length += p[i] * p[i] + p[i + 1] * p[i + 1];
  }
  return std::sqrt(off / length);
}

/// Over four roundings of the angle t + k.
double in_row_bounds(double error, std::size_t last) { return error / std::ldexp(4 * double(last), -53); }

void construct_rows(const LongTable& at, const Streams&, Rows& rows) {
  std::vector<Matrix<double>> maps;
  std::vector<RowError> errors;
  for (const std::size_t lag : shift_lags) {
    maps.push_back(shift_map(frequencies(at.d), double(lag)));
    errors.push_back({at, lag, 0});
  }
  for (std::size_t first = 0; first < at.l; first += tile) {
    const std::size_t count = std::min(tile, at.l - first);
    std::vector<std::uint64_t> positions(count + std::ranges::max(shift_lags));
    std::iota(positions.begin(), positions.end(), first);
    const Matrix<double> table = sinusoid_at(positions, at.d);
    for (std::size_t i = 0; i < errors.size(); ++i)
      for (std::size_t t = 0; t < count; ++t) {
        const std::size_t lag = errors[i].lag;
        const double off = turned_apart(maps[i], row(table, t), row(table, t + lag));
        errors[i].worst = std::max(errors[i].worst, in_row_bounds(off, first + t + lag));
      }
  }
  for (const RowError& error : errors) rows.add(error);
}

void recover(const Fit& at, const Streams&, Rows& rows) {
  const Matrix<double> table = sinusoidal<double>(at.l + 1, at.d);
  const View<double> from = block(table, 0, at.l), to = block(table, 1, at.l + 1);
  const RecoveredMap found = recover_map(from, to, at.cutoff);
  const Matrix<double> built = shift_map(frequencies(at.d), 1);
  const std::vector<double>& s = found.singular_values;
  rows.add(Recovery{at, found.rank, s.size() < at.d ? 0.0 : s.back() / s.front(),
                    map_error(from, to, found.map).relative, map_error(from, to, built).relative,
                    error_over(found.map, 1, at.l, 2 * at.l).relative,
                    error_over(found.map, 1, far_first, far_last).relative, map_distance(found.map, built),
                    mixing_between_pairs(found.map)});
}

void add_construction(const std::vector<Construction>& shifts, Summary& summary) {
  using Start = Group<Construction>;
  // Entries are below `worst`, and |p_t| is sqrt(d/2): a row is off by at most sqrt(2) of it.
  const auto row_error = [](const Construction& c) {
    return in_row_bounds(std::numbers::sqrt2 * c.worst, c.first + c.lag);
  };
  summary.each(
      group_by(where(shifts, [](const Construction& c) { return c.first > 0; }), &Construction::first),
      {exact("t", "", &Construction::first)},
      {rounded(
           "row_error",
           "Bound on |R(k) p_t - p_{t+k}| over 4u(t + k)|p_t| for 256 rows from t on, lags up to a thousand, "
           "d = 16, 64, 512; the square root of 2 times the row's largest entry, k and t the first.",
           [=](const Start& start) { return most(start, row_error); })
           .n([](const Start& start) { return checked * start.size(); })});
  add_overall(summary, "excess", {}, most(shifts, [](const Construction& c) { return c.worst / c.bound; }),
              checked * shifts.size(),
              "Largest error of the construction in units of the bound for rounding.");
  add_overall(summary, "composition", {},
              most(shifts, [](const Construction& c) { return c.composition / c.composition_bound; }),
              shifts.size(), "Largest |R(j)R(k) - R(j+k)|_F/sqrt(d) in units of the bound for rounding.");
  add_overall(summary, "orthogonality", {}, most(shifts, &Construction::orthogonality), shifts.size(),
              "Largest |R Rᵀ - 1|_F/sqrt(d) over lags and d.", 0.0);
}

void add_rows(const std::vector<RowError>& errors, Summary& summary) {
  summary.each(
      group_by(errors, &LongTable::l), {exact("l", "", &LongTable::l)},
      {rounded("row_error",
               "Largest |R(k) p_t - p_{t+k}| over 4u(t + k)|p_t| of l rows from 0 on, lags up to a thousand, "
               "d = 16, 64, 512.",
               [](const Group<RowError>& of) { return most(of, &RowError::worst); })
           .unit("× rounding error")
           .n([](const Group<RowError>& of) { return total(of, &RowError::l); })});
}

void add_recovery(const std::vector<Recovery>& maps, Summary& summary) {
  const auto far_line = [](const Recovery& r) { return theory::shift_error_far(r.d, r.rank); };
  const auto d = exact("d", "dimension", &Fit::d);
  const auto rank = counted("rank", "directions of the table above the cutoff; theory: d", &Recovery::rank)
                        .theory(&Fit::d)
                        .n(&Fit::l);
  const auto inside =
      rounded("inside",
              "relative error of the map fitted to L positions, on these; theory: that of the construction",
              &Recovery::inside)
          .theory(&Recovery::inside_built)
          .n(&Fit::l);
  const auto next =
      rounded("next", "relative error of the map fitted to L positions, on up to 1,024 of the next L",
              &Recovery::next)
          .n([](const Fit& fit) { return std::min(fit.l, spread); });
  const auto far =
      rounded("far",
              "relative error of that map on 1,024 positions between 10⁵ and 10⁶; theory: sqrt(1 - rank/d)",
              &Recovery::far)
          .theory(far_line)
          .n(spread);
  const auto distance =
      rounded("distance", "distance |M - R(1)|/|R(1)| of the fitted map M from the construction",
              &Recovery::distance)
          .n(&Fit::l);
  summary.table(
      "d3_recovery.csv", maps,
      {d, exact("positions", "L: the map of lag 1 is fitted to t = 0 … L-1", &Fit::l).unit("positions"),
       exact("cutoff", "singular values up to this share of the largest are left out", &Fit::cutoff), rank,
       rounded("smallest", "smallest singular value over the largest; 0 where L < d", &Recovery::smallest),
       inside, next, far, rounded("far_line", "sqrt(1 - rank/d)", far_line), distance,
       rounded("mixing", "share of the fitted map's square outside the sine-cosine pairs",
               &Recovery::mixing)});

  const std::vector<Recovery> usual = only(maps, &Fit::cutoff, shift_cutoff);
  const auto l = exact("l", "", &Fit::l);
  summary.each(only(usual, &Fit::d, 64u, &Fit::l, 65536u), {d, l}, {next, distance});
  summary.each(only(usual, &Fit::d, 512u, &Fit::l, 512u), {d, l},
               {rank.unit("dimensions"), inside, next, far});

  const auto holds_elsewhere = [](const Recovery& r) { return r.next < recovered && r.far < recovered; };
  summary.each(group_by(where(only(usual, &Fit::d, 64u), holds_elsewhere), &Fit::d), {d},
               {exact("first_length",
                      "Fewest positions, of those tried, whose map also holds elsewhere; theory: from where "
                      "on the smallest gap of the frequencies is resolved.",
                      [](const Group<Recovery>& group) { return least(group, &Fit::l); })
                    .unit("positions")
                    .theory([](const Fit& fit) { return certain_length(frequencies(fit.d)); })});
  summary.number("cutoff", {}, {shift_cutoff},
                 {.meaning = "Singular values of the table up to this share of the largest are left out."});
  add_overall(summary, "inside_largest", {}, most(usual, &Recovery::inside), maps.size(),
              "Largest relative error of a fitted map on the positions of its fit.");
  add_overall(summary, "far_departure", {},
              most(usual, [=](const Recovery& r) { return std::abs(r.far - far_line(r)); }), maps.size(),
              "Largest departure of the error far away from sqrt(1 - rank/d).", 0.0);
}

Rule rule() {
  const auto row_error = [](const char* finding, const char* rows) {
    return condition(Role::core, finding, Is::below, 1.0, Evidence::theorem, {{"rows", rows}});
  };
  return {row_error("row_error.t1000", "1,000 to 1,255"), row_error("row_error.l65536", "0 to 65,535"),
          condition(Role::limit, "next.d512.l512", Is::below, recovered, Evidence::theorem,
                    {{"map", "least squares"}})};
}

void conclude(const Cells& cells, Summary& summary) {
  add_construction(rows_of<Construction>(cells), summary);
  add_rows(rows_of<RowError>(cells), summary);
  add_recovery(rows_of<Recovery>(cells), summary);
  summary.rule = rule();
}

}  // namespace

Experiment shift_is_linear(const Options& options) {
  const Sizes widths{16, 64, 512};
  Experiment claim{"D3", "A linear map takes p_t to p_{t+k}, the same for every t.", "[a]"};
  claim.measure(
      grid<Shift>("construction", widths, shift_lags),
      [](const Shift& s) { return 1e-9 * double(s.d * s.d * s.d) + 1e-3; }, construct);
  claim.measure(
      grid<LongTable>("rows", widths, long_table),
      [](const LongTable& at) { return 3e-8 * double(at.l * at.d); }, construct_rows);
  claim.measure(
      fits(options.preset),
      [](const Fit& f) { return 1e-9 * double(f.d * f.d) * (5 * f.d + 4 * f.l) + 1e-3; }, recover);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
