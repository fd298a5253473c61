#pragma once
// Of several studies those that a command line asks for, each with the options that it has.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "perp/study/experiment.hpp"

namespace perp {

/// Whether a report gives the study an option of that name. Rows are of positions in a report: a study without positions,
/// which knows them as those of its words, does not get them.
bool has_option(const Study& study, std::string_view name);

/// The options of all studies that a report may be given, each once.
std::vector<ExtraOption> options_of(const std::vector<Study>& studies);

/// A study and, of its claims, those that are asked for; none stands for all.
struct Chosen {
  const Study* study;
  std::vector<std::string> claims;
};

/// What is asked for by names of studies (none: every one, but that of models only when one is given) and of claims.
/// Throws Error{Exit::unusable} for a study or claim that there is not, for a claim of a study that is not among those named,
/// and for one that is measured of a model when none is given.
std::vector<Chosen> choose(const std::vector<Study>& studies, const std::vector<std::string>& names,
                           const std::vector<std::string>& claims, bool has_model);

/// A name and what was typed for it.
using Given = std::map<std::string, std::string>;

/// Of the options given those that the study has. Throws Error{Exit::unusable} for one that none of the chosen has.
Given options_for(const Study& study, const Given& given);
void expect_used(const std::vector<Chosen>& chosen, const Given& given);

/// "O1, O4 O5" -> O1 O4 O5
std::vector<std::string> names_in(std::string_view text);

}  // namespace perp
