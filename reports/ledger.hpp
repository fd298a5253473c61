#pragma once
// The ledger: every claim with its verdict and what was found, for people and as CSV.

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reports/facts.hpp"
#include "reports/links.hpp"

namespace perp::report {

/// What the report says of a claim in the table of claims: a sentence with its number, and whether it matters
/// at sizes that people use.
using LedgerTexts = std::map<std::string, std::pair<std::string, std::string>>;

/// "O1 | sentence | matters" taken apart at its bars, those in code and escaped ones left alone.
std::vector<std::string> ledger_parts(const std::string& line);

/// What {{ledger}} prints, the table of claims: each claim, which leads to its section, with `sources` behind
/// it, its verdict, what was found, the level of the intervals, the kind of evidence, whether it matters.
/// Without a text of the report's own, what the study says.
std::string ledger_markdown(const Facts& facts, const Links& links, const LedgerTexts& texts,
                            const std::function<std::string(const Claim&)>& sources);

/// ledger.csv: study, claim, verdict, condition, conditions, held, finding, value, low, high, level,
/// relation, bound, theory, n, statement, source, evidence, outcome. The finding is that of the first core
/// condition that was measured, with the interval that judges it.
std::string ledger_csv(const Facts& facts);

/// conditions.csv: every condition of every claim: claim, role, factor, finding, says, value, low, high,
/// level, freedom, relation, bound, margin, outcome, evidence, needs.
std::string conditions_csv(const Facts& facts);

}  // namespace perp::report
