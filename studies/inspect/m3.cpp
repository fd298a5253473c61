// M3: the subspaces of words and positions are nearer to orthogonal than chance has it (O4, for given
// models): training keeps them apart.

#include <algorithm>
#include <cmath>

#include "studies/inspect/m3_measure.hpp"

namespace perp::inspect {
namespace {

/// Overlap d tr(AB)/(tr A tr B) below this, of 1 by chance, is nearer to orthogonal than chance.
constexpr double clearly_less = 0.5;

/// With its interval over words, where halves of so many groups of them gave an error.
Estimate over_words(const Overlap& of) {
  if (std::isnan(of.error)) return {of.value};
  Spread spread;
  spread.mean = MeanSpread{of.error, double(of.groups - 1)};
  spread.replicates = of.groups;
  return estimated(of.value, spread);
}

/// Which rows an overlap is of: in a row, as a finding and a condition.
struct RowsOf {
  const char *of, *finding;
  Role role;
  const char *says, *meaning;
};
constexpr RowsOf judged[] = {
    {"centred", "overlap", Role::core, "centred", "covariances of words and positions"},
    {"uncentred", "overlap_uncentred", Role::limit, "not centred",
     "mean outer products of words and positions, not centred"},
    {"without ten", "overlap_beside_ten", Role::limit,
     "centred, without the positions' ten leading directions",
     "covariances without the ten directions in which positions vary most"},
    {"without thirty", "overlap_beside_thirty", Role::limit,
     "centred, without the positions' thirty leading directions",
     "covariances without the thirty directions in which positions vary most"},
    {"by frequency", "overlap_by_frequency", Role::limit, "centred, words as often as a text has them",
     "covariances of the words, each as often as a text has it, and of the positions"}};

/// One model: what a line of the table says.
struct Side : PairCosines {
  const ModelUnderTest* under_test;
  std::vector<Overlap> overlaps;

  const Overlap* find(std::string_view of) const {
    const auto found = std::ranges::find(overlaps, of, &Overlap::of);
    return found == overlaps.end() ? nullptr : &*found;
  }
};

std::vector<Side> sides_of(const Models& models, const Cells& cells) {
  const auto overlaps = rows_of<Overlap>(cells);
  std::vector<Side> sides;
  for (const PairCosines& of : rows_of<PairCosines>(cells))
    sides.push_back({of, &model_named(models, of.model), only(overlaps, &Overlap::model, of.model)});
  return sides;
}

auto declared(std::string ModelUnderTest::*what) {
  return [=](const Side& side) { return side.under_test->*what; };
}
auto of_overlap(const char* of, double Overlap::*member = &Overlap::value) {
  return [=](const Side& side) {
    const Overlap* found = side.find(of);
    return found ? found->*member : NAN;
  };
}

void add_table(const std::vector<Side>& sides, Summary& summary) {
  const auto centred = [](const Side& side) {
    const Overlap* found = side.find("centred");
    return found ? over_words(*found) : Estimate{NAN};
  };
  summary.table(
      "m3_lineages.csv", sides,
      {model_name,
       exact("kind", "of what it reads, as given", declared(&ModelUnderTest::kind)),
       exact("part", "encoder or decoder, as given", declared(&ModelUnderTest::part)),
       exact("head", "its output table: the words' (tied), one of its own, or none",
             declared(&ModelUnderTest::head)),
       exact("norm", "where its first LayerNorm stands: the sum's, the first block's, later",
             declared(&ModelUnderTest::norm)),
       exact("lineage", "models trained alike count once",
             [](const Side& of) { return lineage_of(*of.under_test); }),
       exact("words", "V", &Side::words).unit("words"),
       exact("positions", "L", &Side::positions).unit("positions"),
       exact("d", "dimension", &Side::d),
       rounded("mean_cosine", "over all pairs of a word and a position", &Side::mean),
       rounded("mean_cosine_sd", "its standard deviation by chance, about 0", &Side::mean_sd),
       rounded("mean_square_d", "mean square cosine over all pairs, times d; 1 by chance", &Side::square),
       rounded("mean_square_sd", "its standard deviation by chance", &Side::square_sd),
       rounded("mean_square_centred",
               "the same of the rows of length 1 less their mean, over what is left of their squares",
               &Side::centred),
       sampled("overlap", "of the covariances; 1 by chance", centred)
           .interval("low", "high",
                     "99% interval over words, by balanced halves; of few by leaving some out"),
       rounded("floor", "the least that turning one of the two could make of it, for their spectra",
               of_overlap("centred", &Overlap::floor)),
       rounded("sd", "its standard deviation by chance", of_overlap("centred", &Overlap::sd)),
       rounded("uncentred", "overlap, not centred", of_overlap("uncentred")),
       rounded("beside_ten", "overlap without the positions' ten leading directions",
               of_overlap("without ten")),
       rounded("beside_thirty", "overlap without their thirty leading ones", of_overlap("without thirty")),
       rounded("layernorm", "overlap after the first LayerNorm, where its gain is known",
               of_overlap("after LayerNorm")),
       rounded("by_frequency", "overlap with each word as often as a text has it, where counts are given",
               of_overlap("by frequency"))});
}

/// Of a lineage the first model is judged; the others' overlap stands beside it.
void add_overlaps(const Side& side, bool is_judged, Summary& summary) {
  for (const RowsOf& kind : judged) {
    const Overlap* of = side.find(kind.of);
    const bool is_centred = &kind == judged;
    if (of && (is_judged || is_centred))
      summary.number(kind.finding, {{"model", side.model}}, over_words(*of),
                     {.theory = 1,
                      .n = of->words * of->positions,
                      .kind = Kind::sampled,
                      .meaning = fmt::format(
                          "Overlap d tr(AB)/(tr A tr B) of the {}; beside it chance; interval over words.",
                          kind.meaning)});
    // How often a text has a model's words is known of few.
    if (is_judged && (of || kind.of != std::string_view("by frequency")))
      ask(summary, *side.under_test,
          {kind.finding,
           Is::below,
           clearly_less,
           0,
           kind.role,
           {{"overlap", kind.of}},
           fmt::format("overlap of words and positions, {}; 1 by chance", kind.says),
           "words and positions of which not all are equal"});
  }
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const std::vector<Side> sides = sides_of(models, cells);
  const std::vector<OfModel> lineages = cells_of_lineages(models, has_both);
  if (!sides.empty()) {
    add_table(sides, summary);
    summary.number("lineages", {}, {double(lineages.size())},
                   {.unit = "model families", .meaning = "Families of models with words and positions."});
  }
  for (const Side& side : sides)
    add_overlaps(side, std::ranges::count(lineages, side.model, &OfModel::model) > 0, summary);
  add_count(summary, sides.size());
  finish(summary, sides.size(), both_tables);
}

}  // namespace

Experiment subspaces(const Models& models, const Options& options) {
  Experiment claim{"M3",
                   "Training keeps a model's words and positions apart: their subspaces are nearer to "
                   "orthogonal than chance.",
                   "[d]", depends(models)};
  std::vector<Compared> compared;
  for (const OfModel& of : cells_of(models, has_both))
    compared.push_back({of, pick<std::size_t>(options.preset, 20, 200, 1000)});
  claim.measure(compared, 3, [=](const Compared& at, const Streams& streams, Rows& rows) {
    measure_overlaps(model_named(models, at.model), at, streams, rows);
  });
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("O4", std::move(claim));
}

}  // namespace perp::inspect
