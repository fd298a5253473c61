#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/safetensors.hpp"
#include "perp/io/text.hpp"

namespace perp {
namespace {

constexpr std::uint64_t max_bytes = 20'000'000;
constexpr int deepest = 16;
constexpr std::string_view expected = R"({"weight_map": {"tensor": "file", …}})";

bool is_plain_name(std::string_view file) {
  const auto stray = [](char c) { return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20; };
  return !file.empty() && file != "." && file != ".." && std::none_of(file.begin(), file.end(), stray);
}

// Takes the index piece by piece and keeps weight_map alone; whatever else it has is stepped over.
class IndexReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit IndexReader(const std::string& file) : file_(file) {}

  std::vector<IndexEntry> take() {
    require(seen_,
            "{}: no weight_map in it, so it is no index of a model's files; expected its folder, its "
            ".safetensors or {}",
            file_, expected);
    return std::move(entries_);
  }

  bool start_object(std::size_t) override {
    if (in_map_ && depth_ != 1) complain("an object");
    return enter();
  }
  bool start_array(std::size_t) override {
    if (in_map_) complain("an array");
    return enter();
  }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }

  bool key(std::string& name) override {
    if (depth_ == 1) {
      in_map_ = name == "weight_map";
      if (in_map_ && seen_) refuse("{}: the key 'weight_map' comes twice", file_);
      seen_ = seen_ || in_map_;
    } else if (in_map_) {
      tensor_ = name;
    }
    return true;
  }
  bool string(std::string& text) override {
    if (in_map_ && depth_ == 2) {
      if (!is_plain_name(text))
        refuse("{}: tensor {} is said to lie in {}; expected the name of a file in the same folder", file_,
               in_quotes(tensor_), in_quotes(text));
      entries_.push_back({std::move(tensor_), text});
    } else if (in_map_) {
      complain("a text");
    }
    return true;
  }
  bool null() override { return other("null"); }
  bool boolean(bool) override { return other("true or false"); }
  bool number_integer(std::int64_t) override { return other("a number"); }
  bool number_unsigned(std::uint64_t) override { return other("a number"); }
  bool number_float(double, const std::string&) override { return other("a number"); }
  bool binary(nlohmann::json::binary_t&) override { return other("bytes"); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override {
    refuse("{}: is no JSON from byte {} on; expected {}", file_, position, expected);
  }

 private:
  bool enter() {
    require(depth_ < deepest, "{}: is nested deeper than {}; expected {}", file_, deepest, expected);
    ++depth_;
    return true;
  }
  bool leave() {
    if (--depth_ == 1) in_map_ = false;
    return true;
  }
  bool other(const char* what) {
    if (in_map_) complain(what);
    return true;
  }
  [[noreturn]] void complain(const char* what) const {
    refuse("{}: weight_map holds {} at {}; expected {}", file_, what, in_quotes(tensor_), expected);
  }

  const std::string& file_;
  int depth_ = 0;
  bool in_map_ = false, seen_ = false;
  std::string tensor_;
  std::vector<IndexEntry> entries_;
};

}  // namespace

bool is_safetensors_index(std::string_view beginning) {
  beginning = without_byte_order_mark(beginning);
  const auto skip_blanks = [&] {
    const std::size_t first = beginning.find_first_not_of(" \t\r\n");
    beginning.remove_prefix(std::min(first, beginning.size()));
  };
  const auto take = [&](char c) {
    skip_blanks();
    if (!beginning.starts_with(c)) return false;
    beginning.remove_prefix(1);
    return true;
  };
  if (!take('{') || !take('"')) return false;
  const std::size_t end = beginning.find_first_of("\"\n");
  if (end == beginning.npos) return false;
  beginning.remove_prefix(end);
  return take('"') && take(':');
}

std::vector<IndexEntry> read_safetensors_index(const ByteSource& source) {
  const std::string name = in_quotes(source.path());
  require(source.size() <= max_bytes, "{}: an index of {} bytes; at most {} were expected", name,
          source.size(), max_bytes);
  const std::string json = source.beginning(static_cast<std::size_t>(source.size()));
  // The parser would take a zero byte for the end and not look at what follows.
  const std::size_t zero = json.find('\0');
  require(zero == json.npos, "{}: is no JSON from byte {} on; expected {}", name, zero + 1, expected);
  IndexReader reader(name);
  nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
  std::vector<IndexEntry> entries = reader.take();
  require(!entries.empty(), "{}: its weight_map names no tensor", name);
  for (const IndexEntry& entry : entries)
    require(!entry.file.ends_with(".json"),
            "{}: tensor {} is said to lie in {}, which is {}; expected a .safetensors file", name,
            in_quotes(entry.tensor), in_quotes(entry.file),
            entry.file == source.path().filename() ? "this index itself" : "no file of tensors");
  std::ranges::sort(entries, {}, &IndexEntry::tensor);
  const auto twice = std::ranges::adjacent_find(entries, {}, &IndexEntry::tensor);
  if (twice != entries.end()) refuse("{}: the tensor {} comes twice", name, in_quotes(twice->tensor));
  return entries;
}

std::vector<std::string> names_of(const std::vector<IndexEntry>& entries) {
  std::vector<std::string> names;
  for (const IndexEntry& entry : entries) names.push_back(entry.tensor);
  return names;
}

std::filesystem::path shard_of(const ByteSource& index, std::string_view tensor) {
  const std::vector<IndexEntry> entries = read_safetensors_index(index);
  auto found = std::ranges::find(entries, tensor, &IndexEntry::tensor);
  if (found == entries.end())
    found =
        std::ranges::find(entries, tensor, [](const IndexEntry& entry) { return on_one_line(entry.tensor); });
  if (found == entries.end())
    refuse("{} has no tensor {}; it has {}", in_quotes(index.path()), in_quotes(tensor),
           names_text(names_of(entries)));
  return index.path().parent_path() / found->file;
}

}  // namespace perp
