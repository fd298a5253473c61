// D12: does scaling RoPE grow the context as advertised? Public configurations by D10's criterion. In words: d12.toml.

#include <algorithm>
#include <cmath>

#include "perp/study/experiment.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/rope.hpp"

namespace perp::distance {
namespace {

GoodTo reach(const RopeSettings& settings, double length) {
  return good_to(inverse_frequencies(settings, length));
}

void measure(const ConfigValues& values, Out& out) {
  const RopeConfig config = rope_config_of(values);
  const RopeSettings& s = config.settings;
  const double positions = std::max(config.claimed, s.trained);
  const GoodTo here = reach(s, positions);
  const std::size_t unscaled_to = reach(unscaled(s), 0).strictly;
  RopeSettings paper = s;
  paper.ramp = Ramp::turns;
  const double good = double(here.strictly),
               kept_factor = s.factor > 1 ? good / double(unscaled_to) / s.factor : NAN;
  out("contexts", {{"name", values.text("name").value()},
                   {"type", std::string(to_text(s.scaling))},
                   {"head", s.head},
                   {"rotated", s.rotated},
                   {"base", s.base},
                   {"factor", s.factor},
                   {"trained", s.trained > 0 ? s.trained : NAN},
                   {"claimed", config.claimed},
                   {"amplitude", rope_amplitude(s, positions)},
                   {"good_to", here.strictly},
                   {"nearly_to", here.nearly},
                   {"unscaled_to", unscaled_to},
                   {"paper_to", s.scaling == RopeScaling::yarn ? double(reach(paper, 0).strictly) : NAN},
                   {"kept_factor", kept_factor},
                   {"kept_context", good / config.claimed}});
  if (s.factor > 1) out("scaled", {{"kept_factor", kept_factor}, {"good_to", here.strictly}});
}

/// Says whose configuration each condition asks about, and of the factor's how it scales.
void name_configurations(Outcome& outcome) {
  for (Condition& line : outcome.rule) {
    const ConfigValues& values = public_configs().at(line.finding.substr(line.finding.rfind('.') + 1));
    line.says += ", " + values.text("name").value();
    if (line.role == Role::core)
      line.levels = {{"type", std::string(to_text(rope_config_of(values).settings.scaling))}};
  }
}

}  // namespace

Experiment scaled_contexts(const Options&) {
  Experiment claim("D12", toml_of("d12"));
  for (const auto& [name, config] : public_configs())
    claim.cell({{"model", name}}, 0.05,
               [&values = config](const Streams&, Out& out) { measure(values, out); });
  claim.also(name_configurations);
  return claim;
}

}  // namespace perp::distance
