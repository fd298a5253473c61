#pragma once
// The real word vectors of a study: learned from a text by the program, or given with --words.

#include <optional>
#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/study/options.hpp"
#include "perp/study/results.hpp"

namespace perp {

/// The text that words are learned from where none is given: Debian's dict-gcide.
inline constexpr const char* default_corpus = "/usr/share/dictd/gcide.dict.dz";

struct RealWords {
  std::vector<std::string> words;  ///< of the rows below, or none
  Matrix<float> unit;              ///< V x d, rows of length 1; a row of 0 has no direction and is left out
};

struct WordInputs {
  std::optional<RealWords> words;
  std::vector<Input> files;         ///< what was read, by base name and hash
  std::vector<std::string> hashes;  ///< what a cell that reads the words depends on
  Coordinates parameters;           ///< how the words were learned
};

/// Reads --words (of it --rows), or learns from --corpus or Debian's dict-gcide; the learned table is kept
/// under `options.build`. A text that was asked for and is not there is an Error; the default text missing is not.
WordInputs load_words(const Options& options);

}  // namespace perp
