#pragma once
// The query and key weights of all layers of a model out of its own file, found by the names that its family
// gives them (io/model_tables.hpp), or as they are given alone: layer 0.

#include <optional>
#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/io/model_tables.hpp"
#include "studies/inspect/model.hpp"

namespace perp::inspect {

/// Where a model's layers are, and how their columns are heads.
class Layers {
 public:
  /// The layers of --layers, or of --query and --key (`weights`); nothing without either, and of a model with
  /// rotary positions, which adds none. Throws Error{unusable} for a file of another architecture, for weights
  /// that do not fit one another, and for a model with rotary positions beside a table of positions.
  static std::optional<Layers> of(const Model& model, const std::optional<GivenPositions>& weights);

  std::size_t count() const { return found_.count; }
  /// The file, and of an index those that it names for the layers; none where the weights were given alone.
  const std::vector<std::filesystem::path>& files() const { return files_; }

  /// The positions, and of layer n the weights that read them with the LayerNorm in front. Throws Error{unusable} for a table
  /// of another shape, positions of another width among them, and for numbers that are not finite.
  GivenPositions read(std::size_t n, const Matrix<double>& positions) const;

 private:
  void find(const Options& options);
  void note_files();
  Matrix<double> read_all(const TableRows& open) const;
  Matrix<double> weights(const std::string& name, std::size_t columns, bool is_transposed) const;
  std::vector<double> numbers(const std::vector<std::string>& names, std::size_t size) const;
  std::string stem() const;  ///< what the names of all layers begin with
  std::string layer_name(std::size_t n, std::string_view rest) const;
  std::string norm_of(std::size_t n) const;  ///< "" if there is none
  AttentionWeights read_joined(std::size_t n) const;
  AttentionWeights read_apart(std::size_t n) const;  ///< queries, keys and values in tables of their own

  ModelLayers found_{nullptr, "", 1};
  std::string path_;
  std::vector<std::string> tensors_;  ///< sorted
  std::size_t heads_ = 1, width_ = 1, dim_ = 0;
  std::vector<std::filesystem::path> files_;
  std::shared_ptr<const GivenPositions> given_;
};

}  // namespace perp::inspect
