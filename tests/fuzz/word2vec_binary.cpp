#include "perp/io/word2vec_binary.hpp"

#include "fuzzer.hpp"

// As whatever it seems to be, and as this format in any case.
void perp::test::fuzz(std::string_view bytes) {
  try_table(bytes);
  const ByteSource source("a/table", InMemory{bytes});
  refused([&] {
    const BinaryWords found = word2vec_binary(source);
    hold(found.table.rows() == found.words.size(), "words and rows differ");
    Matrix<float> values = matrix<float>(found.table.rows(), found.table.cols());
    hold(values.size() * 4 + found.words.size() * 2 <= bytes.size(), "more than its bytes");
    read_stored(source, found.table, 0, found.table.rows(), std::span<float>(values.data(), values.size()));
    hold(word2vec_binary(source, 1).words.front() == found.words.front(), "another first word");
  });
}
