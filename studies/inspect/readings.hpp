#pragma once
// A model's numbers, and each in words: beside chance, how many standard deviations away, what that means.

#include <optional>
#include <string>
#include <vector>

#include "studies/inspect/model.hpp"
#include "studies/inspect/numbers.hpp"

namespace perp::inspect {

/// Whatever of a model could be measured.
struct Seen {
  std::optional<Words> words;
  std::optional<Positions> positions;
  std::optional<Between> between;
};

/// Measures a model's tables; bins: of the histogram of cosines, or 0.
Seen look(const Tables& tables, std::size_t bins, std::size_t threads);

/// One number with its chance level and a sentence.
struct Reading {
  std::string table;    ///< "words", "positions" or "between"
  std::string measure;  ///< [a-z0-9_]+
  std::string label;    ///< for people
  AgainstChance number;
  std::string sentence;
};

/// In the order in which they are read. Chance: independent normal entries for a table alone, a random
/// rotation of one of them for the two together.
std::vector<Reading> readings(const Seen& seen);

/// The readings as a table of text.
std::string readable(const Seen& seen);
std::string as_text(const std::vector<Reading>& readings);

}  // namespace perp::inspect
