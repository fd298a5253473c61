#include "perp/study/start.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/memory.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/io/text.hpp"
#include "perp/study/provenance.hpp"

namespace perp {
namespace {

namespace fs = std::filesystem;

/// Set for a process that is a trial: the number of the process that began it, ':' and the file that the loader is to have taken,
/// or nothing.
constexpr const char* variable = "PERP_TRY_BLAS";
std::string value_from(pid_t parent, const fs::path& library) {
  return fmt::format("{}:{}", parent, library.native());
}
/// What this process is to try, where it is a trial.
std::optional<std::string> tried_here() {
  const std::string value = std::getenv(variable) == nullptr ? "" : std::getenv(variable),
                    begin = value_from(getppid(), "");
  return value.starts_with(begin) ? std::optional(value.substr(begin.size())) : std::nullopt;
}
constexpr std::string_view was_loaded = "perp: BLAS was loaded\n", is_right = "perp: BLAS is right\n";

std::string fault_of(const Ended& ended, const fs::path& program) {
  if (!ended.limit.empty())
    return fmt::format("no result within {} (PERP_TOOL_SECONDS allows more)", ended.limit);
  if (ended.signal != 0) return fmt::format("the process died of signal {}", ended.signal);
  if (ended.code == 0 && ended.stdout_text.find(is_right) != std::string::npos) return "";
  std::string line = ended.stderr_line();
  // The loader's, or the program's own.
  std::error_code none;
  const fs::path called = fs::read_symlink(program, none).filename();  // of /proc/self/exe
  for (const std::string& name : {program.string(), program.filename().string(), called.string()})
    if (line.starts_with(name + ": ")) line.erase(0, name.size() + 2);
  return line.empty() ? fmt::format("the process ended with {} before its first product", ended.code)
                      : on_one_line(line);
}

}  // namespace

fs::path blas_root() { return fs::path("/usr/lib") / PERP_MULTIARCH; }

std::vector<fs::path> blas_folders() {
  std::vector<fs::path> found;
  std::error_code none;
  for (fs::directory_iterator entry(blas_root(), none), end; entry != end; entry.increment(none))
    if (fs::is_regular_file(entry->path() / "libblas.so.3", none)) found.push_back(entry->path());
  std::ranges::sort(found);
  return found;
}

BlasTrial try_program(const fs::path& program, const Variables& set, const std::vector<std::string>& unset,
                      const fs::path& library) {
  // A program that does not answer trials would try itself without end.
  if (tried_here()) fail("a trial of a BLAS within a trial: {} does not call answer_trial", program.string());
  Variables all = set;
  all.insert(all.end(), {{variable, value_from(getpid(), library)}, {"LD_BIND_NOW", "1"}});
  // A machine under load, or an emulated one, is given more by the variable that gnuplot and pandoc get theirs from.
  const char* const asked = std::getenv("PERP_TOOL_SECONDS");
  const double seconds = std::clamp(asked ? parse_double(asked).value_or(10) : 10, 10.0, 3600.0);
  const Ended ended =
      run_process({program}, environment_with(all, unset), {}, {.seconds = seconds, .bytes = 1 << 20});
  if (!ended.found) fail("cannot start {}: there is no such file", program.string());
  return {ended.stdout_text.find(was_loaded) != std::string::npos, fault_of(ended, program)};
}

BlasTrial try_folder(const fs::path& folder) {
  Variables set;
  if (!folder.empty()) set.emplace_back("LD_LIBRARY_PATH", loader_path_from(folder));
  // By that name it starts from a folder, too, that others may not search.
  return try_program("/proc/self/exe", set, {}, folder.empty() ? fs::path() : folder / "libblas.so.3");
}

std::optional<int> answer_trial() {
  const std::optional<std::string> library = tried_here();
  if (!library) return std::nullopt;
  print_data(was_loaded);
  try {
    const bool named = !library->empty();
    const char* const file = named ? library->c_str() : "libblas.so.3";
    void* const loaded = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    require(loaded != nullptr || !named, "the loader passes over {} and takes {}", file, loaded_blas().path);
    // A LAPACK may bring another BLAS along, which then answers in its place.
    require(loaded == nullptr || dlsym(loaded, "cblas_dgemm") != nullptr, "{} holds no cblas_dgemm", file);
    try_blas(callers_at_once(threads_with_room(2)));
  } catch (const Error& error) {
    print_message("{}\n", error.what());
    return static_cast<int>(Exit::failed);
  }
  print_data(is_right);
  return 0;
}

namespace {

/// What does not fit into 80 columns goes into lines below, to where the line's second part begins.
std::string wrapped(std::string line) {
  constexpr std::size_t width = 80;
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t second = line.find_first_not_of(' ', line.find("  ", begin));
  const std::size_t indent = second == line.npos ? begin : second;
  std::string out;
  while (columns(line) > width) {
    const std::size_t cut = line.rfind(' ', width);
    if (cut == line.npos || cut <= indent) break;
    out += line.substr(0, cut) + "\n";
    line = std::string(indent, ' ') + line.substr(cut + 1);
  }
  return out + line + "\n";
}

/// "no option --onyl; did you mean --only?" for the first option that there is not; "" where only a stray word stands.
std::string unknown_option(const CLI::App& app) {
  for (const std::string& stray : app.remaining()) {
    const std::size_t begin = stray.find_first_not_of('-');
    if (begin == 0 || begin == stray.npos) continue;
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
      if (!option->get_group().empty())
        names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
    const std::string given = stray.substr(0, stray.find('=')), meant = nearest(given.substr(begin), names);
    return fmt::format("no option {}{}", given,
                       meant.empty() ? "" : fmt::format("; did you mean --{}?", meant));
  }
  return "";
}

}  // namespace

int start(std::string_view name, char** argv, const std::function<int()>& body) {
  return run_program(name, [&] {
    settle_blas(argv);
    if (const std::optional<int> tried = answer_trial()) return *tried;
    keep_freed_memory();
    ::setenv("LC_ALL", "C", 1);
    return body();
  });
}

void trust_blas(std::string_view name) {
  if (const BlasTrial tried = try_folder(""); !tried.fault.empty())
    fail("the BLAS here, {}: {}; perp doctor lists others", loaded_blas().path, tried.fault);
  if (const std::string& warning = kernel_settlement().warning; !warning.empty())
    print_message("{}: {}\n", name, warning);
}

std::string version_text(std::string_view name) {
  const BlasIdentity blas = loaded_blas();
  const KernelSettlement& kernels = kernel_settlement();
  const auto or_none = [](const std::string& text) { return text.empty() ? "-" : text; };
  return fmt::format("{} {}\nBLAS    {} {} {} ({})\nLAPACK  {}\nkernels picked {}, chosen {}: {}", name,
                     version(), blas.name, blas.version, blas.kernel, blas.path, blas.lapack_path,
                     or_none(kernels.picked), or_none(kernels.chosen), kernels.why);
}

std::optional<int> answered(CLI::App& app, int argc, char** argv) {
  app.set_version_flag("--version", version_text(app.get_name()));
  // A flag takes no value: --fresh=no would mean yes where its value is not looked at.
  for (CLI::Option* option : app.get_options())
    if (option->get_items_expected_max() == 0) option->disable_flag_override();
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForVersion& asked) {
    print_data(fmt::format("{}\n", asked.what()));
    return 0;
  } catch (const CLI::Success&) {  // --help
    std::istringstream help(app.help());
    std::string text;
    for (std::string line; std::getline(help, line);) text += wrapped(line);
    print_data(text);
    return 0;
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::ranges::replace(message, '\n', ' ');
    if (const std::string unknown = unknown_option(app); !unknown.empty()) message = unknown;
    print_message("{0}: {1} (see {0} --help)\n", app.get_name(), on_one_line(message));
    return static_cast<int>(Exit::unusable);
  }
}

}  // namespace perp
