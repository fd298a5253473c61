#pragma once
// What a model's config.json says that its tensors do not. Source: Hugging Face, "Transformers: configuration"
// (2019–2024), whose families have several names for the same thing.

#include <cstdint>
#include <optional>
#include <string>

#include "perp/io/byte_source.hpp"

namespace perp {

struct ModelConfig {
  std::string type;                      ///< model_type: "bert", "roberta" …; empty if it is not said
  std::optional<std::uint64_t> heads;    ///< num_attention_heads, n_head, n_heads or num_heads; at least 1
  std::optional<std::uint64_t> padding;  ///< pad_token_id; nothing for -1, which some write for none
  std::string positions = {};  ///< position_embedding_type: "rotary", "absolute" …; empty if it is not said
  std::optional<std::uint64_t> most = {};  ///< max_position_embeddings
};

/// Reads the outermost level, or of an encoder with a decoder (Donut, Nougat) the decoder's. Throws Error{Exit::unusable}, naming the file, as read_config_values, and for
/// one of these that is no text or
/// no whole number (null stands for one that is not said).
ModelConfig read_model_config(const ByteSource& source);

}  // namespace perp
