
#include "bench/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

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

namespace {

/// Two operations per lane and step, over twelve chains: latency 4 on two units needs eight. The chains start apart, or the
/// compiler merges them and shows a multiple of the truth. Vectors by the compilers' extension: no header of any one
/// instruction set.
template <class T, std::size_t Width>
double fma_chains(std::size_t steps, double& sink) {
  using Vector __attribute__((vector_size(Width))) = T;
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

/// Best of several short runs on all threads at once: a limit is what is possible, not what is usual. Not parallel_for's threads,
/// which keep to one beside a BLAS that two must not call.
template <class Work>
double best_rate(std::size_t threads, const Work& work) {
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::vector<double> done(threads);
    const auto start = std::chrono::steady_clock::now();
    {
      std::vector<std::jthread> all;
      for (std::size_t i = 0; i < threads; ++i) all.emplace_back([&, i] { done[i] = work(i); });
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    double sum = 0;
    for (const double d : done) sum += d;
    best = std::max(best, sum / passed.count());
  }
  return best;
}

template <class T, std::size_t Width>
void add_fma(const char* type, std::size_t threads, Roof& roof) {
  std::vector<double> sinks(threads * 8);
  const double rate =
      best_rate(threads, [&](std::size_t i) { return fma_chains<T, Width>(40'000, sinks[i * 8]); });
  require(std::ranges::all_of(sinks, [](double s) { return s < 1e9; }), "fma: chains diverged");
  roof.limits.push_back({"fma", type, 8 * Width, threads, rate});
}

void add_bandwidth(std::size_t threads, Roof& roof) {
  constexpr std::size_t each = std::size_t{64} << 20;  // bytes a thread and array
  std::vector<std::vector<unsigned char>> from, to;
  for (std::size_t i = 0; i < threads; ++i) {
    from.emplace_back(each, static_cast<unsigned char>(i + 1));
    to.emplace_back(each);
  }
  const double rate = best_rate(threads, [&](std::size_t i) {
    std::memcpy(to[i].data(), from[i].data(), each);
    return 2 * static_cast<double>(each);
  });
  require(to == from, "bandwidth: not everything was copied");
  roof.limits.push_back({"copy", "", 0, threads, rate});
}

}  // namespace

void Roof::raise(const Roof& other) {
  if (limits.empty()) *this = other;
  require(limits.size() == other.limits.size(), "roofs of different kinds");
  for (std::size_t i = 0; i < limits.size(); ++i)
    limits[i].rate = std::max(limits[i].rate, other.limits[i].rate);
}

double Roof::best(const std::string& type, std::size_t threads) const {
  double best = 0;
  for (const Limit& limit : limits)
    if (limit.type == type && limit.threads == threads) best = std::max(best, limit.rate);
  return best;
}

double Roof::of(const std::string& type, std::size_t threads, double operations, double bytes) const {
  return std::min(best(type, threads), operations / bytes * best("", threads));
}

Roof measure_roof(const std::vector<std::size_t>& threads) {
  Roof roof;
  for (const std::size_t n : threads) {
    add_fma<float, 32>("f32", n, roof);
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
