#pragma once

#include <boost/test/unit_test.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perp/base/error.hpp"

namespace perp::test {

/// The exit code that fits an error's message: a mistake of the program is no fault of its input.
inline Exit exit_of(std::string_view message) {
  return message.ends_with("a bug of this program, not of its input") ? Exit::failed : Exit::unusable;
}

/// `call` must throw an Error whose message contains `part`: unusable, unless the mistake is the program's or
/// `exit` says otherwise.
template <class Call>
void check_refusal(Call call, std::string_view part, std::optional<Exit> exit = {}) {
  try {
    call();
    BOOST_TEST(false, "nothing was thrown, expected: " << part);
  } catch (const Error& error) {
    BOOST_TEST(std::string(error.what()).find(part) != std::string::npos,
               "message \"" << error.what() << "\" lacks \"" << part << "\"");
    BOOST_TEST(static_cast<int>(error.exit()) == static_cast<int>(exit.value_or(exit_of(error.what()))));
  }
}

struct Refusal {
  const char* says;
  std::function<void()> call;
};
inline void check_refusals(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) check_refusal(refusal.call, refusal.says);
}

}  // namespace perp::test
