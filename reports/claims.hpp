#pragma once
// Claims side by side: which of them hold only under a condition, and what number would overturn each
// verdict.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/facts.hpp"

namespace perp::report {

/// A study's claims as people count: O2 before O10, D9 before Q1.
std::vector<const Claim*> in_order(const Results& study);

/// "O4" -> "o4": the anchor in front of a claim's section.
std::string anchor(std::string_view claim);

/// The number that a measured condition compares with.
double bound_of(const Results& study, const Condition& condition);

/// A finding's id in code, without the claim's own "O4." in front.
std::string name_within(const Claim& claim, std::string_view finding);

/// How many of the claim's conditions hold. Only for a claim that was measured.
std::size_t conditions_held(const Results& study, const Claim& claim);

/// How many claims have this verdict.
std::size_t count(const Facts& facts, Verdict verdict);

/// What {{claims refuted|conditional}} prints: each of these claims with its condition and the number that
/// decided it, verdict by verdict in the order given; "None." if there is none.
std::string claims_list(const Facts& facts, const std::vector<Verdict>& verdicts);

/// What {{falsify}} prints: for each claim the numbers that would change its verdict.
std::string falsify_list(const Facts& facts);

}  // namespace perp::report
