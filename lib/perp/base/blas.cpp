#include "perp/base/blas.hpp"

#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "perp/base/error.hpp"
#include "perp/base/kernels.hpp"

namespace perp {
namespace {

constexpr std::array thread_variables = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS",
                                         "MKL_NUM_THREADS"};
/// Set for the restarted process: its number, which exec keeps and children do not have, what the library had
/// picked, and what was asked for ("-" where nothing was).
constexpr const char* guard = "PERP_SETTLED";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

void set_variable(const char* name, const std::string& value) {
  if (setenv(name, value.c_str(), 1) != 0) fail("cannot set {}={}: {}", name, value, std::strerror(errno));
}

/// The file that holds `address`, symbolic links (Debian's alternatives) resolved; empty if unknown.
std::string file_of(const void* address) {
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const std::filesystem::path resolved = std::filesystem::canonical(info.dli_fname, error);
  return error ? std::string(info.dli_fname) : resolved.string();
}

/// `symbol` of the library in `path` or of the libraries it needs (Debian's libblas.so.3 is a thin door to
/// libopenblas.so.0), or null. Not looked up in the whole process: a LAPACK can bring another BLAS along.
template <class Function>
Function* symbol_in(const std::string& path, const char* symbol) {
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* found = dlsym(library, symbol);
  dlclose(library);
  return reinterpret_cast<Function*>(found);
}

bool ask_openblas(BlasIdentity& blas) {
  const auto config = symbol_in<char*()>(blas.path, "openblas_get_config");
  if (config == nullptr) return false;
  blas.name = "OpenBLAS";
  // "OpenBLAS 0.3.21 DYNAMIC_ARCH …"
  const std::string_view text = config();
  const std::size_t first = text.find(' ');
  if (first != std::string_view::npos)
    blas.version = text.substr(first + 1, text.find(' ', first + 1) - first - 1);
  if (const auto core = symbol_in<char*()>(blas.path, "openblas_get_corename")) blas.kernel = core();
  blas.dynamic = text.find("DYNAMIC_ARCH") != std::string_view::npos;
  // Whether such a build locks (USE_LOCKING) it does not say.
  if (const auto parallel = symbol_in<int()>(blas.path, "openblas_get_parallel"))
    blas.one_caller = parallel() == 0;
  return true;
}

/// Whether this build of OpenBLAS holds a core type: each has a table of its own, which is empty where it was
/// left out.
bool holds_core(const std::string& path, std::string core) {
  std::transform(core.begin(), core.end(), core.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const int* table = symbol_in<int>(path, ("gotoblas_" + core).c_str());
  if (table != nullptr) return *table != 0;
  return symbol_in<int>(path, "gotoblas") == nullptr;  // a build that shows no tables at all
}

/// The file in which BLIS answers its own names; empty if there is none.
std::string blis_file(const std::string& path) {
  if (symbol_in<int()>(path, "bli_arch_query_id") != nullptr) return path;
  // Debian's libblas.so.3 of BLIS hides these names; the library beside it comes from the same build.
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string sibling = (folder / "libblis.so.4").string();
  return !folder.empty() && dlopen(sibling.c_str(), RTLD_LAZY | RTLD_LOCAL) ? sibling : "";
}

bool ask_blis(BlasIdentity& blas) {
  const std::string path = blis_file(blas.path);
  if (path.empty()) return false;
  // Asked before it is ready, BLIS ends the process when BLIS_ARCH_TYPE is set.
  if (const auto make_ready = symbol_in<void()>(path, "bli_init")) make_ready();
  const auto version = symbol_in<const char*()>(path, "bli_info_get_version_str");
  const auto id = symbol_in<int()>(path, "bli_arch_query_id");
  const auto text = symbol_in<const char*(int)>(path, "bli_arch_string");
  if (version != nullptr) blas.version = version();
  if (id != nullptr && text != nullptr) blas.kernel = text(id());
  blas.dynamic = !blas.kernel.empty();
  blas.name = "BLIS";
  return version != nullptr;
}

/// What BLIS_ARCH_TYPE says for a core type: a number that changes between versions (a name counts as 0);
/// empty if this one does not know it. "generic" is the last: BLIS reads on beyond it.
std::string blis_number(const std::string& file, std::string_view core) {
  const auto text = symbol_in<const char*(int)>(file, "bli_arch_string");
  const char* name = "";
  for (int id = 0; text != nullptr && name != nullptr && std::string_view(name) != "generic"; ++id) {
    name = text(id);
    if (name != nullptr && same_core(name, core)) return std::to_string(id);
  }
  return "";
}

/// Whether BLIS starts with a number. It ends the process for kernels that it knows and was built without, so
/// a fresh copy of it is asked, in a child. No handlers of fork's: OpenBLAS (LAPACK's, beside BLIS) has one that waits for its
/// thread, which under a limit on memory looks for a buffer for ever. That thread holds no lock that the child takes.
bool blis_starts(const std::string& file, const std::string& number) {
  if (number.empty()) return false;
  const pid_t child = _Fork();
  if (child == 0) {
    const rlimit none{};
    setrlimit(RLIMIT_CORE, &none);
    close(STDERR_FILENO);
    void* copy = setenv("BLIS_ARCH_TYPE", number.c_str(), 1) == 0
                     ? dlmopen(LM_ID_NEWLM, file.c_str(), RTLD_LAZY)
                     : nullptr;
    const auto make_ready = copy ? reinterpret_cast<void (*)()>(dlsym(copy, "bli_init")) : nullptr;
    if (make_ready == nullptr) _exit(1);
    make_ready();
    _exit(0);
  }
  int status = 0;
  pid_t ended = -1;
  while (child > 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) continue;
  return child > 0 && ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool ask_mkl(BlasIdentity& blas) {
  const auto version = symbol_in<void(char*, int)>(blas.path, "mkl_get_version_string");
  if (version == nullptr) return false;
  blas.name = "MKL";
  std::array<char, 256> text{};
  version(text.data(), static_cast<int>(text.size()) - 1);
  blas.version = text.data();
  // The code path that it takes for the best here, which on processors of others than Intel need not be what they can do;
  // numbers of mkl_service.h, MKL_CBWR_COMPATIBLE to MKL_CBWR_AVX512_E1.
  constexpr std::array paths{"compatible", "SSE2", "SSE3",       "SSSE3",  "SSE4.1",        "SSE4.2",
                             "AVX",        "AVX2", "AVX512_MIC", "AVX512", "AVX512_MIC_E1", "AVX512_E1"};
  if (const auto branch = symbol_in<int()>(blas.path, "mkl_cbwr_get_auto_branch"))
    if (const int path = branch() - 3; path >= 0 && path < static_cast<int>(paths.size()))
      blas.kernel = paths[static_cast<std::size_t>(path)];
  return true;
}

/// FlexiBLAS hands calls on to the library that its user has chosen, which is what counts: "FlexiBLAS (OPENBLAS-OPENMP)".
bool ask_flexiblas(BlasIdentity& blas) {
  const auto current = symbol_in<int(char*, std::size_t)>(blas.path, "flexiblas_current_backend");
  if (current == nullptr) return false;
  std::array<char, 256> text{};
  current(text.data(), text.size());
  blas.name = fmt::format("FlexiBLAS ({})", text.data());
  if (const auto version = symbol_in<void(int*, int*, int*)>(blas.path, "flexiblas_get_version")) {
    int major = 0, minor = 0, patch = 0;
    version(&major, &minor, &patch);
    blas.version = fmt::format("{}.{}.{}", major, minor, patch);
  }
  return true;
}

/// What a process of ours left in the environment when it restarted; `process` is 0 where none did.
struct Guard {
  long process = 0;
  std::string picked, chosen;
};

Guard read_guard() {
  std::istringstream text(variable(guard));
  Guard read;
  if (!(text >> read.process >> read.picked >> read.chosen)) return {};
  if (read.picked == "-") read.picked.clear();
  if (read.chosen == "-") read.chosen.clear();
  return read;
}

/// `process` is the one that has restarted.
void write_guard(const KernelSettlement& settlement, long process) {
  const auto word = [](const std::string& text) { return text.empty() ? "-" : text; };
  set_variable(guard, fmt::format("{} {} {}", process, word(settlement.picked), word(settlement.chosen)));
}

/// Sets the thread variables; whether one of them was different.
bool set_one_thread() {
  bool changed = false;
  for (const char* name : thread_variables) {
    if (variable(name) == "1") continue;
    changed = true;
    set_variable(name, "1");
  }
  return changed;
}

KernelSettlement settled;

/// What the environment says to this library of its core type; empty if nothing.
std::string told_core(const BlasIdentity& blas) {
  const char* const name = core_variable(blas.name);
  return name ? variable(name) : "";
}

KernelOffer offer_of(const BlasIdentity& blas) {
  KernelOffer offer{blas.name, blas.version, blas.kernel, blas.dynamic, {}, {}};
  if (blas.name == "BLIS") {
    const std::string file = blis_file(blas.path);
    offer.value = [file](const std::string& core) { return blis_number(file, core); };
    offer.has = [file](const std::string& core) { return blis_starts(file, blis_number(file, core)); };
  } else {
    offer.value = [](const std::string& core) { return core; };
    offer.has = [path = blas.path](const std::string& core) { return holds_core(path, core); };
  }
  return offer;
}

/// What people should know of kernels that run against the table, or against what was asked for.
std::string warning(const BlasIdentity& blas, const KernelOffer& offer, const KernelChoice& choice,
                    bool restarted) {
  const std::string library = fmt::format("{} {}", blas.name, blas.version);
  if (blas.one_caller)
    return fmt::format(
        "{} was built without threads, and two that call it at once spoil each other's results: one thread "
        "works; libopenblas0-pthread serves all",
        library);
  if (restarted && !choice.core.empty() && !same_core(blas.kernel, choice.core))
    return fmt::format(
        "{} did not take its {} kernels and runs {}; the numbers are right, the time may be longer", library,
        choice.core, blas.kernel);
  const std::string own = told_core(blas);
  if (blas.dynamic && choice.core.empty() && !own.empty() && !same_core(offer.value(blas.kernel), own))
    return fmt::format("{} did not take {}={} and runs {}", library, core_variable(blas.name), own,
                       blas.kernel);
  if (choice.slower && variable("PERP_KERNELS").empty())
    return fmt::format("{} runs its {} kernels, below what this processor can do: {}", library, blas.kernel,
                       choice.why);
  return "";
}

}  // namespace

BlasIdentity loaded_blas() {
  BlasIdentity blas;
  blas.path = file_of(dlsym(RTLD_DEFAULT, "cblas_dgemm"));
  blas.lapack_path = file_of(dlsym(RTLD_DEFAULT, "dgesdd_"));
  // FlexiBLAS first: it answers names of OpenBLAS, too.
  if (ask_flexiblas(blas) || ask_openblas(blas) || ask_blis(blas) || ask_mkl(blas)) return blas;
  // ATLAS, the reference BLAS and Debian's libblas.so.3 of BLIS do not state themselves: their folders do.
  if (blas.path.find("atlas") != std::string::npos)
    blas.name = "ATLAS";
  else if (blas.path.find("blis") != std::string::npos)
    blas.name = "BLIS";
  else if (blas.path.find("/blas/libblas.so") != std::string::npos)
    blas.name = "reference";
  else
    blas.name = "unknown";
  return blas;
}

std::size_t callers_at_once(std::size_t threads) {
  static const bool one = loaded_blas().one_caller;
  return one ? std::min<std::size_t>(threads, 1) : threads;
}

const KernelSettlement& kernel_settlement() { return settled; }

std::vector<KernelSetting> usable_kernels() {
  const BlasIdentity blas = loaded_blas();
  const KernelOffer offer = offer_of(blas);
  std::vector<KernelSetting> settings;
  for (const std::string& core : usable_cores(offer, this_processor()))
    settings.push_back({core, core_variable(blas.name), offer.value(core)});
  return settings;
}

void settle_blas(char** argv) {
  const BlasIdentity blas = loaded_blas();
  const Guard before = read_guard();
  const bool restarted = before.process == getpid();
  KernelOffer offer = offer_of(blas);
  // A parent's choice is not the user's: it is made anew, for this process may have loaded another library.
  const std::string set = told_core(blas);
  const bool inherited = !set.empty() && !before.chosen.empty() && set == offer.value(before.chosen);
  const bool runs_chosen = inherited && same_core(blas.kernel, before.chosen);
  if (restarted || runs_chosen) offer.picked = before.picked;

  const KernelChoice choice =
      choose_kernels(offer, this_processor(), variable("PERP_KERNELS"), inherited ? "" : set);
  settled = {offer.picked, choice.core, choice.why, warning(blas, offer, choice, restarted)};

  const bool other_threads = set_one_thread();
  const bool other_kernels = choice.core.empty() ? inherited : !same_core(blas.kernel, choice.core);
  if (restarted || (!other_threads && !other_kernels)) return;
  if (!choice.core.empty())
    set_variable(core_variable(blas.name), offer.value(choice.core));
  else if (inherited)
    unsetenv(core_variable(blas.name));
  write_guard(settled, getpid());
  execv("/proc/self/exe", argv);
  fail("cannot start /proc/self/exe again with one BLAS thread: {}", std::strerror(errno));
}

std::string loader_path_from(const std::string& folder) {
  const std::string now = variable("LD_LIBRARY_PATH");
  if (now == folder || now.starts_with(folder + ":")) return now;
  return now.empty() ? folder : folder + ":" + now;
}

void load_first_from(const std::string& folder, char** argv, const std::function<void()>& before) {
  const std::string path = loader_path_from(folder);
  if (path == variable("LD_LIBRARY_PATH")) return;
  before();
  set_variable("LD_LIBRARY_PATH", path);
  // The next library is asked anew: no process has restarted for it, and what was chosen is no wish of the user's.
  if (const Guard before = read_guard(); before.process == getpid())
    write_guard({before.picked, before.chosen, {}, {}}, 0);
  execv("/proc/self/exe", argv);
  fail("cannot start /proc/self/exe again with the libraries of {}: {}", folder, std::strerror(errno));
}

}  // namespace perp
