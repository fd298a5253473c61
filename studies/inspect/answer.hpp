#pragma once
// The program asked for numbers alone: one model's tables, or what theory expects of their sizes.

#include <filesystem>
#include <string>

#include "perp/io/model_tables.hpp"
#include "perp/study/options.hpp"

namespace perp::inspect {

/// With --dim: the numbers that chance and theory expect of tables of that size; otherwise those of the one
/// model that is named or was found, in sentences and a table or, with --json, as
///   {"words":{"rows","dim","zero_rows","mean_norm","mean_cosine","stable_rank","participation_ratio","r90",
///    "r99","r999","r99_uncentred"},
///    "positions":{the same, "toeplitz_defect","toeplitz_r2","null_toeplitz_r2",
///    "coordinate_participation_ratio","null_coordinate_participation_ratio",
///    "null_coordinate_participation_ratio_sd","leading_share","null_leading_share",
///    "toeplitz_r2_apart","sinusoid":{"base","layout","rule","first_position","amplitude","off"} or null},
///    "between":{"rank_words","rank_positions","principal_cosines":[…],"largest_cosine","mean_square_cosine",
///    "max_abs_cosine","word_energy_in_positions","null_largest_cosine","null_word_energy",
///    "null_mean_square_cosine","null_mean_square_sd","centred_overlap","null_centred_overlap_sd",
///    "size_ratio","sums","words_found","null_words_found","positions_found"},
///    "heads":{"layer":0,"r2":[…],"null"}}
/// with those parts that the tables have; what a table does not define is null. Throws Error{unusable} for
/// options that do not fit one another.
std::string answer_inspect(const Options& options, const FoundModel& found = {});

/// What was found as if it had been typed; what was typed stays, and with it what belongs to it.
Options with_found(const Options& options, const FoundModel& found);

/// The tables of a file, a line each: shape, type, name; or as JSON {"tables":[{"tensor","shape","type"},…]}.
std::string list_of_tables(const std::filesystem::path& path, bool json);

/// By theory alone (--dim D, --rows-words V, --rows-positions L): V independent normal words beside the
/// sinusoid of L positions (base 10,000), in D dimensions; as a table or, with --json, under the names that a
/// table's numbers have. Words or positions alone work. Throws Error{unusable} for sizes that are none, an
/// odd D with positions, and tables beside --dim.
std::string expected_by_theory(const Options& options);

}  // namespace perp::inspect
