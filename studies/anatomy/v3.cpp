// V3: a word in the plane of two dimensions and the circle of its sums.

#include <algorithm>
#include <cmath>

#include "perp/study/claim.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/anatomy/claims.hpp"
#include "studies/anatomy/hands.hpp"
#include "studies/anatomy/matrix.hpp"

namespace perp::anatomy {
namespace {

/// Pairs whose planes are drawn, how many words are seen there, and at how many positions.
constexpr std::size_t drawn_pairs[] = {0, 64, 255}, cloud = 150, drawn_positions = 16;

struct Positions {
  std::string part;
  std::size_t l;
};
PERP_ROW(Positions, part, l)
struct Circle : Positions {
  double worst, whole;
  std::size_t sums;
};
PERP_ROW_OF(Circle, Positions, worst, whole, sums)
/// Of a plane: a word (kind "word"), the one that is added to ("chosen") or a sum at a position ("sum").
struct Point : Positions {
  std::size_t pair;
  std::string kind;
  std::int64_t position;
  double x, y;
};
PERP_ROW_OF(Point, Positions, pair, kind, position, x, y)

/// Gaussian words of unit variance per dimension, as PyTorch draws an embedding.
Matrix<float> gaussian_words(std::size_t count, const Streams& streams) {
  return draw_words(Family::gaussian, count, width, streams("words"));
}

/// Sums of a few words with all positions, pair by pair: are they on the unit circle around the word?
void measure_circle(const Positions& at, const Streams& streams, Rows& rows) {
  constexpr std::size_t count = 8;
  const Matrix<double> positions = sinusoidal<double>(at.l, width);
  const Matrix<float> words = gaussian_words(count, streams);
  Circle circle{at, 0, 0, count * at.l};
  for (std::size_t w = 0; w < count; ++w)
    for (std::size_t t = 0; t < at.l; ++t) {
      double square = 0;
      for (std::size_t i = 0; i < width / 2; ++i) {
        const double x = words(w, 2 * i), y = words(w, 2 * i + 1);
        const double across = x + positions(t, 2 * i), up = y + positions(t, 2 * i + 1);
        const double radius = std::hypot(across - x, up - y);
        // Adding and taking away rounds each coordinate by u times its size, twice.
        const double bound = radius_bound() + 2 * roundoff * (std::abs(x) + std::abs(y) + 2);
        circle.worst = std::max(circle.worst, std::abs(radius - 1) / bound);
        square += radius * radius;
      }
      circle.whole = std::max(circle.whole, std::abs(std::sqrt(square / (width / 2)) - 1));
    }
  rows.add(circle);
}

/// The word nearest to the middle of the cloud's right upper quarter: off the centre, and not at the rim.
std::size_t chosen(const Matrix<float>& words, std::size_t column) {
  std::size_t best = 0;
  const auto off = [&](std::size_t w) {
    return std::hypot(words(w, column) - 0.5, words(w, column + 1) - 0.4);
  };
  for (std::size_t w = 0; w < rows(words); ++w)
    if (off(w) < off(best)) best = w;
  return best;
}

void measure_planes(const Positions& at, const Streams& streams, Rows& rows) {
  const Matrix<double> positions = sinusoidal<double>(at.l, width);
  const Matrix<float> words = gaussian_words(cloud, streams);
  for (const std::size_t pair : drawn_pairs) {
    const std::size_t column = 2 * pair, word = chosen(words, column);
    const double x = words(word, column), y = words(word, column + 1);
    for (std::size_t w = 0; w < cloud; ++w)
      if (w != word) rows.add(Point{at, pair, "word", -1, words(w, column), words(w, column + 1)});
    rows.add(Point{at, pair, "chosen", -1, x, y});
    for (std::size_t t = 0; t < at.l; ++t)
      rows.add(
          Point{at, pair, "sum", std::int64_t(t), x + positions(t, column), y + positions(t, column + 1)});
  }
}

void conclude(const Cells& cells, Summary& summary) {
  const Circle circle = rows_of<Circle>(cells).at(0);
  add_overall(
      summary, "radius", {}, circle.worst, circle.sums * width / 2,
      "Largest departure from 1 of the distance of a sum from its word in the plane of a pair, in units "
      "of the bound for rounding; all pairs of 512 dimensions, 8 words, 512 positions.",
      0.0, Kind::rounded, "× rounding error");
  add_overall(
      summary, "whole", {}, circle.whole, circle.sums,
      "Largest relative departure of the whole sum's distance from its word from the square root of d/2.",
      0.0);
  summary.table("v3_planes.csv", rows_of<Point>(cells),
                {exact("pair", "i: the plane of dimensions 2i and 2i + 1", &Point::pair),
                 exact("kind", "word: one of a Gaussian cloud; chosen: the word added to; sum", &Point::kind),
                 exact("position", "of a sum; -1 for words", &Point::position).unit("positions"),
                 sampled("x", "dimension 2i", [](const Point& p) { return four_decimals(p.x); }),
                 sampled("y", "dimension 2i + 1", [](const Point& p) { return four_decimals(p.y); })});
  summary.rule = {
      condition(Role::core, "radius", Is::below, 1.0, Evidence::theorem, {{"seen in", "a plane"}}),
      condition(Role::core, "whole", Is::below, 1e-12, Evidence::theorem, {{"seen in", "all dimensions"}})};
}

}  // namespace

Experiment circle_of_sums(const Options&) {
  Experiment claim{"V3",
                   "Adding the first two dimensions of a positional encoding to those of a word points "
                   "somewhere on a unit circle around the word.",
                   "[b]"};
  claim.measure(grid<Positions>("circle", text_length), 0.1, measure_circle);
  claim.measure(grid<Positions>("planes", drawn_positions), 0.01, measure_planes);
  claim.conclude(conclude);
  return beside_the_claims(claim);
}

}  // namespace perp::anatomy
