#pragma once
// Claims side by side: what each was found to be, by which conditions, and what would overturn it.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/facts.hpp"

namespace perp::report {

/// "O4" -> "o4": the anchor in front of a claim's section.
std::string anchor(std::string_view claim);

/// The first core condition that was measured, the number to quote; nullptr if none was.
const Condition* leading_condition(const Claim& claim);

/// How many of the claim's conditions hold.
std::size_t conditions_held(const Claim& claim);

/// Whether the core rests on theorems or closed forms alone, so that no measurement can change it.
bool is_settled(const Claim& claim);

/// The kinds of evidence behind the core: "closed form, simulation".
std::string evidence_text(const Claim& claim);

/// How many claims have this verdict.
std::size_t count(const Facts& facts, Verdict verdict);

/// "**True**, with limits", "**Depends** on positions", "**Open**: 2 of 4 core conditions hold, 1 fails",
/// with "(on 3 of 4 conditions)" behind it where some are unmeasured.
std::string verdict_text(const Claim& claim);

/// What {{answer O1}} prints: verdict, what was found, whether it matters, where it ends.
std::string answer_text(const Facts& facts, const Claim& claim);

/// What {{long A10}} prints: what the preset long found, of its own chapter at `link`; nothing where that
/// measured nothing of the claim.
std::string long_text(const Facts& of_long, std::string_view claim, const std::string& link);

/// What {{rule O1}} prints: each condition with its number, bound, outcome and evidence.
std::string rule_table(const Facts& facts, const Claim& claim);

/// What {{claims false|depends}} prints: each of these claims with what was found, verdict by verdict in the
/// order given; "None." if there is none.
std::string claims_list(const Facts& facts, const std::vector<Verdict>& verdicts);

/// What {{falsify}} prints: for each claim the conditions that a measurement can turn, and what would.
std::string falsify_table(const Facts& facts);

}  // namespace perp::report
