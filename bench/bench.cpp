// build/bench/bench: finds the backends, holds every operation against a reference, times what is right in
// interleaved rounds, compares, and writes tables that the renderer makes BENCHMARKS.md of.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "bench/compare.hpp"
#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/file.hpp"
#include "perp/study/results.hpp"

namespace perp::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct BenchOptions {
  std::string backends, only;
  std::string out = "build/bench/out";
  std::vector<std::size_t> threads{1, available_threads()};
  std::size_t rounds = 5;
  double seconds = 0.03;
  bool quick = false, check_only = false, list = false;
};

BenchOptions read_options(int argc, char** argv) {
  BenchOptions o;
  CLI::App app(
      "Which BLAS is fastest and right for this work, and how near the machine's limit.\n"
      "Every operation is first held against a reference; what is wrong is reported and not timed.");
  app.add_option("--backends", o.backends,
                 "'name=folder …' beside Debian's own: folders that hold a libblas.so.3");
  app.add_option("--only", o.only, "only these backends, by name");
  app.add_option("--threads", o.threads, "numbers of threads (default: 1 and all)")
      ->check(CLI::PositiveNumber);
  app.add_option("--rounds", o.rounds, "rounds, backends taking turns (default 5)")
      ->check(CLI::PositiveNumber);
  app.add_option("--seconds", o.seconds, "least time for a row in a round (default 0.03)")
      ->check(CLI::Range(1e-4, 0.3));
  app.add_flag("--quick", o.quick, "the smaller half of the shapes");
  app.add_flag("--check", o.check_only, "hold against the reference only, time nothing");
  app.add_flag("--list", o.list, "list backends and rows, run nothing");
  app.add_option("--out", o.out, "folder for results (default build/bench/out)");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) std::exit(app.exit(e));
    refuse("{}", e.what());
  }
  std::sort(o.threads.begin(), o.threads.end());
  o.threads.erase(std::unique(o.threads.begin(), o.threads.end()), o.threads.end());
  return o;
}

void say(const std::string& line) { std::cerr << line << '\n'; }

void list(const std::vector<Backend>& backends, const std::vector<std::string>& missing, bool quick) {
  for (const Backend& b : backends)
    std::cout << fmt::format("{}{}: BLAS of {}, LAPACK of {}\n", b.name, b.alone ? " alone" : "",
                             b.blas_folder,
                             b.lapack_folder.empty() ? "the loader's choice" : b.lapack_folder);
  for (const std::string& name : missing) std::cout << fmt::format("missing: {}\n", name);
  for (const Row& row : all_rows(quick)) std::cout << row.name() << '\n';
}

std::vector<Configuration> configurations(const std::vector<Backend>& backends,
                                          const std::vector<std::size_t>& threads) {
  std::vector<Configuration> all;
  for (const std::size_t n : threads)
    for (const Backend& b : backends) all.push_back({b, n, {}, {}, {}});
  return all;
}

Table missing_table(const std::vector<std::string>& missing) {
  Table table{"missing.csv", {{"backend", "", Kind::exact, "not found here, and where it comes from"}}, {}};
  for (const std::string& name : missing) table.add({name});
  return table;
}

Table loaded_table(const std::vector<Configuration>& all) {
  Table table{"loaded.csv",
              {{"backend", "", Kind::exact, "backend"},
               {"threads", "1", Kind::exact, "threads"},
               {"library", "", Kind::exact, "what the library says it is"},
               {"version", "", Kind::exact, "its version"},
               {"kernel", "", Kind::exact, "the kernels it chose"},
               {"path", "", Kind::exact, "the file that answered for BLAS"},
               {"lapack_path", "", Kind::exact, "and for LAPACK"}},
              {}};
  for (const Configuration& c : all)
    table.add({c.backend.alone ? fmt::format("{} alone", c.backend.name) : c.backend.name, whole(c.threads),
               c.loaded.name, c.loaded.version, c.loaded.kernel, c.loaded.path, c.loaded.lapack_path});
  return table;
}

Finding count(const char* measure, std::size_t value, std::size_t n, const char* meaning) {
  return finding("B1", measure, {}, {static_cast<double>(value)},
                 {.theory = 0.0, .unit = "1", .n = n, .kind = Kind::count, .meaning = meaning});
}

Results results_of(const std::vector<Configuration>& all, const std::vector<Line>& lines, const Roof& roof,
                   const std::vector<std::string>& missing, const BenchOptions& o) {
  Results results;
  results.study = "bench";
  results.preset = o.quick ? "quick" : "full";
  results.seed = 1;
  std::size_t failed = 0, skipped = 0;
  std::vector<double> noise;
  for (const Line& l : lines) {
    failed += l.checked.status == "failed";
    skipped += l.checked.status == "skipped";
    if (timed(l)) noise.push_back(l.noise);
  }
  results.findings = {
      count("failed", failed, lines.size(), "Rows whose result errs by more than its bound."),
      count("skipped", skipped, lines.size(), "Rows that were predicted to take over a second a call.")};
  if (!noise.empty()) {
    std::sort(noise.begin(), noise.end());
    results.findings.push_back(
        finding("B1", "noise", {}, {noise[noise.size() / 2]},
                {.unit = "1",
                 .n = noise.size(),
                 .kind = Kind::sampled,
                 .meaning = "Median over rows of the rounds' median absolute deviation, as a "
                            "share of their median."}));
  }
  const Rule rule{{"B1.failed", Is::below, 0.5}};
  Claim claim{
      "B1", "Any BLAS gives right results for this work.", "asked", judge(results.findings, rule), "", rule,
      {}};
  if (claim.verdict == Verdict::refuted)
    claim.condition = fmt::format("{} of {} rows err by more than rounding", failed, lines.size());
  for (const Finding& f : results.findings) claim.findings.push_back(f.id);
  results.claims = {claim};
  results.tables = {results_table(lines),     best_table(lines),      heat_table(lines),
                    curve_table(lines, roof), roof_table(roof),       overhead_table(lines),
                    trouble_table(lines),     missing_table(missing), loaded_table(all)};
  return results;
}

void write(const Results& results, const std::string& out) {
  const fs::path folder = fs::path(out) / "bench";
  make_folders(folder);
  for (const Table& table : results.tables) write_whole(folder / table.file, to_csv(table));
  write_whole(folder / "results.json", to_json(results));
}

int run(int argc, char** argv) {
  const BenchOptions o = read_options(argc, argv);
  Backends found = debian_backends();
  for (Backend& b : given_backends(o.backends)) found.found.push_back(std::move(b));
  const std::vector<Backend> backends = only(found.found, o.only);
  if (o.list) {
    list(backends, found.missing, o.quick);
    return 0;
  }
  make_folders(o.out);
  const Plan plan{(fs::read_symlink("/proc/self/exe").parent_path() / "worker").string(), o.out, o.quick,
                  o.seconds};
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };

  std::vector<Configuration> all = configurations(backends, o.threads);
  for (Configuration& c : all) {
    say(fmt::format("{:5.0f} s  checking {}", elapsed(), c.name()));
    check(c, plan);
  }
  Roof roof;
  if (!o.check_only) {
    say(fmt::format("{:5.0f} s  measuring the machine", elapsed()));
    roof = measure_roof(o.threads);
    for (std::size_t round = 0; round < o.rounds; ++round)
      for (Configuration& c : all) {
        say(fmt::format("{:5.0f} s  round {} of {}: {}", elapsed(), round + 1, o.rounds, c.name()));
        time_round(c, plan);
      }
  }
  const std::vector<Line> lines = compare(all, roof, o.quick);
  const Results results = results_of(all, lines, roof, found.missing, o);
  if (!o.check_only) write(results, o.out);
  std::size_t failed = 0;
  for (const Line& l : lines)
    if (l.checked.status == "failed") {
      ++failed;
      std::cout << fmt::format("failed: {}: {}: {}\n", l.configuration->name(), l.row.name(),
                               l.checked.reason);
    }
  std::cout << fmt::format("{} rows on {} backends: {} failed\n", lines.size(), backends.size(), failed);
  for (const std::string& name : found.missing) std::cout << fmt::format("missing: {}\n", name);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace perp::bench

int main(int argc, char** argv) {
  try {
    return perp::bench::run(argc, argv);
  } catch (const perp::Error& e) {
    std::cerr << "bench: " << e.what() << '\n';
    return static_cast<int>(e.exit());
  } catch (const std::exception& e) {
    std::cerr << "bench: " << e.what() << '\n';
    return 1;
  }
}
