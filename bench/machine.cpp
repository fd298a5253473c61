#include "bench/machine.hpp"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "perp/base/error.hpp"
#include "perp/io/process.hpp"
#include "perp/study/provenance.hpp"

namespace perp::bench {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

std::string said(std::string_view lscpu, std::string_view name) {
  std::istringstream lines{std::string(lscpu)};
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(' '));
    if (line.starts_with(std::string(name) + ":"))
      return line.substr(std::min(line.size(), line.find_first_not_of(' ', name.size() + 1)));
  }
  return {};
}

std::string processor(std::string_view lscpu) {
  std::string text = said(lscpu, "Model name");
  for (const auto& [name, word] :
       {std::pair{"CPU family", "family"}, {"Model", "model"}, {"Stepping", "stepping"}})
    if (const std::string value = said(lscpu, name); !value.empty())
      text += fmt::format(", {} {}", word, value);
  return text;
}

std::string load_average() {
  const std::string line = first_line("/proc/loadavg");
  return line.empty() ? "not shown" : line.substr(0, line.find(' '));
}

Sheet machine_sheet() {
  RunRecord run;
  run.study = "bench";
  const nlohmann::json record = nlohmann::json::parse(run_json(run));
  const std::string lscpu = run_process({"lscpu"}, plain_environment()).stdout_text;
  Sheet sheet{{"processor", processor(lscpu)}};
  for (const char* name : {"Hypervisor vendor", "L1d cache", "L1d", "L2 cache", "L2", "L3 cache", "L3"})
    if (const std::string value = said(lscpu, name); !value.empty()) sheet.emplace_back(name, value);
  for (const char* name : {"OPENBLAS_CORETYPE", "BLIS_ARCH_TYPE", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS"})
    if (const char* value = std::getenv(name)) sheet.emplace_back(name, value);
  sheet.emplace_back("transparent huge pages", first_line("/sys/kernel/mm/transparent_hugepage/enabled"));
  sheet.emplace_back("frequency governor",
                     first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
  for (const auto& [what, key] : {std::pair{"logical processors this process may use", "cores"},
                                  {"memory, GiB", "memory_gib"},
                                  {"system", "os"},
                                  {"kernel", "kernel"},
                                  {"compiler", "compiler"},
                                  {"build", "build_type"},
                                  {"version", "version"},
                                  {"commit", "commit"},
                                  {"when", "when"}})
    sheet.emplace_back(
        what, record.at(key).is_string() ? record.at(key).get<std::string>() : record.at(key).dump());
  for (auto& [what, value] : sheet)
    if (value.empty()) value = "not shown";
  return sheet;
}

}  // namespace perp::bench
