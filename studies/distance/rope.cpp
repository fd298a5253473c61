#include "studies/distance/rope.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "perp/theory/rotary_base.hpp"
#include "perp/vectors/layout.hpp"
#include "studies/distance/d10_measure.hpp"
#include "studies/distance/d11_measure.hpp"

namespace perp::distance {
namespace {

constexpr double circle = 2 * std::numbers::pi;

std::size_t last_before(const std::vector<double>& omega, double tolerance) {
  return theory::first_negative_lag(omega, farthest_lag, tolerance).value_or(farthest_lag + 1) - 1;
}

/// 131,072; 2^20 and more as such.
std::string positions_text(double count) {
  if (count >= double(farthest_lag)) return "1,048,576 or more";
  const auto whole = static_cast<std::size_t>(count);
  return whole < 1000 ? fmt::format("{}", whole) : fmt::format("{},{:03}", whole / 1000, whole % 1000);
}

std::string_view to_text(Ramp ramp) {
  return ramp == Ramp::rounded ? "rounded" : ramp == Ramp::unrounded ? "unrounded" : "turns";
}

/// What the scaling does, in a few words.
std::string scaling_text(const RopeSettings& s) {
  const std::string by = fmt::format("{:.6g}", s.factor);
  switch (s.scaling) {
    case RopeScaling::none:
      return "none";
    case RopeScaling::linear:
      return fmt::format("linear: every frequency divided by {}", by);
    case RopeScaling::ntk:
      return fmt::format("NTK-aware: the base times {} to the power r/(r-2)", by);
    case RopeScaling::dynamic:
      return fmt::format("dynamic NTK: factor {}, the base grows with the sequence", by);
    case RopeScaling::longrope:
      return fmt::format("longrope: a divisor for each pair, {:.6g} to {:.6g}", std::ranges::min(s.far),
                         std::ranges::max(s.far));
    case RopeScaling::proportional:
      return fmt::format("proportional: exponents of the whole head, divided by {}", by);
    default:
      return fmt::format(
          "{}: factor {}; pairs of {:.6g} turns in {} positions keep their frequency, of {:.6g} are divided "
          "by it",
          perp::to_text(s.scaling), by, s.fast, positions_text(s.trained), s.slow);
  }
}

std::string one_line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

GoodTo good_to(const std::vector<double>& omega) {
  return {last_before(omega, 0), last_before(omega, usual_tolerance)};
}

RopeSettings unscaled(RopeSettings settings) {
  settings.scaling = RopeScaling::none;
  settings.divisors.clear();
  return settings;
}

RopeAnswer answer_rope(const RopeConfig& config, std::size_t positions) {
  const RopeSettings& s = config.settings;
  if (positions == 0) positions = static_cast<std::size_t>(std::max(config.claimed, s.trained));
  RopeAnswer answer{
      config, positions, inverse_frequencies(s, double(positions)), rope_amplitude(s), {}, {}, {}, {}, 0};
  answer.here = good_to(answer.omega);
  answer.without = good_to(inverse_frequencies(unscaled(s), 0));
  if (s.scaling == RopeScaling::yarn)
    for (const Ramp ramp : {Ramp::rounded, Ramp::unrounded, Ramp::turns}) {
      RopeSettings other = s;
      other.ramp = ramp;
      answer.ramps[ramp] = good_to(inverse_frequencies(other, double(positions)));
    }
  for (const Format format : {Format::float32, Format::bfloat16, Format::float16, Format::tf32}) {
    const Trial whole{{"rope", "all", std::string(perp::to_text(format)), s.rotated, 0}, text_end};
    answer.first_bad[whole.format] =
        precision_of(RoundedScores(answer.omega, roundings(Step::all, format)), whole).first_bad;
  }
  answer.slow_pairs =
      std::size_t(std::ranges::count_if(answer.omega, [&](double w) { return circle / w > s.trained; }));
  return answer;
}

std::string text_of(const RopeAnswer& a) {
  const RopeSettings& s = a.config.settings;
  const std::size_t pairs = a.omega.size();
  std::string text;
  const auto line = [&](const char* name, const std::string& what) {
    text += fmt::format("{:<12}{}\n", name, what);
  };
  line("RoPE", fmt::format("{}heads of {}, {} rotated ({} pairs), base {:.10g}",
                           a.config.model.empty() ? "" : a.config.model + ", ", s.head,
                           s.rotated == s.head ? "all" : fmt::format("{}", s.rotated), pairs, s.base));
  line("scaling", scaling_text(s));
  if (a.config.claimed > 0) line("claims", positions_text(a.config.claimed) + " positions");
  line("good to", fmt::format("{} positions{}; until the sum falls below -1 %: {}",
                              positions_text(double(a.here.strictly)),
                              s.scaling == RopeScaling::none && s.divisors.empty()
                                  ? ""
                                  : ", without the scaling " + positions_text(double(a.without.strictly)),
                              positions_text(double(a.here.nearly))));
  for (const auto& [ramp, good] : a.ramps)
    if (ramp != s.ramp)
      line("", fmt::format("{} with {}", positions_text(double(good.strictly)),
                           ramp == Ramp::turns     ? "the paper's ramp, over turns instead of indices"
                           : ramp == Ramp::rounded ? "the ramp's ends rounded"
                                                   : "the ramp's ends not rounded"));
  line("", "(the sum of cosines, the score of equal contents, falls below 0 behind it; the criterion knows");
  line("", " nothing of training, and models work beyond it)");
  line("logits",
       a.amplitude == 1
           ? "as they are"
           : fmt::format("cosines and sines times {:.6g}, so logits of rotated coordinates times {:.6g}",
                         a.amplitude, a.amplitude * a.amplitude));
  line("wavelengths", fmt::format("{:.4g} to {:.6g} positions; {} of {} pairs do not turn once in {}",
                                  circle / a.omega.front(), circle / a.omega.back(), a.slow_pairs, pairs,
                                  positions_text(s.trained)));
  std::vector<std::string> formats;
  for (const auto& [format, first] : a.first_bad)
    formats.push_back(
        fmt::format("{} {}", format, std::isfinite(first) ? positions_text(first) : "none to 1,000,000"));
  line("precision",
       fmt::format("first position off by 1 %, all in one format: {}", fmt::join(formats, ", ")));
  const std::size_t apart = s.scaling == RopeScaling::proportional ? s.head / 2 : pairs;
  line("layout",
       fmt::format(
           "pair i: coordinates 2i and 2i+1 (interleaved), or i and i+{} (half-split); from one to the other",
           apart));
  line("", "the rows of q and k are permuted (--json has the permutation)");
  const std::size_t shown = std::min<std::size_t>(pairs, 4);
  line("frequencies", fmt::format("{:.6g}{} (--json has all)",
                                  fmt::join(a.omega.begin(), a.omega.begin() + long(shown), ", "),
                                  pairs > shown ? ", …" : ""));
  for (const std::string& note : a.config.notes) line("note", note);
  text.pop_back();
  return text;
}

std::string json_of(const RopeAnswer& a) {
  const RopeSettings& s = a.config.settings;
  nlohmann::ordered_json ramps = nlohmann::ordered_json::object();
  for (const auto& [ramp, good] : a.ramps) ramps[std::string(to_text(ramp))] = good.strictly;
  return one_line({{"type", perp::to_text(s.scaling)},
                   {"model_type", a.config.model},
                   {"head_dim", s.head},
                   {"rotary_dim", s.rotated},
                   {"base", s.base},
                   {"factor", s.factor},
                   {"trained_context", s.trained},
                   {"positions", a.positions},
                   {"inverse_frequencies", a.omega},
                   {"attention_factor", a.amplitude},
                   {"logit_factor", a.amplitude * a.amplitude},
                   {"claimed_context", a.config.claimed},
                   {"good_to", a.here.strictly},
                   {"nearly_good_to", a.here.nearly},
                   {"unscaled_good_to", a.without.strictly},
                   {"good_to_by_ramp", ramps},
                   {"first_bad", a.first_bad},
                   {"pairs_beyond_trained_context", a.slow_pairs},
                   {"half_split_from_interleaved", layout_permutation(s.rotated, Layout::half_split)},
                   {"notes", a.config.notes}});
}

std::string alibi_text(const RopeConfig& config) {
  return fmt::format(
      "ALiBi       {} heads: a score falls by its head's slope for each position of distance\nslopes      "
      "{:.6g}{}",
      config.alibi_heads, fmt::join(alibi_slopes(config.alibi_heads), ", "),
      std::has_single_bit(config.alibi_heads) ? ""
                                              : "\n            (no power of two: those of the power below, "
                                                "then every other of the next one's, as the authors' code)");
}

std::string alibi_json(const RopeConfig& config) {
  return one_line(
      {{"type", "alibi"}, {"heads", config.alibi_heads}, {"slopes", alibi_slopes(config.alibi_heads)}});
}

}  // namespace perp::distance
