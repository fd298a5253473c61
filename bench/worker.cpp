// One process of the bench: one backend, one number of threads, one round. It says first which library
// answers, and refuses to go on if it is not the one that was named. Started by build/bench/bench; see there.

#include <benchmark/benchmark.h>
#include <sched.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/call.hpp"
#include "bench/worker_options.hpp"
#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/io/file.hpp"

namespace perp::bench {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// Keeps this process on as many processors as it may use threads, so that kernels of ours use no more.
void keep_to(std::size_t processors) {
  cpu_set_t mine, fewer;
  CPU_ZERO(&fewer);
  if (sched_getaffinity(0, sizeof mine, &mine) != 0) return;
  for (std::size_t i = 0, kept = 0; i < CPU_SETSIZE && kept < processors; ++i)
    if (CPU_ISSET(i, &mine)) {
      CPU_SET(i, &fewer);
      ++kept;
    }
  sched_setaffinity(0, sizeof fewer, &fewer);
}

bool same_file(const std::string& loaded, const std::string& named) {
  std::error_code error;
  return std::filesystem::equivalent(loaded, named, error) && !error;
}

Json identity(const WorkerOptions& options) {
  const BlasIdentity blas = loaded_blas();
  if (!same_file(blas.path, options.blas))
    refuse("{}: {} was named, but {} answers", options.backend, options.blas,
           blas.path.empty() ? "nothing" : blas.path);
  if (!options.lapack.empty() && !same_file(blas.lapack_path, options.lapack))
    refuse("{}: LAPACK of {} was named, but {} answers", options.backend, options.lapack, blas.lapack_path);
  return {{"name", blas.name},
          {"version", blas.version},
          {"kernel", blas.kernel},
          {"path", blas.path},
          {"lapack_path", blas.lapack_path}};
}

double timed(Call& call) {
  const auto start = Clock::now();
  call.run();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A call's time from the rate of the same operation at the shape before; 0 where there is none.
class Prediction {
 public:
  double of(const Row& row) const {
    const auto it = seconds_per_unit_.find(key(row));
    return it == seconds_per_unit_.end() ? 0 : it->second * units(row);
  }
  void learn(const Row& row, double seconds) { seconds_per_unit_[key(row)] = seconds / units(row); }

 private:
  static std::string key(const Row& row) {
    return fmt::format("{}/{}/{}", row.operation, to_text(row.through), to_text(row.type));
  }
  static double units(const Row& row) {
    const Cost cost = row.cost();
    return cost.operations > 0 ? cost.operations : cost.bytes;
  }
  std::map<std::string, double> seconds_per_unit_;
};

/// Runs every row once and holds the result against the reference.
Json check_rows(const std::vector<Row>& rows) {
  Json out = Json::array();
  Prediction prediction;
  for (const Row& row : rows) {
    Json entry{{"row", row.name()}};
    if (const double predicted = prediction.of(row); predicted > longest_call) {
      entry["status"] = "skipped";
      entry["reason"] = fmt::format("predicted {:.1f} s a call", predicted);
      out.push_back(entry);
      continue;
    }
    try {
      const std::unique_ptr<Call> call = make_call(row);
      double seconds = timed(*call);
      if (seconds < 0.01) seconds = timed(*call);  // the first touches its memory
      prediction.learn(row, seconds);
      const Check check = call->check();
      entry["status"] = check.good() ? "ok" : "failed";
      entry["error"] = check.error;
      entry["bound"] = check.bound;
      entry["source"] = check.source;
      entry["seconds"] = seconds;
      if (!check.good())
        entry["reason"] = fmt::format("error {:.3g}, bound {:.3g}", check.error, check.bound);
    } catch (const std::exception& e) {
      entry["status"] = "failed";
      entry["reason"] = e.what();
    }
    out.push_back(entry);
  }
  return out;
}

/// Google Benchmark times the rows; its JSON goes to the file, its table nowhere.
class Silent final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

void time_rows(const std::vector<Row>& rows, const WorkerOptions& options) {
  for (const Row& row : rows)
    benchmark::RegisterBenchmark(row.name().c_str(),
                                 [row](benchmark::State& state) {
                                   const std::unique_ptr<Call> call = make_call(row);
                                   call->run();  // warms caches, pages and the library's own buffers
                                   for (auto _ : state) call->run();
                                 })
        ->UseRealTime()
        ->Unit(benchmark::kSecond)
        ->MinTime(options.seconds);
  std::string program = "worker", out = fmt::format("--benchmark_out={}", options.out),
              format = "--benchmark_out_format=json";
  char* arguments[] = {program.data(), out.data(), format.data()};
  int count = 3;
  benchmark::Initialize(&count, arguments);
  Silent silent;
  benchmark::RunSpecifiedBenchmarks(&silent);
}

std::vector<Row> chosen(const WorkerOptions& options) {
  std::vector<Row> rows;
  for (Row& row : all_rows(options.quick)) {
    const bool own = row.through == Through::own;
    if (own == options.own && (options.rows.empty() || options.rows.contains(row.name())))
      rows.push_back(std::move(row));
  }
  return rows;
}

int run(int argc, char** argv) {
  const WorkerOptions options = read_worker_options(argc, argv);
  if (options.own) keep_to(options.threads);
  const Json who = identity(options);
  if (options.check) {
    write_whole(options.out, Json{{"identity", who}, {"rows", check_rows(chosen(options))}}.dump(1));
  } else {
    time_rows(chosen(options), options);
  }
  return 0;
}

}  // namespace
}  // namespace perp::bench

int main(int argc, char** argv) {
  try {
    return perp::bench::run(argc, argv);
  } catch (const perp::Error& e) {
    std::cerr << "worker: " << e.what() << '\n';
    return static_cast<int>(e.exit());
  } catch (const std::exception& e) {
    std::cerr << "worker: " << e.what() << '\n';
    return 1;
  }
}
