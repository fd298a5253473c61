#pragma once
// A9: whether training moves words and positions apart: their angles, what attention makes of them, and who
// can still read them.

#include <map>

#include "perp/study/experiment.hpp"
#include "studies/learning/a8_paths.hpp"

namespace perp::learning {

/// Tables a9_angles.csv, a9_terms.csv, a9_probes.csv and a9_seeds.csv, and findings after training (…_before:
/// before it):
///   A9.square             mean square cosine of words and positions, times d; chance 1
///   A9.turned             the same less its value before training; chance 0
///   A9.centred, A9.turned_centred
///                         both with positions less their mean, which tells no position from another
///   A9.cosine             mean cosine; chance 0
///   A9.inside             as A8.inside
///   A9.word_word, A9.mixed, A9.position_position
///                         shares of the terms in the scores' variance; theory: before training
///   A9.mixed_change       share of the two mixed terms, after less before; chance 0
///   A9.r2                 share of the position scores' variance that is a function of the distance alone;
///                         theory: random scores
///   A9.r2_change          the same less that of the same heads before training; chance 0
///   A9.word, A9.position  share of words and positions read linearly; theory: from the other one alone
Outcome summarise_apart(const std::vector<CellRecords>& cells);

/// Their parts; findings are appended.
Table angle_table(const std::map<Setting, Group>& groups);
Table term_table(const std::map<Setting, Group>& groups);
Table probe_table(const std::map<Setting, Group>& groups);
/// Probes of the sum and of the output, seed by seed: the numbers behind the means.
Table probe_seed_table(const std::map<Setting, Group>& groups);
void add_angle_findings(const std::map<Setting, Group>& groups, std::vector<Finding>& findings);
void add_term_findings(const std::map<Setting, Group>& groups, std::vector<Finding>& findings);
void add_probe_findings(const std::map<Setting, Group>& groups, std::vector<Finding>& findings);

/// Share of tokens whose "word" or "position" is read at "input" or "output", by seed.
BySeed probed(const Group& group, std::string_view where, std::string_view what);

/// What the findings of one setting share. Nothing is added for no seeds.
void add_a9(std::vector<Finding>& findings, const char* measure, const Coordinates& at, const BySeed& values,
            double theory, const char* meaning);

}  // namespace perp::learning
