// perp-bench, which perp bench and perp blas-check start: finds the backends, holds every operation against a
// reference, times what is right in interleaved rounds, compares, and writes tables that BENCHMARKS.md is made of.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/findings.hpp"
#include "bench/options.hpp"
#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/kernels.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/alone.hpp"
#include "perp/io/file.hpp"
#include "perp/io/program.hpp"

namespace perp::bench {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, Preset> presets{
    {"quick", {true, 5, 0.002, 0.03}}, {"full", {false, 5, 0.012, 1}}, {"long", {false, 11, 0.2, 10}}};

struct BenchOptions {
  Plan plan;
  std::string backends, only, kernels = "each", history, own, a, b, csv, append, preset = "full";
  std::vector<std::size_t> threads{1, available_threads()};
  bool submit = false, check_only = false, calibrate = false, list = false;
};

/// The program that measures: below the build folder that this one lies in, or beside it where it is installed.
fs::path worker() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path(), below = here / "bench/worker";
  return fs::exists(below) ? below : here / "worker";
}

/// perp-bench, or the word of perp that has started it.
std::string name_of(char** argv) { return fs::path(argv[0]).filename(); }

BenchOptions read_options(int argc, char** argv) {
  BenchOptions o;
  Plan& plan = o.plan;
  plan.worker = worker();
  plan.folder = "build/bench/out";
  std::size_t rounds = 0;
  CLI::App app(
      "Which BLAS is fastest and right for this work, and how near the machine's limit.\n"
      "Every operation is first held against a reference; what is wrong is reported and not timed.",
      name_of(argv));
  app.add_option("--backends", o.backends,
                 "'name=folder …' beside Debian's: folders that hold a libblas.so.3");
  app.add_option("--only", o.only, "only these backends, by name");
  app.add_option("--kernels", o.kernels,
                 "core types of OpenBLAS and BLIS beside what they pick: each (default), picked or names");
  app.add_option("--threads", o.threads, "numbers of threads, for example 1,2 (default: 1 and all)")
      ->delimiter(',')
      ->check(whole_number(1, most_threads));
  app.add_option("--preset", o.preset, "quick (the smaller half of the shapes), full (default) or long");
  app.add_option("--rounds", rounds, "rounds, backends taking turns (default 5; long 11)")
      ->check(whole_number(1, 1000));
  app.add_option("--row-limit", plan.row_limit,
                 fmt::format("seconds after which a row counts as failed (default {})", default_row_limit))
      ->check(whole_number(1, 100'000));
  app.add_flag("--check", o.check_only, "hold against the reference only, time nothing, write nothing");
  app.add_flag(
      "--calibrate", o.calibrate,
      "hold the default backend against itself first, in the same turns: how often is it called different?");
  app.add_option("--history", o.history, "file of earlier runs, for the figure over time");
  app.add_option("--own", o.own,
                 "core type that perp's programs take of the default backend, to be judged, too");
  app.add_flag(
      "--grid", plan.grid,
      "with --check: every triangle, transposition and side at sizes around the edges of kernels, each "
      "library and core type in a process of its own");
  app.add_flag("--all", plan.every_size, "with --grid: every size up to 300");
  app.add_option("--random", plan.random,
                 "with --check: this many random shapes an operation and type instead")
      ->check(whole_number(1, 10'000));
  app.add_option("--seed", plan.seed, "of the random shapes")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
  app.add_flag("--submit", o.submit, "print the run in --out as a line for a history, and where to put it");
  app.add_option("--a", o.a,
                 "two runs, nothing measured: a folder with results.csv, or FILE:LINE of a history")
      ->excludes("--submit");
  app.add_option("--b", o.b, "… and the later one")->needs("--a");
  app.add_option("--csv", o.csv, "file for their table, too")->needs("--b");
  app.add_option("--append", o.append, "folder of a run that joins --history, unless it is there already")
      ->needs("--history");
  app.add_flag("--list", o.list, "list backends and rows, run nothing");
  app.add_option("--out", plan.folder, "folder for results (default build/bench/out)");
  parse_options(app, argc, argv);
  const auto preset = presets.find(o.preset);
  require(preset != presets.end(), "--preset '{}' is none of quick, full, long", o.preset);
  static_cast<Preset&>(plan) = preset->second;
  if (rounds != 0) plan.rounds = rounds;
  for (const std::string& word : words(o.kernels))
    require(word == "each" || word == "picked" || is_core(word),
            "--kernels: '{}' is no core type of OpenBLAS or BLIS; expected each, picked or core types", word);
  require(!plan.grid || (o.check_only && plan.random == 0),
          "--grid goes with --check, and not with --random");
  require(!plan.every_size || plan.grid, "--all goes with --grid");
  require(plan.random == 0 || o.check_only || o.list, "--random goes with --check");
  require(!o.calibrate || !o.check_only, "--calibrate goes without --check");
  require(!o.calibrate || plan.rounds >= 2,
          "--rounds {}: expected 2 or more, for the default backend is held against itself", plan.rounds);
  std::sort(o.threads.begin(), o.threads.end());
  o.threads.erase(std::unique(o.threads.begin(), o.threads.end()), o.threads.end());
  return o;
}

/// Messages, with the time since the start.
struct Progress {
  const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  void operator()(const std::string& line) const { print_message("{:4.0f} s  {}\n", seconds(), line); }
};

void list(const std::vector<Backend>& backends, const std::vector<std::string>& missing, const Plan& plan) {
  std::string text;
  for (const Backend& b : backends)
    text += fmt::format("{}: BLAS of {}, LAPACK of {} ({})\n", b.shown(), b.blas_folder,
                        b.lapack_folder.empty() ? "the loader's choice" : b.lapack_folder, b.lapack());
  for (const std::string& name : missing) text += fmt::format("missing: {}\n", name);
  for (const Row& row : plan.rows()) text += row.name() + '\n';
  print_data(text);
}

void time_all(Measured& m, const BenchOptions& o, const Progress& say) {
  for (std::size_t round = 0; round < o.plan.rounds; ++round) {
    say(fmt::format("round {} of {}: the machine", round + 1, o.plan.rounds));
    m.roof.raise(measure_roof(o.threads));
    for (std::size_t i = 0; i < m.configurations.size(); ++i) {
      // Each round begins with another backend, so that none is always behind the same neighbour.
      Configuration& c = m.configurations[(i + round) % m.configurations.size()];
      say(fmt::format("round {} of {}: {}", round + 1, o.plan.rounds, c.name()));
      m.fma_by_round.push_back(fma_rate_now());
      time_round(c, o.plan);
    }
  }
}

/// The backend that the loader takes by default, which is what this program got; else the first.
const Backend& default_backend(const std::vector<Backend>& backends) {
  const std::string loaded = loaded_blas().path;
  std::error_code error;
  for (const Backend& b : backends)
    if (b.kernels.core.empty() && !b.repeats &&
        fs::equivalent(b.blas_folder + "/libblas.so.3", loaded, error))
      return b;
  return backends.front();
}

/// Failures one a line, then the sum. Exit code 1 if something failed.
int conclude(const Measured& m, std::size_t backends) {
  std::map<std::string, std::size_t> count;
  std::size_t rows = 0;
  std::string text;
  const auto add_fault = [&](const std::string& fault) {
    ++count["failed"];
    text += fmt::format("failed: {}\n", fault);
  };
  std::ranges::for_each(m.faults, add_fault);
  for (const Configuration& c : m.configurations) {
    if (!c.fault.empty()) add_fault(fmt::format("{}: {}", c.name(), c.fault));
    for (const auto& [row, checked] : c.checks) {
      ++rows;
      ++count[checked.status];
      if (checked.status == "failed")
        text += fmt::format("failed: {}: {}: {}\n", c.name(), row, checked.reason);
    }
  }
  for (const std::string& name : m.missing) text += fmt::format("missing: {}\n", name);
  text += fmt::format("{} rows on {} configurations of backend and LAPACK: {} failed, {} skipped\n", rows,
                      backends, count["failed"], count["skipped"]);
  print_data(text);
  return count["failed"] == 0 ? 0 : 1;
}

/// Two runs against each other.
int compare_runs(const BenchOptions& o) {
  const Run earlier = find_run(o.a), later = find_run(o.b);
  const std::vector<Compared> rows = compared(earlier, later);
  if (!o.csv.empty()) write_whole(o.csv, to_csv(comparison_table("comparison.csv", rows)));
  print_data(to_markdown(earlier, later, rows));
  return 0;
}

/// Appends a folder's run to a history, unless it is there already.
int append_run(const BenchOptions& o) {
  const Run run = read_run(o.append, o.preset);
  if (std::ranges::count(read_history(o.history), hash_of(run), hash_of) > 0) return 0;
  const std::string before = fs::exists(o.history) ? read_file(o.history) : "";
  write_whole(o.history, before + to_line(run) + "\n");
  return 0;
}

/// The line of a finished run; standard error says what becomes of it.
int submit(const std::string& out) {
  const fs::path folder = fs::path(out) / "bench";
  require(fs::exists(folder / "results.json"), "{}: no run of the bench; perp bench measures", out);
  const std::string preset = nlohmann::json::parse(read_file(folder / "results.json")).at("preset");
  print_data(to_line(read_run(folder, preset)) + "\n");
  print_message(
      "the last line of reports/published/bench/history.jsonl in a clone of this repository, and a pull "
      "request: it holds no host name and no folder; docs/schema/bench-history.schema.json is its form\n");
  return 0;
}

int run(int argc, char** argv) {
  const BenchOptions o = read_options(argc, argv);
  if (o.submit) return submit(o.plan.folder);
  if (!o.append.empty()) return append_run(o);
  if (!o.a.empty()) return compare_runs(o);
  Backends found = debian_backends();
  for (Backend& b : given_backends(o.backends)) found.found.push_back(std::move(b));
  std::vector<Backend> backends = named(found.found, o.only);
  require(!backends.empty(), "no BLAS found; make deps-bench installs Debian's");
  const Plan& plan = o.plan;
  if (o.list) return list(backends, found.missing, plan), 0;
  const Alone alone(name_of(argv), plan.folder);
  const Progress say;
  Measured m;
  std::erase_if(backends, [&](const Backend& b) {
    const BlasTrial tried = try_backend(b, plan);
    if (!tried.loads) m.faults.push_back(fmt::format("{}: {}", b.shown(), tried.fault));
    return !tried.loads;
  });
  if (backends.empty()) return conclude(m, 0);
  backends = with_kernels(backends, plan, o.kernels);
  if (o.calibrate) m.calibration = calibrate(default_backend(backends), o.threads.front(), plan, say);
  m.missing = found.missing;
  m.plan = plan;
  m.own = o.own;
  m.sheet = machine_sheet();
  m.sheet.emplace_back("load average before", load_average());
  for (const std::size_t n : o.threads)
    for (const Backend& b : backends) m.configurations.push_back({b, n});
  for (Configuration& c : m.configurations) {
    say(fmt::format("checking {}", c.name()));
    check(c, plan);
  }
  if (!o.check_only) {
    time_all(m, o, say);
    m.baseline = default_backend(backends).shown();
    if (!o.history.empty()) m.history = read_history(o.history);
    m.sheet.emplace_back("load average after", load_average());
    m.sheet.emplace_back("seconds that the bench took", fmt::format("{:.0f}", say.seconds()));
    write_results(fs::path(plan.folder) / "bench", results_of(m));
  }
  return conclude(m, backends.size());
}

}  // namespace
}  // namespace perp::bench

int main(int argc, char** argv) {
  return perp::run_program(perp::bench::name_of(argv), [&] { return perp::bench::run(argc, argv); });
}
