#pragma once
// Measuring several studies as one command line asks for it: the options of a word that does so, the studies in this process
// or in several ranks, on this BLAS or another.

#include <filesystem>
#include <functional>
#include <optional>
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

/// The studies as lead and follow take them, each with the options that it has.
std::vector<StudyRun> runs_of(const Options& options, const Measuring& measuring, std::size_t ranks);

/// The word's options as a command line gives them, but for those named in `without`.
std::vector<std::string> arguments_of(const Options& options, const std::vector<std::string>& without);

/// What --blas and --ranks ask for: replaces this process by one on that BLAS, or runs the word as so many ranks, which share
/// its threads, and returns their exit code; nothing if this process is to go on.
std::optional<int> hand_over(const Options& options, const Ranks& ranks, int argc, char** argv);

/// A word that measures, in each of its ranks: rank 0 reads the command line and goes on with `body`, the others run what it
/// hands out of the studies that `measuring` finds in the same command line. Returns the exit code.
int run_by_ranks(const std::function<Parsed()>& parse,
                 const std::function<Measuring(const Options&)>& measuring,
                 const std::function<int(const Options&, Ranks&)>& body);

/// The folder that --blas names: Debian's name of a BLAS, or name=folder. Throws Error{Exit::unusable} if no BLAS lies there.
std::string blas_folder(const std::string& name);

}  // namespace perp
