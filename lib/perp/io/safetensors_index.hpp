#pragma once
// The index of a model that is published in several .safetensors files, {"metadata": {…}, "weight_map":
// {tensor: file, …}}. Source: Hugging Face, "Accelerate: handling big models" (2022).

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/byte_source.hpp"

namespace perp {

/// Whether bytes that begin so are JSON with named values, as no text table begins.
bool is_safetensors_index(std::string_view beginning);

struct IndexEntry {
  std::string tensor;
  std::string file;  ///< a plain name: no folder, nothing that leads out of the index's own
};

/// The entries in the order of their names. Throws Error{Exit::unusable} for anything that is not such an
/// index: no JSON (says from which byte on), over 20 MB, a name that comes twice, no tensors, a file whose
/// name holds a '/', a '\' or a control character, or is "." or "..".
std::vector<IndexEntry> read_safetensors_index(const ByteSource& source);

std::vector<std::string> names_of(const std::vector<IndexEntry>& entries);

/// Of which file beside the index the tensor is. Throws Error{Exit::unusable} as `read_safetensors_index`,
/// and for a name that is not there (says which are).
std::filesystem::path shard_of(const ByteSource& index, std::string_view tensor);

}  // namespace perp
