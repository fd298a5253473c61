#pragma once
// From a command line to what is measured, of several studies.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "perp/study/experiment.hpp"

namespace perp {

// Of several studies those that a command line asks for, each with the options that it has.

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

/// Of the options given those that the study has.
Given options_for(const Study& study, const Given& given);

/// "O1, O4 O5" -> O1 O4 O5
std::vector<std::string> names_in(std::string_view text);
/// What was typed for an option that takes names, each once; none where the option was not. Throws Error{Exit::unusable}
/// for a text that holds none.
std::vector<std::string> names_typed(const Options& options, const std::string& option);

// Measuring several studies as one command line asks for it: the options of a word that does so, on this BLAS or another.

/// The options of measuring, and those that the studies have.
std::vector<ExtraOption> measuring_options(const std::vector<Study>& studies);

/// The studies that are asked for, and where they write.
struct Measuring {
  std::vector<Chosen> chosen;       ///< of the studies that there are, which outlive this
  Given given;                      ///< the studies' own options
  std::filesystem::path out;        ///< receives a folder for each study
  std::filesystem::path kept;       ///< finished cells and learned words
  std::filesystem::path published;  ///< an earlier report: it says how long a study may take
};

/// What the options, as a word has read them, ask of the studies; where they write is left open. Throws
/// Error{Exit::unusable} as choose and the studies' checks do, and for an option that none of the chosen has.
Measuring measuring_of(const std::vector<Study>& studies, const Options& options);

/// The studies as run_all takes them, each with the options that it has.
std::vector<StudyRun> runs_of(const Options& options, const Measuring& measuring);

/// What --blas asks for: replaces this process by the same on that BLAS.
void load_blas(const Options& options, int argc, char** argv);

/// The folder that --blas names: Debian's name of a BLAS, or name=folder. Throws Error{Exit::unusable} if no BLAS lies there.
std::string blas_folder(const std::string& name);

}  // namespace perp
