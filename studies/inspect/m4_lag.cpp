// M4: products of a model's positions depend on their distance alone (D1, for given models).

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

constexpr std::size_t blocks = 32;

/// Mean products of blocks of rows, over the mean product of a row with itself.
void add_scores(const Matrix<double>& positions, std::size_t first, const char* table, Records& records) {
  const std::size_t length = rows(positions), d = cols(positions), side = std::min(blocks, length);
  Matrix<double> sums = zeros<double>(side, d);
  std::vector<double> count(side, 0.0), start(side, static_cast<double>(first));
  double energy = 0;
  for (std::size_t t = 0; t < length; ++t) {
    const std::size_t b = t * side / length;
    if (count[b]++ == 0) start[b] += static_cast<double>(t);
    for (std::size_t j = 0; j < d; ++j) {
      sums(b, j) += positions(t, j);
      energy += positions(t, j) * positions(t, j) / static_cast<double>(length);
    }
  }
  for (std::size_t b = 0; b < side; ++b)
    for (double& x : row(sums, b)) x /= count[b];
  const Matrix<double> scores = gram_rows<double>(sums);
  for (std::size_t a = 0; a < side; ++a)
    for (std::size_t b = 0; b < side; ++b)
      records.push_back({"score",
                         {{"of", std::string(table)},
                          {"t", start[a]},
                          {"s", start[b]},
                          {"row", whole(a)},
                          {"column", whole(b)},
                          {"score", scores(a, b) / energy}}});
}

void curves(const Subject& subject, const Look&, std::optional<std::size_t> draw, Records& records) {
  if (!draw) add_scores(*subject.tables().positions, subject.tables().first_position, "given", records);
  if (draw == std::optional<std::size_t>(0))
    add_scores(subject.gaussian_positions(0), subject.tables().first_position, "gaussian", records);
}

Table scores_table(const std::vector<CellRecords>& cells) {
  Table table{"m4_scores.csv",
              {{"model", "", Kind::exact, "name of the model"},
               {"table", "", Kind::exact, "given, or Gaussian of the same shape"},
               {"row", "1", Kind::exact, "number of a block of neighbouring positions"},
               {"column", "1", Kind::exact, "number of the other block"},
               {"t", "1", Kind::exact, "first position of the block"},
               {"s", "1", Kind::exact, "first position of the other block"},
               {"score", "1", Kind::sampled,
                "mean product of the blocks' positions, over that of a position with itself"}},
              {}};
  for (const Coordinates& r : records_of(cells, "score"))
    table.add({text_at(r, "model"), text_at(r, "of"), at(r, "row"), at(r, "column"), number_at(r, "t"),
               number_at(r, "s"), number_at(r, "score")});
  return table;
}

Outcome summarise(const std::vector<CellRecords>& cells) {
  const Numbers numbers(cells);
  Verdicts v{"M4", {}};
  v.outcome.tables = {scores_table(cells)};
  for (const std::string& model : numbers.models()) {
    const double defect = numbers.value(model, "positions.toeplitz_defect");
    const Number* r2 = numbers.find(model, "positions.toeplitz_r2");
    const Number* apart = numbers.find(model, "positions.r2_apart");
    const auto n = static_cast<std::uint64_t>(numbers.value(model, "positions.rows"));
    v.add(
        "defect", model, {defect},
        {.theory = 0.0,
         .n = n,
         .kind = Kind::rounded,
         .meaning =
             "Norm of what the distance does not explain of all products of positions, over the norm of all; "
             "0 for a sinusoid."});
    if (!r2) continue;
    v.add(
        "r2", model, {r2->closed.value},
        {.theory = r2->gaussian_mean(),
         .n = n,
         .kind = Kind::sampled,
         .meaning =
             "Share of the variance of all products that the distance explains; beside it Gaussian tables of "
             "equal shape."});
    if (apart)
      v.add("r2_apart", model, {apart->closed.value},
            {.theory = apart->gaussian_mean(),
             .n = n,
             .kind = Kind::sampled,
             .meaning = "The same over products of different positions."});
    v.ask("defect", model,
          {.finding = {},
           .is = Is::below,
           .bound = 0.01,
           .role = Role::limit,
           .levels = {{"measure", "Toeplitz defect"}},
           .says = "part of the products of learned positions that the distance does not tell"});
    const Number& shown = apart ? *apart : *r2;
    v.say(model,
          fmt::format(
              "the distance leaves a Toeplitz defect of {:.3f} (a sinusoid: 0) and explains {:.0f} % of the "
              "variance of {} products (Gaussian: {:.1f} %), {}",
              defect, 100 * shown.closed.value, apart ? "different positions'" : "all",
              100 * shown.gaussian_mean(), in_words(shown.departure())),
          fmt::format(
              "the distance leaves a Toeplitz defect of {:.3f} and explains {:.0f} % of the variance of "
              "products",
              defect, 100 * shown.closed.value));
  }
  return v.finish("no model with positions was given (--positions FILE, or make inspect POSITIONS=)");
}

}  // namespace

Experiment lag_alone(const Subjects& subjects) {
  const Plan plan{[](const Subject& subject) { return subject.tables().positions.has_value(); }, true,
                  curves};
  return evidence_for(
      "D1", {"M4", "The product of two of a model's positions depends on their distance alone.", "[c]",
             depends(subjects), cells_of(subjects, plan),
             [=](const Cell& cell, const Streams&) { return run_cell(subjects, plan, cell); },
             [](const std::vector<CellRecords>& cells) { return summarise(cells); }});
}

}  // namespace perp::inspect
