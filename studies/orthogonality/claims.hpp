#pragma once
// Study `orthogonality`: are word vectors and positional encodings nearly orthogonal, and compared with what?
// One file per claim; each returns its experiment.

#include <memory>
#include <string_view>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"
#include "studies/inputs/words.hpp"

namespace perp::orthogonality {

/// |cos| below this is what this study calls nearly orthogonal: within 5.7 degrees of a right angle.
inline constexpr double near_orthogonal_cosine = 0.1;
/// "Almost always": this share of the pairs.
inline constexpr double almost_always = 0.99;

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

}  // namespace perp::orthogonality
