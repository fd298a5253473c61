#include "studies/capacity/a3_real.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
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

struct ModelTables {
  std::string what;
  std::size_t v, l, d, replicate;
};
PERP_ROW(ModelTables, what, v, l, d, replicate)
/// What is left of independent targets on average, given the tables.
struct ModelResidual : ModelTables {
  std::string positions;
  double expected;
};
PERP_ROW_OF(ModelResidual, ModelTables, positions, expected)

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
  for (const Positions kind : all_positions)
    out.add(ModelResidual{at, name_of(kind),
                          expected_for_words(words, exact_positions(kind, one, at.d, sinusoid_power))});
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
  double residual;
};
PERP_ROW_OF(SmoothResidual, SmoothTables, words, positions, r, rank, residual)

/// The first v learned words along their principal axes (about the origin), the strongest first.
Matrix<double> along_axes(const Matrix<float>& unit, std::size_t v) {
  const Matrix<double> words = converted<double>(leading_rows(unit, v));
  return product_nt(words, leading_directions(gram_columns(words), cols(words)));
}

/// T_wv = the Gram of the first r axes, T_ts = exp(-|t - s|/range), nothing between words and positions.
BilinearTargets smooth_targets(const Matrix<double>& words, std::size_t r, std::size_t l) {
  const std::size_t v = rows(words);
  const Matrix<double> gram = gram_rows(converted<double>(block(View(words), 0, v, r)));
  Matrix<double> targets = zeros<double>(v + l, v + l);
  for (std::size_t i = 0; i < v; ++i) std::ranges::copy(row(gram, i), row(targets, i).begin());
  for (std::size_t t = 0; t < l; ++t)
    for (std::size_t s = 0; s < l; ++s)
      targets(v + t, v + s) = std::exp(-std::abs(double(t) - double(s)) / range);
  return bilinear_targets(targets, v);
}

/// The first `axes` axes, turned at random into d dimensions (the sinusoid lies along the axes as no table
/// does), with mean ‖x‖² = d.
Matrix<double> turned(const Matrix<double>& words, std::size_t axes, const Matrix<double>& rotation) {
  const std::size_t d = cols(rotation);
  Matrix<double> table = product(block(View(words), 0, rows(words), axes), block(View(rotation), 0, axes, d));
  double square = 0;
  for (std::size_t i = 0; i < table.size(); ++i) square += table.data()[i] * table.data()[i];
  for (std::size_t i = 0; i < table.size(); ++i)
    table.data()[i] *= std::sqrt(double(d) * rows(words) / square);
  return table;
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
    const BilinearTargets targets = smooth_targets(learned, r, at.l);
    const auto fit = [&](const char* name, const Matrix<double>& words, Positions kind) {
      Matrix<double> table = matrix<double>(at.v + at.l, at.d);
      const Matrix<double> positions = exact_positions(kind, one, at.d, sinusoid_power);
      std::ranges::copy(std::span(words.data(), words.size()), table.data());
      std::ranges::copy(std::span(positions.data(), positions.size()), table.data() + words.size());
      const BilinearResidual left = bilinear_residual(table, targets);
      out.add(SmoothResidual{at, name, name_of(kind), r, left.rank, left.residual});
    };
    const Matrix<double> whole = turned(learned, at.d, rotation);
    if (r < at.d) fit("fewer", turned(learned, r, rotation), Positions::sinusoidal);
    fit("learned", whole, Positions::sinusoidal);
    fit("learned", whole, Positions::random);
    fit("random", one.word_entries, Positions::random);
  }
}

void add_models(const std::vector<Group<ModelResidual>>& groups, Summary& summary) {
  const auto line = [](const ModelResidual& r) {
    return r.positions == "random" ? theory::added_residual(r.v, r.l, r.d, sinusoid_power) : NAN;
  };
  summary.each(groups, {exact("positions", "", &ModelResidual::positions), exact("d", "", &ModelResidual::d)},
               {mean("model_measured",
                     "Share of independent targets' energy that no matrix fits, mean over targets, on drawn "
                     "words and positions of a model's numbers; theory: closed form.",
                     &ModelResidual::expected)
                    .theory(line)});
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
  summary.table(
      "a3_smooth.csv", groups,
      {words, positions, r, exact("v", "words", &SmoothTables::v), exact("l", "positions", &SmoothTables::l),
       exact("d", "dimension", &SmoothTables::d),
       exact("cutoff", "singular values below this share of the largest count as 0",
             [](const SmoothTables&) { return usual_cutoff; }),
       mean("rank", "singular values that count, mean", &SmoothResidual::rank), residual,
       rounded(
           "independent", "closed form for independent targets and random tables of these sizes",
           [](const SmoothTables& at) { return theory::added_residual(at.v, at.l, at.d, sinusoid_power); }),
       rows_in<SmoothResidual>("replicates", "draws of the tables")});
  summary.each(where(groups, [](const Group<SmoothResidual>& group) { return group.front().r == 16; }),
               {words, positions, r}, {residual.as("smooth", residual.about().meaning)});
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
  add_models(group_by(rows_of<ModelResidual>(cells), &ModelResidual::d, &ModelResidual::positions), summary);
  add_smooth(group_by(rows_of<SmoothResidual>(cells), &SmoothResidual::words, &SmoothResidual::positions,
                      &SmoothResidual::r),
             summary);
}

}  // namespace perp::capacity
