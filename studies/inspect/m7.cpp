// M7: what LayerNorm of the sum does to the two parts (Q2, for given models). LayerNorm of x + p is
// g ∘ C(x + p)/s + b with C = 1 - 11ᵀ/d and s the same for both: before the gain, the parts are Cx and Cp up
// to s. Both lie in the hyperplane without (1, …, 1), which is where chance turns one of them: in d - 1
// dimensions. In words: m7.toml.

#include <algorithm>
#include <cmath>

#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

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

bool is_zero(const TableNumbers& table) { return table.zero_rows == table.rows; }

/// After LayerNorm over before; NaN where it leaves nothing of a table, and of a mean cosine at chance, too.
void measure(const ModelUnderTest& model, Out& out) {
  double mean_cosine = NAN, energy = NAN;
  const Positions positions = measure_positions(centred_parts(*model.tables.positions), 1);
  const Words words = measure_words(centred_parts(*model.tables.word_stream()), &positions, 0, 1);
  if (!is_zero(words.numbers) && !is_zero(positions.numbers)) {
    const Between &before = *model.given().between, after = measure_between(words, positions, {});
    // The ratio of two means of chance says nothing.
    if (std::abs(before.mean_cosine.departure()) >= departs)
      mean_cosine = after.mean_cosine.value / before.mean_cosine.value;
    // Over chance: the positions' directions are chosen anew, and may be more or fewer.
    energy = (after.energy.value / after.energy.chance) / (before.energy.value / before.energy.chance);
  }
  out("kept", {{"mean_cosine", mean_cosine}, {"energy", energy}});
}

bool can_compare(const ModelUnderTest& model) { return has_both(model) && model.dim() >= 3; }

}  // namespace

Experiment after_layer_norm(const Models& models) {
  Experiment claim("M7", toml_of("m7"), depends(models));
  for (const GivenModel& model : lineages_with(models, can_compare))
    claim.cell({{"model", model->name}}, 3, [=](const Streams&, Out& out) { measure(*model, out); });
  return evidence_for("Q2", asked_of_each(models, std::move(claim)));
}

}  // namespace perp::inspect
