#include "studies/inspect/model_under_test.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "perp/base/error.hpp"
#include "perp/io/inputs.hpp"
#include "perp/io/sha256.hpp"
#include "perp/io/table_rows.hpp"

namespace perp::inspect {
namespace {

/// Bins of the histogram of cosines.
constexpr std::size_t cosine_bins = 400;

bool has_portrait(const TableNumbers& numbers) {
  return numbers.rows >= 3 && numbers.zero_rows == 0 && !std::isnan(numbers.centred.stable_rank);
}

bool is_of_the_encoder(const std::string& option) {
  return std::ranges::count(encoder_options(), option, &ExtraOption::name) > 0;
}

bool names_a_table(const std::string& option) {
  const std::vector<ExtraOption> known = model_options();
  const auto found = std::ranges::find(known, option, &ExtraOption::name);
  return found->placeholder.starts_with("FILE") || option == "layernorm";
}

/// FILE[:TENSOR] without the folder of the file; a tensor's name may hold a '/' itself.
std::string without_folder(const std::string& value) {
  const TableReference reference = parse_table_reference(value);
  const std::string file = reference.path.filename().string();
  return reference.tensor ? fmt::format("{}:{}", file, *reference.tensor) : file;
}

/// A table as it was given, or the two of --layernorm GAIN,BIAS, without folders.
std::string noted_table(const std::string& option, const std::string& value) {
  const std::size_t comma = option == "layernorm" ? value.find(',') : std::string::npos;
  if (comma == std::string::npos) return without_folder(value);
  return fmt::format("{},{}", without_folder(value.substr(0, comma)),
                     without_folder(value.substr(comma + 1)));
}

}  // namespace

ModelUnderTest::ModelUnderTest(Model model, std::shared_ptr<SharedThreads> threads)
    : name(model.name),
      kind(model.options.text("kind").value_or("")),
      part(model.options.text("part").value_or("")),
      head(model.options.text("head").value_or("")),
      norm(model.options.text("norm").value_or("")),
      lineage(model.options.text("lineage").value_or("")),
      tables(open_tables(model)),
      weights(load_weights(model)),
      texts(load_encoder(model.options)),
      layers(Layers::of(model, weights)),
      threads_(std::move(threads)),
      given_(std::make_unique<Given>()) {
  note_inputs(model.options);
}

void ModelUnderTest::note_inputs(const Options& options) {
  std::map<std::filesystem::path, std::string> read;
  const auto note = [&](const std::filesystem::path& path) {
    if (const auto [entry, fresh] = read.try_emplace(path); fresh) {
      entry->second = input_sha256(path);
      files.push_back({path.filename().string(), entry->second});
    }
  };
  if (tables.words)
    for (const auto& path : tables.words->files()) note(path);
  for (const char* of_words : {"tokens", "counts"})
    if (const auto file = options.text(of_words)) note(*file);
  for (const auto& path : tables.position_files) note(path);
  if (layers)
    for (const auto& path : layers->files()) note(path);
  // The weights of query and key stand for their layer; of --layers the first does for the weights.
  if (layers && tables.positions && !weights) weights = layers->read(0, *tables.positions);
  const auto add = [&](const std::vector<Input>& more) {
    for (const Input& input : more)
      if (std::ranges::find(files, input.sha256, &Input::sha256) == files.end()) files.push_back(input);
  };
  if (weights) add(weights->files);
  for (const Input& file : files) hashes.push_back(file.sha256);
  if (texts) add(texts->files);
  // Which part of which file was taken, and how. The tables of the weights were noted as they were read.
  if (weights) hashes.insert(hashes.end(), weights->hashes.begin(), weights->hashes.end());
  for (const auto& [option, value] : options.extra) {
    const bool table = names_a_table(option);
    parameters.emplace_back(fmt::format("{}_{}", name, option), table ? noted_table(option, value) : value);
    if (is_of_the_encoder(option)) continue;
    if (option != "words" && option != "positions") {
      if (!table && std::ranges::count(said_only, option) == 0)
        hashes.push_back(fmt::format("{} {}", option, value));
      continue;
    }
    const TableReference reference = parse_table_reference(value);
    hashes.push_back(fmt::format("{} {} {}", option, read.at(reference.path), reference.tensor.value_or("")));
  }
}

std::vector<double> ModelUnderTest::gain() const {
  return weights && weights->layer_norm ? weights->layer_norm->gain : std::vector<double>{};
}

std::string ModelUnderTest::positions_file() const {
  if (tables.position_files.empty()) return "";
  const auto file = std::ranges::find(files, tables.position_files.front().filename().string(), &Input::name);
  return file == files.end() ? "" : known_file(*file);
}

const Measurement& ModelUnderTest::given() const {
  std::call_once(given_->once, [&] {
    const SharedThreads::Taken threads(*threads_);
    Measurement out = measure_tables(tables, tables.word_stream(), cosine_bins, threads.count());
    if (out.positions && has_portrait(out.positions->numbers))
      out.portrait = inspect::portrait(*tables.positions);
    // The d x d matrices are large and were needed for `between` alone.
    if (out.words) out.words->as_is = out.words->directions = Matrix<double>();
    if (out.positions) out.positions->as_is = out.positions->directions = Matrix<double>();
    given_->measured = std::move(out);
  });
  return *given_->measured;
}

Models open_models(const Options& options) {
  const auto opened = std::make_shared<std::vector<ModelUnderTest>>();
  const auto threads = std::make_shared<SharedThreads>(options.threads);
  if (!options.list)
    for (Model& model : models_of(options)) opened->emplace_back(std::move(model), threads);
  return opened;
}

const ModelUnderTest& model_named(const Models& models, std::string_view name) {
  const auto model = std::ranges::find(*models, name, &ModelUnderTest::name);
  if (model == models->end()) fail("no model '{}'", name);
  return *model;
}

Levels levels_of(const ModelUnderTest& model) {
  Levels levels{{"evidence", "released"}, {"model", model.name}};
  if (!model.lineage.empty()) levels.emplace_back("lineage", model.lineage);
  return levels;
}

std::vector<std::string> depends(const Models& models) {
  std::vector<std::string> out;
  for (const ModelUnderTest& model : *models) {
    out.push_back(model.name);
    out.insert(out.end(), model.hashes.begin(), model.hashes.end());
  }
  // One for all, since the name of every cell holds them: of a thousand models that is a cell's whole cost.
  return {sha256_hex(fmt::format("{}", fmt::join(out, "\n")))};
}

}  // namespace perp::inspect
