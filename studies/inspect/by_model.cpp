#include "studies/inspect/by_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/study/display_name.hpp"

namespace perp::inspect {

std::vector<OfModel> cells_of(const Models& models, Wanted wanted) {
  std::vector<OfModel> cells;
  for (const ModelUnderTest& model : *models)
    if (wanted(model)) cells.push_back({model.name});
  return cells;
}

std::vector<OfModel> cells_of_lineages(const Models& models, Wanted wanted) {
  std::vector<OfModel> cells;
  for (const OfModel& of : cells_of(models, wanted)) {
    const auto is_known = [&](const OfModel& before) {
      return lineage_of(model_named(models, before.model)) == lineage_of(model_named(models, of.model));
    };
    if (std::ranges::none_of(cells, is_known)) cells.push_back(of);
  }
  return cells;
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

std::string in_words(double departure) {
  if (std::abs(departure) < departs)
    return fmt::format("within three standard deviations of chance ({:+.1f})", departure);
  // Beyond a hundred no normal law holds, and the number would say nothing.
  const std::string by =
      std::abs(departure) < 100 ? fmt::format("{:.1f}", std::abs(departure)) : "more than 100";
  return fmt::format("{} standard deviations {} chance", by, departure > 0 ? "above" : "below");
}

void ask(Summary& summary, const ModelUnderTest& model, Asked asked) {
  Levels levels = levels_of(model);
  levels.insert(levels.end(), asked.levels.begin(), asked.levels.end());
  summary.rule.push_back({fmt::format("{}.{}", asked.measure, model.name), asked.is, asked.bound,
                          asked.margin, asked.role, Evidence::released, std::move(levels),
                          fmt::format("{}: {}", display_name(model.name, "model"), asked.says),
                          std::move(asked.needs)});
}

void finish(Summary& summary, std::size_t models, std::string_view missing) {
  if (models == 0)
    summary.rule = {condition(Role::core, "", Is::above, 0.0, Evidence::released, {{"evidence", "released"}},
                              "a released model's tables", missing)};
}

void add_count(Summary& summary, std::size_t models) {
  if (models > 0)
    summary.number("models", {}, {double(models)},
                   {.unit = "models", .meaning = "Models that have what the claim needs."});
}

}  // namespace perp::inspect
