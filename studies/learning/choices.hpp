#pragma once
// The rates and sizes that A10's arms train with, chosen in advance on other seeds: choices.csv beside this
// file, which `make choices` writes and the build takes in.

#include <string_view>

#include "perp/study/results.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {

/// The steps that one setting took to learn, all that were made where it did not.
struct Choice : Run {
  double copy2, named, bite;  ///< of each task, mean over the seeds
  double mean;                ///< of the three tasks
  bool chosen;                ///< the least mean of its arm, the first of equal ones
};

/// 2,160 runs: nine arms, four rates, five sizes, three tasks, four seeds that no measured run has.
Runs choice_runs();
/// From the rows "Trained" of these runs.
std::vector<Choice> choices_of(const Frame& ends);

/// Those of the file.
std::vector<Choice> read_choices(std::string_view text);
const std::vector<Choice>& choices();
/// The file as the study's input.
Input choices_input();

// ---- Sizes, widths of positions and rates that the arms on a text train with, chosen in advance on other seeds:
// text_choices.csv beside this file, which `make choices` writes and the build takes in.

/// d = 64, two blocks: where sizes, widths and rates are chosen, and what they are shares of elsewhere.
inline constexpr std::size_t text_width = 64, text_depth = 2;
/// Standard deviation of the words' entries before training: rows of length 1 at d = 64.
inline constexpr double text_start = 0.125;
/// 14 million tokens, and a quarter of them, on which is chosen.
inline constexpr std::size_t text_steps = 3418, text_choice_steps = text_steps / 4;

/// Bits a byte of the test that one setting came to.
struct TextChoice : Run {
  std::size_t seeds = 0;
  double bits = 0;      ///< mean over these
  bool chosen = false;  ///< the least of its arm and positions
};

/// Round by round, each with the file that the one before wrote, until the best has no untried neighbour: first
/// every width of positions (8, 16, 32, of a sum all d, too) at four sizes, 1/16 … 4, and one rate, RoPE and no
/// positions at that rate; then half and twice the best's size, rate and width; each with one seed, and with two
/// more what came within 1 % of its arm's best.
Runs text_choice_runs(const std::vector<TextChoice>& around);
/// From the rows "Trained" of these runs.
std::vector<TextChoice> text_choices_of(const Frame& ends);

/// Throws Error{unusable} naming `file` where it is none.
std::vector<TextChoice> read_text_choices(std::string_view text, std::string_view file);
/// Those of the build.
const std::vector<TextChoice>& text_choices();
Input text_choices_input();

/// The best row of an arm and its positions, whatever their width, or of all d alone, or of fewer; of those with
/// the most seeds. Throws Error{unusable} where none was tried.
enum class Widths { all, whole, narrow };
const TextChoice& best_choice(const std::vector<TextChoice>& from, std::string_view arm,
                              std::string_view positions, Widths widths = Widths::all);

}  // namespace perp::learning
