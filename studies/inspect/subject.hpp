#pragma once
// One model under the study: its tables, the same measures on Gaussian tables of its shape, each measured
// once however many claims ask.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "perp/base/parallel.hpp"
#include "perp/random/stream.hpp"
#include "studies/distance/q4_portrait.hpp"
#include "studies/inspect/model.hpp"
#include "studies/inspect/readings.hpp"

namespace perp::inspect {

/// Everything that is said of one pair of tables.
struct Look {
  Seen seen;
  std::optional<distance::Portrait>
      portrait;  ///< of positions: at least 3 rows, none of them 0, not all equal
};

class Subject {
 public:
  /// Opens the tables, and hashes their files.
  /// `threads` are those of all subjects together.
  Subject(Model model, std::uint64_t seed, Preset preset, std::shared_ptr<SharedThreads> threads);

  const std::string& name() const { return model_.name; }
  const Tables& tables() const { return tables_; }
  const Model& model() const { return model_; }
  const std::optional<GivenPositions>& weights() const { return weights_; }
  const std::vector<Input>& files() const { return files_; }
  /// The file that the positions came from, as conditions name it (positions.hpp); empty without positions.
  std::string positions_file() const;
  const std::vector<std::string>& hashes() const { return hashes_; }  ///< what its cells depend on
  /// What was taken of the files: tensors, rows, ranks; never a folder.
  const Coordinates& parameters() const { return parameters_; }
  std::size_t dim() const;
  std::size_t draws() const { return draws_; }  ///< of Gaussian tables

  /// The given tables; measured at the first call.
  const Look& given() const;
  /// Independent normal entries in tables of the same shape, draw by draw; measured at the first call.
  const Look& gaussian(std::size_t draw) const;

  /// The positions of that draw.
  Matrix<double> gaussian_positions(std::size_t draw) const;

 private:
  struct Slot {
    std::once_flag once;
    std::optional<Look> look;
  };
  Look look_at(const Tables& tables, const RowStream* words, bool counted) const;

  Model model_;
  Tables tables_;
  std::optional<GivenPositions> weights_;
  std::vector<Input> files_;
  std::vector<std::string> hashes_;
  Coordinates parameters_;
  std::uint64_t seed_;
  std::shared_ptr<SharedThreads> threads_;
  std::size_t draws_;
  std::unique_ptr<Slot> given_;
  std::vector<std::unique_ptr<Slot>> gaussian_;
};

using Subjects = std::shared_ptr<const std::vector<Subject>>;

/// The sinusoid of the shape of a model's positions, none for an odd dimension.
std::optional<Matrix<double>> sinusoid_like(const Tables& tables);

}  // namespace perp::inspect
