#pragma once
// What must hold of any bytes whatever that are read as a table: they are refused in one line, or are a table
// that is the same read whole, row by row and transposed, and no larger than they can hold. The fuzzers and
// the tests over their corpus share it.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "perp/io/gguf.hpp"
#include "perp/io/message.hpp"
#include "perp/io/safetensors.hpp"
#include "perp/io/table_rows.hpp"

namespace perp::test {

inline void hold(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

/// What `call` is refused with; nothing when it returns. Anything but an Error of one line passes through.
inline std::optional<std::string> refused(const std::function<void()>& call) {
  try {
    call();
    return std::nullopt;
  } catch (const Error& error) {
    hold(error.exit() == Exit::unusable, "an error that is not the file's");
    hold(on_one_line(error.what()) == error.what(), "a message that is not one plain line");
    return error.what();
  }
}

inline bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// A whole number of 64 bits is rounded once on its way to a float, twice by way of a double.
inline bool same_rounded(float a, double b) {
  return same_number(a, static_cast<float>(b)) || std::abs(a - b) <= 1.2e-7 * std::abs(b);
}

inline void check_table(const std::shared_ptr<const ByteSource>& source,
                        const std::optional<std::string>& tensor) {
  const TableRows table = open_table(source, tensor);
  const std::size_t rows = table.rows(), cols = table.cols();
  // Of all formats a block of 32 numbers in 18 bytes is the densest.
  hold(rows > 0 && cols > 0 && rows <= source->size() && cols <= 2 * source->size() / rows,
       "more than its bytes");
  hold(table.words().empty() || table.words().size() == rows, "words and rows differ");
  const Matrix<double> whole = table.all<double>();
  const Matrix<float> floats = table.all<float>();
  std::vector<double> one(cols);
  for (std::size_t i = 0; i < rows; i += 1 + rows / 16) {
    table.read(i, 1, one);
    for (std::size_t j = 0; j < cols; ++j) {
      hold(same_number(one[j], whole(i, j)), "a row alone differs");
      hold(same_rounded(floats(i, j), whole(i, j)), "float differs from double");
    }
  }
  const Matrix<double> turned = open_table(source, tensor, {.transpose = true}).all<double>();
  hold(perp::rows(turned) == cols && perp::cols(turned) == rows, "transposed: another shape");
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) hold(same_number(turned(j, i), whole(i, j)), "transposed differs");
  const TableRows part = open_table(source, tensor, {.rows = RowRange{rows / 2, rows}, .limit = 2});
  hold(part.rows() == std::min<std::size_t>(2, rows - rows / 2), "another number of rows");
  hold(same_number(part.all<double>()(0, 0), whole(rows / 2, 0)), "rows begin elsewhere");
  hold(table.words().empty() || part.words().front() == table.words()[rows / 2], "words begin elsewhere");
}

/// The bytes as any table; what they are refused with, if so.
inline std::optional<std::string> try_table(std::string_view bytes,
                                            const std::optional<std::string>& tensor = std::nullopt) {
  const auto source = std::make_shared<const ByteSource>("a/table", InMemory{bytes});
  const auto whole = refused([&] { check_table(source, tensor); });
  if (whole) refused([&] { open_table(source, tensor, {.limit = 1}); });
  return whole;
}

/// The bytes as a file of tensors, which `list` reads: what it says of them, and each of the first ones.
template <class List>
std::optional<std::string> try_tensors(std::string_view bytes, List list) {
  const ByteSource source("a/table", InMemory{bytes});
  return refused([&] {
    std::uint64_t filled = 0;
    std::size_t tried = 0;
    for (const TensorInfo& tensor : list(source)) {
      hold(tensor.begin >= filled && tensor.end >= tensor.begin, "tensors do not follow each other");
      filled = tensor.end;
      if (++tried <= 4) try_table(bytes, tensor.name);
    }
    hold(filled <= bytes.size(), "tensors beyond the file");
  });
}
inline std::optional<std::string> try_safetensors(std::string_view bytes) {
  return try_tensors(bytes, [](const ByteSource& source) { return list_tensors(source); });
}
inline std::optional<std::string> try_gguf(std::string_view bytes) {
  return try_tensors(bytes, [](const ByteSource& source) { return read_gguf_header(source).tensors; });
}

/// The bytes as an index: where its tensors are said to lie is a file in its own folder.
inline std::optional<std::string> try_index(std::string_view bytes) {
  const ByteSource source("some/folder/index.json", InMemory{bytes});
  return refused([&] {
    std::optional<std::string> before;
    for (const IndexEntry& entry : read_safetensors_index(source)) {
      hold(!before || *before < entry.tensor, "entries out of order or twice");
      before = entry.tensor;
      const std::filesystem::path shard = source.path().parent_path() / entry.file;
      hold(shard.lexically_normal().parent_path() == "some/folder", "a file in another folder");
    }
    hold(shard_of(source, *before).parent_path() == "some/folder", "a shard in another folder");
  });
}

}  // namespace perp::test
