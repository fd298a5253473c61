#include "perp/study/provenance.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/sha256.hpp"

#ifndef PERP_VERSION
#define PERP_VERSION "unknown"
#endif
#ifndef PERP_COMPILER
#define PERP_COMPILER "unknown"
#endif
#ifndef PERP_BUILD_TYPE
#define PERP_BUILD_TYPE "unknown"
#endif

namespace perp {
namespace {

using nlohmann::ordered_json;

/// The value after `key` and its separator in a file of "key : value" or KEY="value" lines, or "unknown".
std::string field(const char* file, const std::string& key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.compare(0, key.size(), key) == 0) {
      std::string value = line.substr(std::min(line.find(separator), line.size() - 1) + 1);
      std::erase(value, '"');
      return value.substr(std::min(value.find_first_not_of(' '), value.size()));
    }
  return "unknown";
}

/// Tells processors of one name apart, as far as their machine code differs.
std::string cpu_model() {
  const auto part = [](const char* key) { return field("/proc/cpuinfo", key, ':'); };
#ifdef __aarch64__
  return fmt::format("implementer {} part {} variant {}", part("CPU implementer\t"), part("CPU part\t"),
                     part("CPU variant\t"));
#else
  return fmt::format("family {} model {} stepping {}", part("cpu family\t"), part("model\t"),
                     part("stepping\t"));
#endif
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string kernel() {
  utsname name{};
  return uname(&name) == 0 ? fmt::format("{} {}", name.sysname, name.release) : "unknown";
}

/// VmHWM, which can be set back, or else the peak since the process began.
double peak_memory_mib() {
  const double kib = std::strtod(field("/proc/self/status", "VmHWM", ':').c_str(), nullptr);
  if (kib > 0) return kib / 1024;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

double memory_gib() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE)) /
         (1 << 30);
}

/// A command line may hold bytes that are no UTF-8, which JSON cannot: they become U+FFFD.
std::string text_of(const ordered_json& json) {
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

/// PERP_COMMIT is set by the Makefile, so that the program needs no git.
std::string commit() {
  const char* given = std::getenv("PERP_COMMIT");
  return given ? given : "unknown";
}

}  // namespace

std::string version() { return PERP_VERSION; }

namespace {
const LibrariesDigest* first_digest = nullptr;  // there before any of them is made
}

LibrariesDigest::LibrariesDigest(std::string_view study, std::string_view sha256) noexcept
    : study_(study), sha256_(sha256), next_(first_digest) {
  first_digest = this;
}

std::string_view LibrariesDigest::of(std::string_view study) noexcept {
  for (const LibrariesDigest* digest = first_digest; digest; digest = digest->next_)
    if (digest->study_ == study) return digest->sha256_;
  return "";
}

std::string program_sha256(std::string_view study) {
  const std::string_view digest = LibrariesDigest::of(study);
  return digest.empty() ? sha256_file("/proc/self/exe") : std::string(digest);
}

double process_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void forget_peak_memory() noexcept {
  const int file = ::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(::write(file, "5", 1));
  ::close(file);
}

double thread_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string run_json(const RunRecord& run) {
  const BlasIdentity blas = loaded_blas();
  const KernelSettlement& kernels = kernel_settlement();
  ordered_json json = {
      {"schema", 1},
      {"study", run.study},
      {"version", version()},
      {"command", run.command},
      {"when", utc_now()},
      {"host_cpu", field("/proc/cpuinfo", "model name", ':')},
      {"cpu_model", cpu_model()},
      {"cores", available_threads()},
      {"memory_gib", memory_gib()},
      {"os", field("/etc/os-release", "PRETTY_NAME", '=')},
      {"kernel", kernel()},
      {"compiler", PERP_COMPILER},
      {"build_type", PERP_BUILD_TYPE},
      {"program_sha256", program_sha256(run.study)},
      {"commit", commit()},
      {"blas",
       {{"name", blas.name},
        {"version", blas.version},
        {"kernel", blas.kernel},
        {"picked", kernels.picked},
        {"chosen", kernels.chosen},
        {"why", kernels.why},
        {"path", blas.path},
        {"lapack_path", blas.lapack_path}}},
      {"threads", run.threads},
      {"cells", {{"run", run.cells_run}, {"reused", run.cells_reused}, {"repaired", run.cells_repaired}}},
      {"peak_memory_mib", peak_memory_mib()}};
  return text_of(json);
}

std::string timings_json(const RunRecord& run) {
  ordered_json experiments = ordered_json::array();
  double cells = 0;
  for (const ExperimentTime& time : run.experiments) {
    experiments.push_back(
        {{"claim", time.claim}, {"cells", time.cells}, {"wall_s", time.wall_s}, {"cpu_s", time.cpu_s}});
    cells += time.cpu_s;
  }
  ordered_json json = {{"study", run.study},
                       {"total_s", run.total_s},
                       {"process_cpu_s", run.process_cpu_s},
                       {"cells_cpu_s", cells},
                       {"peak_memory_mib", peak_memory_mib()},
                       {"experiments", experiments}};
  return text_of(json);
}

}  // namespace perp
