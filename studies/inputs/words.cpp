#include "studies/inputs/words.hpp"

#include <filesystem>

#include "perp/base/error.hpp"
#include "perp/io/inputs.hpp"
#include "perp/io/table_rows.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/study/cells.hpp"
#include "perp/vectors/corpus.hpp"

namespace perp {
namespace {

/// The quick preset learns fewer words from the same text.
CorpusOptions corpus_options(const Options& options) {
  CorpusOptions corpus;
  corpus.seed = options.seed;
  if (options.preset == Preset::quick) {
    corpus.text_bytes = 3'000'000;
    corpus.vocabulary = 3000;
    corpus.dimension = 64;
    corpus.oversampling = 32;
    corpus.power_iterations = 4;
  }
  return corpus;
}

RealWords with_unit_rows(std::vector<std::string> words, View<float> vectors) {
  UnitRows unit = unit_rows(vectors);
  require(rows(unit.rows) >= 2, "word vectors: {} of {} rows are not zero; expected at least 2",
          rows(unit.rows), vectors.rows);
  if (!words.empty()) {
    for (std::size_t i = 0; i < unit.kept.size(); ++i) std::swap(words[i], words[unit.kept[i]]);
    words.resize(unit.kept.size());
  }
  return {std::move(words), std::move(unit.rows)};
}

WordInputs given_words(const std::string& text, const std::optional<std::string>& rows) {
  WordInputs inputs;
  const TableReference reference = parse_table_reference(text);
  const std::optional<RowRange> range = rows ? std::optional(parse_rows(*rows)) : std::nullopt;
  const TableRows table = open_table(reference, {.rows = range});
  inputs.words = with_unit_rows(table.words(), table.all<float>());
  for (const std::filesystem::path& file : table.files()) {  // one, or an index and the one that it names
    inputs.hashes.push_back(input_sha256(file));
    inputs.files.push_back({file.filename().string(), inputs.hashes.back()});
  }
  inputs.parameters = {{"words", std::string("given")}};
  // One file may hold several tables: what was taken of it is part of what a cell depends on.
  const auto note = [&](const char* name, const std::string& value) {
    inputs.hashes.push_back(fmt::format("{} {}", name, value));
    inputs.parameters.emplace_back(name, value);
  };
  if (reference.tensor) note("tensor", *reference.tensor);
  if (range) note("rows", range->text());
  return inputs;
}

WordInputs learned_words(const std::filesystem::path& text, const Options& options) {
  const CorpusOptions corpus = corpus_options(options);
  ProgressLine line("learning words", 1, options.turn);
  double before = 0;
  CachedWords cached = learn_words_cached(text, corpus, options.build / "words", options.threads,
                                          [&](double done, std::string_view what) {
                                            line.done(done - before, what);
                                            before = done;
                                          });
  WordInputs inputs;
  inputs.words = with_unit_rows(std::move(cached.learned.words), cached.learned.vectors);
  inputs.files = {
      {text.filename().string(), input_sha256(text)}};  // people compare the file, packed as it is
  inputs.hashes = {cached.text_sha256, describe(corpus)};
  inputs.parameters = {{"words", std::string("learned")},
                       {"learned_by", describe(corpus)},
                       {"text_tokens", whole(cached.learned.tokens)},
                       {"text_distinct", whole(cached.learned.distinct)},
                       {"vocabulary", whole(cached.learned.words.size())},
                       {"word_dimension", whole(cols(cached.learned.vectors))}};
  return inputs;
}

}  // namespace

WordInputs load_words(const Options& options) {
  const std::optional<std::string> words = options.text("words"), corpus = options.text("corpus"),
                                   rows = options.text("rows");
  require(!words || !corpus, "--words and --corpus: expected one of them");
  require(words || !rows, "--rows without --words: expected the table that the rows are of");
  if (words) return given_words(*words, rows);
  if (corpus == "none" || (!corpus && !std::filesystem::exists(default_corpus))) return {};
  return learned_words(corpus.value_or(default_corpus), options);
}

}  // namespace perp
