#include "perp/vectors/rope_scaling.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp {
namespace {

constexpr double circle = 2 * std::numbers::pi;
constexpr double largest = std::numeric_limits<float>::max();  // models compute in float32

/// The first name of each is ours. mrope: Qwen's sections of pairs for time, height and width; of text, where all three
/// are the same, the usual frequencies.
constexpr auto names = std::to_array<std::pair<std::string_view, RopeScaling>>({
    {"default", RopeScaling::none},
    {"none", RopeScaling::none},
    {"mrope", RopeScaling::none},
    {"linear", RopeScaling::linear},
    {"ntk", RopeScaling::ntk},
    {"ntk_mixed", RopeScaling::ntk_mixed},
    {"dynamic", RopeScaling::dynamic},
    {"yarn", RopeScaling::yarn},
    {"deepseek_yarn", RopeScaling::yarn},
    {"llama3", RopeScaling::llama3},
    {"longrope", RopeScaling::longrope},
    {"su", RopeScaling::longrope},
    {"proportional", RopeScaling::proportional},
});

/// 1 for pairs that keep their frequency, 0 for those that are divided.
double kept(const RopeSettings& s, std::size_t pair, double omega) {
  const double turns = s.trained * omega / circle;
  const bool by_turns = s.scaling == RopeScaling::llama3 || s.ramp == Ramp::turns;
  if (by_turns && s.fast == s.slow) return turns >= s.fast ? 1 : 0;  // Llama 4
  if (by_turns) return std::clamp((turns - s.slow) / (s.fast - s.slow), 0.0, 1.0);
  // The index, a fraction, of the pair that turns so often within the trained context.
  const auto index_of = [&](double often) {
    return double(s.rotated) * std::log(s.trained / (often * circle)) / (2 * std::log(s.base));
  };
  const bool rounded = s.ramp == Ramp::rounded;
  double first = index_of(s.fast), last = index_of(s.slow);
  first = std::max(rounded ? std::floor(first) : first, 0.0);
  last = std::min(rounded ? std::ceil(last) : last, double(s.rotated) - 1);
  return 1 - std::clamp((double(pair) - first) / std::max(last - first, 1e-3), 0.0, 1.0);
}

double base_of(const RopeSettings& s, double positions) {
  if (s.scaling == RopeScaling::ntk_mixed) return s.base * s.factor;
  const double alpha = s.scaling == RopeScaling::ntk ? s.factor
                       : s.scaling == RopeScaling::dynamic
                           ? s.factor * std::max(positions / s.trained, 1.0) - (s.factor - 1)
                           : 1;
  return s.base * std::pow(alpha, double(s.rotated) / (double(s.rotated) - 2));
}

double scaled(const RopeSettings& s, std::size_t pair, double omega, double positions) {
  switch (s.scaling) {
    case RopeScaling::linear:
    case RopeScaling::proportional:
      return omega / s.factor;
    case RopeScaling::ntk_mixed:
      return omega / std::pow(s.factor, 2 / double(s.rotated));
    case RopeScaling::yarn:
    case RopeScaling::llama3: {
      const double share = kept(s, pair, omega);
      return share * omega + (1 - share) * omega / s.factor;
    }
    case RopeScaling::longrope:
      return omega / (positions > s.trained ? s.far : s.near)[pair];
    default:
      return omega;
  }
}

void check(const RopeSettings& s) {
  const auto positive = [](const char* what, double x) {
    require(x > 0 && x <= largest, "{} {}; expected a number above 0, at most {:.3g}, float32's largest",
            what, x, largest);
  };
  require(s.rotated >= 2 && s.rotated % 2 == 0 && s.rotated <= s.head,
          "{} of {} dimensions of a head are rotated; expected an even number from 2 to the head's",
          s.rotated, s.head);
  require(s.head <= widest_head, "a head of {} dimensions; at most {} were expected", s.head, widest_head);
  require(s.base > 1 && s.base <= largest,
          "base {}; expected a number above 1, at most {:.3g}, float32's largest", s.base, largest);
  positive("factor", s.factor);
  const std::size_t pairs = s.rotated / 2;
  for (const auto* list : {&s.near, &s.far, &s.divisors}) {
    const bool needed = list != &s.divisors && s.scaling == RopeScaling::longrope;
    require(list->size() == pairs || (list->empty() && !needed),
            "{} factors of frequencies; expected {}, one for each pair", list->size(), pairs);
    for (const double factor : *list) positive("factor of a frequency", factor);
  }
  const bool turns = s.scaling == RopeScaling::yarn || s.scaling == RopeScaling::llama3;
  if (turns || s.scaling == RopeScaling::dynamic || s.scaling == RopeScaling::longrope)
    positive("positions trained with", s.trained);
  if (turns)
    require(s.slow > 0 && s.fast >= s.slow && std::isfinite(s.fast),
            "turns of {} for slow and {} for fast pairs; expected 0 < slow <= fast", s.slow, s.fast);
  require(s.rotated > 2 || (s.scaling != RopeScaling::ntk && s.scaling != RopeScaling::dynamic),
          "one pair alone has no base to change");
  for (const auto& amplitude : {s.amplitude, s.amplitude_near})
    if (amplitude) positive("attention factor", *amplitude);
}

}  // namespace

std::string_view to_text(RopeScaling scaling) {
  return std::ranges::find(names, scaling, &decltype(names)::value_type::second)->first;
}

RopeScaling rope_scaling_from(std::string_view name) {
  const auto found = std::ranges::find(names, name, &decltype(names)::value_type::first);
  if (found != names.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& [text, scaling] : names) known.push_back(text);
  refuse("no RoPE scaling '{}'; there are {}", name, fmt::join(known, ", "));
}

std::vector<double> inverse_frequencies(const RopeSettings& settings, double positions) {
  check(settings);
  const double base = base_of(settings, positions);
  // Proportional: the exponents are those of a head that is rotated whole.
  const double spread =
      double(settings.scaling == RopeScaling::proportional ? settings.head : settings.rotated);
  std::vector<double> omega(settings.rotated / 2);
  for (std::size_t i = 0; i < omega.size(); ++i) {
    omega[i] = scaled(settings, i, std::pow(base, -2 * double(i) / spread), positions);
    if (!settings.divisors.empty()) omega[i] /= settings.divisors[i];
    require(omega[i] > 0 && std::isfinite(omega[i]), "frequency {} is {}; expected a number above 0", i,
            omega[i]);
  }
  return omega;
}

double rope_base(const RopeSettings& settings, double positions) {
  check(settings);
  return base_of(settings, positions);
}

double rope_amplitude(const RopeSettings& s, double positions) {
  check(s);
  if (s.amplitude_near && positions <= s.trained) return *s.amplitude_near;
  if (s.amplitude) return *s.amplitude;
  const auto rise = [&](double slope) { return s.factor > 1 ? 0.1 * slope * std::log(s.factor) + 1 : 1; };
  double amplitude = 1;
  if (s.scaling == RopeScaling::yarn)
    amplitude = s.log_slope_all > 0 ? rise(s.log_slope) / rise(s.log_slope_all) : rise(1);
  if (s.scaling == RopeScaling::longrope && s.factor > 1)
    amplitude = std::sqrt(1 + std::log(s.factor) / std::log(s.trained));
  require(amplitude > 0 && std::isfinite(amplitude), "cosines and sines times {}; expected a number above 0",
          amplitude);
  return amplitude;
}

std::string rope_axes(std::span<const double> sections, bool interleaved, std::size_t pairs) {
  const double sum = std::accumulate(sections.begin(), sections.end(), 0.0);
  require(sections.size() == 3 && std::ranges::min(sections) >= 0 && sum == double(pairs),
          "sections of {} pairs; expected three that add up to {}", fmt::join(sections, ", "), pairs);
  constexpr std::string_view axes = "THW";
  std::string of_pairs;
  if (!interleaved) {
    for (std::size_t i = 0; i < axes.size(); ++i) of_pairs.append(std::size_t(sections[i]), axes[i]);
    return of_pairs;
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::size_t axis = i % axes.size();
    of_pairs += axes[double(i) < double(axes.size()) * sections[axis] ? axis : 0];
  }
  return of_pairs;
}

std::vector<double> alibi_slopes(std::size_t heads, double maximum) {
  require(heads >= 1, "no heads; expected one or more");
  require(maximum > 0 && std::isfinite(maximum), "ALiBi's maximum is {}; expected a number above 0", maximum);
  const std::size_t below = std::bit_floor(heads);
  std::vector<double> slopes;
  for (std::size_t head = 1; head <= below; ++head) slopes.push_back(alibi_slope(head, below));
  for (std::size_t head = 1; slopes.size() < heads; head += 2) slopes.push_back(alibi_slope(head, 2 * below));
  for (double& slope : slopes) slope = std::pow(slope, maximum / 8);
  return slopes;
}

}  // namespace perp
