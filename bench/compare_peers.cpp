// build/bench/compare_peers: lines of JSON from build/bench/workloads and from bench/peers in, ratios out.
// Both sides ran in turns; a ratio is taken within a round, so that what slows the machine for a while slows
// both.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/options.hpp"
#include "bench/tables.hpp"
#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/program.hpp"
#include "perp/io/written.hpp"
#include "perp/statistics/order.hpp"

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
using Sides = std::map<std::string, Side>;       // by name of the side
using Workloads = std::map<std::string, Sides>;  // by name of the workload

void add_run(const Json& line, std::map<std::size_t, Side>& by_threads) {
  const std::size_t threads = line.at("threads");
  Side& side = by_threads[threads];
  side.threads = threads;
  side.version = line.at("blas").get<std::string>();
  side.version += (side.version.empty() ? "" : " ") + line.at("version").get<std::string>();
  side.path = line.at("path").get<std::string>();
  side.meaning = line.value("meaning", side.meaning);
  const double best = least(line.at("seconds").get<std::vector<double>>(), std::identity{});
  require(best > 0 && std::isfinite(best), "no positive times");
  side.seconds.push_back(best);
  if (line.contains("product_seconds")) side.product_seconds.push_back(line["product_seconds"].get<double>());
  for (const auto& [name, value] : line.at("numbers").items()) side.numbers[name] = value.get<double>();
}

/// Each side at its best: the number of threads with the smaller median.
Workloads read_runs(const std::string& file) {
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
  Workloads best;
  const auto usual = [](const auto& entry) { return median(entry.second.seconds); };
  for (const auto& [workload, sides] : all)
    for (const auto& [name, by_threads] : sides)
      best[workload][name] = std::ranges::min_element(by_threads, {}, usual)->second;
  return best;
}

/// A ratio within each round.
Contrast paired(const std::vector<double>& above, const std::vector<double>& below, const std::string& what) {
  require(above.size() == below.size(), "{}: {} rounds on one side, {} on the other", what, above.size(),
          below.size());
  return paired_contrast(paired_ratios(above, below));
}

/// A workload here beside a peer.
struct Pair {
  std::string workload, name;
  Side mine, peer;
  Contrast ratio;
  Contrast share;  ///< of its matrix product; NaN where none is timed
};

std::vector<Pair> pairs_of(const Workloads& all) {
  std::vector<Pair> pairs;
  for (const auto& [workload, sides] : all) {
    const auto mine = sides.find(ours);
    require(mine != sides.end(), "{}: no run of this library", workload);
    const auto& [seconds, product] = std::tie(mine->second.seconds, mine->second.product_seconds);
    const Contrast share = product.empty() ? Contrast{NAN, NAN, NAN} : paired(product, seconds, workload);
    for (const auto& [name, side] : sides)
      if (name != ours)
        pairs.push_back({workload, name, mine->second, side, paired(side.seconds, seconds, workload), share});
  }
  require(!pairs.empty(), "no run of a peer");
  return pairs;
}

Table ratios_table(const std::vector<Pair>& pairs) {
  constexpr const char* students = "its 95% interval by Student's t on logarithms; empty of one round";
  return table_of(
      "peers.csv", pairs,
      {exact("workload", "which of the six", &Pair::workload),
       exact("meaning", "what it does", [](const Pair& p) { return p.mine.meaning; }),
       exact("peer", "the other side", &Pair::name),
       sampled("peer_threads", "threads with which it is the faster",
               [](const Pair& p) { return p.peer.threads; }),
       exact("rounds", "rounds, both sides taking turns",
             [](const Pair& p) { return p.peer.seconds.size(); }),
       sampled("seconds", "this library, median over rounds of the better of a round's runs",
               [](const Pair& p) { return median(p.mine.seconds); })
           .unit("s"),
       sampled("peer_seconds", "the peer, likewise", [](const Pair& p) { return median(p.peer.seconds); })
           .unit("s"),
       sampled("ratio", "the peer's time over ours, paired by round, geometric mean",
               [](const Pair& p) { return p.ratio.estimate(); })
           .interval("ratio_low", "ratio_high", students),
       sampled("product_share", "time of its matrix product alone, same BLAS and threads, over ours",
               [](const Pair& p) { return p.share.estimate(); })
           .interval("share_low", "share_high", students)});
}

std::string two_digits(double value) { return fmt::format("{:.3g}", value); }

std::string markdown(const std::vector<Pair>& pairs, const Workloads& all) {
  std::string out =
      "## Beside NumPy, PyTorch and Eigen\n\nSix pieces of work, written once on this library and once as a "
      "user of the peer would write them. Each peer ran with one thread and with all; the faster counts and "
      "is named. Ratios above 1: this library is faster; paired by round, both sides taking turns, geometric "
      "means with 95% intervals (Student's t on logarithms). “NumPy” runs on the same BLAS and kernels; "
      "“NumPy 2, own BLAS” is what pip installs. The product's share is the time of the matrix product "
      "alone, by the same "
      "BLAS, over that of the whole workload here: “all” where nothing else is left to save.\n\n"
      "| | what | peer, at its best | here, s | peer, s | ratio | product's share |\n"
      "| --- | --- | --- | ---: | ---: | ---: | ---: |\n";
  std::vector<std::string> peers;
  for (const Pair& p : pairs) {
    const double share = p.share.ratio;
    out += fmt::format(
        "| {} | {} | {}, {} thread{} | {} | {} | **{}** ({}) | {} |\n", p.workload, p.mine.meaning, p.name,
        p.peer.threads, p.peer.threads == 1 ? "" : "s", two_digits(median(p.mine.seconds)),
        two_digits(median(p.peer.seconds)), two_digits(p.ratio.ratio),
        std::isnan(p.ratio.low) ? "one round"
                                : fmt::format("{}–{}", two_digits(p.ratio.low), two_digits(p.ratio.high)),
        std::isnan(share) ? "–"
        : share >= 1      ? "all"
                          : fmt::format("{:.0f}%", 100 * share));
    if (std::ranges::find(peers, p.name) == peers.end()) peers.push_back(p.name);
  }
  out += "\nWhat both sides found; where random numbers enter, they agree in law:\n\n| | number | here |";
  std::string rule = "\n| --- | --- | ---: |";
  for (const std::string& peer : peers) {
    out += fmt::format(" {} |", peer);
    rule += " ---: |";
  }
  out += rule + '\n';
  for (const auto& [workload, sides] : all)
    for (const auto& [name, value] : sides.at(ours).numbers) {
      out += fmt::format("| {} | `{}` | {:.6g} |", workload, name, value);
      for (const std::string& peer : peers) {
        const auto side = sides.find(peer);
        const bool known = side != sides.end() && side->second.numbers.contains(name);
        out += known ? fmt::format(" {:.6g} |", side->second.numbers.at(name)) : " – |";
      }
      out += '\n';
    }
  out += "\nLoaded:\n\n";
  for (const auto& [name, side] : all.begin()->second)
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

/// The page is perp bench's from then on, as if it had written that section, and so is a table that lies beside it.
void add_to_page(const std::filesystem::path& page, const std::filesystem::path& csv,
                 const std::string& table, const std::string& section) {
  const std::string before = std::filesystem::exists(page) ? read_file(page) : "# Benchmarks\n",
                    name = page.filename().string(),
                    way = csv.lexically_relative(page.parent_path()).string();
  NamedBytes own{{page, with_section(before, section)}}, elsewhere;
  (way.empty() || way.starts_with("..") ? elsewhere : own).emplace_back(csv, table);
  Written(page.parent_path(), name).write(own, false, elsewhere);
}

int run(int argc, char** argv) {
  std::string runs, csv, text, page;
  CLI::App app("Ratios of this library's times to its peers'.");
  app.add_option("--runs", runs, "file of JSON lines, from workloads and bench/peers")->required();
  app.add_option("--csv", csv, "file for the table")->required();
  app.add_option("--markdown", text, "file for the section of BENCHMARKS.md")->required();
  app.add_option("--page", page, "BENCHMARKS.md itself, to end with that section");
  parse_options(app, argc, argv);
  const Workloads all = read_runs(runs);
  const std::vector<Pair> pairs = pairs_of(all);
  const std::string section = markdown(pairs, all), table = to_csv(ratios_table(pairs));
  write_whole(text, section);
  if (page.empty())
    write_whole(csv, table);
  else
    add_to_page(page, csv, table, section);
  print_data(section);
  return 0;
}

}  // namespace
}  // namespace perp::bench

int main(int argc, char** argv) {
  return perp::run_program("compare_peers", [&] { return perp::bench::run(argc, argv); });
}
