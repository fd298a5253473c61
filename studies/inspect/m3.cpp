// M3: the subspaces of words and positions are nearer to orthogonal than chance has it (O4, for given
// models): training keeps them apart.

#include <algorithm>
#include <cmath>
#include <set>

#include "perp/statistics/order.hpp"
#include "perp/theory/angles.hpp"
#include "studies/inspect/clouds.hpp"
#include "studies/inspect/m3_measure.hpp"

namespace perp::inspect {
namespace {

/// Overlap d tr(AB)/(tr A tr B) below this, of 1 by chance, is nearer to orthogonal than chance.
constexpr double clearly_less = 0.5;

struct Angle : Drawn {
  std::size_t d, rank_words, rank_positions, index;
  double cosine;

  double few() const { return std::min(rank_words, rank_positions); }
  double share() const { return (index - 0.5) / few(); }
  double law() const {
    const double many = std::max(rank_words, rank_positions);
    return many < d ? std::sqrt(theory::wachter_quantile(few() / d, many / d, 1 - share())) : 1;
  }
};
PERP_ROW_OF(Angle, Drawn, d, rank_words, rank_positions, index, cosine)

void add_angles(const ModelUnderTest& model, const Measurement& measured, const Drawn& at, Rows& rows) {
  if (!measured.between) return;
  const Between& between = *measured.between;
  for (std::size_t i = 0; i < between.principal_cosines.size(); ++i)
    rows.add(Angle{at, model.dim(), between.rank_words, between.rank_positions, i + 1,
                   between.principal_cosines[i]});
}

/// Given cosines beside the Wachter law's quantiles and mean, least and largest over Gaussian tables.
void add_angles_table(const std::vector<Angle>& angles, Summary& summary) {
  const auto gaussian = [](auto of) {
    return [of](const Group<Angle>& group) {
      return of(where(group, [](const Angle& a) { return !a.is_given(); }).values(&Angle::cosine));
    };
  };
  if (!angles.empty())
    summary.number("angles", {}, {double(std::ranges::count_if(angles, &Angle::is_given))},
                   {.meaning = "Principal angles of the leading subspaces, of all models together."});
  summary.table("m3_angles.csv", group_by(angles, &Angle::model, &Angle::index),
                {model_name, exact("index", "1: the smallest angle", &Angle::index),
                 exact("share", "index less a half, over their number", &Angle::share),
                 rounded("cosine", "cosine of the principal angle", &Angle::cosine).unit("cosine"),
                 exact("law", "for a random rotation in many dimensions (Wachter 1980)", &Angle::law),
                 sampled("gaussian", "mean over Gaussian tables of equal shape and ranks", gaussian(mean_of)),
                 sampled("gaussian_low", "the least of them",
                         gaussian([](const std::vector<double>& all) { return std::ranges::min(all); })),
                 sampled("gaussian_high", "the largest of them",
                         gaussian([](const std::vector<double>& all) { return std::ranges::max(all); }))});
}

/// With its interval over words, where halves of so many groups of them gave an error.
Estimate over_words(double value, double error, std::size_t groups) {
  if (std::isnan(error)) return {value};
  Spread spread;
  spread.mean = MeanSpread{error, double(groups - 1)};
  spread.replicates = groups;
  return estimated(value, spread);
}
Estimate overlap_over_words(const Overlap& of) { return over_words(of.value, of.error, of.groups); }
Estimate ratio_over_words(const Meeting& at) {
  return over_words(at.ratio(), at.over_chance(at.error), word_groups(at.d));
}
constexpr const char* interval_over_words =
    "99% interval over words, by balanced halves; of few by leaving some out";

void add_overlaps_table(const std::vector<Overlap>& overlaps, Summary& summary) {
  if (overlaps.empty()) return;
  summary.number("overlaps", {}, {double(overlaps.size())}, {.meaning = "Overlaps that were measured."});
  summary.table(
      "m3_overlaps.csv", overlaps,
      {model_name, exact("of", "which rows, and about what", &Overlap::of),
       exact("words", "rows of words", &Overlap::words),
       exact("positions", "rows of positions", &Overlap::positions),
       sampled("overlap", "d tr(AB)/(tr A tr B) of the two covariances", overlap_over_words)
           .interval("low", "high", interval_over_words),
       rounded("floor", "the least that turning one of the two could make of it, for their spectra",
               &Overlap::floor),
       sampled(
           "chance",
           "its mean if one of the two were turned at random: 1 by theorem; without one direction, which is "
           "chosen, over rotations",
           &Overlap::chance),
       sampled("sd", "its standard deviation then", &Overlap::sd),
       sampled("departure", "overlap less chance in these", &Overlap::departure).unit(deviations),
       sampled("permuted_low", "99.5% of random orders of one table's coordinates give more",
               &Overlap::permuted_low),
       sampled("permuted_high", "99.5% of them give less", &Overlap::permuted_high)});
}

/// One end of the words' spectrum and one pair of ranks: first the given tables, then rotations.
using Meetings = Group<Meeting>;

/// Rotations serve both ends.
std::vector<Meetings> meetings_by_ranks(const std::vector<Meeting>& meetings) {
  std::vector<Meeting> by_end;
  for (const char* end : {"leading", "trailing"})
    for (Meeting meeting : meetings) {
      if (meeting.table == "turned") meeting.end = end;
      if (meeting.end == end) by_end.push_back(meeting);
    }
  return where(group_by(by_end, &Meeting::model, &Meeting::end, &Meeting::k, &Meeting::r),
               [](const Meetings& all) { return all.front().table == "given"; });
}

template <class Get>
std::vector<double> turned(const Meetings& all, const Get& get) {
  return where(all, [](const Meeting& at) { return at.table == "turned"; }).values(get);
}

/// The given value, and the ends of the middle 99 % of the rotations' values.
template <class Get>
auto beside_rotations(const Get& get) {
  return [get](const Meetings& all) {
    const std::vector<double> values = turned(all, get);
    return Estimate{std::invoke(get, all.front()), quantile(values, (1 - shown_level) / 2),
                    quantile(values, (1 + shown_level) / 2)};
  };
}

/// None of a model with fewer than 16 dimensions.
void add_ranks(const std::vector<Meeting>& meetings, Summary& summary) {
  if (meetings.empty()) return;
  const std::vector<Meetings> pairs = meetings_by_ranks(meetings);
  const auto end = exact("end", "of the words' spectrum: leading or trailing directions", &Meeting::end),
             k = exact("k", "directions of the centred words", &Meeting::k),
             r = exact("r", "leading directions of the centred positions", &Meeting::r);
  const auto band = [](const auto& column, const std::string& name) {
    return column.interval(name + "_low", name + "_high", "99.5% of random rotations lie above",
                           "99.5% of them lie below");
  };
  const auto words = [](std::optional<double> Estimate::*end) {
    return [end](const Meetings& all) { return (ratio_over_words(all.front()).*end).value_or(NAN); };
  };
  const auto ratio = sampled("ratio", "mean squared principal cosine over max(k, r)/d, its mean by chance",
                             beside_rotations(&Meeting::ratio));
  const auto smallest = sampled("smallest", "smallest principal angle", beside_rotations(&Meeting::smallest));
  const auto largest = sampled("largest", "largest principal angle", beside_rotations(&Meeting::largest));
  summary.table("m3_ranks.csv", pairs,
                {model_name, end, k, r, band(ratio, "ratio"),
                 sampled("words_low", fmt::format("ratio: {}", interval_over_words), words(&Estimate::low)),
                 sampled("words_high", "its upper end", words(&Estimate::high)),
                 band(smallest.unit("degrees"), "smallest"), band(largest.unit("degrees"), "largest"),
                 exact("rotations", "random rotations behind the bands",
                       [](const Meetings& all) { return turned(all, &Meeting::ratio).size(); })});
  const auto leading =
      where(pairs, [](const Meetings& all) { return all.front().end == std::string("leading"); });
  summary.number("rank_pairs", {}, {double(leading.size())},
                 {.meaning = "Pairs of ranks at which leading dimensions were compared."});
  const auto given = [](double Meeting::*angle) {
    return [angle](const Meetings& all) { return all.front().*angle; };
  };
  const auto of_words = [](const Meetings& all) { return ratio_over_words(all.front()); };
  const auto square = [](const Meetings& all) { return all.front().k == all.front().r; };
  const auto compared = [](const Meetings& all) { return all.front().k * all.front().r; };
  summary.each(
      where(leading, square), {model_name, k},
      {sampled("mean_square_ratio",
               "Mean squared principal cosine of as many leading dimensions of the centred words and "
               "positions, over its mean by chance; interval over words.",
               of_words)
           .chance(1)
           .n(compared),
       sampled("smallest_angle", "The smallest of these angles; beside it its mean over random rotations.",
               given(&Meeting::smallest))
           .unit("degrees")
           .n(compared)
           .theory([](const Meetings& all) { return mean_of(turned(all, &Meeting::smallest)); })});
  summary.each(
      where(pairs,
            [&](const Meetings& all) { return square(all) && all.front().end == std::string("trailing"); }),
      {model_name, k},
      {sampled("trailing_ratio",
               "Mean squared principal cosine of as many directions of the words, those in which they vary "
               "least, and leading ones of the positions, over its mean by chance; interval over words.",
               of_words)
           .chance(1)
           .n(compared)});
}

/// Which rows an overlap is of: in a row, as a finding, as a condition.
struct RowsOf {
  const char *of, *finding;
  std::optional<Role> role;  ///< none: beside the rule
  const char *says, *meaning;
};
constexpr RowsOf kinds[] = {
    {"centred", "overlap", Role::core, "centred", "covariances of words and positions"},
    {"uncentred", "overlap_uncentred", Role::limit, "not centred",
     "mean outer products of words and positions, not centred"},
    {"without one direction", "overlap_beside", Role::limit,
     "centred, without the direction in which both together vary most",
     "covariances without the direction in which both together, each over its own trace, vary most"},
    {"without ten", "overlap_beside_ten", Role::limit,
     "centred, without the positions' ten leading directions",
     "covariances without the ten directions in which positions vary most"},
    {"without thirty", "overlap_beside_thirty", Role::limit,
     "centred, without the positions' thirty leading directions",
     "covariances without the thirty directions in which positions vary most"},
    {"after LayerNorm",
     "overlap_layernorm",
     {},
     "",
     "covariances after the first LayerNorm, whose gain weighs coordinates"},
    {"by frequency", "overlap_by_frequency", Role::limit, "centred, words as often as a text has them",
     "covariances of the words, each as often as a text has it, and of the positions"},
    {"trained rows", "overlap_trained_rows", Role::limit,
     "centred, without rows shorter than half of the median one",
     "covariances without rows shorter than half of the median one"},
    {"frequent", "overlap_frequent", Role::limit, "centred, the first third of the vocabulary, in its order",
     "covariances of the first third of these words and of the positions"},
    {"middle", "overlap_middle", Role::limit, "centred, the middle third of the vocabulary, in its order",
     "covariances of the second third of these words and of the positions"},
    {"rare", "overlap_rare", Role::limit, "centred, the last third of the vocabulary, in its order",
     "covariances of the last third of these words and of the positions"}};

void add_overlaps(const std::vector<Overlap>& overlaps, ModelSummaries& said) {
  for (const RowsOf& kind : kinds) {
    for (const Overlap& of : only(overlaps, &Overlap::of, kind.of)) {
      said.number(
          kind.finding, overlap_over_words(of),
          {.theory = of.chance, .kind = Kind::sampled, .n = of.words * of.positions},
          fmt::format("Overlap d tr(AB)/(tr A tr B) of the {}; beside it chance; interval over words.",
                      kind.meaning));
      if (&kind != kinds) continue;
      said.number("overlap_sd", {of.sd}, {},
                  "Standard deviation of that overlap if one of the two tables were turned at random.");
      said.number("overlap_floor", {of.floor}, {},
                  "The least that turning one of the two tables could make of that overlap, for their "
                  "spectra.");
    }
    // How often a text has a model's words is known of few.
    if (!kind.role ||
        (kind.of == std::string_view("by frequency") && only(overlaps, &Overlap::of, kind.of).empty()))
      continue;
    said.require_that(*kind.role, kind.finding, {Is::below, clearly_less}, {{"overlap", kind.of}},
                      fmt::format("overlap of words and positions, {}; 1 by chance", kind.says),
                      "words and positions of which not all are equal");
  }
}

// ---- one line a model

struct Side : ModelNumbers {
  const ModelUnderTest* under_test;
  std::vector<Overlap> overlaps;
  std::vector<Meetings> meetings;  ///< k = r
  std::vector<Inside> inside;      ///< one, or none

  std::size_t d() const { return under_test->dim(); }
};

/// The ranks at which models are set side by side.
constexpr std::size_t side_rank = 16;

auto declared(std::string ModelUnderTest::*what) {
  return [=](const Side& side) { return side.under_test->*what; };
}
template <class Get>
auto of_overlap(const char* of, Get get) {
  using Result = std::decay_t<std::invoke_result_t<Get, const Overlap&>>;
  return [=](const Side& side) {
    const auto found = std::ranges::find(side.overlaps, std::string_view(of), &Overlap::of);
    return found == side.overlaps.end() ? Result{NAN} : Result(std::invoke(get, *found));
  };
}
auto of_meeting(const char* end, Estimate (*get)(const Meeting&)) {
  return [=](const Side& side) {
    for (const Meetings& all : side.meetings)
      if (all.front().end == end && all.front().k == side_rank) return get(all.front());
    return Estimate{NAN};
  };
}
auto of_both(const char* number, double AgainstChance::*member) {
  return [=](const Side& side) {
    const Number* found = side.find(number);
    return found ? found->given.*member : NAN;
  };
}
/// In units of chance, 1/d.
auto of_square(const char* number, double AgainstChance::*member) {
  return [=](const Side& side) { return of_both(number, member)(side) * double(side.d()); };
}
auto of_inside(double Inside::*member) {
  return [=](const Side& side) { return side.inside.empty() ? NAN : side.inside.front().*member; };
}

std::vector<Side> sides_of(const Models& models, const Cells& cells) {
  const std::vector<Overlap> overlaps = rows_of<Overlap>(cells);
  const std::vector<Inside> inside = rows_of<Inside>(cells);
  const std::vector<Meetings> meetings =
      where(meetings_by_ranks(rows_of<Meeting>(cells)),
            [](const Meetings& all) { return all.front().k == all.front().r; });
  std::vector<Side> sides;
  for (const ModelNumbers& of : numbers_by_model(cells))
    sides.push_back({of, &model_named(models, of.model), only(overlaps, &Overlap::model, of.model),
                     where(meetings, [&](const Meetings& all) { return all.front().model == of.model; }),
                     only(inside, &Inside::model, of.model)});
  return sides;
}

void add_sides(const std::vector<Side>& sides, Summary& summary) {
  if (sides.empty()) return;
  const auto smallest = [](const Meeting& at) { return Estimate{at.smallest}; };
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
       exact("words", "V", [](const Side& of) { return of.count("words.rows"); }).unit("words"),
       exact("positions", "L", [](const Side& of) { return of.count("positions.rows"); }).unit("positions"),
       exact("d", "dimension", &Side::d),
       rounded("mean_cosine", "over all pairs of a word and a position",
               of_both("between.mean_cosine", &AgainstChance::value)),
       rounded("mean_cosine_sd", "its standard deviation by chance, about 0",
               of_both("between.mean_cosine", &AgainstChance::sd)),
       rounded("mean_square_d", "mean square cosine over all pairs, times d; 1 by chance",
               of_square("between.mean_square_cosine", &AgainstChance::value)),
       rounded("mean_square_sd", "its standard deviation by chance",
               of_square("between.mean_square_cosine", &AgainstChance::sd)),
       rounded("mean_square_centred",
               "the same of the rows of length 1 less their mean, over what is left of their squares",
               of_square("between.mean_square_centred", &AgainstChance::value)),
       rounded("mean_square_centred_sd", "its standard deviation by chance",
               of_square("between.mean_square_centred", &AgainstChance::sd)),
       sampled("overlap", "of the covariances; 1 by chance", of_overlap("centred", overlap_over_words))
           .interval("low", "high", interval_over_words),
       rounded("floor", "the least that turning one of the two could make of it, for their spectra",
               of_overlap("centred", &Overlap::floor)),
       rounded("sd", "its standard deviation by chance", of_overlap("centred", &Overlap::sd)),
       sampled("permuted_low", "99.5% of random orders of one table's coordinates give more",
               of_overlap("centred", &Overlap::permuted_low)),
       sampled("permuted_high", "99.5% of them give less", of_overlap("centred", &Overlap::permuted_high)),
       rounded("uncentred", "overlap, not centred", of_overlap("uncentred", &Overlap::value)),
       rounded("beside", "overlap without the direction in which both together vary most",
               of_overlap("without one direction", &Overlap::value)),
       sampled("beside_chance", "its mean over random rotations",
               of_overlap("without one direction", &Overlap::chance)),
       sampled("beside_sd", "its standard deviation over these",
               of_overlap("without one direction", &Overlap::sd)),
       rounded("beside_ten", "overlap without the positions' ten leading directions",
               of_overlap("without ten", &Overlap::value)),
       rounded("beside_thirty", "overlap without their thirty leading ones",
               of_overlap("without thirty", &Overlap::value)),
       rounded("layernorm", "overlap after the first LayerNorm, where its gain is known",
               of_overlap("after LayerNorm", &Overlap::value)),
       rounded("by_frequency", "overlap with each word as often as a text has it, where counts are given",
               of_overlap("by frequency", &Overlap::value)),
       rounded("trained", "overlap without rows shorter than half of the median one",
               of_overlap("trained rows", &Overlap::value)),
       sampled("ratio", "mean squared principal cosine at k = r = 16 over its mean by chance",
               of_meeting("leading", ratio_over_words))
           .interval("ratio_low", "ratio_high", interval_over_words),
       rounded("smallest", "smallest principal angle there", of_meeting("leading", smallest)).unit("degrees"),
       sampled("trailing_ratio", "ratio of the 16 directions in which words vary least",
               of_meeting("trailing", ratio_over_words))
           .interval("trailing_low", "trailing_high", interval_over_words),
       rounded("inside",
               "share of the positions' variance in the half of the words' directions with most of theirs",
               of_inside(&Inside::share)),
       rounded("inside_chance", "half, or what an odd dimension makes of it", of_inside(&Inside::chance)),
       rounded("inside_sd", "standard deviation by chance", of_inside(&Inside::sd))});
  std::set<std::string> lineages;
  for (const Side& side : sides) {
    lineages.insert(lineage_of(*side.under_test));
    for (const Inside& of : side.inside)
      summary.number("inside", {{"model", of.model}}, {of.share},
                     {.theory = of.chance,
                      .kind = Kind::rounded,
                      .meaning = "Share of the positions' variance in the half of the words' directions with "
                                 "most of the words' variance."});
  }
  summary.number("lineages", {}, {double(lineages.size())},
                 {.unit = "model families", .meaning = "Families of models with words and positions."});
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto angles = rows_of<Angle>(cells);
  const auto overlaps = rows_of<Overlap>(cells);
  add_angles_table(angles, summary);
  add_overlaps_table(overlaps, summary);
  add_ranks(rows_of<Meeting>(cells), summary);
  add_sides(sides_of(models, cells), summary);
  ModelSummaries said(summary, models);
  for (const ModelNumbers& model : numbers_by_model(cells)) {
    const Number& energy = model.at("between.word_energy_in_positions");
    const Number& largest = model.at("between.largest_cosine");
    const Angle of = only(angles, &Angle::model, model.model).front();
    const std::vector<Overlap> own = only(overlaps, &Overlap::model, model.model);
    said.begin(model.model, of.rank_words * of.rank_positions);
    add_overlaps(own, said);
    said.add_sentence(fmt::format(
        "{} directions of positions hold {:.2f}% of a word's squared norm (chance {:.2f}%), {}; the "
        "subspaces of {} and {} dimensions have principal cosines up to {:.3f} (chance {:.3f}), {}",
        of.rank_positions, 100 * energy.given.value, 100 * energy.given.chance, in_words(energy.departure()),
        of.rank_words, of.rank_positions, largest.given.value, largest.given.chance,
        in_words(largest.departure())));
  }
  said.finish("m3_models.csv", both_tables);
}

}  // namespace

Experiment subspaces(const Models& models, const Options& options) {
  Experiment claim{"M3",
                   "Training keeps a model's words and positions apart: their subspaces are nearer to "
                   "orthogonal than chance.",
                   "[d]", depends(models)};
  measure_numbers(claim, models, drawn_cells_of(models, has_both), add_angles);
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
