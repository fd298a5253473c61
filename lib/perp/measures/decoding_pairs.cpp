// Joint maximum likelihood. With a_w = y·x_w - ‖x_w‖²/2 and b_t = y·p_t - ‖p_t‖²/2,
//   -‖y - x_w - p_t‖²/2 = a_w + b_t - x_w·p_t - ‖y‖²/2.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "perp/base/expect.hpp"
#include "perp/base/linalg.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/squares.hpp"

namespace perp {
namespace {

constexpr std::size_t tile_queries = 64;

/// queries x rows: products less half the rows' squared lengths.
Matrix<float> halved_distances(View<float> queries, View<float> table, const char* what) {
  Matrix<float> scores = product_nt(queries, table);
  std::vector<float> half(table.rows);
  for (std::size_t j = 0; j < table.rows; ++j) {
    const double square = sum_of_squares(table.row(j));
    require(std::isfinite(square), "nearest_pairs: row {} of the {} x {} {} is not finite", j, table.rows,
            table.cols, what);
    half[j] = static_cast<float>(square / 2);
  }
  for (std::size_t i = 0; i < queries.rows; ++i)
    for (std::size_t j = 0; j < table.rows; ++j) scores(i, j) -= half[j];
  return scores;
}

/// max over t of b_t - c_t, in independent lanes.
float largest_difference(std::span<const float> b, const float* c) {
  constexpr std::size_t lanes = 32;
  std::array<float, lanes> most;
  most.fill(-std::numeric_limits<float>::infinity());
  std::size_t t = 0;
  for (; t + lanes <= b.size(); t += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const float x = b[t + lane] - c[t + lane];
      most[lane] = x > most[lane] ? x : most[lane];
    }
  for (; t < b.size(); ++t) most[0] = std::max(most[0], b[t] - c[t]);
  return *std::ranges::max_element(most);
}

}  // namespace

std::vector<WordAndPosition> nearest_pairs(View<float> queries, View<float> words, View<float> positions) {
  expect(queries.cols == words.cols && queries.cols == positions.cols,
         "nearest_pairs: queries are {} x {}, words {} x {}, positions {} x {}; expected equal columns",
         queries.rows, queries.cols, words.rows, words.cols, positions.rows, positions.cols);
  require(words.rows > 0 && positions.rows > 0, "nearest_pairs: {} words and {} positions", words.rows,
          positions.rows);
  require(words.rows <= most_pairs / positions.rows,
          "nearest_pairs: {} words x {} positions; expected at most {} pairs", words.rows, positions.rows,
          most_pairs);
  for (std::size_t i = 0; i < queries.rows; ++i)
    require(std::isfinite(sum_of_squares(queries.row(i))),
            "nearest_pairs: row {} of the {} x {} queries is not finite", i, queries.rows, queries.cols);
  const Matrix<float> crossed = product_nt(words, positions);
  std::vector<WordAndPosition> answers(queries.rows);
  std::vector<float> best(tile_queries);
  for (std::size_t i0 = 0; i0 < queries.rows; i0 += tile_queries) {
    const std::size_t count = std::min(queries.rows - i0, tile_queries);
    const View<float> asked = block(queries, i0, i0 + count, queries.cols);
    const Matrix<float> a = halved_distances(asked, words, "words"),
                        b = halved_distances(asked, positions, "positions");
    std::ranges::fill(best, -std::numeric_limits<float>::infinity());
    for (std::size_t w = 0; w < words.rows; ++w) {  // a row of the table serves all queries of the tile
      const float* c = crossed.data() + w * positions.rows;
      for (std::size_t i = 0; i < count; ++i) {
        const std::span<const float> row_b = row(b, i);
        const float top = largest_difference(row_b, c), score = a(i, w) + top;
        if (!(score > best[i])) continue;
        std::size_t t = 0;
        while (t + 1 < row_b.size() && row_b[t] - c[t] != top) ++t;
        best[i] = score;
        answers[i0 + i] = {static_cast<std::uint32_t>(w), static_cast<std::uint32_t>(t)};
      }
    }
  }
  return answers;
}

}  // namespace perp
