#include "studies/distance/answers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/text.hpp"
#include "perp/vectors/positions.hpp"

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

std::string answer_pairs(const Options& options) {
  const std::optional<std::string> pairs = options.text("pairs");
  require(pairs.has_value(), "no pairs; expected --pairs T:S, for example 105:106,5:6");
  const double dim = options.number("dim").value_or(512);
  require(dim >= 2 && dim <= 1e6 && dim == std::floor(dim),
          "--dim {}: expected a whole number from 2 to 1000000", dim);
  const std::vector<double> omega =
      frequencies(static_cast<std::size_t>(dim), options.number("base").value_or(usual_base));
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

std::vector<double> grid_of_bases(double first, std::size_t per_octave) {
  std::vector<double> bases;
  for (std::size_t i = 0;; ++i) {
    const double base = first * std::exp2(static_cast<double>(i) / static_cast<double>(per_octave));
    if (base >= largest_base) break;
    bases.push_back(base);
  }
  bases.push_back(largest_base);
  return bases;
}

namespace {

using theory::BaseRange;

constexpr std::size_t least_context = 16, widest_head = 1024, per_octave = 16;

struct BaseAnswer {
  std::size_t length, d;
  bool exact;
  std::vector<BaseRange> good;  ///< from L/8 to the largest base

  std::optional<double> least() const {
    return good.empty() ? std::nullopt : std::optional(good.front().low);
  }
  std::optional<double> safe() const {
    return good.empty() || good.back().high < largest_base ? std::nullopt : std::optional(good.back().low);
  }
};

/// Ten digits, not below (or not above) x: what is good stays good.
double rounded_up(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 9);
  return std::ceil(x / unit * (1 - 1e-15)) * unit;
}
double rounded_down(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 9);
  return std::floor(x / unit * (1 + 1e-15)) * unit;
}

std::vector<BaseRange> found_on_grid(std::size_t d, std::size_t length) {
  std::vector<BaseRange> good;
  bool before = false;
  for (const double base : grid_of_bases(smallest_base(length), per_octave)) {
    const bool now = !theory::first_negative_lag(d, base, length);
    if (now && !before) good.push_back({base, base});
    if (now) good.back().high = base;
    before = now;
  }
  return good;
}

BaseAnswer answer_for(std::size_t d, std::size_t length) {
  const bool exact = length <= longest_exact;
  std::vector<BaseRange> good =
      exact ? theory::good_bases(d, length, {smallest_base(length), largest_base}) : found_on_grid(d, length);
  for (BaseRange& range : good) range = {rounded_up(range.low), rounded_down(range.high)};
  if (exact) std::erase_if(good, [](const BaseRange& range) { return range.low > range.high; });
  return {length, d, exact, std::move(good)};
}

/// The good bases up to 400 L.
std::vector<BaseRange> intervals_of(const BaseAnswer& answer) {
  const double top = 400 * static_cast<double>(answer.length);
  std::vector<BaseRange> intervals;
  for (const BaseRange& range : answer.good)
    if (range.low <= top) intervals.push_back({range.low, std::min(range.high, top)});
  return intervals;
}

std::string ten_digits(double x) { return fmt::format("{:.10g}", x); }
std::string or_null(const std::optional<double>& x) { return x ? ten_digits(*x) : "null"; }

std::string as_json(const BaseAnswer& answer) {
  std::string intervals;
  for (const BaseRange& range : intervals_of(answer))
    intervals +=
        fmt::format("{}[{},{}]", intervals.empty() ? "" : ",", ten_digits(range.low), ten_digits(range.high));
  return fmt::format(R"({{"base_for":{},"dim":{},"least":{},"safe":{},"intervals":[{}],"exact":{}}})",
                     answer.length, answer.d, or_null(answer.least()), or_null(answer.safe()), intervals,
                     answer.exact);
}

std::string as_text(const BaseAnswer& answer) {
  const std::string what = fmt::format(
      "L = {}, d = {}: sum over i of cos(m T^(-2i/d)) at every lag m = 1 … L", answer.length, answer.d);
  if (!answer.least())
    return fmt::format("{}\nis at 0 or above for no base T up to {:g}", what, largest_base);
  std::string text = fmt::format("{}\nis at 0 or above for a base T that is good\nleast base  {:.6g}\n", what,
                                 *answer.least());
  text += answer.safe() ? fmt::format("safe base   {:.6g} (every base {}from it to {:g} is good)",
                                      *answer.safe(), answer.exact ? "" : "of the grid ", largest_base)
                        : fmt::format("safe base   none up to {:g}", largest_base);
  text += fmt::format("\ngood bases between L/8 and 400 L, {}:",
                      answer.exact ? "exact" : fmt::format("by a grid of {} to each doubling", per_octave));
  for (const BaseRange& range : intervals_of(answer))
    text += fmt::format("\n  {:.6g} to {:.6g}", range.low, range.high);
  return intervals_of(answer).empty() ? text + "\n  none" : text;
}

}  // namespace

std::string answer_base(const Options& options) {
  const std::optional<double> given = options.number("context");
  require(given.has_value(), "no context; expected --context L, for example 4096");
  const double length = *given, d = options.number("dim").value_or(128);
  require(length >= least_context && length <= longest_context && length == std::floor(length),
          "--context {}: expected a whole number from {} to {}", *options.text("context"), least_context,
          longest_context);
  require(d >= 2 && d <= widest_head && d == 2 * std::floor(d / 2),
          "--dim {}: expected an even number from 2 to {} with --context", d, widest_head);
  const BaseAnswer answer = answer_for(static_cast<std::size_t>(d), static_cast<std::size_t>(length));
  return options.json ? as_json(answer) : as_text(answer);
}

}  // namespace perp::distance
