// Reference vectors of public configurations, for whoever writes or tests an implementation.

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "perp/io/text.hpp"
#include "studies/distance/rope.hpp"

namespace perp::distance {
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
