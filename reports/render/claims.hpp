#pragma once
// Claims as pages tell them: rules, answers, and the ledger, every claim with its verdict and what was found, for people and
// as CSV.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "reports/render/facts.hpp"
#include "reports/render/links.hpp"

namespace perp::report {

/// "O4" -> "o4": the anchor in front of a claim's section.
std::string anchor(std::string_view claim);

/// The place in the rule of the first core condition that was measured, the number to quote.
std::optional<std::size_t> leading_condition(const Claim& claim);

/// The kinds of evidence behind the core: "closed form, simulation".
std::string evidence_text(const Claim& claim);

/// How many claims have this verdict.
std::size_t count(const Facts& facts, Verdict verdict);

/// "**True**, with limits", "**Depends** on the positions", with "(3 of 4 conditions measured)" behind it where some
/// are not; in short "(3 of 4 measured)".
std::string verdict_text(const Claim& claim, bool in_short = false);

/// What a claim's section says of it in {{#answer O1}}: what was found, and whether it matters at sizes that
/// people use; either may be empty.
struct Said {
  std::string found, matters;
};

/// What was found; where the section does not say it, the number to quote, or what is missing. Markdown.
std::string found_text(const Facts& facts, const Claim& claim, const Said& said);

/// What {{#answer O1}} prints: verdict, what was found, and what that means in practice, as sentences.
std::string answer_text(const Facts& facts, const Claim& claim, const Said& said);

/// What {{rules}} prints: every claim, its verdict and a row for each line of its rule: what is measured, what is
/// required, and the numbers by how they came out. Conditions that ask the same of one quantity in other places
/// are one line.
std::string all_rules(const Facts& facts, const Links& links);

/// What {{ledger}} prints, the table of claims: each claim, which leads to its section, with `sources` behind
/// it, its verdict, what was found, the level of the intervals, the kind of evidence, whether it matters.
std::string ledger_markdown(const Facts& facts, const Links& links,
                            const std::function<Said(const Claim&)>& said,
                            const std::function<std::string(const Claim&)>& sources);

/// ledger.csv: study, claim, verdict, condition, conditions, held, finding, value, low, high, level,
/// relation, bound, theory, n, statement, source, evidence, outcome. The finding is that of the first core
/// condition that was measured, with the interval that judges it.
std::string ledger_csv(const Facts& facts, const std::function<Said(const Claim&)>& said);

/// conditions.csv: every condition of every claim: claim, role, factor, finding, says, value, low, high,
/// level, freedom, relation, bound, margin, outcome, evidence, needs.
std::string conditions_csv(const Facts& facts);

}  // namespace perp::report
