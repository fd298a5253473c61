#pragma once
// Study `capacity`: adding positions to words against concatenating the two, at equal dimension and power.
// One file per claim; each returns its experiment.

#include "perp/study/experiment.hpp"
#include "studies/inputs/words.hpp"
#include "studies/inspect/model_under_test.hpp"

namespace perp::capacity {

Experiment size_of_positions(const Options& options, const inspect::Models&);     // A1
Experiment dimension_by_dimension(const Options& options);                        // A2
Experiment four_jobs(const Options& options);                                     // A3
Experiment adding_contains_concatenating(const Options& options);                 // A4
Experiment choosing_a_split(const Options& options);                              // A5
Experiment cost(const Options& options);                                          // A6
Experiment information_by_split(const Options& options, const inspect::Models&);  // A7
Experiment bag_of_sums(const Options& options);                                   // Q3
/// With words learned from a text beside the models'.
Experiment what_a_word_says(const Options& options, const inspect::Models&,
                            const std::shared_ptr<const WordInputs>& learned);  // A13
/// What `<claim>.toml` says.
std::string_view toml_of(std::string_view claim);

/// The study `capacity`: claims A1 to A7 and A13, question Q3.
Study study();

}  // namespace perp::capacity
