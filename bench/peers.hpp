#pragma once
// This library beside its peers: lines of JSON from build/bench/workloads and from bench/peers in, ratios out. Both sides ran in
// turns; a ratio is taken within a round, so that what slows the machine for a while slows both.

#include <filesystem>

#include "perp/study/frame.hpp"

namespace perp::bench {

/// Writes the rows of peers.csv, each side at the number of threads where it is the faster. Throws Error{Exit::unusable} naming
/// file and line; for rounds that do not pair; and where a peer found other numbers than this library.
void add_peers(const std::filesystem::path& runs, Out& out);

}  // namespace perp::bench
