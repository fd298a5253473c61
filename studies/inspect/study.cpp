#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/io/program.hpp"
#include "perp/study/display.hpp"
#include "studies/distance/heads.hpp"
#include "studies/inspect/answer.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

/// The model of a finding's id, its last part; nullptr for another claim's.
const ModelUnderTest* model_of(const std::string& finding, const std::string& claim, const Models& models) {
  if (!finding.starts_with(claim + ".")) return nullptr;
  const auto model =
      std::ranges::find(*models, finding.substr(finding.rfind('.') + 1), &ModelUnderTest::name);
  return model == models->end() ? nullptr : &*model;
}

std::string filled(std::string text, const ModelUnderTest& model) {
  const auto put = [&](std::string_view mark, const auto& what) {
    if (const std::size_t at = text.find(mark); at != text.npos) text.replace(at, mark.size(), what());
  };
  put("{model}", [&] { return model.name; });
  put("{file}", [&] { return model.positions_file(); });
  put("{reading}", [&] { return distance::reading_of(*model.weights); });
  return text;
}

void ask(Condition& condition, const ModelUnderTest& model) {
  condition.says = fmt::format("{}: {}", display_name(model.name, "model"), filled(condition.says, model));
  if (auto* bound = std::get_if<std::string>(&condition.bound)) *bound = filled(*bound, model);
  Levels levels = levels_of(model);
  for (const auto& [name, level] : condition.levels) levels.emplace_back(name, filled(level, model));
  condition.levels = std::move(levels);
}

/// Model by model, and of each in the order of the file; what has equal levels is together.
Rule asked_of(const Models& models, const std::string& claim, const Rule& rule) {
  const auto place = [](auto& known, const auto& one) {
    return known.try_emplace(one, known.size()).first->second;
  };
  std::map<std::string, std::size_t> names;
  std::map<Levels, std::size_t> kinds;
  std::map<std::string, std::string> first;  // model of a lineage
  std::map<std::pair<std::size_t, std::size_t>, Rule> asked;
  Rule others;
  for (const Condition& condition : rule) {
    const ModelUnderTest* model = model_of(condition.finding, claim, models);
    if (!model)
      others.push_back(condition);
    else if (first.try_emplace(lineage_of(*model), model->name).first->second == model->name)
      ask(asked[{place(names, model->name), place(kinds, condition.levels)}].emplace_back(condition), *model);
  }
  if (!asked.empty())
    std::erase_if(others, [](const Condition& condition) { return condition.finding == elsewhere; });
  Rule all;
  for (const auto& [at, conditions] : asked) all.insert(all.end(), conditions.begin(), conditions.end());
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace

std::vector<GivenModel> models_with(const Models& models, Wanted wanted) {
  std::vector<GivenModel> found;
  for (const ModelUnderTest& model : *models)
    if (wanted(model)) found.emplace_back(models, &model);
  return found;
}

std::vector<GivenModel> one_of_each_lineage(const std::vector<GivenModel>& models) {
  std::vector<GivenModel> found;
  for (const GivenModel& model : models)
    if (std::ranges::none_of(
            found, [&](const GivenModel& before) { return lineage_of(*before) == lineage_of(*model); }))
      found.push_back(model);
  return found;
}

Experiment asked_of_each(const Models& models, Experiment claim) {
  claim.also([models, name = claim.claim](Outcome& outcome) {
    std::erase_if(outcome.tables, [](const Table& table) { return table.rows.empty(); });
    std::erase_if(outcome.findings, [&](const Finding& finding) {
      return !std::isfinite(finding.value) &&
             std::ranges::any_of(outcome.rule, [&](const Condition& condition) {
               return condition.finding == finding.id && !condition.needs.empty();
             });
    });
    outcome.rule = asked_of(models, name, outcome.rule);
  });
  return claim;
}

namespace {

/// Each file once, however many models read it.
std::vector<Input> files_of(const Models& models) {
  std::vector<Input> files;
  for (const ModelUnderTest& model : *models)
    for (const Input& file : model.files) {
      const auto is_same = [&](const Input& known) {
        return known.name == file.name && known.sha256 == file.sha256;
      };
      if (std::ranges::none_of(files, is_same)) files.push_back(file);
    }
  return files;
}

/// What was taken of whose files, and who has positions, one of a lineage: a figure goes through these names.
Coordinates parameters_of(const Models& models) {
  Coordinates parameters;
  std::vector<std::string> names, with_positions;
  for (const ModelUnderTest& model : *models) {
    parameters.insert(parameters.end(), model.parameters.begin(), model.parameters.end());
    names.push_back(model.name);
  }
  for (const GivenModel& model : lineages_with(models, has_positions)) with_positions.push_back(model->name);
  parameters.emplace_back("models", fmt::format("{}", fmt::join(names, " ")));
  parameters.emplace_back("with_positions", fmt::format("{}", fmt::join(with_positions, " ")));
  return parameters;
}

Prepared prepare(const Options& options) {
  const Models models = open_models(options);
  return {{unrelated(models), dimensions(models), subspaces(models, options), lag_alone(models),
           nearby(models), through_weights(models, options), after_layer_norm(models), like_sinusoids(models),
           beside_the_claims(Experiment("M9", toml_of("m9"))), through_layers(models),
           into_coordinates(models, options)},
          files_of(models),
          parameters_of(models)};
}

/// A study's --part is of its cells: that of a model is said in --models. Of --dim alone theory answers, which has no report.
std::vector<ExtraOption> study_options() {
  std::vector<ExtraOption> options = model_options();
  std::erase_if(options, [](const ExtraOption& option) {
    return option.name == part_option().name || option.name == "dim";
  });
  return options;
}

}  // namespace

Study study() {
  return {"inspect",
          "What do a model's own words and positions show of one another, beside chance? Into the folder "
          "--out; 'perp inspect' answers at the terminal.",
          {"M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9", "M10", "A11"},
          study_options(),
          prepare,
          check_models};
}

}  // namespace perp::inspect
