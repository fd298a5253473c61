#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/study/display.hpp"
#include "reports/render/claims.hpp"
#include "reports/render/data_table.hpp"
#include "reports/render/runs.hpp"
#include "reports/render/text.hpp"

namespace perp::report {
namespace {

/// Options of `perp report` that name what is read (and the arms that are trained), as a file of models has them as lines: what a run.json says
/// goes no other way into a command, which people will paste.
constexpr auto input_options = std::to_array<std::string_view>(
    {"corpus",  "words",      "positions", "layers",      "rows-words",     "rows",          "rows-positions",
     "lineage", "limit",      "transpose", "rank-words",  "rank-positions", "query",         "key",
     "heads",   "query-bias", "key-bias",  "layernorm",   "encoder",        "encoder-heads", "token-ids",
     "name",    "models",     "kind",      "scale-words", "tokens",         "counts",        "part",
     "head",    "norm",       "arms"});

constexpr const char* models_file = "models.txt";

/// Options as they were given, with their values.
using Given = std::vector<std::pair<std::string, std::string>>;

std::optional<std::string> value_of(const Given& given, std::string_view option) {
  const auto found = std::ranges::find(given, option, &Given::value_type::first);
  return found == given.end() ? std::nullopt : std::optional(found->second);
}

/// The inputs of the command line that the study's run.json keeps; none where there is no record.
Given given_to(const Facts& facts, const Results& study) {
  const nlohmann::json record = read_record(facts.folder() / study.study / "run.json");
  std::vector<std::string> words;
  if (record.contains("command") && record["command"].is_array())
    for (const nlohmann::json& word : record["command"])
      words.push_back(word.is_string() ? word.get<std::string>() : "");
  Given given;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) continue;
    const std::size_t equals = words[i].find('=');
    const std::string option = words[i].substr(2, equals == std::string::npos ? equals : equals - 2);
    if (std::ranges::find(input_options, option) == input_options.end()) continue;
    if (equals != std::string::npos)
      given.emplace_back(option, words[i].substr(equals + 1));
    else if (i + 1 < words.size())
      given.emplace_back(option, words[++i]);
  }
  return given;
}

/// "/of/mine/a.npy:t/x,b.npy" -> "a.npy:t/x,b.npy": a tensor's name may hold '/', too.
std::string without_folders(std::string_view value) {
  std::string text;
  for (std::size_t from = 0; from <= value.size();) {
    const std::size_t to = std::min(value.find(',', from), value.size());
    const std::string_view item = value.substr(from, to - from), file = item.substr(0, item.find(':'));
    const std::size_t folder = file.rfind('/') + 1;  // npos + 1 is 0
    text += fmt::format("{}{}", from > 0 ? "," : "", item.substr(folder));
    from = to + 1;
  }
  return text;
}

/// One word of the shell, on one line.
std::string shell_word(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./:,+-=").find(c) != std::string_view::npos;
  };
  const std::string line = on_one_line(text);
  if (!line.empty() && std::all_of(line.begin(), line.end(), plain)) return line;
  std::string word = "'";
  for (const char c : line) (c == '\'' ? word += "'\\'" : word) += c;
  return word + "'";
}

/// " --words my.npy --positions …", "" if nothing was given. A value that looks like an option stays a value.
std::string inputs_of(const Facts& facts, const Results& study) {
  std::string text;
  for (const auto& [option, value] : given_to(facts, study)) {
    const std::string word = option == "models" ? models_file : shell_word(without_folders(value));
    text += fmt::format(" --{}{}{}", option, word.starts_with('-') ? '=' : ' ', word);
  }
  return text;
}

std::string parameter(const Results& study, const std::string& name) {
  const auto known = std::ranges::find(study.parameters, name, &Coordinate::name);
  return known == study.parameters.end() ? "" : to_text(known->value);
}

/// The models of a study that was given a file of them, as lines of such a file: what its results note of
/// each, folders left out. One that was named in options of its own stands in the command.
std::string models_of(const Facts& facts, const Results& study) {
  const Given given = given_to(facts, study);
  if (!value_of(given, "models")) return "";
  const bool has_own = value_of(given, "words") || value_of(given, "positions") || value_of(given, "layers");
  std::string text;
  for (const std::string& name : words_of(parameter(study, "models"))) {
    if (has_own && name == value_of(given, "name").value_or("model")) continue;
    text += fmt::format("[{}]\n", name);
    for (const Coordinate& noted : study.parameters) {
      const std::size_t end = noted.name.rfind('_');  // a model's name may have one, an option has none
      if (end != std::string::npos && noted.name.substr(0, end) == name)
        text += fmt::format("{} = {}\n", on_one_line(noted.name.substr(end + 1)),
                            on_one_line(to_text(noted.value)));
    }
  }
  return text;
}

/// By claim, from timings.json; empty without one, and none of a claim whose cells were all kept from before.
std::map<std::string, double> processor_seconds(const std::filesystem::path& timings) {
  std::map<std::string, double> seconds;
  const nlohmann::json record = read_record(timings);
  if (!record.contains("experiments") || !record["experiments"].is_array()) return seconds;
  for (const nlohmann::json& experiment : record["experiments"])
    if (experiment.is_object() && experiment.contains("claim") && experiment["claim"].is_string() &&
        experiment.contains("cpu_s") && experiment["cpu_s"].is_number() && experiment.contains("cells") &&
        experiment["cells"] != 0)
      seconds[experiment["claim"].get<std::string>()] = experiment["cpu_s"].get<double>();
  return seconds;
}

/// "12 exact, 30 sampled"
std::string kinds_of(const Results& study, const Claim& claim) {
  std::vector<std::string> parts;
  for (const Kind kind : {Kind::exact, Kind::count, Kind::rounded, Kind::sampled}) {
    const auto is = [&](const std::string& id) { return find(study.findings, id)->kind == kind; };
    if (const auto number = std::ranges::count_if(claim.findings, is); number > 0)
      parts.push_back(fmt::format("{} {}", number, to_text(kind)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// How a study ran: "--preset quick --seed 1 --words my.npy".
std::string way_of(const Facts& facts, const Results& study) {
  return fmt::format("--preset {} --seed {}{}", study.preset, study.seed, inputs_of(facts, study));
}

}  // namespace

std::string command_for(const Facts& facts, std::string_view claim) {
  const Results* study = facts.study_of_claim(claim);
  require(study != nullptr, "no results for a claim '{}'", claim);
  return fmt::format("perp report --studies {} --only {} {}", study->study, claim, way_of(facts, *study));
}

std::string commands(const Facts& facts) {
  std::vector<std::pair<std::string, std::vector<std::string>>> ways;  // how studies ran, and which of them
  std::string models;  // all were given the same; a study notes those that have what it reads
  bool any = false;
  for (const Results& study : facts.studies()) {
    const std::string how = way_of(facts, study);
    auto way = std::ranges::find(ways, how, [](const auto& known) { return known.first; });
    if (way == ways.end()) way = ways.insert(ways.end(), {how, {}});
    way->second.push_back(study.study);
    if (std::string text = models_of(facts, study); text.size() > models.size()) models = std::move(text);
    any = any ||
          std::ranges::any_of(given_to(facts, study), [](const auto& word) { return word.first != "arms"; });
  }
  std::string out = "```sh\n";
  if (!models.empty()) out += fmt::format("cat >{} <<'END'\n{}END\n", models_file, models);
  for (const auto& [how, studies] : ways)
    out += fmt::format("perp report --studies \"{}\" {}\n", fmt::join(studies, " "), how);
  return out + (any ? "```\n\nFiles are named without their folders.\n" : "```\n");
}

std::string inputs_table(const Facts& facts) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> readers;  // of each input
  for (const Results& study : facts.studies())
    for (const Input& input : study.inputs) readers[{input.name, input.sha256}].push_back(study.study);
  if (readers.empty()) return "No file: everything was generated.\n";
  MarkdownRows rows;
  for (const auto& [input, studies] : readers)
    rows.push_back({escape_markdown(input.first), fmt::format("`{}`", input.second),
                    escape_markdown(fmt::format("{}", fmt::join(studies, ", ")))});
  return markdown_table({"file", "SHA-256", "read by"}, rows);
}

std::string artifact_table(const Facts& facts, const Links& links) {
  MarkdownRows rows;
  for (const Results& study : facts.studies()) {
    const std::map<std::string, double> seconds =
        processor_seconds(facts.folder() / study.study / "timings.json");
    for (const Claim* claim : in_order(study)) {
      const auto took = seconds.find(claim->id);
      rows.push_back({links.label(claim->id, "#" + anchor(claim->id)),
                      code_cell(command_for(facts, claim->id)),
                      {took == seconds.end() ? "–" : format_number(took->second / 60, ".1f"), true},
                      kinds_of(study, *claim)});
    }
  }
  return markdown_table({"claim", "command", "processor minutes", "numbers, by how far they may move"}, rows);
}

}  // namespace perp::report
