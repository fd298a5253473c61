// D6: positions can be analysed alone, although attention sees them through QᵀK.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/shift.hpp"
#include "perp/statistics/order.hpp"
#include "perp/statistics/ratio.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/scores.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d6_scores.hpp"
#include "studies/distance/heads.hpp"
#include "studies/distance/scores.hpp"
#include "studies/distance/spreads.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t length = 512, head = 64;
constexpr std::size_t panel = 64;  // positions and dimensions of the score matrices that are drawn
/// Singular values below this share of the largest count as 0. Rounding leaves 1e-16.
constexpr double null_cutoff = 1e-12;
/// For few positions a short base: at T = 10,000 the slow pairs of d = 8 are constant to rounding.
constexpr double short_base = 10;
constexpr std::size_t short_d = 8;

struct ScoreCell : ScoreCase {
  std::string what;
  std::size_t draws;
};
PERP_ROW(ScoreCell, what, encoding, matrix, rank, d, l, draws)
/// Intervals at recorded_level.
struct Explained : ScoreCell {
  double r2, r2_low, r2_high, sd, smallest, q05, q95, pooled, pooled_low, pooled_high, odd, odd_low, odd_high;
};
PERP_ROW_OF(Explained, ScoreCell, r2, r2_low, r2_high, sd, smallest, q05, q95, pooled, pooled_low,
            pooled_high, odd, odd_low, odd_high)

/// One draw of random weights.
struct HeadDraw : ScoreCell {
  std::size_t draw;
  double r2, odd;
};
PERP_ROW_OF(HeadDraw, ScoreCell, draw, r2, odd)

/// Where the lag alone may decide: at l positions, or (0) at all.
struct Positions {
  std::string what;
  std::size_t d, l;
};
PERP_ROW(Positions, what, d, l)
struct Nullity : Positions {
  std::size_t dimension;
  double largest_null, smallest_kept;
};
PERP_ROW_OF(Nullity, Positions, dimension, largest_null, smallest_kept)

struct Panels {
  std::string what;
};
PERP_ROW(Panels, what)
struct PanelShare : Panels {
  std::string matrix;
  double r2;
};
PERP_ROW_OF(PanelShare, Panels, matrix, r2)
struct Pixel : Panels {
  std::string matrix;
  std::size_t t, s;
  double score;
};
PERP_ROW_OF(Pixel, Panels, matrix, t, s, score)

std::vector<ScoreCell> score_cells(Preset preset) {
  const std::size_t draws = pick<std::size_t>(preset, 6, 50, 500);
  std::vector<ScoreCell> cells;
  const auto add = [&](const char* encoding, const char* matrix, std::size_t rank, std::size_t count) {
    cells.push_back({{encoding, matrix, rank, 512, length}, "scores", count});
  };
  add("sinusoidal", "identity", 0, 1);
  add("sinusoidal", "gaussian", 0, draws);
  for (const std::size_t rank : {16, 64, 512}) add("sinusoidal", "heads", rank, draws);
  for (const std::size_t rank : {16, 64}) add("sinusoidal", "tied", rank, draws);
  add("sinusoidal", "commutant", 0, draws);
  for (const char* matrix : {"rotary_same", "rotary_own"}) add("none", matrix, 0, draws);
  for (const char* encoding : {"random", "random_fourier"}) {
    add(encoding, "identity", 0, draws);
    add(encoding, "gaussian", 0, draws);
    add(encoding, "heads", head, draws);
  }
  add("none", "iid", 0, draws);
  // The shape of GPT-2's heads, for which there are numbers to compare with.
  for (const char* matrix : {"heads", "tied"})
    cells.push_back(
        {{"sinusoidal", matrix, head, 768, length}, "scores", pick<std::size_t>(preset, 12, 200, 2000)});
  return cells;
}

double cost(const ScoreCell& c) {
  const std::size_t inner = c.rank ? c.rank : c.d;
  return c.draws * (1e-11 * c.l * inner * (2 * c.d + c.l) + 1e-3);
}

template <class T>
LagStatistics lags(const Factors<T>& f) {
  return lag_statistics<T>(f.left, f.right, 1);
}

/// Weights that mix everything are drawn and multiplied in float32, which moves R² by less than 1e-6; what
/// should be exact stays in float64.
LagStatistics lags_of(const ScoreCase& c, const Matrix<double>& positions, const Streams& streams,
                      std::size_t draw) {
  if (c.matrix != "gaussian" && c.matrix != "heads" && c.matrix != "tied" && c.matrix != "iid")
    return lags(score_factors<double>(c, positions, streams, draw));
  return lags(score_factors<float>(c, Matrix<float>(positions), streams, draw));
}

void measure_scores(const ScoreCell& c, const Streams& streams, Rows& rows) {
  const bool placed = c.encoding != "none", fixed = c.encoding == "sinusoidal";
  Matrix<double> positions = zeros<double>(placed ? 0 : 1, c.d);
  struct Draw {
    double r2, odd, by_lag, all;
  };
  Group<Draw> draws;
  for (std::size_t draw = 0; draw < c.draws; ++draw) {
    if (placed && (draw == 0 || !fixed)) positions = score_positions(c, streams, draw);
    const LagStatistics statistics = lags_of(c, positions, streams, draw);
    const LagSquares squares = lag_squares(statistics);
    draws.push_back({toeplitz_r2(statistics), lag_parity(statistics).odd_share,
                     squares.between / squares.entries,
                     (squares.within + squares.between) / squares.entries});
  }
  const auto interval = [](const Moments& moments) {
    return moments.count < 2 ? Interval{NAN, NAN, recorded_level} : mean_interval(moments, recorded_level);
  };
  const Moments r2 = draws.moments(&Draw::r2), odd = draws.moments(&Draw::odd);
  const Interval mean = interval(r2), parity = interval(odd);
  const std::vector<double> values = draws.values(&Draw::r2);
  const PooledRatio pooled = pooled_ratio(draws.values(&Draw::by_lag), draws.values(&Draw::all));
  const Interval ratio = pooled.spread ? interval_at(pooled.value, *pooled.spread, recorded_level)
                                       : Interval{NAN, NAN, recorded_level};
  rows.add(Explained{c, r2.mean, mean.low, mean.high, c.draws > 1 ? std::sqrt(r2.variance) : NAN, r2.minimum,
                     quantile(values, 0.05), quantile(values, 0.95), pooled.value, ratio.low, ratio.high,
                     odd.mean, parity.low, parity.high});
  if (c.matrix == "gaussian" || c.matrix == "heads" || c.matrix == "tied")
    for (std::size_t draw = 0; draw < c.draws; ++draw)
      rows.add(HeadDraw{c, draw, draws[draw].r2, draws[draw].odd});
}

void measure_nullity(const Positions& at, const Streams&, Rows& rows) {
  const NullSpace null =
      at.l == 0 ? shift_commutant(frequencies(at.d), null_cutoff)
                : distance_only_matrices(sinusoidal<double>(at.l, at.d, short_base), null_cutoff);
  rows.add(Nullity{at, null.dimension, null.largest_null, null.smallest_kept});
}

constexpr const char* panels[] = {"identity", "commutant", "rotary_same", "heads", "tied", "rotary_own"};

/// Score matrices of 64 positions, each scaled to mean 0 and standard deviation 1.
void measure_panels(const Panels& at, const Streams& streams, Rows& rows) {
  for (const char* matrix : panels) {
    const ScoreCase c{"sinusoidal", matrix, panel / 4, panel, panel};
    const Factors<double> f = score_factors<double>(c, score_positions(c, streams, 0), streams, 0);
    const LagStatistics statistics = lags(f);
    const LagSquares squares = lag_squares(statistics);
    const double scale = std::sqrt((squares.within + squares.between) / squares.entries);
    const Matrix<double> scores = product_nt(f.left, f.right);
    rows.add(PanelShare{at, matrix, toeplitz_r2(statistics)});
    // Two digits are more than a picture shows.
    for (std::size_t t = 0; t < panel; ++t)
      for (std::size_t s = 0; s < panel; ++s)
        rows.add(
            Pixel{at, matrix, t + 1, s + 1, std::round((scores(t, s) - squares.mean) / scale * 100) / 100});
  }
}

const auto encoding = exact(
    "encoding", "positions; none: contents alone (rotary) or independent scores (iid)", &ScoreCase::encoding);
const auto weights = exact("matrix",
                           "between two positions: identity; gaussian M; heads QᵀK of the rank; tied QᵀQ of "
                           "the rank; commutant blocks [a b; -b a]; rotary, one content everywhere or each "
                           "position its own; iid scores",
                           &ScoreCase::matrix);
const auto rank = exact("rank", "rows of Q and K; 0 where there are none", &ScoreCase::rank);
const auto d = exact("d", "dimension", &ScoreCase::d);
double null(const ScoreCase& c) { return theory::toeplitz_null(c.l); }

/// Ratio of expected variances; NaN where there is no line.
double expected_share(const ScoreCase& c) {
  const bool random = c.matrix == "gaussian" || c.matrix == "heads";
  if (c.encoding != "sinusoidal" || (!random && c.matrix != "tied")) return NAN;
  const std::vector<double> kernel = sinusoid_kernel(c.l, c.d);
  return (random ? theory::expected_for_random(kernel) : theory::expected_for_tied(kernel, c.rank)).share();
}

/// Row of the figure, from above; 0: not in it.
std::size_t place_in_figure(const ScoreCase& c) {
  constexpr std::string_view drawn[] = {
      "sinusoidal identity 0",     "sinusoidal commutant 0",  "none rotary_same 0",
      "sinusoidal tied 64",        "sinusoidal tied 16",      "sinusoidal gaussian 0",
      "sinusoidal heads 512",      "sinusoidal heads 64",     "sinusoidal heads 16",
      "random_fourier identity 0", "random_fourier heads 64", "random identity 0",
      "random heads 64",           "none rotary_own 0",       "none iid 0"};
  const auto place = std::ranges::find(drawn, fmt::format("{} {} {}", c.encoding, c.matrix, c.rank));
  return c.d == 512 && place != std::end(drawn) ? std::size_t(place - drawn) + 1 : 0;
}

/// A mean over draws with its interval, as a column and as the finding that is read off it.
struct Mean {
  const char *name, *meaning;
  double Explained::*value, Explained::*low, Explained::*high;

  Estimate operator()(const Explained& e) const {
    return from_interval(e.*value, e.*low, e.*high, recorded_level, e.draws);
  }
  auto column(std::string_view interval) const {
    return sampled(name, meaning, *this)
        .interval(fmt::format("{}_low", name), fmt::format("{}_high", name), interval);
  }
  auto found() const {
    return sampled(name, meaning, [mean = *this](const Explained& e) { return as_shown(mean(e), e.draws); })
        .n(&ScoreCell::draws);
  }
};
constexpr Mean r2{"r2",
                  "share of the variance of all L × L scores that relative distance explains, mean over "
                  "draws; theory: independent scores, 2/(L+1)",
                  &Explained::r2, &Explained::r2_low, &Explained::r2_high},
    pooled{"pooled",
           "variance of the scores' means per lag over the variance of the scores, both summed over draws; "
           "theory: the ratio of their expectations",
           &Explained::pooled, &Explained::pooled_low, &Explained::pooled_high},
    odd{"odd",
        "share of what relative distance explains that changes sign with it, and so tells before from after, "
        "mean over draws",
        &Explained::odd, &Explained::odd_low, &Explained::odd_high};

void add_draws(const std::vector<HeadDraw>& draws, Summary& summary) {
  summary.table("d6_draws.csv", draws,
                {encoding, weights, rank, d, exact("draw", "of weights", &HeadDraw::draw),
                 sampled("r2", "share of logit variance that relative distance explains", &HeadDraw::r2),
                 sampled("odd", "share of that which is odd in the lag", &HeadDraw::odd)});
}

void add_scores(const std::vector<Explained>& all, Summary& summary) {
  const char* interval = "its 99% interval by Student's t";
  summary.table(
      "d6_r2.csv", all,
      {encoding, weights, rank, d, exact("positions", "L: positions 1 … L", &ScoreCase::l),
       exact("draws", "draws of weights, contents and random positions", &ScoreCell::draws),
       r2.column(interval), sampled("sd", "its standard deviation over draws", &Explained::sd),
       sampled("q05", "5% quantile over draws", &Explained::q05),
       sampled("q95", "95% quantile over draws", &Explained::q95),
       exact("null", "2/(L+1): independent scores", null),
       pooled.column("its 99% interval by Student's t on the linearised ratio"),
       exact("pooled_theory", "ratio of the expected variances", expected_share), odd.column(interval),
       exact("order", "row of the figure, from above; 0: not in it", place_in_figure)});
  const auto smallest = rounded("r2",
                                "Share of the variance of all L × L scores that relative distance explains, "
                                "the smallest over the draws; theory: 1.",
                                &Explained::smallest)
                            .chance(1)
                            .n(&ScoreCell::draws);
  const auto share = r2.found().theory(null);
  const auto ratio = pooled.found().theory(expected_share);
  for (const Explained& e : all) {
    const auto add = [&](const ColumnOf<Explained>& column) {
      const std::vector<Explained> one{e};
      if (e.rank > 0)
        summary.each(one, {encoding, weights, rank, d}, {column});
      else
        summary.each(one, {encoding, weights, d}, {column});
    };
    const bool fixed = e.encoding == "sinusoidal", heads = fixed && e.matrix == "heads";
    if (heads && e.d == 768) add(share);
    if (e.d != 512) continue;
    const bool exactly =
        e.matrix == "commutant" || e.matrix == "rotary_same" || (e.matrix == "identity" && fixed);
    if (exactly) add(smallest);
    if (heads || (fixed && e.matrix == "tied") || e.matrix == "rotary_own" ||
        (e.encoding == "random" && e.matrix == "identity"))
      add(share);
    if (fixed && e.matrix == "gaussian") add(ratio);
    if (e.matrix == "commutant" || (heads && e.rank == head)) add(odd.found());
  }
}

void add_nullities(const std::vector<Nullity>& all, Summary& summary) {
  const auto theory = [](const Nullity& n) {
    return theory::commutant_dimension(n.what == "shift" ? n.d + 1 : n.l, n.d);
  };
  summary.table(
      "d6_nullity.csv", all,
      {exact("condition",
             "shift: M with R'MR = M, for all positions; few: the lag alone over L positions, T = 10",
             &Nullity::what),
       exact("d", "dimension", &Nullity::d), exact("positions", "L; 0 for all", &Nullity::l),
       counted("dimension", "of the space of such M", &Nullity::dimension),
       exact("theory", "d; for L up to d it is d^2 - (L-1)^2", theory),
       rounded("largest_null", "largest singular value taken for 0, over the largest",
               &Nullity::largest_null),
       rounded("smallest_kept", "smallest one not taken for 0, over the largest", &Nullity::smallest_kept)});
}

void add_panels(const Cells& cells, Summary& summary) {
  const auto scores = [](std::size_t i) {
    return sampled(panels[i],
                   "score less its mean over the matrix, in its standard deviations, to two digits; d = 64, "
                   "L = 64; what stands between the positions as in d6_r2.csv, Q and K of rank 16",
                   [i](const Group<Pixel>& pixels) { return pixels[i].score; });
  };
  summary.table("d6_panels.csv", group_by(rows_of<Pixel>(cells), &Pixel::t, &Pixel::s),
                {exact("t", "query position", &Pixel::t), exact("s", "key position", &Pixel::s), scores(0),
                 scores(1), scores(2), scores(3), scores(4), scores(5)});
  const auto is_partly = [](const PanelShare& p) {
    return p.matrix == "heads" || p.matrix == "tied" || p.matrix == "rotary_own";
  };
  summary.each(
      where(rows_of<PanelShare>(cells), is_partly), {exact("matrix", "", &PanelShare::matrix)},
      {sampled("panel_r2",
               "Share of logit variance that relative distance explains in the matrix that is drawn.",
               &PanelShare::r2)
           .n(panel * panel)});
}

Condition random_heads(const char* matrix, const char* weights, std::size_t rank) {
  return condition(Role::core, fmt::format("r2.sinusoidal.{}.rank{}.d512", matrix, rank), Is::above,
                   mostly_lag, Evidence::simulation,
                   {{"evidence", "random weights"}, {"weights", weights}, {"rank", fmt::format("{}", rank)}},
                   {}, "8 draws or more: preset full");
}

void conclude(const Cells& cells, const GivenPositions& given, Summary& summary) {
  add_scores(rows_of<Explained>(cells), summary);
  add_draws(rows_of<HeadDraw>(cells), summary);
  add_nullities(rows_of<Nullity>(cells), summary);
  add_panels(cells, summary);
  for (const std::size_t rank : {64, 16, 512})
    summary.rule.push_back(random_heads("heads", "Q and K drawn independently", rank));
  for (const std::size_t rank : {16, 64}) summary.rule.push_back(random_heads("tied", "Q = K", rank));
  conclude_heads(cells, given, summary);
}

}  // namespace

Experiment after_projection(const Options& options, const SharedPositions& given) {
  const bool quick = options.preset == Preset::quick;
  std::vector<Positions> positions;
  for (std::size_t d = 4; d <= (quick ? 8 : 32); d += 4) positions.push_back({"shift", d, 0});
  for (std::size_t l = 2; l <= short_d + 3; ++l) positions.push_back({"few", short_d, l});
  Experiment claim{
      "D6", "Positions can be analysed alone, although attention sees them through QᵀK and within sums.",
      "[a]"};
  claim.measure(score_cells(options.preset), cost, measure_scores);
  claim.measure(
      positions, [](const Positions& at) { return 1e-9 * std::pow(at.d, 6); }, measure_nullity);
  claim.measure(std::vector<Panels>{{"panels"}}, 1e-2, measure_panels);
  measure_heads(options, given, claim);
  claim.conclude([given](const Cells& cells, Summary& summary) { conclude(cells, *given, summary); });
  return claim;
}

}  // namespace perp::distance
