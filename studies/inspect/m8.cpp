// M8: learned positions are like sinusoids (Q4, for given models). In words: m8.toml.

#include <algorithm>
#include <cmath>

#include "perp/vectors/positions.hpp"
#include "studies/inspect/claims.hpp"
#include "studies/inspect/description.hpp"

namespace perp::inspect {
namespace {

/// The four numbers of a table beside the sinusoid of its shape; departure: the kernels' largest difference up to half of
/// the positions.
struct Likeness {
  double r2_apart, neighbours, r99_factor, departure;
};

Likeness likeness_of(const BesideSinusoid& both) {
  const auto& [own, wave] = both;
  return {own.r2_apart, own.neighbours,
          double(std::max(own.r99, wave.r99)) / double(std::min(own.r99, wave.r99)),
          kernel_departure(own.kernel, wave.kernel)};
}

/// The largest change between the two, of the factor as a share of it; what is NaN has none.
double largest_change(const Likeness& a, const Likeness& b) {
  double largest = 0;
  for (const double change : {a.r2_apart - b.r2_apart, a.neighbours - b.neighbours, a.departure - b.departure,
                              a.r99_factor / b.r99_factor - 1})
    if (std::abs(change) > largest) largest = std::abs(change);
  return largest;
}

void measure(const ModelUnderTest& model, Out& out) {
  if (!model.given().portrait) return;
  const Matrix<double>& positions = *model.tables.positions;
  const BesideSinusoid both{*model.given().portrait,
                            portrait(sinusoidal<double>(rows(positions), cols(positions)))};
  const Likeness all = likeness_of(both);
  out("all", {{"positions", both.own.kernel.size()},
              {"departure", all.departure},
              {"r99_factor", all.r99_factor},
              {"r2_apart", all.r2_apart},
              {"r2_apart_wave", both.wave.r2_apart},
              {"neighbours", all.neighbours},
              {"neighbours_wave", both.wave.neighbours}});
  if (const auto left = trained_beside_sinusoid(positions))
    out("trained", {{"change", largest_change(all, likeness_of(*left))}});
}

/// The most that any model's numbers change without the rows that training never met.
void fold(const Frames& measured, Out& out) {
  if (measured.has("trained"))
    out("untrained",
        {{"change", measured["trained"].most("change")}, {"models", measured["trained"].size()}});
}

bool can_compare(const ModelUnderTest& model) {
  return has_positions(model) && cols(*model.tables.positions) % 2 == 0 && rows(*model.tables.positions) >= 3;
}

}  // namespace

Experiment like_sinusoids(const Models& models) {
  DescribedClaim claim("M8", toml_of("m8"), depends(models));
  for (const GivenModel& model : lineages_with(models, can_compare))
    claim.cell({{"model", model->name}}, 2, [=](const Streams&, Out& out) { measure(*model, out); });
  claim.fold(fold);
  return evidence_for("Q4", asked_of_each(models, std::move(claim)));
}

}  // namespace perp::inspect
