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

/// Of all pairs of a word and a position.
struct Cosines : OfModel {
  std::size_t d, pairs;
  double mean, mean_square, near;  ///< near: share with |cosine| below near_orthogonal_cosine

  double square_over_chance() const { return double(d) * mean_square; }
  double near_by_law() const { return 1 - theory::cosine_exceeds(d, near_orthogonal_cosine); }
};
PERP_ROW_OF(Cosines, OfModel, d, pairs, mean, mean_square, near)

/// Bins of cosines end at near_orthogonal_cosine.
double share_near(const Histogram& cosines) {
  const std::vector<double> centres = cosines.centres();
  const std::vector<std::uint64_t> counts = cosines.counts();
  std::uint64_t near = 0;
  for (std::size_t bin = 0; bin < centres.size(); ++bin)
    if (std::abs(centres[bin]) < near_orthogonal_cosine) near += counts[bin];
  return double(near) / double(cosines.total());
}

void measure(const ModelUnderTest& model, const OfModel& at, Rows& rows) {
  const Measurement& of = model.given();
  rows.add(Cosines{at, model.dim(), of.words->numbers.rows * of.positions->numbers.rows,
                   of.between->mean_cosine.value, of.between->mean_square_cosine.value,
                   share_near(of.words->cosines.value())});
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto all = rows_of<Cosines>(cells);
  summary.each(
      all, {model_name},
      {rounded("mean_square", "Mean square cosine over all pairs of a word and a position, times d.",
               &Cosines::square_over_chance)
           .theory([](const Cosines&) { return 1.0; })
           .n(&Cosines::pairs),
       rounded("mean", "Mean cosine over all pairs of a word and a position.", &Cosines::mean)
           .theory([](const Cosines&) { return 0.0; })
           .n(&Cosines::pairs),
       rounded("share_near",
               "Share of the pairs of a word and a position with |cosine| below .1; beside it that of "
               "independent directions.",
               &Cosines::near)
           .theory(&Cosines::near_by_law)
           .n(&Cosines::pairs)});
  for (const Cosines& of : all) {
    const ModelUnderTest& model = model_named(models, of.model);
    ask(summary, model,
        {"mean",
         Is::equal,
         0.0,
         least_mean,
         Role::core,
         {{"measure", "mean cosine"}},
         "mean cosine of words and positions"});
    ask(summary, model,
        {"mean_square",
         Is::equal,
         1.0,
         mean_square_within,
         Role::core,
         {{"measure", "mean square cosine"}},
         "d times the mean square cosine of words and positions"});
    ask(summary, model,
        {"share_near",
         Is::equal,
         "theory",
         share_within,
         Role::limit,
         {{"measure", "share of |cos| < 0.1"}},
         "share of pairs with |cos| below 0.1, beside independent directions of its width"});
  }
  finish(summary, all.size(), both_tables);
}

}  // namespace

Experiment unrelated(const Models& models) {
  Experiment claim{"M1", "A model's word vectors and positions are unrelated, so nearly orthogonal.", "[d]",
                   depends(models)};
  claim.measure(cells_of_lineages(models, has_both), 2, [=](const OfModel& at, const Streams&, Rows& rows) {
    measure(model_named(models, at.model), at, rows);
  });
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("O2", std::move(claim));
}

}  // namespace perp::inspect
