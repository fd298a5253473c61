#include "studies/inspect/subject.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "perp/base/error.hpp"
#include "perp/io/sha256.hpp"
#include "perp/io/table_reference.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::inspect {
namespace {

/// Bins of the histogram of cosines.
constexpr std::size_t cosine_bins = 400;

double operations(const Tables& tables) {
  const double d = static_cast<double>(tables.words ? tables.words->cols() : cols(*tables.positions));
  const double v = tables.words ? static_cast<double>(tables.words->rows()) : 0;
  const double l = tables.positions ? static_cast<double>(rows(*tables.positions)) : 0;
  return 2 * v * d * (l + d) + 4 * l * d * d + 2 * l * l * d + 20 * d * d * d;
}

/// Fewer where one costs seconds.
std::size_t affordable_draws(const Tables& tables, Preset preset) {
  const double most = static_cast<double>(pick<std::size_t>(preset, 3, 12, 60));
  return static_cast<std::size_t>(std::clamp(std::floor(2e12 / operations(tables)), 3.0, most));
}

/// Normal rows that depend on the stream and on their place alone.
RowStream gaussian_rows(std::size_t count, std::size_t d, const Stream& stream) {
  auto next = [count, d, stream, at = std::size_t{0}](std::size_t most, float* out) mutable {
    const std::size_t got = std::min(most, count - at);
    if (got > 0) fill_normal(stream, std::span(out, got * d), at * d);
    at += got;
    return got;
  };
  return {"normal rows", d, std::move(next)};
}

bool has_portrait(const Seen& seen) {
  return seen.positions && seen.positions->numbers.rows >= 3 && seen.positions->numbers.zero_rows == 0 &&
         !std::isnan(seen.positions->numbers.centred.stable_rank);
}

bool names_a_table(std::string_view option) {
  constexpr std::array<std::string_view, 7> tables{"words",      "positions", "query",    "key",
                                                   "query-bias", "key-bias",  "layernorm"};
  return std::ranges::find(tables, option) != tables.end();
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

/// The d x d matrices are large and were needed for `between` alone.
void forget_matrices(Look& look) {
  if (look.seen.words) look.seen.words->as_is = look.seen.words->directions = Matrix<double>();
  if (look.seen.positions) look.seen.positions->as_is = look.seen.positions->directions = Matrix<double>();
}

}  // namespace

Subject::Subject(Model model, std::uint64_t seed, Preset preset, std::shared_ptr<SharedThreads> threads)
    : model_(std::move(model)),
      tables_(open_tables(model_)),
      weights_(load_weights(model_)),
      seed_(seed),
      threads_(std::move(threads)),
      draws_(affordable_draws(tables_, preset)),
      given_(std::make_unique<Slot>()) {
  for (std::size_t i = 0; i < draws_; ++i) gaussian_.push_back(std::make_unique<Slot>());
  std::map<std::filesystem::path, std::string> read;
  const auto note = [&](const std::filesystem::path& path) {
    if (const auto [entry, fresh] = read.try_emplace(path); fresh) {
      entry->second = sha256_file(path);
      files_.push_back({path.filename().string(), entry->second});
    }
  };
  if (tables_.words)
    for (const auto& path : tables_.words->files()) note(path);
  for (const auto& path : tables_.position_files) note(path);
  if (weights_)
    for (const Input& input : weights_->files)
      if (std::ranges::none_of(files_, [&](const Input& known) { return known.sha256 == input.sha256; }))
        files_.push_back(input);
  for (const Input& file : files_) hashes_.push_back(file.sha256);
  // Which part of which file was taken, and how. The tables of the weights were noted as they were read.
  if (weights_) hashes_.insert(hashes_.end(), weights_->hashes.begin(), weights_->hashes.end());
  for (const auto& [option, value] : model_.options.extra) {
    const bool table = names_a_table(option);
    parameters_.emplace_back(fmt::format("{}_{}", name(), option),
                             table ? noted_table(option, value) : value);
    if (option != "words" && option != "positions") {
      if (!table) hashes_.push_back(fmt::format("{} {}", option, value));
      continue;
    }
    const TableReference reference = parse_table_reference(value);
    hashes_.push_back(
        fmt::format("{} {} {}", option, read.at(reference.path), reference.tensor.value_or("")));
  }
}

std::size_t Subject::dim() const { return tables_.words ? tables_.words->cols() : cols(*tables_.positions); }

Look Subject::look_at(const Tables& tables, const RowStream* words, bool counted) const {
  const SharedThreads::Taken threads(*threads_);
  Look look;
  Seen& seen = look.seen;
  if (tables.positions) seen.positions = measure_positions(*tables.positions, threads.count());
  if (words) {
    seen.words = measure_words(*words, seen.positions ? &*seen.positions : nullptr, counted ? cosine_bins : 0,
                               threads.count());
  }
  if (seen.words && seen.positions)
    seen.between = measure_between(*seen.words, *seen.positions, tables.ranks);
  if (has_portrait(seen)) look.portrait = distance::portrait(*tables.positions);
  forget_matrices(look);
  return look;
}

const Look& Subject::given() const {
  std::call_once(given_->once, [&] {
    if (!tables_.words) return void(given_->look = look_at(tables_, nullptr, true));
    const RowStream words = tables_.word_stream();
    given_->look = look_at(tables_, &words, true);
  });
  return *given_->look;
}

Matrix<double> Subject::gaussian_positions(std::size_t draw) const {
  return normal_matrix<double>(rows(*tables_.positions), cols(*tables_.positions),
                               stream(seed_, "inspect", "gaussian", draw, "positions"));
}

const Look& Subject::gaussian(std::size_t draw) const {
  Slot& slot = *gaussian_.at(draw);
  std::call_once(slot.once, [&] {
    Tables tables;
    // The given tables' ranks, so that like is compared with like.
    if (const auto& between = given().seen.between)
      tables.ranks = {between->rank_words, between->rank_positions};
    if (tables_.positions) tables.positions = gaussian_positions(draw);
    if (!tables_.words) return void(slot.look = look_at(tables, nullptr, false));
    const RowStream words =
        gaussian_rows(tables_.words->rows(), dim(), stream(seed_, "inspect", "gaussian", draw, "words"));
    slot.look = look_at(tables, &words, false);
  });
  return *slot.look;
}

std::optional<Matrix<double>> sinusoid_like(const Tables& tables) {
  if (!tables.positions || cols(*tables.positions) % 2 != 0) return std::nullopt;
  return sinusoidal<double>(rows(*tables.positions), cols(*tables.positions));
}

std::string Subject::positions_file() const {
  if (tables_.position_files.empty()) return "";
  const std::string name = tables_.position_files.front().filename().string();
  const auto file = std::ranges::find(files_, name, &Input::name);
  return file == files_.end() ? "" : known_file(*file);
}

}  // namespace perp::inspect
