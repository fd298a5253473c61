// M3: the subspaces of words and positions are nearer to orthogonal than chance has it (O4, for given
// models): training keeps them apart. In words: m3.toml.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/theory/subspaces.hpp"
#include "studies/inspect/claims.hpp"
#include "studies/inspect/clouds.hpp"

namespace perp::inspect {
namespace {

/// Two tables that are compared.
struct Pair {
  const Groups& groups;
  const Cloud& positions;
  bool is_centred = true;
  Matrix<double> within = {};  ///< a map that rows go through first; orthonormal rows: a subspace; or none
  Cloud words = pooled(groups);

  Matrix<double> second_moments(const Cloud& cloud) const {
    if (within.size() > 0) return product_nt(product(within, cloud.covariance), within);
    return is_centred ? cloud.covariance : about_origin(cloud);
  }
};

/// d tr(AB)/(tr A tr B) of two covariances: if one of them is turned at random 1 on average, by theorem, with
/// the standard deviation sd. NaN where there is nothing to compare.
struct Overlap {
  double value = NAN, sd = NAN;
  double floor = NAN;      ///< the least that turning one of them could make of it, for their spectra
  double error = NAN;      ///< standard error, as another choice of words would move it; NaN of hardly any
  std::size_t groups = 0;  ///< of words, from which that error comes
  std::size_t words = 0;
};

/// Whether rows differ by more than rounding: equal ones keep some 1e-32 of their squares as variance.
bool varies(const Cloud& cloud) { return trace(cloud.covariance) > 1e-20 * trace(about_origin(cloud)); }

/// With its error from parts of the words. None where equal rows leave nothing to compare.
Overlap overlap_of(const Pair& pair) {
  if (pair.words.rows == 0 || pair.positions.rows == 0) return {};
  if (pair.is_centred && !(varies(pair.words) && varies(pair.positions))) return {};
  const Matrix<double> a = pair.second_moments(pair.words), b = pair.second_moments(pair.positions);
  const double trace_a = trace(a), trace_b = trace(b);
  if (!(trace_a > 0 && trace_b > 0)) return {};
  const theory::OverlapNull null =
      theory::overlap_null(cols(a), trace_a, trace_of_square(a), trace_b, trace_of_square(b));
  const auto of_part = [&](const Cloud& part) { return overlap(pair.second_moments(part), b); };
  const double error = split_half_error(pair.groups, of_part);
  return {trace_of_product(a, b) / null.mean,
          null.sd / null.mean,
          least_overlap(a, b),
          std::isnan(error) ? left_out_error(pair.groups, of_part) : error,
          std::size_t(std::ranges::count_if(pair.groups, [](const Cloud& group) { return group.rows > 0; })),
          std::size_t(pair.words.rows)};
}

/// Standard error of the overlap, as other positions would move it: delete-block jackknife (Künsch 1989, Ann.
/// Stat. 17, 1217) over blocks of consecutive positions, since neighbours are too much alike to be left out one
/// by one. NaN of fewer positions than blocks, and where without some all are equal.
constexpr std::size_t position_blocks = 8;
double error_over_positions(const Groups& words, const Matrix<double>& positions) {
  Groups blocks;
  for (std::size_t i = 0; i < position_blocks; ++i) {
    const std::size_t first = i * rows(positions) / position_blocks,
                      last = (i + 1) * rows(positions) / position_blocks;
    if (first == last) return NAN;
    blocks.push_back(cloud_of(converted<double>(block(positions, first, last))));
  }
  const Cloud of_words = pooled(words);
  bool is_equal = false;  // what is left, so that there is nothing to compare
  const double error = left_out_error(blocks, [&](const Cloud& part) {
    const bool is_one = !(varies(part) && varies(of_words));
    is_equal |= is_one;
    return is_one ? 0 : overlap(of_words.covariance, part.covariance);
  });
  return is_equal ? NAN : error;
}

/// Without the leading directions of the positions, where these vary in others, too: in what is left, turning
/// the words at random gives 1 as before.
Overlap overlap_without(std::size_t count, const Groups& words, const Cloud& positions) {
  const std::size_t d = positions.mean.size();
  if (2 * count > d || numerical_rank(positions.covariance, determined_in_double) <= count) return {};
  const Matrix<double> directions = leading_directions(positions.covariance, d);
  const View<double> others = block(directions, count, d);
  return overlap_of({words, positions, true, converted<double>(others)});
}

/// What a LayerNorm does to a sum's parts but for the sum's own length: each less its mean, times the gain
/// (Ba, Kiros and Hinton 2016, equation 4).
Matrix<double> through_layer_norm(const std::vector<double>& gain) {
  const std::size_t d = gain.size();
  Matrix<double> map = matrix<double>(d, d);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) map(i, j) = gain[i] * (double(i == j) - 1 / double(d));
  return map;
}

/// Each word as often as a text has it; none where nobody says how often.
Overlap overlap_by_frequency(const ModelUnderTest& model, const Cloud& positions, const Streams& streams) {
  const std::vector<double>& counts = model.tables.counts;
  if (counts.empty()) return {};
  Overlap of =
      overlap_of({grouped_words(*model.tables.word_stream(), counts.size(), streams, counts), positions});
  of.words = std::ranges::count_if(counts, [](double n) { return n > 0; });
  return of;
}

/// Of the words that a text has, the frequent third, the middle one and the rare one, each by itself.
void add_thirds(const ModelUnderTest& model, const Cloud& positions, const Streams& streams, Out& out) {
  const std::vector<double>& counts = model.tables.counts;
  std::vector<std::size_t> met;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) met.push_back(i);
  std::ranges::stable_sort(met, std::ranges::greater{}, [&](std::size_t i) { return counts[i]; });
  const char* const names[] = {"frequent", "middle", "rare"};
  for (std::size_t third = 0; third < 3 && !counts.empty(); ++third) {
    std::vector<double> chosen(counts.size());
    for (std::size_t i = third * met.size() / 3; i < (third + 1) * met.size() / 3; ++i) chosen[met[i]] = 1;
    const Overlap of =
        overlap_of({grouped_words(*model.tables.word_stream(), chosen.size(), streams, chosen), positions});
    out("third", {{"third", names[third]},
                  {"words", (third + 1) * met.size() / 3 - third * met.size() / 3},
                  {"overlap", of.value},
                  {"error", of.error},
                  {"groups", of.groups}});
  }
}

/// A row of cosines and one of each overlap.
void measure(const ModelUnderTest& model, const Streams& streams, Out& out) {
  const Measurement& of = model.given();
  const Between& between = of.between.value();
  const double d = model.dim();
  const Groups words = grouped_words(*model.tables.word_stream(), model.tables.words->rows(), streams);
  out("cosines", {{"words", of.words->numbers.rows},
                  {"positions", of.positions->numbers.rows},
                  {"d", model.dim()},
                  {"mean_cosine", between.mean_cosine.value},
                  {"mean_cosine_sd", between.mean_cosine.sd},
                  {"mean_square_d", d * between.mean_square_cosine.value},
                  {"mean_square_sd", d * between.mean_square_cosine.sd},
                  {"mean_square_centred", d * between.mean_square_centred.value},
                  {"positions_error", error_over_positions(words, *model.tables.positions)}});
  const Cloud positions = cloud_of(*model.tables.positions);
  const auto add = [&](const char* which, const Overlap& one) {
    out("overlap", {{"of", which},
                    {"overlap", one.value},
                    {"sd", one.sd},
                    {"floor", one.floor},
                    {"error", one.error},
                    {"groups", one.groups},
                    {"pairs", one.words * rows(*model.tables.positions)}});
  };
  add("centred", overlap_of({words, positions}));
  add("uncentred", overlap_of({words, positions, false}));
  add("without ten", overlap_without(10, words, positions));
  add("without thirty", overlap_without(30, words, positions));
  const std::vector<double> gain = model.gain();
  add("after LayerNorm", gain.size() == model.dim()
                             ? overlap_of({words, positions, true, through_layer_norm(gain)})
                             : Overlap{});
  add("by frequency", overlap_by_frequency(model, positions, streams));
  add_thirds(model, positions, streams, out);
}

/// With its interval, where so many groups of words or blocks of positions gave an error.
Estimate over_groups(double value, double error, std::size_t groups) {
  if (std::isnan(error)) return {value};
  Spread spread;
  spread.mean = MeanSpread{error, double(groups - 1)};
  spread.replicates = groups;
  return estimated(value, spread);
}
Estimate over_words(const Row& of) {
  return over_groups(of.number("overlap"), of.number("error"), of.whole("groups"));
}

/// A line of the table, and what is judged: of a lineage the first model; the others' overlap stands beside it.
void add_model(const ModelUnderTest& model, const Row& cosines, const Frame& overlaps, bool is_judged,
               Out& out) {
  const auto row = [&](const char* of) { return overlaps.where("of", of).front(); };
  const auto overlap = [&](const char* of) { return row(of).number("overlap"); };
  const Row centred = row("centred");
  const Estimate over_positions =
      over_groups(centred.number("overlap"), cosines.number("positions_error"), position_blocks);
  out("lineages", {{"model", model.name},
                   {"kind", model.kind},
                   {"part", model.part},
                   {"head", model.head},
                   {"norm", model.norm},
                   {"lineage", lineage_of(model)},
                   cosines["words"],
                   cosines["positions"],
                   cosines["d"],
                   cosines["mean_cosine"],
                   cosines["mean_cosine_sd"],
                   cosines["mean_square_d"],
                   cosines["mean_square_sd"],
                   cosines["mean_square_centred"],
                   {"overlap", over_words(centred)},
                   {"by_position", over_positions},
                   centred["floor"],
                   centred["sd"],
                   {"uncentred", overlap("uncentred")},
                   {"beside_ten", overlap("without ten")},
                   {"beside_thirty", overlap("without thirty")},
                   {"layernorm", overlap("after LayerNorm")},
                   {"by_frequency", overlap("by frequency")}});
  if (over_positions.spread)
    out("over_positions", {{"model", model.name}, {"overlap", over_positions}, cosines["positions"]});
  for (const Row& one : overlaps) {
    // How often a text has a model's words is known of few.
    const bool is_known = one.text("of") != "by frequency" || !std::isnan(one.number("overlap"));
    if (one.text("of") == "centred" || (is_judged && is_known))
      out("judged", {{"model", model.name}, one["of"], {"overlap", over_words(one)}, one["pairs"]});
  }
}

void fold(const Models& models, const Frames& measured, Out& out) {
  if (!measured.has("cosines")) return;
  const std::vector<GivenModel> all = models_with(models, has_both), judged = one_of_each_lineage(all);
  for (const GivenModel& model : all)
    add_model(*model, measured["cosines"].where("model", model->name).front(),
              measured["overlap"].where("model", model->name), std::ranges::count(judged, model) > 0, out);
  out("asked", {{"models", all.size()}, {"lineages", judged.size()}});
  if (measured.has("third"))
    for (const Row& third : measured["third"])
      out("thirds", {third["model"], third["third"], third["words"], {"overlap", over_words(third)}});
}

}  // namespace

Experiment subspaces(const Models& models, const Options& options) {
  Experiment claim("M3", toml_of("m3"), depends(models));
  // Nothing is turned any more; the streams are named by the number of rotations.
  const std::size_t rotations = pick<std::size_t>(options.preset, 20, 200, 1000);
  for (const GivenModel& model : models_with(models, has_both))
    claim.cell({{"model", model->name}, {"rotations", whole(rotations)}}, 3,
               [=](const Streams& streams, Out& out) { measure(*model, streams, out); });
  claim.fold([=](const Frames& measured, Out& out) { fold(models, measured, out); });
  return evidence_for("O4", asked_of_each(models, std::move(claim)));
}

}  // namespace perp::inspect
