#include "bench/runs.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"

namespace perp::bench {
namespace {

using Json = nlohmann::json;

/// This process's environment with the loader's path and every library's thread variable set anew.
std::vector<std::string> environment(const Backend& backend, std::size_t blas_threads) {
  static constexpr std::array<const char*, 5> ours{"LD_LIBRARY_PATH", "OPENBLAS_NUM_THREADS",
                                                   "OMP_NUM_THREADS", "BLIS_NUM_THREADS", "MKL_NUM_THREADS"};
  std::vector<std::string> list;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool replaced = false;
    for (const char* name : ours) replaced |= text.substr(0, text.find('=')) == name;
    if (!replaced) list.emplace_back(text);
  }
  const std::string lapack =
      backend.lapack_folder == backend.blas_folder ? "" : fmt::format(":{}", backend.lapack_folder);
  list.push_back(fmt::format("LD_LIBRARY_PATH={}{}", backend.blas_folder, lapack));
  for (std::size_t i = 1; i < ours.size(); ++i) list.push_back(fmt::format("{}={}", ours[i], blas_threads));
  return list;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

/// Runs a program to its end; its standard error is kept and becomes the message if it fails.
void run_program(const std::string& program, std::vector<std::string> arguments,
                 std::vector<std::string> environment, const std::string& complaints) {
  arguments.insert(arguments.begin(), program);
  std::vector<char*> argv = pointers(arguments), envp = pointers(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, complaints.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0644);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail("cannot start {}: {}", program, std::strerror(error));
  int status = 0;
  if (waitpid(child, &status, 0) < 0) fail("{}: {}", program, std::strerror(errno));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  std::string said = read_file(complaints);
  said = said.substr(0, said.find('\n'));
  if (WIFSIGNALED(status)) fail("{}: ended by signal {}", program, WTERMSIG(status));
  if (WEXITSTATUS(status) == static_cast<int>(Exit::unusable)) refuse("{}", said);
  fail("{}", said.empty() ? fmt::format("{}: exit code {}", program, WEXITSTATUS(status)) : said);
}

/// Asks one worker; BLAS's rows with its own threads, our kernels' rows with one BLAS thread in each of ours.
Json ask(const Configuration& c, const Plan& plan, bool own, bool checking,
         const std::set<std::string>& rows) {
  WorkerOptions options;
  options.backend = c.backend.name;
  options.blas = fmt::format("{}/libblas.so.3", c.backend.blas_folder);
  if (!c.backend.lapack_folder.empty())
    options.lapack = fmt::format("{}/liblapack.so.3", c.backend.lapack_folder);
  options.threads = c.threads;
  options.own = own;
  options.quick = plan.quick;
  options.check = checking;
  options.seconds = plan.seconds;
  options.out = fmt::format("{}/answer.json", plan.folder);
  const std::string rows_file = fmt::format("{}/rows.txt", plan.folder);
  std::string names;
  for (const std::string& name : rows) names += fmt::format("{}\n", name);
  write_whole(rows_file, names);
  std::filesystem::remove(options.out);
  run_program(plan.worker, arguments(options, rows_file), environment(c.backend, own ? 1 : c.threads),
              fmt::format("{}/complaints.txt", plan.folder));
  return Json::parse(read_file(options.out));
}

bool is_lapack(std::string_view operation) {
  return operation == "potrf" || operation == "qr" || operation == "svd_values" || operation == "svd_thin" ||
         operation == "syevd";
}

std::string text_of(const Json& entry, const char* key) { return entry.value(key, std::string()); }

/// Google Benchmark writes a run's mean time in its unit, here seconds.
void read_times(const Json& answer, Configuration& c) {
  for (const Json& run : answer.at("benchmarks")) {
    std::string name = run.at("run_name");
    const std::size_t suffix = name.find("/min_time:");
    if (suffix != std::string::npos) name.resize(suffix);
    c.rounds[name].push_back(run.at("real_time").get<double>());
  }
}

}  // namespace

std::string Configuration::name() const {
  return fmt::format("{}{}, {} thread{}", backend.name, backend.alone ? " alone" : "", threads,
                     threads == 1 ? "" : "s");
}

bool runs(const Configuration& c, const Row& row) {
  return !c.backend.alone || c.backend.blas_folder == c.backend.lapack_folder ||
         (row.through == Through::bare && is_lapack(row.operation));
}

void check(Configuration& c, const Plan& plan) {
  for (const bool own : {false, true}) {
    std::set<std::string> rows;
    for (const Row& row : all_rows(plan.quick))
      if ((row.through == Through::own) == own && runs(c, row)) rows.insert(row.name());
    if (rows.empty()) continue;
    const Json answer = ask(c, plan, own, true, rows);
    const Json& who = answer.at("identity");
    c.loaded = {text_of(who, "name"), text_of(who, "version"), text_of(who, "kernel"), text_of(who, "path"),
                text_of(who, "lapack_path")};
    for (const Json& entry : answer.at("rows"))
      c.checks[entry.at("row")] = {
          text_of(entry, "status"),
          text_of(entry, "reason"),
          text_of(entry, "source"),
          entry.contains("error") && entry["error"].is_number() ? entry["error"].get<double>() : 0,
          entry.value("bound", 0.0),
          entry.value("seconds", 0.0)};
  }
}

void time_round(Configuration& c, const Plan& plan) {
  for (const bool own : {false, true}) {
    std::set<std::string> rows;
    for (const Row& row : all_rows(plan.quick))
      if (const auto it = c.checks.find(row.name()); it != c.checks.end())
        if ((row.through == Through::own) == own && it->second.status == "ok") rows.insert(row.name());
    if (!rows.empty()) read_times(ask(c, plan, own, false, rows), c);
  }
}

}  // namespace perp::bench
