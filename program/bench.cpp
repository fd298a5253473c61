// perp bench and perp blas-check: perp-bench measures, a program of its own because it is linked with Google Benchmark; these
// words start it, and make its tables a page beside the report.

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/kernels.hpp"
#include "perp/io/alone.hpp"
#include "perp/io/program.hpp"
#include "perp/study/options.hpp"
#include "program/folders.hpp"
#include "program/page.hpp"
#include "program/words.hpp"

namespace perp::program {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* about_bench =
    "Which BLAS is fastest and right for this work here, and how near the machine's limit: BENCHMARKS.md.\n"
    "Every operation is first held against a reference; what is wrong is reported and not timed.";
constexpr const char* bench_examples =
    "  perp bench --preset quick\n"
    "  perp bench --blas \"openblas-pthread blis-pthread\" --kernels picked\n"
    "  perp bench --backends mkl=build/backends/mkl\n";
constexpr const char* about_check =
    "Holds every operation of every BLAS here against a reference at random shapes.";
constexpr const char* check_examples =
    "  perp blas-check --random 20 --seed 2\n"
    "  perp blas-check --blas blis-pthread --kernels picked\n";

Parsed parse(const char* name, const char* about, const char* examples, std::vector<ExtraOption> options,
             int argc, char** argv) {
  options.insert(options.end(),
                 {{"preset", "", "quick (the smaller half of the shapes), full or long"},
                  {"threads", "", "One thread and this many"},
                  {"backends", "'NAME=DIR …'", "Beside Debian's: folders that hold a libblas.so.3"},
                  {"blas", "'NAME …'", "Only these"},
                  {"kernels", "'CORE …'", "Core types beside what a library picks: each, picked or names"},
                  {"row-limit", "S", "Seconds after which a row counts as failed"},
                  {"kept", "DIR", "Folder that keeps what was measured, below bench/"}});
  return parse_word({name, about, examples, "", ""}, options, argc, argv);
}

/// perp-bench, beside this program or in libexec of where it is installed, with the options that both words have.
Words command_for(const Options& options) {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  fs::path program = here / "perp-bench";
  if (!fs::exists(program)) program = here.parent_path() / "libexec/perp-bench";
  if (!fs::exists(program))
    fail("no perp-bench beside {}; in a checkout, make bench installs what it needs and builds it",
         here.string());
  Words command{program, "--preset", std::string(to_text(options.preset)), "--threads",
                fmt::format("1,{}", options.threads)};
  for (const char* name : {"backends", "blas", "kernels", "row-limit", "rounds"})
    if (const auto value = options.text(name))
      command.insert(command.end(),
                     {name == std::string("blas") ? "--only" : fmt::format("--{}", name), *value});
  return command;
}

fs::path measured_in(const Options& options, const char* folder) {
  return options.text("kept").value_or(default_kept().string()) + folder;
}

/// Runs it to its end under the name of the word, on this process's standard streams, and gives its exit code; `to_stderr`: what
/// it prints is no data.
int run_here(const char* name, Words command, const Words& more, bool to_stderr = false) {
  const std::string program = std::exchange(command.front(), name);
  command.insert(command.end(), more.begin(), more.end());
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // It compares the kernels that a library picks by itself, not those that this process has chosen.
  if (!kernel_settlement().chosen.empty()) ::unsetenv(core_variable(loaded_blas().name));
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
    execv(program.c_str(), arguments.data());
    _exit(127);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (child < 0 || !WIFEXITED(status)) fail("{} did not end by itself", program);
  return WEXITSTATUS(status);
}

}  // namespace

int bench(int argc, char** argv) {
  const Parsed parsed = parse(argv[0], about_bench, bench_examples,
                              {{"out", "", "Folder that receives BENCHMARKS.md, its tables and figures"},
                               {"rounds", "N", "Rounds, backends taking turns"}},
                              argc, argv);
  if (!parsed.options) return parsed.exit_code;
  const Options& options = *parsed.options;
  Words command = command_for(options);
  const Sources from = sources();
  report::RenderOptions page;
  page.results = measured_in(options, "/bench/out");
  page.templates = (from.templates / "../../bench/templates").lexically_normal();
  page.figures = from.figures;
  page.out = options.out.empty() ? default_out() : options.out;
  const fs::path results = page.results / "bench/results.json";
  const Alone alone(argv[0], page.out);
  fs::remove(results);
  fs::remove(page.results / "calibration.json");
  command.insert(command.end(), {"--out", page.results});
  // How often the same library is called different from itself: what every verdict on the page is worth.
  if (const int code = run_here(argv[0], command, {"--calibrate"}, true); code != 0) return code;
  // The core type that perp itself has taken is judged by the same test.
  if (const std::string own = kernel_settlement().chosen; !own.empty())
    command.insert(command.end(), {"--own", own});
  const fs::path earlier = from.published / "bench/history.jsonl";
  const int code = run_here(argv[0], command, fs::exists(earlier) ? Words{"--history", earlier} : Words{});
  // 1: measured to the end, and some result was wrong; the page says which.
  if (code > 1 || !fs::exists(results)) return code;
  put_page(page, from.templates / "html", "BENCHMARKS.md");
  print_message("{}: {}\n", argv[0], (page.out / "BENCHMARKS.md").string());
  return code;
}

int blas_check(int argc, char** argv) {
  const Parsed parsed = parse(
      argv[0], about_check, check_examples,
      {{"random", "N", "Random shapes an operation and type (default 20)"}, {"seed", "", "Of the shapes"}},
      argc, argv);
  if (!parsed.options) return parsed.exit_code;
  const Options& options = *parsed.options;
  return run_here(argv[0], command_for(options),
                  {"--check", "--random", options.text("random").value_or("20"), "--seed",
                   std::to_string(options.seed), "--out", measured_in(options, "/bench/check")});
}

}  // namespace perp::program
