// M1: the words and positions of a model are unrelated, so their cosines are those of chance (O2, for given
// models). The null is that of fixed tables, one of them turned by a random rotation. In words: m1.toml.

#include <cmath>

#include "perp/theory/cosine.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

constexpr double near_orthogonal_cosine = 0.1;  // as in O1

/// Bins of cosines end at near_orthogonal_cosine.
double share_near(const Histogram& cosines) {
  const std::vector<double> centres = cosines.centres();
  const std::vector<std::uint64_t> counts = cosines.counts();
  std::uint64_t near = 0;
  for (std::size_t bin = 0; bin < centres.size(); ++bin)
    if (std::abs(centres[bin]) < near_orthogonal_cosine) near += counts[bin];
  return double(near) / double(cosines.total());
}

/// Of all pairs of a word and a position.
void measure(const ModelUnderTest& model, Out& out) {
  const Measurement& of = model.given();
  const std::size_t d = model.dim();
  out("cosines", {{"pairs", of.words->numbers.rows * of.positions->numbers.rows},
                  {"mean", of.between->mean_cosine.value},
                  {"square", double(d) * of.between->mean_square_cosine.value},
                  {"near", share_near(of.words->cosines.value())},
                  {"near_by_law", 1 - theory::cosine_exceeds(d, near_orthogonal_cosine)}});
}

}  // namespace

Experiment unrelated(const Models& models) {
  Experiment claim("M1", toml_of("m1"), depends(models));
  for (const GivenModel& model : lineages_with(models, has_both))
    claim.cell({{"model", model->name}}, 2, [=](const Streams&, Out& out) { measure(*model, out); });
  return evidence_for("O2", asked_of_each(models, std::move(claim)));
}

// ---- M2: words fill a smaller subspace (O3, for given models): 99 % of their variance in less than half of the
// dimensions. In words: m2.toml.

namespace {

bool has_words(const ModelUnderTest& model) { return model.tables.words.has_value(); }

/// None of equal rows.
void measure_spectrum(const ModelUnderTest& model, Out& out) {
  const TableNumbers& words = model.given().words->numbers;
  if (words.centred.r99 > 0)
    out("filled", {{"words", words.rows}, {"share", double(words.centred.r99) / double(words.dim)}});
}

}  // namespace

Experiment dimensions(const Models& models) {
  Experiment claim("M2", toml_of("m2"), depends(models));
  for (const GivenModel& model : lineages_with(models, has_words))
    claim.cell({{"model", model->name}}, 2, [=](const Streams&, Out& out) { measure_spectrum(*model, out); });
  return evidence_for("O3", asked_of_each(models, std::move(claim)));
}

}  // namespace perp::inspect
