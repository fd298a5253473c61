#pragma once
// What to expect of tables before there are any: --dim D, --rows-words V, --rows-positions L.

#include <string>

#include "perp/study/options.hpp"

namespace perp::inspect {

/// By theory alone: V independent normal words beside the sinusoid of L positions (base 10,000), in D
/// dimensions; as a table or, with --json, under the names that a table's numbers have. Words or positions
/// alone work. Throws Error{unusable} for sizes that are none, an odd D with positions, and tables beside
/// --dim.
std::string expected_by_theory(const Options& options);

}  // namespace perp::inspect
