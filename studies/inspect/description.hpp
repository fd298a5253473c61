#pragma once
// A model's numbers, and each in words: beside chance, how many standard deviations away, what that means.

#include "studies/inspect/model.hpp"
#include "studies/inspect/portrait.hpp"

namespace perp::inspect {

/// Whatever of a model could be measured.
struct Measurement {
  std::optional<Words> words;
  std::optional<Positions> positions;
  std::optional<Between> between;
  /// Of positions, where a claim asks (M5, M8): at least 3 rows, none of them 0, not all equal.
  std::optional<Portrait> portrait;
};

/// Measures a model's tables, but for the portrait; bins: of the histogram of cosines, or 0.
Measurement measure_tables(const Tables& tables, const std::optional<RowStream>& words, std::size_t bins,
                           std::size_t threads);

/// "12 standard deviations above chance", "within three standard deviations of chance (-0.2)".
std::string in_words(double departure);

/// One number with its chance level and a note.
struct DescribedNumber {
  std::string table;    ///< "words", "positions" or "between"
  std::string measure;  ///< [a-z0-9_]+
  std::string label;    ///< for people
  AgainstChance number;
  std::string note;  ///< of at most 22 characters; none where there is no number
};

/// In the order in which they are read. Chance: independent normal entries for a table alone, a random
/// rotation of one of them for the two together.
std::vector<DescribedNumber> describe(const Measurement& measurement);

/// The same as a table of text, in lines of at most 80 columns.
std::string as_text(const std::vector<DescribedNumber>& numbers);

}  // namespace perp::inspect
