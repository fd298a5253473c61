#pragma once
// Which of a model's tensors are its words, its positions and the queries and keys of its layers, by the names
// that families of models have for them. A prefix such as "bert." or "transformer." may stand before each.
// Sources: the published checkpoints' own lists of tensors; Hugging Face, "Transformers" (modeling_*.py);
// ggml-org, llama.cpp (gguf-py/gguf/constants.py).

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/model_config.hpp"

namespace perp {

/// A tensor of one of a model's files.
struct ModelTensor {
  std::string name;  ///< of a file with a single table that has none, the file's own without folder or ending
  std::vector<std::uint64_t> shape;
  std::size_t file = 0;
};

/// Rows and columns of a table, whose leading lengths of 1 do not count. Nothing for a tensor of other
/// dimensions.
struct TableShape {
  std::uint64_t rows = 0, cols = 0;
  friend bool operator==(const TableShape&, const TableShape&) = default;
};
std::optional<TableShape> table_shape(const std::vector<std::uint64_t>& shape);

/// Where a family keeps the attention of its layer N: <stem>N.<query>.weight and .bias, likewise key. Of the
/// LayerNorm in front: the layer's own <stem>N.<own_norm>, or that at the end of the layer before,
/// <previous_norm>, which at the first layer is <first_norm> of the embeddings; empty: none.
struct LayerNames {
  std::string_view family, sign;  ///< sign: what else the model has, where the names alone leave it open
  std::string_view stem, query, key;
  std::string_view first_norm, previous_norm, own_norm;
  bool joined = false;  ///< queries, keys and values are one tensor, side by side
  bool rotary = false;
};

/// A model's layers: names, what stands before them, and how many there are.
struct ModelLayers {
  const LayerNames* names = nullptr;
  std::string prefix;
  std::size_t count = 0;

  std::string query() const;  ///< the name of the first layer's query weights
};
/// Nothing for names of no known family.
std::optional<ModelLayers> find_layers(const std::vector<std::string>& tensors);
/// The families, for a message.
std::string known_layers();

struct ModelTables {
  std::string family;                           ///< "GPT-2", "RoBERTa" …
  std::optional<std::size_t> words, positions;  ///< which of the tensors; at least one of them
  std::size_t skipped = 0;            ///< leading rows of the positions that are none: padding, a class token
  std::string no_positions;           ///< why it has no table of them, where it is known to have none
  std::optional<ModelLayers> layers;  ///< those that read the tables as they are
  std::optional<std::size_t> heads;   ///< of a layer, as the configuration says
};

/// Throws Error{Exit::unusable} of one line with the candidates' names and shapes where no table is known, or
/// several fit; for words and positions of different widths; for heads that do not divide the queries.
ModelTables find_tables(const std::vector<ModelTensor>& tensors, const ModelConfig& config);

// A model that is given as its files: which tables of theirs are its words and positions, as FILE:TENSOR.

struct FoundModel {
  /// By the names that options have: "words" and "positions", and "rows" A:B of these where some are none.
  std::map<std::string, std::string> tables;
  /// "layers" (the file) and "heads"; empty where they are not known, or do not read the tables as they are.
  std::map<std::string, std::string> layers;
  std::string says;  ///< in one line: what was taken, and how to name others
};

/// The files of a folder that hold a model: its index, or else all of the first kind that there is of .safetensors, .gguf,
/// .npy, .txt and .vec. Throws Error{unusable} for a folder without any.
std::vector<std::filesystem::path> model_files(const std::filesystem::path& folder);

/// Looks into the files of one model, or into its folder, and into a config.json beside them. Throws
/// Error{unusable} of one line for files that cannot be read, for a folder without any, and as find_tables.
FoundModel find_model(const std::vector<std::string>& files);

}  // namespace perp
