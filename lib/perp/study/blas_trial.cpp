#include "perp/study/blas_trial.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "perp/base/blas.hpp"
#include "perp/base/blas_room.hpp"
#include "perp/base/error.hpp"
#include "perp/base/linalg_trial.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"

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
  if (!ended.limit.empty()) return fmt::format("no result within {}", ended.limit);
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
  const Ended ended =
      run_process({program}, environment_with(all, unset), {}, {.seconds = 10, .bytes = 1 << 20});
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

}  // namespace perp
