#pragma once
// What the runs left beside their results: run.json and timings.json, and what pages and the end of a run say of them.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "reports/render/facts.hpp"
#include "reports/render/links.hpp"

namespace perp::report {

/// The object in the file, an empty one where there is no file. Throws Error{Exit::unusable} when it is
/// larger than 1 MiB, nested deeper than 32 levels (the library bounds neither), not JSON or no object.
nlohmann::json read_record(const std::filesystem::path& path);

/// From each study's run.json and timings.json. What is the same for all studies is said once; absent files
/// and fields are left out. Throws Error for a file that is not JSON.
std::string machine_markdown(const Facts& facts);

/// A line per study with its time and the verdicts of its claims as in the report, then what was not
/// measured, or only in part, and why.
std::string summary(const Facts& facts);

/// What {{command O4}} prints: the command that measures one claim as its study did, with the inputs that it
/// was given, as its run.json keeps them, folders left out.
std::string command_for(const Facts& facts, std::string_view claim);

/// What {{commands}} prints: the commands that make the whole report, as code; one for studies that ran
/// alike. Several models are first written to the file that MODELS names.
std::string commands(const Facts& facts);

/// What {{inputs}} prints: every file that a study read, with its hash; a sentence if there was none.
std::string inputs_table(const Facts& facts);

/// What {{artifact}} prints: for each claim its command, the processor minutes that it took, and what must
/// agree when it is measured again, by the kinds of its findings.
std::string artifact_table(const Facts& facts, const Links& links);

}  // namespace perp::report
