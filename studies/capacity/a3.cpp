// A3: QᵀK has to score four kinds of pairs. What one matrix for sums leaves at GPT-2's size, above what separate ones
// for words and for positions leave: in closed form, and fitted for sinusoids. And that it is exact where there is room.

#include <algorithm>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/squares.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/bilinear.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/a3_tables.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// GPT-2 small's words, positions and width.
constexpr std::size_t model_words = 50257, model_positions = 1024, model_width = 768;
/// Positions t and s score exp(-|t - s|/range).
constexpr double range = 32;
constexpr std::size_t low_rank = 16;  // of words and of what is asked of them
/// Power of positions, over the word's, at which the claim is judged.
constexpr double judged_powers[] = {1, 16, 64};
/// What a sum leaves above what its parts leave apart, as a share of the scores' energy, from which jobs are
/// traded off against one another.
constexpr double traded_off = 0.1;
/// Largest relative error of a fit that is exact up to rounding; singular values below this share do not count.
constexpr double exact_error = 1e-8, fine_cutoff = 1e-9;

struct LowRankTables {
  std::string what;
  std::size_t l, d, rank;
  double power;
};
PERP_ROW(LowRankTables, what, l, d, rank, power)
/// What is left of targets by words and positions that share d dimensions, and by the same apart: [W 0; 0 P].
struct LowRankResidual : LowRankTables {
  double residual, apart;
};
PERP_ROW_OF(LowRankResidual, LowRankTables, residual, apart)

/// T_wv = the Gram of the words' axes (V x r), T_ts = exp(-|t - s|/range), nothing between words and
/// positions; both of mean square 1.
BilinearTargets smooth_targets(const Matrix<double>& axes, std::size_t l) {
  const std::size_t v = rows(axes);
  const auto placed_at = [&](Matrix<double> block, std::size_t first) {
    double square = 0;
    for (const double x : block) square += x * x;
    for (double& x : block) x /= std::sqrt(square / block.size());
    return placed(block, first, v + l);
  };
  Matrix<double> by_distance = matrix<double>(l, l);
  for (std::size_t t = 0; t < l; ++t)
    for (std::size_t s = 0; s < l; ++s)
      by_distance(t, s) = std::exp(-std::abs(double(t) - double(s)) / range);
  return bilinear_targets(stacked(placed_at(gram_rows(axes), 0), placed_at(std::move(by_distance), v)), v);
}

// Of words of mean 0 the residual depends on WᵀW alone, up to a factor: ± each axis stands for any number of
// them that lie evenly in `rank` dimensions. They are turned at random into the positions' d dimensions, for the
// sinusoid lies along the axes as no table does; mean ‖x‖² = d.
void measure_low_rank(const LowRankTables& at, const Streams& streams, Rows& out) {
  const std::size_t k = at.rank, d = at.d;
  Matrix<double> words = zeros<double>(2 * k, k);
  for (std::size_t i = 0; i < k; ++i) words(i, i) = 1, words(k + i, i) = -1;
  const BilinearTargets targets = smooth_targets(words, at.l);
  const Draw one{rows(words), at.l, d, {}, {}, {}};
  const Matrix<double> positions = exact_positions(Positions::sinusoidal, one, d, at.power),
                       rotation = converted<double>(random_rotation(d, streams("rotation")));
  const double scale = std::sqrt(double(d) / mean_square_length(words));
  for (std::size_t i = 0; i < words.size(); ++i) words.data()[i] *= scale;
  const Matrix<double> turned = product(words, converted<double>(block(View(rotation), 0, k, d)));
  const Matrix<double> apart = stacked(placed(words, 0, k + d), placed(positions, k, k + d));
  out.add(LowRankResidual{at, bilinear_residual(stacked(turned, positions), targets).residual,
                          bilinear_residual(apart, targets).residual});
}

/// Random tables of d - 1 … d + 1 rows, so many words to a position: V + L - 1 dimensions do for all scores.
struct BoundaryWidth {
  std::string what;
  std::size_t d, ratio;
};
PERP_ROW(BoundaryWidth, what, d, ratio)
struct BoundaryFit : BoundaryWidth {
  double error;
};
PERP_ROW_OF(BoundaryFit, BoundaryWidth, error)

void measure_boundary(const BoundaryWidth& at, const Streams& streams, Rows& rows) {
  for (std::size_t n = at.d - 1; n <= at.d + 1; ++n) {
    const std::size_t l = n / (at.ratio + 1), v = n - l;
    const Draw one = draw(v, l, at.d, streams, n);
    rows.add(BoundaryFit{at, bilinear_fit(added_table(one, Positions::random, 1),
                                          bilinear_targets(one.targets, v), fine_cutoff)
                                 .error});
  }
}

/// At a model's size: what a sum leaves, and words and positions apart. Each has all d dimensions then: the
/// word-word job is left to the words alone, the position-position job to the positions alone, what crosses
/// to both.
struct TradeOff {
  std::string rank, positions;
  double power, residual, apart;
  /// A sum's range lies in that of the parts, so that nothing is below 0; below the cutoff is rounding.
  double above() const { return residual - apart > usual_cutoff ? residual - apart : 0; }
  double kept() const { return (1 - residual) / (1 - apart); }
};

std::vector<TradeOff> trade_offs(const std::vector<LowRankResidual>& measured) {
  constexpr std::size_t v = model_words, l = model_positions, d = model_width;
  double square = 0;  // of the positions' targets
  for (std::size_t t = 0; t < l; ++t)
    for (std::size_t s = 0; s < l; ++s) square += std::exp(-2 * std::abs(double(t) - double(s)) / range);
  const double flatness = l / square, alone = std::min(1.0, double(d) / l);
  constexpr double powers[] = {.5, 1, 4, 16, 64, 256};
  std::vector<TradeOff> all;
  for (const double power : powers)
    all.push_back({"full", "random", power, theory::added_residual(v, l, d, power),
                   theory::split_residual(v, l, d, d)});
  for (const double power : powers)
    all.push_back({"rank16", "random", power, theory::low_rank_residual(low_rank, l, d, power, flatness),
                   theory::smooth_residual(1, alone, flatness)});
  for (const LowRankResidual& r : measured)
    all.push_back({"rank16", "sinusoidal", r.power, r.residual, r.apart});
  return all;
}

void add_trade_off(const std::vector<TradeOff>& all, Summary& summary) {
  constexpr std::size_t v = model_words, l = model_positions, d = model_width;
  const auto rank = exact("rank",
                          "full: independent targets, Gaussian words; rank16: words of rank 16 that ask for "
                          "their Gram matrix, positions for their distance",
                          &TradeOff::rank);
  const auto power = exact("power", "of positions, over the word's", &TradeOff::power);
  const auto above = rounded("above",
                             "share of the scores' squared norm that a sum leaves unfitted above what the "
                             "words alone and the positions alone leave",
                             &TradeOff::above)
                         .theory([](const TradeOff& t) {
                           return t.positions == "sinusoidal" ? 0.0 : NAN;  // fewer directions than d
                         });
  const auto kept = rounded(
      "kept", "share that the sum fits over the share that words and positions fit apart", &TradeOff::kept);
  summary.table(
      "a3_apart.csv", all,
      {rank, exact("positions", "sinusoidal or random", &TradeOff::positions), power,
       rounded("residual", "share of the scores' squared norm that the sum leaves", &TradeOff::residual),
       rounded("apart", "what words and positions leave, each in all d dimensions", &TradeOff::apart), above,
       kept});
  const auto judged = [&](const char* rank, const char* positions) {
    return where(all, [=](const TradeOff& t) {
      return t.rank == rank && t.positions == positions && std::ranges::count(judged_powers, t.power) > 0;
    });
  };
  summary.each(judged("full", "random"), {rank, power}, {above.as("above_alone")});
  summary.each(judged("rank16", "sinusoidal"), {rank, power}, {above.as("above_alone")});
  summary.each(judged("rank16", "random"), {power},
               {above.as("above_alone_random", "The same for words of rank 16 and random positions.")});
  summary.each(judged("full", "random"), {power}, {kept.as("kept")});
  const auto add = [&](const char* measure, double value, const char* meaning) {
    summary.number(measure, {}, {value}, {.kind = Kind::rounded, .meaning = meaning});
  };
  const std::size_t width = theory::best_split(v, l, d);
  add("words_alone", theory::expected_residual(d, v),
      "Residual of independent word-word targets, 50,257 words alone in 768 dimensions.");
  add("best_concatenation", theory::split_residual(v, l, d - width, width),
      "Residual of the best concatenation, independent targets, 50,257 words and 1,024 random positions.");
  add("best_concatenation_width", width, "Dimensions, of 768, that it gives to positions.");
}

/// No trade-off, at a model's own size; where there is room for everything, there is none.
Rule rule() {
  Rule rule;
  for (const auto& [id, rank, of] :
       {std::tuple{"rank16", "16", "words of rank 16 and sinusoids, scored by Gram matrix and distance"},
        {"full", "full", "independent targets, random positions"}})
    for (const double power : judged_powers)
      rule.push_back(condition(
          Role::core, fmt::format("above_alone.{}.power{}", id, power), Is::below, traded_off,
          Evidence::closed_form,
          {{"rank of what is asked", rank}, {"power of positions over words", fmt::format("{}", power)}},
          fmt::format("share of the scores' squared norm that a sum leaves above what words alone and "
                      "positions alone leave: {}, at {} times the words' power",
                      of, power)));
  rule.push_back(condition(Role::limit, "exact_error", Is::below, exact_error, Evidence::theorem, {}));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const auto boundary = rows_of<BoundaryFit>(cells);
  add_trade_off(trade_offs(rows_of<LowRankResidual>(cells)), summary);
  add_overall(summary, "exact_error", {}, most(boundary, &BoundaryFit::error), boundary.size(),
              "Largest relative error of the fitted scores, random positions added, V + L - 1 at most d.",
              0.0, Kind::sampled);
  summary.rule = rule();
}

}  // namespace

Experiment four_jobs(const Options&) {
  Experiment claim{
      "A3", "One matrix QᵀK has to score four kinds of pairs; in high dimension there is no trade-off.",
      "[d]"};
  claim.measure(grid<LowRankTables>("low rank", model_positions, model_width, low_rank,
                                    std::vector(std::begin(judged_powers), std::end(judged_powers))),
                3.0, measure_low_rank);
  claim.measure(grid<BoundaryWidth>("boundary", std::size_t{64}, std::vector<std::size_t>{1, 7}), 0.1,
                measure_boundary);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::capacity
