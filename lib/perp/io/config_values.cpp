#include "perp/io/config_values.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

constexpr std::uint64_t max_bytes = 4'000'000;
constexpr std::size_t deepest = 64;

/// Takes the file piece by piece; of lists nothing is kept but numbers.
class Reader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Reader(ConfigValues& into) : into_(into) {}

  bool start_object(std::size_t) override { return enter(ConfigObject{}); }
  bool start_array(std::size_t) override { return enter(std::vector<double>{}); }
  bool end_object() override { return levels_.pop_back(), true; }
  bool end_array() override { return levels_.pop_back(), true; }
  bool key(std::string& name) override {
    Level& level = levels_.back();
    level.key = level.in_list ? "" : level.prefix + name;
    return true;
  }
  bool null() override { return add(std::monostate{}); }
  bool boolean(bool value) override { return add(value); }
  bool string(std::string& text) override { return add(std::move(text)); }
  bool number_unsigned(std::uint64_t number) override { return add(double(number)); }
  bool number_integer(std::int64_t number) override { return add(double(number)); }
  bool number_float(double number, const std::string&) override { return add(number); }
  bool binary(nlohmann::json::binary_t&) override { return add(OtherList{}); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override {
    refuse("{}: is no JSON from byte {} on; expected a model's configuration", into_.file, position);
  }

 private:
  struct Level {
    std::string prefix = {}, key = {};
    bool in_list = false;         ///< somewhere below one
    ConfigValue* list = nullptr;  ///< that this level is
  };

  /// Where the value is kept; nothing within lists.
  ConfigValue* add(ConfigValue value) {
    require(!levels_.empty(), "{}: is {}; expected an object, a model's configuration", into_.file,
            kind_of(value));
    const Level& level = levels_.back();
    if (level.list) {
      auto* numbers = std::get_if<std::vector<double>>(level.list);
      if (const double* number = std::get_if<double>(&value); number && numbers)
        numbers->push_back(*number);
      else
        *level.list = OtherList{};
    }
    if (level.in_list) return nullptr;
    // A key that comes again takes the place of all that stood below it.
    const auto below = into_.values.lower_bound(level.key + ".");
    auto end = below;
    while (end != into_.values.end() && end->first.starts_with(level.key + ".")) ++end;
    into_.values.erase(below, end);
    return &(into_.values[level.key] = std::move(value));
  }
  bool add(auto value) { return add(ConfigValue(std::move(value))), true; }

  bool enter(ConfigValue value) {
    require(levels_.size() < deepest, "{}: is nested deeper than {}; expected a model's configuration",
            into_.file, deepest);
    const bool is_list = !std::holds_alternative<ConfigObject>(value);
    if (levels_.empty() && !is_list) return levels_.push_back({}), true;
    ConfigValue* kept = add(std::move(value));
    const Level& above = levels_.back();
    levels_.push_back(
        {.prefix = above.key + ".", .in_list = above.in_list || is_list, .list = is_list ? kept : nullptr});
    return true;
  }

  ConfigValues& into_;
  std::vector<Level> levels_;
};

template <class T>
std::optional<T> value_of(const ConfigValues& of, std::string_view key, const ConfigValue& kind) {
  if (!of.has(key)) return std::nullopt;
  const ConfigValue& value = of.values.find(key)->second;
  const T* wanted = std::get_if<T>(&value);
  require(wanted, "{}: {} is {}; expected {}", of.file, key, kind_of(value), kind_of(kind));
  return *wanted;
}

}  // namespace

std::string_view kind_of(const ConfigValue& value) {
  constexpr std::array<std::string_view, 7> kinds{"null",   "true or false", "a number", "a text",
                                                  "a list", "a list",        "an object"};
  return kinds[value.index()];
}

bool ConfigValues::has(std::string_view key) const {
  const auto found = values.find(key);
  return found != values.end() && !std::holds_alternative<std::monostate>(found->second);
}

std::optional<double> ConfigValues::number(std::string_view key) const {
  return value_of<double>(*this, key, 0.0);
}
std::optional<bool> ConfigValues::flag(std::string_view key) const {
  return value_of<bool>(*this, key, true);
}
std::optional<std::string> ConfigValues::text(std::string_view key) const {
  return value_of<std::string>(*this, key, std::string());
}
std::optional<std::vector<double>> ConfigValues::numbers(std::string_view key) const {
  return value_of<std::vector<double>>(*this, key, std::vector<double>());
}

std::optional<std::uint64_t> ConfigValues::whole(std::string_view key, std::uint64_t least,
                                                 std::uint64_t most) const {
  const std::optional<double> number = this->number(key);
  if (!number) return std::nullopt;
  require(*number >= double(least) && *number <= double(most) && *number == std::floor(*number),
          "{}: {} is {}; expected a whole number from {} to {}", file, key, *number, least, most);
  return static_cast<std::uint64_t>(*number);
}

ConfigValues read_config_values(const ByteSource& source) {
  ConfigValues config{in_quotes(source.path()), {}};
  require(source.size() <= max_bytes, "{}: a configuration of {} bytes; at most {} were expected",
          config.file, source.size(), max_bytes);
  const std::string json = source.beginning(static_cast<std::size_t>(source.size()));
  // The parser would take a zero byte for the end and not look at what follows.
  const std::size_t zero = json.find('\0');
  require(zero == json.npos, "{}: is no JSON from byte {} on; expected a model's configuration", config.file,
          zero + 1);
  Reader reader(config);
  nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
  return config;
}

}  // namespace perp
