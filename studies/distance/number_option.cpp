#include "studies/distance/number_option.hpp"

#include <vector>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

namespace perp::distance {

double number_option(const Options& options, const std::string& name, double otherwise) {
  const std::optional<std::string> text = options.text(name);
  if (!text) return otherwise;
  const std::vector<double> values = parse_list(*text);
  require(values.size() == 1, "--{} {}: expected one number", name, in_quotes(*text));
  return values.front();
}

}  // namespace perp::distance
