// D6: positions can be analysed alone, although attention sees them through QᵀK.

#include <algorithm>
#include <cmath>
#include <functional>

#include "perp/base/linalg.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/scores.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d6_scores.hpp"
#include "studies/distance/heads.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t length = 512;
constexpr std::size_t panel = 64;  // positions and dimensions of the score matrices that are drawn

struct ScoreCell : ScoreCase {
  std::string what;
  std::size_t draws;
};
PERP_ROW(ScoreCell, what, encoding, matrix, rank, d, l, draws)
/// One draw of weights and contents.
struct Draw : ScoreCell {
  std::size_t draw;
  double r2;
};
PERP_ROW_OF(Draw, ScoreCell, draw, r2)
using Draws = Group<Draw>;

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
  for (const std::size_t rank : {16, 64, 512}) add("sinusoidal", "heads", rank, draws);
  for (const std::size_t rank : {16, 64}) add("sinusoidal", "tied", rank, draws);
  add("none", "rotary_own", 0, draws);
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

/// Weights that mix everything are drawn and multiplied in float32, which moves R² by less than 1e-6.
double r2_of(const ScoreCase& c, const Matrix<double>& positions, const Streams& streams, std::size_t draw) {
  if (c.rank == 0) return toeplitz_r2(lags(score_factors<double>(c, positions, streams, draw)));
  return toeplitz_r2(lags(score_factors<float>(c, Matrix<float>(positions), streams, draw)));
}

void measure_scores(const ScoreCell& c, const Streams& streams, Rows& rows) {
  const Matrix<double> positions =
      c.encoding == "none" ? zeros<double>(1, c.d) : score_positions(c, streams, 0);
  for (std::size_t draw = 0; draw < c.draws; ++draw)
    rows.add(Draw{c, draw, r2_of(c, positions, streams, draw)});
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

void add_scores(const std::vector<Draw>& draws, Summary& summary) {
  const auto encoding = exact("encoding", "positions; none: contents alone (rotary)", &ScoreCase::encoding);
  const auto weights = exact("matrix",
                             "between two positions: heads QᵀK of the rank; tied QᵀQ of the rank; "
                             "rotary_own: contents rotated, each "
                             "position's its own",
                             &ScoreCase::matrix);
  const auto rank = exact("rank", "rows of Q and K; 0 where there are none", &ScoreCase::rank);
  const auto d = exact("d", "dimension", &ScoreCase::d);
  const auto null = [](const ScoreCase& c) { return theory::toeplitz_null(c.l); };
  const auto share =
      mean("r2",
           "share of the variance of all L × L scores that relative distance explains, mean over "
           "draws; theory: independent scores, 2/(L+1)",
           &Draw::r2)
          .theory(null)
          .n(&ScoreCell::draws);
  const auto cells = group_by(draws, &Draw::encoding, &Draw::matrix, &Draw::rank);
  summary.table("d6_r2.csv", cells,
                {encoding, weights, rank, d, exact("positions", "L: positions 1 … L", &ScoreCase::l),
                 exact("draws", "draws of weights and contents", &ScoreCell::draws),
                 share.interval("r2_low", "r2_high", "its 99% interval by Student's t"),
                 exact("null", "2/(L+1): independent scores", null)});
  const auto is_drawn_through = [](const Draws& cell) { return cell.front().rank > 0; };
  summary.each(where(cells, is_drawn_through), {encoding, weights, rank, d}, {share});
  summary.each(where(cells, std::not_fn(is_drawn_through)), {encoding, weights, d}, {share});
}

void add_panels(const Cells& cells, Summary& summary) {
  const auto scores = [](std::size_t i) {
    return sampled(panels[i],
                   "score less its mean over the matrix, in its standard deviations, to two digits; d = 64, "
                   "L = 64; nothing, blocks [a b; -b a], RoPE with one content everywhere, Q and K of rank "
                   "16, Q = K, or RoPE with a content "
                   "of each position's own between them",
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
  add_scores(rows_of<Draw>(cells), summary);
  add_panels(cells, summary);
  for (const std::size_t rank : {64, 16, 512})
    summary.rule.push_back(random_heads("heads", "Q and K drawn independently", rank));
  for (const std::size_t rank : {16, 64}) summary.rule.push_back(random_heads("tied", "Q = K", rank));
  conclude_heads(cells, given, summary);
}

}  // namespace

Experiment after_projection(const Options& options, const SharedPositions& given) {
  Experiment claim{
      "D6", "Positions can be analysed alone, although attention sees them through QᵀK and within sums.",
      "[a]"};
  claim.measure(score_cells(options.preset), cost, measure_scores);
  claim.measure(std::vector<Panels>{{"panels"}}, 1e-2, measure_panels);
  measure_heads(options, given, claim);
  claim.conclude([given](const Cells& cells, Summary& summary) { conclude(cells, *given, summary); });
  return claim;
}

}  // namespace perp::distance
