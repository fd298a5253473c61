// Nearest words: products and the search for the largest, fused.

#include "perp/measures/decoding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "perp/base/error.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/base/parallel.hpp"
#include "perp/measures/rows.hpp"

namespace perp {
namespace {

// A tile of scores is 512 KiB and stays in the second-level cache between the product and the pass over it.
constexpr std::size_t tile_queries = 256, tile_words = 512;
constexpr std::size_t lanes = 32;

void check_finite(View<float> table, const char* where, const char* what) {
  for (std::size_t i = 0; i < table.rows; ++i)
    require(std::isfinite(sum_of_squares(table.row(i))), "{}: row {} of the {} x {} {} is not finite", where,
            i, table.rows, table.cols, what);
}

void check_tables(View<float> queries, View<float> words, const char* where) {
  check_finite(queries, where, "queries");
  check_finite(words, where, "words");
}

/// Per word, what is taken off its product.
std::vector<float> offsets_of(View<float> words, Nearness nearness) {
  std::vector<float> offsets(words.rows, 0.0F);
  if (nearness == Nearness::distance)
    for (std::size_t v = 0; v < words.rows; ++v)
      offsets[v] = static_cast<float>(sum_of_squares(words.row(v)) / 2);
  return offsets;
}

/// Keeps score(0) … score(n-1) in `kept` and returns the largest, in independent lanes: a maximum in written
/// order cannot be vectorised.
template <class Score>
float largest(std::size_t n, const Score& score, float* kept) {
  std::array<float, lanes> most;
  most.fill(-std::numeric_limits<float>::infinity());
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const float x = score(j + lane);
      kept[j + lane] = x;
      most[lane] = x > most[lane] ? x : most[lane];
    }
  for (; j < n; ++j) most[0] = std::max(most[0], kept[j] = score(j));
  return *std::ranges::max_element(most);
}

struct Best {
  float score = -std::numeric_limits<float>::infinity();
  std::uint32_t word = 0;
};

/// Enters words first … first+n-1, at most tile_words, into `best`. A second look, for the row, is rarely
/// taken: only where a tile beats all before it. It looks at the scores kept, because a score computed again
/// may be rounded otherwise.
template <class Score>
void take(std::size_t first, std::size_t n, const Score& score, Best& best) {
  std::array<float, tile_words> kept;
  const float top = largest(n, score, kept.data());
  if (!(top > best.score)) return;
  best = {top,
          static_cast<std::uint32_t>(
              first + static_cast<std::size_t>(std::find(kept.data(), kept.data() + n, top) - kept.data()))};
}

/// A word's score as a line in the factor: at + by·f.
struct Line {
  float at = 0, by = 0;
};

/// Cuts from `range` the factors at which one of n other words scores more than the right one; in independent
/// lanes, as above. Of lines that never cross the quotient is infinite, of equal ones NaN, which cuts
/// nothing.
void narrow(std::size_t n, const Line& own, const float* at, const float* by, Range& range) {
  std::array<float, lanes> from, to;
  from.fill(range.from);
  to.fill(range.to);
  const auto cut = [&](std::size_t j, std::size_t lane) {
    const float steeper = by[j] - own.by, crossing = (own.at - at[j]) / steeper;
    to[lane] = steeper >= 0 && crossing < to[lane] ? crossing : to[lane];
    from[lane] = steeper < 0 && crossing > from[lane] ? crossing : from[lane];
  };
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) cut(j + lane, lane);
  for (; j < n; ++j) cut(j, 0);
  range = {*std::ranges::max_element(from), *std::ranges::min_element(to)};
}

}  // namespace

std::vector<std::uint32_t> nearest_words(View<float> queries, View<float> words, Nearness nearness,
                                         std::size_t threads) {
  check_tables(queries, words, "nearest_words");
  const std::vector<float> offsets = offsets_of(words, nearness);
  std::vector<std::uint32_t> answers(queries.rows);
  const std::size_t strips = (queries.rows + tile_queries - 1) / tile_queries;
  parallel_for(strips, threads, [&](std::size_t strip) {
    const std::size_t first = strip * tile_queries, last = std::min(queries.rows, first + tile_queries);
    const View<float> asked = block(queries, first, last, queries.cols);
    std::vector<float> tile(asked.rows * std::min(tile_words, words.rows));
    std::vector<Best> best(asked.rows);
    for (std::size_t v0 = 0; v0 < words.rows; v0 += tile_words) {
      const std::size_t width = std::min(words.rows - v0, tile_words);
      product_nt_into(asked, block(words, v0, v0 + width, words.cols), tile.data());
      const float* offset = offsets.data() + v0;
      for (std::size_t i = 0; i < asked.rows; ++i) {
        const float* products = tile.data() + i * width;
        take(
            v0, width, [=](std::size_t j) { return products[j] - offset[j]; }, best[i]);
      }
    }
    for (std::size_t i = 0; i < asked.rows; ++i) answers[first + i] = best[i].word;
  });
  return answers;
}

std::vector<Range> found_between(View<float> first, View<float> second, std::span<const std::uint32_t> which,
                                 View<float> words, std::span<const std::uint32_t> right, Nearness nearness) {
  const char* const where = "found_between";
  check_tables(first, words, where);
  check_tables(second, words, where);
  const std::vector<float> offsets = offsets_of(words, nearness);
  const std::size_t n = first.rows, width_most = std::min(tile_words, words.rows);
  std::vector<float> of_first(std::min(tile_queries, n) * width_most), of_second(second.rows * width_most);
  std::vector<Line> own(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t w = right[i];
    own[i] = {float(dot(first.row(i), words.row(w))) - offsets[w],
              float(dot(second.row(which[i]), words.row(w)))};
  }
  std::vector<Range> ranges(n);
  for (std::size_t v0 = 0; v0 < words.rows; v0 += tile_words) {
    const std::size_t width = std::min(words.rows - v0, tile_words);
    const View<float> some = block(words, v0, v0 + width, words.cols);
    product_nt_into(second, some, of_second.data());
    for (std::size_t i0 = 0; i0 < n; i0 += tile_queries) {
      const std::size_t i1 = std::min(n, i0 + tile_queries);
      product_nt_into(block(first, i0, i1, first.cols), some, of_first.data());
      for (std::size_t i = 0; i < i1 - i0; ++i)
        for (std::size_t j = 0; j < width; ++j) of_first[i * width + j] -= offsets[v0 + j];
      for (std::size_t i = i0; i < i1; ++i) {
        float* a = of_first.data() + (i - i0) * width;
        // No word rules itself out.
        if (right[i] - v0 < width) a[right[i] - v0] = -std::numeric_limits<float>::infinity();
        narrow(width, own[i], a, of_second.data() + which[i] * width, ranges[i]);
      }
    }
  }
  return ranges;
}

Hits count_hits(std::span<const std::uint32_t> answers, std::span<const std::uint32_t> truth) {
  Hits hits{0, answers.size()};
  for (std::size_t i = 0; i < answers.size(); ++i) hits.right += answers[i] == truth[i];
  return hits;
}

}  // namespace perp
