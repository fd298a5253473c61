#include "studies/distance/rope.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "perp/io/message.hpp"
#include "perp/theory/rotary_base.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/answers.hpp"
#include "studies/distance/d11.hpp"

namespace perp::distance {
namespace {

constexpr double circle = 2 * std::numbers::pi;

using Json = nlohmann::ordered_json;

/// Of one kind of layer; without frequencies: it does not rotate.
struct KindAnswer {
  std::vector<double> omega = {};
  double amplitude = 1;
  std::size_t good_to = 0;
};

struct Rotation {
  const RopeConfig& config;
  std::size_t positions;  ///< the length of a sequence at which the frequencies are these
  std::vector<double> omega;
  double amplitude;
  GoodTo here, without;                    ///< with and without the scaling
  std::map<Ramp, std::size_t> ramps = {};  ///< with each ramp of YaRN's, strictly
  std::map<std::string, double> first_bad =
      {};                               ///< by format, everything in it (D11); NaN: none to a million
  std::size_t slow_pairs = 0;           ///< pairs whose wavelength exceeds the trained context
  std::vector<KindAnswer> layers = {};  ///< one for each kind of the configuration
};

/// Null for what a configuration does not say.
template <class Value>
Json unless(bool is_missing, Value value) {
  return is_missing ? Json() : Json(std::move(value));
}

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

/// A text where something is the case, nothing otherwise.
template <class... Values>
std::string when(bool condition, fmt::format_string<Values...> text, Values&&... values) {
  return condition ? fmt::format(text, std::forward<Values>(values)...) : "";
}

struct RampWords {
  Ramp ramp;
  const char *name, *words;
};
constexpr RampWords ramps[]{
    {Ramp::rounded, "rounded", "with the ramp's ends rounded"},
    {Ramp::unrounded, "unrounded", "with the ramp's ends not rounded"},
    {Ramp::turns, "turns", "with the ramp of YaRN's paper, over turns instead of indices"}};

/// What the scaling does, in a few words.
std::string scaling_text(const RopeSettings& s) {
  switch (s.scaling) {
    case RopeScaling::none:
      return "none";
    case RopeScaling::linear:
      return fmt::format("linear: every frequency divided by {:.6g}", s.factor);
    case RopeScaling::ntk:
      return fmt::format("NTK-aware: the base times {:.6g} to the power r/(r-2)", s.factor);
    case RopeScaling::ntk_mixed:
      return fmt::format("NTK (mixed): the base times {:.6g}, every frequency divided by {:.6g}", s.factor,
                         std::pow(s.factor, 2 / double(s.rotated)));
    case RopeScaling::dynamic:
      return fmt::format("dynamic NTK: factor {:.6g}, the base grows with the sequence", s.factor);
    case RopeScaling::proportional:
      return "proportional: exponents of the whole head" +
             when(s.factor != 1, ", divided by {:.6g}", s.factor);
    case RopeScaling::longrope:
      return fmt::format("longrope: a divisor for each pair, {:.6g} to {:.6g}", std::ranges::min(s.far),
                         std::ranges::max(s.far));
    default:
      return fmt::format(R"({}: pairs that turn {:.6g} times or more in {} positions keep their frequency,
            those that turn {:.6g} times or fewer are divided by {:.6g})",
                         to_text(s.scaling), s.fast, positions_text(s.trained), s.slow, s.factor);
  }
}

/// "5, 11, … 29" where they come at one distance, "0, 1, 2, 4, …" otherwise.
std::string which_text(const std::vector<std::size_t>& which) {
  if (which.size() <= 4) return fmt::format("{}", fmt::join(which, ", "));
  bool even = true;
  for (std::size_t i = 2; i < which.size(); ++i)
    even = even && which[i] - which[i - 1] == which[1] - which[0];
  return even ? fmt::format("{}, {}, … {}", which[0], which[1], which.back())
              : fmt::format("{}, {}, {}, {}, …", which[0], which[1], which[2], which[3]);
}

/// What the scaling of a kind of layer is, in a word or two.
std::string short_scaling(const RopeSettings& s) {
  if (s.scaling == RopeScaling::none || s.factor == 1)
    return std::string(s.scaling == RopeScaling::none ? "unscaled" : to_text(s.scaling));
  return fmt::format("{} / {:.6g}", to_text(s.scaling), s.factor);
}

/// One line for each kind of layer, of a model that has several.
std::string layers_text(const Rotation& a) {
  if (a.config.layers.size() < 2) return "";
  std::string text;
  for (std::size_t i = 0; i < a.config.layers.size(); ++i) {
    const LayerKind& layer = a.config.layers[i];
    text += text.empty() ? "layers      " : "            ";
    text += fmt::format(
        "{}{}{}", on_one_line(layer.kind.substr(0, 40)), layer.kind.empty() ? "" : " ",
        layer.which.empty() ? "" : fmt::format("{} ({})", layer.which.size(), which_text(layer.which)));
    text += when(layer.window > 0, ", window {}", positions_text(layer.window));
    text += !layer.rope ? ": no positions\n"
                        : fmt::format(": base {:.10g}, {} of {}, {}, good to {}\n", layer.rope->base,
                                      layer.rope->rotated, layer.rope->head, short_scaling(*layer.rope),
                                      reach_text(a.layers[i].good_to));
  }
  return text;
}

std::string layout_text(const Rotation& a, std::size_t apart) {
  const std::string inter = "coordinates 2i and 2i+1 (interleaved)",
                    half = fmt::format("i and i+{} (half-split)", apart);
  if (a.config.layout.empty()) return fmt::format("pair i: {}, or {}", inter, half);
  return fmt::format("pair i: {}, by {}", a.config.layout == "interleaved" ? inter : "coordinates " + half,
                     a.config.source);
}

/// Which axis each pair turns by, and what queries are multiplied by.
std::string more_text(const RopeConfig& config) {
  std::string text = when(!config.axes.empty(), "axes        {} (time T, height H, width W)\n", config.axes);
  if (const auto& t = config.temperature)
    text += fmt::format("queries     at position p times 1 + {:.6g} ln(1 + ⌊{}/{:.10g}⌋){}\n", t->slope,
                        t->first > 0 ? "(p + 1)" : "p", t->every,
                        t->unrotated_only ? ", in layers without positions" : "");
  return text;
}

std::string notes_text(const RopeConfig& config) {
  std::string text;
  for (const std::string& note : config.notes) text += "\nnote        " + note;
  return text;
}

std::string one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

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

namespace {

Rotation rotation_of(const RopeConfig& config, std::size_t positions) {
  const RopeSettings& s = config.settings;
  if (positions == 0) positions = static_cast<std::size_t>(std::max(config.claimed, s.trained));
  const double length = double(positions);
  const std::vector<double> omega = inverse_frequencies(s, length);
  Rotation answer{config,         positions,
                  omega,          rope_amplitude(s, length),
                  good_to(omega), good_to(inverse_frequencies(unscaled(s), 0))};
  for (const LayerKind& layer : config.layers) {
    KindAnswer& kind = answer.layers.emplace_back();
    if (!layer.rope) continue;
    kind.omega = inverse_frequencies(*layer.rope, length);
    kind.amplitude = rope_amplitude(*layer.rope, length);
    kind.good_to = last_before(kind.omega, 0);
  }
  for (const RampWords& ramp : ramps)
    if (RopeSettings other = s; s.scaling == RopeScaling::yarn) {
      other.ramp = ramp.ramp;
      answer.ramps[ramp.ramp] = last_before(inverse_frequencies(other, length), 0);
    }
  for (const Format format : {Format::float32, Format::bfloat16, Format::float16, Format::tf32})
    answer.first_bad[std::string(to_text(format))] =
        precision_of(RoundedScores(omega, true, roundings(Step::all, format)), text_end).first_bad;
  answer.slow_pairs =
      std::size_t(std::ranges::count_if(omega, [&](double w) { return circle / w > s.trained; }));
  return answer;
}

std::string text_of(const Rotation& a) {
  const RopeSettings& s = a.config.settings;
  const std::size_t pairs = a.omega.size();
  const bool in_file = !s.divisors.empty(), by_lists = s.scaling == RopeScaling::longrope,
             by_length = by_lists || s.scaling == RopeScaling::dynamic,
             is_scaled = s.factor != 1 || in_file || by_lists;
  const std::vector<double> first(a.omega.begin(), a.omega.begin() + std::min<long>(long(pairs), 4));
  std::string other_ramps, formats;
  for (const auto& [ramp, name, words] : ramps)
    if (ramp != s.ramp && a.ramps.contains(ramp))
      other_ramps += fmt::format("            {} {}\n", reach_text(a.ramps.at(ramp)), words);
  for (const char* format : {"bfloat16", "float16", "tf32", "float32"}) {
    const double bad = a.first_bad.at(format);
    formats += fmt::format("{}{} {}", formats.empty() ? "" : ", ", format,
                           std::isfinite(bad) ? positions_text(bad) : "none to 1,000,000");
  }
  using fmt::arg;
  return fmt::format(
      R"(RoPE        {model}heads of {head}, {rotated} rotated ({pairs} pairs), base {base:.10g}
scaling     {scaling}
{layers}{length}{claims}good to     {good} positions{unscaled}; to -1 % of the sum at distance 0 {nearly}
{ramps}            (so far the sum of cosines, the score of equal contents, stays at 0 or above; that knows
             nothing of training, and models work beyond it)
logits      cosines and sines {amplitude}
{others}wavelengths {shortest:.4g} to {longest:.6g} positions{slow}
precision   first position with a score off by 1 %, everything in one format:
            {formats}
            (none where positions and angles stay in float32 and only cosines and sines are rounded)
layout      {layout}
frequencies {first}{more} (--json has all){notes})",
      arg("model", when(!a.config.model.empty(), "{}, ", on_one_line(a.config.model.substr(0, 60)))),
      arg("head", s.head), arg("rotated", s.rotated == s.head ? "all" : std::to_string(s.rotated)),
      arg("pairs", pairs), arg("base", s.base),
      arg("scaling", in_file ? "a divisor for each pair, from the file" : scaling_text(s)),
      arg("length", when(by_length, "            (here for a sequence of {}: base {:.10g})\n",
                         positions_text(double(a.positions)), rope_base(s, double(a.positions)))),
      arg("claims",
          when(a.config.claimed > 0, "claims      {} positions\n", positions_text(a.config.claimed))),
      arg("good", reach_text(a.here.strictly)), arg("nearly", reach_text(a.here.nearly)),
      arg("unscaled", when(is_scaled, ", {} without the scaling", reach_text(a.without.strictly))),
      arg("ramps", other_ramps),
      arg("amplitude", a.amplitude == 1
                           ? "as they are"
                           : fmt::format("times {:.6g}, so logits of rotated coordinates times {:.6g}",
                                         a.amplitude, std::pow(a.amplitude, 2))),
      arg("shortest", circle / a.omega.front()), arg("longest", circle / a.omega.back()),
      arg("slow", when(s.trained > 0, "; {} of {} pairs do not turn once in {}", a.slow_pairs, pairs,
                       positions_text(s.trained))),
      arg("formats", formats), arg("layers", layers_text(a)),
      arg("others",
          when(a.config.logits != 1, "            and every logit times {:.6g}\n", a.config.logits) +
              more_text(a.config)),
      arg("layout", layout_text(a, s.scaling == RopeScaling::proportional ? s.head / 2 : pairs)),
      arg("first", fmt::format("{:.6g}", fmt::join(first, ", "))),
      arg("more", when(pairs > first.size(), ", …")), arg("notes", notes_text(a.config)));
}

Json layers_json(const Rotation& a) {
  Json layers = Json::array();
  for (std::size_t i = 0; i < a.config.layers.size(); ++i) {
    const LayerKind& layer = a.config.layers[i];
    Json entry{{"kind", layer.kind.empty() ? "all" : layer.kind},
               {"which", unless(layer.which.empty(), layer.which)},
               {"count", unless(layer.which.empty(), layer.which.size())},
               {"window", unless(layer.window <= 0, layer.window)},
               {"type", layer.rope ? to_text(layer.rope->scaling) : "none"}};
    if (const auto& s = layer.rope)
      entry.update({{"head_dim", s->head},
                    {"rotary_dim", s->rotated},
                    {"base", s->base},
                    {"factor", s->factor},
                    {"trained_context", unless(s->trained <= 0, s->trained)},
                    {"inverse_frequencies", a.layers[i].omega},
                    {"attention_factor", a.layers[i].amplitude},
                    {"good_to", a.layers[i].good_to}});
    layers.push_back(std::move(entry));
  }
  return layers;
}

Json temperature_json(const RopeConfig& config) {
  if (!config.temperature) return nullptr;
  const QueryTemperature& t = *config.temperature;
  return {{"slope", t.slope},
          {"every", t.every},
          {"first_position", t.first},
          {"unrotated_layers_only", t.unrotated_only}};
}

std::string json_of(const Rotation& a) {
  const RopeSettings& s = a.config.settings;
  Json by_ramp = Json::object();
  for (const auto& [ramp, name, words] : ramps)
    if (a.ramps.contains(ramp)) by_ramp[name] = a.ramps.at(ramp);
  return one_line(
      {{"type", to_text(s.scaling)},
       {"model_type", a.config.model},
       {"head_dim", s.head},
       {"rotary_dim", s.rotated},
       {"base", s.base},
       {"factor", s.factor},
       {"trained_context", unless(s.trained <= 0, s.trained)},
       {"positions", a.positions},
       {"inverse_frequencies", a.omega},
       {"attention_factor", a.amplitude},
       {"logit_factor", a.amplitude * a.amplitude},
       {"claimed_context", unless(a.config.claimed <= 0, a.config.claimed)},
       {"good_to", a.here.strictly},
       {"nearly_good_to", a.here.nearly},
       {"unscaled_good_to", a.without.strictly},
       {"good_to_by_ramp", by_ramp},
       {"first_bad", a.first_bad},
       {"pairs_beyond_trained_context", unless(s.trained <= 0, a.slow_pairs)},
       {"half_split_from_interleaved",
        layout_permutation(s.scaling == RopeScaling::proportional ? s.head : s.rotated, Layout::half_split)},
       {"layers", layers_json(a)},
       {"every_logit_factor", a.config.logits},
       {"query_temperature", temperature_json(a.config)},
       {"layout", unless(a.config.layout.empty(), a.config.layout)},
       {"layout_source", unless(a.config.layout.empty(), a.config.source)},
       {"axes", unless(a.config.axes.empty(), a.config.axes)},
       {"notes", a.config.notes}});
}

std::string alibi_text(const RopeConfig& config, const std::vector<double>& slopes) {
  const std::string own = when(config.alibi_maximum != 8,
                               ", the last one's 2 to the power -{:.6g} before that", config.alibi_maximum);
  return fmt::format(
      "ALiBi       {} heads: a logit falls by its head's slope for each position of distance\nslopes      "
      "{:.6g}{}{}{}",
      config.alibi_heads, fmt::join(slopes, ", "),
      when(config.alibi_scale != 1,
           "\n            (already times {:.6g}: scores and bias are divided by √d together{})",
           config.alibi_scale, own),
      when(config.alibi_maximum != 8 && config.alibi_scale == 1,
           "\n            (of a maximum of {:.6g}, where the paper's is 8)", config.alibi_maximum),
      when(!std::has_single_bit(config.alibi_heads),
           "\n            (no power of two: those of the power below, then every other of the next one's, as "
           "the authors' code)"));
}

/// Of what is neither RoPE nor ALiBi.
std::string other_text(const RopeConfig& config) {
  const char* about =
      "none: nothing tells one place from another but the mask, or layers that are no attention";
  if (config.positions == Positions::learned)
    about = "a learned table, added to the words; nothing is rotated";
  if (config.positions == Positions::sinusoidal) about = "a sinusoid, added to the words; nothing is rotated";
  if (config.positions == Positions::relative)
    about = "relative: a learned term for each distance joins the scores; nothing is rotated";
  return fmt::format("positions   {}{}",
                     when(!config.model.empty(), "{}: ", on_one_line(config.model.substr(0, 60))), about);
}

RopeAnswer answer_unrotated(const RopeConfig& config) {
  const auto name = name_of(config.positions);
  Json json{{"type", name}, {"model_type", config.model}};
  std::string text;
  if (config.positions == Positions::alibi) {
    std::vector<double> slopes = alibi_slopes(config.alibi_heads, config.alibi_maximum);
    for (double& slope : slopes) slope *= config.alibi_scale;
    text = alibi_text(config, slopes);
    json.update({{"heads", config.alibi_heads},
                 {"slopes", slopes},
                 {"maximum", config.alibi_maximum},
                 {"scale", config.alibi_scale}});
  } else {
    text = other_text(config);
  }
  json.update({{"claimed_context", unless(config.claimed <= 0, config.claimed)},
               {"layers", {{{"kind", "all"}, {"which", nullptr}, {"count", nullptr}, {"type", name}}}},
               {"notes", config.notes}});
  text += when(config.claimed > 0, "\nclaims      {} positions", positions_text(config.claimed));
  return {text + notes_text(config), one_line(json)};
}

}  // namespace

RopeAnswer answer_rope(const RopeConfig& config, std::size_t positions) {
  if (config.positions != Positions::rotary) return answer_unrotated(config);
  const Rotation answer = rotation_of(config, positions);
  return {text_of(answer), json_of(answer)};
}

}  // namespace perp::distance
