#include "perp/io/model_config.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

constexpr std::uint64_t max_bytes = 4'000'000;
constexpr int deepest = 64;
constexpr std::array<std::string_view, 4> names_of_heads{"num_attention_heads", "n_head", "n_heads",
                                                         "num_heads"};

/// Takes the file piece by piece; nothing is built of what is stepped over.
class ConfigReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit ConfigReader(const std::string& file) : file_(file) {}

  ModelConfig take() { return std::move(config_); }

  bool start_object(std::size_t) override { return enter("an object"); }
  bool start_array(std::size_t) override { return depth_ == 0 ? other("a list") : enter("a list"); }
  bool end_object() override { return --depth_, true; }
  bool end_array() override { return --depth_, true; }
  bool key(std::string& name) override {
    key_ = name;
    return true;
  }
  bool string(std::string& text) override {
    if (depth_ != 1 || key_ != "model_type") return other("a text");
    config_.type = text;
    return true;
  }
  bool number_unsigned(std::uint64_t number) override {
    if (is_heads() && number > 0)
      config_.heads = number;
    else if (is_padding())
      config_.padding = number;
    else
      return other("a number");
    return true;
  }
  bool null() override { return depth_ > 0 || other("null"); }
  bool boolean(bool) override { return other("true or false"); }
  /// Some say -1 for no padding.
  bool number_integer(std::int64_t) override { return is_padding() || other("a negative number"); }
  bool number_float(double, const std::string&) override { return other("a fraction"); }
  bool binary(nlohmann::json::binary_t&) override { return other("bytes"); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override {
    refuse("{}: is no JSON from byte {} on; expected a model's configuration", file_, position);
  }

 private:
  bool is_heads() const { return depth_ == 1 && std::ranges::count(names_of_heads, key_) > 0; }
  bool is_padding() const { return depth_ == 1 && key_ == "pad_token_id"; }
  bool enter(const char* what) {
    require(depth_ < deepest, "{}: is nested deeper than {}; expected a model's configuration", file_,
            deepest);
    if (depth_ > 0) other(what);
    ++depth_;
    return true;
  }
  /// Something that is none of what is read here.
  bool other(const char* what) const {
    require(depth_ > 0, "{}: is {}; expected an object, a model's configuration", file_, what);
    require(!is_heads() && !is_padding(), "{}: {} is {}; expected a whole number from {}", file_, key_, what,
            is_heads() ? 1 : 0);
    require(depth_ != 1 || key_ != "model_type", "{}: model_type is {}; expected a text", file_, what);
    return true;
  }

  const std::string& file_;
  int depth_ = 0;
  std::string key_;
  ModelConfig config_;
};

}  // namespace

ModelConfig read_model_config(const ByteSource& source) {
  const std::string name = in_quotes(source.path());
  require(source.size() <= max_bytes, "{}: a configuration of {} bytes; at most {} were expected", name,
          source.size(), max_bytes);
  const std::string json = source.beginning(static_cast<std::size_t>(source.size()));
  // The parser would take a zero byte for the end and not look at what follows.
  const std::size_t zero = json.find('\0');
  require(zero == json.npos, "{}: is no JSON from byte {} on; expected a model's configuration", name,
          zero + 1);
  ConfigReader reader(name);
  nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
  return reader.take();
}

}  // namespace perp
