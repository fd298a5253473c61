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

/// Those of the file. Throws Error{unusable} where it is not one.
std::vector<Choice> read_choices(std::string_view text);
const std::vector<Choice>& choices();
/// The file as the study's input.
Input choices_input();

/// The run with its arm's rate and size; .01 and 1 where there is nothing to choose. Throws Error{unusable} for
/// an arm that was not among them.
Run tuned(Run run, const std::vector<Choice>& from = choices());

}  // namespace perp::learning
