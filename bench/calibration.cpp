#include "bench/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/compare.hpp"
#include "perp/base/error.hpp"
#include "perp/io/csv.hpp"
#include "perp/io/file.hpp"

namespace perp::bench {
namespace {

namespace fs = std::filesystem;

constexpr double rate_level = 0.99;

CalibratedRow& row_of(Calibration& calibration, const std::string& name) {
  auto& rows = calibration.rows;
  const auto it = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.row == name; });
  return it == rows.end() ? rows.emplace_back(CalibratedRow{name}) : *it;
}

std::size_t sum(const std::vector<CalibratedRow>& rows, std::size_t CalibratedRow::*what) {
  std::size_t total = 0;
  for (const CalibratedRow& row : rows) total += row.*what;
  return total;
}

}  // namespace

std::size_t Calibration::comparisons() const { return sum(rows, &CalibratedRow::comparisons); }
std::size_t Calibration::different() const { return sum(rows, &CalibratedRow::different); }
double Calibration::rate() const {
  return static_cast<double>(different()) / static_cast<double>(comparisons());
}
Interval Calibration::interval() const { return clopper_pearson(different(), comparisons(), rate_level); }

bool is_enough(const Calibration& calibration) {
  if (calibration.comparisons() < least_comparisons) return false;
  const Interval interval = calibration.interval();
  return (interval.high - interval.low) / 2 <= widest_half;
}

void add_repeat(Calibration& calibration, const Configuration& one, const Configuration& again) {
  ++calibration.repeats;
  for (const auto& [name, seconds] : one.rounds) {
    const auto other = again.rounds.find(name);
    if (other == again.rounds.end()) continue;
    const Contrast contrast = paired_contrast(paired_ratios(other->second, seconds));
    CalibratedRow& row = row_of(calibration, name);
    const double before = static_cast<double>(row.comparisons);
    row.spread =
        std::sqrt((before * row.spread * row.spread + contrast.spread * contrast.spread) / (before + 1));
    ++row.comparisons;
    row.different += contrast.p <= false_alarms;
  }
}

Calibration calibrate(const Backend& backend, std::size_t threads, const Plan& plan, std::size_t rounds,
                      std::size_t most, const std::function<void(const std::string&)>& say) {
  Configuration checked{backend, threads};
  say(fmt::format("checking {}", checked.name()));
  check(checked, plan);
  Calibration calibration{checked.name(), rounds, 0, {}};
  while (calibration.repeats < most && !is_enough(calibration)) {
    Configuration one = checked, again = checked;
    for (std::size_t round = 0; round < rounds; ++round) {
      say(fmt::format("calibration {}, round {} of {}", calibration.repeats + 1, round + 1, rounds));
      // Each round begins with the other name, as backends take turns.
      time_round(round % 2 == 0 ? one : again, plan);
      time_round(round % 2 == 0 ? again : one, plan);
    }
    add_repeat(calibration, one, again);
    require(calibration.comparisons() > 0, "{}: no row to calibrate with", checked.name());
  }
  return calibration;
}

Table calibration_table(const Calibration& calibration) {
  Table table{"calibration.csv",
              {{"row", "", Kind::exact, "operation, how it was called, type, shape"},
               {"comparisons", "1", Kind::exact, "comparisons of the configuration with itself"},
               {"different", "1", Kind::sampled, "how many of them called it different from itself"},
               {"spread", "1", Kind::sampled, "standard deviation of a round's log ratio"},
               {"detectable", "1", Kind::sampled,
                "the smallest ratio of times that one comparison tells from 1 with probability .8"}},
              {}};
  for (const CalibratedRow& row : calibration.rows)
    table.add({row.row, whole(row.comparisons), whole(row.different), row.spread,
               detectable(row.spread, calibration.rounds)});
  return table;
}

void write_calibration(const Calibration& calibration, const std::string& folder) {
  const nlohmann::ordered_json head{{"configuration", calibration.configuration},
                                    {"rounds", calibration.rounds},
                                    {"repeats", calibration.repeats}};
  make_folders(folder);
  write_together({{fs::path(folder) / "calibration.csv", to_csv(calibration_table(calibration))},
                  {fs::path(folder) / "calibration.json", head.dump() + "\n"}});
}

std::optional<Calibration> read_calibration(const std::string& folder) {
  const std::string file = folder + "/calibration.json";
  if (!fs::exists(file)) return {};
  try {
    const auto head = nlohmann::json::parse(read_file(file));
    Calibration calibration{head.at("configuration"), head.at("rounds"), head.at("repeats"), {}};
    const Csv csv = read_csv(folder + "/calibration.csv");
    const auto count = [&](std::size_t i, const char* name) {
      return static_cast<std::size_t>(csv.number(i, csv.column(name)));
    };
    for (std::size_t i = 0; i < csv.rows.size(); ++i)
      calibration.rows.push_back({csv.rows[i][csv.column("row")], count(i, "comparisons"),
                                  count(i, "different"), csv.number(i, csv.column("spread"))});
    return calibration;
  } catch (const nlohmann::json::exception& e) {
    refuse("{}: {}; make bench writes it anew", file, e.what());
  }
}

}  // namespace perp::bench
