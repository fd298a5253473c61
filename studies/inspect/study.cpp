#include "studies/inspect/study.hpp"

#include <algorithm>
#include <memory>

#include "perp/base/error.hpp"
#include "studies/inspect/answer.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

/// Each file once, however many models read it.
std::vector<Input> files_of(const std::vector<Subject>& subjects) {
  std::vector<Input> files;
  for (const Subject& subject : subjects)
    for (const Input& file : subject.files()) {
      const auto same = [&](const Input& known) {
        return known.name == file.name && known.sha256 == file.sha256;
      };
      if (std::none_of(files.begin(), files.end(), same)) files.push_back(file);
    }
  return files;
}

/// What was taken of whose files, and who has what.
Coordinates parameters_of(const std::vector<Subject>& subjects) {
  Coordinates parameters;
  for (const Subject& subject : subjects)
    parameters.insert(parameters.end(), subject.parameters().begin(), subject.parameters().end());
  // Who is in which figure; figures go through these names.
  const auto named = [&](const char* what, const auto& has) {
    std::string names;
    for (const Subject& subject : subjects)
      if (has(subject)) names += fmt::format("{}{}", names.empty() ? "" : " ", subject.name());
    parameters.emplace_back(what, names);
  };
  named("models", [](const Subject&) { return true; });
  named("with_words", [](const Subject& s) { return s.tables().words.has_value(); });
  named("with_positions", [](const Subject& s) { return s.tables().positions.has_value(); });
  named("with_both", [](const Subject& s) { return s.tables().words && s.tables().positions; });
  named("with_weights", [](const Subject& s) { return s.weights() && s.weights()->weights; });
  return parameters;
}

Prepared prepare(const Options& options) {
  require(!options.text("dim"), "--dim and --out: theory alone has no report");
  auto subjects = std::make_shared<std::vector<Subject>>();
  const auto threads = std::make_shared<SharedThreads>(options.threads);
  if (!options.list)
    for (Model& model : models_of(options))
      subjects->emplace_back(std::move(model), options.seed, options.preset, threads);
  const Subjects shared = subjects;
  return {{unrelated(shared), dimensions(shared), subspaces(shared), lag_alone(shared), nearby(shared),
           through_weights(shared, options), after_layer_norm(shared), like_sinusoids(shared),
           published(shared, options)},
          files_of(*shared),
          parameters_of(*shared)};
}

}  // namespace

Study study(bool into_folder) {
  return {"inspect",
          "What do a model's own words and positions show of one another, beside chance? Without --out: "
          "numbers on "
          "standard output.",
          {"M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9"},
          model_options(),
          prepare,
          [into_folder](const Options& options) {
            return into_folder || options.list ? std::nullopt : std::optional(answer_inspect(options));
          }};
}

}  // namespace perp::inspect
