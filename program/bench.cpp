// perp bench and perp blas-check: perp-bench measures, a program of its own because it is linked with Google Benchmark; these
// words start it, and make its tables a page beside the report.

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/kernels.hpp"
#include "perp/io/file.hpp"
#include "perp/io/program.hpp"
#include "perp/io/written.hpp"
#include "perp/study/options.hpp"
#include "program/folders.hpp"
#include "program/words.hpp"
#include "reports/render/facts.hpp"
#include "reports/render/text.hpp"

namespace perp::program {
namespace {

namespace fs = std::filesystem;
using report::replaced;

/// What earlier runs wrote into `options.out` with the page of that name, as <page>.sha256 lists it.
Written written_page(const report::RenderOptions& options, const std::string& page) {
  return {options.out, page};
}

/// Renders the one study below `options.results`, by the templates of its own, and puts its tables (<study>/), figures and
/// its page under the name `page` into `options.out`, all of them or none. results.json stays behind: it would pass for a
/// study's of the report. Throws Error as Written::write does, before anything is drawn.
void put_page(const report::RenderOptions& options, const std::string& page) {
  const fs::path& out = options.out;
  const Written own = written_page(options, page);
  own.expect({page, "figures/"});
  const auto rendered = report::render_in_memory(options);
  const std::string study = report::Facts(options.results).studies().front().study;
  NamedBytes files;
  for (const fs::directory_entry& entry : fs::directory_iterator(options.results / study))
    if (entry.path().extension() == ".csv")
      files.emplace_back(out / study / entry.path().filename(), read_file(entry.path()));
  std::ranges::sort(files);
  for (const auto& [path, bytes] : rendered)
    if (path.extension() == ".svg") files.emplace_back(path, bytes);
  // The report's FINDINGS.md is that of its own studies, so the page's lies below.
  const std::string text =
      replaced(rendered.at(out / "REPORT.md"), "(FINDINGS.md#", "(" + study + "/FINDINGS.md#");
  if (text.find("/FINDINGS.md#") != text.npos)
    files.emplace_back(out / study / "FINDINGS.md",
                       replaced(replaced(rendered.at(out / "FINDINGS.md"), "[the report](REPORT.md",
                                         "[" + page + "](../" + page),
                                "(REPORT.md#", "(../" + page + "#"));
  files.emplace_back(out / page, text);
  own.write(files, true);
}

using Words = std::vector<std::string>;

constexpr const char* name_of_page = "BENCHMARKS.md";

constexpr const char* about_bench =
    "Which BLAS is fastest and right for this work here, and how near the machine's limit: BENCHMARKS.md.\n"
    "Every operation is first held against a reference; what is wrong is reported and not timed.";
constexpr const char* bench_examples =
    "  perp bench --preset quick\n"
    "  perp bench --blas \"openblas-pthread blis-pthread\" --kernels picked\n"
    "  perp bench --backends mkl=build/backends/mkl\n"
    "  perp bench --benchmark_filter=gemm     as a program of Google Benchmark, with all of its options\n"
    "  perp bench --again --out DIR           the page of the tables in DIR/bench; nothing is measured\n";
constexpr const char* about_check =
    "Holds every BLAS here, under every core type, each in a process of its own, against a reference: gemm, "
    "syrk,\n"
    "trsm, potrf, geqrf, gesdd and syevd, every triangle, transposition and side, in both precisions, around "
    "the\n"
    "edges of kernels and at shapes of public reports. A crash, or a call that takes longer than --row-limit "
    "(20 s),\n"
    "is a row with its signal, and the rest goes on. Exit code 1 if any row failed.";
constexpr const char* check_examples =
    "  perp blas-check --all                  every size up to 300\n"
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

/// A program of the bench, beside this one or in libexec of where it is installed.
fs::path program_of_bench(const char* built, const char* installed) {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& program : {here / built, here.parent_path() / "libexec" / installed})
    if (fs::exists(program)) return program;
  fail("no {} beside {}; in a checkout, make bench installs what it needs and builds it", installed,
       here.string());
}

/// perp-bench with the options that both words have.
Words command_for(const Options& options) {
  Words command{program_of_bench("perp-bench", "perp-bench"), "--preset",
                std::string(to_text(options.preset)), "--threads", fmt::format("1,{}", options.threads)};
  for (const char* name : {"backends", "blas", "kernels", "row-limit", "rounds"})
    if (const auto value = options.text(name))
      command.insert(command.end(),
                     {name == std::string("blas") ? "--only" : fmt::format("--{}", name), *value});
  return command;
}

/// A folder below the kept one's, not behind a link; what it holds is the bench's own, or it refuses it.
fs::path measured_in(const Options& options, const char* folder) {
  const fs::path kept = options.text("kept").value_or(default_kept().string());
  Written(kept, "bench").expect({fmt::format("{}/", folder)});
  return kept / folder;
}

/// Runs it to its end under the name of the word, on this process's standard streams, and gives its exit code.
int run_here(const char* name, Words command, const Words& more) {
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
    execv(program.c_str(), arguments.data());
    _exit(127);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (child < 0 || !WIFEXITED(status)) fail("{} did not end by itself", program);
  return WEXITSTATUS(status);
}

bool is_google_benchmarks(const char* argument) {
  return std::string_view(argument).starts_with("--benchmark_");
}

/// As a program of Google Benchmark: filter, repetitions and reporters are its own, the library is what the loader takes. Only
/// --threads is ours, for this process has set every library to one.
int run_google_benchmark(int argc, char** argv) {
  Words arguments;
  for (int i = 1; i < argc; ++i) {
    if (argv[i] != std::string_view("--threads") || i + 1 == argc) {
      arguments.emplace_back(argv[i]);
      continue;
    }
    const std::string threads = argv[++i];
    require(!threads.empty() && threads.size() < 5 &&
                threads.find_first_not_of("0123456789") == std::string::npos && std::stoi(threads) > 0,
            "--threads '{}'; a whole number above 0 was expected", threads);
    for (const char* name : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS",
                             "BLIS_NUM_THREADS", "MKL_NUM_THREADS"})
      setenv(name, threads.c_str(), 1);
  }
  return run_here(argv[0], {program_of_bench("bench/worker", "worker")}, arguments);
}

}  // namespace

int bench(int argc, char** argv) {
  if (std::any_of(argv + 1, argv + argc, is_google_benchmarks)) return run_google_benchmark(argc, argv);
  const Parsed parsed =
      parse(argv[0], about_bench, bench_examples,
            {{"out", "", "Folder that receives BENCHMARKS.md, its tables and figures"},
             {"rounds", "N", "Rounds, backends taking turns"},
             {"again", "", "Write the page anew from the tables in --out; measure nothing"},
             {"runs", "FILE", "With --again: times beside peers, as make bench-peers takes them"}},
            argc, argv);
  if (!parsed.options) return parsed.exit_code;
  const Options& options = *parsed.options;
  if (options.text("again")) options.expect_alone("again", {"out", "runs"});
  require(options.text("again") || !options.text("runs"), "--runs without --again: expected both");
  Words command = command_for(options);
  report::RenderOptions page;
  page.results = measured_in(options, "bench/out");
  page.sources = sources().texts;
  page.sources.sections = (page.sources.pages / "../..").lexically_normal();  // bench/chapter.md
  page.sources.pages = page.sources.sections / "bench/templates";
  page.out = options.out.empty() ? default_out() : options.out;
  const fs::path results = page.results / "bench/results.json";
  if (options.text("again"))
    expect_no_checkout(page.out);
  else
    expect_unpublished(page.out);
  const Alone alone(argv[0], page.out);
  written_page(page, name_of_page)
      .expect({name_of_page, "figures/", "bench/", "bench/results.csv", "bench/peers.csv"});
  const auto time_of = [&] {
    return fs::exists(results) ? fs::last_write_time(results) : fs::file_time_type::min();
  };
  const fs::file_time_type before = time_of();
  command.insert(command.end(), {"--out", page.results});
  if (options.text("again"))
    command.insert(command.end(), {"--conclude", page.out / "bench"});
  else
    command.insert(command.end(), {"--calibrate", "--peers", page.out / "bench/peers.csv", "--processors",
                                   sources().published / "bench/processors.csv"});
  if (const auto runs = options.text("runs")) command.insert(command.end(), {"--runs", *runs});
  // The core type that perp itself has taken is judged by the same test.
  if (const std::string own = kernel_settlement().chosen; !own.empty())
    command.insert(command.end(), {"--own", own});
  const int code = run_here(argv[0], command, {});
  // 1: measured to the end, and some result was wrong; the page says which.
  if (code > 1 || time_of() == before) return code;
  put_page(page, name_of_page);
  print_message("{}: {}\n", argv[0], (page.out / name_of_page).string());
  return code;
}

int blas_check(int argc, char** argv) {
  const Parsed parsed =
      parse(argv[0], about_check, check_examples, {{"all", "", "Every size up to 300"}}, argc, argv);
  if (!parsed.options) return parsed.exit_code;
  const Options& options = *parsed.options;
  Words more{"--check", "--grid", "--out", measured_in(options, "bench/check")};
  if (options.text("all")) more.emplace_back("--all");
  if (!options.text("row-limit")) more.insert(more.end(), {"--row-limit", "20"});
  return run_here(argv[0], command_for(options), more);
}

}  // namespace perp::program
