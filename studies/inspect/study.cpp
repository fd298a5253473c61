#include "studies/inspect/study.hpp"

#include "perp/base/error.hpp"
#include "perp/io/program.hpp"
#include "studies/inspect/answer.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
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
  require(!options.text("dim"), "--dim and --out: theory alone has no report");
  const Models models = open_models(options);
  return {{unrelated(models), dimensions(models), subspaces(models, options), lag_alone(models),
           nearby(models), through_weights(models, options), after_layer_norm(models), like_sinusoids(models),
           beside_the_claims(DescribedClaim("M9", toml_of("m9"))), through_layers(models),
           into_coordinates(models, options)},
          files_of(models),
          parameters_of(models)};
}

/// With those that have become words of `perp`. A study's --part is of its cells: that of a model is said in --models.
std::vector<ExtraOption> study_options() {
  std::vector<ExtraOption> options = model_options();
  std::erase_if(options, [](const ExtraOption& option) { return option.name == part_option().name; });
  for (ExtraOption& option : options) option.moved = option.name == "dim";
  options.push_back({"list", "", "List the claims and stop"});
  return options;
}

/// Questions that have become words of `perp`, until 0.2.
std::string forwarded(const Options& options) {
  const auto list = options.text("list");
  if (list) options.expect_alone("list", {"json"});
  std::string answer = list ? list_of_tables(*list, options.json) : answer_inspect(options);
  print_message(
      "inspect: this is 'perp {}' now; as it is here it ends with 0.2 (with --out FOLDER it stays)\n",
      list ? "list FILE" : "inspect MODEL");
  return answer;
}

}  // namespace

Study study(bool into_folder) {
  return {"inspect",
          "What do a model's own words and positions show of one another, beside chance? Into the folder "
          "--out; 'perp inspect' answers at the terminal.",
          {"M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9", "M10", "A11"},
          study_options(),
          prepare,
          [into_folder](const Options& options) {
            const bool is_study =
                ((into_folder || options.into_folder) && !options.text("list")) || options.list;
            return is_study ? std::nullopt : std::optional(forwarded(options));
          },
          check_models};
}

}  // namespace perp::inspect
