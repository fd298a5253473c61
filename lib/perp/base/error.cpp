#include "perp/base/error.hpp"

namespace perp {

Error::Error(const std::string& message, Exit exit) : std::runtime_error(message), exit_(exit) {}
Error::~Error() = default;

void detail::raise(Exit exit, fmt::string_view message, fmt::format_args values) {
  throw Error(fmt::vformat(message, values), exit);
}

}  // namespace perp
