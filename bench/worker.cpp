// One process of the bench: one backend, one number of threads, one round. It says first which library
// answers, and refuses to go on if it is not the one that was named. Started by perp-bench (bench.cpp); see there.
// With --benchmark_… options, or none, it is a program of Google Benchmark on the BLAS that the loader takes:
// filter, repetitions, random interleaving and formats are that library's own.

#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/call.hpp"
#include "bench/options.hpp"
#include "bench/workload.hpp"
#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/memory.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/study/start.hpp"

namespace perp::bench {
namespace {

using Json = nlohmann::ordered_json;

struct WorkerOptions {
  std::string backend, blas, lapack, out;
  std::size_t threads = 1;
  double longest = 1, seconds = 0.03;
  unsigned row_limit = default_row_limit;
  bool kernels = false, check = false;
  std::vector<std::pair<std::string, double>>
      rows;  ///< with the seconds that a call is known to take, 0: unknown
};

WorkerOptions read_options(int argc, char** argv) {
  WorkerOptions o;
  std::string rows;
  CLI::App app("One process of the bench; perp-bench starts it.");
  app.add_option("--backend", o.backend, "name of the backend")->required();
  app.add_option("--blas", o.blas, "file that must answer for BLAS")->required();
  app.add_option("--lapack", o.lapack, "file that must answer for LAPACK");
  app.add_option("--threads", o.threads, "threads, at least 1")->check(CLI::PositiveNumber);
  app.add_flag("--kernels", o.kernels, "say which core types the library can be told, and nothing else");
  app.add_flag("--check", o.check, "check results instead of timing them");
  app.add_option("--longest", o.longest, "no longer calls, in seconds")->check(CLI::PositiveNumber);
  app.add_option("--seconds", o.seconds, "least time for a row")->check(CLI::PositiveNumber);
  app.add_option("--row-limit", o.row_limit, "seconds after which a row that is not done ends the process")
      ->check(CLI::PositiveNumber);
  app.add_option("--rows", rows, "file of rows to run: a name and the seconds of a call, one a line");
  app.add_option("--out", o.out, "file for the answer, JSON")->required();
  parse_options(app, argc, argv);
  std::istringstream lines(rows.empty() ? "" : read_file(rows));
  double seconds = 0;
  for (std::string name; lines >> name >> seconds;) o.rows.emplace_back(name, seconds);
  return o;
}

bool same_file(const std::string& loaded, const std::string& named) {
  std::error_code error;
  return std::filesystem::equivalent(loaded, named, error) && !error;
}

/// How many threads the library says it will use; 0 if it does not say. Asked of the library itself and not
/// of the process, into which a LAPACK may have brought another BLAS.
std::size_t library_threads(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return 0;
  std::size_t threads = 0;
  for (const char* name :
       {"openblas_get_num_threads", "scipy_openblas_get_num_threads", "MKL_Get_Max_Threads"})
    if (void* found = dlsym(library, name); found != nullptr && threads == 0)
      threads = static_cast<std::size_t>(std::max(0, reinterpret_cast<int (*)()>(found)()));
  dlclose(library);
  return threads;
}

/// A library that lacks memory for one of its threads may wait for it for ever.
void expect_room(std::size_t threads) {
  if (const std::size_t room = threads_with_room(threads); room < threads)
    fail("there is room for {} of {} threads that call BLAS; {}", room, threads, memory_limit_text());
}

/// The version of a library that does not state it: what its file's name says.
std::string version_of(const BlasIdentity& blas) {
  if (!blas.version.empty()) return blas.version;
  const std::string name = std::filesystem::path(blas.path).filename();
  const std::size_t so = name.find(".so.");
  const std::string suffix = so == std::string::npos ? "" : name.substr(so + 4);
  return suffix.find('.') == std::string::npos ? "" : suffix;
}

Json identity(const WorkerOptions& options) {
  const BlasIdentity blas = loaded_blas();
  const auto or_nothing = [](const std::string& path) { return path.empty() ? "nothing" : path; };
  if (!same_file(blas.path, options.blas))
    refuse("{} was named, but {} answers", options.blas, or_nothing(blas.path));
  if (!options.lapack.empty() && !same_file(blas.lapack_path, options.lapack))
    refuse("LAPACK of {} was named, but {} answers", options.lapack, or_nothing(blas.lapack_path));
  return {{"name", blas.name},
          {"version", version_of(blas)},
          {"kernel", blas.kernel},
          {"path", blas.path},
          {"lapack_path", blas.lapack_path},
          {"library_threads", library_threads(blas.path)}};
}

/// A call's time from that of the same operation at the shapes before; 0 where there is none.
class Prediction {
 public:
  double of(const Row& row) const {
    const auto it = known_.find(key(row));
    if (it == known_.end()) return 0;
    const auto& [seconds, per_unit] = it->second;
    return seconds + std::min(per_unit, slowest) * std::max(0.0, units(row) - seconds / per_unit);
  }
  void learn(const Row& row, double seconds) {
    const Known now{seconds, seconds / units(row)};
    Known& known = known_.try_emplace(key(row), now).first->second;
    if (now.per_unit < known.per_unit) known = now;
  }

 private:
  static std::string key(const Row& row) { return fmt::format("{}/{}", row.operation, to_text(row.type)); }
  static double units(const Row& row) { return row.cost().operations; }
  /// Seconds an operation that no library exceeds: what took longer was waking threads, which does not grow.
  static constexpr double slowest = 2e-9;
  struct Known {
    double seconds, per_unit;  ///< of the shape with the best rate
  };
  std::map<std::string, Known> known_;
};

/// Makes the call and holds its result against the reference; what throws has failed.
Json check_call(const std::string& name, const WorkerOptions& options, Prediction& prediction) {
  const std::optional<Row> row = row_of(name);
  const double predicted = row ? prediction.of(*row) : 0;
  const auto ended = [&](const char* status, const std::string& why) {
    return Json{{"row", name}, {"status", status}, {"reason", why}};
  };
  if (predicted > options.longest)
    return ended("skipped", fmt::format("predicted {:.2g} s a call", predicted));
  try {
    const Call call = make_call(name);
    // The first call touches its memory, and a process that was held up for a while shall not pass for a slow
    // library: again, unless the shapes before say that it is as slow as that.
    double seconds = seconds_of(call.run);
    for (int again = 0; row && again < 2; ++again)
      if (seconds < 0.01 || seconds > 3 * predicted) seconds = std::min(seconds, seconds_of(call.run));
    if (row) prediction.learn(*row, seconds);
    const Check check = call.check();
    Json entry = !check.good() ? ended("failed", check.said())
                 : seconds > options.longest
                     ? ended("skipped", fmt::format("right, but took {:.2g} s a call", seconds))
                     : Json{{"row", name}, {"status", "ok"}};
    entry.update(
        {{"seconds", seconds}, {"error", check.error}, {"bound", check.bound}, {"source", check.source}});
    return entry;
  } catch (const std::exception& e) {
    return ended("failed", e.what());
  }
}

/// Folders and complaints need not be UTF-8; JSON must be.
std::string line_of(const Json& line) {
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// A line a row, written at once: should a library bring the process down, or never come back from a call,
/// the last line says where.
void check_rows(const Json& who, const WorkerOptions& options) {
  std::ofstream out(options.out);
  const auto say = [&](const Json& line) {
    if (out << line_of(line) << std::flush) return;
    const std::string cause = reason(errno);
    std::filesystem::remove(options.out);  // half an answer is none
    fail("cannot write {}: {}", options.out, cause);
  };
  Prediction prediction;
  say(who);
  for (const auto& [name, seconds] : options.rows) {
    say({{"begun", name}});
    alarm(options.row_limit);
    say(check_call(name, options, prediction));
  }
}

/// One line: who answers, and what may be asked of it.
void say_kernels(Json who, const std::string& file) {
  who["kernels"] = Json::array();
  for (const KernelSetting& setting : usable_kernels())
    who["kernels"].push_back(
        {{"core", setting.core}, {"variable", setting.variable}, {"value", setting.value}});
  write_whole(file, line_of(who));
}

/// As many calls as fill the time asked for, and at least one. Their number is known from the check: Google
/// Benchmark's own search for it would make the inputs again at every step.
void time_rows(const WorkerOptions& options) {
  for (const auto& [name, known] : options.rows) {
    const double seconds = std::max(known == 0 ? options.seconds : known, 1e-7);
    const auto calls = static_cast<benchmark::IterationCount>(std::ceil(options.seconds / seconds));
    const auto time = [&options, name = name, warm = seconds < 0.02](benchmark::State& state) {
      alarm(options.row_limit);
      const Call call = make_call(name);
      if (warm) call.run();  // caches, pages and the library's own buffers; longer calls warm themselves up
      for (auto _ : state) call.run();
      state.SetLabel(name);
    };
    benchmark::RegisterBenchmark(name.c_str(), time)
        ->UseRealTime()
        ->Unit(benchmark::kSecond)
        ->Iterations(std::max<benchmark::IterationCount>(1, calls));
  }
  std::string program = "worker";
  char* argv[] = {program.data()};
  int argc = 1;
  benchmark::Initialize(&argc, argv);
  std::ostringstream times;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&times);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  write_whole(options.out, times.str());
}

/// What the library says of itself goes into the context of every format; a row that is wrong has an error
/// instead of a time.
void register_rows() {
  const BlasIdentity blas = loaded_blas();
  for (const auto& [key, value] : {std::pair{"blas", blas.name},
                                   {"blas_version", version_of(blas)},
                                   {"blas_kernel", blas.kernel},
                                   {"blas_threads", std::to_string(library_threads(blas.path))}})
    benchmark::AddCustomContext(key, value);
  for (const Row& row : all_rows(false))
    benchmark::RegisterBenchmark(row.name().c_str(), [row](benchmark::State& state) {
      const Call call = make_call(row.name());
      call.run();
      const Check check = call.check();
      if (!check.good()) {
        state.SkipWithError(check.said().c_str());
        return;
      }
      for (auto _ : state) call.run();
      // As Google Benchmark's users count them.
      const Cost cost = row.cost();
      using Counter = benchmark::Counter;
      state.counters["FLOP/s"] =
          Counter(cost.operations, Counter::kIsIterationInvariantRate, Counter::kIs1000);
      state.counters["bytes/s"] = Counter(cost.bytes, Counter::kIsIterationInvariantRate, Counter::kIs1000);
    })->UseRealTime();
}

/// Whether this process is somebody's own: --benchmark_… options, or none at all.
bool by_hand(int argc, char** argv) {
  return argc == 1 || std::any_of(argv + 1, argv + argc, [](const char* argument) {
           return std::string_view(argument).starts_with("--benchmark_");
         });
}

/// What Google Benchmark wrote to standard output has arrived, whichever way it ends the process.
void heed_standard_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  print_message("worker: cannot write to standard output: {}\n", reason(errno));
  std::_Exit(static_cast<int>(Exit::failed));
}

int run_by_hand(int argc, char** argv) {
  expect_room(std::max<std::size_t>(1, library_threads(loaded_blas().path)));
  std::atexit(heed_standard_output);
  register_rows();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return static_cast<int>(Exit::unusable);
  // It has said so where the filter fits no row.
  const bool any = benchmark::RunSpecifiedBenchmarks() > 0;
  benchmark::Shutdown();
  return any ? 0 : static_cast<int>(Exit::unusable);
}

int run(int argc, char** argv) {
  if (const std::optional<int> tried = answer_trial()) return *tried;
  if (by_hand(argc, argv)) return run_by_hand(argc, argv);
  const WorkerOptions options = read_options(argc, argv);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // none that outlives its bench writes into the folder of the next
  alarm(options.row_limit);          // a library may hang before its first row
  expect_room(options.threads);
  const Json who = identity(options);
  if (options.kernels)
    say_kernels(who, options.out);
  else if (options.check)
    check_rows(who, options);
  else
    time_rows(options);
  return 0;
}

}  // namespace
}  // namespace perp::bench

int main(int argc, char** argv) {
  return perp::run_program("worker", [&] { return perp::bench::run(argc, argv); });
}
