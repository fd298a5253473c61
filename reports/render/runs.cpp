#include "reports/render/runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/json_fault.hpp"
#include "perp/io/message.hpp"
#include "perp/study/display.hpp"
#include "reports/render/claims.hpp"
#include "reports/render/data_table.hpp"
#include "reports/render/text.hpp"

namespace perp::report {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t largest_record = std::size_t{1} << 20;
constexpr int deepest = 32;

json read_record(const fs::path& path) {
  if (!fs::exists(path)) return json::object();
  const auto guard = [&](int depth, json::parse_event_t, json&) {
    require(depth <= deepest, "{}: nested deeper than {} levels", path.string(), deepest);
    return true;
  };
  try {
    json record = json::parse(read_file(path, largest_record), guard);
    require(record.is_object(), "{}: expected an object", path.string());
    return record;
  } catch (const json::exception& error) {
    refuse("{}: not JSON: {}", path.string(), json_fault(error));
  }
}

namespace {

struct Line {
  const char* label;
  const char* pointer;
  const char* format;  ///< for numbers
  const char* unit;
};

constexpr Line lines[] = {{"processor", "/host_cpu", "", ""},
                          {"cores", "/cores", "d", ""},
                          {"memory", "/memory_gib", ".1f", " GiB"},
                          {"system", "/os", "", ""},
                          {"kernel", "/kernel", "", ""},
                          {"compiler", "/compiler", "", ""},
                          {"build", "/build_type", "", ""},
                          {"version", "/version", "", ""},
                          {"commit", "/commit", "", ""},
                          {"BLAS", "/blas/name", "", ""},
                          {"BLAS version", "/blas/version", "", ""},
                          {"BLAS kernel", "/blas/kernel", "", ""},
                          {"picked by BLAS", "/blas/picked", "", ""},
                          {"chosen instead", "/blas/chosen", "", ""},
                          {"because", "/blas/why", "", ""},
                          {"BLAS library", "/blas/path", "", ""},
                          {"LAPACK library", "/blas/lapack_path", "", ""},
                          {"threads", "/threads", "d", ""},
                          {"finished", "/when", "", ""},
                          {"command", "/command", "", ""},
                          {"cells run", "/cells/run", "d", ""},
                          {"cells reused", "/cells/reused", "d", ""},
                          {"cells repaired", "/cells/repaired", "d", ""},
                          {"peak memory", "/peak_memory_mib", ".0f", " MiB"}};

/// The field as Markdown, "" if it is absent.
std::string shown(const json& record, const Line& line) {
  const json::json_pointer pointer(line.pointer);
  if (!record.contains(pointer)) return "";
  const json& field = record[pointer];
  if (field.is_number()) return format_number(field.get<double>(), line.format) + line.unit;
  if (field.is_string()) return escape_markdown(field.get<std::string>());
  std::string text;
  if (field.is_array())
    for (const json& word : field)
      if (word.is_string()) text += fmt::format(" {}", escape_markdown(word.get<std::string>()));
  return std::string(trim(text));
}

std::string two_columns(const MarkdownRows& rows) {
  if (rows.empty()) return "";
  return markdown_table({"what", "value"}, rows) + "\n";
}

std::string number(const json& record, const char* key, const char* format) {
  return record.contains(key) && record[key].is_number() ? format_number(record[key].get<double>(), format)
                                                         : "–";
}

std::string timings_table(const json& timings) {
  if (!timings.contains("experiments") || !timings["experiments"].is_array()) return "";
  MarkdownRows rows;
  for (const json& experiment : timings["experiments"]) {
    if (!experiment.is_object()) continue;
    const bool is_named = experiment.contains("claim") && experiment["claim"].is_string();
    rows.push_back({is_named ? escape_markdown(experiment["claim"].get<std::string>()) : "–",
                    {number(experiment, "cells", "d"), true},
                    {number(experiment, "wall_s", ".2f"), true},
                    {number(experiment, "cpu_s", ".2f"), true}});
  }
  return fmt::format("{}\nIn all: {} s.\n\n",
                     markdown_table({"claim", "cells", "wall time (s)", "processor time (s)"}, rows),
                     number(timings, "total_s", ".2f"));
}

}  // namespace

std::string machine_markdown(const Facts& facts) {
  std::vector<json> runs;
  for (const Results& study : facts.studies())
    runs.push_back(read_record(facts.folder() / study.study / "run.json"));
  MarkdownRows common;
  std::vector<MarkdownRows> own(runs.size());
  for (const Line& line : lines) {
    const std::string first = shown(runs.front(), line);
    if (std::all_of(runs.begin(), runs.end(), [&](const json& run) { return shown(run, line) == first; })) {
      if (!first.empty()) common.push_back({std::string(line.label), first});
      continue;
    }
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (const std::string text = shown(runs[i], line); !text.empty())
        own[i].push_back({std::string(line.label), text});
  }
  std::string out =
      "# Machine\n\nWhere the numbers of the report were computed, and how long that took. "
      "The report itself holds nothing of this page.\n\n" +
      two_columns(common);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string& name = facts.studies()[i].study;
    out += fmt::format("## {}\n\n{}", escape_markdown(name), two_columns(own[i]));
    out += timings_table(read_record(facts.folder() / name / "timings.json"));
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

namespace {

/// "1:05", or "–" where no timings.json says.
std::string time_of(const fs::path& folder) {
  const json record = read_record(folder / "timings.json");
  constexpr double year = 366 * 86400.0;
  if (!record.contains("total_s") || !record["total_s"].is_number()) return "–";
  const double total = record["total_s"].get<double>();
  if (!(total >= 0 && total < year)) return "–";
  const long seconds = std::lround(total);
  return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

/// As the report judges them: by the findings of all studies.
std::string verdicts_in(const Facts& facts, const Results& study) {
  std::vector<const Claim*> claims;
  for (const Claim& own : study.claims)
    if (const Claim* claim = facts.claim(own.id)) claims.push_back(claim);
  std::vector<std::string> parts;
  for (const Verdict verdict : std::array{Verdict::is_true, Verdict::depends, Verdict::is_false,
                                          Verdict::open, Verdict::unmeasured}) {
    const auto is = [&](const Claim* claim) { return claim->verdict() == verdict; };
    if (const auto times = std::ranges::count_if(claims, is); times > 0)
      parts.push_back(fmt::format("{} {}", times, to_text(verdict)));
  }
  std::string text = claims.empty()
                         ? ""
                         : fmt::format("{} {}: {}", claims.size(), claims.size() == 1 ? "claim" : "claims",
                                       fmt::join(parts, ", "));
  if (const std::size_t others = study.claims.size() - claims.size(); others > 0)
    text += fmt::format("{}{} of evidence or pictures", text.empty() ? "" : "; ", others);
  return text;
}

/// By the findings of all studies: of another one, too.
bool is_judged(const Facts& facts, const std::string& id) {
  const Claim* claim = facts.claim(id);
  return claim && claim->verdict() != Verdict::unmeasured;
}

}  // namespace

std::string summary(const Facts& facts) {
  std::string text, missing;
  for (const Results& study : facts.studies()) {
    text += fmt::format("  {:<15}{:>6}  {}\n", on_one_line(study.study),
                        time_of(facts.folder() / study.study), verdicts_in(facts, study));
    for (const Claim& claim : study.claims)
      if (!claim.of.empty() &&  // a table or a picture beside the claims needs nothing
          !is_judged(facts, claim.id) &&
          std::ranges::all_of(claim.judgement.readings,
                              [](const Reading& reading) { return reading.answer == Answer::unmeasured; }))
        missing +=
            fmt::format("  {} not measured: {}\n", claim.id, without_escapes(found_text(facts, claim, {})));
  }
  return text + missing;
}

}  // namespace perp::report
