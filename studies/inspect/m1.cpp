// M1: the words and positions of a model are unrelated, so their cosines are those of chance (O2, for given
// models). The null is that of fixed tables, one of them turned by a random rotation.

#include <cmath>

#include "perp/theory/cosine.hpp"
#include "studies/inspect/by_model.hpp"

namespace perp::inspect {
namespace {

constexpr double near_orthogonal_cosine = 0.1;  // as in O1
/// What the claim asks of each model: no mean in common, and the mean square of chance.
constexpr double least_mean = 0.02, mean_square_within = 0.1, share_within = 0.01;

struct Bin : Drawn {
  double cosine;
  std::size_t pairs;
  double density_of_one, law;
};
PERP_ROW_OF(Bin, Drawn, cosine, pairs, density_of_one, law)

/// The pairs in each bin of cosine·√d, as far as any can be seen, and what one of them adds to the density:
/// as a count, because rounding may move a pair across an edge.
void add_density(const ModelUnderTest& model, const Measurement& measured, const Drawn& at, Rows& rows) {
  if (!measured.words || !measured.words->cosines) return;
  const Histogram& h = *measured.words->cosines;
  const double root = std::sqrt(double(model.dim()));
  const std::vector<double> centres = h.centres();
  const std::vector<std::uint64_t> counts = h.counts();
  const double bin_width = (centres.back() - centres.front()) / double(centres.size() - 1);
  for (std::size_t bin = 0; bin < centres.size(); ++bin)
    if (std::abs(centres[bin]) * root <= 8)
      rows.add(Bin{at, centres[bin] * root, counts[bin], 1 / (double(h.total()) * bin_width * root),
                   theory::cosine_density(model.dim(), centres[bin]) / root});
}

/// Share of the pairs with |cosine| below near_orthogonal_cosine, whose bins end there: no bin is wider than
/// that and 200 of them make one.
double share_near(const std::vector<Bin>& bins, double root) {
  const double width = bins.size() < 2 ? 0 : bins.back().cosine - bins[bins.size() - 2].cosine;
  double share = 0;
  for (const Bin& bin : bins)
    if (std::abs(bin.cosine) < near_orthogonal_cosine * root)
      share += double(bin.pairs) * bin.density_of_one * width;
  return share;
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto bins = rows_of<Bin>(cells);
  summary.table("m1_density.csv", bins,
                {model_name, exact("cosine", "middle of a bin, cosine times the root of d", &Bin::cosine),
                 counted("pairs", "pairs of a word and a position in the bin", &Bin::pairs),
                 exact("density_of_one", "one over all pairs and the bin's width: times `pairs`, the density",
                       &Bin::density_of_one),
                 exact("law", "the same of independent directions", &Bin::law)});
  ModelSummaries said(summary, models);
  for (const ModelNumbers& model : numbers_by_model(cells)) {
    const Number& square = model.at("between.mean_square_cosine");
    const Number& most = model.at("between.max_abs_cosine");
    const Number& mean = model.at("between.mean_cosine");
    const std::size_t d = model_named(models, model.model).dim();
    const double square_over_chance = d * square.given.value, away = square.departure();
    said.begin(model.model, model.pairs());
    said.number("mean_square", {square_over_chance}, {.theory = 1},
                "Mean square cosine over all pairs of a word and a position, times d.");
    said.number("mean", {mean.given.value}, {.theory = 0},
                "Mean cosine over all pairs of a word and a position.");
    said.number("mean_departure", {mean.departure()}, {.theory = 0, .unit = deviations},
                "That mean in standard deviations of a random rotation of one of the two tables.");
    std::string less_their_means;  // a shared mean and avoided directions can cancel
    if (const Number* centred = model.find("between.mean_square_centred"))
      less_their_means = fmt::format(" ({:.3f} with both centred)", d * centred->given.value);
    said.number("share_near", {share_near(only(bins, &Bin::model, model.model), std::sqrt(double(d)))},
                {.theory = 1 - theory::cosine_exceeds(d, near_orthogonal_cosine)},
                "Share of the pairs of a word and a position with |cosine| below .1; beside it that of "
                "independent directions.");
    said.require_that(Role::core, "mean", {Is::equal, 0.0, least_mean}, {{"measure", "mean cosine"}},
                      "mean cosine of words and positions");
    said.require_that(Role::core, "mean_square", {Is::equal, 1.0, mean_square_within},
                      {{"measure", "mean square cosine"}},
                      "d times the mean square cosine of words and positions");
    said.require_that(Role::limit, "share_near", {Is::equal, "theory", share_within},
                      {{"measure", "share of |cos| < 0.1"}},
                      "share of pairs with |cos| below 0.1, beside independent directions of its width");
    said.add_sentence(fmt::format(
        "the mean cosine of words and positions is {:.4f}, {}; their mean square cosine is {:.3f} times "
        "1/d, {}{}; the largest |cosine| of all is {:.3f} (independent pairs: {:.3f})",
        mean.given.value, in_words(mean.departure()), square_over_chance, in_words(away), less_their_means,
        most.given.value, most.given.chance));
  }
  said.finish("m1_models.csv", both_tables);
}

}  // namespace

Experiment unrelated(const Models& models) {
  Experiment claim{"M1", "A model's word vectors and positions are unrelated, so nearly orthogonal.", "[d]",
                   depends(models)};
  measure_numbers(claim, models, drawn_cells_of(models, has_both, false), add_density);
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("O2", std::move(claim));
}

}  // namespace perp::inspect
