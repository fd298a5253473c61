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
/// Read are, too: a finding of one model where another model's is; one that a sentence of its study names,
/// where the sources lie beside the templates; columns that say of what a row is (kind exact), and a matrix
/// that a figure draws; and whatever a table of replicates or choices holds, which is there for others to
/// compute with.
std::vector<std::string> unread(const Facts& facts, const std::vector<Figure>& figures,
                                const std::filesystem::path& templates);

}  // namespace perp::report
