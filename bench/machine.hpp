#pragma once
// The machine sheet: what a reader must know of where the times come from. No host name, no user, no folder.

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

}  // namespace perp::bench
