// V2: pairs of columns as the hands of clocks: on the unit circle, which way round, and how fast?

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/measures/squares.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"
#include "studies/anatomy/hands.hpp"

namespace perp::anatomy {
namespace {

constexpr double circle = 2 * std::numbers::pi, degrees = 180 / std::numbers::pi;
/// Pairs that are drawn, √10 slower from one to the next, and the slowest; and positions on their dials.
constexpr std::size_t drawn_pairs[] = {0, 32, 64, 96, 128, 255}, drawn_positions = 13;
/// Entries of the largest table that is held, 256 MiB.
constexpr std::size_t largest_table = std::size_t{1} << 25;

struct Size {
  std::size_t d, l;

  std::size_t hands() const { return d / 2; }
};
PERP_ROW(Size, d, l)
/// All hands over all positions; and the position of a text whose whole clock is most like that of the first.
struct Clock : Size {
  std::size_t steps;
  double radius, clockwise, slower;
  std::size_t nearest;
};
PERP_ROW_OF(Clock, Size, steps, radius, clockwise, slower, nearest)

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

void measure(const Size& at, const Streams&, Rows& rows) {
  const Matrix<double> table = sinusoidal<double>(at.l, at.d);
  double radius = 0, clockwise = 0, slower = 0, before = 0;
  for (std::size_t i = 0; i < at.hands(); ++i) {
    const Hand hand = read_hand(table, 2 * i, 2 * i + 1);
    radius = std::max(radius, hand.radius_error);
    clockwise += hand.clockwise;
    slower += i > 0 && hand.turned < before;
    before = hand.turned;
  }
  const std::size_t steps = at.hands() * (at.l - 1);
  rows.add(Clock{at, steps, radius / radius_bound(), clockwise / double(steps),
                 slower / double(at.hands() - 1), nearest_to_first(sinusoidal<double>(text_length, at.d))});
}

/// A hand of the picture at one position.
struct Dial {
  std::size_t dial, pair;
  double step;
  std::size_t position;
  double across, up;
};

void add_dials(Summary& summary) {
  const Matrix<double> two = sinusoidal<double>(2, width), table = sinusoidal<double>(drawn_positions, width);
  std::vector<Dial> dials;
  std::size_t dial = 0;
  for (const std::size_t i : drawn_pairs) {
    const double step = read_hand(two, 2 * i, 2 * i + 1).turned;
    ++dial;
    for (std::size_t t = 0; t < drawn_positions; ++t)
      dials.push_back({dial, i, step, t, table(t, 2 * i), table(t, 2 * i + 1)});
  }
  summary.table("v2_dials.csv", dials,
                {exact("dial", "place in the picture", &Dial::dial),
                 exact("pair", "i: dimensions 2i and 2i + 1 of 512", &Dial::pair),
                 rounded("step", "what the hand turns from one position to the next",
                         [](const Dial& d) { return d.step * degrees; })
                     .unit("degrees"),
                 rounded("turn", "positions to a full turn", [](const Dial& d) { return circle / d.step; })
                     .unit("positions"),
                 exact("position", "t", &Dial::position).unit("positions"),
                 rounded("across", "dimension 2i, the sine", &Dial::across),
                 rounded("up", "dimension 2i + 1, the cosine", &Dial::up)});
}

Rule rule() {
  const auto one = [](const char* finding, const char* part) {
    return condition(Role::core, finding, Is::equal, 1.0, Evidence::theorem, {{"part", part}});
  };
  return {condition(Role::core, "radius", Is::below, 1.0, Evidence::theorem, {{"part", "circle"}}),
          one("clockwise", "direction"), one("slower", "speed"), one("nearest.d512", "time")};
}

void conclude(const Cells& cells, Summary& summary) {
  const auto clocks = rows_of<Clock>(cells);
  const std::uint64_t points = total(clocks, &Clock::steps);
  add_overall(summary, "radius", {}, most(clocks, &Clock::radius), points,
              "Largest departure of a hand's length from 1, in units of the bound for rounding; 8 u.", 0.0,
              Kind::rounded, "× rounding error");
  add_overall(
      summary, "clockwise", {}, least(clocks, &Clock::clockwise), points,
      "Smallest share, over widths, of steps that turn clockwise with the sine across and the cosine up; "
      "theory: the cross product of two neighbours is -sin of the frequency, which is 1 or less.",
      1.0);
  add_overall(summary, "slower", {}, least(clocks, &Clock::slower), total(clocks, &Clock::hands),
              "Smallest share, over widths, of hands slower than the one before.", 1.0);
  summary.each(
      only(clocks, &Size::d, width), {exact("d", "dimension: d/2 hands", &Size::d)},
      {counted("nearest",
               "the position of 512 whose whole clock is most like that of position 0; theory: its neighbour",
               &Clock::nearest)
           .unit("positions")
           .n(text_length - 1)
           .chance(1)});
  add_dials(summary);
  summary.rule = rule();
}

}  // namespace

Experiment clock_hands(const Options& options) {
  Experiment claim{"V2",
                   "Every pair of dimensions lies on a unit circle and moves clockwise with the position, "
                   "like a clock with many hands, slower and slower, that points to a unique time.",
                   "[b]"};
  const std::size_t longest = pick<std::size_t>(options.preset, text_length, 8192, 65536);
  std::vector<Size> sizes;
  for (const std::size_t d : pick<std::vector<std::size_t>>(options.preset, {16, 64, width},
                                                            {16, 64, width, 1024}, {16, 64, width, 4096}))
    sizes.push_back({d, std::min(longest, largest_table / d)});
  claim.measure(
      sizes, [](const Size& at) { return 1e-8 * at.d * at.l; }, measure);
  claim.conclude(conclude);
  return beside_the_claims(claim);
}

}  // namespace perp::anatomy
