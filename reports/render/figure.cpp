#include "reports/render/figure.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/study/display.hpp"
#include "reports/render/expand.hpp"
#include "reports/render/text.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;

struct HeaderLine {
  std::string key;
  HeaderText value;
};

/// The lines "#: key: text" with what continues them.
std::vector<HeaderLine> header_of(std::string_view script, const std::string& where) {
  static const Pattern keyed("#: ([a-z]+):(.*)"), continued("#: {2,}(.*)");
  std::vector<HeaderLine> header;
  std::size_t line = 0;
  for (const std::string& text : split(script, '\n')) {
    ++line;
    if (!text.starts_with("#:")) continue;
    std::vector<std::string> match = continued.match(text);
    if (!match.empty()) {
      require(!header.empty(), "{}:{}: continues a header line that is not there", where, line);
      header.back().value.text += fmt::format("\n{}", match[1]);
      continue;
    }
    match = keyed.match(text);
    require(!match.empty(), "{}:{}: expected '#: key: text'", where, line);
    header.push_back({match[1], {std::string(trim(match[2])), line}});
  }
  return header;
}

/// "name = rest"
std::pair<std::string, HeaderText> assignment(const HeaderText& value) {
  static const Pattern form(R"(([a-z][a-z0-9_]*)\s*=\s*([^]+))");
  const std::vector<std::string> match = form.match(value.text);
  require(!match.empty(), "expected 'name = …', found {}", in_quotes(value.text));
  return {match[1], {match[2], value.line}};
}

void set_size(int& width, int& height, const std::string& text) {
  static const Pattern form("([1-9][0-9]{2,3})x([1-9][0-9]{2,3})");
  const std::vector<std::string> match = form.match(text);
  require(!match.empty(), "size {} is not written 760x430", in_quotes(text));
  width = std::stoi(match[1]);
  height = std::stoi(match[2]);
}

void set(Figure& figure, const HeaderLine& line) {
  const HeaderText& value = line.value;
  const auto once = [&](HeaderText& slot) {
    require(slot.text.empty(), "'{}' is given twice", line.key);
    require(!value.text.empty(), "'{}' is empty", line.key);
    slot = value;
  };
  if (line.key == "title") return once(figure.title);
  if (line.key == "caption") return once(figure.caption);
  if (line.key == "alt") return once(figure.alt);
  if (line.key == "size") return set_size(figure.width, figure.height, value.text);
  if (line.key == "phone") return set_size(figure.phone_width, figure.phone_height, value.text);
  if (line.key == "number") return void(figure.numbers.push_back(assignment(value)));
  if (line.key == "text") return void(figure.texts.push_back(assignment(value)));
  if (line.key == "claim") return void(figure.claim = value.text);
  if (line.key == "finding") return void(figure.finding = value.text);
  require(line.key == "needs" || line.key == "also",
          "'{}' is none of claim, finding, needs, also, title, caption, alt, size, phone, number, text",
          line.key);
  for (const std::string& table : words_of(value.text))
    (line.key == "needs" ? figure.needs : figure.also).push_back(table);
}

void check(const Figure& figure) {
  static const Pattern name("[a-z0-9]+(-[a-z0-9]+)+");
  require(name.fits(figure.name), "a figure is called <study>-<name>.gp");
  require(!figure.claim.empty() || figure.name.starts_with("report-"), "its header has no claim");
  require(!figure.title.text.empty(), "its header has no title");
  require(!figure.caption.text.empty(), "its header has no caption");
  require(!figure.alt.text.empty(), "its header has no alt");
  std::set<std::string> names;
  for (const auto* tables : {&figure.needs, &figure.also})
    for (const std::string& table : *tables)
      require(names.insert(data_name(table)).second, "two tables would be called {}", data_name(table));
}

/// The one table that no study writes.
constexpr std::string_view verdicts = "ledger.csv";

/// Numbers and checked names only: nothing that a study wrote as text reaches the program. "" of pictures
/// alone.
std::string verdict_rows(const Facts& facts) {
  static const Pattern plain("[a-z]+");
  std::string out;
  std::map<std::pair<std::size_t, Evidence>, int> places;
  for (const Claim& claim : facts.claims()) {
    const std::size_t study =
        static_cast<std::size_t>(facts.study_of_claim(claim.id) - facts.studies().data());
    const std::string name = facts.studies()[study].study;
    for (const Evidence kind : evidence_of(claim.rule))
      out += fmt::format("{},{},{},{},{},{}\n", study, claim.id, static_cast<int>(claim.verdict()),
                         static_cast<int>(kind), places[{study, kind}]++, plain.fits(name) ? name : "");
  }
  return out;
}

/// display_name(identifier) for scripts: names of models and those that hold in any column.
std::string display_function() {
  std::string out = "display_name(name) = ";
  for (const DisplayName& name : display_names())
    if (name.column.empty() || name.column == "model")
      out += fmt::format("name eq {} ? {} : ", gnuplot_string(name.identifier), gnuplot_string(name.shown));
  return out + "name\n";
}

/// Lines of at most `most` letters where words allow it.
std::string wrapped(std::string_view text, std::size_t most) {
  const auto letters = [](std::string_view word) {
    return static_cast<std::size_t>(
        std::ranges::count_if(word, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  };
  std::string out;
  std::size_t length = 0;
  for (const std::string& word : words_of(text)) {
    const bool fits = out.empty() || length + 1 + letters(word) <= most;
    length = fits && !out.empty() ? length + 1 + letters(word) : letters(word);
    out += (out.empty() ? "" : fits ? " " : "\n") + word;
  }
  return out;
}

std::string variables(const Figure& figure, const Facts& facts, Expander& expander) {
  const std::string script = figure.script.string();
  const auto filled = [&](const HeaderText& header) {
    const std::string text = expander.text(header.text, script, header.line, Target::plain);
    return fmt::format("{}", fmt::join(words_of(text), " "));
  };
  // A letter of the title, bold and 14 pixels high, is about 9 wide.
  const std::string title = filled(figure.title),
                    lines =
                        figure.is_phone ? wrapped(title, static_cast<std::size_t>(figure.width) / 9) : title;
  std::vector<std::string> quoted;
  for (const std::string& line : split(lines, '\n')) quoted.push_back(gnuplot_string(line));
  std::string out = fmt::format("phone = {}\ntitle_lines = {}\nfigure_title = {}\n", figure.is_phone ? 1 : 0,
                                quoted.size(), fmt::join(quoted, " . \"\\n\" . "));
  for (const std::string& table : figure.needs)
    out += table == verdicts
               ? fmt::format("$ledger << END\nstudy,claim,verdict,evidence,place,chapter\n{}END\n",
                             verdict_rows(facts))
               : fmt::format("{} = {}\n", data_name(table),
                             gnuplot_string(fs::absolute(facts.table_path(table)).string()));
  for (const std::string& table : figure.also) {
    const fs::path path = facts.table_path(table);
    out += fmt::format("{} = {}\n", data_name(table),
                       gnuplot_string(fs::exists(path) ? fs::absolute(path).string() : ""));
  }
  for (const auto& [name, text] : figure.texts)
    out += fmt::format("{} = {}\n", name, gnuplot_string(filled(text)));
  for (const auto& [name, id] : figure.numbers) {
    const Finding* finding = facts.finding(trim(id.text));
    require(finding != nullptr && std::isfinite(finding->value), "{}:{}: no measured finding {}", script,
            id.line, in_quotes(id.text));
    out += fmt::format("{} = {}\n", name, finding->value);
  }
  return out;
}

}  // namespace

std::string data_name(const std::string& table) {
  std::string run = fs::path(table).begin()->string();
  if (run != "long" && !run.starts_with("long-")) return "data_" + fs::path(table).stem().string();
  std::ranges::replace(run, '-', '_');
  return fmt::format("data_{}_{}", run, fs::path(table).stem().string());
}

Figure figure_from(std::string_view script, const std::string& name, const fs::path& path) {
  Figure figure;
  figure.name = name;
  figure.script = path;
  for (const HeaderLine& line : header_of(script, path.string())) {
    try {
      set(figure, line);
    } catch (const Error& error) {
      refuse("{}:{}: {}", path.string(), line.value.line, error.what());
    }
  }
  try {
    check(figure);
  } catch (const Error& error) {
    refuse("{}: {}", path.string(), error.what());
  }
  return figure;
}

std::vector<Figure> read_figures(const Sources& sources) {
  const fs::path style = sources.style / "style.gp";
  require(fs::exists(style), "no {}, which figures are drawn by", in_quotes(style));
  std::map<std::string, fs::path> scripts;
  const auto add_those_of = [&](const fs::path& folder, const std::string& study) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".gp" && entry.path().filename() != "style.gp")
        scripts[study + entry.path().stem().string()] = entry.path();
  };
  add_those_of(sources.style, "");
  if (fs::is_directory(sources.sections))
    for (const fs::directory_entry& study : fs::directory_iterator(sources.sections))
      if (study.is_directory()) add_those_of(study.path(), study.path().filename().string() + "-");
  std::vector<Figure> figures;
  for (const auto& [name, script] : scripts) {
    figures.push_back(figure_from(read_file(script), name, script));
    figures.back().style = style;
  }
  return figures;
}

Figure on_phone(Figure figure) {
  figure.width = figure.phone_width;
  figure.height = figure.phone_height;
  figure.is_phone = true;
  return figure;
}

bool is_drawable(const Figure& figure, const Facts& facts) {
  if (figure.claim.empty())
    return std::ranges::find(figure.needs, verdicts) == figure.needs.end() || !verdict_rows(facts).empty();
  const Claim* claim = facts.entry(figure.claim);
  if (!claim) return false;
  if (const Finding* finding = facts.finding(figure.finding);
      !figure.finding.empty() && (!finding || std::isnan(finding->value)))
    return false;
  for (const std::string& table : figure.needs) {
    if (fs::exists(facts.table_path(table))) continue;
    require(claim->verdict() == Verdict::unmeasured,
            "{}: needs {}, which is not there though claim {} was measured", figure.script.string(),
            facts.table_path(table).string(), figure.claim);
    return false;
  }
  return true;
}

std::string gnuplot_program(const Figure& figure, const Facts& facts, Expander& expander) {
  std::string id = figure.name;
  std::replace(id.begin(), id.end(), '-', '_');
  return fmt::format(
      "set terminal svg dynamic enhanced size {},{} font 'DejaVu Sans,13' name '{}' background '#ffffff'\n"
      "figure_width = {}\nfigure_height = {}\n{}{}load {}\nload {}\nunset output\n",
      figure.width, figure.height, id, figure.width, figure.height, display_function(),
      variables(figure, facts, expander), gnuplot_string(fs::absolute(figure.style).string()),
      gnuplot_string(fs::absolute(figure.script).string()));
}

}  // namespace perp::report
