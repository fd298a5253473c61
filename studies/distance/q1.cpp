// Q1: sines and cosines interleaved, or one half each? The score of sums under a change of order that weights
// follow, and the scores of weights that do not. That no other measure knows the order is a test of theirs
// (tests/lib/measures/dimensions.cpp). In words: q1.toml.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/measures/kernel.hpp"
#include "perp/measures/scores.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/heads.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

/// Random weights of the shape of GPT-2's heads.
constexpr std::size_t width = 768, length = 512, head_width = 64;
/// A difference of R² that a reader would call one.
constexpr double visible_difference = 0.01;

struct Ordered {
  Matrix<double> words, positions, m;  ///< L x d, L x d, d x d

  FourTerms terms() const { return four_terms(words, positions, m); }
  /// Columns of tables, rows and columns of M.
  Ordered in(const std::vector<std::size_t>& order) const {
    return {reorder_columns(words, order), reorder_columns(positions, order),
            reorder_rows(reorder_columns(m, order), order)};
  }
};

/// The largest change of the four terms of (x + p)ᵀM(y + q), as a share of their sum.
double change(const FourTerms& a, const FourTerms& b) {
  double largest = 0;
  for (const auto term : {&FourTerms::word_word, &FourTerms::word_position, &FourTerms::position_word,
                          &FourTerms::position_position, &FourTerms::distance_only, &FourTerms::score})
    largest = std::fmax(largest, std::abs(a.*term - b.*term));
  return largest / a.sum();
}

/// What rounding can change of them at worst.
double rounding_bound(const Ordered& t, const FourTerms& terms) {
  const auto square = [](const Matrix<double>& m) {
    return std::inner_product(m.begin(), m.end(), m.begin(), 0.0);
  };
  const double d = cols(t.words), n = rows(t.words), power = (square(t.words) + square(t.positions)) / n;
  return 8 * (d + n) * 0x1p-53 * power * power * square(t.m) / terms.sum();
}

/// Weights that follow the tables into other orders of the dimensions.
void measure_following(std::size_t d, std::size_t l, double base, std::size_t orders, const Streams& streams,
                       Out& out) {
  const Ordered tables{normal_matrix<double>(l, d, streams("words")), sinusoidal<double>(l, d, base),
                       normal_matrix<double>(d, d, streams("weights"))};
  const FourTerms own = tables.terms();
  double largest = change(own, tables.in(layout_permutation(d, Layout::half_split)).terms());
  for (std::size_t i = 0; i < orders; ++i) {
    const auto drawn = permutation(streams("order", i), static_cast<std::uint32_t>(d));
    largest = std::fmax(largest, change(own, tables.in({drawn.begin(), drawn.end()}).terms()));
  }
  const double bound = rounding_bound(tables, own);
  out("following", {{"largest", largest}, {"bound", bound}, {"over_bound", largest / bound}});
}

/// One and the same random weights, held fixed, for both layouts: the same streams.
void measure_fixed(std::size_t draws, const Streams& streams, Out& out) {
  const ScoreCase c{"sinusoidal", "heads", head_width, width, length};
  const Matrix<double> table = score_positions(c, streams, 0);
  const Matrix<float> interleaved = table,
                      half_split = reorder_columns(table, layout_permutation(c.d, Layout::half_split));
  const auto r2_through = [&](const Matrix<float>& positions, std::size_t draw) {
    const Factors<float> f = score_factors<float>(c, positions, streams, draw);
    return toeplitz_r2(lag_statistics(f.left, f.right, 1));
  };
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const double first = r2_through(interleaved, draw), second = r2_through(half_split, draw);
    out("fixed", {{"interleaved", first}, {"half_split", second}, {"difference", second - first}});
  }
}

/// The sinusoid at the given rows' positions through the given weights, which stay as they are: means over heads.
void measure_given(const GivenPositions& given, Out& out) {
  const std::size_t length = rows(*given.positions), d = cols(*given.positions);
  const Matrix<double> all = sinusoidal<double>(given.first + length, d);
  Matrix<double> table = matrix<double>(length, d);
  std::copy_n(all.data() + given.first * d, table.size(), table.data());
  const auto mean = [&](const Matrix<double>& positions) {
    return moments_of(head_r2(positions, given)).mean;
  };
  const double first = mean(table),
               second = mean(reorder_columns(table, layout_permutation(d, Layout::half_split)));
  out("given", {{"interleaved", first}, {"half_split", second}, {"difference", second - first}});
}

void fold(const Frames& measured, Out& out) {
  const Frame& following = measured["following"];
  const Row& nearest =
      *std::ranges::max_element(following, {}, [](const Row& at) { return at.number("over_bound"); });
  out("change", {{"measure", "four_terms"},
                 {"largest", nearest.number("largest")},
                 {"bound", nearest.number("bound")},
                 {"compared", 6 * (following.size() + std::size_t(following.sum("orders")))}});
  const Frame& draws = measured["fixed"];
  const auto variance = [&](const char* field) { return draws.moments(field).variance; };
  const auto seen = std::size_t(std::ranges::count_if(
      draws, [](const Row& at) { return std::abs(at.number("difference")) >= visible_difference; }));
  out("held", {{"matrix", "heads"},
               {"d", width},
               {"sd", std::sqrt(variance("difference"))},
               {"unrelated", std::sqrt(variance("interleaved") + variance("half_split"))},
               {"visible", estimated(double(seen) / double(draws.size()), share_spread(seen, draws.size()))},
               {"draws", draws.size()}});
}

}  // namespace

Experiment layout_of_pairs(const Options& options, const SharedPositions& given) {
  Experiment claim("Q1", toml_of("q1"));
  const std::size_t orders = pick<std::size_t>(options.preset, 2, 8, 40),
                    draws = pick<std::size_t>(options.preset, 24, 200, 2000);
  const auto add_following = [&](std::size_t d, std::size_t l, double base) {
    claim.cell(
        {{"what", "change"}, {"d", whole(d)}, {"l", whole(l)}, {"base", base}, {"orders", whole(orders)}},
        0.1, [=](const Streams& streams, Out& out) { measure_following(d, l, base, orders, streams, out); });
  };
  add_following(8, 9, 10);
  add_following(64, 256, usual_base);
  claim.cell({{"what", "fixed"},
              {"matrix", "heads"},
              {"rank", whole(head_width)},
              {"d", whole(width)},
              {"l", whole(length)},
              {"draws", whole(draws)}},
             3e-3 * double(draws),
             [=](const Streams& streams, Out& out) { measure_fixed(draws, streams, out); });
  if (given->weights && cols(*given->positions) % 2 == 0) {
    const double l = rows(*given->positions), d = cols(*given->positions);
    claim.cell({{"what", "given"}, {"tables", given->key()}, {"heads", whole(given->weights->heads)}},
               8e-10 * l * d * (d + l), [given](const Streams&, Out& out) { measure_given(*given, out); });
  }
  claim.fold(fold);
  return claim;
}

}  // namespace perp::distance
