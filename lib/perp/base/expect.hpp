#pragma once
// What only a mistake of the program can break, whatever its input: shapes that do not fit one another, room
// of the wrong size.

#include "perp/base/error.hpp"

namespace perp {

/// Throws Error{Exit::failed} with the formatted message unless `condition` holds.
template <class... Values>
void expect(bool condition, fmt::format_string<Values...> message, Values&&... values) {
  if (!condition)
    fail("{}; a bug of this program, not of its input",
         fmt::vformat(message, fmt::make_format_args(values...)));
}

}  // namespace perp
