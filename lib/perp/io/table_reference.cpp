#include "perp/io/table_reference.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "perp/io/message.hpp"
#include "perp/io/npy.hpp"
#include "perp/io/safetensors.hpp"
#include "perp/io/words.hpp"

namespace perp {
namespace {

template <class T>
Matrix<T> rows_of(const Matrix<T>& table, const RowRange& range, const std::filesystem::path& path) {
  check_rows(range, rows(table), in_quotes(path));
  Matrix<T> part = matrix<T>(range.count(), cols(table));
  std::copy_n(row(table, range.first).data(), part.size(), part.data());
  return part;
}

std::string only_tensor(const std::filesystem::path& path) {
  const std::vector<TensorInfo> tensors = list_tensors(path);
  require(tensors.size() == 1, "{} holds {} tensors; expected FILE:TENSOR with one of {}", in_quotes(path),
          tensors.size(), names_text(tensors));
  return tensors.front().name;
}

template <class T>
NamedTable<T> read_text(const std::filesystem::path& path, const std::optional<RowRange>& range) {
  WordTable table = range ? read_words_text(path, range->last) : read_words_text(path);
  if (range) {
    table.vectors = rows_of(table.vectors, *range, path);
    table.words.erase(table.words.begin(), table.words.begin() + static_cast<std::ptrdiff_t>(range->first));
  }
  Matrix<T> vectors = matrix<T>(rows(table.vectors), cols(table.vectors));
  std::copy_n(table.vectors.data(), vectors.size(), vectors.data());
  return {std::move(table.words), std::move(vectors)};
}

}  // namespace

TableReference parse_table_reference(std::string_view text) {
  std::error_code ignored;
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || std::filesystem::exists(std::filesystem::path(text), ignored)) {
    require(!text.empty(), "table '': expected FILE or FILE:TENSOR");
    return {std::filesystem::path(text), std::nullopt};
  }
  const std::string_view path = text.substr(0, colon), tensor = text.substr(colon + 1);
  require(!path.empty() && !tensor.empty(), "table {}: expected FILE or FILE:TENSOR", in_quotes(text));
  return {std::filesystem::path(path), std::string(tensor)};
}

template <class T>
NamedTable<T> read_named_table(const TableReference& reference, std::optional<RowRange> rows) {
  const std::filesystem::path& path = reference.path;
  const bool npy = is_npy(path);
  if (!npy && is_safetensors(path))
    return {{}, read_tensor<T>(path, reference.tensor ? *reference.tensor : only_tensor(path), rows)};
  if (reference.tensor)
    refuse("{} is no safetensors file; expected one, to find the tensor {} in", in_quotes(path),
           in_quotes(*reference.tensor));
  if (!npy) return read_text<T>(path, rows);
  Matrix<T> table = read_npy<T>(path);
  if (rows) table = rows_of(table, *rows, path);
  return {{}, std::move(table)};
}

template NamedTable<float> read_named_table<float>(const TableReference&, std::optional<RowRange>);
template NamedTable<double> read_named_table<double>(const TableReference&, std::optional<RowRange>);

}  // namespace perp
