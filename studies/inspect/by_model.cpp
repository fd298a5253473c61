#include "studies/inspect/by_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/base/error.hpp"
#include "perp/study/display_name.hpp"

namespace perp::inspect {
std::vector<OfModel> cells_of(const Models& models, Wanted wanted) {
  std::vector<OfModel> cells;
  for (const ModelUnderTest& model : *models)
    if (wanted(model)) cells.push_back({model.name});
  return cells;
}

std::vector<Drawn> drawn_cells_of(const Models& models, Wanted wanted, bool with_gaussian) {
  std::vector<Drawn> cells;
  for (const OfModel& of : cells_of(models, wanted)) {
    cells.push_back({of, "given", 0});
    if (with_gaussian)
      for (const std::size_t draw : first(model_named(models, of.model).draws))
        cells.push_back({of, "gaussian", draw});
  }
  return cells;
}

void measure_numbers(Experiment& claim, const Models& models, const std::vector<Drawn>& cells,
                     AddCurves add_curves) {
  claim.measure(
      cells, [](const Drawn& at) { return at.is_given() ? 2 : 1; },
      [=](const Drawn& at, const Streams&, Rows& rows) {
        const ModelUnderTest& model = model_named(models, at.model);
        const Measurement& measured = at.is_given() ? model.given() : model.gaussian(at.draw);
        for (const DescribedNumber& n : describe(measured))
          rows.add(NumberRow{at, n.table, n.measure, n.label, n.number.value, n.number.chance, n.number.sd});
        add_curves(model, measured, at, rows);
      });
}

double mean_of(const std::vector<double>& values) {
  return values.empty() ? NAN : std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

double sd_of(const std::vector<double>& values) {
  if (values.size() < 2) return NAN;
  double square = 0;
  const double mean = mean_of(values);
  for (const double x : values) square += (x - mean) * (x - mean);
  return std::sqrt(square / double(values.size() - 1));
}

Number::Number(const Group<NumberRow>& rows) : Group<NumberRow>(rows) {
  // Sizes and scales are given, not measured.
  const bool is_size = front().measure == "rows" || front().measure == "mean_norm";
  for (const NumberRow& row : rows)
    if (row.is_given())
      given = {row.value, row.chance, row.sd};
    else if (std::isfinite(row.value) && !is_size)
      draws.push_back(row.value);
}

double Number::departure() const {
  const double closed_form = given.departure(), sd = gaussian_sd();
  if (!std::isnan(closed_form)) return closed_form;
  return sd > 0 ? (given.value - gaussian_mean()) / sd : NAN;
}

const Number* ModelNumbers::find(std::string_view key) const {
  const auto found =
      std::ranges::find(numbers, key, [](const Number& number) { return number.front().key(); });
  return found == numbers.end() ? nullptr : &*found;
}

const Number& ModelNumbers::at(std::string_view key) const {
  const Number* number = find(key);
  if (!number) fail("{}: no number '{}'", model, key);
  return *number;
}

std::vector<ModelNumbers> numbers_by_model(const Cells& cells) {
  std::vector<ModelNumbers> models;
  for (const auto& model : group_by(rows_of<NumberRow>(cells), &NumberRow::model)) {
    models.push_back({{model.front().model}, {}});
    // What the given tables do not have (the nearest rows of a padded one) is no number, though Gaussian ones
    // have it.
    for (const auto& rows : group_by(model, &NumberRow::key))
      if (rows.front().is_given()) models.back().numbers.emplace_back(rows);
  }
  return models;
}

std::string in_words(double departure) {
  if (std::isnan(departure)) return "the same in every Gaussian table";
  if (std::abs(departure) < departs)
    return fmt::format("within three standard deviations of chance ({:+.1f})", departure);
  // Beyond a hundred no normal law holds, and the number would say nothing.
  const std::string by =
      std::abs(departure) < 100 ? fmt::format("{:.1f}", std::abs(departure)) : "more than 100";
  return fmt::format("{} standard deviations {} chance", by, departure > 0 ? "above" : "below");
}

void ModelSummaries::begin(const std::string& model, std::uint64_t n) {
  model_ = model;
  n_ = n;
}

void ModelSummaries::number(std::string_view measure, const Estimate& estimate, const Beside& beside,
                            std::string_view meaning) {
  if (!std::isfinite(estimate.value)) return;
  summary_.number(measure, {{"model", model_}}, estimate,
                  {beside.theory, beside.unit, beside.n > 0 ? beside.n : n_, beside.kind, meaning});
}

void ModelSummaries::require_that(Role role, std::string_view measure, const Threshold& threshold,
                                  const Levels& levels, std::string_view says, std::string_view needs) {
  Levels all = levels_of(model_named(models_, model_));
  all.insert(all.end(), levels.begin(), levels.end());
  summary_.rule.push_back({fmt::format("{}.{}", measure, model_), threshold.is, threshold.bound,
                           threshold.margin, role, Evidence::released, std::move(all),
                           fmt::format("{}: {}", display_name(model_, "model"), says), std::string(needs)});
}

void ModelSummaries::add_sentence(const std::string& says) { sentences_.push_back({{model_}, says}); }

void ModelSummaries::finish(std::string_view file, std::string_view missing) {
  if (summary_.rule.empty()) {
    summary_.rule = {condition(Role::core, "", Is::above, 0.0, Evidence::released, {{"evidence", "released"}},
                               "a released model's tables", missing)};
    summary_.findings.clear();  // they decide nothing, and the section does not show them
    std::erase_if(summary_.tables, [](const Table& table) { return table.rows.empty(); });
    return;
  }
  keep_one_of_each_lineage(summary_.rule);
  const auto rows = where(sentences_, [](const Sentence& of) { return !of.says.empty(); });
  const auto says = sampled("says", "what the claim's numbers say of it, in a sentence", &Sentence::says);
  if (!rows.empty()) summary_.table(file, rows, {model_name, says});
  // A name that is always there when the claim is measured: figures ask for it.
  summary_.number("models", {}, {double(sentences_.size())},
                  {.unit = "models", .meaning = "Models that have what the claim needs."});
}

}  // namespace perp::inspect
