#include "reports/reproduce.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/study/number.hpp"
#include "reports/claims.hpp"
#include "reports/data_table.hpp"
#include "reports/escape.hpp"
#include "reports/record.hpp"
#include "reports/scanner.hpp"

namespace perp::report {
namespace {

/// What a study was given besides preset and seed, as variables of make, so far as its results say.
using Given = std::vector<std::pair<std::string, std::string>>;

/// The text that studies learn words from unless another is given.
constexpr std::string_view default_corpus = "gcide.dict.dz";

/// Stands for the name of a file where results.json names only the tensor and several files were read.
constexpr const char* some_file = "FILE";

constexpr const char* models_file = "models.txt";

std::string parameter(const Results& study, std::string_view name) {
  for (const Coordinate& known : study.parameters)
    if (known.name == name) return to_text(known.value);
  return "";
}

/// "query-bias" -> "QUERY_BIAS".
std::string variable(std::string_view option) {
  std::string name;
  for (const char c : option) name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return name;
}

/// One word of the shell, on one line.
std::string shell_word(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./:,+-=").find(c) != std::string_view::npos;
  };
  const std::string line = on_one_line(text);
  if (std::all_of(line.begin(), line.end(), plain)) return line;
  std::string word = "'";
  for (const char c : line) (c == '\'' ? word += "'\\'" : word) += c;
  return word + "'";
}

void add_words(Given& given, const Results& study) {
  if (study.inputs.empty()) return;
  const std::string &file = study.inputs.front().name, words = parameter(study, "words"),
                    tensor = parameter(study, "tensor");
  if (words == "given") given.emplace_back("WORDS", tensor.empty() ? file : file + ":" + tensor);
  const bool learned = words == "learned" || (words.empty() && !parameter(study, "vocabulary").empty());
  if (learned && file != default_corpus) given.emplace_back("CORPUS", file);
}

/// A table is noted by its tensor, or by its file where no tensor was named. The positions are read first;
/// other tensors are of a file that is not noted itself.
std::string table(const Results& study, std::string_view option, const std::string& noted) {
  std::vector<std::string> files;
  for (const Input& input : study.inputs) {
    if (input.name == noted) return noted;
    const auto names = [&](const Coordinate& known) { return to_text(known.value) == input.name; };
    if (std::none_of(study.parameters.begin(), study.parameters.end(), names)) files.push_back(input.name);
  }
  if (option == "positions") return fmt::format("{}:{}", study.inputs.front().name, noted);
  return fmt::format("{}:{}", files.size() == 1 ? files.front() : some_file, noted);
}

void add_positions(Given& given, const Results& study) {
  if (study.inputs.empty() || parameter(study, "positions").empty()) return;
  std::string layer_norm;  // noted as two tables, given as GAIN,BIAS
  for (const Coordinate& known : study.parameters) {
    const std::string value = to_text(known.value);
    const bool plain = known.name == "rows" || known.name == "heads";
    if (known.name == "layernorm")
      layer_norm += (layer_norm.empty() ? "" : ",") + table(study, known.name, value);
    else if (plain || known.name == "positions" || known.name.starts_with("query") ||
             known.name.starts_with("key"))
      given.emplace_back(variable(known.name), plain ? value : table(study, known.name, value));
  }
  if (!layer_norm.empty()) given.emplace_back("LAYERNORM", layer_norm);
}

constexpr std::array<std::string_view, 20> model_options{
    "words",          "positions", "layers",  "rows-words",    "rows",
    "rows-positions", "lineage",   "limit",   "transpose",     "rank-words",
    "rank-positions", "query",     "key",     "heads",         "query-bias",
    "key-bias",       "layernorm", "encoder", "encoder-heads", "token-ids"};

/// The models that a study looked at, with their options as they were typed, folders left out.
std::vector<std::pair<std::string, Given>> models(const Results& study) {
  std::vector<std::pair<std::string, Given>> found;
  // A model may have layers alone, without a table that the others could stand beside.
  for (const std::string& name :
       words_of(parameter(study, "models") + " " + parameter(study, "with_layers"))) {
    if (std::ranges::any_of(found, [&](const auto& known) { return known.first == name; })) continue;
    found.push_back({name, {}});
    for (const std::string_view option : model_options)
      if (const std::string value = parameter(study, fmt::format("{}_{}", name, option)); !value.empty())
        found.back().second.emplace_back(option, value);
  }
  return found;
}

void add_models(Given& given, const Results& study) {
  const auto found = models(study);
  if (found.empty()) return;
  // One model may be given as it is to the study that is about models; others know a file of them only.
  if (found.size() > 1 || study.study != "inspect") return void(given.emplace_back("MODELS", models_file));
  for (const auto& [option, value] : found.front().second) given.emplace_back(variable(option), value);
  given.emplace_back("NAME", found.front().first);
}

/// " WORDS=my.npy POSITIONS=…", "" if nothing was given.
std::string inputs_of(const Results& study) {
  Given given;
  add_words(given, study);
  add_positions(given, study);
  add_models(given, study);
  std::string text;
  for (const auto& [name, value] : given) text += fmt::format(" {}={}", name, shell_word(value));
  return text;
}

/// The file of models as a command that writes it, "" where no study was given one. Studies that were given
/// models were given the same, each by its name; the one that was given most comes first, for the first of a
/// lineage speaks for it.
std::string models_command(const Facts& facts) {
  std::vector<std::vector<std::pair<std::string, Given>>> lists;
  for (const Results& study : facts.studies()) {
    Given given;
    add_models(given, study);
    if (!given.empty() && given.front().first == "MODELS") lists.push_back(models(study));
  }
  std::ranges::stable_sort(lists, std::ranges::greater(), [](const auto& list) { return list.size(); });
  std::string text;
  std::set<std::string> written;
  for (const auto& list : lists) {
    for (const auto& [name, options] : list) {
      if (!written.insert(name).second) continue;
      text += fmt::format("[{}]\n", name);
      for (const auto& [option, value] : options)
        text += fmt::format("{} = {}\n", option, on_one_line(value));
    }
  }
  return text.empty() ? "" : fmt::format("cat >{} <<'END'\n{}END\n", models_file, text);
}

/// By claim, from timings.json; empty without one.
std::map<std::string, double> processor_seconds(const std::filesystem::path& timings) {
  std::map<std::string, double> seconds;
  const nlohmann::json record = read_record(timings);
  if (!record.contains("experiments") || !record["experiments"].is_array()) return seconds;
  for (const nlohmann::json& experiment : record["experiments"])
    if (experiment.is_object() && experiment.contains("claim") && experiment["claim"].is_string() &&
        experiment.contains("cpu_s") && experiment["cpu_s"].is_number())
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

}  // namespace

std::string command_for(const Results& study, std::string_view claim) {
  return fmt::format("make reports STUDIES={} ONLY={} PRESET={} SEED={}{}", study.study, claim, study.preset,
                     study.seed, inputs_of(study));
}

std::string commands(const Facts& facts) {
  std::vector<std::pair<std::string, std::vector<std::string>>> ways;  // how studies ran, and which of them
  for (const Results& study : facts.studies()) {
    const std::string how = fmt::format("PRESET={} SEED={}{}", study.preset, study.seed, inputs_of(study));
    auto way = std::find_if(ways.begin(), ways.end(), [&](const auto& known) { return known.first == how; });
    if (way == ways.end()) way = ways.insert(ways.end(), {how, {}});
    way->second.push_back(study.study);
  }
  std::string out = "```sh\n" + models_command(facts);
  for (const auto& [how, studies] : ways)
    out += fmt::format("make reports STUDIES=\"{}\" {}\n", fmt::join(studies, " "), how);
  out += "```\n";
  const auto given = [](const Results& study) { return !inputs_of(study).empty(); };
  if (std::any_of(facts.studies().begin(), facts.studies().end(), given))
    out += "\nFiles are named without their folders.\n";
  if (out.find(fmt::format("{}:", some_file)) != out.npos)
    out += fmt::format("`{}` is one of those below: the results name its tensor only.\n", some_file);
  return out;
}

std::string inputs_table(const Facts& facts) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> readers;  // of each input
  for (const Results& study : facts.studies())
    for (const Input& input : study.inputs) readers[{input.name, input.sha256}].push_back(study.study);
  if (readers.empty()) return "No file: everything was generated.\n";
  MarkdownTable table({"file", "SHA-256", "read by"});
  for (const auto& [input, studies] : readers) {
    table.text(escape_markdown(input.first));
    table.text(fmt::format("`{}`", input.second));
    table.text(escape_markdown(fmt::format("{}", fmt::join(studies, ", "))));
    table.end_row();
  }
  return table.str();
}

std::string artifact_table(const Facts& facts, const Links& links) {
  MarkdownTable table({"claim", "command", "processor minutes", "numbers, by how far they may move"});
  for (const Results& study : facts.studies()) {
    const std::map<std::string, double> seconds =
        processor_seconds(facts.folder() / study.study / "timings.json");
    for (const Claim* claim : in_order(study)) {
      table.text(links.label(claim->id, "#" + anchor(claim->id)));
      table.text(code_cell(command_for(study, claim->id)));
      const auto took = seconds.find(claim->id);
      table.number(took == seconds.end() ? "–" : format_number(took->second / 60, ".1f"));
      table.text(kinds_of(study, *claim));
      table.end_row();
    }
  }
  return table.str();
}

}  // namespace perp::report
