#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/tables.hpp"
#include "bench/verdict.hpp"
#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/statistics/spread.hpp"

namespace perp::bench {
namespace {

using Json = nlohmann::json;

constexpr const char* ours = "perpendicular";

/// One workload on one side with one number of threads: seconds of each round.
struct Side {
  std::size_t threads = 0;
  std::string meaning;
  std::string bound;  ///< what its least is counted in: f32, f64, or nothing for bytes
  double least = 0;   ///< of it; 0: not known
  std::vector<double> seconds;
  std::map<std::string, double> numbers;
};
using Sides = std::map<std::string, Side>;       // by name of the side
using Workloads = std::map<std::string, Sides>;  // by name of the workload

void add_run(const Json& line, Side& side) {
  side.threads = line.at("threads");
  side.meaning = line.value("meaning", side.meaning);
  if (line.contains("least")) {
    side.bound = line["least"].at("type");
    side.least = line["least"].at("count");
  }
  const auto seconds = line.at("seconds").get<std::vector<double>>();
  require(!seconds.empty() && std::ranges::min(seconds) > 0 && std::isfinite(std::ranges::max(seconds)),
          "no positive times");
  side.seconds.push_back(std::ranges::min(seconds));
  for (const auto& [name, value] : line.at("numbers").items()) side.numbers[name] = value.get<double>();
}

/// Each side at its best: the number of threads with the smaller median.
Workloads read_runs(const std::filesystem::path& file) {
  std::map<std::string, std::map<std::string, std::map<std::size_t, Side>>> all;
  std::istringstream lines(read_file(file));
  std::size_t number = 0;
  for (std::string text; std::getline(lines, text);) {
    ++number;
    try {
      const Json line = Json::parse(text);
      add_run(line, all[line.at("workload").get<std::string>()][line.at("side").get<std::string>()]
                       [line.at("threads").get<std::size_t>()]);
    } catch (const Json::exception&) {
      refuse("{}, line {}: no run; expected lines as make bench-peers writes them", file.string(), number);
    } catch (const std::exception& e) {
      refuse("{}, line {}: {}", file.string(), number, e.what());
    }
  }
  require(!all.empty(), "{}: no runs", file.string());
  Workloads best;
  const auto usual = [](const auto& entry) { return median(entry.second.seconds); };
  for (const auto& [workload, sides] : all)
    for (const auto& [name, by_threads] : sides)
      best[workload][name] = std::ranges::min_element(by_threads, {}, usual)->second;
  return best;
}

/// Both sides did the same work: what they found agrees as draws of different generators do.
void expect_same(const std::string& workload, const std::string& peer, const Side& mine, const Side& other) {
  for (const auto& [name, value] : mine.numbers) {
    const auto found = other.numbers.find(name);
    // A largest of many draws, a mean near 0 and a worst rounding error are not alike between generators.
    if (found == other.numbers.end() || name == "largest" || name == "worst" || std::abs(value) < 1e-3)
      continue;
    require(std::abs(found->second / value - 1) < 0.05, "{}: {} found {} = {:.6g}, this library {:.6g}",
            workload, peer, name, found->second, value);
  }
}

}  // namespace

void add_peers(const std::filesystem::path& runs, const Frame& roof, Out& out) {
  std::size_t pairs = 0;
  for (const auto& [workload, sides] : read_runs(runs)) {
    const auto mine = sides.find(ours);
    require(mine != sides.end(), "{}: no run of this library", workload);
    const std::vector<double>& seconds = mine->second.seconds;
    const std::string& bound = mine->second.bound;
    const double rate =
        roof.where("type", bound).where("threads", std::int64_t(mine->second.threads)).most("rate");
    const double floor = mine->second.least > 0 && rate > 0 ? mine->second.least / rate : NAN;
    for (const auto& [name, peer] : sides) {
      if (name == ours) continue;
      ++pairs;
      require(peer.seconds.size() == seconds.size(), "{}: {} rounds on one side, {} on the other", workload,
              peer.seconds.size(), seconds.size());
      expect_same(workload, name, mine->second, peer);
      out("peers", {{"workload", workload},
                    {"meaning", mine->second.meaning},
                    {"peer", name},
                    {"peer_threads", peer.threads},
                    {"rounds", seconds.size()},
                    {"seconds", median(seconds)},
                    {"peer_seconds", median(peer.seconds)},
                    {"ratio", paired_contrast(paired_ratios(peer.seconds, seconds)).estimate()},
                    {"bound", bound.empty() ? "bytes" : bound},
                    {"floor", floor},
                    {"share", floor / median(seconds)}});
    }
  }
  require(pairs > 0, "no run of a peer");
}

}  // namespace perp::bench
