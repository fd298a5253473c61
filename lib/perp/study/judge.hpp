#pragma once
// A claim's verdict follows from its findings by a rule that is data. The study computes it when it writes,
// the renderer again when it reads, and the renderer refuses a file in which the two disagree.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "perp/study/finding.hpp"

namespace perp {

enum class Verdict { is_true, is_false, depends, open, unmeasured };
std::string_view to_text(Verdict verdict);  ///< "true", "false", "depends", "open", "unmeasured"
Verdict verdict_from(std::string_view text);

/// What an interval says of a condition: all of it lies on the stated side, all of it on the other side, or
/// it straddles or touches the bound.
enum class Answer { holds, fails, open, unmeasured };
std::string_view to_text(Answer answer);
Answer answer_from(std::string_view text);

/// equal: within the margin around the bound.
enum class Is { below, above, equal };
std::string_view to_text(Is is);
Is is_from(std::string_view text);

/// core: what the claim says, at sizes that people use; limit: where it ends.
enum class Role { core, limit };
std::string_view to_text(Role role);
Role role_from(std::string_view text);

/// What stands behind a condition.
enum class Evidence {
  theorem,      ///< an identity or a count: measured only to show that the program is right
  closed_form,  ///< a formula's number
  simulation,   ///< draws
  trained,      ///< models trained here
  released      ///< tables of a released model
};
std::string_view to_text(
    Evidence evidence);  ///< "theorem", "closed form", …, "trained here", "released model"
Evidence evidence_from(std::string_view text);

/// A number, the id of another finding (its value), or "theory" (the same finding's theory line).
using Bound = std::variant<double, std::string>;

/// What a condition differs by from its neighbours, by name: {{"positions", "sinusoidal"}}.
using Levels = std::vector<std::pair<std::string, std::string>>;

/// One line of a rule; given by name, those with a usual value last:
///   {.finding = "O1.share_near.gaussian.d768", .is = Is::above, .bound = 0.99,
///    .evidence = Evidence::simulation, .says = "share of Gaussian pairs with |cos| below .1, d = 768"}
struct Condition {
  std::string finding;  ///< empty: stands for its levels until a measured condition has them
  Is is = Is::above;
  Bound bound = 0.0;
  double margin = 0;  ///< of `equal`
  Role role = Role::core;
  Evidence evidence = Evidence::theorem;
  Levels levels = {};
  std::string says = {};   ///< what the number is, without bound and outcome; empty: what the finding means
  std::string needs = {};  ///< what has to be given or measured first, where the finding is not there
};
using Rule = std::vector<Condition>;

/// The finding of a condition whose number another study has.
inline constexpr const char* elsewhere = "";

/// A condition without a margin:
///   condition(Role::core, "share_near.d768", Is::above, 0.99, Evidence::simulation, {{"d", "768"}}, "share
///   of …")
Condition condition(Role role, std::string_view finding, Is is, const Bound& bound, Evidence evidence,
                    const Levels& levels, std::string_view says = {}, std::string_view needs = {});

/// The level at which each condition is judged.
inline constexpr double judged_level = 0.999;
/// A sampled condition with fewer replicates is unmeasured.
inline constexpr std::uint64_t fewest_replicates = 8;

/// What one condition came to.
struct Reading {
  Answer answer = Answer::unmeasured;     ///< by the interval at judged_level
  Answer strict = Answer::unmeasured;     ///< by the interval at the rule's stricter level
  std::optional<Interval> interval = {};  ///< at judged_level; none for an exact number
};

struct Judgement {
  Verdict verdict = Verdict::unmeasured;
  bool limited = false;     ///< "with limits": a limit fails (true, depends) or holds (false)
  std::string factor = {};  ///< the levels of this one separate what holds from what fails; empty: none does
  std::size_t core = 0;     ///< core conditions, and how many of them are unmeasured
  std::size_t unmeasured = 0;
  double strict_level = judged_level;  ///< 1 - .001/m, m sampled core conditions
  std::vector<Reading> readings = {};  ///< one per condition, in the rule's order
};

/// The finding's interval at `level`, nothing for a number without one. Throws Error for a finding that has
/// an interval and does not say how it spreads.
std::optional<Interval> interval_at(const Finding& finding, double level);

/// What the condition comes to at `level`. Unmeasured if its finding or bound is absent or NaN, or has fewer
/// than `fewest_replicates`.
Answer answer(const std::vector<Finding>& findings, const Condition& condition, double level = judged_level);

/// The number that a condition compares with, if it is there.
std::optional<double> bound_of(const std::vector<Finding>& findings, const Condition& condition);

/// Of the core conditions that are measured: all hold: true; all fail: false; one holds and one fails, at the
/// stricter level, too: depends; anything else is open; none measured: unmeasured. Throws Error for an empty
/// rule and for one that asks for a finding that is not there, unless the condition says what it needs.
Judgement judge(const std::vector<Finding>& findings, const Rule& rule);

/// Several releases of one training are one witness: of conditions that differ by their model alone, and
/// whose models are of one lineage, the first stays. A condition's lineage is its level "lineage", else its
/// level "model"; conditions without a finding stay.
void keep_one_of_each_lineage(Rule& rule);

/// The kinds of evidence behind the core, each once, in the enumeration's order.
std::vector<Evidence> evidence_of(const Rule& rule);

/// "true", "true, with limits", …
std::string to_text(const Judgement& judgement);

}  // namespace perp

// Copied in every claim, compiled once.
extern template class std::vector<perp::Condition>;
