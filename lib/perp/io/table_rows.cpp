#include "perp/io/table_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <limits>
#include <set>
#include <system_error>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/io/gguf.hpp"
#include "perp/io/message.hpp"
#include "perp/io/npy.hpp"
#include "perp/io/safetensors.hpp"
#include "perp/io/text.hpp"
#include "perp/io/words.hpp"

namespace perp {

TableReference parse_table_reference(std::string_view text) {
  const auto is_there = [](std::string_view path) {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::path(path), ignored);
  };
  std::size_t colon = text.rfind(':');
  if (colon == text.npos || is_there(text)) {
    require(!text.empty(), "table '': expected FILE or FILE:TENSOR");
    return {std::filesystem::path(text), std::nullopt};
  }
  // A tensor's name may hold a ':' itself.
  for (std::size_t at = colon; at != text.npos && at > 0; at = text.rfind(':', at - 1))
    if (is_there(text.substr(0, at))) {
      colon = at;
      break;
    }
  const std::string_view path = text.substr(0, colon), tensor = text.substr(colon + 1);
  require(!path.empty() && !tensor.empty(), "table {}: expected FILE or FILE:TENSOR", in_quotes(text));
  return {std::filesystem::path(path), std::string(tensor)};
}

std::string RowRange::text() const { return fmt::format("{}:{}", first, last); }

RowRange parse_rows(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::optional<std::uint64_t> first = parse_whole(text.substr(0, colon)),
                                     last = parse_whole(text.substr(std::min(colon + 1, text.size())));
  require(first && last && *first < *last,
          "rows {}: expected A:B with 0 <= A < B, for example 0:512 for the first 512 rows", in_quotes(text));
  return {*first, *last};
}

namespace {

constexpr std::size_t looked_at = std::size_t{1} << 16;
constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

/// What people take for a model's tables and is not read here, by its first bytes.
constexpr auto not_read = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"PK\x03\x04", "a ZIP archive, as PyTorch's files and .npz are"},
     {"\x80\x02", "a pickle, as PyTorch's older files are"},
     {"\x80\x03", "a pickle"},
     {"\x80\x04", "a pickle"},
     {"\x80\x05", "a pickle"},
     {"\x89HDF", "an HDF5 file"},
     {"\xfd\x37zX", "an xz archive"},
     {"\x28\xb5\x2f\xfd", "a zstd archive"},
     {"\xff\xfe", "text in UTF-16"},
     {"\xfe\xff", "text in UTF-16"}});

bool is_html(std::string_view beginning) {
  std::string start(trim(beginning.substr(0, 64)));
  std::ranges::transform(start, start.begin(), [](unsigned char c) { return std::tolower(c); });
  return start.starts_with("<!doctype") || start.starts_with("<html");
}

bool is_gzip(std::string_view beginning) { return beginning.starts_with("\x1f\x8b"); }

TableFormat format_of(std::string_view beginning) {
  if (is_npy(beginning)) return TableFormat::npy;
  if (is_safetensors(beginning)) return TableFormat::safetensors;
  if (is_gguf(beginning)) return TableFormat::gguf;
  if (is_safetensors_index(beginning)) return TableFormat::safetensors_index;
  return TableFormat::text;
}

// How many rows must be known; only then is the rest of a file of words left unread.
std::size_t rows_to_read(const Selection& selection) {
  if (selection.transpose) return all;
  const std::size_t limit = selection.limit.value_or(all);
  if (!selection.rows) return limit;
  return selection.rows->first + std::min(selection.rows->count(), limit);
}

// A compressed table that is no text would give odd complaints about its lines.
void check_compressed(const std::filesystem::path& path) {
  const TableFormat inside = format_of(beginning_of_text(path, looked_at));
  if (inside != TableFormat::text)
    refuse("{} is {} compressed by gzip; only text can be read compressed: gunzip it first", in_quotes(path),
           to_text(inside));
}

}  // namespace

std::string_view to_text(TableFormat format) {
  constexpr std::array<std::string_view, 5> names{"npy", "safetensors", "safetensors index", "GGUF", "text"};
  return names[static_cast<std::size_t>(format)];
}

TableFormat table_format(const ByteSource& source) { return format_of(source.beginning(looked_at)); }

// Fills a TableRows in, step by step.
class TableOpener {
 public:
  TableOpener(std::shared_ptr<const ByteSource> source, std::optional<std::string> tensor,
              const Selection& selection)
      : source_(std::move(source)), tensor_(std::move(tensor)), selection_(selection) {}

  TableRows open() {
    table_.format_ = table_format(*source_);
    table_.files_ = {source_->path()};
    if (table_.format_ == TableFormat::safetensors_index) follow_index();
    const bool has_tensors =
        table_.format_ == TableFormat::safetensors || table_.format_ == TableFormat::gguf;
    if (tensor_ && !has_tensors)
      refuse("{} is no safetensors or GGUF file; expected one, to find the tensor {} in",
             in_quotes(source_->path()), in_quotes(*tensor_));
    StoredTable stored = find();
    if (selection_.transpose) stored.lines_are_rows = !stored.lines_are_rows;
    select(stored.rows());
    table_.source_ = source_;
    table_.layout_ = std::make_shared<const StoredTable>(std::move(stored));
    table_.words_ = std::make_shared<const std::vector<std::string>>(std::move(words_));
    return std::move(table_);
  }

 private:
  // From the index to the file that has the tensor.
  void follow_index() {
    if (!tensor_)
      tensor_ = only_tensor(names_of(read_safetensors_index(*source_)), in_quotes(source_->path()));
    const std::filesystem::path shard = shard_of(*source_, *tensor_);
    source_ = std::make_shared<const ByteSource>(shard);
    table_.format_ = table_format(*source_);
    table_.files_.push_back(shard);
  }

  StoredTable find() {
    const std::string name = in_quotes(source_->path());
    switch (table_.format_) {
      case TableFormat::npy:
        return npy_table(*source_);
      case TableFormat::safetensors:
        table_.tensor_ = tensor_ ? *tensor_ : only_tensor(names_of(list_tensors(*source_)), name);
        return tensor_table(*source_, table_.tensor_);
      case TableFormat::gguf: {
        const GgufHeader header = read_gguf_header(*source_);
        table_.tensor_ = tensor_ ? *tensor_ : only_tensor(names_of(header.tensors), name);
        return gguf_table(header, table_.tensor_, name);
      }
      default:
        return read_text();
    }
  }

  StoredTable read_text() {
    const std::optional<std::string_view> memory = source_->memory();
    const std::filesystem::path path = source_->path();
    for (const auto& [sign, what] : not_read)
      require(!source_->beginning(4).starts_with(sign),
              "{} is {}, which is not read; expected its tables saved as .safetensors or .npy",
              in_quotes(path), what);
    const std::string beginning = source_->beginning(looked_at);
    require(!beginning.starts_with("version https://git-lfs"),
            "{} is what Git LFS leaves in a file's place; git lfs pull brings the file itself",
            in_quotes(path));
    require(!is_html(beginning),
            "{} is a web page, not the file that was to be downloaded; download it again", in_quotes(path));
    if (words_header(beginning.substr(0, beginning.find('\n'))) && beginning.find('\0') != beginning.npos)
      refuse(
          "{} holds words with binary numbers, as word2vec writes them, which are not read; expected text "
          "(gensim: save_word2vec_format(…, binary=False))",
          in_quotes(path));
    if (!memory && is_gzip(source_->beginning(2))) check_compressed(path);
    LineReader lines = memory ? LineReader(path, *memory) : LineReader(path);
    WordRows found = read_word_rows(lines, rows_to_read(selection_));
    words_ = std::move(found.words);
    const auto values = std::make_shared<const std::vector<float>>(std::move(found.values));
    const std::string_view bytes(reinterpret_cast<const char*>(values->data()),
                                 values->size() * sizeof(float));
    source_ = std::make_shared<const ByteSource>(path, InMemory{bytes, values});
    StoredTable stored;
    stored.item.big_endian = std::endian::native == std::endian::big;
    stored.lines = values->size() / found.dim;
    stored.line_items = found.dim;
    return stored;
  }

  void select(std::size_t rows) {
    RowRange range{0, rows};
    if (selection_.rows) {
      range = *selection_.rows;
      // Where a limit ends it earlier, the file may not have been read up to the range's end.
      if (selection_.limit && range.count() > *selection_.limit) range.last = range.first + *selection_.limit;
      require(range.last <= rows, "{}{}: rows {} of a table of {}; expected A:B within 0:{}",
              in_quotes(source_->path()),
              table_.tensor_.empty() ? "" : ": tensor " + in_quotes(table_.tensor_), range.text(), rows,
              rows);
    }
    table_.first_ = range.first;
    table_.rows_ = std::min(range.count(), selection_.limit.value_or(all));
    table_.times_root_width_ = selection_.times_root_width;
    if (selection_.transpose) words_.clear();
    if (words_.empty()) return;
    words_.erase(words_.begin() + static_cast<std::ptrdiff_t>(table_.first_ + table_.rows_), words_.end());
    words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(table_.first_));
  }

  std::shared_ptr<const ByteSource> source_;
  std::optional<std::string> tensor_;
  const Selection& selection_;
  std::vector<std::string> words_;
  TableRows table_;
};

template <class T>
void TableRows::read_tile(std::size_t first, std::size_t count, std::span<T> out) const {
  expect(first <= rows_ && count <= rows_ - first && out.size() == count * cols(),
         "rows {}:{} of a table of {} into room for {} numbers", first, first + count, rows_, out.size());
  read_stored(*source_, *layout_, first_ + first, count, out);
  if (times_root_width_)
    for (T& x : out) x *= T(std::sqrt(double(cols())));
}

void TableRows::read(std::size_t first, std::size_t count, std::span<float> out) const {
  read_tile(first, count, out);
  if (layout_->item.kind != ItemType::Kind::real || layout_->item.bytes != sizeof(double)) return;
  std::vector<double> row(cols());
  const auto is_zero = [](auto numbers) {
    return std::ranges::all_of(numbers, [](auto x) { return x == 0; });
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_zero(out.subspan(i * cols(), cols()))) continue;
    read(first + i, 1, row);
    require(is_zero(std::span(row)), "{}: row {} holds numbers that float32 cannot tell from 0",
            in_quotes(source_->path()), first_ + first + i);
  }
}
void TableRows::read(std::size_t first, std::size_t count, std::span<double> out) const {
  read_tile(first, count, out);
}

void TableRows::refuse_number(std::string_view what, std::size_t at, double number) const {
  refuse("{}: row {} holds {}; expected finite numbers", what, at / cols() + first_, number);
}

void TableRows::check_room(std::size_t number_bytes) const {
  try {
    require_room(rows(), cols(), number_bytes);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", in_quotes(files_.front()), error.what()), error.exit());
  }
}

TableRows open_table(std::shared_ptr<const ByteSource> source, const std::optional<std::string>& tensor,
                     const Selection& selection) {
  return TableOpener(std::move(source), tensor, selection).open();
}

TableRows open_table(const TableReference& reference, const Selection& selection) {
  return open_table(std::make_shared<const ByteSource>(reference.path), reference.tensor, selection);
}

namespace {

void add_tensors(const ByteSource& source, std::vector<ListedTable>& out) {
  const std::vector<TensorInfo> tensors =
      table_format(source) == TableFormat::gguf ? read_gguf_header(source).tensors : list_tensors(source);
  for (const TensorInfo& tensor : tensors) out.push_back({tensor.name, tensor.shape, tensor.dtype});
}

}  // namespace

std::vector<ListedTable> list_tables(const std::filesystem::path& path) {
  const auto source = std::make_shared<const ByteSource>(path);
  const TableFormat format = table_format(*source);
  std::vector<ListedTable> tables;
  if (format == TableFormat::safetensors || format == TableFormat::gguf) {
    add_tensors(*source, tables);
  } else if (format == TableFormat::safetensors_index) {
    std::set<std::string> files;
    for (const IndexEntry& entry : read_safetensors_index(*source)) files.insert(entry.file);
    for (const std::string& file : files) add_tensors(ByteSource(path.parent_path() / file), tables);
  } else {
    const TableRows table = open_table(source, std::nullopt);
    tables.push_back({"", {table.rows(), table.cols()}, table.item()});
  }
  return tables;
}

}  // namespace perp
