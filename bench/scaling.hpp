#pragma once
// How time grows with the work and shrinks with threads: what was timed, and the tables and fits that
// follow. Rows travel as CSV between the two steps of build/bench/scaling, so that the second can
// be held against a sample.

#include <string>
#include <string_view>
#include <vector>

#include "perp/io/csv.hpp"
#include "perp/study/claim.hpp"

namespace perp::bench {

/// One piece of work done once on one thread. `sweep` says what grows; its operations were counted as it ran.
struct Timed {
  std::string sweep;
  double size = 0;
  std::size_t round = 0;
  double seconds = 0, operations = 0;
};

/// One run of a whole study program.
struct StudyTime {
  std::string study;
  std::size_t round = 0, threads = 1;
  double seconds = 0;
  double cpu = 0, cells = 0;  ///< processor seconds of the program, and of its cells
};

std::string to_csv(const std::vector<Timed>& rows);
/// Both throw Error naming file and line for numbers that are not positive and finite.
std::vector<Timed> timed_from(const Csv& csv);
std::vector<StudyTime> runs_from(const Csv& csv);

/// y ≈ c size^exponent, fitted in logarithms round by round; the interval is Student's t over the rounds.
struct PowerFit {
  Estimate exponent = {};
  double operations = 0;  ///< the exponent of the operations counted
  std::size_t rounds = 0;
};
/// Throws Error for fewer than two rounds or sizes.
PowerFit fit_power(const std::vector<Timed>& rows, std::string_view sweep);

/// How many times as fast the most threads were as one, paired by round.
struct SpeedUp {
  std::string study;
  std::size_t threads = 1, rounds = 0;
  Estimate ratio = {};
  double one_s = 0, most_s = 0;
  /// If cells divided without a rest and nothing else did (Amdahl 1967), from processor time: on those threads, and on
  /// any number of processors.
  double possible = 0, at_most = 0;
};
/// Throws Error for fewer than two rounds that have both.
SpeedUp speed_up(const std::vector<StudyTime>& runs, const std::string& study);

/// Study "scaling", claim L1.
Results scaling_results(const std::vector<Timed>& rows, const std::vector<StudyTime>& runs);

}  // namespace perp::bench
