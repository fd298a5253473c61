#pragma once
// A10 on a text: the arms, and what they cost a byte side by side.

#include "studies/learning/text_choices.hpp"
#include "studies/learning/text_training.hpp"

namespace perp::learning {

/// Seeds of what is judged, and of what limits it.
inline constexpr std::size_t judged_seeds = 12, limit_seeds = 8;

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

}  // namespace perp::learning
