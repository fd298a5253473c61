// M8: learned positions are like sinusoids (Q4, for given models). In words: m8.toml.

#include <algorithm>
#include <cmath>

#include "perp/vectors/positions.hpp"
#include "studies/inspect/claims.hpp"
#include "studies/inspect/description.hpp"

namespace perp::inspect {
namespace {

/// All positions, or the longest run that training met, beside the sinusoid of that shape; departure: the kernels' largest
/// difference up to half of the positions. NaN of none.
void add(const char* which, const std::optional<BesideSinusoid>& both, Out& out) {
  const auto [own, wave] = both.value_or(BesideSinusoid{});
  out(which, {{"positions", own.kernel.size()},
              {"departure", both ? kernel_departure(own.kernel, wave.kernel) : NAN},
              {"r99_factor", double(std::max(own.r99, wave.r99)) / double(std::min(own.r99, wave.r99))},
              {"r2_apart", own.r2_apart},
              {"r2_apart_wave", wave.r2_apart},
              {"neighbours", own.neighbours},
              {"neighbours_wave", wave.neighbours}});
}

void measure(const ModelUnderTest& model, Out& out) {
  if (!model.given().portrait) return;
  const Matrix<double>& positions = *model.tables.positions;
  const Portrait wave = portrait(sinusoidal<double>(rows(positions), cols(positions)));
  add("all", BesideSinusoid{*model.given().portrait, wave}, out);
  add("trained", trained_beside_sinusoid(positions), out);
}

bool can_compare(const ModelUnderTest& model) {
  return has_positions(model) && cols(*model.tables.positions) % 2 == 0 && rows(*model.tables.positions) >= 3;
}

}  // namespace

Experiment like_sinusoids(const Models& models) {
  Experiment claim("M8", toml_of("m8"), depends(models));
  for (const GivenModel& model : lineages_with(models, can_compare))
    claim.cell({{"model", model->name}}, 2, [=](const Streams&, Out& out) { measure(*model, out); });
  return evidence_for("Q4", asked_of_each(models, std::move(claim)));
}

}  // namespace perp::inspect
