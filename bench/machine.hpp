#pragma once
// The machine sheet: what a reader must know of where the times come from. No host name, no user, no folder.
// The machine's own limits, measured: what no operation can beat.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perp::bench {

using Sheet = std::vector<std::pair<std::string, std::string>>;  ///< what, and its value

/// What lscpu says under that name, the first time; empty where it does not.
std::string said(std::string_view lscpu, std::string_view name);
/// "Intel(R) Xeon(R), family 6, model 207, stepping 2": a virtual machine often calls it no more than "AMD EPYC".
std::string processor(std::string_view lscpu);

/// Processor, caches, memory, clock, system, compiler, version; what the system does not show is "not shown".
Sheet machine_sheet();

/// Runnable processes over the last minute, from /proc/loadavg; "not shown" where there is none.
std::string load_average();

/// A rate that was reached once: operations a second of fused multiply-adds (two each) over registers alone, or bytes a
/// second through memory, arrays far beyond any cache.
struct Limit {
  std::string kind;  ///< "fma"; "copy" (bytes read + bytes written)
  std::string type;  ///< of a fused multiply-add: "f32" or "f64"
  std::size_t bits = 0, threads = 0;
  double rate = 0;
};

struct Roof {
  std::vector<Limit> limits;

  /// Takes over what is higher in another measurement of the same: a limit is what was possible once.
  void raise(const Roof& other);
  /// The best of a type and number of threads; type "": bytes a second.
  double best(const std::string& type, std::size_t threads) const;
  /// The rate, in operations per second, that an operation of this many operations and bytes can reach: min(FMA rate,
  /// operations/bytes · bandwidth) (Williams, Waterman, Patterson 2009, "Roofline", CACM 52:65).
  double of(const std::string& type, std::size_t threads, double operations, double bytes) const;
};

/// About half a second for each number of threads.
Roof measure_roof(const std::vector<std::size_t>& threads);

}  // namespace perp::bench
