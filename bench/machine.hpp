#pragma once
// The machine sheet: what a reader must know of where the times come from. No host name, no user, no folder.

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

}  // namespace perp::bench
