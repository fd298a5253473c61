#pragma once
// Tensors out of .safetensors files, the format in which trained models are mostly published: 8 bytes of
// header length, a JSON header, the items. Every claim of the header is checked against the file before
// anything is allocated. Source: Hugging Face, "Safetensors: format" (2023), its limits included.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/byte_source.hpp"
#include "perp/io/stored_table.hpp"

namespace perp {

/// What the header says of one tensor.
struct TensorInfo {
  std::string name;
  std::string dtype;                 ///< as the format spells it: F32, BF16, I64 …
  std::vector<std::uint64_t> shape;  ///< empty for a single number; a length may be 0
  std::uint64_t begin = 0, end = 0;  ///< its bytes, counted from the end of the header
};

/// Whether these bytes begin as this format does and as no text can: a length with a zero byte in it, then
/// '{'.
bool is_safetensors(std::string_view beginning);

/// The tensors of the file in the order of their bytes. Throws Error{Exit::unusable} for a header over 100 MB
/// or over the file's length, and unless each tensor
/// has exactly a known dtype, a shape and the bytes that these need, and all tensors together fill the data
/// without overlap, hole or tail. A name may not come twice; "__metadata__" is skipped.
std::vector<TensorInfo> list_tensors(const std::filesystem::path& path);
std::vector<TensorInfo> list_tensors(const ByteSource& source);

/// How many lengths of 1 stand before the last two, which say nothing: [1, 197, 768] is 197 x 768.
std::size_t leading_ones(const std::vector<std::uint64_t>& shape);

/// How the tensor lies in the file: rows x cols from F64, F32, F16, BF16, F8_E4M3 or F8_E5M2, these two times the scales of
/// <name>_scale_inv or <name>_scale where the file has them; a one-dimensional tensor is one
/// row, and leading lengths of 1 do not count. Throws Error{Exit::unusable} as `list_tensors`, for a tensor of another dtype, another number of
/// dimensions or without numbers, and for a name that is not there (says which are).
StoredTable tensor_table(const ByteSource& source, std::string_view name);

/// What formats of tensors share. Where that name stands, or else the one that lists show under it (on_one_line),
/// for a name may hold what nobody can type. Throws Error{Exit::unusable} for a name that is not
/// there (says which are).
std::size_t name_in(const std::vector<std::string>& names, std::string_view name, const std::string& file);
/// How it lies in a file whose data begin at `data_begin`; of one dimension it is one row. Throws
/// Error{Exit::unusable} for another number of dimensions than 1 or 2 and for a tensor without numbers.
StoredTable stored_tensor(const TensorInfo& tensor, const ItemType& item, std::size_t dimensions,
                          std::uint64_t data_begin, const std::string& file);

inline std::uint64_t padded(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}
/// Puts them in the order of their bytes. Throws Error{Exit::unusable} unless all bytes of data are a tensor's, but for the
/// padding up to the next multiple of the alignment.
void place_tensors(std::vector<TensorInfo>& tensors, std::uint64_t alignment, std::uint64_t data_bytes,
                   const std::string& file);

/// The only one of a file's tensors. Throws Error{Exit::unusable} when it holds another number of them.
std::string only_tensor(const std::vector<std::string>& names, const std::string& file);
std::vector<std::string> names_of(const std::vector<TensorInfo>& tensors);

/// The names for a message: at most 20 of them, and how many more there are.
std::string names_text(const std::vector<std::string>& names);
std::string names_text(const std::vector<TensorInfo>& tensors);

// The index of a model that is published in several .safetensors files, {"metadata": {…}, "weight_map":
// {tensor: file, …}}. Source: Hugging Face, "Accelerate: handling big models" (2022).

/// Whether bytes that begin so are JSON with named values, as no text table begins.
bool is_safetensors_index(std::string_view beginning);

struct IndexEntry {
  std::string tensor;
  std::string file;  ///< a plain name: no folder, nothing that leads out of the index's own
};

/// The entries in the order of their names. Throws Error{Exit::unusable} for anything that is not such an
/// index: over 20 MB, as read_json (io/json_fault.hpp), no tensors, a file whose name holds a '/', a '\' or a control
/// character, or is "." or "..".
std::vector<IndexEntry> read_safetensors_index(const ByteSource& source);

std::vector<std::string> names_of(const std::vector<IndexEntry>& entries);

/// Of which file beside the index the tensor is. Throws Error{Exit::unusable} as `read_safetensors_index`,
/// and for a name that is not there (says which are).
std::filesystem::path shard_of(const ByteSource& index, std::string_view tensor);

}  // namespace perp
