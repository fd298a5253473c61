#include "perp/base/blas.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "perp/base/error.hpp"

namespace perp {
namespace {

constexpr std::array thread_variables = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS",
                                         "MKL_NUM_THREADS"};
constexpr const char* guard = "PERP_PINNED";

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
  return true;
}

bool ask_blis(BlasIdentity& blas) {
  const auto version = symbol_in<const char*()>(blas.path, "bli_info_get_version_str");
  if (version == nullptr) return false;
  blas.name = "BLIS";
  blas.version = version();
  const auto id = symbol_in<int()>(blas.path, "bli_arch_query_id");
  const auto text = symbol_in<const char*(int)>(blas.path, "bli_arch_string");
  if (id != nullptr && text != nullptr) blas.kernel = text(id());
  return true;
}

bool ask_mkl(BlasIdentity& blas) {
  const auto version = symbol_in<void(char*, int)>(blas.path, "mkl_get_version_string");
  if (version == nullptr) return false;
  blas.name = "MKL";
  std::array<char, 256> text{};
  version(text.data(), static_cast<int>(text.size()) - 1);
  blas.version = text.data();
  return true;
}

}  // namespace

BlasIdentity loaded_blas() {
  BlasIdentity blas;
  blas.path = file_of(dlsym(RTLD_DEFAULT, "cblas_dgemm"));
  blas.lapack_path = file_of(dlsym(RTLD_DEFAULT, "dgesdd_"));
  if (ask_openblas(blas) || ask_blis(blas) || ask_mkl(blas)) return blas;
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

void pin_blas_threads(char** argv) {
  bool pinned = true;
  for (const char* name : thread_variables) {
    const char* value = std::getenv(name);
    if (value != nullptr && std::strcmp(value, "1") == 0) continue;
    pinned = false;
    if (setenv(name, "1", 1) != 0) fail("cannot set {}=1: {}", name, std::strerror(errno));
  }
  if (pinned || std::getenv(guard) != nullptr) return;
  if (setenv(guard, "1", 1) != 0) fail("cannot set {}=1: {}", guard, std::strerror(errno));
  execv("/proc/self/exe", argv);
  fail("cannot restart with one BLAS thread: {}", std::strerror(errno));
}

}  // namespace perp
