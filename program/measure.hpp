#pragma once
// Measuring as `perp report` and `perp verify` share it: the options that both have, the studies in this process or in
// several ranks, on this BLAS or another.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "perp/study/choice.hpp"

namespace perp::program {

/// The options of measuring, and those that the studies have.
std::vector<ExtraOption> measuring_options();

/// The studies that are asked for, and where they write.
struct Measuring {
  std::vector<Chosen> chosen;  ///< of all_studies()
  Given given;                 ///< the studies' own options
  std::filesystem::path out;   ///< receives a folder for each study
  std::filesystem::path kept;  ///< finished cells and learned words
};

/// What the options, as a word has read them, ask of the studies. Throws Error{Exit::unusable} as choose and expect_used do.
Measuring measuring_of(const Options& options, const std::filesystem::path& out,
                       const std::filesystem::path& kept);

/// The studies as lead and follow take them, each with the options that it has.
std::vector<StudyRun> runs_of(const Options& options, const Measuring& measuring, std::size_t ranks);

/// The word's options as a command line gives them, but for those named in `without`.
std::vector<std::string> arguments_of(const Options& options, const std::vector<std::string>& without);

/// What --blas and --ranks ask for: replaces this process by one on that BLAS, or runs the word as so many ranks, which share
/// its threads, and returns their exit code; nothing if this process is to go on.
std::optional<int> elsewhere(const Options& options, const Ranks& ranks, int argc, char** argv);

/// The folder that --blas names: Debian's name of a BLAS, or name=folder. Throws Error{Exit::unusable} if no BLAS lies there.
std::string blas_folder(const std::string& name);

}  // namespace perp::program
