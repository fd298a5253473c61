#include "studies/distance/base_for.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perp/base/error.hpp"
#include "studies/distance/d10_measure.hpp"
#include "studies/distance/number_option.hpp"

namespace perp::distance {
namespace {

using theory::BaseRange;

constexpr std::size_t shortest = 16, widest = 1024, per_octave = 16;

struct Answer {
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

Answer answer_for(std::size_t d, std::size_t length) {
  const bool exact = length <= longest_exact;
  std::vector<BaseRange> good =
      exact ? theory::good_bases(d, length, {smallest_base(length), largest_base}) : found_on_grid(d, length);
  for (BaseRange& range : good) range = {rounded_up(range.low), rounded_down(range.high)};
  if (exact) std::erase_if(good, [](const BaseRange& range) { return range.low > range.high; });
  return {length, d, exact, std::move(good)};
}

/// The good bases up to 400 L.
std::vector<BaseRange> intervals_of(const Answer& answer) {
  const double top = 400 * static_cast<double>(answer.length);
  std::vector<BaseRange> intervals;
  for (const BaseRange& range : answer.good)
    if (range.low <= top) intervals.push_back({range.low, std::min(range.high, top)});
  return intervals;
}

std::string ten_digits(double x) { return fmt::format("{:.10g}", x); }
std::string or_null(const std::optional<double>& x) { return x ? ten_digits(*x) : "null"; }

std::string as_json(const Answer& answer) {
  std::string intervals;
  for (const BaseRange& range : intervals_of(answer))
    intervals +=
        fmt::format("{}[{},{}]", intervals.empty() ? "" : ",", ten_digits(range.low), ten_digits(range.high));
  return fmt::format(R"({{"base_for":{},"dim":{},"least":{},"safe":{},"intervals":[{}],"exact":{}}})",
                     answer.length, answer.d, or_null(answer.least()), or_null(answer.safe()), intervals,
                     answer.exact);
}

std::string as_text(const Answer& answer) {
  const std::string what = fmt::format(
      "L = {}, d = {}: sum over i of cos(m T^(-2i/d)) at every lag m = 1 … L", answer.length, answer.d);
  if (!answer.least())
    return fmt::format("{}\nis at 0 or above for no base T up to {:g}", what, largest_base);
  std::string text = fmt::format("{}\nleast base  {:.6g}\n", what, *answer.least());
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

std::optional<std::string> answer_base(const Options& options, const std::string& asked) {
  const std::optional<std::string> given = options.text(asked);
  if (!given) return std::nullopt;
  options.expect_alone(asked, {"dim", "json"});
  const double length = number_option(options, asked, 0), d = number_option(options, "dim", 128);
  require(length >= shortest && length <= longest_context && length == std::floor(length),
          "--{} {}: expected a whole number from {} to {}", asked, *given, shortest, longest_context);
  require(d >= 2 && d <= widest && d == 2 * std::floor(d / 2),
          "--dim {}: expected an even number from 2 to {} with --{}", d, widest, asked);
  const Answer answer = answer_for(static_cast<std::size_t>(d), static_cast<std::size_t>(length));
  return options.json ? as_json(answer) : as_text(answer);
}

}  // namespace perp::distance
