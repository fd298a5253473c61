// M7: what LayerNorm of the sum does to the two parts (Q2, for given models). LayerNorm of x + p is
// g ∘ C(x + p)/s + b with C = 1 - 11ᵀ/d and s the same for both: before the gain, the parts are Cx and Cp up
// to s. Both lie in the hyperplane without (1, …, 1), which is where chance turns one of them: in d - 1
// dimensions.

#include <algorithm>
#include <cmath>

#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

/// x in an orthonormal basis of that hyperplane (Helmert 1876): y_j = (x_0 + … + x_{j-1} - j x_j)/√(j(j+1)),
/// j = 1 … d - 1.
template <class T>
void centred_part(std::span<const T> x, T* y) {
  double sum = x[0];
  for (std::size_t j = 1; j < x.size(); ++j) {
    const double place = static_cast<double>(j);
    y[j - 1] = static_cast<T>((sum - place * x[j]) / std::sqrt(place * (place + 1)));
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
    along += sum * sum / static_cast<double>(cols(positions));
  }
  return along / all;
}

Records run(const Subject& subject, std::size_t threads) {
  const Seen& before = subject.given().seen;
  const Matrix<double>& positions = *subject.tables().positions;
  Seen after;
  after.positions = measure_positions(centred_parts(positions), threads);
  Coordinates values = {{"lost", lost(positions)},
                        {"r2_before", before.positions->toeplitz_r2},
                        {"r2_after", after.positions->toeplitz_r2}};
  if (before.between) {
    after.words = measure_words(centred_parts(subject.tables().word_stream()), &*after.positions, 0, threads);
    after.between = measure_between(*after.words, *after.positions, {});
    const double d = static_cast<double>(subject.dim());
    const auto add = [&](const char* when, const Between& b, double d) {
      values.emplace_back(fmt::format("square_{}", when), d * b.mean_square_cosine.value);
      values.emplace_back(fmt::format("departure_{}", when), b.mean_square_cosine.departure());
      values.emplace_back(fmt::format("energy_{}", when), b.energy.value);
      values.emplace_back(fmt::format("energy_departure_{}", when), b.energy.departure());
      values.emplace_back(fmt::format("energy_chance_{}", when), b.energy.chance);
    };
    add("before", *before.between, d);
    add("after", *after.between, d - 1);
    values.emplace_back("ratio", before.positions->numbers.mean_norm / before.words->numbers.mean_norm);
  }
  return {{"layernorm", values}};
}

Outcome summarise(const std::vector<CellRecords>& cells) {
  Verdicts v{"M7", {}};
  Table table{"m7_layernorm.csv",
              {{"model", "", Kind::exact, "name of the model"},
               {"label", "", Kind::exact, "what is measured of the two parts of the sum"},
               {"before", "1", Kind::rounded, "of words and positions as they are"},
               {"after", "1", Kind::rounded, "of the parts of the sum's LayerNorm"}},
              {}};
  for (const Coordinates& r : records_of(cells, "layernorm")) {
    const std::string& model = text_at(r, "model");
    const auto both = [&](const char* label, const std::string& name) {
      table.add({model, std::string(label), number_at(r, name + "_before"), number_at(r, name + "_after")});
    };
    both("R² of the distance, products of positions", "r2");
    const bool pair = std::ranges::any_of(r, [](const auto& value) { return value.name == "ratio"; });
    v.add("lost", model, {number_at(r, "lost")},
          {.n = 1,
           .kind = Kind::rounded,
           .meaning = "Share of the positions' energy along (1, …, 1), which LayerNorm takes away."});
    v.add(
        "r2_after", model, {number_at(r, "r2_after")},
        {.theory = number_at(r, "r2_before"),
         .kind = Kind::rounded,
         .meaning =
             "Share of the variance of the positions' products that the distance explains, after LayerNorm; "
             "beside it before."});
    if (!pair) continue;
    both("mean square cosine of words and positions, over chance", "square");
    both("its departure from chance, standard deviations", "departure");
    both("words' energy in the positions' subspace", "energy");
    both("the energy's departure from chance, standard deviations", "energy_departure");
    const double after = number_at(r, "departure_after"), before = number_at(r, "departure_before");
    v.add("ratio", model, {number_at(r, "ratio")},
          {.kind = Kind::rounded, .meaning = "Mean length of a position over that of a word."});
    v.add("departure_after", model, {after},
          {.theory = before,
           .unit = "standard deviations",
           .kind = Kind::rounded,
           .meaning = "Departure of the mean square cosine of words and positions from chance, after "
                      "LayerNorm; beside "
                      "it before."});
    v.add("departure_size_after", model, {std::abs(after)},
          {.unit = "standard deviations", .kind = Kind::rounded, .meaning = "Size of that departure."});
    // Over chance: the positions' directions are chosen anew, and may be more or fewer.
    const auto over_chance = [&](const std::string& when) {
      return number_at(r, "energy_" + when) / number_at(r, "energy_chance_" + when);
    };
    const double kept = over_chance("after") / over_chance("before");
    v.add("energy_kept", model, {kept},
          {.theory = 1.0,
           .kind = Kind::rounded,
           .meaning =
               "Energy of words per direction that positions fill over energy per direction of the space, "
               "after LayerNorm over before."});
    const auto ask = [&](const char* measure, const char* number, const char* says, const char* needs) {
      v.ask(measure, model,
            {.finding = {},
             .is = Is::equal,
             .bound = 1.0,
             .margin = 0.1,
             .levels = {{"measure", number}},
             .says = says,
             .needs = needs});
    };
    ask("mean_cosine_kept", "mean cosine", "mean cosine of words and positions after LayerNorm over before",
        "not programmed yet: the mean cosine after LayerNorm");
    ask("energy_kept", "energy",
        "words' energy in the positions' directions over chance, after LayerNorm over before", "");
    v.say(model,
          fmt::format(
              "a position has {:.2f} of a word's length; after LayerNorm their mean square cosine is {:.3f} "
              "times chance, {} (before: {:+.1f}), {:.1f} % of the positions' energy is gone, and R² of the "
              "distance goes from {:.2f} to {:.2f}",
              number_at(r, "ratio"), number_at(r, "square_after"), in_words(after), before,
              100 * number_at(r, "lost"), number_at(r, "r2_before"), number_at(r, "r2_after")),
          fmt::format(
              "words' energy in the positions' directions, over chance, is {:.3f} times what it was before "
              "LayerNorm",
              kept));
  }
  v.outcome.tables.insert(v.outcome.tables.begin(), table);
  return v.finish(
      "no model with words and positions was given (--words FILE --positions FILE, or make inspect WORDS= "
      "POSITIONS=)");
}

}  // namespace

Experiment after_layer_norm(const Subjects& subjects) {
  std::vector<Cell> cells;
  for (const Subject& subject : *subjects)
    if (subject.tables().positions && subject.dim() >= 3) cells.push_back({{{"model", subject.name()}}, 3});
  return evidence_for(
      "Q2", {"M7", "LayerNorm leaves a model's words and positions as unrelated as chance would.", "(asked)",
             depends(subjects), cells,
             [=](const Cell& cell, const Streams&) {
               return run(subject_named(subjects, text_at(cell.at, "model")), 1);
             },
             [](const std::vector<CellRecords>& of) { return summarise(of); }});
}

}  // namespace perp::inspect
