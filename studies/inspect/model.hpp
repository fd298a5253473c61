#pragma once
// The models that are looked at: whose tables, which part of them, and opening these. In this order:
//
//   FoundModel (model_tables.hpp): what `perp inspect FILE` finds in files -> Model: named, its options -> Tables: open
//   -> ModelUnderTest: what every claim asks of them, measured once -> a claim's rows

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/io/table_rows.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/study/experiment.hpp"
#include "studies/inputs/positions.hpp"
#include "studies/inspect/numbers.hpp"

namespace perp::inspect {

/// One model as it was named: `options.extra` holds its own options and those alone.
struct Model {
  std::string name;  ///< [a-z0-9_]+
  Options options;
};

/// The options that name a model's tables, and how several models are given.
std::vector<ExtraOption> model_options();
/// Of these what tables say of a model, and no number depends on.
inline constexpr std::array<const char*, 5> said_only{"lineage", "kind", "part", "head", "norm"};

/// The model that --words and --positions name (called --name, or "model"), then those of the file --models;
/// none if nothing was given.
///
/// The file: a line "[name]" per model and below it lines "option = value", the options being those of the
/// command line; empty lines and those that begin with '#' are skipped. Throws Error{unusable} with the
/// file's line for anything else, for a name that is not [a-z0-9_] or comes twice, for a model without words,
/// positions and layers, and for an option beside it that needs another.
std::vector<Model> models_of(const Options& options);

/// The same, before anything is measured. Throws Error{unusable} for a file of theirs that cannot be read, too.
void check_models(const Options& options);

/// A model's tables, open and checked against one another: at least one of the two is there.
struct Tables {
  std::optional<TableRows> words;
  std::vector<std::string> tokens;          ///< what each row of the words stands for, or none
  std::vector<double> counts;               ///< how often a text has each of them, or none
  std::optional<Matrix<double>> positions;  ///< L x d
  std::size_t first_position = 0;           ///< the position in row 0
  std::vector<std::filesystem::path> position_files;
  Ranks ranks;

  /// The words from their first row, if there are any.
  std::optional<RowStream> word_stream() const;
};
Tables open_tables(const Model& model);

/// The model's attention weights and LayerNorm as the study `distance` reads them, beside its positions;
/// nothing where neither was given.
std::optional<GivenPositions> load_weights(const Model& model);

}  // namespace perp::inspect
