// M4: products of a model's positions depend on their distance alone (D1, for given models).

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "studies/inspect/by_model.hpp"

namespace perp::inspect {
namespace {

constexpr std::size_t blocks = 32;

struct Score : Drawn {
  std::size_t row, column;
  double t, s, score;
};
PERP_ROW_OF(Score, Drawn, row, column, t, s, score)

/// Mean products of blocks of rows, over the mean product of a row with itself.
void add_scores(const Matrix<double>& positions, std::size_t first, const Drawn& at, Rows& out) {
  const std::size_t length = rows(positions), d = cols(positions), side = std::min(blocks, length);
  Matrix<double> sums = zeros<double>(side, d);
  std::vector<double> count(side, 0.0), start(side, double(first));
  double energy = 0;
  for (std::size_t t = 0; t < length; ++t) {
    const std::size_t b = t * side / length;
    if (count[b]++ == 0) start[b] += double(t);
    for (std::size_t j = 0; j < d; ++j) {
      sums(b, j) += positions(t, j);
      energy += positions(t, j) * positions(t, j) / double(length);
    }
  }
  for (std::size_t b = 0; b < side; ++b)
    for (double& x : row(sums, b)) x /= count[b];
  const Matrix<double> scores = gram_rows(sums);
  for (std::size_t a = 0; a < side; ++a)
    for (std::size_t b = 0; b < side; ++b)
      out.add(Score{at, a, b, start[a], start[b], scores(a, b) / energy});
}

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

void add_scores_of(const ModelUnderTest& model, const Measurement&, const Drawn& at, Rows& rows) {
  const Tables& tables = model.tables;
  if (at.is_given()) {
    add_scores(*tables.positions, tables.first_position, at, rows);
    add_axes(*tables.positions, tables.first_position, at, rows);
  }
  if (!at.is_given() && at.draw == 0)
    add_scores(model.gaussian_positions(0), tables.first_position, at, rows);
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  summary.table(
      "m4_scores.csv", rows_of<Score>(cells),
      {model_name, table_name, exact("row", "number of a block of neighbouring positions", &Score::row),
       exact("column", "number of the other block", &Score::column),
       exact("t", "first position of the block", &Score::t),
       exact("s", "first position of the other block", &Score::s),
       sampled("score", "mean product of the blocks' positions, over that of a position with itself",
               &Score::score)});
  const auto on_axes = rows_of<OnAxes>(cells);
  if (!on_axes.empty())
    summary.number("axes", {}, {double(on_axes.size())},
                   {.meaning = "Positions that were placed on their leading directions."});
  summary.table(
      "m4_axes.csv", on_axes,
      {model_name, exact("position", "the position", &OnAxes::position),
       rounded("first", "along the centred positions' leading direction, over their root mean square length",
               &OnAxes::first),
       rounded("second", "along the second", &OnAxes::second),
       rounded("third", "along the third", &OnAxes::third)});
  ModelSummaries said(summary, models);
  for (const ModelNumbers& model : numbers_by_model(cells)) {
    const double defect = model.value("positions.toeplitz_defect");
    if (std::isnan(defect)) continue;
    const Number& r2 = model.at("positions.toeplitz_r2");
    const Number* apart = model.find("positions.r2_apart");
    said.begin(model.model, model.count("positions.rows"));
    said.number("defect", {defect}, {.theory = 0},
                "Norm of what the distance does not explain of all products of positions, over the norm of "
                "all; 0 for a sinusoid.");
    said.require_that(Role::limit, "defect", {Is::below, 0.01}, {{"measure", "Toeplitz defect"}},
                      "Toeplitz residual of all products of learned positions");
    const Number& shown = apart ? *apart : r2;
    said.add_sentence(
        fmt::format("the Toeplitz residual is {:.3f} (a sinusoid: 0), and relative distance explains {:.0f}% "
                    "of the variance of {} products (Gaussian: {:.1f}%), {}",
                    defect, 100 * shown.given.value, apart ? "different positions'" : "all",
                    100 * shown.gaussian_mean(), in_words(shown.departure())));
  }
  said.finish("m4_models.csv", "a model with positions (perp inspect --positions FILE)");
}

}  // namespace

Experiment lag_alone(const Models& models) {
  Experiment claim{"M4", "The product of two of a model's positions depends on their distance alone.", "[c]",
                   depends(models)};
  measure_numbers(claim, models, drawn_cells_of(models, has_positions), add_scores_of);
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("D1", std::move(claim));
}

}  // namespace perp::inspect
