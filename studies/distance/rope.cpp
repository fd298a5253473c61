#include "studies/distance/rope.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "perp/io/message.hpp"
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
  const auto whole = static_cast<std::uint64_t>(count);
  if (whole < 1000) return fmt::format("{}", whole);
  return fmt::format("{},{:03}", positions_text(double(whole / 1000)), whole % 1000);
}
/// Of measured lags; the last one stands for more.
std::string reach_text(std::size_t lag) {
  return positions_text(double(lag)) + (lag >= farthest_lag ? " or more" : "");
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
      return s.factor == 1 ? "proportional: exponents of the whole head"
                           : fmt::format("proportional: exponents of the whole head, divided by {}", by);
    default:
      return fmt::format(
          "{}: pairs that turn {:.6g} times or more in {} positions keep their frequency,\n            those "
          "that turn {:.6g} "
          "times or less are divided by {}",
          perp::to_text(s.scaling), s.fast, positions_text(s.trained), s.slow, by);
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
  if (settings.scaling != RopeScaling::proportional) settings.scaling = RopeScaling::none;
  settings.factor = 1;
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
  line("RoPE",
       fmt::format("{}heads of {}, {} rotated ({} pairs), base {:.10g}",
                   a.config.model.empty() ? "" : on_one_line(a.config.model.substr(0, 60)) + ", ", s.head,
                   s.rotated == s.head ? "all" : fmt::format("{}", s.rotated), pairs, s.base));
  line("scaling", s.divisors.empty() ? scaling_text(s) : "a divisor for each pair, from the file");
  if (s.scaling == RopeScaling::dynamic || s.scaling == RopeScaling::longrope)
    line("", fmt::format("(here for a sequence of {})", positions_text(double(a.positions))));
  if (a.config.claimed > 0) line("claims", positions_text(a.config.claimed) + " positions");
  const bool is_scaled = s.factor != 1 || !s.divisors.empty() || s.scaling == RopeScaling::longrope;
  line("good to",
       fmt::format("{} positions{}; to -1 % of its start {}", reach_text(a.here.strictly),
                   is_scaled ? fmt::format(", {} without the scaling", reach_text(a.without.strictly)) : "",
                   reach_text(a.here.nearly)));
  for (const auto& [ramp, good] : a.ramps)
    if (ramp != s.ramp)
      line("",
           fmt::format("{} {}", reach_text(good.strictly),
                       ramp == Ramp::turns ? "with the ramp of YaRN's paper, over turns instead of indices"
                       : ramp == Ramp::rounded ? "with the ramp's ends rounded"
                                               : "with the ramp's ends not rounded"));
  line("", "(so far the sum of cosines, the score of equal contents, stays at 0 or above; that knows");
  line("", " nothing of training, and models work beyond it)");
  line("logits",
       a.amplitude == 1
           ? "cosines and sines as they are"
           : fmt::format("cosines and sines times {:.6g}, so logits of rotated coordinates times {:.6g}",
                         a.amplitude, a.amplitude * a.amplitude));
  line("wavelengths",
       fmt::format("{:.4g} to {:.6g} positions{}", circle / a.omega.front(), circle / a.omega.back(),
                   s.trained > 0 ? fmt::format("; {} of {} pairs do not turn once in {}", a.slow_pairs, pairs,
                                               positions_text(s.trained))
                                 : ""));
  std::vector<std::string> formats;
  for (const char* format : {"bfloat16", "float16", "tf32", "float32"}) {
    const double first = a.first_bad.at(format);
    formats.push_back(
        fmt::format("{} {}", format, std::isfinite(first) ? positions_text(first) : "none to 1,000,000"));
  }
  line("precision",
       fmt::format("first position with a score off by 1 %, everything in one format:\n            {}",
                   fmt::join(formats, ", ")));
  line("", "(none where positions and angles stay in float32 and only cosines and sines are rounded)");
  const std::size_t apart = s.scaling == RopeScaling::proportional ? s.head / 2 : pairs;
  line("layout",
       fmt::format("pair i: coordinates 2i and 2i+1 (interleaved), or i and i+{} (half-split)", apart));
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
  return one_line(
      {{"type", perp::to_text(s.scaling)},
       {"model_type", a.config.model},
       {"head_dim", s.head},
       {"rotary_dim", s.rotated},
       {"base", s.base},
       {"factor", s.factor},
       {"trained_context", s.trained > 0 ? nlohmann::ordered_json(s.trained) : nullptr},
       {"positions", a.positions},
       {"inverse_frequencies", a.omega},
       {"attention_factor", a.amplitude},
       {"logit_factor", a.amplitude * a.amplitude},
       {"claimed_context", a.config.claimed > 0 ? nlohmann::ordered_json(a.config.claimed) : nullptr},
       {"good_to", a.here.strictly},
       {"nearly_good_to", a.here.nearly},
       {"unscaled_good_to", a.without.strictly},
       {"good_to_by_ramp", ramps},
       {"first_bad", a.first_bad},
       {"pairs_beyond_trained_context", s.trained > 0 ? nlohmann::ordered_json(a.slow_pairs) : nullptr},
       {"half_split_from_interleaved",
        layout_permutation(s.scaling == RopeScaling::proportional ? s.head : s.rotated, Layout::half_split)},
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
