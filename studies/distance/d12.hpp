#pragma once
// D12: what contexts scaled frequencies are good for, beside what is advertised.

#include <map>
#include <string>
#include <vector>

#include "studies/distance/d11_threads.hpp"

namespace perp::distance {

/// Numbers on scaling, exponents, layouts and slopes; `step` is what they are about.
std::vector<ThreadNumber> rope_thread_numbers();

/// One file for each public configuration, by its name in small letters, and rope.csv: frequencies by the paper's
/// rule and by the common library's, cosines and sines (times the attention factor) at twelve positions.
std::map<std::string, std::string> rope_references();

}  // namespace perp::distance
