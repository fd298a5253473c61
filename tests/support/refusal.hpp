#pragma once

#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>

#include "perp/base/error.hpp"

namespace perp::test {

/// `call` must throw Error{unusable} whose message contains `part`.
template <class Call>
void check_refusal(Call call, std::string_view part) {
  try {
    call();
    BOOST_TEST(false, "nothing was thrown, expected: " << part);
  } catch (const Error& error) {
    BOOST_TEST(std::string(error.what()).find(part) != std::string::npos,
               "message \"" << error.what() << "\" lacks \"" << part << "\"");
    BOOST_TEST(static_cast<int>(error.exit()) == static_cast<int>(Exit::unusable));
  }
}

}  // namespace perp::test
