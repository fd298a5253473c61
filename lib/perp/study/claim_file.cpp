// What <claim>.toml says (experiment.hpp), and what an experiment makes of it.

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/text.hpp"
#include "perp/study/experiment.hpp"
#include "perp/study/measuring.hpp"

namespace perp {
namespace {

using Names = std::vector<std::string>;

std::string lower(std::string_view text) {
  std::string small;
  for (const char c : text) small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

/// A node of the file: what is asked of it and is not there is an Error that names its line and key.
class Node {
 public:
  Node(const std::string& file, std::string key, const toml::node& node)
      : file_(&file), key_(std::move(key)), node_(&node) {}

  std::string place() const {
    const auto line = node_->source().begin.line;  // the file itself has none
    return key_.empty() ? *file_ : fmt::format("{}:{}: {}", *file_, line, key_);
  }
  [[noreturn]] void expected(std::string_view what) const { refuse("{}: expected {}", place(), what); }
  /// What `make` gives; its Error gets this place.
  auto in_place(const auto& make) const {
    try {
      return make();
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", place(), error.what()), error.exit());
    }
  }

  bool is_text() const { return node_->is_string(); }
  std::string text(std::string_view what = "a text in quotes") const {
    if (!is_text()) expected(what);
    return **node_->as_string();
  }
  double number() const {
    const auto number = is_text() ? std::nullopt : node_->value<double>();
    if (!number) expected("a number, without quotes");
    return *number;
  }
  Value value() const {
    if (node_->is_integer()) return **node_->as_integer();
    return is_text() ? Value(text()) : Value(number());
  }
  /// The entries of a list, or the one there is.
  std::vector<Node> list() const {
    if (!node_->is_array()) return {*this};
    std::vector<Node> items;
    for (const toml::node& item : *node_->as_array()) items.emplace_back(*file_, key_, item);
    return items;
  }

  std::optional<Node> find(std::string_view name) const {
    if (!node_->is_table()) expected("{ key = …, … }");
    const toml::node* node = node_->as_table()->get(name);
    if (!node) return std::nullopt;
    return Node(*file_, key_.empty() ? std::string(name) : fmt::format("{}.{}", key_, name), *node);
  }
  Node at(std::string_view name, std::string_view what) const {
    const std::optional<Node> found = find(name);
    if (!found) expected(fmt::format("{} = {}", name, what));
    return *found;
  }
  std::string text_at(std::string_view name, std::string_view otherwise = "") const {
    const std::optional<Node> found = find(name);
    return found ? found->text() : std::string(otherwise);
  }
  /// The entries of a table, in the order of the file. Those of a table with `known` keys may have no other.
  std::vector<std::pair<std::string, Node>> entries(const Names& known = {}) const {
    if (!node_->is_table()) expected("{ key = …, … }");
    std::vector<std::pair<std::string, Node>> all;
    for (const auto& [key, node] : *node_->as_table()) {
      const std::string name(key.str());
      all.emplace_back(name, *find(name));
      require(known.empty() || std::ranges::count(known, name) > 0, "{}: no such key{}",
              all.back().second.place(), instead_of(name, known));
    }
    std::ranges::sort(all, {}, [](const auto& entry) {
      const toml::source_position& at = entry.second.node_->source().begin;
      return std::pair(at.line, at.column);
    });
    return all;
  }

 private:
  const std::string* file_;
  std::string key_;
  const toml::node* node_;
};

struct ColumnLine {
  Node line;
  Column column;
  bool is_text;
};

ColumnLine column_from(const std::string& name, const Node& line) {
  if (line.is_text()) return {line, {name, "1", Kind::exact, line.text()}, false};
  line.entries({"kind", "unit", "is", "interval"});
  const std::string kind = line.text_at("kind", "exact");
  const bool is_text = kind == "text";
  Column column{name, line.text_at("unit", is_text ? "" : "1"),
                is_text ? Kind::exact : line.in_place([&] { return kind_from(kind); }),
                line.at("is", "what the column means").text()};
  if (const auto interval = line.find("interval")) {
    const Names ends = names_in(interval->text("the names of its ends: \"low high\""));
    if (ends.size() != 2) interval->expected("the names of its ends: \"low high\"");
    column.low = ends[0], column.high = ends[1];
  }
  return {line, column, is_text};
}

/// A table of the file: columns as they are described.
struct TableLines {
  std::string name;
  Node line;
  std::vector<ColumnLine> columns;

  const Column& column(std::string_view wanted) const {
    Names names;
    for (const ColumnLine& of : columns) {
      if (of.column.name == wanted) return of.column;
      names.push_back(of.column.name);
    }
    refuse("no column '{}'{}", wanted, instead_of(wanted, names));
  }
  /// Throws Error for a field of its own that is no column (or, in a kept cell, the end of one's interval).
  void expect(const Row& row) const {
    for (const Field& field : row.fields) {
      const bool is_end = std::ranges::any_of(columns, [&](const ColumnLine& of) {
        return !of.column.low.empty() &&
               (field.name == of.column.name + "_low" || field.name == of.column.name + "_high");
      });
      if (!is_end) line.in_place([&] { column(field.name); });
    }
  }
};

void add_columns(const Column& column, std::vector<Column>& columns) {
  columns.push_back(column);
  if (column.low.empty()) return;
  const std::string end = fmt::format("end of the {:.0f}% interval of {}", 100 * shown_level, column.name);
  columns.emplace_back(column.low, column.unit, column.kind, "lower " + end);
  columns.emplace_back(column.high, column.unit, column.kind, "upper " + end);
}

void add_values(const ColumnLine& described, const Row& row, std::vector<Value>& values) {
  const auto& [line, column, is_text] = described;
  const Value value = line.in_place([&] { return row[described.column.name].value; });
  if (std::holds_alternative<std::string>(value) != is_text)
    line.expected(fmt::format("{}, and a row has '{}'",
                              is_text ? "texts" : "numbers (of texts: kind = \"text\")", to_text(value)));
  values.push_back(value);
  if (column.low.empty()) return;
  const std::optional<Estimate> estimate = row.estimate(column.name);
  if (!estimate) line.expected("estimates, for it has an interval, and a row has a number alone");
  values.emplace_back(estimate->low.value_or(NAN));
  values.emplace_back(estimate->high.value_or(NAN));
}

Table table_from(const TableLines& described, const std::string& file, const Frame& rows) {
  std::vector<Column> columns;
  for (const ColumnLine& of : described.columns) add_columns(of.column, columns);
  Table table{file, std::move(columns)};
  for (const Row& row : rows) {
    described.expect(row);
    std::vector<Value> values;
    for (const ColumnLine& of : described.columns) add_values(of, row, values);
    table.add(std::move(values));
  }
  return table;
}

/// A number as it stands, or the row's field of that name.
std::optional<double> number_of(const std::optional<Node>& given, const Row& row) {
  if (!given) return std::nullopt;
  return given->is_text() ? given->in_place([&] { return row.number(given->text()); }) : given->number();
}

bool is_same(const Value& a, const Value& b) {
  const auto is_text = [](const Value& value) { return std::holds_alternative<std::string>(value); };
  return is_text(a) == is_text(b) && (is_text(a) ? a == b : to_number(a) == to_number(b));
}

/// A field and the values of which a row has to have one.
struct Wanted {
  std::string field;
  Node line;
  std::vector<Value> values;

  bool holds(const Row& row) const {
    const Value value = line.in_place([&] { return row[field].value; });
    return std::ranges::any_of(values, [&](const Value& one) { return is_same(one, value); });
  }
};

std::vector<Wanted> wanted_from(const std::optional<Node>& where) {
  std::vector<Wanted> all;
  if (!where) return all;
  for (const auto& [field, line] : where->entries()) {
    Wanted& wanted = all.emplace_back(Wanted{field, line, {}});
    for (const Node& value : line.list()) wanted.values.push_back(value.value());
  }
  return all;
}

struct FindingLine {
  Node line;
  std::string measure, table, field;
  Column column;  ///< what the number is
};

}  // namespace

class ClaimFile {
 public:
  ClaimFile(std::string_view claim, std::string_view toml);

  const std::string& statement() const { return statement_; }
  const std::string& source() const { return source_; }
  void expect(const Row& row) const {
    if (const TableLines* table = described(row.table)) table->expect(row);
  }
  Outcome conclude(const Frames& frames) const;
  Frames reread(const std::function<std::string(const std::string&)>& csv) const;

 private:
  const TableLines* described(std::string_view table) const {
    const auto found = std::ranges::find(tables_, table, &TableLines::name);
    return found == tables_.end() ? nullptr : &*found;
  }
  void add_tables(const Node& file);
  void add_finding(const std::string& measure, const Node& line);
  void expect_finding(const Node& id) const;
  void add_findings(const FindingLine& line, const Frames& frames, Outcome& outcome) const;
  std::optional<Finding> finding_from(const std::string& id) const;
  void add_conditions(Role role, const Node& line, Outcome& outcome) const;

  std::string claim_, file_, statement_, source_;
  toml::table root_;
  std::vector<TableLines> tables_;
  std::vector<FindingLine> findings_;
  std::vector<std::pair<Role, Node>> rule_;
};

ClaimFile::ClaimFile(std::string_view claim, std::string_view toml)
    : claim_(claim), file_(lower(claim) + ".toml") {
  try {
    root_ = toml::parse(toml);
  } catch (const toml::parse_error& error) {
    refuse("{}:{}: {}", file_, error.source().begin.line, error.description());
  }
  const Node file(file_, "", root_);
  file.entries({"statement", "source", "table", "column", "findings", "rule"});
  statement_ = file.at("statement", "the claim in a sentence").text();
  Names sources;
  const Node source = file.at("source", "[\"d\"]");
  for (const Node& one : source.list()) sources.push_back(one.text());
  source_ = source.is_text() ? sources.front() : fmt::format("[{}]", fmt::join(sources, ", "));
  add_tables(file);
  if (const auto findings = file.find("findings"))
    for (const auto& [measure, lines] : findings->entries())
      for (const Node& line : lines.list()) add_finding(measure, line);
  for (const auto& [role, lines] : file.at("rule", "core = [ … ]").entries({"core", "limit"}))
    for (const Node& line : lines.list()) {
      line.entries({"of", "below", "above", "equal", "margin", "evidence", "level", "by", "says", "needs"});
      for (const Node& id : line.at("of", "a finding or a list of them").list()) expect_finding(id);
      rule_.emplace_back(role_from(role), line);
    }
}

/// A table lists its columns; [column] describes each once, or one of a table alone as "table.column".
void ClaimFile::add_tables(const Node& file) {
  const auto tables = file.find("table"), columns = file.find("column");
  if (!tables) return;
  Names known, listed;
  if (columns)
    for (const auto& [name, line] : columns->entries()) known.push_back(name);
  for (const auto& [table, order] : tables->entries()) {
    TableLines lines{table, order, {}};
    for (const std::string& name : names_in(order.text("its columns: \"d k r\""))) {
      const std::string own = fmt::format("{}.{}", table, name);
      listed.push_back(std::ranges::count(known, own) > 0 ? own : name);
      require(std::ranges::count(known, listed.back()) > 0, "{}: [column] does not describe '{}'{}",
              order.place(), name, instead_of(name, known));
      lines.columns.push_back(column_from(name, *columns->find(listed.back())));
    }
    tables_.push_back(std::move(lines));
  }
  for (const std::string& name : known)
    if (std::ranges::count(listed, name) == 0) columns->find(name)->expected("a table that lists it");
}

void ClaimFile::add_finding(const std::string& measure, const Node& line) {
  line.entries({"cell", "by", "where", "theory", "n", "is", "kind", "unit", "needs"});
  const Node cell = line.at("cell", "\"table.column\"");
  const std::string address = cell.text();
  const std::size_t dot = address.find('.');
  if (dot == address.npos) cell.expected("\"table.column\"");
  FindingLine finding{line, measure, address.substr(0, dot), address.substr(dot + 1), Column{measure, "1"}};
  if (const TableLines* table = described(finding.table)) {
    for (const char* key : {"kind", "unit"})
      if (const auto again = line.find(key)) again->expected("nothing: the column says it");
    finding.column = cell.in_place([&] { return table->column(finding.field); });
  } else {
    const Node is = line.at("is", "what the number means, for no [table] lists it");
    finding.column = {measure, line.text_at("unit", "1"),
                      line.in_place([&] { return kind_from(line.text_at("kind", "exact")); }), is.text()};
  }
  if (finding.column.kind == Kind::sampled) line.at("n", "the draws behind it: a number or a field");
  finding.column.meaning = sentence(line.text_at("is", finding.column.meaning));
  findings_.push_back(std::move(finding));
}

/// Of this claim a measure that is there; another claim's are known to the report alone.
void ClaimFile::expect_finding(const Node& id) const {
  const std::string measure = id.text("a finding's id").substr(0, id.text().find('.'));
  if (measure == "elsewhere" || std::isupper(static_cast<unsigned char>(measure[0]))) return;
  Names measures;
  for (const FindingLine& line : findings_) measures.push_back(line.measure);
  require(std::ranges::count(measures, measure) > 0, "{}: no finding '{}'{}", id.place(), measure,
          instead_of(measure, measures));
}

void ClaimFile::add_findings(const FindingLine& finding, const Frames& frames, Outcome& outcome) const {
  const auto& [line, measure, table, field, column] = finding;
  const std::size_t before = outcome.findings.size();
  const auto where = line.find("where");
  const std::vector<Wanted> wanted = wanted_from(where);
  const Names by = names_in(line.text_at("by"));
  const bool may_lack = line.find("needs").has_value();
  if (!may_lack || frames.has(table))
    for (const Row& row : *line.in_place([&] { return &frames[finding.table]; })) {
      if (!std::ranges::all_of(wanted, [&](const Wanted& one) { return one.holds(row); })) continue;
      Coordinates place;
      for (const std::string& name : by)
        place.emplace_back(name, line.find("by")->in_place([&] { return row[name].value; }));
      const Estimate number = line.find("cell")->in_place(
          [&] { return row.estimate(finding.field).value_or(Estimate{row.number(finding.field)}); });
      const auto n = number_of(line.find("n"), row);
      outcome.findings.push_back(
          perp::finding(claim_, measure, place, number,
                        {.theory = number_of(line.find("theory"), row),
                         .unit = column.unit,
                         .n = n ? std::optional(static_cast<std::uint64_t>(*n)) : std::nullopt,
                         .kind = column.kind,
                         .meaning = column.meaning}));
    }
  if (outcome.findings.size() == before && !may_lack)
    (where ? *where : line)
        .expected(fmt::format("a row of '{}' (needs = … where a run may have none)", table));
}

/// What an id says, measured or not: a rule is the same in every run.
std::optional<Finding> ClaimFile::finding_from(const std::string& id) const {
  Names parts;
  for (std::size_t from = 0, dot; from <= id.size(); from = dot + 1) {
    dot = std::min(id.find('.', from), id.size());
    parts.push_back(id.substr(from, dot - from));
  }
  for (const FindingLine& line : findings_) {
    const Names by = names_in(line.line.text_at("by"));
    if (parts[0] != claim_ || parts[1] != line.measure || parts.size() != by.size() + 2) continue;
    Finding finding;
    finding.meaning = line.column.meaning;
    for (std::size_t k = 0; k < by.size(); ++k) {
      const std::string& part = parts[k + 2];  // "d512" under the key d; a text stands alone
      const bool is_number =
          part.starts_with(by[k]) && part.find_first_of("m0123456789", by[k].size()) == by[k].size();
      std::string value = is_number ? part.substr(by[k].size()) : part;
      if (is_number) std::ranges::replace(value, 'p', '.'), std::ranges::replace(value, 'm', '-');
      finding.at.emplace_back(by[k], is_number ? value_from(value) : Value(value));
    }
    return finding;
  }
  return std::nullopt;
}

void ClaimFile::add_conditions(Role role, const Node& line, Outcome& outcome) const {
  Condition condition;
  condition.role = role;
  condition.says = line.text_at("says");
  condition.needs = line.text_at("needs");
  Names relations;
  for (const char* relation : {"below", "above", "equal"})
    if (const auto bound = line.find(relation)) {
      relations.emplace_back(relation);
      condition.is = is_from(relation);
      const bool is_id = bound->is_text() && std::isalpha(static_cast<unsigned char>(bound->text()[0]));
      condition.bound = is_id ? Bound(bound->text()) : Bound(bound->number());
      if (is_id && bound->text() != "theory") expect_finding(*bound);
    }
  if (relations.size() != 1) line.expected("one of below, above and equal");
  if (const auto margin = line.find("margin")) condition.margin = margin->number();
  const Node evidence = line.at("evidence", "what stands behind it");
  condition.evidence = evidence.in_place([&] { return evidence_from(evidence.text()); });
  if (const auto levels = line.find("level"))
    for (const auto& [name, level] : levels->entries()) condition.levels.emplace_back(name, level.text());
  const Names by = names_in(line.text_at("by"));
  const auto add = [&](const std::string& id) {
    Condition one = condition;
    one.finding = id;
    if (!id.empty() && one.needs.empty() && !find(outcome.findings, id))
      line.expected(
          fmt::format("a finding that is there (needs = … where a run may have none), and not '{}'", id));
    const std::optional<Finding> meant = finding_from(id);
    if (meant && one.says.empty()) one.says = words_of(*meant);
    for (const std::string& name : by) {
      if (!meant) line.expected("level = …, for by asks what the id of a finding of this claim says");
      one.levels.emplace_back(name, line.in_place([&] { return to_text(perp::at(meant->at, name)); }));
    }
    outcome.rule.push_back(std::move(one));
  };
  for (const Node& of : line.find("of")->list()) {
    const std::string id = of.text();
    if (id == "elsewhere")
      add(elsewhere);
    else if (!id.ends_with(".*"))
      add(whole_id(claim_, id));
    else
      for (const Finding& found : outcome.findings)
        if (found.id.starts_with(whole_id(claim_, id.substr(0, id.size() - 1)))) add(found.id);
  }
}

Outcome ClaimFile::conclude(const Frames& frames) const {
  Outcome outcome;
  Names known;
  for (const TableLines& table : tables_) {
    known.push_back(table.name);
    outcome.tables.push_back(table_from(table, fmt::format("{}_{}.csv", lower(claim_), table.name),
                                        frames.has(table.name) ? frames[table.name] : Frame(table.name)));
  }
  for (const FindingLine& line : findings_) add_findings(line, frames, outcome);
  frames.expect_read(known);
  for (const auto& [role, line] : rule_) add_conditions(role, line, outcome);
  complete(outcome, claim_);
  return outcome;
}

Frames ClaimFile::reread(const std::function<std::string(const std::string&)>& csv) const {
  Frames frames;
  for (const TableLines& table : tables_) {
    const std::string text = csv(table.name);
    if (text.empty()) continue;
    for (Row row : frame_from_csv(table.name, text)) {
      for (const ColumnLine& of : table.columns)
        for (Field& field : row.fields)
          if (field.name == of.column.name && of.is_text)
            field.value = to_text(field.value);
          else if (const auto* other = std::get_if<std::string>(&field.value);
                   other && field.name == of.column.name)
            field.value = parse_double(*other).value_or(NAN);  // "1e+12", as files have it
      frames.add(std::move(row));
    }
  }
  return frames;
}

Experiment::Experiment(std::string_view claim_, std::string_view toml, std::vector<std::string> depends_)
    : claim(claim_),
      of(claim_),
      depends(std::move(depends_)),
      file_(std::make_shared<const ClaimFile>(claim_, toml)) {
  statement = file_->statement();
  source = file_->source();
}

void Experiment::cell(const Coordinates& at, double cost, std::function<void(const Streams&, Out&)> measure) {
  cells.push_back({at, cost, std::move(measure)});
}

Records Experiment::measure(const Cell& cell, std::uint64_t seed) const {
  Out out(cell.at);
  cell.measure(Streams{seed, cells_name(), to_text(cell.at)}, out);
  std::vector<Row> rows = out.take();
  for (const Row& row : rows) file_->expect(row);
  return records_of(std::move(rows));
}

Outcome Experiment::summarise(const std::vector<CellRecords>& measured) const {
  Frames frames;
  for (const auto& [cell, records] : measured)
    for (const Record& record : records)
      frames.add({record.name, fields_of(cell.at), fields_of(record.values)});
  return conclude(std::move(frames));
}

Outcome Experiment::conclude(Frames frames) const {
  Out out;
  if (fold_) fold_(frames, out);
  for (Row& row : out.take()) frames.add(std::move(row));
  Outcome outcome = file_->conclude(frames);
  for (const auto& more : also_) {
    more(outcome);
    complete(outcome, claim);
  }
  return outcome;
}

Frames Experiment::reread(const std::function<std::string(const std::string&)>& csv) const {
  return file_->reread(csv);
}

}  // namespace perp
