#pragma once
// A model's configuration: every value it says, and what of it decides which tables are which.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/io/byte_source.hpp"

namespace perp {

// What a model's configuration says, flat: {"rope_scaling": {"factor": 8}} is 8 under "rope_scaling.factor".

/// null, true or false, a number, a text, a list of numbers (true and false count as 1 and 0), a list of texts, another
/// list, an object.
struct OtherList {};
struct ConfigObject {};
using ConfigValue = std::variant<std::monostate, bool, double, std::string, std::vector<double>,
                                 std::vector<std::string>, OtherList, ConfigObject>;
std::string_view kind_of(const ConfigValue& value);  ///< "a text", "true or false" …, for messages

struct ConfigValues {
  std::string file;  ///< quoted, for messages
  std::map<std::string, ConfigValue, std::less<>> values;
  std::map<std::string, std::string, std::less<>> names =
      {};  ///< what the file calls a key, where it is not the key

  /// A key as the file calls it, for messages.
  std::string_view name_of(std::string_view key) const;
  bool has(std::string_view key) const;  ///< null counts as nothing
  /// Nothing where there is none; throws Error{unusable} naming file and key for another kind of value.
  template <class Kind>
  std::optional<Kind> get(std::string_view key) const {
    if (!has(key)) return std::nullopt;
    const ConfigValue& value = values.find(key)->second;
    const Kind* wanted = std::get_if<Kind>(&value);
    require(wanted, "{}: {} is {}; expected {}", file, name_of(key), kind_of(value), kind_of(Kind()));
    return *wanted;
  }
  std::optional<double> number(std::string_view key) const { return get<double>(key); }
  std::optional<std::string> text(std::string_view key) const { return get<std::string>(key); }
  /// A whole number from `least` to `most`.
  std::optional<std::uint64_t> whole(std::string_view key, std::uint64_t least, std::uint64_t most) const;
};

/// A JSON object; of what stands in lists only numbers and texts, and nothing of names that are empty or have a dot. Throws Error{Exit::unusable}, naming the file, for anything
/// that is no JSON object, over 4 MB, or nested deeper than 64.
ConfigValues read_config_values(const ByteSource& source);

// What a model's config.json says that its tensors do not. Source: Hugging Face, "Transformers: configuration"
// (2019–2024), whose families have several names for the same thing.

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
