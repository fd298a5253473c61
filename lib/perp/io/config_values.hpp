#pragma once
// What a model's configuration says, flat: {"rope_scaling": {"factor": 8}} is 8 under "rope_scaling.factor".

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/io/byte_source.hpp"

namespace perp {

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

}  // namespace perp
