#pragma once
// What every program does at its ends: data goes whole to standard output or the program fails, messages go
// to standard error if they can, and what was thrown becomes one line and an exit code.

#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace perp {

/// Writes data to standard output. Throws Error{Exit::failed} with the reason when not all of it arrived: a
/// full disk, a closed descriptor.
void print_data(std::string_view data);

/// Says it on standard error. That it cannot be heard is no reason to end a good run.
void print_message(std::string_view text) noexcept;
template <class... Values>
requires(sizeof...(Values) > 0) void print_message(fmt::format_string<Values...> text, Values&&... values) {
  print_message(std::string_view(fmt::vformat(text, fmt::make_format_args(values...))));
}

/// What is wrong with a folder's name that an option was given; "" if nothing is.
std::string wrong_folder(const std::string& name);

/// Takes the places of standard streams that are closed, before a file opened later gets one of their numbers
/// and is written into.
void keep_standard_streams() noexcept;

/// Runs the program's body and returns its exit code; an error is said in one line that begins with `name`,
/// whatever bytes its message has. Lack of memory names what this process may have; what std::filesystem throws names
/// the path and what may be done.
int run_program(std::string_view name, const std::function<int()>& body);

}  // namespace perp
