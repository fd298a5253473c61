#include "studies/distance/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/io/numbers.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/number_option.hpp"

namespace perp::distance {
namespace {

// Beyond, an angle's own rounding in float64 reaches a tenth of a turn.
constexpr std::uint64_t last_position = 1'000'000'000'000'000;

std::uint64_t position(std::string_view text, std::string_view pair) {
  const std::optional<std::uint64_t> value = parse_whole(text);
  require(value && *value <= last_position,
          "--pairs: '{}' is not t:s with whole numbers from 0 to {}; expected for example 105:106,5:6", pair,
          last_position);
  return *value;
}

double dot(const std::vector<double>& omega, double t, double s) {
  double sum = 0;
  for (const double w : omega) sum += std::sin(w * t) * std::sin(w * s) + std::cos(w * t) * std::cos(w * s);
  return sum;
}

}  // namespace

std::optional<std::string> answer_pairs(const Options& options) {
  const std::optional<std::string> pairs = options.text("pairs");
  require(pairs || !options.text("base"), "--base without --pairs: expected both");
  require(pairs || options.text("base-for") || !options.text("dim"),
          "--dim without --pairs or --base-for: expected one of them");
  if (!pairs) return std::nullopt;
  options.expect_alone("pairs", {"dim", "base", "json"});
  const double dim = number_option(options, "dim", 512);
  require(dim >= 2 && dim <= 1e6 && dim == std::floor(dim),
          "--dim {}: expected a whole number from 2 to 1000000", dim);
  const std::vector<double> omega =
      frequencies(static_cast<std::size_t>(dim), number_option(options, "base", usual_base));
  std::string out;
  std::string_view rest = *pairs;
  while (true) {
    const std::string_view pair = rest.substr(0, rest.find(','));
    const std::size_t colon = std::min(pair.find(':'), pair.size());
    const std::uint64_t t = position(pair.substr(0, colon), pair);
    const std::uint64_t s = position(pair.substr(std::min(colon + 1, pair.size())), pair);
    out += fmt::format("{}{{\"t\":{},\"s\":{},\"dot\":{}}}", out.empty() ? "" : ",", t, s,
                       dot(omega, static_cast<double>(t), static_cast<double>(s)));
    if (pair.size() == rest.size()) break;
    rest = rest.substr(pair.size() + 1);
  }
  return fmt::format("{{\"pairs\":[{}]}}", out);
}

}  // namespace perp::distance
