#pragma once
// Tables as people name them on the command line, FILE or FILE:TENSOR, whatever format the file has.
// Which formats there are, and how they are read.

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/io/byte_source.hpp"
#include "perp/io/stored_table.hpp"

namespace perp {

struct TableReference {
  std::filesystem::path path;
  std::optional<std::string> tensor;  ///< which one, in a file of several
};

/// Splits FILE:TENSOR at the last ':', unless the whole names an existing file; if what stands before that is
/// no file, then at the last ':' behind a file, if any. Throws Error{Exit::unusable}
/// when one side of that ':' is empty; whether the file is there, reading will tell.
TableReference parse_table_reference(std::string_view text);

/// Which rows of a table are meant: A:B, half-open and counted from 0, so that 0:512 are the first 512 rows.
struct RowRange {
  std::size_t first = 0, last = 0;  ///< rows first, first + 1 … last - 1

  std::size_t count() const { return last - first; }
  std::string text() const;  ///< "first:last"
};

/// Reads "A:B", 0 <= A < B. Throws Error{Exit::unusable} for anything else.
RowRange parse_rows(std::string_view text);

// Tables of any length, row by row: what the command line names is opened, checked and described at once; its
// numbers come tile by tile, so that a table larger than the memory can be measured.
//
// The first bytes of a file say what it is, its name does not:
//   .npy (versions 1 to 3)         f2 f4 f8, i1 … i8, u1 … u8, either byte order, either memory order
//   .safetensors                   F64 F32 F16 BF16, as FILE:TENSOR
//   model.safetensors.index.json   the same in several files beside it, as FILE:TENSOR
//   .gguf (versions 2 and 3)       F64 F32 F16 BF16, blocks Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q4_K Q5_K Q6_K, as FILE:TENSOR
//   text                           word2vec's and fastText's (with a line "V d"), GloVe's (without); gzip too

/// Which part of a table is meant: first it is transposed, then rows are taken, of those at most `limit`.
struct Selection {
  std::optional<RowRange> rows = std::nullopt;
  std::optional<std::size_t> limit = std::nullopt;  ///< at least 1
  bool transpose = false;
  bool times_root_width = false;  ///< numbers times √cols (Vaswani et al. 2017, section 3.4)
};

/// What kind of file it is, for people: "npy", "safetensors", "text" …
enum class TableFormat { npy, safetensors, safetensors_index, gguf, text };
std::string_view to_text(TableFormat format);

/// Looks at the beginning of the bytes.
TableFormat table_format(const ByteSource& source);

/// An open table. Copies share the open file; all functions are const and may be called from several threads
/// at once.
class TableRows {
 public:
  std::size_t rows() const noexcept { return rows_; }
  std::size_t cols() const noexcept { return layout_->cols(); }

  /// A word per row, or none at all: only the formats for word vectors have them, and not when transposed.
  const std::vector<std::string>& words() const noexcept { return *words_; }

  /// Rows first, first + 1 … first + count - 1 into `out`, row-major, `count * cols()` numbers. Numbers are
  /// converted from what the file has; they are not judged, and may be infinite or NaN (never from text).
  /// Throws Error{Exit::unusable} when the file has been cut short since, or rows and room do not fit; of
  /// float32 for a row of float64 that is 0 in float32 alone.
  void read(std::size_t first, std::size_t count, std::span<float> out) const;
  void read(std::size_t first, std::size_t count, std::span<double> out) const;

  /// All rows. T is float or double. Throws Error{Exit::failed} when the memory cannot hold them.
  template <class T>
  Matrix<T> all() const {
    check_room(sizeof(T));
    Matrix<T> values = matrix<T>(rows(), cols());
    read(0, rows(), std::span<T>(values.data(), values.size()));
    return values;
  }
  /// The same, of finite numbers. Throws Error{Exit::unusable} that begins with `what` for another.
  template <class T>
  Matrix<T> all_finite(std::string_view what) const {
    Matrix<T> values = all<T>();
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values.data()[i])) refuse_number(what, i, double(values.data()[i]));
    return values;
  }

  TableFormat format() const noexcept { return format_; }
  std::string item() const { return layout_->item.text(); }  ///< "f4", "bf2", "i8" …: as the file holds them
  std::size_t first_row() const noexcept { return first_; }  ///< where row 0 stands in the (transposed) table
  const std::string& tensor() const noexcept { return tensor_; }  ///< "" in files of one table
  /// The files that were read: one, or an index and the one that it names.
  const std::vector<std::filesystem::path>& files() const noexcept { return files_; }

 private:
  friend class TableOpener;
  TableRows() = default;
  template <class T>
  void read_tile(std::size_t first, std::size_t count, std::span<T> out) const;
  void check_room(std::size_t number_bytes) const;
  [[noreturn]] void refuse_number(std::string_view what, std::size_t at, double number) const;

  std::shared_ptr<const ByteSource> source_;
  std::shared_ptr<const StoredTable> layout_;
  std::shared_ptr<const std::vector<std::string>> words_;
  std::size_t first_ = 0, rows_ = 0;
  bool times_root_width_ = false;
  TableFormat format_ = TableFormat::text;
  std::string tensor_;
  std::vector<std::filesystem::path> files_;
};

/// Opens the table. Binary formats stay on the disk; text is read once, up to the last row that is wanted, and held as float32. Throws Error{Exit::unusable} naming file and
/// byte, line or tensor, what was found and what was expected: see npy.hpp, safetensors.hpp,
/// gguf.hpp and words.hpp; for rows that the table does not have.
TableRows open_table(const TableReference& reference, const Selection& selection = {});

/// The same from memory, which must outlive the result; an index's shards are looked for beside its name.
TableRows open_table(std::shared_ptr<const ByteSource> source, const std::optional<std::string>& tensor,
                     const Selection& selection = {});

/// A table that a file holds.
struct ListedTable {
  std::string tensor;                ///< "" in files of one table
  std::vector<std::uint64_t> shape;  ///< rows, columns; any number of lengths in files of tensors
  std::string type;                  ///< as the format spells it
};

/// The tables of the file in the order in which they lie in it; of an index those of all its files. Throws
/// Error{Exit::unusable} as `open_table` does for a file that cannot be read.
std::vector<ListedTable> list_tables(const std::filesystem::path& path);

}  // namespace perp
