// M4: products of a model's positions depend on their distance alone (D1, for given models).

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "studies/inspect/by_model.hpp"

namespace perp::inspect {
namespace {

/// Norm of what the distance does not explain of all products, over the norm of all.
struct Defect : OfModel {
  std::size_t positions;
  double defect;
};
PERP_ROW_OF(Defect, OfModel, positions, defect)

struct OnAxes : OfModel {
  double position, first, second, third;
};
PERP_ROW_OF(OnAxes, OfModel, position, first, second, third)

/// Places of the centred positions along their three leading directions, over the root mean square length; an
/// axis points to where its largest entry lies. About 256 of them, at even steps; none of fewer than three
/// rows or dimensions.
void add_axes(const Matrix<double>& positions, std::size_t first, const OfModel& at, Rows& out) {
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
    out.add(OnAxes{at, double(t + first), along[0][t], along[1][t], along[2][t]});
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  if (const auto on_axes = rows_of<OnAxes>(cells); !on_axes.empty()) {
    summary.number("axes", {}, {double(on_axes.size())},
                   {.meaning = "Positions that were placed on their leading directions."});
    summary.table(
        "m4_axes.csv", on_axes,
        {model_name, exact("position", "the position", &OnAxes::position),
         rounded("first",
                 "along the centred positions' leading direction, over their root mean square length",
                 &OnAxes::first),
         rounded("second", "along the second", &OnAxes::second),
         rounded("third", "along the third", &OnAxes::third)});
  }
  const auto defects = rows_of<Defect>(cells);
  summary.each(defects, {model_name},
               {rounded("defect",
                        "Norm of what the distance does not explain of all products of positions, over the "
                        "norm of all; 0 for a sinusoid.",
                        &Defect::defect)
                    .theory([](const Defect&) { return 0.0; })
                    .n(&Defect::positions)});
  for (const Defect& of : defects)
    ask(summary, model_named(models, of.model),
        {"defect",
         Is::below,
         0.01,
         0,
         Role::limit,
         {{"measure", "Toeplitz defect"}},
         "Toeplitz residual of all products of learned positions"});
  add_count(summary, defects.size());
  finish(summary, defects.size(), "a model with positions (perp inspect --positions FILE)");
}

}  // namespace

Experiment lag_alone(const Models& models) {
  Experiment claim{"M4", "The product of two of a model's positions depends on their distance alone.", "[c]",
                   depends(models)};
  claim.measure(cells_of_lineages(models, has_positions), 2,
                [=](const OfModel& at, const Streams&, Rows& rows) {
                  const ModelUnderTest& model = model_named(models, at.model);
                  const Positions& positions = *model.given().positions;
                  if (!std::isnan(positions.toeplitz_defect))
                    rows.add(Defect{at, positions.numbers.rows, positions.toeplitz_defect});
                  add_axes(*model.tables.positions, model.tables.first_position, at, rows);
                });
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("D1", std::move(claim));
}

}  // namespace perp::inspect
