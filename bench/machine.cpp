#include "bench/machine.hpp"

#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

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

std::string listed(const std::vector<std::string>& words, const char* none) {
  return words.empty() ? none : fmt::format("{}", fmt::join(words, ", "));
}

std::string caches() {
  std::vector<std::string> all;
  for (int i = 0; i < 8; ++i) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", i);
    const std::string size = first_line(folder + "size"), type = first_line(folder + "type");
    if (size != not_shown && type != "Instruction")
      all.push_back(fmt::format("L{} {}", first_line(folder + "level"), size));
  }
  return listed(all, not_shown);
}

/// Variables of the environment by which a user chooses kernels, as far as they are set.
std::string chosen_kernels() {
  std::vector<std::string> all;
  for (const char* name : {"OPENBLAS_CORETYPE", "BLIS_ARCH_TYPE", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS"})
    if (const char* value = std::getenv(name)) all.push_back(fmt::format("{}={}", name, value));
  return listed(all, "none set");
}

/// The value behind "key\t: value", of the first processor.
std::string field_of(const std::string& cpuinfo, std::string_view key) {
  std::istringstream lines(cpuinfo);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t colon = line.find(':'); colon != std::string::npos && line.starts_with(key))
      if (line.find_first_not_of(" \t", key.size()) == colon)
        return colon + 2 < line.size() ? line.substr(colon + 2) : "";
  return not_shown;
}

struct Generation {
  std::string_view vendor;
  int family, first_model, last_model;
  const char* name;
};
/// Families that servers have; AMD's and Intel's lists of models.
constexpr Generation generations[] = {{"AuthenticAMD", 23, 0x00, 0x2f, "Zen"},
                                      {"AuthenticAMD", 23, 0x30, 0xff, "Zen 2"},
                                      {"AuthenticAMD", 25, 0x10, 0x1f, "Zen 4"},
                                      {"AuthenticAMD", 25, 0x60, 0xaf, "Zen 4"},
                                      {"AuthenticAMD", 25, 0x00, 0x5f, "Zen 3"},
                                      {"AuthenticAMD", 26, 0x00, 0xff, "Zen 5"},
                                      {"GenuineIntel", 6, 63, 63, "Haswell"},
                                      {"GenuineIntel", 6, 79, 79, "Broadwell"},
                                      {"GenuineIntel", 6, 85, 85, "Skylake, Cascade Lake or Cooper Lake"},
                                      {"GenuineIntel", 6, 106, 106, "Ice Lake"},
                                      {"GenuineIntel", 6, 143, 143, "Sapphire Rapids"},
                                      {"GenuineIntel", 6, 173, 173, "Granite Rapids"},
                                      {"GenuineIntel", 6, 207, 207, "Emerald Rapids"}};

/// "KVM", "none"; asked of the processor, which answers for its host.
std::string hypervisor(const std::string& cpuinfo) {
  if (field_of(cpuinfo, "flags").find(" hypervisor ") == std::string::npos) return "none seen";
#ifdef __x86_64__
  unsigned a = 0;
  std::array<unsigned, 3> words{};
  __cpuid(0x40000000, a, words[0], words[1], words[2]);
  std::string name(12, '\0');
  std::memcpy(name.data(), words.data(), name.size());
  name.resize(std::strlen(name.c_str()));
  for (const auto& [signature, known] : {std::pair{"KVMKVMKVM", "KVM"},
                                         {"Microsoft Hv", "Hyper-V"},
                                         {"VMwareVMware", "VMware"},
                                         {"XenVMMXenVMM", "Xen"},
                                         {"TCGTCGTCGTCG", "QEMU"}})
    if (name == signature) return known;
#endif
  return "one without a known name";
}

std::string shown(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.1f}", value.get<double>());
  return value.dump();
}

}  // namespace

std::string entry(const Sheet& sheet, std::string_view what) {
  const auto it = std::ranges::find(sheet, what, &Sheet::value_type::first);
  return it == sheet.end() ? std::string() : it->second;
}

std::string identity_of(const std::string& cpuinfo) {
  const std::string family = field_of(cpuinfo, "cpu family"), model = field_of(cpuinfo, "model");
  if (family == not_shown || model == not_shown) return not_shown;
  std::string text =
      fmt::format("family {}, model {}, stepping {}", family, model, field_of(cpuinfo, "stepping"));
  const std::string vendor = field_of(cpuinfo, "vendor_id");
  const int f = std::atoi(family.c_str()), m = std::atoi(model.c_str());
  for (const Generation& g : generations)
    if (vendor == g.vendor && f == g.family && g.first_model <= m && m <= g.last_model)
      return fmt::format("{} ({})", text, g.name);
  return text;
}

std::string widest_vectors(const std::string& cpuinfo) {
  const std::string flags = fmt::format(" {} ", field_of(cpuinfo, "flags"));
  for (const auto& [flag, said] : {std::pair{" avx512f ", "512 (AVX-512)"},
                                   {" avx2 ", "256 (AVX2)"},
                                   {" avx ", "256 (AVX)"},
                                   {" sse2 ", "128 (SSE2)"}})
    if (flags.find(flag) != std::string::npos) return said;
  return not_shown;
}

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
  std::ifstream file("/proc/cpuinfo");
  const std::string cpuinfo{std::istreambuf_iterator<char>(file), {}};
  return {{"processor", field("host_cpu")},
          {identity_entry, identity_of(cpuinfo)},
          {"bits of its widest vectors", widest_vectors(cpuinfo)},
          {"hypervisor", hypervisor(cpuinfo)},
          {"logical processors this process may use", field("cores")},
          {"logical processors that share the first core", first_line(cpu + "topology/thread_siblings_list")},
          {"caches of the first core", caches()},
          {"memory, GiB", field("memory_gib")},
          {"page, bytes", fmt::format("{}", sysconf(_SC_PAGESIZE))},
          {"transparent huge pages", first_line("/sys/kernel/mm/transparent_hugepage/enabled")},
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
