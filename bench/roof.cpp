#include "bench/roof.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>

#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/study/group.hpp"

namespace perp::bench {
namespace {

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

/// For work that does not throw; not parallel_for's, which keeps to one thread beside a BLAS that two must not call.
template <class Work>
void on_all(std::size_t threads, const Work& work) {
  std::vector<std::jthread> all;
  for (std::size_t i = 0; i < threads; ++i) all.emplace_back([&work, i] { work(i); });
}

/// Best of several short runs on all threads at once: a limit is what is possible, not what is usual.
template <class Work>
double best_rate(std::size_t threads, const Work& work) {
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::vector<double> done(threads);
    const auto start = Clock::now();
    on_all(threads, [&](std::size_t i) { done[i] = work(i); });
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
