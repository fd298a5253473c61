#include "reports/reproduce.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "perp/base/error.hpp"
#include "reports/data_table.hpp"
#include "reports/escape.hpp"

namespace perp::report {

std::string command_for(const Results& study, std::string_view claim) {
  return fmt::format("make reports STUDIES={} ONLY={} PRESET={} SEED={}", study.study, claim, study.preset,
                     study.seed);
}

std::string commands(const Facts& facts) {
  std::vector<std::pair<std::string, std::vector<std::string>>> ways;  // how studies ran, and which of them
  for (const Results& study : facts.studies()) {
    const std::string how = fmt::format("PRESET={} SEED={}", study.preset, study.seed);
    auto way = std::find_if(ways.begin(), ways.end(), [&](const auto& known) { return known.first == how; });
    if (way == ways.end()) way = ways.insert(ways.end(), {how, {}});
    way->second.push_back(study.study);
  }
  std::string out = "```sh\n";
  for (const auto& [how, studies] : ways)
    out += fmt::format("make reports STUDIES=\"{}\" {}\n", fmt::join(studies, " "), how);
  return out + "```\n";
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

}  // namespace perp::report
