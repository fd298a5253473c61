// M7: what LayerNorm of the sum does to the two parts (Q2, for given models). LayerNorm of x + p is
// g ∘ C(x + p)/s + b with C = 1 - 11ᵀ/d and s the same for both: before the gain, the parts are Cx and Cp up
// to s. Both lie in the hyperplane without (1, …, 1), which is where chance turns one of them: in d - 1
// dimensions.

#include <algorithm>

#include "studies/inspect/by_model.hpp"

namespace perp::inspect {
namespace {

/// A number of the words and positions, and of the parts of their sum's LayerNorm.
struct Change : OfModel {
  std::string label;
  double before, after;
};
PERP_ROW_OF(Change, OfModel, label, before, after)
constexpr const char *r2 = "R² of the distance, products of positions",
                     *square = "mean square cosine of words and positions, over chance",
                     *departure = "its departure from chance, standard deviations",
                     *energy = "words' energy in the positions' subspace",
                     *energy_departure = "the energy's departure from chance, standard deviations";

struct LayerNorm : OfModel {
  double lost;         ///< share of the positions' energy along (1, …, 1)
  double ratio;        ///< mean length of a position over that of a word; NaN without words, likewise:
  double energy_kept;  ///< energy over chance, after over before
};
PERP_ROW_OF(LayerNorm, OfModel, lost, ratio, energy_kept)

/// x in an orthonormal basis of that hyperplane (Helmert 1876): y_j = (x_0 + … + x_{j-1} - j x_j)/√(j(j+1)),
/// j = 1 … d - 1.
template <class T>
void centred_part(std::span<const T> x, T* y) {
  double sum = x[0];
  for (std::size_t j = 1; j < x.size(); ++j) {
    const double place = j;
    y[j - 1] = T((sum - place * x[j]) / std::sqrt(place * (place + 1)));
    sum += x[j];
  }
}

Matrix<double> centred_parts(const Matrix<double>& positions) {
  Matrix<double> out = matrix<double>(rows(positions), cols(positions) - 1);
  for (std::size_t t = 0; t < rows(positions); ++t) centred_part(row(positions, t), row(out, t).data());
  return out;
}

RowStream centred_parts(RowStream words) {
  const std::size_t d = words.cols;
  auto next = [read = std::move(words.next), d, rows = std::vector<float>()](std::size_t most,
                                                                             float* out) mutable {
    const std::size_t wanted = std::min<std::size_t>(most, 256);
    rows.resize(wanted * d);
    const std::size_t count = read(wanted, rows.data());
    for (std::size_t i = 0; i < count; ++i)
      centred_part(std::span<const float>(rows.data() + i * d, d), out + i * (d - 1));
    return count;
  };
  return {std::move(words.name), d - 1, std::move(next)};
}

/// Share of the rows' energy along (1, …, 1), which LayerNorm takes away.
double lost(const Matrix<double>& positions) {
  double along = 0, all = 0;
  for (std::size_t t = 0; t < rows(positions); ++t) {
    double sum = 0;
    for (const double x : row(positions, t)) sum += x, all += x * x;
    along += sum * sum / double(cols(positions));
  }
  return along / all;
}

void measure(const ModelUnderTest& model, const OfModel& at, Rows& out) {
  const Measurement& before = model.given();
  const Matrix<double>& positions = *model.tables.positions;
  LayerNorm of{at, lost(positions), NAN, NAN};
  const Positions after = measure_positions(centred_parts(positions), 1);
  out.add(Change{at, r2, before.positions->toeplitz_r2, after.toeplitz_r2});
  if (before.between) {
    const Words words = measure_words(centred_parts(*model.tables.word_stream()), &after, 0, 1);
    const Between a = *before.between, b = measure_between(words, after, {});
    const double d = model.dim();
    out.add(Change{at, square, d * a.mean_square_cosine.value, (d - 1) * b.mean_square_cosine.value});
    out.add(Change{at, departure, a.mean_square_cosine.departure(), b.mean_square_cosine.departure()});
    out.add(Change{at, energy, a.energy.value, b.energy.value});
    out.add(Change{at, energy_departure, a.energy.departure(), b.energy.departure()});
    of.ratio = before.positions->numbers.mean_norm / before.words->numbers.mean_norm;
    // Over chance: the positions' directions are chosen anew, and may be more or fewer.
    of.energy_kept = (b.energy.value / b.energy.chance) / (a.energy.value / a.energy.chance);
  }
  out.add(of);
}

void require_kept(ModelSummaries& said) {
  const auto kept = [&](const char* measure, const char* number, const char* says, const char* needs) {
    said.require_that(Role::core, measure, {Is::equal, 1.0, 0.1}, {{"measure", number}}, says, needs);
  };
  kept("mean_cosine_kept", "mean cosine", "mean cosine of words and positions after LayerNorm over before",
       "not programmed yet: the mean cosine after LayerNorm");
  kept("energy_kept", "energy",
       "words' energy in the positions' directions over chance, after LayerNorm over before", "");
}

void conclude(const Cells& cells, Summary& summary) {
  const auto changes = rows_of<Change>(cells);
  summary.table("m7_layernorm.csv", changes,
                {model_name, exact("label", "what is measured of the two parts of the sum", &Change::label),
                 rounded("before", "of words and positions as they are", &Change::before),
                 rounded("after", "of the parts of the sum's LayerNorm", &Change::after)});
  ModelSummaries said(summary);
  for (const LayerNorm& of : rows_of<LayerNorm>(cells)) {
    const auto change = [&](const char* label) {
      return only(changes, &Change::model, of.model, &Change::label, label).front();
    };
    said.begin(of.model);
    said.number("lost", {of.lost}, {},
                "Share of the positions' energy along (1, …, 1), which LayerNorm takes away.");
    said.number("r2_after", {change(r2).after}, {.theory = change(r2).before},
                "Share of the variance of the positions' products that the distance explains, after "
                "LayerNorm; beside it before.");
    if (std::isnan(of.ratio)) continue;
    const double before = change(departure).before, after = change(departure).after;
    said.number("ratio", {of.ratio}, {}, "Mean length of a position over that of a word.");
    said.number("departure_after", {after}, {.theory = before, .unit = deviations},
                "Departure of the mean square cosine of words and positions from chance, after LayerNorm; "
                "beside it before.");
    said.number("departure_size_after", {std::abs(after)}, {.unit = deviations}, "Size of that departure.");
    said.number("energy_kept", {of.energy_kept}, {.theory = 1},
                "Energy of words per direction that positions fill over energy per direction of the space, "
                "after LayerNorm over before.");
    require_kept(said);
    said.add_sentence(
        fmt::format("a position has {:.2f} of a word's length; after LayerNorm their mean square cosine is "
                    "{:.3f} times chance, {} (before: {:+.1f}), {:.1f} % of the positions' energy is gone, "
                    "and R² of the distance goes from {:.2f} to {:.2f}",
                    of.ratio, change(square).after, in_words(after), before, 100 * of.lost, change(r2).before,
                    change(r2).after),
        fmt::format("words' energy in the positions' directions, over chance, is {:.3f} times what it was "
                    "before LayerNorm",
                    of.energy_kept));
  }
  said.finish("m7_models.csv", no_model_with_both);
}

}  // namespace

Experiment after_layer_norm(const Models& models) {
  Experiment claim{"M7", "LayerNorm leaves a model's words and positions as unrelated as chance would.",
                   "(asked)", depends(models)};
  const auto wanted = [](const ModelUnderTest& model) { return has_positions(model) && model.dim() >= 3; };
  claim.measure(cells_of(models, wanted), 3, [=](const OfModel& at, const Streams&, Rows& rows) {
    measure(model_named(models, at.model), at, rows);
  });
  claim.conclude(conclude);
  return evidence_for("Q2", std::move(claim));
}

}  // namespace perp::inspect
