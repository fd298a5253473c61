#pragma once
// The machine: its sheet, which says what a reader must know of where the times come from, without host name, user and
// folder; and its own limits, measured, which no operation can beat.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perp::bench {

/// The entry that says which processor it is, beside the name under which it is sold.
inline constexpr const char* identity_entry = "family, model and stepping";

using Sheet = std::vector<std::pair<std::string, std::string>>;  ///< what, and its value

/// Empty where there is no such entry.
std::string entry(const Sheet& sheet, std::string_view what);

/// Of the first processor in the text of /proc/cpuinfo: "family 25, model 17, stepping 1 (Zen 4)", the name where it is
/// known; a virtual machine often calls it no more than "AMD EPYC".
std::string identity_of(const std::string& cpuinfo);
/// Bits of its widest vectors: "512 (AVX-512)".
std::string widest_vectors(const std::string& cpuinfo);

/// Processor, cores, caches, memory, clock, system, compiler, version; what the system does not show is "not shown".
Sheet machine_sheet();

/// Runnable processes over the last minute, from /proc/loadavg; "not shown" where there is none.
std::string load_average();

/// A rate that was reached once: operations a second of fused multiply-adds (two each) over registers alone, or bytes a
/// second through memory, arrays far beyond any cache.
struct Limit {
  std::string kind;  ///< "fma"; "copy" (bytes read + bytes written), "read", "write"
  std::string type;  ///< of a fused multiply-add: "f32" or "f64"
  std::size_t bits = 0, threads = 0;
  double rate = 0;
};

struct Roof {
  std::vector<Limit> limits;

  /// Takes over what is higher in another measurement of the same: a limit is what was possible once.
  void raise(const Roof& other);

  double best_fma(const std::string& type, std::size_t threads) const;
  double best_bandwidth(std::size_t threads) const;
  /// Operations a second that this many operations and bytes can reach: min(FMA rate, operations/bytes · bandwidth)
  /// (Williams, Waterman, Patterson 2009, "Roofline", CACM 52:65). 0 operations: bytes a second.
  double of(const std::string& type, std::size_t threads, double operations, double bytes) const;
};

/// One thread's rate of fused multiply-adds right now, in about a twentieth of a second: how steady the
/// machine is while others use it.
double fma_rate_now();

/// About half a second for each number of threads.
Roof measure_roof(const std::vector<std::size_t>& threads);

}  // namespace perp::bench
