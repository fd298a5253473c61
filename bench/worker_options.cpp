#include "bench/worker_options.hpp"

#include <sstream>

#include "bench/options.hpp"
#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/program.hpp"

namespace perp::bench {

std::vector<std::string> arguments(const WorkerOptions& o, const std::string& rows_file) {
  std::vector<std::string> list{"--backend",   o.backend,
                                "--blas",      o.blas,
                                "--threads",   fmt::format("{}", o.threads),
                                "--longest",   fmt::format("{}", o.longest),
                                "--seconds",   fmt::format("{}", o.seconds),
                                "--row-limit", fmt::format("{}", o.row_limit),
                                "--out",       o.out};
  if (!o.lapack.empty()) list.insert(list.end(), {"--lapack", o.lapack});
  if (o.own) list.emplace_back("--own");
  if (o.kernels) list.emplace_back("--kernels");
  if (o.check) list.emplace_back("--check");
  if (!rows_file.empty()) list.insert(list.end(), {"--rows", rows_file});
  return list;
}

WorkerOptions read_worker_options(int argc, char** argv) {
  WorkerOptions o;
  std::string rows_file;
  CLI::App app("One process of the bench; perp-bench starts it.");
  app.add_option("--backend", o.backend, "name of the backend")->required();
  app.add_option("--blas", o.blas, "file that must answer for BLAS")->required();
  app.add_option("--lapack", o.lapack, "file that must answer for LAPACK");
  app.add_option("--threads", o.threads, "threads, at least 1")->check(CLI::PositiveNumber);
  app.add_flag("--own", o.own, "time the library's kernels instead of BLAS and LAPACK");
  app.add_flag("--kernels", o.kernels, "say which core types the library can be told, and nothing else");
  app.add_flag("--check", o.check, "check results instead of timing them");
  app.add_option("--longest", o.longest, "no longer calls, in seconds")->check(CLI::PositiveNumber);
  app.add_option("--seconds", o.seconds, "least time for a row")->check(CLI::PositiveNumber);
  app.add_option("--row-limit", o.row_limit, "seconds after which a row that is not done ends the process")
      ->check(CLI::PositiveNumber);
  app.add_option("--rows", rows_file, "file of rows to run: a name and the seconds of a call, one a line");
  app.add_option("--out", o.out, "file for the answer, JSON")->required();
  parse_options(app, argc, argv);
  if (!rows_file.empty()) {
    std::istringstream lines(read_file(rows_file));
    double seconds = 0;
    for (std::string name; lines >> name >> seconds;) o.rows.emplace_back(name, seconds);
  }
  return o;
}

}  // namespace perp::bench
