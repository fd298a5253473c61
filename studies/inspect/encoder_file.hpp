#pragma once
// A trained encoder out of a safetensors file, and texts for it as the numbers of their tokens.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perp/io/table_rows.hpp"
#include "perp/model/transformer.hpp"
#include "perp/study/options.hpp"
#include "perp/study/results.hpp"

namespace perp::inspect {

/// Too few texts say nothing of how they differ; a text needs places to differ at.
inline constexpr std::size_t fewest_texts = 8, fewest_tokens = 8;

struct EncodedTexts {
  model::Encoder<float> encoder;
  std::vector<std::int32_t> tokens;  ///< text after text
  std::size_t length = 0;            ///< of each text
  /// Positions that are looked at: without the first, as Song & Zhong 2023 leave it out, and without those at
  /// either end at which all texts have the same token ([CLS], [SEP]).
  RowRange measured;
  std::vector<Input> files;
  std::vector<std::string> hashes;  ///< what a cell that reads them depends on

  std::size_t texts() const { return tokens.size() / length; }
};

/// The option names, which go together.
std::vector<ExtraOption> encoder_options();

/// BERT's weights by the names that Hugging Face gives them, whatever stands before "embeddings."; linear
/// maps as PyTorch stores them, LayerNorms as weight and bias or as gamma and beta. Throws Error{unusable}
/// naming `file` for a tensor that is not there (and lists those that are), has another shape than the others
/// ask for, or holds a number that is not finite; for heads that do not divide the width.
model::Encoder<float> read_encoder(const std::string& file, std::size_t heads);

/// Reads --encoder, --encoder-heads and --token-ids (.npy of whole numbers, a text per row); nothing if none
/// was given. Throws Error{unusable} for one of them without the others, as read_encoder, for ids that are no
/// whole numbers or stand for no word, for texts longer than the positions, and for fewer than eight texts or
/// tokens, or texts that are all the same.
std::optional<EncodedTexts> load_encoder(const Options& options);

}  // namespace perp::inspect
