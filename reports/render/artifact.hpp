#pragma once
// How to get these numbers again: the commands that were given, and what was read.

#include <string>
#include <string_view>

#include "reports/render/facts.hpp"
#include "reports/render/links.hpp"

namespace perp::report {

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
