#pragma once
// A10 on a text: the arms, and what they cost a byte side by side.

#include <string>
#include <string_view>
#include <vector>

#include "studies/learning/choices.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {

/// Seeds of what is judged, and of what limits it.
inline constexpr std::size_t judged_seeds = 12, limit_seeds = 8;
/// Bits that a model has to be better than byte frequencies, and that no positions have to lose.
inline constexpr double least_learned = 1, least_lost_without = 0.1;

/// An arm under the name that tables, pairs and figures know it by.
struct TextArm {
  std::string name;
  Run run;
  std::size_t seeds = 4;
};
/// Preset long: d = 64, two blocks, 14 million tokens, each arm as chosen (`from`), seeds as above of what is
/// judged and of its limits, four beside; one thing changed at a time. Preset full: three arms of half the
/// width and a quarter of the tokens, one seed. None in preset quick, and none before a choice was made. `words`:
/// of the text. Throws Error{unusable} where something is not among the choices.
std::vector<TextArm> text_arms(Preset preset, std::size_t words, const std::vector<TextChoice>& from);
/// Their runs, or those of the arms that --arms names: what it leaves out is not measured, and no pair asks for it.
/// None without a text. Throws Error{unusable} for a name of none, and for any name without a text.
Runs text_runs(const Options& options, const SharedText& text, const std::vector<TextChoice>& from);

/// Rows of arms and seeds. Of preset long pairs of arms, too: of those whose runs are all a bit or more better than byte
/// frequencies, where no positions lose a tenth of a bit or more to the best arm.
void add_text(const Frames& measured, const Text& text, Preset preset, const std::vector<TextChoice>& from,
              Out& out);

/// A10 with these runs instead, which all are made, and of its tables one alone, `<table>.csv`: a file that the build
/// takes in.
Experiment file_of_runs(const Runs& runs, const SharedText& text, const std::string& table,
                        std::function<void(const Frames&, Out&)> follows);
void add_text_choices(const std::vector<TextChoice>& choices, Out& out);

// ---- A10's pairs on a text: trials of widths, sizes and rates at first, then pairs of runs that share a seed. What is
// made next follows from text_runs.csv, which has a row for each run made: whoever has the file goes on from it.

/// Seeds of the trials are the first four; those of pairs begin here.
inline constexpr std::size_t trial_seeds = 4, first_pair_seed = 100;
/// Pairs of the centred sinusoid, of the sinusoid as it is, of each limit, and of the pilot of learned positions
/// that start at the sinusoid; as many as of the sinusoid as it is follow if the pilot's standard deviation is below.
inline constexpr std::size_t centred_pairs = 60, as_is_pairs = 30, limit_pairs = 12, pilot_pairs = 4;
inline constexpr double largest_pilot_deviation = 0.02;

/// A run and what it came to: bits a byte after a quarter, half and all of its steps, and, where words and
/// positions share coordinates, what "JoinedTables" says of them at the end.
struct PairRun : Run {
  double quarter = NAN, half = NAN, end = NAN;
  double overlap = NAN, concentration = NAN, words_left = NAN;
  std::size_t inner_parameters = 0, embedding_parameters = 0;  ///< both 0 of one that diverged
  std::string program = {};  ///< hash of the study's libraries, and the BLAS kernels, that made it
};

/// "centred", "as_is", "started", or a limit or scale: "none", "d32", "framed", "causal", "rotary", "longer".
struct PairArm {
  std::string pair;
  Run run;  ///< as chosen, of the first seed
  std::size_t seeds;
};
struct PairPlan {
  Runs runs;                  ///< all that follow from those made, what matters most first
  std::vector<PairArm> arms;  ///< those that are chosen
};
/// In turn, each once the one before is made:
///   every width and size of positions at one rate and a quarter of the steps with one seed, the three best of an
///   arm with four; the sinusoid centred and as it is, added and concatenated;
///   three rates at all steps with four seeds; learned positions start as the centred sinusoid was chosen;
///   pairs in rounds of seeds, first of the pilot, and no positions with as many seeds as a limit has;
///   the same for the limits.
/// Where the best size or rate of an arm lies at an end of its list, both arms of the pair get one more beyond.
PairPlan pair_plan(const std::vector<PairRun>& made);

/// text_runs.csv as it was written, or none before the first. Throws Error{unusable} naming `file`.
std::vector<PairRun> read_pair_runs(std::string_view text, std::string_view file);
void add_pair_runs(const std::vector<PairRun>& made, Out& out);
/// In the order of the cells, without `program`.
std::vector<PairRun> pair_runs_of(const Frames& measured);

/// text_runs.csv beside this file, which scripts/text-pairs writes and the build takes in.
const std::vector<PairRun>& text_runs();
Input text_runs_input();
/// Rows of pairs, of their seeds and of all runs; what is said of those pairs that have all their seeds, whose runs are
/// all a bit or more better than byte frequencies, where no positions lose a tenth of a bit or more to the best arm.
/// Nothing without runs.
void add_judged_pairs(const std::vector<PairRun>& made, const Text& text, Out& out);

/// Makes the next few of what follows from the file (none made: "none"), and writes text_runs.csv with both, in the
/// order of the plan; the same rows where nothing is left to make.
Experiment pairs_on_text(const std::string& file, const SharedText& text, std::size_t threads);

}  // namespace perp::learning
