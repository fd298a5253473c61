// O2: word vectors and PE are unrelated, so they are nearly orthogonal.

#include <algorithm>
#include <cmath>
#include <functional>

#include "perp/base/linalg.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/outer.hpp"
#include "perp/measures/overlap.hpp"
#include "perp/random/normal.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/overlap.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t usual_length = 2048;
/// The mean over rotations is within this share of chance.
constexpr double tolerated = 0.05;

/// The learned (or given) words, beside the Gaussian ones.
constexpr const char* learned = "real";

struct Tables {
  std::string family;
  std::size_t v, d, l;
};
PERP_ROW(Tables, family, v, d, l)
/// The two tables again and again, one of them turned at random each time.
struct Rotations : Tables {
  std::size_t rotations;
};
PERP_ROW_OF(Rotations, Tables, rotations)
struct Turned : Rotations {
  std::size_t rotation;
  double mean_square_d, null_mean, null_sd;  ///< all three times d
};
PERP_ROW_OF(Turned, Rotations, rotation, mean_square_d, null_mean, null_sd)

/// What the rule asks for.
std::vector<Rotations> rotations_grid(Preset preset, const WordInputs& inputs) {
  const std::size_t words = pick<std::size_t>(preset, 1000, 4000, 20000),
                    rotations = pick<std::size_t>(preset, 40, 1000, 4000);
  std::vector<Rotations> grid{{{"gaussian", words, 512, usual_length}, rotations}};
  if (inputs.words)
    grid.push_back({{learned, rows(inputs.words->unit), cols(inputs.words->unit), usual_length}, rotations});
  return grid;
}

/// tr(A Q B Qᵀ) of a random rotation Q is Σ a_i Q_ij² b_j with the eigenvalues of A and of B: no table is
/// turned, and only as many columns of Q are drawn as B has eigenvalues that are no rounding.
void measure_turned(const Rotations& at, const Streams& streams, const WordInputs& inputs, Rows& rows) {
  constexpr double rounding = 1e-12;
  const Matrix<float> words =
                          at.family == learned
                              ? inputs.words->unit
                              : unit_rows(draw_words(Family::gaussian, at.v, at.d, streams("words"))).rows,
                      positions = unit_rows(sinusoidal<float>(at.l, at.d)).rows;
  const TableOverlap of = table_overlap(words, positions);
  const theory::OverlapNull null =
      theory::overlap_null(at.d, of.trace_a, of.trace_square_a, of.trace_b, of.trace_square_b);
  const double d = double(at.d);
  const std::vector<double> a = symmetric_eigenvalues(mean_outer_product(words));
  std::vector<double> b = symmetric_eigenvalues(mean_outer_product(positions));
  std::erase_if(b, [least = rounding * std::ranges::max(b)](double x) { return x <= least; });
  // The largest meets the first row: how many are no rounding, another LAPACK may see otherwise.
  std::ranges::reverse(b);
  for (std::size_t rotation = 0; rotation < at.rotations; ++rotation) {
    const Matrix<double> columns =
        orthonormal_rows(normal_matrix<double>(b.size(), at.d, streams("rotation", rotation)));
    double sum = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      double inside = 0;
      const std::span<const double> q = row(columns, j);
      for (std::size_t i = 0; i < a.size(); ++i) inside += a[i] * q[i] * q[i];
      sum += b[j] * inside;
    }
    rows.add(Turned{at, rotation, d * sum, d * null.mean, d * null.sd});
  }
}

const auto family = exact("family", "law of the words; real: learned or given words", &Tables::family);
const auto words = exact("words", "words V", &Tables::v);
const auto d = exact("d", "dimension", &Tables::d);
const auto positions = exact("positions", "sinusoidal positions L", &Tables::l);
const auto l = exact("l", "", &Tables::l);

void add_turned(const std::vector<Turned>& turned, Summary& summary) {
  summary.table("o2_turned.csv", turned,
                {family, words, d, positions,
                 exact("rotation", "random rotations of one of the two tables", &Turned::rotation),
                 sampled("mean_square_d", "mean square cosine of all pairs, times d", &Turned::mean_square_d),
                 sampled("theory", "tr A tr B: its mean over rotations, 1 to the rounding of unit rows",
                         &Turned::null_mean),
                 sampled("null_sd", "its standard deviation over rotations, from the spectra of both tables",
                         &Turned::null_sd)});
  const auto centre = mean("mean_square_turned",
                           "mean square cosine of words with sinusoidal positions times d, mean over random "
                           "rotations of one of the two tables; Student's interval over rotations.",
                           &Turned::mean_square_d)
                          .theory(&Turned::null_mean);
  const auto sd = sampled("turned_sd",
                          "Standard deviation of that mean square times d over the rotations; theory from "
                          "the spectra of both tables.",
                          [](const Group<Turned>& all) {
                            return std::sqrt(all.moments(&Turned::mean_square_d).variance);
                          })
                      .theory(&Turned::null_sd)
                      .n(&Turned::rotations);
  const auto by_family = group_by(turned, &Tables::family);
  const auto is_learned = [](const auto& of) { return of.front().family == learned; };
  summary.each(where(by_family, std::not_fn(is_learned)), {family, d, l}, {centre, sd});
  summary.each(where(by_family, is_learned), {family}, {centre, sd});
}

Rule rule() {
  const auto over_rotations = [](const char* finding, const char* words, const char* needs) {
    return Condition{.finding = fmt::format("mean_square_turned.{}", finding),
                     .is = Is::equal,
                     .bound = 1.0,
                     .margin = tolerated,
                     .evidence = Evidence::simulation,
                     .levels = {{"evidence", "random"}, {"words", words}},
                     .needs = needs};
  };
  return {
      over_rotations("gaussian.d512.l2048", "gaussian", ""),
      over_rotations(learned, "learned from text", "a text to learn words from"),
      condition(Role::core, elsewhere, Is::above, 0.0, Evidence::released, {{"evidence", "released"}},
                "mean cosine and mean square cosine of a released model's words and positions", needs_model)};
}

void conclude(const Cells& cells, Summary& summary) {
  add_turned(rows_of<Turned>(cells), summary);
  summary.rule = rule();
}

}  // namespace

Experiment words_against_positions(const Options& options, const SharedInputs& inputs) {
  Experiment claim{"O2",
                   "Word vectors and positional encodings are unrelated, so they are nearly orthogonal.",
                   "[d]", inputs->hashes};
  claim.measure(
      rotations_grid(options.preset, *inputs),
      [](const Rotations& at) { return 2e-8 * at.rotations * at.d * at.d; },
      [inputs](const Rotations& at, const Streams& streams, Rows& rows) {
        measure_turned(at, streams, *inputs, rows);
      });
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::orthogonality
