#pragma once
// Study `learning`: small Transformers trained from nothing, with positions added, concatenated, turned into
// the attention, or absent, at equal width. All claims read the same runs (`Experiment::work`). One file per
// claim.

#include <memory>

#include "perp/study/experiment.hpp"
#include "studies/learning/text.hpp"

namespace perp::learning {

Experiment growing_words(const Options& options, const SharedText& text);  // A8
Experiment kept_apart(const Options& options, const SharedText& text);     // A9
Experiment who_learns(const Options& options, const SharedText& text);     // A10

}  // namespace perp::learning
