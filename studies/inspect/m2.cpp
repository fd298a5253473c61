// M2: words fill a smaller subspace and positions another (O3, for given models).

#include <algorithm>
#include <cmath>
#include <numeric>

#include "studies/inspect/by_model.hpp"

namespace perp::inspect {
namespace {

struct Left : Drawn {
  std::string which;
  std::size_t dimensions;
  double share, left;
};
PERP_ROW_OF(Left, Drawn, which, dimensions, share, left)
struct Norm : Drawn {
  std::string which;
  double place, norm;
};
PERP_ROW_OF(Norm, Drawn, which, place, norm)

/// 1 … n at even steps of the logarithm, at most about 80 of them.
std::vector<std::size_t> thinned(std::size_t n) {
  std::vector<std::size_t> out;
  for (double x = 1; x <= double(n); x = std::max(x + 1, x * 1.09)) out.push_back(std::size_t(x));
  if (n > 0 && out.back() != n) out.push_back(n);
  return out;
}

void add_spectrum(const TableNumbers& numbers, const char* which, const Drawn& at, Rows& rows) {
  const double all = std::accumulate(numbers.spectrum.begin(), numbers.spectrum.end(), 0.0);
  if (!(all > 0)) return;
  double left = all;
  std::size_t taken = 0;
  for (const std::size_t r : thinned(numbers.spectrum.size())) {
    for (; taken < r; ++taken) left -= numbers.spectrum[taken];
    rows.add(Left{at, which, r, double(r) / numbers.dim, std::max(0.0, left / all)});
  }
}

void add_norms(const ModelUnderTest& model, const Measurement& measured, const Drawn& at, Rows& rows) {
  if (measured.words) {
    std::vector<float> norms = measured.words->norms;
    std::ranges::sort(norms);
    for (std::size_t i = 0; i <= 100; ++i)
      rows.add(Norm{at, "words", i / 100.0, norms[i * (norms.size() - 1) / 100]});
  }
  if (!measured.portrait) return;
  const std::vector<double>& norms = measured.portrait->norms;
  const std::size_t step = std::max<std::size_t>(1, norms.size() / 256);
  for (std::size_t t = 0; t < norms.size(); t += step)
    rows.add(Norm{at, "positions", double(t + model.tables.first_position), norms[t]});
}

void add_curves(const ModelUnderTest& model, const Measurement& measured, const Drawn& at, Rows& rows) {
  if (at.draw > 0) return;
  if (measured.words) add_spectrum(measured.words->numbers, "words", at, rows);
  if (measured.positions) add_spectrum(measured.positions->numbers, "positions", at, rows);
  if (at.is_given()) add_norms(model, measured, at, rows);
}

/// Everything that inspect says, one row per model and measure.
void add_numbers_table(const std::vector<ModelNumbers>& models, Summary& summary) {
  std::vector<Number> numbers;
  for (const ModelNumbers& model : models)
    for (const Number& number : model.numbers)
      if (number.front().is_given()) numbers.push_back(number);
  summary.table(
      "m2_numbers.csv", numbers,
      {model_name, exact("table", "words, positions, or between the two", &NumberRow::part),
       exact("measure", "name of the measure", &NumberRow::measure),
       exact("label", "the measure in words", &NumberRow::label),
       rounded("value", "of the given tables", &NumberRow::value),
       rounded("chance",
               "in closed form: independent normal entries, or one table turned by a random rotation",
               &NumberRow::chance),
       sampled("gaussian", "mean of the same measure over Gaussian tables of equal shape",
               &Number::gaussian_mean),
       sampled("gaussian_sd", "standard deviation of these",
               [](const Number& n) { return n.gaussian_sd() == 0 ? NAN : n.gaussian_sd(); }),
       sampled("departure",
               "value less chance, in standard deviations of chance: in closed form where it is known, else "
               "over the Gaussian tables",
               &Number::departure)
           .unit(deviations)});
}

void add_tables(const Cells& cells, Summary& summary) {
  summary.table(
      "m2_spectra.csv", rows_of<Left>(cells),
      {model_name, table_name, exact("which", "words or positions", &Left::which),
       exact("dimensions", "r leading dimensions of the centred rows", &Left::dimensions).unit("dimensions"),
       exact("share", "r over d", &Left::share),
       sampled("left", "share of the variance outside them", &Left::left)});
  summary.table("m2_norms.csv", rows_of<Norm>(cells),
                {model_name, exact("which", "words or positions", &Norm::which),
                 exact("place", "the position; of words, the share of them that are shorter", &Norm::place),
                 rounded("norm", "length", &Norm::norm)});
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto measured = numbers_by_model(cells);
  add_numbers_table(measured, summary);
  add_tables(cells, summary);
  ModelSummaries said(summary, models);
  for (const ModelNumbers& model : measured) {
    const double d = model_named(models, model.model).dim();
    std::vector<std::string> sentences;
    for (const std::string which : {"words", "positions"}) {
      const Number* r99 = model.find(which + ".r99");
      const Number* spread = model.find(which + ".participation_ratio");
      if (!r99 || std::isnan(r99->given.value)) continue;
      said.begin(model.model, model.count(which + ".rows"));
      said.number(which + "_share", {r99->given.value / d},
                  {.theory = r99->gaussian_mean() / d, .kind = Kind::count},
                  fmt::format("Share of the dimensions that hold 99% of the variance of the {}; beside it "
                              "Gaussian tables of equal shape.",
                              which));
      said.require_that(which == "words" ? Role::core : Role::limit, which + "_share", {Is::below, 0.5},
                        {{"table", which}},
                        fmt::format("share of the dimensions that hold 99% of the {}, centred", which));
      sentences.push_back(
          fmt::format("{}: 99% of the variance in {:.0f} of {:.0f} dimensions (Gaussian: {:.1f}, {}), "
                      "participation ratio {:.1f} (Gaussian: {:.1f})",
                      which, r99->given.value, d, r99->gaussian_mean(), in_words(r99->departure()),
                      spread->given.value, spread->gaussian_mean()));
    }
    if (!sentences.empty()) said.add_sentence(fmt::format("{}", fmt::join(sentences, "; ")));
  }
  said.finish("m2_models.csv", "a model (perp inspect MODEL)");
}

}  // namespace

Experiment dimensions(const Models& models) {
  Experiment claim{"M2",
                   "A model's words occupy one part of the space and its positions another: each has 99% of "
                   "its variance in less than half of the dimensions.",
                   "[d]", depends(models)};
  measure_numbers(claim, models, drawn_cells_of(models, has_any), add_curves);
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("O3", std::move(claim));
}

}  // namespace perp::inspect
