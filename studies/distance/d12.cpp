// D12: does scaling RoPE grow the context as advertised? Public configurations by D10's criterion.

#include <algorithm>
#include <cmath>

#include "perp/study/claim.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/rope.hpp"

namespace perp::distance {
namespace {

struct Asked {
  std::string model;
};
PERP_ROW(Asked, model)
struct Reach : Asked {
  std::string name, type;
  std::size_t head, rotated;
  double base, factor, trained, claimed, amplitude;
  std::size_t good_to, nearly_to, unscaled_to;
  double paper_to;  ///< YaRN with the ramp of the paper; NaN for others
};
PERP_ROW_OF(Reach, Asked, name, type, head, rotated, base, factor, trained, claimed, amplitude, good_to,
            nearly_to, unscaled_to, paper_to)

void measure(const Asked& at, const Streams&, Rows& rows) {
  const ConfigValues& values = public_configs().at(at.model);
  const RopeConfig config = rope_config_of(values);
  const RopeSettings& s = config.settings;
  const double positions = std::max(config.claimed, s.trained);
  const auto reach = [](const RopeSettings& of, double length) {
    return good_to(inverse_frequencies(of, length));
  };
  const GoodTo here = reach(s, positions);
  RopeSettings paper = s;
  paper.ramp = Ramp::turns;
  rows.add(Reach{at, values.text("name").value(), std::string(to_text(s.scaling)), s.head, s.rotated, s.base,
                 s.factor, s.trained, config.claimed, rope_amplitude(s, positions), here.strictly,
                 here.nearly, reach(unscaled(s), 0).strictly,
                 s.scaling == RopeScaling::yarn ? double(reach(paper, 0).strictly) : NAN});
}

bool is_scaled(const Reach& at) { return at.factor > 1; }

/// What a whole lag at each end may change.
constexpr double as_advertised = 0.99;

Rule rule(const std::vector<Reach>& all) {
  Rule rule;
  const auto add = [&](Role role, const char* measure, const Reach& at, const Levels& levels,
                       const char* what) {
    rule.push_back(condition(role, finding_id("D12", measure, {{"model", at.model}}).substr(4), Is::above,
                             as_advertised, Evidence::closed_form, levels,
                             fmt::format("{}, {}", what, at.name)));
  };
  for (const Reach& at : all)
    if (is_scaled(at))
      add(Role::core, "kept_factor", at, {{"type", at.type}},
          "good-to context with scaling over without, over the factor");
  for (const Reach& at : all)
    add(Role::limit, "kept_context", at, {{"compared with", "the claimed context"}},
        "good-to context over the claimed one");
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const auto all = rows_of<Reach>(cells);
  const auto model = exact("model", "whose configuration, by value", &Asked::model);
  const auto to =
      counted("good_to", "last lag before Σ cos mω first falls below 0", &Reach::good_to).unit("positions");
  const auto kept_factor = rounded(
      "kept_factor", "good_to over that of the unscaled frequencies, over the factor", [](const Reach& at) {
        return is_scaled(at) ? double(at.good_to) / double(at.unscaled_to) / at.factor : NAN;
      });
  const auto kept_context = rounded("kept_context", "good_to over the context that the configuration claims",
                                    [](const Reach& at) { return double(at.good_to) / at.claimed; });
  summary.table(
      "d12_contexts.csv", all,
      {model, exact("name", "of the model", &Reach::name), exact("type", "of scaling", &Reach::type),
       exact("head", "d, dimensions of a head", &Reach::head), exact("rotated", "of these", &Reach::rotated),
       exact("base", "T", &Reach::base), exact("factor", "s", &Reach::factor),
       exact("trained", "positions before the scaling; empty: not said",
             [](const Reach& at) { return at.trained > 0 ? at.trained : NAN; })
           .unit("positions"),
       exact("claimed", "positions that the configuration promises", &Reach::claimed).unit("positions"),
       rounded("amplitude", "factor of cosines and sines", &Reach::amplitude), to,
       counted("nearly_to", "the same where the sum may fall to -1 %", &Reach::nearly_to).unit("positions"),
       counted("unscaled_to", "good_to without the scaling", &Reach::unscaled_to).unit("positions"),
       counted("paper_to", "good_to with the ramp of YaRN's paper; empty for others", &Reach::paper_to)
           .unit("positions"),
       kept_factor, kept_context});
  summary.each(where(all, is_scaled), {model}, {kept_factor.n(&Reach::good_to)});
  summary.each(all, {model}, {kept_context.n(&Reach::good_to)});
  summary.rule = rule(all);
}

}  // namespace

Experiment scaled_contexts(const Options&) {
  Experiment claim{"D12", "Scaling RoPE grows the context as advertised.", "(published)"};
  std::vector<Asked> asked;
  for (const auto& [name, config] : public_configs()) asked.push_back({name});
  claim.measure(asked, 0.05, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
