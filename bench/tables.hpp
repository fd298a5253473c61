#pragma once
// From what was measured to tables, findings and the verdict of claim B1 (b1.toml), which BENCHMARKS.md and its figure read.
// This library beside its peers: lines of JSON from build/bench/workloads and from bench/peers in, ratios out. Both sides ran in
// turns; a ratio is taken within a round, so that what slows the machine for a while slows both.

#include <filesystem>
#include <string>
#include <vector>

#include "bench/machine.hpp"
#include "bench/verdict.hpp"
#include "perp/study/frame.hpp"
#include "perp/study/results.hpp"

namespace perp::bench {

/// Everything a bench measured.
struct Measured {
  std::vector<Configuration> configurations;
  Plan plan;
  Roof roof;
  std::vector<std::string> missing;  ///< what is not installed; "mine: the process died of signal 11"
  Sheet sheet;
  std::string baseline;  ///< what everything is held against, as the backend shows itself
  std::string own;       ///< core type that this library's programs take of the default; empty: its own pick
  Calibration calibration;           ///< of the same bench, if there was one
  std::filesystem::path peers;       ///< a table of peers that was made here before; or no file
  std::filesystem::path processors;  ///< of an earlier page: its rows of other processors stay; or no file
};

Results results_of(const Measured& measured);
/// The same from the tables of a folder, such as one that was published: nothing is measured. Throws Error{Exit::unusable}.
/// `runs`: of peers, which take the place of those there; or empty.
Results results_from(const std::filesystem::path& folder, const std::filesystem::path& runs);

/// Writes the rows of peers.csv, each side at the number of threads where it is the faster. Throws Error{Exit::unusable} naming
/// file and line; for rounds that do not pair; and where a peer found other numbers than this library.
void add_peers(const std::filesystem::path& runs, const Frame& roof, Out& out);

}  // namespace perp::bench
