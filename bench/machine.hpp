#pragma once
// The machine sheet: what a reader must know of where the times come from. No host name, no user, no folder.

#include <string>
#include <utility>
#include <vector>

namespace perp::bench {

using Sheet = std::vector<std::pair<std::string, std::string>>;  ///< what, and its value

/// Processor, cores and what they share, caches, memory, clock and governor, load, system, compiler, version.
/// What the system does not show is called "not shown".
Sheet machine_sheet();

/// Runnable processes over the last minute, from /proc/loadavg; "not shown" where there is none.
std::string load_average();

}  // namespace perp::bench
