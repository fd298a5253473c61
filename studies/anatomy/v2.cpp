// V2: pairs of columns as the hands of clocks: on the unit circle, which way round, and how fast? In words: v2.toml.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/measures/rows.hpp"
#include "perp/study/experiment.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"

namespace perp::anatomy {
namespace {

/// Pairs that are drawn, √10 slower from one to the next, and the slowest; and positions on their dials.
constexpr std::size_t drawn_pairs[] = {0, 32, 64, 96, 128, 255}, drawn_positions = 13;
/// Entries of the largest table that is held, 256 MiB.
constexpr std::size_t largest_table = std::size_t{1} << 25;

/// The position of a text whose whole clock is most like that of the first.
std::size_t nearest_to_first(const Matrix<double>& table) {
  std::size_t nearest = 0;
  double least = INFINITY;
  for (std::size_t t = 1; t < rows(table); ++t) {
    double square = 0;
    for (std::size_t j = 0; j < cols(table); ++j) square += squared(table(t, j) - table(0, j));
    if (square < least) {
      least = square;
      nearest = t;
    }
  }
  return nearest;
}

/// All hands over all positions.
void measure(std::size_t d, std::size_t l, Out& out) {
  const Matrix<double> table = sinusoidal<double>(l, d);
  double radius = 0, clockwise = 0, slower = 0, before = 0;
  for (std::size_t i = 0; i < d / 2; ++i) {
    const Hand hand = read_hand(table, 2 * i, 2 * i + 1);
    radius = std::max(radius, hand.radius_error);
    clockwise += hand.clockwise;
    slower += i > 0 && hand.turned < before;
    before = hand.turned;
  }
  const std::size_t steps = d / 2 * (l - 1);
  out("clock", {{"hands", d / 2},
                {"steps", steps},
                {"radius", radius / radius_bound()},
                {"clockwise", clockwise / double(steps)},
                {"slower", slower / double(d / 2 - 1)},
                {"nearest", nearest_to_first(sinusoidal<double>(text_length, d))}});
}

void draw_dials(Out& out) {
  const Matrix<double> two = sinusoidal<double>(2, width), table = sinusoidal<double>(drawn_positions, width);
  std::size_t dial = 0;
  for (const std::size_t i : drawn_pairs) {
    const double step = read_hand(two, 2 * i, 2 * i + 1).turned;
    ++dial;
    for (std::size_t t = 0; t < drawn_positions; ++t)
      out("dials", {{"dial", dial},
                    {"pair", i},
                    {"step", step * (180 / std::numbers::pi)},
                    {"turn", 2 * std::numbers::pi / step},
                    {"position", t},
                    {"across", table(t, 2 * i)},
                    {"up", table(t, 2 * i + 1)}});
  }
}

void fold(const Frames& measured, Out& out) {
  const Frame& clocks = measured["clock"];
  out("all", {{"radius", clocks.most("radius")},
              {"clockwise", clocks.least("clockwise")},
              {"slower", clocks.least("slower")},
              {"steps", clocks.sum("steps")},
              {"hands", clocks.sum("hands")}});
  draw_dials(out);
}

}  // namespace

Experiment clock_hands(const Options& options) {
  Experiment claim("V2", toml_of("v2"));
  const std::size_t longest = pick<std::size_t>(options.preset, text_length, 8192, 65536);
  for (const std::size_t d : pick<std::vector<std::size_t>>(options.preset, {16, 64, width},
                                                            {16, 64, width, 1024}, {16, 64, width, 4096})) {
    const std::size_t l = std::min(longest, largest_table / d);
    claim.cell({{"d", whole(d)}, {"l", whole(l)}}, 1e-8 * double(d * l),
               [=](const Streams&, Out& out) { measure(d, l, out); });
  }
  claim.fold(fold);
  return beside_the_claims(claim);
}

}  // namespace perp::anatomy
