#pragma once
// Word vectors as text, one word and its numbers per line: word2vec's format, which begins with a line "V d",
// and GloVe's, which does not. Plain or gzip-compressed.

#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/io/text.hpp"

namespace perp {

struct WordTable {
  std::vector<std::string> words;  ///< V of them, no two the same
  Matrix<float> vectors;           ///< V x d, finite
  std::size_t zero_rows = 0;       ///< how many of the vectors are zero
};

/// Reads the first `max_rows` words, or all.
///
/// Fields are apart by blanks or tabs; CRLF and blanks at a line's end are fine, and so are empty lines at
/// the end of the file. A first line of exactly two whole numbers is the header "V d" (so a table of one
/// number a word needs one when its first word is a whole number); without a header the first line says what
/// d is. A word may contain blanks (". . ."), as in GloVe's 840B table: the last d fields are its numbers.
///
/// Throws Error{Exit::unusable} naming file, line, what was found and what was expected: rows of another
/// length, something that is no finite float, an empty file, a header that promises another number of words
/// than there are, the same word twice (names both lines).
///
/// Takes at most 12 times the bytes of the text, or of what a compressed one holds, and 2 MiB: a word of
/// three letters becomes an object of 32 bytes.
WordTable read_words_text(const std::filesystem::path& path,
                          std::size_t max_rows = std::numeric_limits<std::size_t>::max());

/// The same before it becomes a matrix, from any lines.
struct WordRows {
  std::vector<std::string> words;
  std::size_t dim = 0;
  std::vector<float> values;  ///< words.size() x dim, row-major
  std::size_t zero_rows = 0;
};
WordRows read_word_rows(LineReader& lines, std::size_t max_rows = std::numeric_limits<std::size_t>::max());

/// The line "V d" that a table of words may begin with: exactly two whole numbers.
struct WordsHeader {
  std::size_t words = 0, dim = 0;
};
std::optional<WordsHeader> words_header(std::string_view line);

/// Where a word stands that stood before, and where that was; counted from 0.
struct Repeated {
  std::size_t first = 0, again = 0;
};
std::optional<Repeated> find_repeated(const std::vector<std::string>& words);

/// Writes word2vec's format with shortest round-trip numbers, whole or not at all. Throws
/// Error{Exit::unusable} for a table that would not read back: another number of words than rows, a value
/// that is not finite, the same word twice, an empty word or one with a line end or with blanks in the wrong
/// place.
void write_words_text(const std::filesystem::path& path, const WordTable& table);

}  // namespace perp
