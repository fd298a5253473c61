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
                     *mean_cosine = "mean cosine of words and positions",
                     *square = "mean square cosine of words and positions, over chance",
                     *departure = "its departure from chance, standard deviations",
                     *energy = "words' energy in the positions' subspace",
                     *energy_departure = "the energy's departure from chance, standard deviations";

struct LayerNorm : OfModel {
  double lost;   ///< share of the positions' energy along (1, …, 1)
  double ratio;  ///< mean length of a position over that of a word; NaN without words, likewise:
  /// After over before; NaN where LayerNorm leaves nothing of a table. Of a mean cosine at chance, too.
  double mean_cosine_kept;
  double energy_kept;  ///< energy over chance
};
PERP_ROW_OF(LayerNorm, OfModel, lost, ratio, mean_cosine_kept, energy_kept)

/// x in an orthonormal basis of that hyperplane (Helmert 1876): y_j = (x_0 + … + x_{j-1} - j x_j)/√(j(j+1)),
/// j = 1 … d - 1. Equal entries have no such part, where the sums would leave their rounding.
template <class T>
void centred_part(std::span<const T> x, T* y) {
  if (std::ranges::all_of(x, [&](T entry) { return entry == x[0]; })) {
    std::fill_n(y, x.size() - 1, T(0));
    return;
  }
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

bool is_zero(const TableNumbers& table) { return table.zero_rows == table.rows; }

/// Numbers of words and positions, as they are and in the hyperplane.
void compare(const Between& a, const Between& b, double d, LayerNorm& of, Rows& out) {
  const auto add = [&](const char* label, double before, double after) {
    out.add(Change{of, label, before, after});
  };
  add(mean_cosine, a.mean_cosine.value, b.mean_cosine.value);
  add(square, d * a.mean_square_cosine.value, (d - 1) * b.mean_square_cosine.value);
  add(departure, a.mean_square_cosine.departure(), b.mean_square_cosine.departure());
  add(energy, a.energy.value, b.energy.value);
  add(energy_departure, a.energy.departure(), b.energy.departure());
  // The ratio of two means of chance says nothing.
  if (std::abs(a.mean_cosine.departure()) >= departs)
    of.mean_cosine_kept = b.mean_cosine.value / a.mean_cosine.value;
  // Over chance: the positions' directions are chosen anew, and may be more or fewer.
  of.energy_kept = (b.energy.value / b.energy.chance) / (a.energy.value / a.energy.chance);
}

void measure(const ModelUnderTest& model, const OfModel& at, Rows& out) {
  const Measurement& before = model.given();
  const Matrix<double>& positions = *model.tables.positions;
  LayerNorm of{at, lost(positions), NAN, NAN, NAN};
  const Positions after = measure_positions(centred_parts(positions), 1);
  out.add(Change{at, r2, before.positions->toeplitz_r2, after.toeplitz_r2});
  if (before.between) {
    of.ratio = before.positions->numbers.mean_norm / before.words->numbers.mean_norm;
    const Words words = measure_words(centred_parts(*model.tables.word_stream()), &after, 0, 1);
    if (!is_zero(words.numbers) && !is_zero(after.numbers))
      compare(*before.between, measure_between(words, after, {}), double(model.dim()), of, out);
  }
  out.add(of);
}

void require_kept(ModelSummaries& said) {
  const auto kept = [&](const char* measure, const char* number, const char* says, const char* needs) {
    said.require_that(Role::core, measure, {Is::equal, 1.0, 0.1}, {{"measure", number}}, says, needs);
  };
  kept("mean_cosine_kept", "mean cosine", "mean cosine of words and positions after LayerNorm over before",
       "words and positions with a mean cosine beyond chance, and of which LayerNorm leaves something");
  kept("energy_kept", "energy",
       "words' squared norm in the positions' directions over chance, after LayerNorm over before",
       "words and positions of which LayerNorm leaves something");
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto changes = rows_of<Change>(cells);
  summary.table("m7_layernorm.csv", changes,
                {model_name, exact("label", "what is measured of the two parts of the sum", &Change::label),
                 rounded("before", "of words and positions as they are", &Change::before),
                 rounded("after", "of the parts of the sum's LayerNorm", &Change::after)});
  ModelSummaries said(summary, models);
  for (const LayerNorm& of : rows_of<LayerNorm>(cells)) {
    const auto change = [&](const char* label) {
      return only(changes, &Change::model, of.model, &Change::label, label).front();
    };
    said.begin(of.model);
    if (std::isnan(of.ratio)) continue;
    require_kept(said);
    if (std::isnan(of.energy_kept)) {
      said.add_sentence("LayerNorm leaves nothing of the words or of the positions");
      continue;
    }
    const double cosine = change(mean_cosine).before, cosine_after = change(mean_cosine).after;
    said.number(
        "mean_cosine_kept", {of.mean_cosine_kept}, {.theory = 1},
        "Mean cosine of words and positions after LayerNorm over before, where that is beyond chance.");
    said.number("energy_kept", {of.energy_kept}, {.theory = 1},
                "Energy of words per direction that positions fill over energy per direction of the space, "
                "after LayerNorm over before.");
    said.add_sentence(fmt::format(
        "a position has {:.2f} times a word's norm (means); LayerNorm changes their mean cosine from {:.4f} "
        "to "
        "{:.4f}; their mean square cosine is then {:.3f} times chance, {} (before: {:+.1f}), {:.1f}% of "
        "the positions' squared norm is removed, and R² of the distance goes from {:.2f} to {:.2f}",
        of.ratio, cosine, cosine_after, change(square).after, in_words(change(departure).after),
        change(departure).before, 100 * of.lost, change(r2).before, change(r2).after));
  }
  said.finish("m7_models.csv", both_tables);
}

}  // namespace

Experiment after_layer_norm(const Models& models) {
  Experiment claim{"M7", "LayerNorm leaves a model's words and positions as unrelated as chance would.",
                   "(asked)", depends(models)};
  const auto wanted = [](const ModelUnderTest& model) { return has_positions(model) && model.dim() >= 3; };
  claim.measure(cells_of(models, wanted), 3, [=](const OfModel& at, const Streams&, Rows& rows) {
    measure(model_named(models, at.model), at, rows);
  });
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("Q2", std::move(claim));
}

}  // namespace perp::inspect
