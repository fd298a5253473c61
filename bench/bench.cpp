// perp-bench, which perp bench and perp blas-check start: finds the backends, holds every operation against a
// reference, times what is right in interleaved rounds, compares, and writes tables that BENCHMARKS.md is made of.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>

#include "bench/options.hpp"
#include "bench/tables.hpp"
#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/kernels.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"

namespace perp::bench {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, Preset> presets{
    {"quick", {true, 5, 0.002, 0.03}}, {"full", {false, 5, 0.012, 1}}, {"long", {false, 11, 0.2, 10}}};

struct BenchOptions {
  Plan plan;
  std::string backends, only, kernels = "each", own, peers, processors, conclude, runs, preset = "full";
  std::vector<std::size_t> threads{1, available_threads()};
  bool check_only = false, calibrate = false, list = false;
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
  const auto option = [&](const char* name, auto& value, const std::string& what) {
    return app.add_option(name, value, what);
  };
  option("--backends", o.backends, "'name=folder …' beside Debian's: folders that hold a libblas.so.3");
  option("--only", o.only, "only these backends, by name");
  option("--kernels", o.kernels,
         "core types of OpenBLAS and BLIS beside what they pick: each (default), picked or names");
  option("--threads", o.threads, "numbers of threads, for example 1,2 (default: 1 and all)")
      ->delimiter(',')
      ->check(whole_number(1, most_threads));
  option("--preset", o.preset, "quick (the smaller half of the shapes), full (default) or long");
  option("--rounds", rounds, "rounds, backends taking turns (default 5; long 11)")
      ->check(whole_number(1, 1000));
  option("--row-limit", plan.row_limit,
         fmt::format("seconds after which a row counts as failed (default {})", default_row_limit))
      ->check(whole_number(1, 100'000));
  CLI::Option* check =
      app.add_flag("--check", o.check_only, "hold against the reference only, time nothing, write nothing");
  app.add_flag("--calibrate", o.calibrate,
               "hold the default backend against itself first, in the same turns: how often is it called "
               "different?")
      ->excludes(check);
  option("--own", o.own, "core type that perp's programs take of the default backend, to be judged, too");
  option("--peers", o.peers, "peers.csv of make bench-peers, which joins the tables");
  option("--processors", o.processors,
         "processors.csv of a page, whose rows of other processors join the tables");
  CLI::Option* grid =
      app.add_flag("--grid", plan.grid,
                   "every triangle, transposition and side at sizes around the edges of kernels, each "
                   "library and core type in a process of its own")
          ->needs(check);
  app.add_flag("--all", plan.every_size, "every size up to 300")->needs(grid);
  app.add_flag("--list", o.list, "list backends and rows, run nothing");
  CLI::Option* conclude =
      option("--conclude", o.conclude,
             "folder of a run's tables: findings and verdict of these again, nothing measured");
  option("--runs", o.runs, "lines of JSON from workloads and bench/peers, which join them")->needs(conclude);
  option("--out", plan.folder, "folder for results (default build/bench/out)");
  parse_options(app, argc, argv);
  const auto preset = presets.find(o.preset);
  require(preset != presets.end(), "--preset '{}' is none of quick, full, long", o.preset);
  static_cast<Preset&>(plan) = preset->second;
  if (rounds != 0) plan.rounds = rounds;
  for (const std::string& word : words(o.kernels))
    require(word == "each" || word == "picked" || is_core(word),
            "--kernels: '{}' is no core type of OpenBLAS or BLIS; expected each, picked or core types", word);
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

/// The folder is this program's alone: new, empty, or with the file that says so.
void take(const fs::path& folder) {
  constexpr std::string_view says = "What perp-bench works with. A later run replaces whatever is here.\n";
  const fs::path mark = folder / "perp-bench.txt";
  make_folders(folder);
  if (fs::is_empty(folder)) return write_whole(mark, says);
  require(fs::is_regular_file(fs::symlink_status(mark)) && read_file(mark) == says,
          "{} holds what no perp bench wrote; expected it to be moved away", in_quotes(folder));
}

void list(const std::vector<Backend>& backends, const std::vector<std::string>& missing, const Plan& plan) {
  std::string text;
  for (const Backend& b : backends)
    text += fmt::format("{}: BLAS of {}, LAPACK of {} ({})\n", b.shown(), b.blas_folder,
                        b.lapack_folder.empty() ? "the loader's choice" : b.lapack_folder, b.lapack());
  for (const std::string& name : missing) text += fmt::format("missing: {}\n", name);
  for (const Row& row : all_rows(plan.quick)) text += row.name() + '\n';
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
      time_round(c, o.plan);
    }
  }
}

/// The backend that the loader takes by default, which is what this program got; else the first.
const Backend& default_backend(const std::vector<Backend>& backends) {
  const std::string loaded = loaded_blas().path;
  std::error_code error;
  for (const Backend& b : backends)
    if (b.kernels.core.empty() && fs::equivalent(b.blas_folder + "/libblas.so.3", loaded, error)) return b;
  return backends.front();
}

/// Failures one a line, then the sum. Exit code 1 if something failed.
int conclude(const Measured& m, const std::vector<std::string>& faults, std::size_t backends) {
  std::size_t rows = 0, failed = 0, skipped = 0;
  std::string text;
  const auto add_fault = [&](const std::string& fault) {
    ++failed;
    text += fmt::format("failed: {}\n", fault);
  };
  std::ranges::for_each(faults, add_fault);
  for (const Configuration& c : m.configurations) {
    if (!c.fault.empty()) add_fault(fmt::format("{}: {}", c.name(), c.fault));
    for (const auto& [row, checked] : c.checks) {
      ++rows;
      skipped += checked.status == "skipped";
      if (checked.status == "failed") add_fault(fmt::format("{}: {}: {}", c.name(), row, checked.reason));
    }
  }
  for (const std::string& name : m.missing)
    if (std::ranges::count(faults, name) == 0) text += fmt::format("missing: {}\n", name);
  text += fmt::format("{} rows on {} configurations of backend and LAPACK: {} failed, {} skipped\n", rows,
                      backends, failed, skipped);
  print_data(text);
  return failed == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  const BenchOptions o = read_options(argc, argv);
  const Plan& plan = o.plan;
  const fs::path results = fs::path(plan.folder) / "bench";
  if (!o.conclude.empty())
    return take(plan.folder), write_results(results, results_from(o.conclude, o.runs)), 0;
  Backends found = debian_backends();
  for (Backend& b : given_backends(o.backends)) found.found.push_back(std::move(b));
  std::vector<Backend> backends = named(found.found, o.only);
  require(!backends.empty(), "no BLAS found; make deps-bench installs Debian's");
  if (o.list) return list(backends, found.missing, plan), 0;
  const Alone alone(name_of(argv), plan.folder);
  take(plan.folder);
  const Progress say;
  Measured m;
  m.missing = found.missing;
  std::vector<std::string> faults;
  std::erase_if(backends, [&](const Backend& b) {
    const BlasTrial tried = try_backend(b, plan);
    if (!tried.loads) faults.push_back(fmt::format("{}: {}", b.shown(), tried.fault));
    return !tried.loads;
  });
  m.missing.insert(m.missing.end(), faults.begin(), faults.end());
  if (backends.empty()) return conclude(m, faults, 0);
  backends = with_kernels(backends, plan, o.kernels);
  if (o.calibrate) m.calibration = calibrate(default_backend(backends), o.threads.front(), plan, say);
  m.plan = plan;
  m.own = o.own;
  m.peers = o.peers;
  m.processors = o.processors;
  m.sheet = machine_sheet();
  m.sheet.emplace_back("preset", o.preset);
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
    m.sheet.emplace_back("load average after", load_average());
    m.sheet.emplace_back("seconds that the bench took", fmt::format("{:.0f}", say.seconds()));
    write_results(results, results_of(m));
  }
  return conclude(m, faults, backends.size());
}

}  // namespace
}  // namespace perp::bench

int main(int argc, char** argv) {
  return perp::run_program(perp::bench::name_of(argv), [&] { return perp::bench::run(argc, argv); });
}
