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
/// Not looked at are columns of kind exact, which mostly say of what a row is. Read are, too: a finding of one
/// model where another model's is; a table that a figure draws as a matrix; and whatever a table of replicates
/// or choices holds, which is there for others to compute with.
std::vector<std::string> unread(const Facts& facts, const std::vector<Figure>& figures,
                                const std::filesystem::path& templates);

}  // namespace perp::report
