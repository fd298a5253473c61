#include "bench/history.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/machine.hpp"
#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/numbers.hpp"
#include "perp/io/sha256.hpp"
#include "perp/statistics/holm.hpp"

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
                              {"cost", {rounded(a.cost), rounded(a.low), rounded(a.high)}},
                              {"told", a.told}});
  all["rows"] = rows;
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::map<std::string, Times> by_key(const Run& run) {
  std::map<std::string, Times> all;
  for (const RunRow& r : run.rows) all[r.key()] = r.times;
  return all;
}

}  // namespace

std::string RunRow::key() const {
  return fmt::format("{}, {}, {} thread{}: {}", backend, lapack, threads, threads == 1 ? "" : "s", row);
}

Run run_of(const Csv& machine, const Csv& results, const Csv& answers, std::string_view preset) {
  const auto entry = [&](std::string_view what) {
    for (const auto& row : machine.rows)
      if (row[machine.column("what")] == what) return row[machine.column("value")];
    return std::string();
  };
  std::string hardware_text;
  for (const char* what : hardware) hardware_text += fmt::format("{}: {}\n", what, entry(what));
  const std::string identity = entry(identity_entry);
  Run run{sha256_hex(hardware_text).substr(0, hash_digits),
          // "AMD EPYC, family 25, model 17, stepping 1 (Zen 4)"
          identity.empty() ? entry("processor") : fmt::format("{}, {}", entry("processor"), identity),
          entry("when"),
          entry("commit"),
          std::string(preset),
          {},
          {}};
  const auto each = [](const Csv& csv, const auto& take) {
    for (std::size_t i = 0; i < csv.rows.size(); ++i)
      take([&, i](const char* column) { return csv.rows[i][csv.column(column)]; },
           [&, i](const char* column) { return csv.number(i, csv.column(column)); });
  };
  const auto count = [](double number) { return static_cast<std::size_t>(number); };
  each(results, [&](const auto& text, const auto& number) {
    if (std::isnan(number("geometric"))) return;
    run.rows.push_back(
        {text("backend"),
         text("lapack"),
         fmt::format("{}/{}/{}/{}", text("operation"), text("through"), text("type"), text("shape")),
         count(number("threads")),
         {number("geometric"), number("spread"), count(number("rounds"))}});
  });
  each(answers, [&](const auto& text, const auto& number) {
    if (text("kind") == "default")
      run.answers.push_back({count(number("threads")), count(number("equal")), text("backend"), text("best"),
                             number("takes"), number("low"), number("high"), text("told") == "yes"});
  });
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
  try {
    const Json json = Json::parse(line);
    require(json.at("schema") == schema, "schema {}, expected {}", json.at("schema").dump(), schema);
    Run run{json.at("machine"),
            json.at("processor"),
            json.at("when"),
            json.at("commit"),
            json.at("preset"),
            {},
            {}};
    for (const Json& row : json.at("rows"))
      run.rows.push_back(
          {row.at(0),
           row.at(1),
           row.at(3),
           row.at(2),
           {row.at(4), row.at(5).is_null() ? std::nan("") : row.at(5).get<double>(), row.at(6)}});
    if (json.contains("answers"))
      for (const Json& a : json["answers"])
        run.answers.push_back({a.at("threads"), a.at("equals"), a.at("default"), a.at("best"),
                               a.at("cost").at(0), a.at("cost").at(1), a.at("cost").at(2), a.at("told")});
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

Table comparison_table(const Run& a, const Run& b) {
  Table table{"comparison.csv",
              {{"backend", "", Kind::exact, "library, with the core type it was asked for"},
               {"lapack", "", Kind::exact, "as_shipped, alone or none"},
               {"threads", "1", Kind::exact, "threads"},
               {"row", "", Kind::exact, "operation, how it was called, type, shape"},
               {"seconds_a", "s", Kind::sampled, "a call in A, geometric mean over rounds"},
               {"seconds_b", "s", Kind::sampled, "in B"},
               {"ratio", "1", Kind::sampled, "B over A", "low", "high"},
               {"low", "1", Kind::sampled, "its 95% interval by Welch's t on logarithms"},
               {"high", "1", Kind::sampled, "its 95% interval by Welch's t on logarithms"},
               {"p", "1", Kind::sampled, "of equal times, adjusted by Holm for the number of rows"},
               {"verdict", "", Kind::sampled, "B is faster or slower than A, or not told apart"}},
              {}};
  const std::map<std::string, Times> earlier = by_key(a);
  std::vector<const RunRow*> rows;
  std::vector<Contrast> contrasts;
  std::vector<double> p;
  for (const RunRow& row : b.rows) {
    const auto it = earlier.find(row.key());
    if (it == earlier.end()) continue;
    rows.push_back(&row);
    contrasts.push_back(separate_contrast(it->second, row.times));
    p.push_back(contrasts.back().p);
  }
  require(!rows.empty(), "A and B have no row in common");
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Contrast& c = contrasts[i];
    table.add({rows[i]->backend, rows[i]->lapack, whole(rows[i]->threads), rows[i]->row,
               earlier.at(rows[i]->key()).mean, rows[i]->times.mean, c.ratio, c.low, c.high, adjusted[i],
               std::string(verdict(c, adjusted[i]))});
  }
  return table;
}

std::string to_markdown(const Run& a, const Run& b, const Table& comparison) {
  const auto said = [&](std::size_t i) { return perp::to_text(comparison.at(i, "verdict")); };
  std::map<std::string, std::size_t> count;
  for (std::size_t i = 0; i < comparison.rows.size(); ++i) ++count[said(i)];
  std::string text = fmt::format(
      "A: {} ({}, {}), B: {} ({}, {}). Of {} rows B is faster in {}, slower in {}, not told apart in {}.\n",
      hash_of(a), a.when, a.commit, hash_of(b), b.when, b.commit, comparison.rows.size(), count["faster"],
      count["slower"], count["not told apart"]);
  if (a.machine != b.machine) text += "The machines differ: so may every time.\n";
  text +=
      "\nTime of B over that of A, with a 95% interval; verdicts adjusted by Holm for the number of rows. "
      "The two "
      "did not take\nturns: what the machine did between them counts as a difference.\n\n"
      "| backend | LAPACK | threads | row | B / A | verdict |\n| --- | --- | ---: | --- | ---: | --- |\n";
  for (const bool told : {true, false})
    for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
      if ((said(i) != "not told apart") != told) continue;
      const auto number = [&](const char* column) { return comparison.number(i, column); };
      text += fmt::format(
          "| {} | {} | {} | {} | {:.3f} ({:.3f}–{:.3f}) | {} |\n", perp::to_text(comparison.at(i, "backend")),
          perp::to_text(comparison.at(i, "lapack")), number("threads"),
          perp::to_text(comparison.at(i, "row")), number("ratio"), number("low"), number("high"), said(i));
    }
  return text;
}

Table machines_table(const std::vector<Run>& before, const Run& last) {
  Table table{"machines.csv",
              {{"processor", "", Kind::exact, "processor"},
               {"machine", "", Kind::exact, "hash of what its sheet says of the hardware"},
               {"when", "", Kind::exact, "when it was measured"},
               {"threads", "1", Kind::exact, "threads"},
               {"default", "", Kind::exact, "what the loader takes"},
               {"best", "", Kind::sampled, "the fastest, and how many are equal"},
               {"cost", "1", Kind::sampled, "the default's time over the best's", "low", "high"},
               {"low", "1", Kind::sampled, "for all comparisons of the run at once"},
               {"high", "1", Kind::sampled, "for all comparisons of the run at once"},
               {"told", "", Kind::sampled, "whether the two are told apart"}},
              {}};
  std::vector<const Run*> runs{&last};
  for (auto run = before.rbegin(); run != before.rend(); ++run)
    if (std::ranges::none_of(runs, [&](const Run* known) { return known->machine == run->machine; }))
      runs.push_back(&*run);
  for (const Run* run : runs) {
    for (const RunAnswer& a : run->answers)
      table.add({run->processor, run->machine, run->when, whole(a.threads), a.usual,
                 a.equals == 0 ? a.best : fmt::format("{} (+{} equal)", a.best, a.equals), a.cost, a.low,
                 a.high, std::string(a.told ? "yes" : "no")});
  }
  if (table.rows.empty())
    table.add({last.processor, last.machine, last.when, whole(0), std::string("not timed"), std::string("–"),
               std::nan(""), std::nan(""), std::nan(""), std::string("no")});
  return table;
}

}  // namespace perp::bench
