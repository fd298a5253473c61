#pragma once
// Shared by the files of question Q3: how a word may be joined with its place, and what a cell reads.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "perp/measures/bag.hpp"
#include "perp/study/experiment.hpp"

namespace perp::capacity {

/// Words in all, and the sentence that is looked at in every direction.
inline constexpr std::size_t bag_words = 1000, usual_width = 512, usual_tokens = 8;

/// A way to join word and place.
struct Key {
  const char* name;
  Binding binding;
  double base;  ///< of rotary and sinusoidal keys; 0: drawn at random
};
/// sum: sinusoidal positions of the words' length; signs and phases: drawn anew for each place; rotary: turns
/// by t T^(-2i/d).
inline constexpr std::array<Key, 8> bag_keys{{{"sum", Binding::sum, 10000},
                                              {"signs", Binding::product, 0},
                                              {"phases", Binding::rotate, 0},
                                              {"rotary_10", Binding::rotate, 10},
                                              {"rotary_100", Binding::rotate, 100},
                                              {"rotary_1k", Binding::rotate, 1000},
                                              {"rotary_10k", Binding::rotate, 10000},
                                              {"rotary_1m", Binding::rotate, 1e6}}};
const Key& key_named(std::string_view name);

/// Tables, findings and rule of Q3 from its cells' records.
Outcome summarise_bag(const std::vector<CellRecords>& cells);

}  // namespace perp::capacity
