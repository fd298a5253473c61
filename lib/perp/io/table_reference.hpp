#pragma once
// Tables as people name them on the command line, FILE or FILE:TENSOR, whatever format the file has, read in
// one piece. table_rows.hpp says which formats there are, and reads the same tables row by row.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/io/table_reference_rows.hpp"

namespace perp {

struct TableReference {
  std::filesystem::path path;
  std::optional<std::string> tensor;  ///< which one, in a file of several
};

/// Splits FILE:TENSOR at the last ':', unless the whole names an existing file; if what stands before that is
/// no file, then at the last ':' behind a file, if any. Throws Error{Exit::unusable}
/// when one side of that ':' is empty; whether the file is there, reading will tell.
TableReference parse_table_reference(std::string_view text);

template <class T>
struct NamedTable {
  std::vector<std::string> words;  ///< one per row where the file has words (text), else empty
  Matrix<T> vectors;               ///< V x d
};

/// Reads the table, or the given rows of it, as T (float or double). A safetensors or GGUF file needs the
/// tensor's name unless it holds just one; the other formats have none. Throws Error{Exit::unusable} naming
/// the file and the place, what was found and what was expected, as `open_table` does, and for rows that the
/// table does not have.
template <class T>
NamedTable<T> read_named_table(const TableReference& reference, std::optional<RowRange> rows = std::nullopt);
extern template NamedTable<float> read_named_table<float>(const TableReference&, std::optional<RowRange>);
extern template NamedTable<double> read_named_table<double>(const TableReference&, std::optional<RowRange>);

/// The same without the words.
template <class T>
Matrix<T> read_table(const TableReference& reference, std::optional<RowRange> rows = std::nullopt) {
  return read_named_table<T>(reference, rows).vectors;
}

}  // namespace perp
