#include "bench/machine.hpp"

#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/study/group.hpp"
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

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Vectors of `Width` bytes, by the compilers' extension: no header of any one instruction set.
template <class T, std::size_t Width>
struct Lanes {
  using Vector __attribute__((vector_size(Width))) = T;
};

/// Two operations per lane and step, over twelve chains: latency 4 on two units needs eight. The chains start
/// apart, or the compiler merges them and shows a multiple of the truth.
template <class T, std::size_t Width>
double fma_chains(std::size_t steps, double& sink) {
  using Vector = typename Lanes<T, Width>::Vector;
  constexpr std::size_t chains = 12, lanes = Width / sizeof(T);
  Vector a[chains], factor = Vector{} + static_cast<T>(0.999), term = Vector{} + static_cast<T>(0.001);
  for (std::size_t c = 0; c < chains; ++c)
    for (std::size_t l = 0; l < lanes; ++l)
      a[c][l] = static_cast<T>(1.0 + 0.01 * static_cast<double>(c * lanes + l));
  for (std::size_t s = 0; s < steps; ++s) {
    // What the compiler cannot see through keeps it from folding steps together.
    asm volatile("" : "+m"(factor), "+m"(term));
    const Vector f = factor, t = term;
    for (std::size_t inner = 0; inner < 64; ++inner)
#pragma GCC unroll 12
      for (std::size_t c = 0; c < chains; ++c) a[c] = a[c] * f + t;
  }
  for (std::size_t c = 0; c < chains; ++c) sink += static_cast<double>(a[c][0]);
  return 2.0 * static_cast<double>(chains * lanes) * 64 * static_cast<double>(steps);
}

/// Best of several short runs on all threads at once: a limit is what is possible, not what is usual.
template <class Work>
double best_rate(std::size_t threads, const Work& work) {
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::vector<double> done(threads);
    const auto start = Clock::now();
    parallel_for(threads, threads, [&](std::size_t i) { done[i] = work(i); });
    double total = 0;
    for (const double d : done) total += d;
    best = std::max(best, total / seconds_since(start));
  }
  return best;
}

template <class T, std::size_t Width>
void add_fma(const char* type, std::size_t threads, Roof& roof) {
  std::vector<double> sinks(threads * 8);
  const double rate =
      best_rate(threads, [&](std::size_t i) { return fma_chains<T, Width>(40'000, sinks[i * 8]); });
  require(std::all_of(sinks.begin(), sinks.end(), [](double s) { return s < 1e9; }), "fma: chains diverged");
  roof.limits.push_back({"fma", type, 8 * Width, threads, rate});
}

void add_bandwidth(std::size_t threads, Roof& roof) {
  constexpr std::size_t each = std::size_t{64} << 20;  // bytes a thread and array
  std::vector<std::vector<std::uint64_t>> from(threads), to(threads);
  parallel_for(threads, threads, [&](std::size_t i) {
    from[i].assign(each / 8, i);
    to[i].assign(each / 8, 1);
  });
  std::vector<std::uint64_t> sums(threads * 8);
  const double bytes = static_cast<double>(each);
  const auto add = [&](const char* kind, const auto& work) {
    roof.limits.push_back({kind, "", 0, threads, best_rate(threads, work)});
  };
  add("copy", [&](std::size_t i) {
    std::memcpy(to[i].data(), from[i].data(), each);
    return 2 * bytes;
  });
  add("read", [&](std::size_t i) {
    std::uint64_t sum = 0;
    for (const std::uint64_t v : from[i]) sum += v;
    sums[i * 8] += sum;
    return bytes;
  });
  add("write", [&](std::size_t i) {
    std::fill(to[i].begin(), to[i].end(), sums[i * 8] | 1);
    return bytes;
  });
  std::uint64_t seen = 0;
  for (const auto& t : to) seen |= t[7];
  require(seen != 0, "bandwidth: nothing was written");
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

void Roof::raise(const Roof& other) {
  if (limits.empty()) *this = other;
  require(limits.size() == other.limits.size(), "roofs of different kinds");
  for (std::size_t i = 0; i < limits.size(); ++i)
    limits[i].rate = std::max(limits[i].rate, other.limits[i].rate);
}

double Roof::best_fma(const std::string& type, std::size_t threads) const {
  return std::max(0.0, most(only(limits, &Limit::type, type, &Limit::threads, threads), &Limit::rate));
}

double Roof::best_bandwidth(std::size_t threads) const { return best_fma("", threads); }

double Roof::of(const std::string& type, std::size_t threads, double operations, double bytes) const {
  if (operations == 0) return best_bandwidth(threads);
  return std::min(best_fma(type, threads), operations / bytes * best_bandwidth(threads));
}

double fma_rate_now() {
  double sink = 0, operations = 0;
  const auto start = Clock::now();
  do operations += fma_chains<float, 32>(4'000, sink);
  while (seconds_since(start) < 0.05);
  require(sink < 1e9, "fma: chains diverged");
  return operations / seconds_since(start);
}

Roof measure_roof(const std::vector<std::size_t>& threads) {
  Roof roof;
  for (const std::size_t n : threads) {
    add_fma<float, 16>("f32", n, roof);
    add_fma<float, 32>("f32", n, roof);
    add_fma<double, 16>("f64", n, roof);
    add_fma<double, 32>("f64", n, roof);
#ifdef __AVX512F__
    add_fma<float, 64>("f32", n, roof);
    add_fma<double, 64>("f64", n, roof);
#endif
    add_bandwidth(n, roof);
  }
  return roof;
}

}  // namespace perp::bench
