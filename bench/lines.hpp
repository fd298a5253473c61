#pragma once
// One line a row and configuration: its time, its rate, and the share of what the machine allows.

#include <string>
#include <utility>
#include <vector>

#include "bench/roof.hpp"
#include "bench/runs.hpp"
#include "bench/verdict.hpp"

namespace perp::bench {

struct Line {
  const Configuration* configuration = nullptr;
  Row row;
  Checked checked;
  double seconds = 0;  ///< median over rounds; 0 where it was not timed
  Times times = times_of({});
  double rate = 0;  ///< operations per second; bytes per second where there are none
  double fma = 0;   ///< the rate at which the machine multiplies and adds in this type, on as many threads
  double roof_share = 0;  ///< of what the machine allows

  bool timed() const { return seconds > 0; }
  std::string backend() const { return configuration->backend.shown(); }
  std::size_t threads() const { return configuration->threads; }
  std::string type() const { return std::string(to_text(row.type)); }
};

/// Row by row, in the order of the configurations, which must outlive the lines.
std::vector<Line> lines_of(const std::vector<Configuration>& configurations, const Roof& roof,
                           const std::vector<Row>& rows);

/// The fewest and the most threads.
std::pair<std::size_t, std::size_t> ends_of_threads(const std::vector<Line>& lines);

}  // namespace perp::bench
