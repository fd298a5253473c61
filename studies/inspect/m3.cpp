// M3: the subspaces of words and positions are nearer to orthogonal than chance has it (O4, for given
// models): training keeps them apart.

#include <cmath>

#include "perp/statistics/order.hpp"
#include "perp/theory/angles.hpp"
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

/// Given cosines beside the Wachter law's quantiles and the mean over Gaussian tables.
void add_angles_table(const std::vector<Angle>& angles, Summary& summary) {
  const auto gaussian_mean = [](const Group<Angle>& group) {
    return mean_of(where(group, [](const Angle& a) { return !a.is_given(); }).values(&Angle::cosine));
  };
  summary.table("m3_angles.csv", group_by(angles, &Angle::model, &Angle::index),
                {model_name, exact("index", "1: the smallest angle", &Angle::index),
                 exact("share", "index less a half, over their number", &Angle::share),
                 rounded("cosine", "cosine of the principal angle", &Angle::cosine),
                 exact("law", "for a random rotation in many dimensions (Wachter 1980)", &Angle::law),
                 sampled("gaussian", "mean over Gaussian tables of equal shape and ranks", gaussian_mean)});
}

void add_overlaps_table(const std::vector<Overlap>& overlaps, Summary& summary) {
  if (overlaps.empty()) return;
  summary.number("overlaps", {}, {double(overlaps.size())}, {.meaning = "Overlaps that were measured."});
  summary.table(
      "m3_overlaps.csv", overlaps,
      {model_name, exact("of", "which rows, and about what", &Overlap::of),
       exact("words", "rows of words", &Overlap::words),
       exact("positions", "rows of positions", &Overlap::positions),
       rounded("overlap", "d tr(AB)/(tr A tr B) of the two covariances; 1 by chance", &Overlap::value),
       rounded("sd", "its standard deviation if one of the two were turned at random", &Overlap::sd),
       rounded("departure", "overlap less 1 in these", &Overlap::departure).unit(deviations)});
}

/// One pair of ranks: first the given tables, then the rotations.
using Meetings = Group<Meeting>;

/// The given value, and the ends of the middle 99 % of the rotations' values.
template <class Get>
auto beside_rotations(const Get& get) {
  return [get](const Meetings& all) {
    std::vector<double> turned = all.values(get);
    const double given = turned.front();
    turned.erase(turned.begin());
    return Estimate{given, quantile(turned, (1 - shown_level) / 2), quantile(turned, (1 + shown_level) / 2)};
  };
}

/// None of a model with fewer than 16 dimensions.
void add_ranks(const std::vector<Meeting>& meetings, Summary& summary) {
  if (meetings.empty()) return;
  const auto pairs = group_by(meetings, &Meeting::model, &Meeting::k, &Meeting::r);
  const auto k = exact("k", "leading dimensions of the centred words", &Meeting::k),
             r = exact("r", "leading dimensions of the centred positions", &Meeting::r);
  const auto band = [](const auto& column, const std::string& name) {
    return column.interval(name + "_low", name + "_high", "99.5 % of random rotations lie above",
                           "99.5 % of them lie below");
  };
  const auto ratio = sampled("ratio", "mean squared principal cosine over max(k, r)/d, its mean by chance",
                             beside_rotations(&Meeting::ratio));
  const auto smallest = sampled("smallest", "smallest principal angle", beside_rotations(&Meeting::smallest));
  const auto largest = sampled("largest", "largest principal angle", beside_rotations(&Meeting::largest));
  summary.table("m3_ranks.csv", pairs,
                {model_name, k, r, band(ratio, "ratio"), band(smallest.unit("degrees"), "smallest"),
                 band(largest.unit("degrees"), "largest"),
                 exact("rotations", "random rotations behind the bands",
                       [](const Meetings& all) { return all.size() - 1; })});
  summary.number("rank_pairs", {}, {double(pairs.size())},
                 {.meaning = "Pairs of ranks at which leading dimensions were compared."});
  const auto given = [](double Meeting::*angle) {
    return [angle](const Meetings& all) { return all.front().*angle; };
  };
  summary.each(
      where(pairs, [](const Meetings& all) { return all.front().k == all.front().r; }), {model_name, k},
      {rounded("mean_square_ratio",
               "Mean squared principal cosine of as many leading dimensions of the centred words and "
               "positions, over its mean by chance.",
               [](const Meetings& all) { return all.front().ratio(); })
           .chance(1),
       sampled("smallest_angle", "The smallest of these angles; beside it its mean over random rotations.",
               given(&Meeting::smallest))
           .unit("degrees")
           .theory([](const Meetings& all) {
             const std::vector<double> angles = all.values(&Meeting::smallest);
             return mean_of({angles.begin() + 1, angles.end()});
           })});
}

/// Which rows an overlap is of: in a row, as a finding, as a condition.
struct RowsOf {
  const char *of, *finding;
  Role role;
  const char *says, *meaning;
};
constexpr RowsOf kinds[] = {
    {"centred", "overlap", Role::core, "centred", "covariances of words and positions"},
    {"uncentred", "overlap_uncentred", Role::limit, "not centred",
     "mean outer products of words and positions, not centred"},
    {"trained rows", "overlap_trained_rows", Role::limit, "centred, without rows that training never met",
     "covariances without rows shorter than half of the median one"},
    {"frequent", "overlap_frequent", Role::limit, "centred, the frequent third of the words",
     "covariances of the first third of these words and of the positions"},
    {"middle", "overlap_middle", Role::limit, "centred, the middle third of the words",
     "covariances of the second third of these words and of the positions"},
    {"rare", "overlap_rare", Role::limit, "centred, the rare third of the words",
     "covariances of the last third of these words and of the positions"}};

void add_overlaps(const std::vector<Overlap>& overlaps, ModelSummaries& said) {
  for (const RowsOf& kind : kinds) {
    for (const Overlap& of : only(overlaps, &Overlap::of, kind.of)) {
      said.number(kind.finding, {of.value}, {.theory = 1, .n = of.words * of.positions},
                  fmt::format("Overlap d tr(AB)/(tr A tr B) of the {}; 1 by chance.", kind.meaning));
      said.number(fmt::format("{}_sd", kind.finding), {of.sd}, {},
                  "Standard deviation of that overlap if one of the two tables were turned at random.");
    }
    said.require_that(kind.role, kind.finding, {Is::below, clearly_less}, {{"overlap", kind.of}},
                      fmt::format("overlap of words and positions, {}; 1 by chance", kind.says),
                      "words and positions of which not all are equal");
  }
}

/// "overlap 0.133 of chance (standard deviation 0.019), 0.512 not centred"
std::string in_brief(const std::vector<Overlap>& overlaps) {
  std::vector<std::string> parts;
  for (const Overlap& of : only(overlaps, &Overlap::of, "centred"))
    parts.push_back(fmt::format("overlap {:.3f} of chance (standard deviation {:.3f})", of.value, of.sd));
  for (const Overlap& of : only(overlaps, &Overlap::of, "uncentred"))
    parts.push_back(fmt::format("{:.3f} not centred", of.value));
  return parts.empty() ? "equal rows have no overlap" : fmt::format("{}", fmt::join(parts, ", "));
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto angles = rows_of<Angle>(cells);
  const auto overlaps = rows_of<Overlap>(cells);
  add_angles_table(angles, summary);
  add_overlaps_table(overlaps, summary);
  add_ranks(rows_of<Meeting>(cells), summary);
  ModelSummaries said(summary, models);
  for (const ModelNumbers& model : numbers_by_model(cells)) {
    const Number& energy = model.at("between.word_energy_in_positions");
    const Number& largest = model.at("between.largest_cosine");
    const Angle of = only(angles, &Angle::model, model.model).front();
    const std::vector<Overlap> own = only(overlaps, &Overlap::model, model.model);
    said.begin(model.model, of.rank_words * of.rank_positions);
    said.number("energy", {energy.given.value}, {.theory = energy.given.chance},
                "Mean share of a word's energy inside the positions' leading directions; chance: their "
                "number over d.");
    said.number("energy_departure", {energy.departure()}, {.theory = 0, .unit = deviations},
                "That share less chance, in standard deviations of a random rotation.");
    said.number(
        "largest", {largest.given.value}, {.theory = largest.given.chance},
        "Cosine of the smallest principal angle between the two subspaces; chance by Johnstone's law.");
    said.number("largest_departure", {largest.departure()},
                {.theory = 0, .unit = deviations, .kind = Kind::sampled},
                "That cosine less chance, in standard deviations: Johnstone's law, or Gaussian tables where "
                "it does not apply.");
    add_overlaps(own, said);
    said.add_sentence(
        fmt::format("{} directions of positions hold {:.2f} % of a word's energy (chance {:.2f} %), {}; the "
                    "subspaces of {} and {} dimensions meet at cosines up to {:.3f} (chance {:.3f}), {}",
                    of.rank_positions, 100 * energy.given.value, 100 * energy.given.chance,
                    in_words(energy.departure()), of.rank_words, of.rank_positions, largest.given.value,
                    largest.given.chance, in_words(largest.departure())),
        in_brief(own));
  }
  said.finish("m3_models.csv", no_model_with_both);
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
