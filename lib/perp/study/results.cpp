#include "perp/study/results.hpp"

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "perp/base/error.hpp"
#include "perp/io/csv.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/sha256.hpp"

namespace perp {
namespace {

void write_cell(CsvWriter& csv, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    csv.number(*integer);
  else if (const auto* real = std::get_if<double>(&value))
    csv.number(*real);
  else
    csv.text(std::get<std::string>(value));
}

}  // namespace

Column::Column(std::string_view name_, std::string_view unit_, Kind kind_, std::string_view meaning_,
               std::string_view low_, std::string_view high_)
    : name(name_), unit(unit_), kind(kind_), meaning(meaning_), low(low_), high(high_) {}

Table::Table(std::string_view file_, std::initializer_list<Column> columns_,
             std::vector<std::vector<Value>> rows_)
    : file(file_), columns(columns_), rows(std::move(rows_)) {}
Table::Table(std::string_view file_, std::vector<Column> columns_, std::vector<std::vector<Value>> rows_)
    : file(file_), columns(std::move(columns_)), rows(std::move(rows_)) {}

void Table::add(std::initializer_list<Value> row) { add(std::vector<Value>(row)); }

void Table::add(std::vector<Value> row) {
  require(row.size() == columns.size(), "table '{}': a row has {} values, the table {} columns", file,
          row.size(), columns.size());
  rows.push_back(std::move(row));
}

const Value& Table::at(std::size_t row, std::string_view column) const {
  std::string names;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].name == column) return rows.at(row)[c];
    names += (c ? ", " : "") + columns[c].name;
  }
  refuse("table '{}' has no column '{}'; it has {}", file, column, names);
}

std::string to_csv(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  CsvWriter csv(names);
  for (const std::vector<Value>& row : table.rows) {
    for (const Value& value : row) write_cell(csv, value);
    csv.end_row();
  }
  return csv.str();
}

namespace {

using Json = nlohmann::ordered_json;

/// Null for NaN. An infinity has no JSON and no meaning in a report.
Json number(double value, std::string_view where) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) fail("results: {} is infinite; a result must be finite or absent", where);
  return value;
}

Json number(const std::optional<double>& value, std::string_view where) {
  return value ? number(*value, where) : Json(nullptr);
}

Json name_or_null(const std::string& name) { return name.empty() ? Json(nullptr) : Json(name); }

Json to_json(const Coordinates& coordinates, std::string_view where) {
  Json object = Json::object();
  for (const auto& [key, value] : coordinates) {
    if (const auto* real = std::get_if<double>(&value))
      object[key] = number(*real, where);
    else if (const auto* integer = std::get_if<std::int64_t>(&value))
      object[key] = *integer;
    else
      object[key] = std::get<std::string>(value);
  }
  return object;
}

/// A known standard deviation has no degrees of freedom: null. What was not measured does not spread.
Json to_json(const Spread& spread) {
  if (spread.mean && std::isnan(spread.mean->error)) return nullptr;
  Json object = Json::object();
  if (spread.mean) {
    object["error"] = spread.mean->error;
    object["freedom"] = std::isinf(spread.mean->freedom) ? Json(nullptr) : Json(spread.mean->freedom);
  }
  if (spread.share) {
    object["successes"] = spread.share->successes;
    object["trials"] = spread.share->trials;
  }
  object["replicates"] = spread.replicates;
  return object;
}

Json to_json(const Finding& finding) {
  const std::string& id = finding.id;
  return {{"id", id},
          {"at", to_json(finding.at, id)},
          {"value", number(finding.value, id)},
          {"low", number(finding.low, id)},
          {"high", number(finding.high, id)},
          {"level", number(finding.level, id)},
          {"theory", number(finding.theory, id)},
          {"unit", finding.unit},
          {"n", finding.n},
          {"kind", to_text(finding.kind)},
          {"meaning", finding.meaning},
          {"spread", finding.spread ? to_json(*finding.spread) : Json(nullptr)}};
}

Json to_json(const Condition& condition, const Reading& reading) {
  Json bound;
  if (const auto* limit = std::get_if<double>(&condition.bound)) {
    if (!std::isfinite(*limit)) fail("results: the bound of '{}' is not a finite number", condition.finding);
    bound = *limit;
  } else {
    bound = std::get<std::string>(condition.bound);
  }
  Json levels = Json::object();
  for (const auto& [name, level] : condition.levels) levels[name] = level;
  const auto& interval = reading.interval;
  return {{"finding", name_or_null(condition.finding)},
          {"is", to_text(condition.is)},
          {"bound", bound},
          {"margin", condition.is == Is::equal ? Json(condition.margin) : Json(nullptr)},
          {"role", to_text(condition.role)},
          {"evidence", to_text(condition.evidence)},
          {"factor", levels},
          {"level", interval ? Json(interval->level) : Json(nullptr)},
          {"low", interval ? number(interval->low, condition.finding) : Json(nullptr)},
          {"high", interval ? number(interval->high, condition.finding) : Json(nullptr)},
          {"outcome", to_text(reading.answer)},
          {"says", condition.says},
          {"needs", condition.needs}};
}

Json to_json(const Claim& claim) {
  Json rule = Json::array();
  for (std::size_t i = 0; i < claim.rule.size(); ++i)
    rule.push_back(to_json(claim.rule[i], claim.judgement.readings[i]));
  Json evidence = Json::array();
  for (const Evidence kind : evidence_of(claim.rule)) evidence.push_back(to_text(kind));
  return {{"id", claim.id},
          {"statement", claim.statement},
          {"source", claim.source},
          {"of", name_or_null(claim.of)},
          {"evidence", evidence},
          {"verdict", to_text(claim.verdict())},
          {"with_limits", claim.judgement.limited},
          {"factor", name_or_null(claim.judgement.factor)},
          {"level", claim.judgement.strict_level},
          {"condition", ""},  // what was found is said by the claim's section, in the page and in ledger.csv
          {"matters", ""},
          {"rule", rule},
          {"findings", claim.findings}};
}

Json to_json(const Table& table) {
  Json columns = Json::array();
  for (const Column& column : table.columns)
    columns.push_back(Json{{"name", column.name},
                           {"unit", column.unit},
                           {"kind", to_text(column.kind)},
                           {"low", name_or_null(column.low)},
                           {"high", name_or_null(column.high)},
                           {"meaning", column.meaning}});
  Json object{{"file", table.file}};
  if (!table.sha256.empty()) object["sha256"] = table.sha256;
  object["columns"] = std::move(columns);
  return object;
}

Json to_json(const Input& input) { return {{"name", input.name}, {"sha256", input.sha256}}; }

template <class Items>
Json list(const Items& items) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(to_json(item));
  return array;
}

/// A real number keeps a sign of being one ("512.0"), so that it comes back as it went.
std::string real_text(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string scalar_text(const Json& scalar) {
  if (scalar.is_number_float()) return real_text(scalar.get<double>());
  return scalar.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// One line per finding, claim, table: `outer` levels are broken over lines, what is deeper stays on its
/// line.
void write(std::string& out, const Json& json, int outer, int depth) {
  if (!json.is_structured() || json.empty()) {
    out += scalar_text(json);
    return;
  }
  const bool object = json.is_object(), broken = depth < outer;
  const std::string gap = broken ? "\n" + std::string(2 * static_cast<std::size_t>(depth + 1), ' ') : "";
  out += object ? '{' : '[';
  const char* between = "";
  for (const auto& [key, item] : json.items()) {
    out += between + gap;
    if (object) out += scalar_text(Json(key)) + ": ";
    write(out, item, outer, depth + 1);
    between = broken ? "," : ", ";
  }
  if (broken) out += "\n" + std::string(2 * static_cast<std::size_t>(depth), ' ');
  out += object ? '}' : ']';
}

}  // namespace

std::string to_json(const Results& results) {
  const Json json = {{"schema", results_schema},
                     {"study", results.study},
                     {"preset", results.preset},
                     {"seed", results.seed},
                     {"parameters", to_json(results.parameters, "a parameter")},
                     {"inputs", list(results.inputs)},
                     {"findings", list(results.findings)},
                     {"claims", list(results.claims)},
                     {"tables", list(results.tables)}};
  std::string text;
  write(text, json, 2, 0);
  return text + "\n";
}

Written written_results(const std::filesystem::path& folder) { return {folder, "results.json"}; }

namespace {

/// "" where there are no results, or none that can be read.
std::string study_of_results(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return "";
  const Json json = Json::parse(read_file(file), nullptr, false);
  const bool has_name = json.is_object() && json.contains("study") && json["study"].is_string();
  return has_name ? json["study"].get<std::string>() : "";
}

}  // namespace

void expect_place_for_results(const std::filesystem::path& folder, const std::string& study) {
  expect_unpublished(folder);
  const std::string there = study_of_results(folder / "results.json");
  require(there.empty() || there == study,
          "cannot write results of the study {} into {}: those of the study {} are there; expected a folder "
          "of its own",
          study, in_quotes(folder), in_quotes(there));
  written_results(folder).expect({"results.json", "run.json", "timings.json"});
}

std::string write_results(const std::filesystem::path& folder, Results results, NamedBytes beside) {
  NamedBytes files;
  for (Table& table : results.tables) {
    files.emplace_back(folder / table.file, to_csv(table));
    table.sha256 = sha256_hex(files.back().second);
  }
  files.insert(files.end(), std::make_move_iterator(beside.begin()), std::make_move_iterator(beside.end()));
  files.emplace_back(folder / "results.json", to_json(results));
  make_folders(folder);
  written_results(folder).write(files, true);
  return files.back().second;
}

void expect_tables_of(const Results& results, const std::filesystem::path& folder) {
  for (const Table& table : results.tables)
    require(table.sha256.empty() || sha256_file(folder / table.file) == table.sha256,
            "{}: is not the table that results.json beside it was written with: {}",
            in_quotes(folder / table.file),
            "a run was stopped there, or somebody changed it; measure again (kept cells are reused)");
}

}  // namespace perp
