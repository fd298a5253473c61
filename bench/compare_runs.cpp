// build/bench/compare_runs: two runs of the bench against each other, and the line that a run leaves in a
// history.

#include <CLI/CLI.hpp>

#include "bench/history.hpp"
#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/program.hpp"

namespace perp::bench {
namespace {

/// Appends a folder's run, unless it is there already.
void append(const std::string& folder, const std::string& preset, const std::string& file) {
  const Run run = read_run(folder, preset);
  for (const Run& known : read_history(file))
    if (hash_of(known) == hash_of(run)) return;
  const std::string before = std::filesystem::exists(file) ? read_file(file) : "";
  write_whole(file, before + to_line(run) + "\n");
}

int run(int argc, char** argv) {
  std::string a, b, csv, folder, preset = "full", file;
  CLI::App app("Two runs of make bench against each other; or, with --append, a run's line for a history.",
               "compare_runs");
  app.add_option("--a", a, "the earlier: a folder with results.csv, or FILE:LINE or FILE:HASH of a history");
  app.add_option("--b", b, "the later, likewise");
  app.add_option("--csv", csv, "file for the table, too");
  app.add_option("--append", folder, "folder with results.csv and machine.csv whose run joins the history");
  app.add_option("--preset", preset, "of that run (default full)");
  app.add_option("--history", file, "file of the history");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return print_data(app.help()), 0;
    refuse("{}; compare_runs --help explains", e.what());
  }
  if (!folder.empty()) {
    require(!file.empty(), "--append needs --history");
    return append(folder, preset, file), 0;
  }
  require(!a.empty() && !b.empty(), "A='{}', B='{}': expected two runs", a, b);
  const Run earlier = find_run(a), later = find_run(b);
  const Table table = comparison_table(earlier, later);
  if (!csv.empty()) write_whole(csv, to_csv(table));
  print_data(to_markdown(earlier, later, table));
  return 0;
}

}  // namespace
}  // namespace perp::bench

int main(int argc, char** argv) {
  return perp::run_program("compare_runs", [&] { return perp::bench::run(argc, argv); });
}
