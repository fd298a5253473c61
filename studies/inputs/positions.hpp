#pragma once
// Positions given to a study with --positions, and the weights of an attention layer that reads them.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/io/table_rows.hpp"
#include "perp/study/options.hpp"
#include "perp/study/results.hpp"

namespace perp {

/// Queries are x · query + query_bias, n numbers, of which head h takes n/heads in a row from h n/heads on;
/// keys likewise.
struct AttentionWeights {
  Matrix<double> query, key;                 ///< d x n
  std::vector<double> query_bias, key_bias;  ///< n, or none
  std::size_t heads = 1;                     ///< divides n

  std::size_t width() const { return cols(query) / heads; }  ///< of one head, at most d
};

struct LayerNormWeights {
  std::vector<double> gain, bias;  ///< d
};

/// What was given, checked: shapes fit one another, values are finite. Without a table there is nothing else.
struct GivenPositions {
  std::optional<Matrix<double>> positions;  ///< L x d, L at least 2
  std::size_t first = 0;                    ///< the position in row 0: rows A:B begin at A
  std::optional<AttentionWeights> weights;  ///< only with positions
  std::optional<LayerNormWeights>
      layer_norm;  ///< applied to positions before the weights; only with positions

  std::vector<Input> files;         ///< what was read, by base name and hash
  std::vector<std::string> hashes;  ///< what a cell that reads any of it depends on
  Coordinates parameters;           ///< which tables and rows were taken

  /// What the name of a cell that reads them holds, in place of an input of its whole experiment: the claim's
  /// other cells do not read them, and what was kept of those stays good.
  std::string key() const;
};
/// "wpe.npy 1a2b3c4d": a file as conditions name it, by which two studies know that they were given the same.
std::string known_file(const Input& file);
using SharedPositions = std::shared_ptr<const GivenPositions>;

/// The options that load_positions reads, for a study's list.
std::vector<ExtraOption> position_options();

/// Reads --positions (of it --rows), --query, --key and --heads, --query-bias, --key-bias, --layernorm.
/// Throws Error{unusable} naming the option for tables that do not fit one another, for heads that do not
/// divide the weights or are wider than the positions, and for one of these options without those that it
/// needs.
GivenPositions load_positions(const Options& options);

// ---- Rows of a released table that training never met: unused entries of a vocabulary, positions beyond every
// text.

/// A row shorter than this share of the median row counts as never trained: it kept the small entries that it
/// was given at the start. By length alone, so that what is then measured has no part in the choice. (Of
/// BERT's vocabulary 993 of the 994 entries called [unusedN] are left out so, of GPT-2's positions the last.)
inline constexpr double trained_length = 0.5;

/// For each row's length whether training met it. Of an empty list none.
std::vector<bool> trained_rows(const std::vector<double>& lengths);

/// The longest run of rows in a row that training met, the first of several; 0:0 without one.
RowRange trained_run(const std::vector<bool>& trained);

}  // namespace perp
