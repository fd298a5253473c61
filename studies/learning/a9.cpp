// A9: a trained model keeps word and position apart. How far training turns words and the positions added to them
// apart, beside a model that learns the same and has no positions beside its words; what attention makes of the
// two; and what a linear reader finds of them, after training beside before. In words: a9.toml.

#include <cmath>
#include <set>

#include "studies/learning/claims.hpp"
#include "studies/learning/seeds.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

// ---- the overlap of words and positions

std::string seed_of(const Row& run) { return fmt::format("{} {}", run.text("task"), run.text("seed")); }

/// Where positions are added: the overlap with those of step 0, so that a table that turns with the words does not hide
/// what they do, over what it was before training (own); the same of the seed's RoPE model, NaN unless that learned the
/// task (rope); the two together, what training did less what learning does where there is nothing to turn from; and the
/// same of the seed's model without positions (alone).
Frame turned_of(const Frame& geometry, const Frame& ends) {
  const Looks looks(geometry);
  std::set<std::string> learned;
  for (const Row& end : ends)
    if (end.text("arm") == "rotary" && has_learned(end)) learned.insert(seed_of(end));
  Frame turned = geometry.where("arm", "add");
  for (Row& row : turned) {
    const char* field = row.text("positions") == "learned" ? "overlap_learned" : "overlap_centred";
    const auto over_before = [&](const char* arm) {
      return looks.at(row, arm, row.whole("step"), field) / looks.at(row, arm, 0, field);
    };
    const double own = over_before("add"),
                 rope = learned.contains(seed_of(row)) ? over_before("rotary") : NAN;
    row.fields.emplace_back("own", own);
    row.fields.emplace_back("rope", rope);
    row.fields.emplace_back("turned", own / rope);
    row.fields.emplace_back("alone", over_before("none"));
  }
  return turned;
}

void add_overlaps(const Frame& turned, Out& out) {
  for (const Frame& seeds : turned.by(std::string(setting) + " step"))
    out("overlap", seeds,
        {{"own", over_seeds(seeds, "own")},
         {"rope", over_seeds(seeds, "rope")},
         {"seeds", seeds.size()},
         {"pairs", measured_of(seeds, "rope").size()}});
  const Frame before = turned.where([](const Row&at) { return at.whole("step") == 0; }),
              after = turned.where([](const Row&at) { return at.whole("step") == at.whole("steps"); });
  for (const Frame& seeds : after.by(setting))
    if (const std::size_t pairs = measured_of(seeds, "turned").size(); 2 * pairs > seeds.size())
      out("overlap_ratio", seeds, {{"mean", over_seeds(seeds, "turned")}, {"seeds", pairs}});
  for (const char* positions : judged_positions) {
    add_over_strata("overlap_ratio", positions, 1, task_strata(after, positions, 1, "turned"), out);
    add_over_tasks("overlap_after", after, positions, 1, "overlap", out);
    add_over_tasks("overlap_alone", after, positions, 1, "alone", out);
  }
  add_over_tasks("leading_before", before, "learned", 1, "leading", out);
  add_over_tasks("leading_after", after, "learned", 1, "leading", out);
}

// ---- what attention makes of words and positions

/// One seed's at one moment: shares of the sum of the four terms over all heads.
Frame terms_of(const Frame& scores) {
  Frame terms("terms");
  for (const Frame& heads : scores.by(std::string(setting) + " seed moment")) {
    const double ww = heads.sum("word_word"), wp = heads.sum("word_position"),
                 pw = heads.sum("position_word"), pp = heads.sum("position_position"),
                 all = ww + wp + pw + pp;
    terms.push_back({"terms",
                     heads.key,
                     {{"word_word", ww / all},
                      {"word_position", wp / all},
                      {"position_word", pw / all},
                      {"position_position", pp / all},
                      {"mixed", wp / all + pw / all}}});
  }
  return terms;
}

void add_terms(const Frame& terms, Out& out) {
  for (const Frame& seeds : terms.by(std::string(setting) + " moment"))
    out("terms", seeds,
        {{"p", seeds.front().whole("position_width")},
         {"word_word", over_seeds(seeds, "word_word")},
         {"word_position", over_seeds(seeds, "word_position")},
         {"position_word", over_seeds(seeds, "position_word")},
         {"seeds", seeds.size()}});
  for (const Frame& moments : terms.where("positions", "centred").by(setting)) {
    const Frame before = moments.where("moment", "before"), after = moments.where("moment", "after");
    for (const char* what : {"mixed", "position_position"})
      out(what, moments,
          {{"p", after.front().whole("position_width")},
           {"share", over_seeds(after, what)},
           {"before", over_seeds(before, what).value},
           {"seeds", after.size()}});
  }
}

// ---- what a linear reader finds

void add_probes(const Frame& probes, Out& out) {
  Frame reads("reads");
  for (const Frame& moments : probes.by(std::string(setting) + " seed")) {
    const Row& before = moments.at(0);
    Row& after = reads.emplace_back(moments.at(1));
    for (const char* what : {"word", "position"})
      after.fields.emplace_back(fmt::format("{}_gain", what), after.number(what) - before.number(what));
  }
  for (const char* positions : judged_positions) {
    for (const char* what : {"word", "position"})
      add_over_strata(what, positions, 1, task_strata(reads, positions, 1, what), out);
    for (const char* gain : {"word_gain", "position_gain"})
      add_over_tasks(gain, reads, positions, 1, gain, out);
  }
}

void fold(const Frames& measured, Out& out) {
  add_overlaps(turned_of(in_order(measured, "Geometry"), measured["Trained"]), out);
  add_terms(terms_of(in_order(measured, "HeadScores")), out);
  add_probes(in_order(measured, "Probe"), out);
}

}  // namespace

Experiment kept_apart(const Options& options) {
  Experiment claim = claim_on_runs("A9", toml_of("a9"), {looked_at_runs(options), control_runs(options)}, {});
  claim.fold(fold);
  return claim;
}

}  // namespace perp::learning
