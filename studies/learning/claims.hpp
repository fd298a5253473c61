#pragma once
// Study `learning`: small Transformers trained from nothing, with positions added, concatenated, turned into
// the attention, or absent, at equal width. All claims read the same kind of runs (`Experiment::work`). One
// file per claim.

#include "perp/study/experiment.hpp"
#include "studies/learning/choices.hpp"

namespace perp::learning {

/// What stands in <claim>.toml.
std::string_view toml_of(std::string_view claim);

Experiment growing_words(const Options& options);  // A8
Experiment kept_apart(const Options& options);     // A9
Experiment who_learns(const Options& options, const SharedText& text,
                      const std::vector<TextChoice>& from = text_choices());  // A10
Experiment learned_with_their_reader(const Options& options);                 // A12
/// The runs from which choices.csv is made, in A10's place.
Experiment choose();
/// The same of text_choices.csv: the first round, or one more around the best of a file that an earlier one
/// wrote. Throws Error{unusable} without a text, and for a file that is none.
Experiment choose_on_text(const std::string& around, const SharedText& text);

/// The study `learning`: claims A8 to A10 and A12.
Study study();

}  // namespace perp::learning
