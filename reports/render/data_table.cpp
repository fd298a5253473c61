#include "reports/render/data_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/study/display.hpp"
#include "reports/render/text.hpp"

namespace perp::report {
namespace {

struct Shown {
  std::size_t column = 0;
  std::string name, format, head;
  bool interval = false;
  std::size_t low = 0, high = 0;
};

struct Filter {
  std::size_t column = 0;
  std::string relation, value;
};

const Column& definition_of(const Table& table, const std::string& name) {
  return *std::ranges::find(table.columns, name, &Column::name);
}

Shown shown_from(const std::string& item, const Csv& csv, const Table& table) {
  static const Pattern form(R"(([a-z0-9_]+)(\[\])?(?::(\S+))?)");
  const std::vector<std::string> match = form.match(item);
  require(!match.empty(), "column {} is not written name, name:.3f or name[]:.3f", in_quotes(item));
  Shown shown;
  shown.name = match[1];
  shown.column = csv.column(shown.name);
  shown.format = match[3];
  if (!shown.format.empty()) format_number(0.0, shown.format);  // a wrong format, even where no cell needs it
  const Column& definition = definition_of(table, shown.name);
  shown.head = escape_markdown(shown.name);
  if (definition.unit != "1" && !definition.unit.empty())
    shown.head += fmt::format(" ({})", escape_markdown(definition.unit));
  if (!match[2].empty()) {
    require(!definition.low.empty() && !definition.high.empty(), "column '{}' has no interval", shown.name);
    shown.interval = true;
    shown.low = csv.column(definition.low);
    shown.high = csv.column(definition.high);
  }
  return shown;
}

Filter filter_from(const std::string& item, const Csv& csv) {
  static const Pattern form(R"re(([a-z0-9_]+)\s*(!?=|>)\s*("[^"]*"|\S+))re");
  const std::vector<std::string> match = form.match(item);
  require(!match.empty(), "condition {} is not written name=value, name!=value or name>number",
          in_quotes(item));
  std::string value = match[3];
  if (value.front() == '"') value = value.substr(1, value.size() - 2);
  require(match[2] != ">" || parse_double(value), "condition {}: '>' asks for a number", in_quotes(item));
  return {csv.column(match[1]), match[2], value};
}

/// Numbers are equal as numbers ("512" and "512.0"), everything else as text; no text is above a number.
bool passes(const Filter& filter, const std::vector<std::string>& row) {
  const std::string& cell = row[filter.column];
  const auto a = parse_double(cell), b = parse_double(filter.value);
  if (filter.relation == ">") return a && *a > *b;
  return (a && b ? *a == *b : cell == filter.value) == (filter.relation == "=");
}

/// The rows that "a=1 & b!=text & c>2" leaves; of "" all.
std::vector<std::size_t> rows_where(const Csv& csv, const std::string& conditions) {
  std::vector<Filter> filters;
  if (!conditions.empty())
    for (const std::string& item : split(conditions, '&')) filters.push_back(filter_from(item, csv));
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < csv.rows.size(); ++row)
    if (std::ranges::all_of(filters, [&](const Filter& filter) { return passes(filter, csv.rows[row]); }))
      kept.push_back(row);
  return kept;
}

void set_heads(std::vector<Shown>& columns, const std::string& list) {
  static const Pattern one(R"re("([^"]*)")re");
  std::size_t at = 0;
  for (const std::string& head : one.all(list)) {
    if (at < columns.size()) columns[at].head = head;
    ++at;
  }
  require(at == columns.size(), "{} columns have {} heads", columns.size(), at);
}

MarkdownCell cell_of(const Csv& csv, std::size_t row, const Shown& shown) {
  const std::string& cell = csv.rows[row][shown.column];
  if (cell.empty()) return {"–", true};
  const std::string said = display_name(cell, shown.name);
  const auto value = parse_double(cell);
  if (!value) {
    require(shown.format.empty() && !shown.interval,
            "column '{}' holds the text {} where a number was expected", shown.name, in_quotes(cell));
    return {escape_markdown(with_minus_signs(said))};
  }
  if (said != cell) return {escape_markdown(said), true};  // a code, not a number
  std::optional<double> low, high;
  if (shown.interval) {
    low = csv.number(row, shown.low), high = csv.number(row, shown.high);
    if (std::isnan(*low) || std::isnan(*high)) low = high = std::nullopt;
  }
  return {format_with_interval(*value, low, high, shown.format), true};
}

/// What a number means by itself: in front of "The same …", "That …", "Its …" and "…, likewise." what the
/// finding above them means.
std::string whole_meaning(const Facts& facts, const Finding& finding) {
  const auto leans = [](std::string_view text) {
    return text.starts_with("The same") || text.starts_with("That ") || text.starts_with("Its ") ||
           text.find("likewise") != text.npos;
  };
  const Claim* claim = facts.entry(finding.id.substr(0, finding.id.find('.')));
  if (!claim || !leans(finding.meaning)) return finding.meaning;
  auto at = std::ranges::find(claim->findings, finding.id);
  if (at == claim->findings.end()) return finding.meaning;  // a longer run's
  while (at != claim->findings.begin())
    if (const std::string& above = facts.finding(*--at)->meaning; !leans(above))
      return fmt::format("{} {}", above, finding.meaning);
  return finding.meaning;
}

bool has_unit(const Finding& finding) {
  return finding.unit != "1" && finding.unit != "share" && !finding.unit.empty();
}

}  // namespace

std::string markdown_table(const std::vector<std::string>& heads, const MarkdownRows& rows) {
  std::string out = "|", rule = "|";
  for (std::size_t c = 0; c < heads.size(); ++c) {
    out += fmt::format(" {} |", heads[c]);
    const bool numbers = std::ranges::all_of(rows, [&](const auto& row) { return row.at(c).is_number; });
    rule += numbers ? " ---: |" : " :--- |";
  }
  out += fmt::format("\n{}\n", rule);
  for (const std::vector<MarkdownCell>& row : rows) {
    out += "|";
    for (const MarkdownCell& cell : row) out += fmt::format(" {} |", cell.markdown);
    out += "\n";
  }
  return out;
}

std::string data_table(const Facts& facts, std::string_view arguments, const Links& links,
                       const std::filesystem::path& sections) {
  static const Pattern form(
      R"re((\S+)\s+columns=(.+?)(?:\s+as\s+((?:"[^"]*"[\s,]*)+))?(?:\s+where\s+(.+?))?(?:\s+(whole))?)re");
  const std::vector<std::string> match = form.match(trim(arguments));
  require(!match.empty(),
          "expected: table study/file.csv columns=a,b:.3f as \"A\",\"B\" where c=1 & d=text whole");
  constexpr std::string_view beside = "sections/";
  Csv csv;
  Table definition;
  if (match[1].starts_with(beside)) {
    csv = read_csv(sections / match[1].substr(beside.size()));
    for (const std::string& name : csv.columns) definition.columns.push_back({name, "1", Kind::exact});
  } else {
    csv = facts.table(match[1]);
    definition = facts.table_definition(match[1]);
  }
  std::vector<Shown> columns;
  for (const std::string& item : split(match[2], ',')) columns.push_back(shown_from(item, csv, definition));
  if (!match[3].empty()) set_heads(columns, match[3]);

  std::vector<std::string> heads;
  for (const Shown& shown : columns) heads.push_back(shown.head);
  MarkdownRows rows;
  const std::vector<std::size_t> kept = rows_where(csv, match[4]);
  require(!kept.empty(), "no row of {} is left to print", match[1]);
  const std::size_t shown = match[5].empty() ? std::min(kept.size(), most_rows) : kept.size();
  for (std::size_t i = 0; i < shown; ++i) {
    // The first, the last, and between them every so many.
    const std::size_t row = kept[kept.size() == shown ? i : i * (kept.size() - 1) / (shown - 1)];
    rows.emplace_back();
    for (const Shown& column : columns) rows.back().push_back(cell_of(csv, row, column));
  }
  const std::string table = markdown_table(heads, rows);
  if (shown == kept.size()) return table;
  return fmt::format("{}\n*{} of {} rows, evenly spaced; all in {}.*\n", table, shown, kept.size(),
                     links.label(escape_markdown(match[1].substr(match[1].find('/') + 1)), match[1]));
}

std::string data_cell(const Facts& facts, std::string_view arguments) {
  static const Pattern form(R"re((\S+)\s+([a-z0-9_]+)\s+where\s+([^|]+?)\s*(?:\|\s*(\S+))?)re");
  const std::vector<std::string> match = form.match(trim(arguments));
  require(!match.empty(),
          "expected: cell study/file.csv column where a=1 & b=text & c>2|.2f, or count in column's place");
  const Csv csv = facts.table(match[1]);
  const std::vector<std::size_t> kept = rows_where(csv, match[3]);
  if (match[2] == "count") return format_number(static_cast<double>(kept.size()), match[4]);
  const std::size_t column = csv.column(match[2]);
  require(kept.size() == 1, "{} rows of {} are where {}; a cell is of one", kept.size(), match[1], match[3]);
  return format_number(csv.number(kept.front(), column), match[4]);
}

Draws draws_of(const Finding& finding) {
  const bool one_for_all = finding.value == -1 || finding.value == 0 || finding.value == 1;
  return {one_for_all ? finding.n : 0, finding.level.value_or(shown_level)};
}

std::string finding_text(const Facts& facts, const Finding& finding) {
  std::string text;
  if (!std::isnan(finding.value)) {
    text = format_with_interval(finding.value, finding.low, finding.high, "", draws_of(finding));
    if (has_unit(finding)) text += fmt::format(" {}", finding.unit);
    if (finding.low && finding.level) text += fmt::format(" ({})", format_level(*finding.level));
    text += ", ";
  }
  if (finding.theory) text += fmt::format("theory or chance {}, ", format_number(*finding.theory));
  return fmt::format("{}n = {}. {}", text, format_number(static_cast<double>(finding.n)),
                     whole_meaning(facts, finding));
}

std::string findings_table(const Facts& facts, std::string_view id) {
  const Claim& claim = *facts.entry(id);
  std::set<double> levels;
  for (const std::string& name : claim.findings)
    if (const Finding& finding = *facts.finding(name); finding.level) levels.insert(*finding.level);
  const std::string interval =
      levels.size() == 1 ? fmt::format("{} interval", format_level(*levels.begin())) : "interval";
  MarkdownRows rows;
  std::map<std::string, std::size_t> meanings;
  for (const std::string& name : claim.findings) {
    const Finding& finding = *facts.finding(name);
    std::string value = "–";
    if (!std::isnan(finding.value)) {
      value = format_with_interval(finding.value, finding.low, finding.high, "", draws_of(finding));
      if (has_unit(finding)) value += fmt::format(" {}", escape_markdown(finding.unit));
    }
    // A meaning that rows share is said once and numbered: GitHub cuts pages off at half a megabyte.
    const auto [said, is_new] = meanings.try_emplace(finding.meaning, meanings.size() + 1);
    std::string meaning = fmt::format("({})", said->second);
    if (is_new) meaning += fmt::format(" {}", escape_markdown(finding.meaning));
    rows.push_back({fmt::format("`{}`", finding.id),
                    {value, true},
                    {finding.theory ? format_number(*finding.theory) : "–", true},
                    {format_number(static_cast<double>(finding.n)), true},
                    meaning});
  }
  return markdown_table({"finding", fmt::format("value [{}]", interval), "theory or chance", "n", "meaning"},
                        rows);
}

}  // namespace perp::report
