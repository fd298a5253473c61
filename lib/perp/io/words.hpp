#pragma once
// Word vectors as text, one word and its numbers per line: word2vec's format, which begins with a line "V d",
// and GloVe's, which does not; and tables of numbers alone, as np.savetxt writes them. Plain or gzip-compressed.

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/text.hpp"

namespace perp {

struct WordRows {
  std::vector<std::string> words;  ///< V of them, no two the same; none of a table of numbers alone
  std::size_t dim = 0;
  std::vector<float> values;  ///< V x dim, row-major, finite
};

/// Reads the first `max_rows` words, at least 1, or all.
///
/// Fields are apart by blanks or tabs; CRLF and blanks at a line's end are fine, and so are empty lines at
/// the end of the file. A first line of exactly two whole numbers is the header "V d" (so a table of one
/// number a word needs one when its first word is a whole number); without a header the first line says what
/// d is. A word may contain blanks (". . ."), as in GloVe's 840B table: the last d fields are its numbers.
///
/// Where there is no header and the first field of every line of the file is a number, these are numbers like
/// the others, and there are no words; unless they are all whole and the others are not (numbers of tokens).
/// Lines behind `max_rows` are read for that as long as it is open.
///
/// Throws Error{Exit::unusable} naming file, line, what was found and what was expected: rows of another
/// length, a heading of the columns' numbers, something that is no finite float, an empty file, a header that promises another number of words
/// than there are, the same word twice (names both lines), and whole numbers alone without a header, whose
/// first may be words or not.
///
/// Takes at most 12 times the bytes of the text, or of what a compressed one holds, and 2 MiB: a word of
/// three letters becomes an object of 32 bytes.
WordRows read_word_rows(LineReader& lines, std::size_t max_rows = std::numeric_limits<std::size_t>::max());

/// The line "V d" that a table of words may begin with: exactly two whole numbers.
struct WordsHeader {
  std::size_t words = 0, dim = 0;
};
std::optional<WordsHeader> words_header(std::string_view line);

}  // namespace perp
