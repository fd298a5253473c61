// A9: a trained model keeps word and position apart. Their angles, what attention makes of them, and who can
// still read them, after training beside before.

#include "studies/learning/a9_terms.hpp"
#include "studies/learning/claims.hpp"
#include "studies/learning/columns.hpp"
#include "studies/learning/seeds.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

using namespace columns;
const auto as_in_terms = exact("task", "as in a9_terms.csv", &Run::task);

/// Share read from which on a probe reads.
constexpr double read_share = 0.9;

// ---- angles of words and positions

/// Where positions are added; beside the same seed's angles before training.
struct Angles : Geometry {
  double square_before, centred_before;

  double z() const { return (square - 1) / square_sd; }
  double centred_z() const { return (square_centred - 1) / square_centred_sd; }
  double energy() const { return inside * width / rank; }
  double turned() const { return square - square_before; }
  double turned_centred() const { return square_centred - centred_before; }
};

std::vector<Angles> angles_of(const std::vector<Geometry>& rows) {
  std::vector<Angles> angles;
  Geometry before;
  for (const Geometry& row : rows) {
    if (!row.arm.starts_with("add_")) continue;
    if (row.step == 0) before = row;  // each seed's first
    angles.push_back({row, before.square, before.square_centred});
  }
  return angles;
}

void add_angles(const std::vector<Angles>& angles, Summary& summary) {
  const auto moment = [](const Angles& at) {
    return at.step == 0 ? "before" : at.step == at.steps ? "after" : "during";
  };
  const auto turned_sd = [](const char* name, double Geometry::*sd) {
    return sampled(name,
                   "its standard deviation if one table were turned at random, of one seed, mean over seeds",
                   [sd](const Group<Angles>& seeds) { return over_seeds(seeds, sd).value; });
  };
  const auto column = seed_columns<Angles>;
  const auto square =
      column("square", "1", "mean square cosine of words and positions, times d; chance 1", &Angles::square);
  const auto centred =
      column("centred", "1", "mean square cosine of words and positions less their mean, times d; chance 1",
             &Angles::square_centred);
  const auto cosine = column("cosine", "1", "mean cosine of words and positions; chance 0", &Angles::cosine);
  const auto inside = column(
      "inside", "1",
      "energy of words per direction that positions fill, over energy per direction of the space; chance 1",
      &Angles::energy);
  summary.table(
      "a9_angles.csv", group_by(angles, setting, &Angles::step),
      {as_in_terms, exact("arm", "positions added: fixed or learned", &Run::arm), width, step,
       exact("moment", "before, during or after training", moment), square,
       turned_sd("square_sd", &Geometry::square_sd),
       column("z", "standard deviations", "square less 1 over square_sd, seed by seed", &Angles::z), centred,
       turned_sd("centred_sd", &Geometry::square_centred_sd),
       column("centred_z", "standard deviations", "centred less 1 over centred_sd, seed by seed",
              &Angles::centred_z),
       cosine, turned_sd("cosine_sd", &Geometry::cosine_sd), inside, rows_in<Angles>("seeds", "runs")});
  const auto number = [](const char* name, double chance, const std::function<double(const Angles&)>& get,
                         const char* meaning) {
    return seed_mean<Angles>(name, meaning, get).chance(chance);
  };
  const std::vector<Angles> after = where(angles, [](const Angles& at) { return at.step == at.steps; });
  for (const Group<Angles>& seeds : group_by(after, setting))
    add_at(
        place(seeds.front()), seeds, "A9",
        {number("square_before", 1, &Angles::square_before,
                "Mean square cosine of words and positions, times d, before training, mean over "
                "seeds; chance: no relation, as is so by construction."),
         square.chance(1).as("square",
                             "Mean square cosine of words and positions, times d, after training, mean over "
                             "seeds; chance: no relation."),
         number("turned", 0, &Angles::turned,
                "Mean square cosine of words and positions, times d, after training less before, "
                "mean over seeds; below chance: they turned away from each other."),
         number("centred_before", 1, &Angles::centred_before,
                "Mean square cosine of words and positions less their mean, times d, before "
                "training, mean over seeds; chance: no relation, as is so by construction."),
         centred.chance(1).as("centred", "The same after training; chance: no relation."),
         number("turned_centred", 0, &Angles::turned_centred,
                "The same after training less before; below chance: words turned away from what "
                "tells one position from another."),
         cosine.chance(0).as("cosine",
                             "Mean cosine of words and positions after training, mean over seeds; chance: no "
                             "relation."),
         inside.chance(1).as(
             "inside",
             "Energy of words per direction that positions fill over energy per direction of the "
             "space, after training, mean over seeds; chance: no relation.")},
        summary);
}

// ---- what a linear reader finds

using Probes = Group<Probe>;

void add_probes(const std::vector<Probes>& probes, Summary& summary) {
  const auto beside = [](double Probe::*chance) {
    return [chance](const Probes& seeds) { return over_seeds(seeds, chance).value; };
  };
  const char *word_meaning = "tokens whose word is read right",
             *position_meaning = "tokens whose position is read right";
  const auto column = seed_columns<Probe>;
  const auto word = column("word", "share", word_meaning, &Probe::word).theory(beside(&Probe::word_chance)),
             position = column("position", "share", position_meaning, &Probe::position)
                            .theory(beside(&Probe::position_chance));
  summary.table(
      "a9_probes.csv", probes,
      {as_in_terms, arm, p, width,
       exact("read_from", "input: what enters the first block; output: what leaves the last", &Probe::where),
       word,
       column("word_chance", "share", "the same by who knows the token's position alone",
              &Probe::word_chance),
       position,
       column("position_chance", "share", "the same by who knows the token's word alone",
              &Probe::position_chance),
       rows_in<Probe>("seeds", "runs; 4,096 tokens to learn from and to test on each")});
  std::vector<Probe> rows;
  for (const Probes& seeds : probes) {
    rows.insert(rows.end(), seeds.begin(), seeds.end());
    Coordinates at = place(seeds.front());
    at.emplace_back("where", seeds.front().where);
    add_at(at, seeds, "A9",
           {word.unit("1").as("word",
                              "Share of tokens whose word is read linearly after training, mean over seeds; "
                              "chance: by who knows the position alone."),
            position.unit("1").as("position",
                                  "Share of tokens whose position is read linearly after training, mean over "
                                  "seeds; chance: by who knows the word alone.")},
           summary);
  }
  summary.table("a9_seeds.csv", rows,
                {as_in_terms, exact("arm", "as in a9_probes.csv", &Run::arm), p, width,
                 exact("read_from", "as in a9_probes.csv", &Probe::where), seed,
                 sampled("word", word_meaning, &Probe::word).unit("share"),
                 sampled("position", position_meaning, &Probe::position).unit("share")});
}

// ---- over all tasks, and the rule

struct Positions {
  const char *arm, *name;
};
constexpr std::array<Positions, 2> judged{{{"add_fixed", "sinusoidal"}, {"add_learned", "learned"}}};

/// "word.all.add_fixed.width32.input"
std::string probe_id(std::string_view what, std::string_view arm) {
  return fmt::format("{}.all.{}.width{}.input", what, arm, judged_width);
}
std::string overlap_id(std::string_view task, std::string_view arm) {
  return fmt::format("overlap_ratio.{}.{}.width{}", task, arm, judged_width);
}

/// What a linear reader finds at the input.
void add_pooled(const std::vector<Probes>& inputs, std::string_view arm, Summary& summary) {
  const Run all = all_tasks(arm);
  Coordinates at = place(all);
  at.emplace_back("where", "input");
  for (const auto& [what, share] : {std::pair{"word", &Probe::word}, {"position", &Probe::position}})
    if (const std::optional<Estimate> pooled = over_tasks(inputs, tasks, all, share))
      summary.number(what, at, *pooled,
                     {.n = pooled->spread->replicates * tasks.size(),
                      .kind = Kind::sampled,
                      .meaning = fmt::format("Share of tokens whose {} is read linearly from the sum "
                                             "after training, mean over tasks and seeds.",
                                             what)});
}

/// The overlap is O4's, with the arm's own positions before the first step, so that a table that turns with
/// the words does not hide what they do.
Condition apart(Role role, std::string_view task, const Positions& positions) {
  Levels levels{{"measure", "overlap"}, {"positions", positions.name}};
  if (task != "all") levels.emplace_back("task", task);
  return condition(
      role, overlap_id(task, positions.arm), Is::below, 1.0, Evidence::trained, levels,
      fmt::format("overlap of words with {} positions, after training over before, relative to no positions, "
                  "{}, d = {}",
                  positions.name, task == "all" ? "mean over tasks" : fmt::format("task {}", task),
                  judged_width),
      "not programmed yet: the overlap with the positions of step 0, with and without positions");
}

Rule rule() {
  Rule rule;
  for (const Positions& positions : judged)
    for (const char* what : {"word", "position"})
      rule.push_back(condition(
          Role::core, probe_id(what, positions.arm), Is::above, read_share, Evidence::trained,
          {{"measure", fmt::format("{} probe", what)}, {"positions", positions.name}},
          fmt::format("share of tokens whose {} a linear probe finds in the sum, {} positions, mean over "
                      "tasks, d = {}",
                      what, positions.name, judged_width),
          "eight seeds of every task: preset full"));
  for (const Positions& positions : judged) rule.push_back(apart(Role::core, "all", positions));
  for (const Positions& positions : judged)
    for (const std::string_view task : tasks) rule.push_back(apart(Role::limit, task, positions));
  return rule;
}

std::string condition_of(const std::vector<Finding>& findings) {
  const auto share = [&](const char* what, const char* arm) {
    const Finding* found = find(findings, "A9." + probe_id(what, arm));
    return found ? fmt::format("{:.1f} %", 100 * found->value) : std::string("an unmeasured share");
  };
  const Finding* overlap = find(findings, "A9." + overlap_id("all", "add_fixed"));
  return fmt::format(
      "linear probes of the sum find {} of the words and {} of the positions with the sinusoid, {} and {} "
      "with learned positions; {}",
      share("word", "add_fixed"), share("position", "add_fixed"), share("word", "add_learned"),
      share("position", "add_learned"),
      overlap ? fmt::format(
                    "words' overlap with the sinusoid goes to {:.2f} times what it does without positions",
                    overlap->value)
              : "whether words turn away from positions was not measured");
}

void conclude(const Cells& cells, Summary& summary) {
  const std::vector<Angles> angles = angles_of(in_order<Geometry>(cells));
  const auto probes = group_by(in_order<Probe>(cells), setting, &Probe::where);
  add_angles(angles, summary);
  add_score_terms(cells, summary);
  add_probes(probes, summary);
  const auto inputs = where(probes, [](const Probes& seeds) { return seeds.front().where == "input"; });
  for (const Positions& positions : judged) add_pooled(inputs, positions.arm, summary);
  summary.rule = rule();
  summary.condition = condition_of(summary.findings);
  summary.matters = fmt::format(
      "d = {} leaves less room than any model in use, and a probe that finds both there needs no turning "
      "away",
      judged_width);
}

}  // namespace

Experiment kept_apart(const Options& options, const SharedText& text) {
  Experiment claim = claim_on_runs("A9", "A trained model keeps word and position apart.", "[b, a]",
                                   {main_runs(options), text_runs(options, text)}, text);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::learning
