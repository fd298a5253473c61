// M4: products of a model's positions depend on their distance alone (D1, for given models). In words: m4.toml.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

/// Places of the centred positions along their three leading directions, over the root mean square length; an
/// axis points to where its largest entry lies. About 256 of them, at even steps; none of fewer than three
/// rows or dimensions.
void add_axes(const Matrix<double>& positions, std::size_t first, Out& out) {
  const std::size_t length = rows(positions), d = cols(positions);
  if (std::min(length, d) < 3) return;
  const Matrix<double> about_mean = centred(positions), square = gram_columns(about_mean);
  const double scale = std::sqrt(trace(square) / double(length));
  if (!(scale > 0)) return;
  const Matrix<double> axes = symmetric_eigen(square).vectors;
  std::vector<double> along[3];
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t t = 0; t < length; ++t)
      along[k].push_back(dot(row(about_mean, t), row(axes, d - 1 - k)) / scale);
    const auto size = [](double x) { return std::abs(x); };
    if (*std::ranges::max_element(along[k], {}, size) < 0)
      for (double& x : along[k]) x = -x;
  }
  for (std::size_t t = 0; t < length; t += std::max<std::size_t>(1, length / 256))
    out("axes", {{"position", double(t + first)},
                 {"first", along[0][t]},
                 {"second", along[1][t]},
                 {"third", along[2][t]}});
}

void measure(const ModelUnderTest& model, Out& out) {
  const Positions& positions = *model.given().positions;
  if (!std::isnan(positions.toeplitz_defect))
    out("defect", {{"positions", positions.numbers.rows}, {"defect", positions.toeplitz_defect}});
  add_axes(*model.tables.positions, model.tables.first_position, out);
}

/// How many there are, by which a figure knows that there is something to show.
void fold(const Frames& measured, Out& out) {
  if (measured.has("axes")) out("placed", {{"positions", measured["axes"].size()}});
  if (measured.has("defect")) out("asked", {{"models", measured["defect"].size()}});
}

}  // namespace

Experiment lag_alone(const Models& models) {
  Experiment claim("M4", toml_of("m4"), depends(models));
  for (const GivenModel& model : lineages_with(models, has_positions))
    claim.cell({{"model", model->name}}, 2, [=](const Streams&, Out& out) { measure(*model, out); });
  claim.fold(fold);
  return evidence_for("D1", asked_of_each(models, std::move(claim)));
}

// ---- M5: nearby positions of a model are similar (D2, for given models). In words: m5.toml.

namespace {

/// Mean products of two positions at one distance, over that of a position with itself: at distance 1, and the largest at
/// any from 2 on. None of fewer than three positions, and where some are 0 or all are equal.
void measure_kernel(const ModelUnderTest& model, Out& out) {
  if (!model.given().portrait) return;
  const std::vector<double>& kernel = model.given().portrait->kernel;
  out("kernel", {{"positions", kernel.size()},
                 {"one", kernel[1]},
                 {"rest", *std::max_element(kernel.begin() + 2, kernel.end())}});
}

}  // namespace

Experiment nearby(const Models& models) {
  Experiment claim("M5", toml_of("m5"), depends(models));
  for (const GivenModel& model : lineages_with(models, has_positions))
    claim.cell({{"model", model->name}}, 2, [=](const Streams&, Out& out) { measure_kernel(*model, out); });
  return evidence_for("D2", asked_of_each(models, std::move(claim)));
}

}  // namespace perp::inspect
