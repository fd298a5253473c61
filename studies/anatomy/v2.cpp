// V2: pairs of columns as the hands of clocks: on the unit circle, which way round, and how fast?

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/study/claim.hpp"
#include "perp/theory/distance.hpp"
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
/// All hands over all positions; then a text's.
struct Clock : Size {
  std::size_t steps;
  double radius, clockwise, swapped, slower;
  std::size_t nearest, returns;
  double distance, returns_off, first, last;
};
PERP_ROW_OF(Clock, Size, steps, radius, clockwise, swapped, slower, nearest, returns, distance, returns_off,
            first, last)

void measure(const Size& at, const Streams&, Rows& rows) {
  const Matrix<double> table = sinusoidal<double>(at.l, at.d), text = sinusoidal<double>(text_length, at.d);
  double radius = 0, swapped = 0, clockwise = 0, slower = 0, before = 0;
  for (std::size_t i = 0; i < at.hands(); ++i) {
    const Hand hand = read_hand(table, 2 * i, 2 * i + 1);
    radius = std::max(radius, hand.radius_error);
    clockwise += hand.clockwise;
    swapped += read_hand(table, 2 * i + 1, 2 * i).clockwise;
    slower += i > 0 && hand.turned < before;
    before = hand.turned;
  }
  const std::size_t steps = at.hands() * (at.l - 1);
  const Nearest nearest = nearest_to_first(text), returns = hand_returns(text, 0);
  rows.add(Clock{at, steps, radius / radius_bound(), clockwise / double(steps), swapped / double(steps),
                 slower / double(at.hands() - 1), nearest.position, returns.position, nearest.distance,
                 returns.distance * degrees, read_hand(text, 0, 1).turned / circle,
                 read_hand(text, at.d - 2, at.d - 1).turned * degrees});
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

void add_clocks(const std::vector<Clock>& clocks, Summary& summary) {
  const auto d = exact("d", "dimension: d/2 hands", &Size::d);
  const auto l = exact("positions", "positions over which hands were followed", &Size::l).unit("positions");
  const auto of_text = [](const char* name, const char* unit, const char* meaning, auto number) {
    return rounded(name, meaning, number).unit(unit).n(text_length - 1);
  };
  const auto counted_in_text = [](const char* name, const char* meaning, std::size_t Clock::*number) {
    return counted(name, meaning, number).unit("positions").n(text_length - 1);
  };
  const auto first = of_text("first", "turns", "what the first hand turns over 512 positions", &Clock::first);
  const auto last = of_text("last", "degrees", "what the last hand turns over 512 positions", &Clock::last);
  const auto nearest = counted_in_text(
      "nearest",
      "the position of 512 whose whole clock is most like that of position 0; theory: its neighbour",
      &Clock::nearest);
  const auto returns =
      counted_in_text("returns",
                      "the position of 512 at which the first hand alone points most nearly where it began; "
                      "theory: 333, nearly 53 full turns, for 333/106 is a convergent of pi",
                      &Clock::returns);
  summary.table("v2_hands.csv", clocks,
                {d, l,
                 rounded("radius", "largest departure of a hand's length from 1", &Clock::radius)
                     .unit("× rounding error"),
                 rounded("clockwise", "share of all steps that turn clockwise, sine across, cosine up",
                         &Clock::clockwise),
                 rounded("swapped", "the same with the cosine across and the sine up", &Clock::swapped),
                 rounded("slower", "share of the hands that are slower than the one before", &Clock::slower),
                 first, last, nearest, returns});
  const auto kernel = [](const Size& at, double lag) { return theory::kernel_exact(at.d, usual_base, lag); };
  summary.each(
      only(clocks, &Size::d, width), {d},
      {first.as("first_turns", "Turns of the fastest hand over 512 positions; theory: from its frequency.")
           .theory([](const Size& at) { return frequencies(at.d).front() * (text_length - 1) / circle; }),
       last.as("last_degrees",
               "Degrees that the slowest hand turns over 512 positions; theory: from its frequency.")
           .theory([](const Size& at) { return frequencies(at.d).back() * (text_length - 1) * degrees; }),
       nearest.chance(1),
       of_text("nearest_distance", "1", "Its distance; theory: that of neighbours.", &Clock::distance)
           .theory([kernel](const Size& at) { return std::sqrt(2 * (kernel(at, 0) - kernel(at, 1))); }),
       returns.chance(333),
       of_text("returns_off", "degrees", "How nearly; theory: 106 pi less 333.", &Clock::returns_off)
           .chance((106 * std::numbers::pi - 333) * degrees)});
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
  const std::uint64_t points = total(clocks, &Clock::steps), hands = total(clocks, &Clock::hands);
  const auto add = [&](const char* measure, double value, double theory, std::uint64_t n, const char* meaning,
                       const char* unit = "1") {
    add_overall(summary, measure, {}, value, n, meaning, theory, Kind::rounded, unit);
  };
  add("radius", most(clocks, &Clock::radius), 0, points,
      "Largest departure of a hand's length from 1, in units of the bound for rounding; 8 u.",
      "× rounding error");
  add("clockwise", least(clocks, &Clock::clockwise), 1, points,
      "Smallest share, over widths, of steps that turn clockwise with the sine across and the cosine up; "
      "theory: the cross product of two neighbours is -sin of the frequency, which is 1 or less.");
  add("swapped", most(clocks, &Clock::swapped), 0, points,
      "Largest share of steps that turn clockwise with the cosine across and the sine up.");
  add("slower", least(clocks, &Clock::slower), 1, hands,
      "Smallest share, over widths, of hands slower than the one before.");
  add_clocks(clocks, summary);
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
