#include "bench/machine.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "perp/base/error.hpp"
#include "perp/study/provenance.hpp"

namespace perp::bench {
namespace {

constexpr const char* not_shown = "not shown";

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) && !line.empty() ? line : not_shown;
}

std::string caches() {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", i);
    const std::string size = first_line(folder + "size"), type = first_line(folder + "type");
    if (size == not_shown || type == "Instruction") continue;
    text += fmt::format("{}L{} {}", text.empty() ? "" : ", ", first_line(folder + "level"), size);
  }
  return text.empty() ? not_shown : text;
}

/// "[always] madvise never"
std::string huge_pages() { return first_line("/sys/kernel/mm/transparent_hugepage/enabled"); }

/// Variables of the environment by which a user chooses kernels, as far as they are set.
std::string chosen_kernels() {
  std::string text;
  for (const char* name : {"OPENBLAS_CORETYPE", "BLIS_ARCH_TYPE", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS"})
    if (const char* value = std::getenv(name))
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "none set" : text;
}

std::string shown(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.1f}", value.get<double>());
  return value.dump();
}

}  // namespace

std::string load_average() {
  const std::string line = first_line("/proc/loadavg");
  return line == not_shown ? line : line.substr(0, line.find(' '));
}

Sheet machine_sheet() {
  RunRecord run;
  run.study = "bench";
  const nlohmann::json record = nlohmann::json::parse(run_json(run));
  const auto field = [&](const char* key) { return shown(record.at(key)); };
  const std::string cpu = "/sys/devices/system/cpu/cpu0/";
  return {{"processor", field("host_cpu")},
          {"logical processors this process may use", field("cores")},
          {"logical processors that share the first core", first_line(cpu + "topology/thread_siblings_list")},
          {"caches of the first core", caches()},
          {"memory, GiB", field("memory_gib")},
          {"page, bytes", fmt::format("{}", sysconf(_SC_PAGESIZE))},
          {"transparent huge pages", huge_pages()},
          {"frequency governor", first_line(cpu + "cpufreq/scaling_governor")},
          {"highest frequency, kHz", first_line(cpu + "cpufreq/cpuinfo_max_freq")},
          {"turbo switched off", first_line("/sys/devices/system/cpu/intel_pstate/no_turbo")},
          {"variables that choose kernels", chosen_kernels()},
          {"system", field("os")},
          {"kernel", field("kernel")},
          {"compiler", field("compiler")},
          {"build", field("build_type")},
          {"version", field("version")},
          {"commit", field("commit")},
          {"when", field("when")}};
}

}  // namespace perp::bench
