
#include <fmt/ranges.h>

#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

Prepared prepare(const Options& options) {
  const inspect::Models models = inspect::open_models(options);
  std::vector<Input> files;
  Coordinates parameters;
  std::vector<std::string> names;
  for (const inspect::ModelUnderTest& model : *models) {
    files.insert(files.end(), model.files.begin(), model.files.end());
    parameters.insert(parameters.end(), model.parameters.begin(), model.parameters.end());
    names.push_back(model.name);
  }
  if (!names.empty()) parameters.emplace_back("models", fmt::format("{}", fmt::join(names, " ")));
  // Listing claims needs no words, and the quick preset does without.
  const auto learned = std::make_shared<const WordInputs>(
      options.list || options.preset == Preset::quick || !options.wants("A13") ? WordInputs{}
                                                                               : load_words(options));
  files.insert(files.end(), learned->files.begin(), learned->files.end());
  parameters.insert(parameters.end(), learned->parameters.begin(), learned->parameters.end());
  return {{size_of_positions(options, models), dimension_by_dimension(options), four_jobs(options),
           adding_contains_concatenating(options), choosing_a_split(options), cost(options),
           information_by_split(options, models), bag_of_sums(options),
           what_a_word_says(options, models, learned)},
          files,
          parameters};
}

}  // namespace

Study study() {
  return {
      "capacity",
      "What do words and positions lose when they are added, and what when they are concatenated?",
      {"A1", "A2", "A3", "A4", "A5", "A6", "A7", "Q3", "A13"},
      {{"models", "FILE",
        "Released models whose words A1 and A7 read in sums with their own positions: lines [name] and below "
        "each option = value, as the study inspect has them"}},
      prepare};
}

}  // namespace perp::capacity
