// M3: the subspaces of words and positions are nearer to orthogonal than chance has it (O4, for given
// models): training keeps them apart.

#include <cmath>

#include "perp/theory/angles.hpp"
#include "studies/inspect/by_model.hpp"

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

void require_overlaps(ModelSummaries& said) {
  const auto overlap = [&](const std::string& measure, Role role, const char* of, const std::string& says,
                           const char* needs) {
    said.require_that(role, measure, {Is::below, clearly_less}, {{"overlap", of}},
                      fmt::format("overlap of words and positions, {}; 1 by chance", says), needs);
  };
  overlap("overlap", Role::core, "centred", "centred",
          "not programmed yet: the overlap of the two centred covariances");
  overlap("overlap_uncentred", Role::limit, "uncentred", "not centred",
          "not programmed yet: the overlap of the two tables' mean outer products");
  overlap("overlap_trained_rows", Role::limit, "trained rows",
          "centred, without rows that training never met",
          "not programmed yet: which rows training never met");
  for (const char* third : {"frequent", "middle", "rare"})
    overlap(fmt::format("overlap_{}", third), Role::limit, third,
            fmt::format("centred, the {} third of the words", third),
            "not programmed yet: words in order of frequency");
}

void conclude(const Cells& cells, Summary& summary) {
  const auto angles = rows_of<Angle>(cells);
  add_angles_table(angles, summary);
  ModelSummaries said(summary);
  for (const ModelNumbers& model : numbers_by_model(cells)) {
    const Number& energy = model.at("between.word_energy_in_positions");
    const Number& largest = model.at("between.largest_cosine");
    const Number& square = model.at("between.mean_square_cosine");
    const Angle of = only(angles, &Angle::model, model.model).front();
    const double overlap = of.d * square.given.value;
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
    require_overlaps(said);
    said.add_sentence(
        fmt::format("{} directions of positions hold {:.2f} % of a word's energy (chance {:.2f} %), {}; the "
                    "subspaces of {} and {} dimensions meet at cosines up to {:.3f} (chance {:.3f}), {}",
                    of.rank_positions, 100 * energy.given.value, 100 * energy.given.chance,
                    in_words(energy.departure()), of.rank_words, of.rank_positions, largest.given.value,
                    largest.given.chance, in_words(largest.departure())),
        fmt::format("overlap {:.3f} of chance as the tables are, and {:.2f} % of a word's energy in {} "
                    "directions of positions (chance {:.2f} %)",
                    overlap, 100 * energy.given.value, of.rank_positions, 100 * energy.given.chance));
  }
  said.finish("m3_models.csv", no_model_with_both);
}

}  // namespace

Experiment subspaces(const Models& models) {
  Experiment claim{"M3",
                   "Training keeps a model's words and positions apart: their subspaces are nearer to "
                   "orthogonal than chance.",
                   "[d]", depends(models)};
  measure_numbers(claim, models, drawn_cells_of(models, has_both), add_angles);
  claim.conclude(conclude);
  return evidence_for("O4", std::move(claim));
}

}  // namespace perp::inspect
