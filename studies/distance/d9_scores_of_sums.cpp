// D9: the score of two sums in four terms.

#include <algorithm>

#include "perp/base/linalg.hpp"
#include "perp/measures/scores.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d9_summary.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t length = 256, words = 1024, head = 64;

// ---- cells ---------------------------------------------------------------------------------------------

void add_cell(const char* family, const char* matrix, std::size_t d, std::size_t draws,
              std::vector<Cell>& cells) {
  const double size = static_cast<double>(d);
  cells.push_back({{{"words", std::string(family)},
                    {"matrix", std::string(matrix)},
                    {"d", whole(d)},
                    {"l", whole(length)},
                    {"v", whole(words)},
                    {"draws", whole(draws)}},
                   static_cast<double>(draws) * (4e-10 * size * size * size + 3e-3)});
}

std::vector<Cell> cells(const Options& options) {
  const std::size_t times = options.preset == Preset::long_ ? 10 : 1;
  std::vector<Cell> cells;
  if (options.preset == Preset::quick) {
    add_cell("gaussian", "gaussian", 64, 20, cells);
    add_cell("gaussian", "gaussian", 512, 4, cells);
    add_cell("gaussian", "heads", 64, 20, cells);
    add_cell("gaussian", "heads", 512, 4, cells);
    add_cell("gaussian", "tied", 64, 20, cells);
    return cells;
  }
  const std::pair<std::size_t, std::size_t> sizes[] = {
      {64, 200}, {128, 100}, {256, 50}, {512, 50}, {1024, 50}};
  for (const auto& [d, draws] : sizes) add_cell("gaussian", "gaussian", d, draws * times, cells);
  add_cell("gaussian", "heads", 64, std::max(judged_draws, 200 * times), cells);
  add_cell("gaussian", "heads", 512, 50 * times, cells);
  add_cell("gaussian", "tied", 64, std::max(judged_draws, 200 * times), cells);
  add_cell("gaussian", "tied", 512, 50 * times, cells);
  add_cell("anisotropic", "gaussian", 256, 50 * times, cells);
  return cells;
}

// ---- one cell ------------------------------------------------------------------------------------------

Matrix<double> normal(std::size_t rows, std::size_t cols, const Stream& stream) {
  Matrix<double> out = matrix<double>(rows, cols);
  fill_normal(stream, std::span<double>(out.data(), out.size()));
  return out;
}

Matrix<double> draw_matrix(const std::string& matrix, std::size_t d, const Streams& streams,
                           std::size_t draw) {
  if (matrix == "gaussian") return normal(d, d, streams("query", draw));
  const Matrix<double> query = normal(head, d, streams("query", draw));
  if (matrix == "tied") return gram_columns(View<double>(query));
  const Matrix<double> key = normal(head, d, streams("key", draw));
  return product_tn(View<double>(query), View<double>(key));
}

/// The terms at word entries of variance 1; other ratios follow, because each term is homogeneous in the
/// words.
Records run(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d");
  const Matrix<double> positions = sinusoidal<double>(size_at(cell.at, "l"), d);
  Records records;
  for (std::size_t draw = 0; draw < size_at(cell.at, "draws"); ++draw) {
    const Matrix<float> drawn =
        draw_words(family_from(text_at(cell.at, "words")), size_at(cell.at, "v"), d, streams("words", draw));
    Matrix<double> table = matrix<double>(rows(drawn), d);
    for (std::size_t i = 0; i < table.size(); ++i) table.data()[i] = drawn.data()[i];
    const Matrix<double> m = draw_matrix(text_at(cell.at, "matrix"), d, streams, draw);
    const FourTerms terms = four_terms(View<double>(table), View<double>(positions), m);
    records.push_back({"terms",
                       {{"word_word", terms.word_word},
                        {"word_position", terms.word_position},
                        {"position_word", terms.position_word},
                        {"position_position", terms.position_position},
                        {"distance_only", terms.distance_only}}});
  }
  return records;
}

}  // namespace

Experiment scores_of_sums(const Options& options) {
  return {"D9",
          "The score of two sums falls into four scores, whose sizes follow from the lengths of words and "
          "positions.",
          "[a, d]",
          {},
          cells(options),
          run,
          summarise_sums};
}

}  // namespace perp::distance
