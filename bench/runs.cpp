#include "bench/runs.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "bench/call.hpp"
#include "perp/base/error.hpp"
#include "perp/base/kernels.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/process.hpp"

namespace perp::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Names = std::vector<std::string>;  ///< of rows

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
  if (!backend.kernels.core.empty()) set.emplace_back(backend.kernels.variable, backend.kernels.value);
  return set;
}
/// They would overrule the number of threads.
const std::vector<std::string> overruling{
    "BLIS_JC_NT", "BLIS_PC_NT",    "BLIS_IC_NT",       "BLIS_JR_NT",        "BLIS_IR_NT",
    "OMP_PLACES", "OMP_PROC_BIND", "OMP_THREAD_LIMIT", "GOMP_CPU_AFFINITY", "MKL_DOMAIN_NUM_THREADS"};

std::string file_name(const Configuration& c) {
  std::string name = fmt::format("{}-{}", c.backend.shown(), c.threads);
  for (char& letter : name)
    if (letter == ' ' || letter == '/') letter = '-';
  return name;
}

/// What is wrong with one backend: it is said of that one, and the others go on.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The worker's own line among what the libraries say.
std::string error_line(const std::string& stderr_text) {
  std::istringstream lines(stderr_text);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("worker: ")) return line;
    if (first.empty()) first = line;
  }
  return first;
}

/// The worker's line, as one of its backend.
std::string without_name(const std::string& line) {
  constexpr std::string_view name = "worker: ";
  return line.substr(line.starts_with(name) ? name.size() : 0);
}

/// Starts a worker, which answers into `out`, and waits for its end; a complaint of its own is ours.
Ended start(const Configuration& c, const Plan& plan, const std::string& out,
            const std::vector<std::string>& options) {
  fs::remove(out);
  std::vector<std::string> command{plan.worker, "--backend", c.backend.name, "--out", out};
  const auto add = [&](const char* name, const auto& value) {
    command.insert(command.end(), {name, fmt::format("{}", value)});
  };
  add("--blas", c.backend.blas_folder + "/libblas.so.3");
  if (!c.backend.lapack_folder.empty()) add("--lapack", c.backend.lapack_folder + "/liblapack.so.3");
  add("--threads", c.threads);
  add("--row-limit", plan.row_limit);
  command.insert(command.end(), options.begin(), options.end());
  const Ended ended = run_process(command, environment_with(variables(c.backend, c.threads), overruling));
  if (!ended.found) fail("cannot start {}: {}", plan.worker, reason(ENOENT));
  const std::string line = error_line(ended.stderr_text);
  if (ended.signal == 0 && ended.code == static_cast<int>(Exit::unusable)) throw Fault(without_name(line));
  if (ended.code == static_cast<int>(Exit::failed) && line.starts_with("worker: ")) fail("{}", line);
  return ended;
}

/// Asks one worker. The answer is in `out`, as far as it came.
Ended ask(const Configuration& c, const Plan& plan, bool checking, const Names& rows,
          const std::string& out) {
  const std::string rows_file = fmt::format("{}/rows.txt", plan.folder);
  std::string lines;
  for (const std::string& name : rows) {
    const auto known = c.checks.find(name);
    lines += fmt::format("{} {}\n", name, known == c.checks.end() ? 0 : known->second.seconds);
  }
  write_whole(rows_file, lines);
  // Those of blas-check are small, and a tiny one says nothing about the time of the next.
  const double longest = plan.grid ? std::numeric_limits<float>::max() : plan.longest;
  std::vector<std::string> options{"--rows",    rows_file,
                                   "--longest", fmt::format("{}", longest),
                                   "--seconds", fmt::format("{}", plan.seconds)};
  if (checking) options.emplace_back("--check");
  return start(c, plan, out, options);
}

std::string how(const Ended& ended, const Plan& plan) {
  if (ended.signal == SIGALRM) return fmt::format("no result within {} s", plan.row_limit);
  if (ended.signal != 0) return fmt::format("the process died of signal {}", ended.signal);
  if (ended.code == 0) return "the process ended before the row did";
  const std::string line = error_line(ended.stderr_text);
  return line.empty() ? fmt::format("the process ended with {}", ended.code) : line;
}

std::string text_of(const Json& entry, const char* key) { return entry.value(key, std::string()); }
double number_of(const Json& entry, const char* key) {
  return entry.contains(key) && entry[key].is_number() ? entry[key].get<double>() : NAN;
}

/// One line of JSON a finding, the first about the library.
void read_line(const Json& line, Configuration& c) {
  if (!line.contains("row")) {
    c.loaded = {{text_of(line, "name"), text_of(line, "version"), text_of(line, "kernel"),
                 text_of(line, "path"), text_of(line, "lapack_path")},
                line.value("library_threads", std::size_t{0})};
    return;
  }
  c.checks[line.at("row")] = {text_of(line, "status"),  text_of(line, "reason"),  text_of(line, "source"),
                              number_of(line, "error"), number_of(line, "bound"), line.value("seconds", 0.0)};
}

/// BLIS: "libblis: selecting sub-configuration 'zen3'."
std::string blis_kernel(const std::string& stderr_text) {
  constexpr std::string_view before = "selecting sub-configuration '";
  const std::size_t at = stderr_text.find(before);
  if (at == std::string::npos) return {};
  const std::size_t from = at + before.size();
  return stderr_text.substr(from, stderr_text.find('\'', from) - from);
}

/// Reads what a worker wrote as it went into `c`, and gives the last row that it said it begins: none if it said nothing
/// at all. The last line may be cut, as a worker that dies leaves it.
std::optional<std::string> read_answer(const std::string& text, Configuration& c) {
  std::optional<std::string> begun;
  std::istringstream lines(text);
  for (std::string entry; std::getline(lines, entry);) {
    const Json line = Json::parse(entry, nullptr, false);
    if (line.is_discarded() && lines.eof()) break;  // without a newline at its end
    if (line.is_discarded()) fail("the worker says '{}', which is no JSON", entry);
    if (!line.contains("begun")) read_line(line, c);
    begun = line.value("begun", begun.value_or(""));
  }
  return begun;
}

/// Does something with what a worker wrote; what cannot be read is its backend's fault.
template <class Read>
auto reading(const Read& read) {
  try {
    return read();
  } catch (const std::exception& e) {
    throw Fault(e.what());
  }
}

/// "gemm/TN" of "gemm/TN/f32/4x4x5/aligned".
std::string call_of(const std::string& row) { return row.substr(0, row.find('/', row.find('/') + 1)); }

/// Checks what is left of `rows`; a worker that does not get through fails the row it was at, and with too many of a
/// kind the rest of the kind.
void check_some(Configuration& c, const Plan& plan, Names& rows, std::map<std::string, std::size_t>& deaths) {
  const std::string out = fmt::format("{}/answer.jsonl", plan.folder);
  const Ended ended = ask(c, plan, true, rows, out);
  const std::optional<std::string> begun =
      reading([&] { return read_answer(fs::exists(out) ? read_file(out) : "", c); });
  std::erase_if(rows, [&](const std::string& name) { return c.checks.contains(name); });
  if (c.loaded.kernel.empty()) c.loaded.kernel = blis_kernel(ended.stderr_text);
  if (rows.empty() && ended.succeeded()) return;
  if (rows.empty() || !begun) throw Fault(how(ended, plan));
  const auto fails = [&](const std::string& row, const std::string& why) {
    c.checks[row] = {"failed", why, "", NAN, NAN, 0};
  };
  // It says which row it begins, but may die saying so.
  const bool is_left = std::ranges::find(rows, *begun) != rows.end();
  const std::string row = is_left ? *begun : rows.front(), call = call_of(row);
  fails(row, how(ended, plan));
  const bool too_many = ++deaths[call] == most_deaths;
  std::erase_if(rows, [&](const std::string& left) {
    if (left == row) return true;
    if (!too_many || call_of(left) != call) return false;
    fails(left, fmt::format("not tried after {} that ended the process", most_deaths));
    return true;
  });
}

/// What the library answers to --kernels: the core type that runs, and the backend under each that may be asked for.
std::pair<std::string, std::vector<Backend>> kernels_of(const Backend& backend, const Plan& plan) {
  const std::string out = fmt::format("{}/kernels.json", plan.folder);
  try {
    if (!start({backend, 1}, plan, out, {"--kernels"}).succeeded()) return {};
    return reading([&] {
      const Json answer = Json::parse(read_file(out));
      std::vector<Backend> others;
      for (const Json& entry : answer.at("kernels")) {
        others.push_back(backend);
        others.back().kernels = {text_of(entry, "core"), text_of(entry, "variable"), text_of(entry, "value")};
      }
      return std::pair{text_of(answer, "kernel"), others};
    });
  } catch (const Fault&) {
    return {};  // the check says what is wrong with it
  }
}

}  // namespace

std::vector<Backend> with_kernels(const std::vector<Backend>& backends, const Plan& plan,
                                  const std::string& wanted) {
  std::map<std::string, bool> asked;  // whether some library has it
  for (const std::string& word : words(wanted)) asked[word] = word == "each" || word == "picked";
  std::vector<Backend> all;
  for (const Backend& backend : backends) {
    all.push_back(backend);
    if (asked.contains("picked")) continue;
    const auto [running, others] = kernels_of(backend, plan);
    for (const Backend& other : others) {
      const auto named = std::ranges::find_if(asked, [&](const auto& word) {
        return word.first == "each" || same_core(word.first, other.kernels.core);
      });
      if (named == asked.end()) continue;
      named->second = true;
      if (!same_core(other.kernels.core, running) &&
          same_core(kernels_of(other, plan).first, other.kernels.core))
        all.push_back(other);
    }
  }
  for (const auto& [word, known] : asked)
    require(known, "--kernels: no library here has '{}'; expected each, picked or core types", word);
  return all;
}

std::string Configuration::name() const {
  return fmt::format("{}, {} thread{}", backend.shown(), threads, threads == 1 ? "" : "s");
}

std::vector<std::string> Plan::names() const {
  std::vector<std::string> names;
  const auto add = [&](const auto& call) { names.push_back(call.name()); };
  if (grid)
    std::ranges::for_each(grid_calls(every_size), add);
  else
    std::ranges::for_each(all_rows(quick), add);
  return names;
}

BlasTrial try_backend(const Backend& backend, const Plan& plan) {
  return try_program(plan.worker, variables(backend, 1), overruling, fs::path());
}

void check(Configuration& c, const Plan& plan) try {
  std::map<std::string, std::size_t> deaths;
  Names rows = plan.names();
  while (!rows.empty()) check_some(c, plan, rows, deaths);
} catch (const Fault& fault) {
  c.fault = fault.what();
}

void time_round(Configuration& c, const Plan& plan) try {
  if (!c.fault.empty()) return;
  const std::string folder = fmt::format("{}/google-benchmark", plan.folder),
                    out = fmt::format("{}/{}.json", folder, file_name(c));
  make_folders(folder);
  Names rows = plan.names();
  std::erase_if(rows, [&](const std::string& name) {
    const auto it = c.checks.find(name);
    return it == c.checks.end() || it->second.status != "ok";
  });
  if (rows.empty()) return;
  const Ended ended = ask(c, plan, false, rows, out);
  if (!ended.succeeded()) throw Fault(how(ended, plan));
  reading([&] {
    const Json answer = Json::parse(read_file(out));
    for (const Json& run : answer.at("benchmarks"))
      c.rounds[run.at("label")].push_back(run.at("real_time").get<double>());  // the mean, in seconds
  });
} catch (const Fault& fault) {
  c.fault = fmt::format("while timing: {}", fault.what());
  c.rounds.clear();
}

}  // namespace perp::bench
