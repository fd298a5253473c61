#pragma once
// What the analysis finds of effects of known size in times that are made up: its power and its false alarms. Times follow keyed
// streams: the same in every run and on every machine.

#include <cstdint>
#include <string_view>
#include <vector>

#include "bench/runs.hpp"

namespace perp::bench {

/// What is done to the times of one configuration among eight that are alike, or to all of them.
enum class Plant {
  nothing,
  operation,  ///< one operation takes `factor` times as long
  regime,     ///< the larger half of each operation's shapes does
  dead,       ///< it takes `factor` of the time, and stops after half of the rows
  drift,      ///< the machine ends each round `factor` times as slow as it began it
  outliers    ///< one time in twenty of any configuration is `factor` times as long
};

/// One scenario.
struct Planted {
  std::string_view name;
  Plant plant = Plant::nothing;
  double factor = 1;
  bool is_there = false;      ///< whether there is something to find: then another call than that is none
  bool by_operation = false;  ///< asked of single operations, else of all together
};
const std::vector<Planted>& planted();

/// Times of rows as a bench has them, 5 rounds in turns: a row's spread is a fifth, as in runs on a shared machine, half of it
/// common to a round.
std::vector<Configuration> made_up(const Planted& scenario, std::uint64_t draw);
/// Whether the analysis calls a difference in that draw, as described above.
bool is_called(const Planted& scenario, std::uint64_t draw);

}  // namespace perp::bench
