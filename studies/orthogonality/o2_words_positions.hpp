#pragma once
// What O2's cells and what follows from them share.

#include "perp/study/experiment.hpp"
#include "studies/inputs/words.hpp"

namespace perp::orthogonality {

// The real words beside the random families of vectors/words.hpp.
inline constexpr const char* learned = "real";          ///< the learned (or given) words as they are
inline constexpr const char* centred = "real_centred";  ///< without the mean that all share
inline constexpr const char* rotated =
    "real_rotated";  ///< turned at random: their axes know nothing of positions

Outcome summarise_words_positions(const std::vector<CellRecords>& cells, const WordInputs& inputs);

}  // namespace perp::orthogonality
