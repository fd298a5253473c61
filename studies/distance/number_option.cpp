#include "studies/distance/number_option.hpp"

#include <charconv>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

namespace perp::distance {

double number_option(const Options& options, const std::string& name, double otherwise) {
  const std::optional<std::string> text = options.text(name);
  if (!text) return otherwise;
  double value = 0;
  const char* const last = text->data() + text->size();
  const auto [end, error] = std::from_chars(text->data(), last, value);
  require(error == std::errc() && end == last && std::isfinite(value), "--{} {}: expected one number", name,
          in_quotes(*text));
  return value;
}

}  // namespace perp::distance
