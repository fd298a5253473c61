#pragma once
// Measuring several studies as one command line asks for it: the options of a word that does so, on this BLAS or another.

#include <filesystem>
#include <string>
#include <vector>

#include "perp/study/choice.hpp"

namespace perp {

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
/// Error{Exit::unusable} as choose, expect_used and the studies' checks do.
Measuring measuring_of(const std::vector<Study>& studies, const Options& options);

/// The studies as run_all takes them, each with the options that it has.
std::vector<StudyRun> runs_of(const Options& options, const Measuring& measuring);

/// What --blas asks for: replaces this process by the same on that BLAS.
void load_blas(const Options& options, int argc, char** argv);

/// The folder that --blas names: Debian's name of a BLAS, or name=folder. Throws Error{Exit::unusable} if no BLAS lies there.
std::string blas_folder(const std::string& name);

}  // namespace perp
