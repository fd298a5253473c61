#include "studies/capacity/study.hpp"

#include <fmt/ranges.h>

#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// The models of the file --models, whose words and positions A1 and A7 read from their sum.
inspect::Models models_of(Options options) {
  std::erase_if(options.extra, [](const auto& option) { return option.first != "models"; });
  return inspect::open_models(options);
}

Prepared prepare(const Options& options) {
  // Listing claims needs no words and no models; measuring does.
  const SharedWords words =
      std::make_shared<const WordInputs>(options.list ? WordInputs{} : load_words(options));
  const inspect::Models models = models_of(options);
  std::vector<Input> files = words->files;
  Coordinates parameters = words->parameters;
  std::vector<std::string> names;
  for (const inspect::ModelUnderTest& model : *models) {
    files.insert(files.end(), model.files.begin(), model.files.end());
    parameters.insert(parameters.end(), model.parameters.begin(), model.parameters.end());
    names.push_back(model.name);
  }
  if (!names.empty()) parameters.emplace_back("models", fmt::format("{}", fmt::join(names, " ")));
  return {{size_of_positions(options, words, models), dimension_by_dimension(options),
           four_jobs(options, words), adding_contains_concatenating(options), choosing_a_split(options),
           cost(options), information_by_split(options, models), bag_of_sums(options)},
          files,
          parameters};
}

}  // namespace

Study study() {
  return {
      "capacity",
      "What do words and positions lose when they are added, and what when they are concatenated?",
      {"A1", "A2", "A3", "A4", "A5", "A6", "A7", "Q3"},
      {{"corpus", "FILE",
        "UTF-8 text, plain or gzip, to learn word vectors from (default: Debian's dict-gcide; 'none': "
        "random words only)"},
       {"words", "FILE[:TENSOR]",
        "Word vectors to use instead of learned ones: .npy, safetensors, GGUF, or word2vec/GloVe text"},
       {"rows", "A:B", "Only these rows of --words, half-open and from 0"},
       {"models", "FILE",
        "Released models whose words A1 and A7 read in sums with their own positions: lines [name] and below "
        "each option = value, as the study inspect has them"}},
      prepare};
}

}  // namespace perp::capacity
