// Whole folders: which studies, which files, and the text of the outcome.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "reports/verify_study.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;

/// Names the machine or holds seconds, or is a list with hashes of such files: outside every promise of equal bytes.
bool is_of_the_machine(const std::string& name) {
  return name.ends_with("run.json") || name.ends_with("timings.json") || name.ends_with(".sha256");
}

/// Pages that other commands publish into the same folder (make scaling, make bench), the report of long, and
/// the references of perp rope, which its own test compares.
bool is_of_another_command(const std::string& name) {
  constexpr std::array<std::string_view, 8> beginnings{
      "SCALING.md",       "BENCHMARKS.md",  "scaling/", "bench/",
      "figures/scaling-", "figures/bench-", "long/",    "rope/"};
  return std::ranges::any_of(beginnings, [&](std::string_view part) { return name.starts_with(part); });
}

std::set<std::string> studies_in(const fs::path& folder) {
  require(fs::is_directory(folder), "no folder '{}' with results", folder.string());
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (fs::is_regular_file(entry.path() / "results.json")) names.insert(entry.path().filename().string());
  return names;
}

/// The files under the folder as relative names, without those of the machine and without some folders' own.
std::set<std::string> files_in(const fs::path& folder, const std::set<std::string>& skipped_folders) {
  std::set<std::string> names;
  for (auto it = fs::recursive_directory_iterator(folder); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().lexically_relative(folder).generic_string();
    if (it->is_directory() && skipped_folders.contains(name)) it.disable_recursion_pending();
    if (it->is_regular_file() && !is_of_the_machine(name) && !is_of_another_command(name)) names.insert(name);
  }
  return names;
}

/// The files of both folders byte for byte.
std::vector<Moved> compare_files(const fs::path& published, const fs::path& fresh,
                                 const std::set<std::string>& skipped_folders) {
  const std::set<std::string> before = files_in(published, skipped_folders),
                              now = files_in(fresh, skipped_folders);
  std::vector<Moved> files;
  for (const std::string& name : before) {
    const bool there = now.contains(name);
    const bool same = there && read_file(published / name) == read_file(fresh / name);
    files.push_back(
        {same ? Outcome::equal : Outcome::failed, name, "", "", there ? "other bytes" : "not written again"});
  }
  for (const std::string& name : now)
    if (!before.contains(name)) files.push_back({Outcome::failed, name, "", "", "not published"});
  return files;
}

/// gnuplot and pandoc write some of the pages. Where none of a program's files agrees, another version of it
/// wrote them, or none, which is said in one line.
void verify_pages(const fs::path& published, const fs::path& rendered, const std::set<std::string>& studies,
                  Verification& into) {
  std::vector<Moved> pages = compare_files(published, rendered, studies);
  struct Program {
    std::string_view name, extension, folder;
  };
  for (const Program& program : {Program{"gnuplot", ".svg", "figures/"}, {"pandoc", ".html", "site/"}}) {
    const auto agrees = [&](const Moved& page) {
      return page.outcome == Outcome::equal && page.where.ends_with(program.extension);
    };
    if (std::ranges::any_of(pages, agrees)) continue;
    const std::size_t times = std::erase_if(pages, [&](const Moved& page) {
      return page.outcome != Outcome::equal &&
             (page.where.ends_with(program.extension) || page.where.starts_with(program.folder));
    });
    if (times > 0) into.count("pages", Outcome::skipped, times - 1);
    if (times > 0)
      into.note("pages", {Outcome::skipped, fmt::format("{} files of {}", times, program.name), "", "",
                          fmt::format("another {}, or none", program.name)});
  }
  for (Moved& page : pages) into.note("pages", std::move(page));
}

void verify_study(const VerifyOptions& options, const std::string& name, Verification& into) {
  const StudyRun published = read_study_run(options.published / name),
                 fresh = read_study_run(options.fresh / name);
  const std::string& preset = options.preset.empty() ? published.results.preset : options.preset;
  for (const StudyRun* run : {&published, &fresh})
    require(run->results.preset == preset, "{}: is of preset {}; expected {}: runs of one preset compare",
            (run->folder / "results.json").string(), run->results.preset, preset);
  std::string why;
  const Common common = common_of(published, fresh, why);
  into.headings.push_back(fmt::format("{}: {}", name, why));
  const StudyPair pair{published, fresh, common, inputs_apart(published.results, fresh.results), into};
  if (!pair.inputs.none())
    into.headings.push_back(
        fmt::format("{}: input {} absent or another in one of the runs", name, pair.inputs.names()));
  verify_results(pair);
  if (common != Common::bytes) return;
  for (Moved& file : compare_files(published.folder, fresh.folder, {})) {
    file.where = name + "/" + file.where;
    into.note("files", std::move(file));
  }
}

}  // namespace

Verification verify(const VerifyOptions& options) {
  const std::set<std::string> published = studies_in(options.published), fresh = studies_in(options.fresh);
  std::set<std::string> wanted(options.studies.begin(), options.studies.end());
  if (wanted.empty())
    wanted.insert(published.begin(), published.end()), wanted.insert(fresh.begin(), fresh.end());
  require(!published.empty(), "'{}' holds no <study>/results.json", options.published.string());
  for (const std::string& name : wanted)
    require(published.contains(name) || fresh.contains(name), "no study {} in either folder; there are: {}",
            in_quotes(name), fmt::join(published, ", "));
  Verification verification;
  for (const std::string& name : wanted)
    if (published.contains(name) && fresh.contains(name))
      verify_study(options, name, verification);
    else
      verification.note("files", {Outcome::failed, name + "/results.json", "", "",
                                  published.contains(name) ? "not measured again" : "not published"});
  if (!options.pages.empty()) verify_pages(options.published, options.pages, published, verification);
  return verification;
}

}  // namespace perp::report
