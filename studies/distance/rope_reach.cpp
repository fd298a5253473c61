// The least factor of each kind of scaling, and the least base, that is good to N positions by D10's criterion.

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "perp/io/text.hpp"
#include "perp/theory/rotary_base.hpp"
#include "studies/distance/rope.hpp"

namespace perp::distance {
namespace {

constexpr double step = 1.05, close = 1.001, largest_factor = 4096, largest_tried = 1e12;

bool is_good(const std::vector<double>& omega, std::size_t reach) {
  return !theory::first_negative_lag(omega, reach);
}

/// From `low` on, in steps and then by halves: a value that is good although one just below it is not.
template <class Good>
std::optional<double> least(double low, double high, Good good) {
  if (good(low)) return low;
  double bad = low, found = low;
  do {
    bad = found;
    found *= step;
    if (found > high) return std::nullopt;
  } while (!good(found));
  while (found / bad > close) {
    const double middle = std::sqrt(bad * found);
    (good(middle) ? found : bad) = middle;
  }
  return found;
}

/// The model's head with another scaling; its trained context, or else the claimed one, where the rule needs it.
RopeSettings scaled_by(const RopeConfig& config, RopeScaling scaling, double factor) {
  const RopeSettings& now = config.settings;
  RopeSettings s = unscaled(now);
  s.scaling = scaling;
  s.factor = factor;
  s.trained = now.trained > 0 ? now.trained : config.claimed;
  const bool is_same = scaling == now.scaling;
  s.slow = is_same ? now.slow : 1;
  s.fast = is_same ? now.fast : scaling == RopeScaling::llama3 ? 4 : 32;
  s.ramp = now.ramp;
  return s;
}

std::string in_words(RopeScaling scaling) {
  return scaling == RopeScaling::ntk ? "ntk (alpha)" : std::string(to_text(scaling));
}

}  // namespace

RopeAnswer answer_reach(const RopeConfig& config, std::size_t reach) {
  const RopeSettings &s = config.settings, plain = unscaled(s);
  const double length = std::max({config.claimed, s.trained, double(reach)});
  const std::size_t now = good_to(inverse_frequencies(s, length)).strictly,
                    without = good_to(inverse_frequencies(plain, 0)).strictly;
  std::string text = fmt::format(
      "reach       {} positions with Σ cos at 0 or above\nnow         good to {}, base {:.10g}, {}, factor "
      "{:.6g}; {} without scaling",
      reach, now, s.base, to_text(s.scaling), s.factor, without);
  using Json = nlohmann::ordered_json;
  Json factors = Json::object();
  for (const RopeScaling scaling : {RopeScaling::linear, RopeScaling::ntk, RopeScaling::ntk_mixed,
                                    RopeScaling::dynamic, RopeScaling::yarn, RopeScaling::llama3}) {
    const bool needs_context =
        scaling == RopeScaling::dynamic || scaling == RopeScaling::yarn || scaling == RopeScaling::llama3;
    const bool is_partial = plain.scaling == RopeScaling::proportional || plain.rotated <= 2;
    if (is_partial || (needs_context && s.trained <= 0 && config.claimed <= 0)) continue;
    const auto factor = least(1, largest_factor, [&](double tried) {
      return is_good(inverse_frequencies(scaled_by(config, scaling, tried), double(reach)), reach);
    });
    factors[std::string(to_text(scaling))] = factor ? Json(*factor) : Json();
    text += fmt::format("\n{:<11} {}", in_words(scaling),
                        factor ? fmt::format("least factor {:.6g}", *factor)
                               : fmt::format("no factor up to {}", largest_factor));
  }
  const auto base = least(std::max(2.0, double(reach) / 8), largest_tried, [&](double tried) {
    RopeSettings other = plain;
    other.base = tried;
    return is_good(inverse_frequencies(other, 0), reach);
  });
  text += fmt::format("\nbase        {}", base ? fmt::format("least base {:.6g}, without scaling", *base)
                                               : "no base up to 10^12");
  text +=
      "\n            (D10's criterion knows nothing of training; between steps of 5 % a smaller one might "
      "do)";
  return {text, Json{{"reach", reach},
                     {"good_to", now},
                     {"unscaled_good_to", without},
                     {"type", to_text(s.scaling)},
                     {"factor", s.factor},
                     {"base", s.base},
                     {"least_factors", factors},
                     {"least_base", base ? Json(*base) : Json()}}
                    .dump()};
}

// ---- Reference vectors of public configurations, for whoever writes or tests an implementation.

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::size_t, 12> positions{0, 1, 2, 3, 7, 64, 127, 1023, 4095, 8191, 32767, 131071};

/// Rows at the positions: `turn` of each angle, times the amplitude.
std::vector<std::vector<double>> turned(const std::vector<double>& omega, double amplitude,
                                        double (*turn)(double)) {
  std::vector<std::vector<double>> rows;
  for (const std::size_t t : positions)
    for (std::vector<double>& row = rows.emplace_back(); const double w : omega)
      row.push_back(amplitude * turn(w * double(t)));
  return rows;
}

/// Frequencies, cosines and sines of one kind of layer; of layers that do not rotate their kind and numbers alone.
Json of_layer(const LayerKind& layer, double length) {
  Json json{{"kind", layer.kind.empty() ? "all" : layer.kind}, {"which", layer.which}};
  if (!layer.rope) return json.update({{"type", "none"}}), json;
  const RopeSettings& s = *layer.rope;
  const double amplitude = rope_amplitude(s, length);
  const auto omega = inverse_frequencies(s, length);
  json.update({{"type", to_text(s.scaling)},
               {"head_dim", s.head},
               {"rotary_dim", s.rotated},
               {"base", s.base},
               {"library", omega},
               {"attention_factor", amplitude},
               {"cos", turned(omega, amplitude, std::cos)},
               {"sin", turned(omega, amplitude, std::sin)}});
  return json;
}

}  // namespace

std::map<std::string, std::string> rope_references() {
  std::map<std::string, std::string> files;
  std::string table = "model,pair,paper,library\n";
  for (const auto& [name, values] : reference_configs()) {
    const RopeConfig config = rope_config_of(values);
    const RopeSettings& s = config.settings;
    RopeSettings paper = s;
    paper.ramp = Ramp::turns;
    const double length = std::max(config.claimed, s.trained), amplitude = rope_amplitude(s, length);
    const auto omega = inverse_frequencies(s, length), of_paper = inverse_frequencies(paper, length);
    double apart = 0;
    for (std::size_t i = 0; i < omega.size(); ++i) {
      apart = std::max(apart, std::abs(of_paper[i] / omega[i] - 1));
      table += fmt::format("{},{},{},{}\n", name, i, shortest(of_paper[i]), shortest(omega[i]));
    }
    Json file{{"model", values.text("name").value()},
              {"type", to_text(s.scaling)},
              {"head_dim", s.head},
              {"rotary_dim", s.rotated},
              {"base", s.base},
              {"sequence", length},
              {"paper", of_paper},
              {"library", omega},
              {"largest_relative_difference", apart},
              {"attention_factor", amplitude},
              {"positions", positions},
              {"cos", turned(omega, amplitude, std::cos)},
              {"sin", turned(omega, amplitude, std::sin)}};
    if (config.layers.size() > 1)
      for (const LayerKind& layer : config.layers) file["layers"].push_back(of_layer(layer, length));
    if (!config.axes.empty()) file["axes"] = config.axes;
    files[name + ".json"] = file.dump() + "\n";
  }
  files["rope.csv"] = table;
  return files;
}

}  // namespace perp::distance
