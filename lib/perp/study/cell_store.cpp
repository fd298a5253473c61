#include "perp/study/cell_store.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/sha256.hpp"

namespace perp {
namespace {

using nlohmann::json;
constexpr std::size_t largest_entry = std::size_t{1} << 30;

// A text that JSON can hold stands behind a quote, any other one (a word of a file that is no UTF-8) as its
// bytes behind an x, so that it comes back as it was.
json to_value(const std::string& text) {
  if (is_utf8(text)) return "'" + text;
  std::string out = "x";
  for (const char byte : text) out += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return out;
}

std::string from_bytes(std::string_view digits) {
  std::string text(digits.size() / 2, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    std::from_chars(digits.data() + 2 * i, digits.data() + 2 * i + 2, byte, 16);
    text[i] = static_cast<char>(byte);
  }
  return text;
}

// Not finite is kept as a text: JSON has no NaN, and null would lose the difference to infinity.
json to_value(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* text = std::get_if<std::string>(&value)) return to_value(*text);
  const double real = std::get<double>(value);
  if (std::isfinite(real)) return real;
  return std::isnan(real) ? "nan" : real > 0 ? "inf" : "-inf";
}

Value from_value(const json& value) {
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number_float()) return value.get<double>();
  const std::string text = value.get<std::string>();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!text.empty() && text.front() == '\'') return text.substr(1);
  if (!text.empty() && text.front() == 'x') return from_bytes(std::string_view(text).substr(1));
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  require(text == "inf" || text == "-inf", "kept cell: unknown value '{}'", text);
  return text == "inf" ? infinity : -infinity;
}

}  // namespace

std::string to_text(const Records& records) {
  std::string text;
  for (const Record& record : records) {
    json values = json::array();
    for (const auto& [key, value] : record.values) values.push_back(json::array({key, to_value(value)}));
    text += json::array({record.name, values}).dump() + "\n";
  }
  return text;
}

Records records_from(std::string_view text) {
  Records records;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    try {
      const json line = json::parse(text.substr(0, end));
      Record record{line.at(0).get<std::string>(), {}};
      for (const json& pair : line.at(1))
        record.values.emplace_back(pair.at(0).get<std::string>(), from_value(pair.at(1)));
      records.push_back(std::move(record));
    } catch (const json::exception&) {
      refuse("kept cell: line '{}' is not a record", text.substr(0, std::min<std::size_t>(end, 60)));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return records;
}

CellStore::CellStore(std::filesystem::path folder, std::string context)
    : folder_(std::move(folder)), context_(std::move(context)) {}

void CellStore::remove_leftovers() const {
  std::error_code absent;
  for (const auto& shelf : std::filesystem::directory_iterator(folder_, absent))
    perp::remove_leftovers(shelf.path());
}

std::string CellStore::name(const Experiment& experiment, const Cell& cell) const {
  std::string name = fmt::format("{}\n{}\n{}\n", context_, experiment.cells_name(), to_text(cell.at));
  for (const std::string& hash : experiment.depends) name += hash + "\n";
  return sha256_hex(name);
}

std::filesystem::path CellStore::path(const Experiment& experiment, const Cell& cell) const {
  const std::string key = name(experiment, cell);
  return folder_ / key.substr(0, 2) / (key + ".cell");
}

CellStore::Found CellStore::find(const Experiment& experiment, const Cell& cell) const {
  const std::filesystem::path file = path(experiment, cell);
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) return {};
  try {
    const std::string bytes = read_file(file, largest_entry);
    const std::size_t line = bytes.find('\n');
    const std::string payload = line == std::string::npos ? "" : bytes.substr(line + 1);
    if (bytes.substr(0, line) != fmt::format("{} {}", name(experiment, cell), sha256_hex(payload)))
      return {State::damaged, {}};
    return {State::kept, records_from(payload)};
  } catch (const Error&) {
    return {State::damaged, {}};
  }
}

void CellStore::keep(const Experiment& experiment, const Cell& cell, const Records& records) const {
  const std::filesystem::path file = path(experiment, cell);
  const std::string payload = to_text(records);
  make_folders(file.parent_path());
  set_aside(file);
  write_whole(file, fmt::format("{} {}\n{}", name(experiment, cell), sha256_hex(payload), payload));
}

}  // namespace perp
