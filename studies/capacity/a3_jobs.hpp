#pragma once
// A3: one matrix for four jobs; what the parts of this claim share.

#include "perp/study/experiment.hpp"
#include "studies/capacity/a3_tables.hpp"

namespace perp::capacity {

/// Residual, as a share of the scores' energy, from which jobs are traded off against one another.
inline constexpr double traded_off = 0.1;
/// Largest relative error of a fit that is exact up to rounding.
inline constexpr double exact_error = 1e-8;
/// The second cutoff: a thousandth of usual_cutoff lets far fainter directions count.
inline constexpr double fine_cutoff = 1e-9;
/// Width at which load, shares and heads are drawn.
inline constexpr std::size_t drawn_width = 64;
/// The size of the known numbers: many words, few positions.
inline constexpr std::size_t known_words = 300, known_positions = 32;

/// What is compared: positions and their power over the words'.
struct Compared {
  const char* name;
  Positions positions;
  double power;
};
/// Equal total power first; "random_equal" gives positions the words' own power, as the known numbers do.
inline constexpr Compared compared[] = {{"sinusoidal", Positions::sinusoidal, sinusoid_power},
                                        {"centred", Positions::centred, sinusoid_power},
                                        {"random", Positions::random, sinusoid_power},
                                        {"random_equal", Positions::random, 1.0}};

Records run_load(const Cell& cell, const Streams& streams);
Records run_known(const Cell& cell, const Streams& streams);
Records run_boundary(const Cell& cell, const Streams& streams);
Records run_gain(const Cell& cell, const Streams& streams);
Records run_heads(const Cell& cell, const Streams& streams);

/// Findings, rule and condition; a3_findings.cpp.
void add_job_findings(const std::vector<CellRecords>& cells, Outcome& outcome);
Outcome summarise_jobs(const std::vector<CellRecords>& cells);

}  // namespace perp::capacity
