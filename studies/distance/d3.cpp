// D3: a linear map takes p_t to p_{t+k}, the same for every t. What the construction errs by in every row of a long
// table, and what positions determine of it. That it is orthogonal and composes is a test of lib/perp/measures/shift.hpp.

#include <algorithm>
#include <cmath>
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

/// Singular values of the table up to this share of the largest do not enter the map recovered from data.
constexpr double shift_cutoff = 1e-12;
/// A map that errs by less than this outside the positions it was fitted to counts as recovered.
constexpr double recovered = 1e-6;
constexpr std::size_t shift_lags[] = {1, 10, 100, 1000};
/// Row by row: a table of this many positions, so many at a time.
constexpr std::size_t long_table = 65536, tile = 4096;
/// Recovered maps: this many positions outside the range, spread evenly over L … 2L-1 and over far_first …
/// far_last-1.
constexpr std::size_t spread = 1024, far_first = 100000, far_last = 1000000;

struct LongTable {
  std::string measure;
  std::size_t d, l;
};
PERP_ROW(LongTable, measure, d, l)
/// |R(k) p_t - p_{t+k}| over 4u(t + k)|p_t|, the largest of all rows t and lags k.
struct RowError : LongTable {
  double worst;
};
PERP_ROW_OF(RowError, LongTable, worst)

struct Fit {
  std::string measure;
  std::size_t d, l;
  double cutoff;
};
PERP_ROW(Fit, measure, d, l, cutoff)
struct Recovery : Fit {
  std::size_t rank;
  double inside, inside_built, next, far, distance;
};
PERP_ROW_OF(Recovery, Fit, rank, inside, inside_built, next, far, distance)

/// |R p - q|/|p| for a map R of pairs alone: its other entries are 0.
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
  for (const std::size_t lag : shift_lags) maps.push_back(shift_map(frequencies(at.d), double(lag)));
  RowError error{at, 0};
  for (std::size_t first = 0; first < at.l; first += tile) {
    const std::size_t count = std::min(tile, at.l - first);
    std::vector<std::uint64_t> positions(count + std::ranges::max(shift_lags));
    std::iota(positions.begin(), positions.end(), first);
    const Matrix<double> table = sinusoid_at(positions, at.d);
    for (std::size_t i = 0; i < maps.size(); ++i)
      for (std::size_t t = 0; t < count; ++t) {
        const std::size_t to = t + shift_lags[i];
        const double off = turned_apart(maps[i], row(table, t), row(table, to));
        error.worst = std::max(error.worst, in_row_bounds(off, first + to));
      }
  }
  rows.add(error);
}

/// The map's error over 1024 positions (all, if there are fewer) spread evenly over first … last-1.
double error_over(const Matrix<double>& map, std::size_t first, std::size_t last) {
  const std::size_t count = std::min(spread, last - first);
  std::vector<std::uint64_t> from, to;
  for (std::size_t i = 0; i < count; ++i) {
    from.push_back(first + (last - first) * i / count);
    to.push_back(from.back() + 1);
  }
  return map_error(sinusoid_at(from, rows(map)), sinusoid_at(to, rows(map)), map).relative;
}

void recover(const Fit& at, const Streams&, Rows& rows) {
  const Matrix<double> table = sinusoidal<double>(at.l + 1, at.d);
  const View<double> from = block(table, 0, at.l), to = block(table, 1, at.l + 1);
  const RecoveredMap found = recover_map(from, to, at.cutoff);
  const Matrix<double> built = shift_map(frequencies(at.d), 1);
  rows.add(Recovery{at, found.rank, map_error(from, to, found.map).relative,
                    map_error(from, to, built).relative, error_over(found.map, at.l, 2 * at.l),
                    error_over(found.map, far_first, far_last), map_distance(found.map, built)});
}

void conclude(const Cells& cells, Summary& summary) {
  const auto errors = rows_of<RowError>(cells);
  summary.number(
      "row_error", {{"l", whole(long_table)}}, {most(errors, &RowError::worst)},
      {.unit = "× rounding error",
       .n = total(errors, &RowError::l) * std::size(shift_lags),
       .kind = Kind::rounded,
       .meaning =
           "Largest |R(k) p_t - p_{t+k}| over 4u(t + k)|p_t| of l rows from 0 on, lags up to a thousand, "
           "d = 16, 64, 512."});
  const auto maps = rows_of<Recovery>(cells);
  const auto d = exact("d", "dimension", &Fit::d);
  const auto l = exact("l", "L: the map of lag 1 is fitted to t = 0 … L-1", &Fit::l).unit("positions");
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
          .theory([](const Recovery& r) { return theory::shift_error_far(r.d, r.rank); })
          .n(spread);
  const auto distance =
      rounded("distance", "distance |M - R(1)|/|R(1)| of the fitted map M from the construction",
              &Recovery::distance)
          .n(&Fit::l);
  summary.each(only(maps, &Fit::d, 64u), {d, l}, {next, distance});
  summary.each(only(maps, &Fit::d, 512u), {d, l}, {rank.unit("dimensions"), inside, next, far});
  summary.rule = {
      condition(Role::core, "row_error.l65536", Is::below, 1.0, Evidence::theorem, {{"rows", "0 to 65,535"}}),
      condition(Role::limit, "next.d512.l512", Is::below, recovered, Evidence::theorem,
                {{"map", "least squares"}})};
}

}  // namespace

Experiment shift_is_linear(const Options&) {
  Experiment claim{"D3", "A linear map takes p_t to p_{t+k}, the same for every t.", "[a]"};
  claim.measure(
      grid<LongTable>("rows", std::vector<std::size_t>{16, 64, 512}, long_table),
      [](const LongTable& at) { return 3e-8 * double(at.l * at.d); }, construct_rows);
  claim.measure(
      std::vector<Fit>{{"recovery", 64, 65536, shift_cutoff}, {"recovery", 512, 512, shift_cutoff}},
      [](const Fit& f) { return 1e-9 * double(f.d * f.d) * (5 * f.d + 4 * f.l) + 1e-3; }, recover);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
