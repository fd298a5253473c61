// build/bench/compare_peers: lines of JSON from build/bench/workloads and from bench/peers in, ratios out.
// Both sides ran in turns; a ratio is taken within a round, so that what slows the machine for a while slows
// both.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/options.hpp"
#include "bench/verdict.hpp"
#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/program.hpp"
#include "perp/statistics/order.hpp"
#include "perp/study/table.hpp"

namespace perp::bench {
namespace {

using Json = nlohmann::json;

constexpr const char* ours = "perpendicular";

/// One workload on one side with one number of threads: a number for each round.
struct Side {
  std::size_t threads = 0;
  std::string version, path, meaning;
  std::vector<double> seconds, product_seconds;
  std::map<std::string, double> numbers;
};
using Sides = std::map<std::string, Side>;  // by name of the side

void add_run(const Json& line, std::map<std::size_t, Side>& by_threads) {
  const std::size_t threads = line.at("threads");
  Side& side = by_threads[threads];
  side.threads = threads;
  side.version = line.at("blas").get<std::string>();
  side.version += (side.version.empty() ? "" : " ") + line.at("version").get<std::string>();
  side.path = line.at("path").get<std::string>();
  side.meaning = line.value("meaning", side.meaning);
  const std::vector<double> seconds = line.at("seconds").get<std::vector<double>>();
  require(!seconds.empty() && *std::ranges::min_element(seconds) > 0, "no positive times");
  side.seconds.push_back(*std::ranges::min_element(seconds));
  if (line.contains("product_seconds")) side.product_seconds.push_back(line["product_seconds"].get<double>());
  for (const auto& [name, value] : line.at("numbers").items()) side.numbers[name] = value.get<double>();
}

/// Each side at its best: the number of threads with the smaller median.
Side at_its_best(const std::map<std::size_t, Side>& by_threads) {
  return std::ranges::min_element(by_threads, {},
                                  [](const auto& entry) { return median(entry.second.seconds); })
      ->second;
}

std::map<std::string, Sides> read_runs(const std::string& file) {
  std::map<std::string, std::map<std::string, std::map<std::size_t, Side>>> all;
  std::istringstream lines(read_file(file));
  std::size_t number = 0;
  for (std::string text; std::getline(lines, text);) {
    ++number;
    try {
      const Json line = Json::parse(text);
      add_run(line, all[line.at("workload").get<std::string>()][line.at("side").get<std::string>()]);
    } catch (const std::exception& e) {
      refuse("{}, line {}: {}", file, number, e.what());
    }
  }
  require(!all.empty(), "{}: no runs", file);
  std::map<std::string, Sides> best;
  for (const auto& [workload, sides] : all)
    for (const auto& [name, by_threads] : sides) best[workload][name] = at_its_best(by_threads);
  return best;
}

/// A ratio within each round.
Contrast paired(const std::vector<double>& above, const std::vector<double>& below, const std::string& what) {
  require(above.size() == below.size(), "{}: {} rounds on one side, {} on the other", what, above.size(),
          below.size());
  return paired_contrast(paired_ratios(above, below));
}

Table ratios_table(const std::map<std::string, Sides>& all) {
  constexpr const char* students = "its 95% interval by Student's t on logarithms; empty of one round";
  Table table{
      "peers.csv",
      {{"workload", "", Kind::exact, "which of the six"},
       {"meaning", "", Kind::exact, "what it does"},
       {"peer", "", Kind::exact, "the other side"},
       {"peer_threads", "1", Kind::sampled, "threads with which it is the faster"},
       {"rounds", "1", Kind::exact, "rounds, both sides taking turns"},
       {"seconds", "s", Kind::sampled, "this library, median over rounds of the better of a round's runs"},
       {"peer_seconds", "s", Kind::sampled, "the peer, likewise"},
       {"ratio", "1", Kind::sampled, "the peer's time over ours, paired by round, geometric mean",
        "ratio_low", "ratio_high"},
       {"ratio_low", "1", Kind::sampled, students},
       {"ratio_high", "1", Kind::sampled, students},
       {"product_share", "1", Kind::sampled,
        "time of its matrix product alone, same BLAS and threads, over ours", "share_low", "share_high"},
       {"share_low", "1", Kind::sampled, students},
       {"share_high", "1", Kind::sampled, students}},
      {}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [workload, sides] : all) {
    const auto mine = sides.find(ours);
    require(mine != sides.end(), "{}: no run of this library", workload);
    Contrast share{nan, nan, nan};
    if (!mine->second.product_seconds.empty())
      share = paired(mine->second.product_seconds, mine->second.seconds, workload);
    for (const auto& [name, side] : sides) {
      if (name == ours) continue;
      const Contrast ratio = paired(side.seconds, mine->second.seconds, workload);
      table.add({workload, mine->second.meaning, name, whole(side.threads), whole(side.seconds.size()),
                 median(mine->second.seconds), median(side.seconds), ratio.ratio, ratio.low, ratio.high,
                 share.ratio, share.low, share.high});
    }
  }
  require(!table.rows.empty(), "no run of a peer");
  return table;
}

std::string two_digits(double value) { return fmt::format("{:.3g}", value); }

std::string markdown(const Table& table, const std::map<std::string, Sides>& all) {
  std::string out =
      "## Beside NumPy, PyTorch and Eigen\n\nSix pieces of work, written once on this library and once as a "
      "user of the "
      "peer would write them. Each peer ran with one thread and with all; the faster counts and is named. "
      "Ratios above "
      "1: this library is faster; paired by round, both sides taking turns, geometric means with 95% "
      "intervals (Student's t on logarithms). “NumPy” runs on the same BLAS; "
      "“NumPy 2, own "
      "BLAS” is what pip installs. The product's share is the time of the matrix product alone, by the same "
      "BLAS, over "
      "that of the whole workload here: “all” where nothing else is left to save.\n\n"
      "| | what | peer, at its best | here, s | peer, s | ratio | product's share |\n"
      "| --- | --- | --- | ---: | ---: | ---: | ---: |\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto number = [&](const char* column) { return table.number(i, column); };
    const double share = number("product_share"), threads = number("peer_threads");
    out += fmt::format(
        "| {} | {} | {}, {} thread{} | {} | {} | **{}** ({}) | {} |\n", to_text(table.at(i, "workload")),
        to_text(table.at(i, "meaning")), to_text(table.at(i, "peer")), threads, threads == 1 ? "" : "s",
        two_digits(number("seconds")), two_digits(number("peer_seconds")), two_digits(number("ratio")),
        std::isnan(number("ratio_low"))
            ? "one round"
            : fmt::format("{}–{}", two_digits(number("ratio_low")), two_digits(number("ratio_high"))),
        std::isnan(share) ? "–"
        : share >= 1      ? "all"
                          : fmt::format("{:.0f}%", 100 * share));
  }
  out += "\nWhat both sides found; where random numbers enter, they agree in law:\n\n| | number | here |";
  std::vector<std::string> peers;
  for (const auto& [workload, sides] : all)
    for (const auto& [name, side] : sides)
      if (name != ours && std::ranges::find(peers, name) == peers.end()) peers.push_back(name);
  for (const std::string& peer : peers) out += fmt::format(" {} |", peer);
  out += "\n| --- | --- | ---: |";
  for (std::size_t i = 0; i < peers.size(); ++i) out += " ---: |";
  out += '\n';
  for (const auto& [workload, sides] : all)
    for (const auto& [name, value] : sides.at(ours).numbers) {
      out += fmt::format("| {} | `{}` | {:.6g} |", workload, name, value);
      for (const std::string& peer : peers) {
        const auto side = sides.find(peer);
        const bool known = side != sides.end() && side->second.numbers.contains(name);
        out += known ? fmt::format(" {:.6g} |", side->second.numbers.at(name)) : std::string(" – |");
      }
      out += '\n';
    }
  out += "\nLoaded:\n\n";
  const Sides& first = all.begin()->second;
  for (const auto& [name, side] : first)
    out += fmt::format("- {} ({}): `{}`\n", name, side.version, side.path);
  return out;
}

/// BENCHMARKS.md with the section at its end, in place of an older one.
std::string with_section(std::string page, const std::string& section) {
  const std::string heading = section.substr(0, section.find('\n'));
  page.resize(std::min(page.find(heading), page.size()));
  page.resize(page.find_last_not_of('\n') + 1);
  return fmt::format("{}\n\n{}", page, section);
}

int run(int argc, char** argv) {
  std::string runs, csv, text, page;
  CLI::App app("Ratios of this library's times to its peers'.");
  app.add_option("--runs", runs, "file of JSON lines, from workloads and bench/peers")->required();
  app.add_option("--csv", csv, "file for the table")->required();
  app.add_option("--markdown", text, "file for the section of BENCHMARKS.md")->required();
  app.add_option("--page", page, "BENCHMARKS.md itself, to end with that section");
  parse_options(app, argc, argv);
  const std::map<std::string, Sides> all = read_runs(runs);
  const Table table = ratios_table(all);
  write_whole(csv, to_csv(table));
  const std::string section = markdown(table, all);
  write_whole(text, section);
  if (!page.empty())
    write_whole(page,
                with_section(std::filesystem::exists(page) ? read_file(page) : "# Benchmarks\n", section));
  print_data(section);
  return 0;
}

}  // namespace
}  // namespace perp::bench

int main(int argc, char** argv) {
  return perp::run_program("compare_peers", [&] { return perp::bench::run(argc, argv); });
}
