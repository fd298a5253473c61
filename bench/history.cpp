#include "bench/history.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/tables.hpp"
#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/numbers.hpp"
#include "perp/io/sha256.hpp"

namespace perp::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int schema = 1;
constexpr std::size_t hash_digits = 12;

/// Entries of the sheet that stay as long as the machine does.
constexpr const char* hardware[] = {"processor",
                                    "logical processors this process may use",
                                    "logical processors that share the first core",
                                    "caches of the first core",
                                    "memory, GiB",
                                    "page, bytes",
                                    "transparent huge pages",
                                    "frequency governor",
                                    "highest frequency, kHz",
                                    "turbo switched off"};

/// Five digits: what is beyond is noise, and the line stays short.
double rounded(double value) { return std::stod(fmt::format("{:.4e}", value)); }

std::string body(const Run& run) {
  Json rows = Json::array();
  for (const RunRow& r : run.rows)
    if (r.backend.find('/') == std::string::npos)
      rows.push_back({r.backend, r.lapack, r.threads, r.row, rounded(r.times.mean),
                      std::isnan(r.times.spread) ? Json() : Json(rounded(r.times.spread)), r.times.rounds});
  Json all{{"machine", run.machine},
           {"processor", run.processor},
           {"when", run.when},
           {"commit", run.commit},
           {"preset", run.preset}};
  for (const RunAnswer& a : run.answers)
    all["answers"].push_back({{"threads", a.threads},
                              {"default", a.usual},
                              {"best", a.best},
                              {"equals", a.equals},
                              {"cost", {rounded(a.cost.value), rounded(*a.cost.low), rounded(*a.cost.high)}},
                              {"told", a.told}});
  all["rows"] = rows;
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string RunRow::key() const {
  return fmt::format("{}, {}, {} thread{}: {}", backend, lapack, threads, threads == 1 ? "" : "s", row);
}

Run run_of(const Csv& machine, const Csv& results, const Csv& answers, std::string_view preset) {
  Sheet sheet;
  for (const CsvRow& row : rows_of(machine)) sheet.emplace_back(row.text("what"), row.text("value"));
  std::string hardware_text;
  for (const char* what : hardware) hardware_text += fmt::format("{}: {}\n", what, entry(sheet, what));
  const std::string identity = entry(sheet, identity_entry);
  Run run{sha256_hex(hardware_text).substr(0, hash_digits),
          // "AMD EPYC, family 25, model 17, stepping 1 (Zen 4)"
          fmt::format("{}{}{}", entry(sheet, "processor"), identity.empty() ? "" : ", ", identity),
          entry(sheet, "when"),
          entry(sheet, "commit"),
          std::string(preset),
          {}};
  for (const CsvRow& row : rows_of(results))
    if (!std::isnan(row.number("geometric")))
      run.rows.push_back({row.text("backend"),
                          row.text("lapack"),
                          fmt::format("{}/{}/{}/{}", row.text("operation"), row.text("through"),
                                      row.text("type"), row.text("shape")),
                          row.count("threads"),
                          {row.number("geometric"), row.number("spread"), row.count("rounds")}});
  for (const CsvRow& row : rows_of(answers))
    if (row.text("kind") == "default")
      run.answers.push_back({row.count("threads"),
                             row.count("equal"),
                             row.text("backend"),
                             row.text("best"),
                             {row.number("takes"), row.number("low"), row.number("high")},
                             row.text("told") == "yes"});
  return run;
}

Run read_run(const fs::path& folder, std::string_view preset) {
  const fs::path answers = folder / "answer.csv";
  Run run = run_of(read_csv(folder / "machine.csv"), read_csv(folder / "results.csv"),
                   fs::exists(answers) ? read_csv(answers) : Csv{}, preset);
  require(!run.rows.empty(), "{}: no row with a time", (folder / "results.csv").string());
  return run;
}

std::string hash_of(const Run& run) { return sha256_hex(body(run)).substr(0, hash_digits); }

std::string to_line(const Run& run) {
  return fmt::format(R"({{"schema":{},"run":"{}",{})", schema, hash_of(run), body(run).substr(1));
}

Run run_from(std::string_view line, const std::string& name) {
  const auto number = [](const Json& value) { return value.is_null() ? NAN : value.get<double>(); };
  try {
    const Json json = Json::parse(line);
    require(json.at("schema") == schema, "schema {}, expected {}", json.at("schema").dump(), schema);
    Run run{json.at("machine"), json.at("processor"), json.at("when"),
            json.at("commit"),  json.at("preset"),    {}};
    for (const Json& row : json.at("rows"))
      run.rows.push_back(
          {row.at(0), row.at(1), row.at(3), row.at(2), {row.at(4), number(row.at(5)), row.at(6)}});
    for (const Json& a : json.value("answers", Json::array())) {
      const Json& cost = a.at("cost");
      run.answers.push_back({a.at("threads"),
                             a.at("equals"),
                             a.at("default"),
                             a.at("best"),
                             {number(cost.at(0)), number(cost.at(1)), number(cost.at(2))},
                             a.at("told")});
    }
    return run;
  } catch (const std::exception& e) {
    refuse("{}: no run of the bench: {}", name, e.what());
  }
}

std::vector<Run> read_history(const fs::path& file) {
  std::vector<Run> runs;
  if (!fs::exists(file)) return runs;
  std::istringstream lines(read_file(file));
  for (std::string line; std::getline(lines, line);)
    runs.push_back(run_from(line, fmt::format("{}, line {}", file.string(), runs.size() + 1)));
  return runs;
}

Run find_run(const std::string& which) {
  for (const fs::path& folder : {fs::path(which), fs::path(which) / "bench"})
    if (fs::exists(folder / "results.csv")) return read_run(folder, "");
  const std::size_t colon = which.rfind(':');
  require(colon != std::string::npos && fs::is_regular_file(which.substr(0, colon)),
          "'{}': expected a folder with results.csv, or FILE:LINE of a history", which);
  const std::vector<Run> runs = read_history(which.substr(0, colon));
  const std::optional<std::uint64_t> line = parse_whole(std::string_view(which).substr(colon + 1));
  require(line && *line >= 1 && *line <= runs.size(), "'{}': it has lines 1 to {}", which, runs.size());
  return runs[*line - 1];
}

std::vector<Compared> compared(const Run& a, const Run& b) {
  std::map<std::string, Times> earlier;
  for (const RunRow& row : a.rows) earlier[row.key()] = row.times;
  std::vector<Compared> rows;
  for (const RunRow& row : b.rows)
    if (const auto it = earlier.find(row.key()); it != earlier.end())
      rows.push_back({row, it->second.mean, separate_contrast(it->second, row.times)});
  require(!rows.empty(), "A and B have no row in common");
  adjust(rows, &Compared::contrast);
  return rows;
}

Table comparison_table(std::string_view file, const std::vector<Compared>& rows) {
  return table_of(
      file, rows,
      {exact("backend", "library, with the core type it was asked for", &RunRow::backend),
       exact("lapack", "as_shipped, alone or none", &RunRow::lapack),
       exact("threads", "threads", &RunRow::threads),
       exact("row", "operation, how it was called, type, shape", &RunRow::row),
       sampled("seconds_a", "a call in A, geometric mean over rounds", &Compared::before).unit("s"),
       sampled("seconds_b", "in B", [](const RunRow& row) { return row.times.mean; }).unit("s"),
       sampled("ratio", "B over A", [](const Compared& row) { return row.contrast.estimate(); })
           .interval("low", "high", "its 95% interval by Welch's t on logarithms"),
       sampled("p", "of equal times, adjusted by Holm for the number of rows",
               [](const Compared& row) { return row.contrast.p; }),
       sampled("verdict", "B is faster or slower than A, or not told apart", &Compared::said)});
}

std::string to_markdown(const Run& a, const Run& b, const std::vector<Compared>& rows) {
  const auto count = [&](const char* said) { return only(rows, &Compared::said, said).size(); };
  std::string text = fmt::format(
      "A: {} ({}, {}), B: {} ({}, {}). Of {} rows B is faster in {}, slower in {}, not told apart in {}.\n",
      hash_of(a), a.when, a.commit, hash_of(b), b.when, b.commit, rows.size(), count("faster"),
      count("slower"), count(not_told));
  if (a.machine != b.machine) text += "The machines differ: so may every time.\n";
  text +=
      "\nTime of B over that of A, with a 95% interval; verdicts adjusted by Holm for the number of rows. "
      "The "
      "two did not take\nturns: what the machine did between them counts as a difference.\n\n"
      "| backend | LAPACK | threads | row | B / A | verdict |\n| --- | --- | ---: | --- | ---: | --- |\n";
  for (const bool told : {true, false})
    for (const Compared& row : only(rows, &Compared::told, told))
      text += fmt::format("| {} | {} | {} | {} | {:.3f} ({:.3f}–{:.3f}) | {} |\n", row.backend, row.lapack,
                          row.threads, row.row, row.contrast.ratio, row.contrast.low, row.contrast.high,
                          row.said());
  return text;
}

std::vector<Machine> machines_of(const std::vector<Run>& before, const Run& last) {
  std::vector<const Run*> runs{&last};
  for (auto run = before.rbegin(); run != before.rend(); ++run)
    if (std::ranges::none_of(runs, [&](const Run* known) { return known->machine == run->machine; }))
      runs.push_back(&*run);
  std::vector<Machine> machines;
  for (const Run* run : runs)
    for (const RunAnswer& a : run->answers) machines.push_back({a, run->processor, run->machine, run->when});
  if (machines.empty())
    machines.push_back({{0, 0, "not timed", "–", {std::nan("")}}, last.processor, last.machine, last.when});
  return machines;
}

Table machines_table(const std::vector<Machine>& machines) {
  return table_of(
      "machines.csv", machines,
      {exact("processor", "processor", &Machine::processor),
       exact("machine", "hash of what its sheet says of the hardware", &Machine::machine),
       exact("when", "when it was measured", &Machine::when),
       exact("threads", "threads", &RunAnswer::threads),
       exact("default", "what the loader takes", &RunAnswer::usual),
       sampled("best", "the fastest, and how many are equal",
               [](const RunAnswer& a) { return with_equals(a.best, a.equals); }),
       sampled("cost", "the default's time over the best's", &RunAnswer::cost)
           .interval("low", "high", "for all comparisons of the run at once"),
       sampled("told", "whether the two are told apart", [](const RunAnswer& a) { return yes(a.told); })});
}

}  // namespace perp::bench
