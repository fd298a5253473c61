#pragma once
// What the studies write and no reader is shown: findings, columns and tables that no template, figure or
// rule names.

#include <filesystem>
#include <string>
#include <vector>

#include "reports/facts.hpp"
#include "reports/figure.hpp"

namespace perp::report {

/// By id, "study/table.csv", and "study/table.csv: column". The list of findings in FINDINGS.md is no reader.
/// Read are, too: a finding of one model where another model's is; columns that say of what a row is (kind
/// exact); and whatever a table of replicates (named *_draws, *_pairs, *_codebooks) or of choices holds,
/// which is there for others to compute with.
std::vector<std::string> unread(const Facts& facts, const std::vector<Figure>& figures,
                                const std::filesystem::path& templates);

}  // namespace perp::report
