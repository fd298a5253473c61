#include "bench/runs.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/process.hpp"
#include "perp/base/error.hpp"
#include "perp/io/file.hpp"

namespace perp::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Wanted = std::map<std::string, double>;  ///< rows, with the seconds a call is known to take

/// The loader's path first, then every library's thread variable, all of them alike: which library reads
/// which is not for us to guess.
Variables variables(const Backend& backend, std::size_t threads) {
  const char* path = std::getenv("LD_LIBRARY_PATH");
  const std::string behind = path == nullptr || *path == '\0' ? "" : fmt::format(":{}", path);
  Variables set{{"LD_LIBRARY_PATH", fmt::format("{}{}", backend.loader_path(), behind)},
                {"BLIS_ARCH_DEBUG", "1"},  // says which kernels it takes, and nowhere else
                {"MKL_DYNAMIC", "FALSE"},
                {"OMP_DYNAMIC", "FALSE"}};
  for (const char* name :
       {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS", "MKL_NUM_THREADS"})
    set.emplace_back(name, fmt::format("{}", threads));
  return set;
}
/// They would overrule the number of threads.
const std::vector<std::string> overruling{
    "BLIS_JC_NT", "BLIS_PC_NT",    "BLIS_IC_NT",       "BLIS_JR_NT",        "BLIS_IR_NT",
    "OMP_PLACES", "OMP_PROC_BIND", "OMP_THREAD_LIMIT", "GOMP_CPU_AFFINITY", "MKL_DOMAIN_NUM_THREADS"};

std::string file_name(const Configuration& c) {
  std::string name = fmt::format("{}-{}", c.backend.shown(), c.threads);
  for (char& letter : name)
    if (letter == ' ') letter = '-';
  return name;
}

/// The worker's own line among what the libraries say.
std::string complaint(const std::string& said) {
  std::istringstream lines(said);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("worker: ")) return line;
    if (first.empty()) first = line;
  }
  return first;
}

/// Asks one worker: BLAS's rows with its own threads, our kernels' rows with one BLAS thread in each of ours.
/// The answer is in `out`, as far as it came.
Ended ask(const Configuration& c, const Plan& plan, bool own, bool checking, const Wanted& rows,
          const std::string& out) {
  WorkerOptions options;
  options.backend = c.backend.name;
  options.blas = fmt::format("{}/libblas.so.3", c.backend.blas_folder);
  if (!c.backend.lapack_folder.empty())
    options.lapack = fmt::format("{}/liblapack.so.3", c.backend.lapack_folder);
  options.threads = c.threads;
  options.own = own;
  options.quick = plan.quick;
  options.check = checking;
  options.random = plan.random;
  options.seed = plan.seed;
  options.seconds = plan.seconds;
  options.longest = plan.longest;
  options.out = out;
  const std::string rows_file = fmt::format("{}/rows.txt", plan.folder);
  std::string names;
  for (const auto& [name, seconds] : rows) names += fmt::format("{} {}\n", name, seconds);
  write_whole(rows_file, names);
  fs::remove(out);
  const Ended ended = run_program(plan.worker, arguments(options, rows_file),
                                  variables(c.backend, own ? 1 : c.threads), overruling);
  if (ended.signal == 0 && ended.code == static_cast<int>(Exit::unusable))
    refuse("{}", complaint(ended.said));
  return ended;
}

std::string how(const Ended& ended) {
  if (ended.signal != 0) return fmt::format("the process died of signal {}", ended.signal);
  const std::string line = complaint(ended.said);
  return line.empty() ? fmt::format("the process ended with {}", ended.code) : line;
}

std::string text_of(const Json& entry, const char* key) { return entry.value(key, std::string()); }
double number_of(const Json& entry, const char* key) {
  return entry.contains(key) && entry[key].is_number() ? entry[key].get<double>()
                                                       : std::numeric_limits<double>::quiet_NaN();
}

/// One line of JSON a finding, the first about the library.
void read_line(const Json& line, Configuration& c) {
  if (!line.contains("row")) {
    c.loaded = {text_of(line, "name"), text_of(line, "version"),     text_of(line, "kernel"),
                text_of(line, "path"), text_of(line, "lapack_path"), c.loaded.threads};
    if (!line.value("own", false)) c.loaded.threads = line.value("library_threads", std::size_t{0});
    return;
  }
  c.checks[line.at("row")] = {text_of(line, "status"),  text_of(line, "reason"),  text_of(line, "source"),
                              number_of(line, "error"), number_of(line, "bound"), line.value("seconds", 0.0)};
}

/// BLIS: "libblis: selecting sub-configuration 'zen3'."
std::string blis_kernel(const std::string& said) {
  constexpr std::string_view before = "selecting sub-configuration '";
  const std::size_t at = said.find(before);
  if (at == std::string::npos) return {};
  const std::size_t from = at + before.size();
  return said.substr(from, said.find('\'', from) - from);
}

/// Google Benchmark writes a run's mean time in its unit, here seconds, and adds "/iterations:7/real_time" to
/// the row's name of four parts.
void read_times(const Json& answer, Configuration& c) {
  for (const Json& run : answer.at("benchmarks")) {
    const std::string name = run.at("run_name");
    std::size_t end = 0;
    for (int slash = 0; slash < 4 && end != std::string::npos; ++slash) end = name.find('/', end + 1);
    c.rounds[name.substr(0, end)].push_back(run.at("real_time").get<double>());
  }
}

/// Checks what is left of `rows`, and says which row was the last to be begun if the worker died.
void check_some(Configuration& c, const Plan& plan, bool own, Wanted& rows) {
  const std::string out = fmt::format("{}/answer.jsonl", plan.folder);
  const Ended ended = ask(c, plan, own, true, rows, out);
  std::string begun;
  std::istringstream lines(fs::exists(out) ? read_file(out) : "");
  for (std::string text; std::getline(lines, text);) {
    const Json line = Json::parse(text);
    if (line.contains("begun")) {
      begun = line["begun"];
      continue;
    }
    read_line(line, c);
    if (c.loaded.kernel.empty()) c.loaded.kernel = blis_kernel(ended.said);
    if (line.contains("row")) rows.erase(line["row"].get<std::string>());
  }
  if (ended.signal == 0 && ended.code == 0) return rows.clear();
  if (!rows.contains(begun)) fail("{}: {}", c.name(), how(ended));
  const double none = std::numeric_limits<double>::quiet_NaN();
  c.checks[begun] = {"failed", how(ended), "", none, none, 0};
  rows.erase(begun);
}

}  // namespace

std::vector<Row> Plan::rows() const { return random > 0 ? random_rows(random, seed) : all_rows(quick); }

std::string Configuration::name() const {
  return fmt::format("{}, {} thread{}", backend.shown(), threads, threads == 1 ? "" : "s");
}

bool runs(const Configuration& c, const Row& row) {
  return !c.backend.repeats || (row.through == Through::bare && is_lapack(row.operation));
}

void check(Configuration& c, const Plan& plan) {
  for (const bool own : {false, true}) {
    Wanted rows;
    for (const Row& row : plan.rows())
      if ((row.through == Through::own) == own && runs(c, row)) rows[row.name()] = 0;
    while (!rows.empty()) check_some(c, plan, own, rows);
  }
}

void time_round(Configuration& c, const Plan& plan) {
  const std::string folder = fmt::format("{}/google-benchmark", plan.folder);
  make_folders(folder);
  for (const bool own : {false, true}) {
    Wanted rows;
    for (const Row& row : plan.rows())
      if (const auto it = c.checks.find(row.name()); it != c.checks.end())
        if ((row.through == Through::own) == own && it->second.status == "ok")
          rows[row.name()] = it->second.seconds;
    if (rows.empty()) continue;
    const std::string out = fmt::format("{}/{}{}.json", folder, file_name(c), own ? "-own" : "");
    const Ended ended = ask(c, plan, own, false, rows, out);
    if (ended.signal != 0 || ended.code != 0) fail("{}: while timing: {}", c.name(), how(ended));
    read_times(Json::parse(read_file(out)), c);
  }
}

}  // namespace perp::bench
