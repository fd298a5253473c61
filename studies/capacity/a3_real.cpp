#include "studies/capacity/a3_real.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/squares.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/random/normal.hpp"
#include "perp/theory/bilinear.hpp"
#include "perp/vectors/words.hpp"

namespace perp::capacity {
namespace {

/// GPT-2 small's words, positions and width; quick runs take an eighth of each.
constexpr std::size_t model_words = 50257, model_positions = 1024, model_width = 768;
/// Positions t and s score exp(-|t - s|/range).
constexpr double range = 32;
constexpr std::size_t low_rank = 16;  // of words and of what is asked of them

struct ModelTables {
  std::string what;
  std::size_t v, l, d, replicate;
};
PERP_ROW(ModelTables, what, v, l, d, replicate)
/// What is left of independent targets on average, given words and random positions.
struct ModelResidual : ModelTables {
  double power, expected;
};
PERP_ROW_OF(ModelResidual, ModelTables, power, expected)

/// Gaussian words, a tile at a time.
WordGram draw_gram(const ModelTables& at, const Streams& streams) {
  constexpr std::size_t tile = 4096;
  WordGram words;
  for (std::size_t first = 0; first < at.v; first += tile)
    words.add(normal_matrix<float>(std::min(tile, at.v - first), at.d, streams("words", first / tile)));
  return words;
}

void measure_model(const ModelTables& at, const Streams& streams, Rows& out) {
  const WordGram words = draw_gram(at, streams);
  const Draw one{at.v, at.l, at.d, {}, normal_matrix<double>(at.l, at.d, streams("positions")), {}};
  for (const double power : judged_powers)
    out.add(ModelResidual{at, power,
                          expected_for_words(words, exact_positions(Positions::random, one, at.d, power))});
}

/// What is left of targets by words and positions that share d dimensions, and by the same apart: [W 0; 0 P].
struct Left {
  std::size_t rank;  ///< of the sums, by the cutoff
  double residual, apart;
};

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

Matrix<double> leading_columns(const Matrix<double>& words, std::size_t count) {
  return converted<double>(block(View(words), 0, rows(words), count));
}

/// Words along some axes, turned at random into the positions' d dimensions (the sinusoid lies along the axes
/// as no table does), with mean ‖x‖² = d.
Left left_by(Matrix<double> words, const Matrix<double>& positions, const Matrix<double>& rotation,
             const BilinearTargets& targets) {
  const std::size_t k = cols(words), d = cols(positions);
  const double scale = std::sqrt(double(d) / mean_square_length(words));
  for (std::size_t i = 0; i < words.size(); ++i) words.data()[i] *= scale;
  const Matrix<double> turned = product(words, converted<double>(block(View(rotation), 0, k, d)));
  const Matrix<double> apart = stacked(placed(words, 0, k + d), placed(positions, k, k + d));
  const BilinearResidual sum = bilinear_residual(stacked(turned, positions), targets);
  return {sum.rank, sum.residual, bilinear_residual(apart, targets).residual};
}

struct LowRankTables {
  std::string what;
  std::size_t l, d, rank;
  double power;
};
PERP_ROW(LowRankTables, what, l, d, rank, power)
struct LowRankResidual : LowRankTables {
  std::size_t dimensions;
  double residual, apart;
};
PERP_ROW_OF(LowRankResidual, LowRankTables, dimensions, residual, apart)

// Of words of mean 0 the residual depends on WᵀW alone, up to a factor: ± each axis stands for any number of
// them that lie evenly in `rank` dimensions.
void measure_low_rank(const LowRankTables& at, const Streams& streams, Rows& out) {
  Matrix<double> words = zeros<double>(2 * at.rank, at.rank);
  for (std::size_t i = 0; i < at.rank; ++i) words(i, i) = 1, words(at.rank + i, i) = -1;
  const Draw one{rows(words), at.l, at.d, {}, {}, {}};
  const Left left =
      left_by(words, exact_positions(Positions::sinusoidal, one, at.d, at.power),
              converted<double>(random_rotation(at.d, streams("rotation"))), smooth_targets(words, at.l));
  out.add(LowRankResidual{at, left.rank, left.residual, left.apart});
}

struct SmoothTables {
  std::string what;
  std::size_t v, l, d, largest, replicate;
};
PERP_ROW(SmoothTables, what, v, l, d, largest, replicate)
/// Targets of words of rank r; learned words with all of their d strongest directions or with the r strongest
/// alone.
struct SmoothResidual : SmoothTables {
  std::string words, positions;
  std::size_t r, rank;
  double residual, apart;
};
PERP_ROW_OF(SmoothResidual, SmoothTables, words, positions, r, rank, residual, apart)

/// The first v learned words along their principal axes (about the origin), the strongest first.
Matrix<double> along_axes(const Matrix<float>& unit, std::size_t v) {
  const Matrix<double> words = converted<double>(leading_rows(unit, v));
  return product_nt(words, leading_directions(gram_columns(words), cols(words)));
}

void measure_smooth_targets(const SmoothTables& at, const Matrix<float>& unit, const Streams& streams,
                            Rows& out) {
  const Matrix<double> learned = along_axes(unit, at.v),
                       rotation = converted<double>(random_rotation(at.d, streams("rotation")));
  const Draw one{at.v,
                 at.l,
                 at.d,
                 normal_matrix<double>(at.v, at.d, streams("words")),
                 normal_matrix<double>(at.l, at.d, streams("positions")),
                 {}};
  for (std::size_t r = 4; r <= at.largest; r *= 4) {
    const BilinearTargets targets = smooth_targets(leading_columns(learned, r), at.l);
    const auto fit = [&](const char* name, const Matrix<double>& words, Positions kind) {
      const Left left = left_by(words, exact_positions(kind, one, at.d, sinusoid_power), rotation, targets);
      out.add(SmoothResidual{at, name, name_of(kind), r, left.rank, left.residual, left.apart});
    };
    const Matrix<double> whole = leading_columns(learned, at.d);
    if (r < at.d) fit("fewer", leading_columns(learned, r), Positions::sinusoidal);
    fit("learned", whole, Positions::sinusoidal);
    fit("learned", whole, Positions::random);
    fit("random", one.word_entries, Positions::random);
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

void add_trade_off(const std::vector<LowRankResidual>& measured, Summary& summary) {
  constexpr std::size_t v = model_words, l = model_positions, d = model_width;
  const auto all = trade_offs(measured);
  const auto rank = exact("rank",
                          "full: independent targets, Gaussian words; rank16: words of rank 16 that ask for "
                          "their Gram matrix, positions for their distance",
                          &TradeOff::rank);
  const auto positions = exact("positions", "sinusoidal or random", &TradeOff::positions);
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
      {rank, positions, power,
       rounded("residual", "share of the scores' squared norm that the sum leaves", &TradeOff::residual),
       rounded("apart", "what words and positions leave, each in all d dimensions", &TradeOff::apart), above,
       kept});
  const auto judged = [](const TradeOff& t) { return std::ranges::count(judged_powers, t.power) > 0; };
  summary.each(
      where(all,
            [&](const TradeOff& t) { return judged(t) && (t.rank == "full") == (t.positions == "random"); }),
      {rank, power}, {above.as("above_alone")});
  summary.each(
      where(all,
            [&](const TradeOff& t) { return judged(t) && t.rank == "rank16" && t.positions == "random"; }),
      {power}, {above.as("above_alone_random", "The same for words of rank 16 and random positions.")});
  summary.each(where(all, [&](const TradeOff& t) { return judged(t) && t.rank == "full"; }), {power},
               {kept.as("kept")});
  const auto add = [&](const char* measure, double value, const char* meaning) {
    summary.number(measure, {}, {value}, {.kind = Kind::rounded, .meaning = meaning});
  };
  const std::size_t width = theory::best_split(v, l, d);
  add("words_alone", theory::expected_residual(d, v),
      "Residual of independent word-word targets, 50,257 words alone in 768 dimensions.");
  add("best_concatenation", theory::split_residual(v, l, d - width, width),
      "Residual of the best concatenation, independent targets, 50,257 words and 1,024 random positions.");
  add("best_concatenation_width", width, "Dimensions, of 768, that it gives to positions.");
  add("dimensions", measured.at(0).dimensions,
      "Dimensions, of 768, that 1,024 sinusoidal positions and words of rank 16 fill together, by the "
      "cutoff.");
}

void add_models(const std::vector<Group<ModelResidual>>& groups, Summary& summary) {
  summary.each(
      groups, {exact("d", "", &ModelResidual::d), exact("power", "", &ModelResidual::power)},
      {mean("model_measured",
            "Share of independent targets' energy that no matrix fits, mean over targets, on drawn words and "
            "random positions of a model's numbers; theory: closed form.",
            &ModelResidual::expected)
           .theory([](const ModelResidual& r) { return theory::added_residual(r.v, r.l, r.d, r.power); })});
}

void add_smooth(const std::vector<Group<SmoothResidual>>& groups, Summary& summary) {
  const auto words = exact("tables", "learned: d strongest directions; fewer: r of them; random: Gaussian",
                           &SmoothResidual::words);
  const auto positions = exact("positions", "sinusoidal or random", &SmoothResidual::positions);
  const auto r = exact("r", "rank of the words' targets", &SmoothResidual::r);
  const auto residual = mean("residual",
                             "share of the scores' squared norm that no matrix fits where positions score by "
                             "their distance and words by the rank-r Gram of vectors learned from text",
                             &SmoothResidual::residual)
                            .interval("low", "high", "Student's t, 99%, over draws of the tables");
  summary.table("a3_smooth.csv", groups,
                {words, positions, r, exact("v", "words", &SmoothTables::v),
                 exact("l", "positions", &SmoothTables::l), exact("d", "dimension", &SmoothTables::d),
                 exact("cutoff", "singular values below this share of the largest count as 0",
                       [](const SmoothTables&) { return usual_cutoff; }),
                 mean("rank", "singular values that count, mean", &SmoothResidual::rank), residual,
                 mean("apart", "residual of the words and the positions in dimensions of their own",
                      &SmoothResidual::apart),
                 rows_in<SmoothResidual>("replicates", "draws of the tables")});
  summary.each(where(groups, [](const Group<SmoothResidual>& group) { return group.front().r == 16; }),
               {words, positions, r}, {residual.as("gram")});
}

}  // namespace

void WordGram::add(const Matrix<float>& words) {
  if (sum.empty()) *this = {zeros<double>(cols(words), cols(words)), std::vector(cols(words), 0.0)};
  const Matrix<float> more = gram_columns(words);
  for (std::size_t i = 0; i < more.size(); ++i) gram.data()[i] += more.data()[i];
  const std::vector<double> mean = column_means(words);
  for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += mean[j] * rows(words);
  count += rows(words);
}

// tr ΠK over the sums Y = J [W; P] = JZ. With N = JᵀJ, which has L and V on its diagonal blocks and 1 between
// them, it is tr (ZᵀNZ)⁻¹ ZᵀN²Z: d x d matrices from WᵀW, PᵀP and the sums of both.
double expected_for_words(const WordGram& words, const Matrix<double>& positions) {
  const std::size_t d = cols(positions);
  require(words.count > d && words.sum.size() == d,
          "A3: {} words of {} dimensions with positions of {}, expected as many dimensions and more words",
          words.count, words.sum.size(), d);
  const double v = words.count, l = rows(positions);
  const Matrix<double> of_positions = gram_columns(positions);
  std::vector<double> sum = column_means(positions);
  for (double& x : sum) x *= l;
  Matrix<double> once = matrix<double>(d, d), twice = matrix<double>(d, d);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      const double w = words.gram(i, j), p = of_positions(i, j),
                   cross = words.sum[i] * sum[j] + sum[i] * words.sum[j];
      once(i, j) = l * w + v * p + cross;
      twice(i, j) =
          l * l * w + v * v * p + (l + v) * cross + v * sum[i] * sum[j] + l * words.sum[i] * words.sum[j];
    }
  const Matrix<double> root = cholesky(once);
  require(rows(root) == d, "A3: sums of {} words and {} positions do not span their {} dimensions", v, l, d);
  const Matrix<double> half = solve_lower(root, twice), whole = solve_lower(root, transposed(half));
  double kept = 0;
  for (std::size_t i = 0; i < d; ++i) kept += whole(i, i);
  return theory::expected_residual(kept, 2 * v * l);
}

void measure_models(Experiment& claim, Preset preset) {
  const std::size_t part = preset == Preset::quick ? 8 : 1;
  std::vector<ModelTables> tables;
  for (std::size_t r = 0; r < pick<std::size_t>(preset, 3, 4, 8); ++r)
    tables.push_back({"model", model_words / part, model_positions / part, model_width / part, r});
  claim.measure(
      tables, [](const ModelTables& at) { return 3e-11 * double(at.v * at.d * at.d); }, measure_model);
}

void measure_low_ranks(Experiment& claim) {
  claim.measure(grid<LowRankTables>("low rank", model_positions, model_width, low_rank,
                                    std::vector(std::begin(judged_powers), std::end(judged_powers))),
                3.0, measure_low_rank);
}

void measure_smooth(Experiment& claim, Preset preset, const SharedWords& words) {
  const bool quick = preset == Preset::quick;
  const std::size_t v = quick ? 200 : 1000, l = quick ? 64 : 256, d = quick ? 32 : 64;
  if (!words->words || rows(words->words->unit) < v || cols(words->words->unit) < d) return;
  const std::size_t largest = std::min<std::size_t>(256, cols(words->words->unit));
  claim.measure(grid<SmoothTables>("smooth", v, l, d, largest, first(pick<std::size_t>(preset, 3, 8, 32))),
                quick ? 0.05 : 0.6, [words](const SmoothTables& at, const Streams& streams, Rows& rows) {
                  measure_smooth_targets(at, words->words->unit, streams, rows);
                });
}

void add_real(const Cells& cells, Summary& summary) {
  add_trade_off(rows_of<LowRankResidual>(cells), summary);
  add_models(group_by(rows_of<ModelResidual>(cells), &ModelResidual::d, &ModelResidual::power), summary);
  add_smooth(group_by(rows_of<SmoothResidual>(cells), &SmoothResidual::words, &SmoothResidual::positions,
                      &SmoothResidual::r),
             summary);
}

}  // namespace perp::capacity
