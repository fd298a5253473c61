#pragma once
// The one way anything in this library fails: an exception whose message carries the values.

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace perp {

/// What the program's exit code will be when this error ends it.
enum class Exit : int {
  failed = 1,    ///< the work could not be finished (full disk, lost file, numerical breakdown)
  unusable = 2,  ///< the input or the options cannot be used as given
};

/// One line: what went wrong, where, what was expected.
class Error : public std::runtime_error {
 public:
  Error(const std::string& message, Exit exit) : std::runtime_error(message), exit_(exit) {}
  Exit exit() const noexcept { return exit_; }

 private:
  Exit exit_;
};

namespace detail {
/// What every place that can fail shares.
[[noreturn]] inline void raise(Exit exit, fmt::string_view message, fmt::format_args values) {
  throw Error(fmt::vformat(message, values), exit);
}
}  // namespace detail

/// Throws Error{Exit::failed}: the work could not be finished.
template <class... Values>
[[noreturn]] void fail(fmt::format_string<Values...> message, Values&&... values) {
  detail::raise(Exit::failed, message, fmt::make_format_args(values...));
}

/// Throws Error{Exit::unusable}: the input or the options cannot be used as given.
template <class... Values>
[[noreturn]] void refuse(fmt::format_string<Values...> message, Values&&... values) {
  detail::raise(Exit::unusable, message, fmt::make_format_args(values...));
}

/// Throws Error{Exit::unusable} with the formatted message unless `condition` holds.
template <class... Values>
void require(bool condition, fmt::format_string<Values...> message, Values&&... values) {
  if (!condition) refuse(message, std::forward<Values>(values)...);
}

// What only a mistake of the program can break, whatever its input: shapes that do not fit one another, room
// of the wrong size.

/// Throws Error{Exit::failed} with the formatted message unless `condition` holds.
template <class... Values>
void expect(bool condition, fmt::format_string<Values...> message, Values&&... values) {
  if (!condition)
    fail("{}; a bug of this program, not of its input",
         fmt::vformat(message, fmt::make_format_args(values...)));
}

}  // namespace perp
