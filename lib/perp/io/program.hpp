#pragma once
// What every program does at its ends, and how two runs keep out of each other's way.

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace perp {

// What every program does at its ends: data goes whole to standard output or the program fails, messages go
// to standard error if they can, and what was thrown becomes one line and an exit code.

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

/// Runs the program's body and returns its exit code; an error is said in one line that begins with `name`,
/// whatever bytes its message has. Lack of memory names what this process may have; what std::filesystem throws names
/// the path and what may be done.
int run_program(std::string_view name, const std::function<int()>& body);

/// Ends the program from within its body, where nothing is left to do.
[[noreturn]] void end_program(int code);

/// As long as it lives, no other run writes into the folder, which is made if it is not there; who has to wait for that says
/// for whom. The lock lies on the folder itself, and goes with the process; a folder that was made and is still empty goes with
/// the object. Throws Error{Exit::unusable} for a folder that
/// cannot be made.
class Alone {
 public:
  Alone(std::string_view name, const std::filesystem::path& folder);
  ~Alone();
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  int descriptor_ = -1;
  std::filesystem::path folder_,
      made_;  ///< `made_`: the first above `folder_`, or itself, that was not there before
};

}  // namespace perp
