// O2: word vectors and PE are unrelated, so they are nearly orthogonal.

#include <algorithm>
#include <cmath>
#include <functional>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/outer.hpp"
#include "perp/measures/overlap.hpp"
#include "perp/random/normal.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/theory/overlap.hpp"
#include "perp/vectors/corpus.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t bins = 2000;       // of the histogram over ±1
constexpr std::size_t bins_a_point = 4;  // of the density that is drawn
constexpr std::size_t usual_length = 2048;
/// The mean over rotations is within this share of chance.
constexpr double tolerated = 0.05;

// The real words beside the random families of vectors/words.hpp.
constexpr const char* learned = "real";          ///< the learned (or given) words as they are
constexpr const char* centred = "real_centred";  ///< without the mean that all share
constexpr const char* rotated = "real_rotated";  ///< at random: their axes know nothing of positions

struct Tables {
  std::string family;
  std::size_t v, d, l;
};
PERP_ROW(Tables, family, v, d, l)
struct Overlap : Tables {
  std::size_t pairs;
  double mean_square, null_mean, null_sd, max_abs;
};
PERP_ROW_OF(Overlap, Tables, pairs, mean_square, null_mean, null_sd, max_abs)
struct Density : Tables {
  double cosine, density;
};
PERP_ROW_OF(Density, Tables, cosine, density)

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

std::vector<Tables> grid(Preset preset, const WordInputs& inputs) {
  const std::size_t words = pick<std::size_t>(preset, 1000, 4000, 20000);
  std::vector<std::size_t> dims = doubling(64, preset == Preset::full ? 2048 : 4096);
  if (preset == Preset::quick) dims = {64, 512};
  std::vector<Tables> grid;
  for (const Family family : families) {
    const std::string name(to_text(family));
    for (const std::size_t d : dims) grid.push_back({name, words, d, usual_length});
    if (preset != Preset::quick) grid.push_back({name, words, 512, 8192});
  }
  if (!inputs.words) return grid;
  const std::size_t count = rows(inputs.words->unit), d = cols(inputs.words->unit);
  for (const char* real : {learned, centred, rotated}) grid.push_back({real, count, d, usual_length});
  const Tables control{"gaussian", count, d, usual_length};
  const auto same = [&](const Tables& at) { return coordinates_of(at) == coordinates_of(control); };
  if (std::ranges::none_of(grid, same)) grid.push_back(control);
  return grid;
}

/// What the rule asks for.
std::vector<Rotations> rotations_grid(Preset preset, const WordInputs& inputs) {
  const std::size_t words = pick<std::size_t>(preset, 1000, 4000, 20000),
                    rotations = pick<std::size_t>(preset, 40, 1000, 4000);
  std::vector<Rotations> grid{{{"gaussian", words, 512, usual_length}, rotations}};
  if (inputs.words)
    grid.push_back({{learned, rows(inputs.words->unit), cols(inputs.words->unit), usual_length}, rotations});
  return grid;
}

Matrix<float> unit_words(const Tables& at, const Streams& streams, const WordInputs& inputs) {
  if (at.family == learned) return inputs.words->unit;
  if (at.family == centred) return unit_rows(perp::centred(inputs.words->unit)).rows;
  const auto rotation = [&] { return random_rotation(at.d, streams("rotation")); };
  if (at.family == rotated) return unit_rows(product(inputs.words->unit, rotation())).rows;
  const Family family = family_from(at.family);
  const Matrix<float> words = draw_words(family, at.v, at.d, streams("words"));
  // Positions lie along the axes as no learned table does: rotate words whose law does not do that by itself.
  if (is_isotropic(family)) return unit_rows(words).rows;
  return unit_rows(product(words, rotation())).rows;
}

/// Words and positions of unit rows, their overlap and what it is under a random rotation.
struct Met {
  Matrix<float> words, positions;
  TableOverlap overlap;
  theory::OverlapNull null;
};
Met meet(const Tables& at, const Streams& streams, const WordInputs& inputs) {
  Met met{unit_words(at, streams, inputs), unit_rows(sinusoidal<float>(at.l, at.d)).rows, {}, {}};
  const TableOverlap& of = met.overlap = table_overlap(met.words, met.positions);
  met.null = theory::overlap_null(at.d, of.trace_a, of.trace_square_a, of.trace_b, of.trace_square_b);
  return met;
}

void measure(const Tables& at, const Streams& streams, const WordInputs& inputs, Rows& rows) {
  const auto [words, positions, overlap, null] = meet(at, streams, inputs);
  const CosineSummary cosines = cosines_between(words, positions, bins, 1);
  rows.add(Overlap{at, cosines.count, overlap.mean_square, null.mean, null.sd, cosines.max_abs});
  if (at.d != 512 && at.family != learned && at.family != centred) return;
  const std::vector<double> centres = cosines.histogram.centres(), density = cosines.histogram.density();
  const double reach = 5 / std::sqrt(double(at.d));
  for (std::size_t first = 0; first + bins_a_point <= bins; first += bins_a_point) {
    double centre = 0, sum = 0;
    for (std::size_t i = first; i < first + bins_a_point; ++i) {
      centre += centres[i] / bins_a_point;
      sum += density[i] / bins_a_point;
    }
    if (std::abs(centre) <= reach) rows.add(Density{at, centre, sum});
  }
}

/// tr(A Q B Qᵀ) of a random rotation Q is Σ a_i Q_ij² b_j with the eigenvalues of A and of B: no table is
/// turned, and only as many columns of Q are drawn as B has eigenvalues that are no rounding.
void measure_turned(const Rotations& at, const Streams& streams, const WordInputs& inputs, Rows& rows) {
  constexpr double rounding = 1e-12;
  const auto [words, positions, overlap, null] = meet(at, streams, inputs);
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

/// d times the mean square cosine, and how it would spread if one of its tables were rotated.
Estimate overlap_of(const Overlap& o) {
  const double d = double(o.d);
  return estimated(o.mean_square * d, known_spread(o.null_sd * d));
}

/// A square cosine has variance 2(d-1)/(d²(d+2)), if only the pairs were independent.
double z_pairwise(const Overlap& o) {
  const double d = double(o.d);
  return (o.mean_square - o.null_mean) / std::sqrt(2 * (d - 1) / (d * d * (d + 2)) / double(o.pairs));
}

const auto family = exact("family",
                          "law of the words; real: learned or given words, real_centred: without their mean; "
                          "real_rotated: turned at random",
                          &Tables::family);
const auto words = exact("words", "words V", &Tables::v);
const auto d = exact("d", "dimension", &Tables::d);
const auto positions = exact("positions", "sinusoidal positions L", &Tables::l);
const auto l = exact("l", "", &Tables::l);

void add_overlaps(const std::vector<Overlap>& overlaps, Summary& summary) {
  const auto null = [](const Overlap& o) { return o.null_mean * double(o.d); };
  const auto v_times_l = [](const Tables& at) { return at.v * at.l; };
  const auto value =
      sampled("mean_square_d", "mean square cosine over all V L pairs, times d", overlap_of)
          .interval("low", "high", "99% interval from the null's standard deviation for fixed tables")
          .theory(null)
          .with({"theory", "1", Kind::rounded, "tr A tr B = 1: what unrelated tables give"}, null)
          .n(v_times_l);
  const auto z = sampled("z", "departure of the mean square from its null in its standard deviations",
                         [](const Overlap& o) { return (o.mean_square - o.null_mean) / o.null_sd; })
                     .chance(0)
                     .n(v_times_l);
  const auto pairwise =
      sampled("z_pairwise", "the same departure if the pairs were wrongly taken as independent", z_pairwise)
          .chance(0)
          .n(v_times_l);
  summary.table(
      "o2_overlap.csv", overlaps,
      {family, words, d, positions, value, z, pairwise,
       sampled("max_abs", "largest |cosine|", &Overlap::max_abs)
           .theory("max_abs_independent", "median of the largest of V L independent pairs",
                   [](const Overlap& o) { return theory::largest_cosine_median(o.d, double(o.pairs)); })});

  const auto mean_square = value.as("mean_square",
                                    "Mean square cosine of words with sinusoidal positions times d; interval "
                                    "from the null for two fixed tables under a random rotation.");
  // Not the real words' control.
  const auto drawn = where(
      overlaps, [&](const Overlap& o) { return o.d == 512 && o.l == usual_length && o.v == overlaps[0].v; });
  summary.each(only(drawn, &Tables::family, "gaussian"), {family, d, l},
               {mean_square, pairwise.unit("standard deviations")});
  summary.each(only(drawn, &Tables::family, "anisotropic"), {family, d, l}, {mean_square});
  for (const char* real : {learned, centred})
    summary.each(only(overlaps, &Tables::family, real), {family}, {mean_square});
  for (const char* real : {learned, rotated})
    summary.each(only(overlaps, &Tables::family, real), {family}, {z.unit("standard deviations")});
}

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

void add_density(const std::vector<Density>& points, Summary& summary) {
  const auto root = [](const Density& p) { return std::sqrt(double(p.d)); };
  summary.table("o2_density.csv", points,
                {family, d, positions,
                 exact("cosine_sqrt_d", "centre of a bin, times the square root of d",
                       [=](const Density& p) { return p.cosine * root(p); }),
                 sampled("density", "share of pairs per unit of cosine times the square root of d",
                         [=](const Density& p) { return p.density / root(p); }),
                 exact("law", "density of the cosine of two uniform directions, in the same units",
                       [=](const Density& p) { return theory::cosine_density(p.d, p.cosine) / root(p); })});
}

struct Everyday {
  std::string word;
  std::vector<Neighbour> nearest;
};

std::vector<Everyday> everyday(const RealWords& given) {
  std::vector<std::string> queries;
  for (const std::string_view word : everyday_words)
    if (std::ranges::find(given.words, word) != given.words.end()) queries.emplace_back(word);
  if (queries.empty()) return {};
  const auto neighbours = nearest_neighbours(given.words, given.unit, queries, 5);
  std::vector<Everyday> found;
  for (std::size_t i = 0; i < queries.size(); ++i) found.push_back({queries[i], neighbours[i]});
  return found;
}

void add_neighbours(const std::vector<Everyday>& found, Summary& summary) {
  const auto neighbour = [](std::size_t rank) {
    return sampled(fmt::format("neighbour_{}", rank), "the word of that rank by cosine",
                   [rank](const Everyday& e) { return e.nearest.at(rank - 1).word; });
  };
  summary.table("o2_neighbours.csv", found,
                {exact("word", "an everyday word", &Everyday::word), neighbour(1), neighbour(2), neighbour(3),
                 neighbour(4), neighbour(5),
                 sampled("cosine_1", "cosine with the nearest",
                         [](const Everyday& e) { return e.nearest[0].cosine; })});
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

void conclude(const Cells& cells, const WordInputs& inputs, Summary& summary) {
  // Vectors without their words, or of other words, have no such table.
  const std::vector<Everyday> found = inputs.words ? everyday(*inputs.words) : std::vector<Everyday>{};
  if (!found.empty())
    add_overall(summary, "everyday_words", {}, double(found.size()), inputs.words->words.size(),
                "Everyday words of a fixed list of twelve that the vocabulary holds.", {}, Kind::exact,
                "words");
  add_overlaps(rows_of<Overlap>(cells), summary);
  add_turned(rows_of<Turned>(cells), summary);
  add_density(rows_of<Density>(cells), summary);
  if (!found.empty()) add_neighbours(found, summary);
  summary.rule = rule();
}

}  // namespace

Experiment words_against_positions(const Options& options, const SharedInputs& inputs) {
  Experiment claim{"O2",
                   "Word vectors and positional encodings are unrelated, so they are nearly orthogonal.",
                   "[d]", inputs->hashes};
  claim.measure(
      grid(options.preset, *inputs), [](const Tables& at) { return 1e-11 * 2 * at.v * at.l * at.d + 0.05; },
      [inputs](const Tables& at, const Streams& streams, Rows& rows) {
        measure(at, streams, *inputs, rows);
      });
  claim.measure(
      rotations_grid(options.preset, *inputs),
      [](const Rotations& at) { return 2e-8 * at.rotations * at.d * at.d; },
      [inputs](const Rotations& at, const Streams& streams, Rows& rows) {
        measure_turned(at, streams, *inputs, rows);
      });
  claim.conclude([inputs](const Cells& cells, Summary& summary) { conclude(cells, *inputs, summary); });
  return claim;
}

}  // namespace perp::orthogonality
