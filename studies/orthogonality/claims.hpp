#pragma once
// Study `orthogonality`: are word vectors and positional encodings nearly orthogonal, and compared with what?
// One file per claim; each returns its experiment.

#include <memory>
#include <string_view>

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

}  // namespace perp::orthogonality
