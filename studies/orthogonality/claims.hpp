#pragma once
// Study `orthogonality`: are word vectors and positional encodings nearly orthogonal, and compared with what?
// One file per claim; each returns its experiment.

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"
#include "studies/inputs/words.hpp"

namespace perp::orthogonality {

/// |cos| below this is what this study calls nearly orthogonal: within 5.7 degrees of a right angle.
inline constexpr double near_orthogonal_cosine = 0.1;
/// "Almost always": this share of the pairs.
inline constexpr double almost_always = 0.99;

inline constexpr const char* needs_model = "a released model: make reports MODELS=FILE";

using SharedInputs = std::shared_ptr<const WordInputs>;

Experiment random_pairs(const Options& options);                                  // O1
Experiment words_against_positions(const Options& options, const SharedInputs&);  // O2
Experiment smaller_subspaces(const Options& options);                             // O3
Experiment subspaces_against_chance(const Options& options);                      // O4
Experiment concatenation(const Options& options);                                 // O5
Experiment room(const Options& options);                                          // O6

/// What stands in <claim>.toml.
std::string_view toml_of(std::string_view claim);

/// The study `orthogonality`: claims O1 to O6.
Study study();

// ---- The subspace that the sinusoidal positions fill, direction by direction.

/// Right singular vectors of the sinusoidal table of `length` positions, in falling order of singular value:
/// d x d orthonormal rows, of which the first r span the r-dimensional PE subspace. Float64. For length < d
/// the rows behind the table's rank are some completion.
Matrix<double> position_basis(std::size_t length, std::size_t d);

/// Leading directions of that table that hold 99 % of its energy, uncentred.
std::size_t measured_r99(std::size_t length, std::size_t d);

/// A value that the first to ask makes; who asks meanwhile waits for it. A make that throws leaves it unmade.
template <class T>
class Once {
 public:
  template <class Make>
  const T& operator()(const Make& make) {
    const std::lock_guard lock(mutex_);
    if (!value_) value_ = make();
    return *value_;
  }

 private:
  std::mutex mutex_;
  std::optional<T> value_;
};

/// Makes each basis once, when the first cell asks for it; who asks for another d does not wait. Safe to
/// share between threads.
class PositionBases {
 public:
  using Make = std::function<Matrix<double>(std::size_t length, std::size_t d)>;
  explicit PositionBases(std::size_t length, Make make = position_basis)
      : length_(length), make_(std::move(make)) {}
  const Matrix<double>& operator()(std::size_t d) const;

 private:
  std::size_t length_;
  Make make_;
  mutable std::mutex mutex_;  // of the map, held while an entry is looked up and never while it is made
  mutable std::map<std::size_t, Once<Matrix<double>>> bases_;
};

/// The same of any table: d x d orthonormal rows, leading directions (uncentred) first.
Matrix<double> leading_directions(View<float> table);

}  // namespace perp::orthogonality
