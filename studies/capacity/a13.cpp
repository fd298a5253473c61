// A13: does a position of the word's size scramble what the word says? What it does to a strong component of a word, to a
// single coordinate, and to a word's ten nearest words. In words: a13.toml.

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/rows.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/capacity/claims.hpp"
#include "studies/inputs/positions.hpp"

namespace perp::capacity {
namespace {

constexpr std::size_t length = 512, near = 10, leading = 10, drawn_words = 200;
/// A component changes noticeably by more than this share of the word's length.
constexpr double noticeable = 0.1;
constexpr std::array<std::string_view, 3> named{"airplane", "king", "water"};

/// Directions of a word against a sinusoid's positions: how often is p·u above a tenth of the word's length?
void measure_strong(std::size_t d, double rho, std::size_t draws, const Streams& streams, Out& out) {
  const Matrix<float> positions = unit_rows(sinusoidal<float>(length, d)).rows;
  const Matrix<float> directions = unit_rows(normal_matrix<float>(draws, d, streams("direction"))).rows;
  const auto which = below(streams("position"), draws, length);
  std::size_t changed = 0;
  double squares = 0;
  for (std::size_t i = 0; i < draws; ++i) {
    const std::span<const float> u = row(directions, i), p = row(positions, which[i]);
    const double change = rho * std::inner_product(u.begin(), u.end(), p.begin(), 0.0);
    changed += std::abs(change) > noticeable;
    squares += change * change;
  }
  out("directions", {{"draws", draws}, {"changed", changed}, {"squares", squares}});
  // The directions in which the positions themselves lie: there a word changes most.
  const Eigen<double> axes = symmetric_eigen(covariance(positions));
  std::size_t above = 0;
  for (std::size_t i = 0; i < leading; ++i)
    for (std::size_t t = 0; t < length; ++t) {
      double along = 0;
      for (std::size_t j = 0; j < d; ++j) along += axes.vectors(d - 1 - i, j) * double(positions(t, j));
      above += std::abs(rho * along) > noticeable;
    }
  out("leading", {{"changed", double(above) / double(leading * length)}});
}

/// Words of length 1, each with a component of anything up to .9 along a direction of its own, and their first coordinate; a
/// sinusoid's position as long as the word is added.
void draw_example(std::size_t d, const Streams& streams, Out& out) {
  const Matrix<float> positions = unit_rows(sinusoidal<float>(length, d)).rows;
  const Matrix<float> directions = unit_rows(normal_matrix<float>(drawn_words, d, streams("direction"))).rows,
                      others = normal_matrix<float>(drawn_words, d, streams("rest"));
  std::vector<double> strong(drawn_words);
  fill_uniform(streams("strong"), strong, -0.9, 0.9);
  const auto which = below(streams("position"), drawn_words, length);
  for (std::size_t i = 0; i < drawn_words; ++i) {
    const Matrix<float> u = leading_rows(block(directions, i, i + 1), 1),
                        rest = unit_rows(project_out(block(others, i, i + 1), u)).rows;
    const std::span<const float> p = row(positions, which[i]);
    const double change = std::inner_product(p.begin(), p.end(), u.begin(), 0.0),
                 coordinate = strong[i] * u(0, 0) + std::sqrt(1 - squared(strong[i])) * rest(0, 0);
    out("example", {{"strong", strong[i]},
                    {"strong_after", strong[i] + change},
                    {"coordinate", coordinate},
                    {"coordinate_after", coordinate + p[0]}});
  }
}

using Neighbours = std::vector<std::uint32_t>;
/// The `near` nearest other rows of each row asked, by cosine; equal ones by number.
std::vector<Neighbours> neighbours(const Matrix<float>& table, std::span<const std::size_t> asked) {
  const Matrix<float> unit = unit_rows(table).rows;
  std::vector<Neighbours> all;
  constexpr std::size_t tile = 64;
  for (std::size_t first = 0; first < asked.size(); first += tile) {
    const auto some = asked.subspan(first, std::min(tile, asked.size() - first));
    Matrix<float> cosines = product_nt(select_rows(unit, some), unit);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const std::span<float> of = row(cosines, i);
      of[some[i]] = -2;
      Neighbours order(of.size());
      std::iota(order.begin(), order.end(), 0U);
      std::ranges::partial_sort(order, order.begin() + near, [&](std::uint32_t a, std::uint32_t b) {
        return of[a] != of[b] ? of[a] > of[b] : a < b;
      });
      order.resize(near);
      all.push_back(std::move(order));
    }
  }
  return all;
}
std::size_t kept_of(Neighbours before, Neighbours after) {
  Neighbours both;
  std::ranges::sort(before), std::ranges::sort(after);
  std::ranges::set_intersection(before, after, std::back_inserter(both));
  return both.size();
}

/// Words and positions, as they are; what each word is called, or nothing.
struct Pair {
  Matrix<float> words, positions;
  std::vector<std::string> names;
};

/// Of a word's ten nearest words, how many are left when each word has a position of its own added to it; of as many words
/// as make `pairs` with all.
void measure_neighbours(const Pair& pair, std::size_t pairs, const Streams& streams, Out& out) {
  const std::size_t v = rows(pair.words), l = rows(pair.positions), drawn = std::min(pairs / v, v);
  const auto order = permutation(streams("asked"), std::uint32_t(v)),
             which = below(streams("position"), v, std::uint32_t(l));
  std::vector<std::size_t> asked(order.begin(), order.begin() + std::ptrdiff_t(drawn));
  for (const std::string_view name : named)
    if (const auto at = std::ranges::find(pair.names, name); at != pair.names.end())
      asked.push_back(std::size_t(at - pair.names.begin()));
  const std::vector<Neighbours> before = neighbours(pair.words, asked);
  const double own = std::sqrt(mean_square_length(pair.positions) / mean_square_length(pair.words));
  const Eigen<double> axes = symmetric_eigen(covariance(pair.positions));
  const auto add = [&](const char* size, double rho, std::size_t without) {
    Matrix<float> sums = pair.words;
    const auto factor = float(rho / own);
    for (std::size_t i = 0; i < v; ++i)
      for (std::size_t j = 0; j < cols(sums); ++j) sums(i, j) += factor * pair.positions(which[i], j);
    if (without > 0) {
      Matrix<float> basis = matrix<float>(without, cols(sums));
      for (std::size_t i = 0; i < without; ++i)
        for (std::size_t j = 0; j < cols(sums); ++j) basis(i, j) = float(axes.vectors(cols(sums) - 1 - i, j));
      sums = project_out(sums, basis);
    }
    const std::vector<Neighbours> after = neighbours(sums, asked);
    MomentSums kept;
    for (std::size_t i = 0; i < drawn; ++i) kept.add(double(kept_of(before[i], after[i])) / near);
    const Moments of = kept.moments();
    out("kept", {{"size", size},
                 {"rho", rho},
                 {"without", without},
                 {"asked", of.count},
                 {"mean", of.mean},
                 {"variance", of.variance},
                 {"words", v}});
    if (size != std::string("own") || without > 0) return;
    for (std::size_t i = drawn; i < asked.size(); ++i) {
      const auto said = [&](const Neighbours& of) {
        std::vector<std::string> words;
        for (const std::uint32_t at : of) words.push_back(pair.names[at]);
        return fmt::format("{}", fmt::join(words, " "));
      };
      out("named", {{"word", pair.names[asked[i]]}, {"before", said(before[i])}, {"after", said(after[i])}});
    }
  };
  add("own", own, 0);
  add("own", own, 30);
  add("one", 1, 0);
  add("three", 3, 0);
}

/// Of a model, the rows of words that training met.
Pair pair_of(const inspect::ModelUnderTest& model) {
  const Matrix<float> words = model.tables.words->all<float>();
  const std::vector<bool> trained = trained_rows(row_norms(words));
  std::vector<std::size_t> kept;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < trained.size(); ++i)
    if (trained[i]) {
      kept.push_back(i);
      if (!model.tables.tokens.empty()) names.push_back(model.tables.tokens[i]);
    }
  return {select_rows(words, kept), converted<float>(*model.tables.positions), names};
}

void fold(const Frames& measured, Out& out) {
  for (const Row& of : measured["directions"]) {
    const std::size_t d = of.whole("d"), draws = of.whole("draws"), changed = of.whole("changed");
    const double rho = of.number("rho"), share = double(changed) / double(draws);
    out("strong", {{"d", d},
                   {"rho", rho},
                   {"draws", draws},
                   {"changed", estimated(share, share_spread(changed, draws))},
                   {"law", theory::cosine_exceeds(d, noticeable / rho)},
                   {"sd", std::sqrt(of.number("squares") / double(draws))}});
  }
  if (!measured.has("kept")) return;
  for (const Row& of : measured["kept"])
    out("neighbours",
        {{"model", of.text("model")},
         {"size", of.text("size")},
         {"rho", of.number("rho")},
         {"without", of.whole("without")},
         {"kept", estimated(Moments{of.whole("asked"), of.number("mean"), of.number("variance")})},
         {"asked", of.whole("asked")},
         {"words", of.whole("words")}});
}

}  // namespace

Experiment what_a_word_says(const Options& options, const inspect::Models& models,
                            const std::shared_ptr<const WordInputs>& learned) {
  std::vector<std::string> depends = inspect::depends(models);
  depends.insert(depends.end(), learned->hashes.begin(), learned->hashes.end());
  Experiment claim("A13", toml_of("a13"), depends);
  const std::size_t draws = pick<std::size_t>(options.preset, 4096, 65536, 65536),
                    pairs = pick<std::size_t>(options.preset, 6'000'000, 240'000'000, 960'000'000);
  const auto strong = [&](std::int64_t d, std::int64_t rho) {
    claim.cell({{"d", d}, {"rho", rho}}, 1e-8 * double(draws) * double(d) + 0.2,
               [=](const Streams& streams, Out& out) {
                 measure_strong(std::size_t(d), double(rho), draws, streams, out);
               });
  };
  strong(64, 1), strong(384, 1), strong(512, 1), strong(512, 3);
  claim.cell({{"drawn", "example"}}, 0.1,
             [](const Streams& streams, Out& out) { draw_example(512, streams, out); });
  const double cost = 2e-7 * double(pairs);
  for (const inspect::ModelUnderTest& model : *models)
    if (has_both(model))
      claim.cell({{"model", model.name}}, cost, [=, name = model.name](const Streams& streams, Out& out) {
        measure_neighbours(pair_of(model_named(models, name)), pairs, streams, out);
      });
  if (learned->words)
    claim.cell({{"model", "learned"}}, cost, [=](const Streams& streams, Out& out) {
      const Matrix<float> words = unit_rows(learned->words->unit).rows;
      Matrix<float> positions = sinusoidal<float>(length, cols(words));
      for (float& x : positions) x /= float(std::sqrt(cols(words) / 2.0));  // as long as the words
      measure_neighbours({words, positions, {}}, pairs, streams, out);
    });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::capacity
