#pragma once
// Word vectors as word2vec writes them with -binary 1: a line "V d", then for each word its bytes, one blank,
// d little-endian floats, and (from the original program, not from all others) a line end. Source: Mikolov
// and others, word2vec (2013), word2vec.c and distance.c.

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/byte_source.hpp"
#include "perp/io/stored_table.hpp"

namespace perp {

/// Whether a file that begins so is of this format and no text: behind a line "V d" and a word come 4 d bytes
/// with some among them that no text has, control bytes or no UTF-8.
bool is_word2vec_binary(std::string_view beginning);

struct BinaryWords {
  std::vector<std::string> words;  ///< no two the same
  StoredTable table;               ///< a line per word
};

/// Finds the first `max_words` words, or all, in one pass over the file. Values are not judged. Throws
/// Error{Exit::unusable} naming file, row and byte: a header that promises more than the file can hold
/// (before anything is allocated for it), a word that is empty, has a line end or is longer than 10,000
/// bytes, a word that comes twice, a file that ends early or goes on behind its last word.
BinaryWords word2vec_binary(const ByteSource& source,
                            std::size_t max_words = std::numeric_limits<std::size_t>::max());

}  // namespace perp
