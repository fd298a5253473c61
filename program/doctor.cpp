// perp doctor: what is installed, loaded and missing. It opens with a verdict: "ready", or what to type.

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/process.hpp"
#include "perp/io/program.hpp"
#include "perp/io/text.hpp"
#include "perp/io/written.hpp"
#include "perp/study/options.hpp"
#include "perp/study/start.hpp"
#include "program/folders.hpp"
#include "program/known_bad.hpp"
#include "program/words.hpp"
#include "reports/render/tool.hpp"

namespace perp::program {
namespace {

namespace fs = std::filesystem;
using report::in_path;

/// Something to type, and why. Without what is needed there is no whole report.
struct Advice {
  bool needed;
  std::string type, why;
};

/// Debian's packages that are installed, from dpkg's own list; nothing where there is no dpkg.
std::optional<std::set<std::string>> installed_packages() {
  const char* folder = std::getenv("DPKG_ADMINDIR");
  std::ifstream in(fs::path(folder ? folder : "/var/lib/dpkg") / "status");
  if (!in) return std::nullopt;
  std::set<std::string> installed;
  std::string package;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("Package: ")) package = line.substr(9);
    if (line.starts_with("Status: ") && line.ends_with(" installed")) installed.insert(package);
  }
  return installed;
}

/// packages.txt: the packages of each of make's verbs.
std::map<std::string, std::vector<std::string>> packages_by_verb(const fs::path& list) {
  std::map<std::string, std::vector<std::string>> verbs;
  std::ifstream in(list);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string verb, package;
    if (!line.starts_with('#') && words >> verb >> package) verbs[verb].push_back(package);
  }
  return verbs;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void say(std::string& text, std::string_view what, std::string_view is) {
  text += fmt::format("  {:<18} {}\n", what, is);
}

/// What packages.txt lists and dpkg does not have, verb by verb; advice for those of a report.
std::string packages(const fs::path& list, std::vector<Advice>& advice) {
  const auto installed = installed_packages();
  if (!installed) return fmt::format("  no dpkg here; {} has Debian's names\n", list.string());
  std::string text;
  for (const auto& [verb, packages] : packages_by_verb(list)) {
    std::vector<std::string> missing;
    std::ranges::copy_if(packages, std::back_inserter(missing),
                         [&](const std::string& package) { return !installed->contains(package); });
    if (missing.empty()) {
      say(text, verb, "all there");
      continue;
    }
    say(text, verb, fmt::format("missing: {}", fmt::join(missing, " ")));
    if (verb == "deps") advice.push_back({true, "make deps", "packages that building and reporting need"});
  }
  return text;
}

/// What a report asks of a tool, in small: a version alone may come from one that can do nothing else.
bool does_its_work(const std::string& name) {
  if (name != "gnuplot" && name != "pandoc") return true;
  const bool draws = name == "gnuplot";
  const std::vector<std::string> command = draws ? std::vector<std::string>{name, "-d", "/dev/stdin"}
                                                 : std::vector<std::string>{name,
                                                                            "--standalone",
                                                                            "--mathml",
                                                                            "--from=gfm+tex_math_dollars",
                                                                            "--to=html5",
                                                                            "--metadata=title:a",
                                                                            "--data-dir=/dev/null",
                                                                            "/dev/stdin"};
  const Ended asked =
      run_process(command, plain_environment(),
                  draws ? "set terminal svg dynamic enhanced\nplot x\n" : "$a$\n", {.seconds = 10});
  const std::string complaint = asked.stderr_line();  // gnuplot's ends a report
  return asked.succeeded() && trim(asked.stdout_text).ends_with(draws ? "</svg>" : "</html>") &&
         (!draws || complaint.empty() || complaint.starts_with("Fontconfig "));
}

/// What a tool answers; "" where it does not do its work.
std::string answer_of(const fs::path& file) {
  try {
    const Ended asked = run_process({file, "--version"}, plain_environment(), {}, {.seconds = 5});
    if (asked.succeeded() && does_its_work(file.filename())) return first_line(asked.stdout_text);
  } catch (const Error&) {  // made for another processor, for one
  }
  return "";
}

std::string tools(bool checkout, std::vector<Advice>& advice) {
  std::string text;
  try {
    report::tool_limits();
  } catch (const Error& error) {
    advice.push_back({true, "unset PERP_TOOL_SECONDS", error.what()});
  }
  std::vector<std::string> names{"gnuplot", "pandoc", "chromium"};
  std::set<std::string> work;
  if (checkout) names.insert(names.begin(), {"g++", "clang++", "cmake", "ninja"});
  for (const std::string& name : names) {
    const fs::path file = in_path(name);
    if (file.empty()) {
      say(text, name, "not found");
      continue;
    }
    const std::string answer = answer_of(file);
    if (!answer.empty()) work.insert(name);
    say(text, name, fmt::format("{} ({})", answer.empty() ? "does not work" : answer, file.string()));
  }
  const auto advise = [&](const std::string& name, bool needed, const std::string& package,
                          const char* what) {
    if (work.contains(name)) return;
    const char* again = in_path(name).empty() ? "" : "--reinstall ";
    advice.push_back({needed, fmt::format("apt-get install {}{}", again, package), what});
  };
  advise("gnuplot", true, "gnuplot-nox", "figures");
  // Without it there is a report without these pages; with one that does not work there is none.
  advise("pandoc", !in_path("pandoc").empty(), "pandoc", "pages for a browser");
  return text;
}

std::string blas(std::vector<Advice>& advice) {
  std::string text;
  std::vector<std::string> good;  // names
  for (const fs::path& folder : blas_folders()) {
    const std::string name = folder.filename(), fault = try_folder(folder).fault;
    if (fault.empty()) good.push_back(name);
    say(text, name, fault.empty() ? folder.string() : fmt::format("{}: {}", folder.string(), fault));
  }
  const std::string fault = try_folder("").fault;
  say(text, "the loaded one", fault.empty() ? "right, as far as a few products and factors tell" : fault);
  const std::string better = std::ranges::count(good, "openblas-pthread") > 0
                                 ? "perp report --blas openblas-pthread"
                                 : "apt-get install libopenblas0-pthread";
  if (!fault.empty()) {
    advice.push_back({true, std::getenv("LD_LIBRARY_PATH") ? "unset LD_LIBRARY_PATH" : better,
                      "the BLAS that is loaded does not work"});
    return text;
  }
  const BlasIdentity loaded = loaded_blas();
  const std::vector<KnownBad> reports = known_bad(loaded, this_processor());
  for (const KnownBad& bad : reports)
    say(text, "known to be bad",
        fmt::format("{} {}, {}: {}: {} ({}, {})", loaded.name, loaded.version, loaded.kernel, bad.operation,
                    bad.what, bad.reported, bad.link));
  if (!reports.empty())
    advice.push_back({false, "perp blas-check", "whether the BLAS that is loaded is as bad as reported"});
  const std::string& name = loaded.name;
  if (loaded.one_caller)
    say(text, "without threads", "two that call it at once spoil each other's results: one works");
  if (!loaded.one_caller && (name == "OpenBLAS" || name == "BLIS" || name == "MKL")) return text;
  advice.push_back(
      {false, better,
       loaded.one_caller ? "all threads instead of one" : "many times as fast as the BLAS that is loaded"});
  return text;
}

/// Where finished cells are kept; empty where there is no such place by default.
fs::path kept_here() {
  try {
    return default_kept();
  } catch (const Error&) {
    return {};
  }
}

/// Whether something can be made there: in it, or in what is there of the folders around it.
bool can_be_written(fs::path folder) {
  std::error_code none;
  // There is no absolute path from a folder that was removed.
  for (folder = fs::absolute(folder, none); !folder.empty() && !fs::exists(fs::symlink_status(folder, none));)
    folder = folder.parent_path();
  return fs::is_directory(folder, none) && access(folder.c_str(), W_OK | X_OK) == 0;
}

/// Why no report can be written where it goes; "" where one can.
std::string fault_of_out() {
  if (!can_be_written(default_out())) return "a place for the report";
  report::RenderOptions rendering;
  rendering.out = default_out();
  rendering.sources = sources().texts;
  std::vector<std::string> studies;
  for (const Study& study : all_studies()) studies.push_back(study.name);
  try {
    expect_unpublished(rendering.out);
    report::expect_place(rendering, studies);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Finished cells, and whether all folders that hold them can be written to.
struct KeptCells {
  std::size_t cells = 0;
  std::uintmax_t bytes = 0;
  bool writable = true;
};

KeptCells kept_cells(const fs::path& folder) {
  KeptCells found;
  // What is removed meanwhile is not there.
  std::error_code none;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, none);
  for (; entry != fs::recursive_directory_iterator(); entry.increment(none)) {
    if (fs::is_directory(entry->symlink_status(none)) && access(entry->path().c_str(), W_OK | X_OK) != 0)
      found.writable = false;
    if (entry->path().extension() == ".cell" && entry->is_regular_file(none))
      if (const std::uintmax_t size = entry->file_size(none); !none) ++found.cells, found.bytes += size;
  }
  return found;
}

std::string files(std::vector<Advice>& advice) {
  std::string text;
  std::error_code none;
  const fs::path corpus = "/usr/share/dictd/gcide.dict.dz";
  const bool has_text = access(corpus.c_str(), R_OK) == 0 && fs::is_regular_file(corpus, none) &&
                        fs::file_size(corpus, none) > 0;
  say(text, "text for words", has_text ? corpus.string() : "missing");
  if (!has_text)
    advice.push_back({false, "apt-get install dict-gcide", "words learned from its text; or --corpus FILE"});
  const fs::path kept = kept_here();
  const KeptCells cells = kept.empty() ? KeptCells() : kept_cells(kept / "cells");
  const bool has_place =
      !kept.empty() && cells.writable && can_be_written(kept / "cells") && can_be_written(kept / "words");
  if (!has_place) advice.push_back({true, "perp report --kept FOLDER", "a place for finished cells"});
  if (const std::string fault = fault_of_out(); !fault.empty())
    advice.push_back({true, "perp report --out FOLDER", fault});
  if (const fs::path temporary = fs::temp_directory_path(none); none || !can_be_written(temporary))
    advice.push_back({true, "export TMPDIR=/tmp", "a folder for temporary files"});
  if (kept.empty()) {
    say(text, "finished cells", "no folder: neither HOME nor XDG_CACHE_HOME is set");
    return text;
  }
  say(text, "finished cells",
      fmt::format("{} in {} ({:.1f} MB){}", cells.cells, kept.string(), cells.bytes / 1e6,
                  has_place ? "" : ", which cannot be written to"));
  return text;
}

std::string verdict(const std::vector<Advice>& advice) {
  const bool ready = std::ranges::none_of(advice, &Advice::needed);
  std::string text = !ready ? "not ready; type\n" : advice.empty() ? "ready\n" : "ready; for more, type\n";
  for (const Advice& line : advice) text += fmt::format("  {:<38} {}\n", line.type, line.why);
  return text;
}

}  // namespace

int doctor(int argc, char** argv) {
  const WordUsage usage{"perp doctor",
                        "What is installed, what is loaded and what is missing. It opens with a verdict: "
                        "ready, or what to type.",
                        "  perp doctor                 exit 1 if a report cannot be made here yet\n", "", ""};
  const Parsed parsed = parse_word(usage, {}, argc, argv);
  if (!parsed.options) return parsed.exit_code;
  std::vector<Advice> advice;
  const fs::path list = (sources().texts.pages / "../../packages.txt").lexically_normal();
  const bool checkout = fs::exists(list);
  std::string text;
  if (checkout) text += fmt::format("\nPackages of make's verbs\n{}", packages(list, advice));
  text += fmt::format("\nTools\n{}", tools(checkout, advice));
  text += fmt::format("\nBLAS folders, for --blas NAME\n{}", blas(advice));
  text += fmt::format("\nFiles\n{}", files(advice));
  print_data(fmt::format("{}\n{}\n{}", verdict(advice), version_text("perp"), text));
  return std::ranges::any_of(advice, &Advice::needed) ? 1 : 0;
}

}  // namespace perp::program
