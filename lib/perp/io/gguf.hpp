#pragma once
// Tensors out of .gguf files, in which llama.cpp keeps a model, quantised as a rule: a header of typed values
// and of tensors, then the items. Every claim of the header is checked against the file before anything is
// allocated. Sources: ggml-org, "GGUF" (docs/gguf.md, versions 2 and 3); the blocks: ggml-common.h.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perp/io/byte_source.hpp"
#include "perp/io/safetensors.hpp"
#include "perp/io/stored_table.hpp"

namespace perp {

/// A list in the metadata: a number for each layer, a tokeniser's words.
struct GgufArray {
  std::string item;  ///< as the format spells it: "UINT32", "STRING" …
  std::uint64_t length = 0;
  std::vector<double> numbers =
      {};  ///< truth values as 0 and 1; none of texts, nor of a list of more than 4,096
};
/// Unsigned, signed and real numbers of any width, truth values, texts.
using GgufValue = std::variant<std::uint64_t, std::int64_t, double, bool, std::string, GgufArray>;

/// What the header says.
struct GgufHeader {
  std::map<std::string, GgufValue, std::less<>> metadata;
  /// In the order of their bytes, which count from `data_begin`. A shape is [rows, cols]: the file has it the
  /// other way round, fastest first.
  std::vector<TensorInfo> tensors;
  std::uint64_t data_begin = 0;

  /// The text, or the whole number from 0, of that name; nothing where there is none of that kind.
  std::optional<std::string> text(std::string_view key) const;
  std::optional<std::uint64_t> count(std::string_view key) const;
};

/// Whether these bytes begin as this format does and as no text can.
bool is_gguf(std::string_view beginning);

/// Reads the header. Throws Error{Exit::unusable} for versions other than 2 and 3, big-endian files, a header
/// over 100 MB, whatever goes beyond the file, a name that comes twice, lists of lists, a general.alignment
/// that is no power of 2 up to 2^20, types of tensors that are not known, and tensors that overlap, do not
/// begin at a multiple of the alignment or leave more than its padding between them or behind the last.
GgufHeader read_gguf_header(const ByteSource& source);

/// How the tensor lies in the file: rows x cols from F64, F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K or Q6_K; a
/// one-dimensional tensor is one row; `file` goes into messages. Throws Error{Exit::unusable} for a tensor of
/// another type, of another number of dimensions or without numbers, and for a name that is not there (says
/// which are).
StoredTable gguf_table(const GgufHeader& header, std::string_view name, const std::string& file);

}  // namespace perp
