// V2: pairs of columns as the hands of clocks: on the unit circle, which way round, and how fast?

#include "studies/anatomy/v2_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"

namespace perp::anatomy {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

/// Pairs that are drawn, √10 slower from one to the next, and the slowest; and positions on their dials.
constexpr std::array<std::size_t, 6> drawn_pairs{0, 32, 64, 96, 128, 255};
constexpr std::size_t drawn_positions = 13;
/// Entries of the largest table that is held, 256 MiB.
constexpr std::size_t largest_table = std::size_t{1} << 25;

std::vector<Cell> cells(const Options& options) {
  const std::size_t longest = pick<std::size_t>(options.preset, text_length, 8192, 65536);
  std::vector<Cell> cells;
  for (const std::size_t d : pick<std::vector<std::size_t>>(options.preset, {16, 64, width},
                                                            {16, 64, width, 1024}, {16, 64, width, 4096})) {
    const std::size_t l = std::min(longest, largest_table / d);
    cells.push_back({{{"d", whole(d)}, {"l", whole(l)}}, 1e-8 * static_cast<double>(d * l)});
  }
  return cells;
}

/// Hands over the first positions of a table.
Matrix<double> first_positions(const Matrix<double>& table, std::size_t count) {
  Matrix<double> out = matrix<double>(count, cols(table));
  std::copy_n(table.data(), out.size(), out.data());
  return out;
}

Records run(const Cell& cell, const Streams&) {
  const std::size_t d = size_at(cell.at, "d"), l = size_at(cell.at, "l");
  const Matrix<double> table = sinusoidal<double>(l, d);
  double radius = 0, swapped = 0, clockwise = 0, slower = 0, before = 0;
  for (std::size_t i = 0; i < d / 2; ++i) {
    const Hand hand = read_hand(table, 2 * i, 2 * i + 1);
    radius = std::max(radius, hand.radius_error);
    clockwise += static_cast<double>(hand.clockwise);
    swapped += static_cast<double>(read_hand(table, 2 * i + 1, 2 * i).clockwise);
    slower += i > 0 && hand.turned < before;
    before = hand.turned;
  }
  const std::size_t steps = d / 2 * (l - 1);
  Records records{{"hands",
                   {{"steps", whole(steps)},
                    {"radius", radius / radius_bound()},
                    {"clockwise", clockwise / static_cast<double>(steps)},
                    {"swapped", swapped / static_cast<double>(steps)},
                    {"slower", slower / static_cast<double>(d / 2 - 1)}}}};
  const Matrix<double> text = first_positions(table, text_length);
  const Nearest nearest = nearest_to_first(text), returns = hand_returns(text, 0);
  records.push_back({"text",
                     {{"nearest", whole(nearest.position)},
                      {"distance", nearest.distance},
                      {"returns", whole(returns.position)},
                      {"returns_off", returns.distance * degrees},
                      {"first", read_hand(text, 0, 1).turned / (2 * std::numbers::pi)},
                      {"last", read_hand(text, d - 2, d - 1).turned * degrees}}});
  if (d == width)
    for (std::size_t dial = 0; dial < drawn_pairs.size(); ++dial) {
      const std::size_t i = drawn_pairs[dial];
      const double step = read_hand(first_positions(table, 2), 2 * i, 2 * i + 1).turned;
      for (std::size_t t = 0; t < drawn_positions; ++t)
        records.push_back({"dial",
                           {{"dial", whole(dial + 1)},
                            {"pair", whole(i)},
                            {"step", step * degrees},
                            {"turn", 2 * std::numbers::pi / step},
                            {"position", whole(t)},
                            {"across", table(t, 2 * i)},
                            {"up", table(t, 2 * i + 1)}}});
    }
  return records;
}

Table hand_table(const std::vector<CellRecords>& cells) {
  Table table{
      "v2_hands.csv",
      {{"d", "1", Kind::exact, "dimension: d/2 hands"},
       {"positions", "positions", Kind::exact, "positions over which hands were followed"},
       {"radius", "rounding bounds", Kind::rounded, "largest departure of a hand's length from 1"},
       {"clockwise", "1", Kind::rounded, "share of all steps that turn clockwise, sine across, cosine up"},
       {"swapped", "1", Kind::rounded, "the same with the cosine across and the sine up"},
       {"slower", "1", Kind::rounded, "share of the hands that are slower than the one before"},
       {"first", "turns", Kind::rounded, "what the first hand turns over 512 positions"},
       {"last", "degrees", Kind::rounded, "what the last hand turns over 512 positions"},
       {"nearest", "positions", Kind::count, "the position most like position 0, of 512"},
       {"returns", "positions", Kind::count,
        "the position at which the first hand alone points most nearly where it began"},
       {"returns_off", "degrees", Kind::rounded, "how nearly"}},
      {}};
  const std::vector<Coordinates> texts = records_of(cells, "text");
  std::size_t i = 0;
  for (const Coordinates& r : records_of(cells, "hands")) {
    const Coordinates& text = texts.at(i++);
    table.add({at(r, "d"), at(r, "l"), at(r, "radius"), at(r, "clockwise"), at(r, "swapped"), at(r, "slower"),
               at(text, "first"), at(text, "last"), at(text, "nearest"), at(text, "returns"),
               at(text, "returns_off")});
  }
  return table;
}

Table dial_table(const std::vector<CellRecords>& cells) {
  Table table{"v2_dials.csv",
              {{"dial", "1", Kind::exact, "place in the picture"},
               {"pair", "1", Kind::exact, "i: dimensions 2i and 2i + 1 of 512"},
               {"step", "degrees", Kind::rounded, "what the hand turns from one position to the next"},
               {"turn", "positions", Kind::rounded, "positions to a full turn"},
               {"position", "positions", Kind::exact, "t"},
               {"across", "1", Kind::rounded, "dimension 2i, the sine"},
               {"up", "1", Kind::rounded, "dimension 2i + 1, the cosine"}},
              {}};
  for (const Coordinates& r : records_of(cells, "dial"))
    table.add({at(r, "dial"), at(r, "pair"), at(r, "step"), at(r, "turn"), at(r, "position"), at(r, "across"),
               at(r, "up")});
  return table;
}

void add_text_findings(const Coordinates& r, std::vector<Finding>& findings) {
  const std::size_t d = size_at(r, "d");
  const Coordinates place{{"d", whole(d)}};
  const auto add = [&](const char* measure, double value, double theory, const char* unit, Kind kind,
                       const char* meaning) {
    findings.push_back(
        finding("V2", measure, place, {value},
                {.theory = theory, .unit = unit, .n = text_length - 1, .kind = kind, .meaning = meaning}));
  };
  const std::vector<double> omega = frequencies(d);
  const double last = static_cast<double>(text_length - 1);
  add("first_turns", number_at(r, "first"), omega.front() * last / (2 * std::numbers::pi), "turns",
      Kind::rounded, "Turns of the fastest hand over 512 positions; theory: from its frequency.");
  add("last_degrees", number_at(r, "last"), omega.back() * last * degrees, "degrees", Kind::rounded,
      "Degrees that the slowest hand turns over 512 positions; theory: from its frequency.");
  add("nearest", number_at(r, "nearest"), 1, "positions", Kind::count,
      "The position of 512 whose whole clock is most like that of position 0; theory: its neighbour.");
  add("nearest_distance", number_at(r, "distance"),
      std::sqrt(2 * (theory::kernel_exact(d, usual_base, 0) - theory::kernel_exact(d, usual_base, 1))), "1",
      Kind::rounded, "Its distance; theory: that of neighbours.");
  add("returns", number_at(r, "returns"), 333, "positions", Kind::count,
      "The position of 512 at which the fastest hand alone points most nearly where it began; theory: 333, "
      "which "
      "is nearly 53 full turns, for 333/106 is a convergent of pi.");
  add("returns_off", number_at(r, "returns_off"), (106 * std::numbers::pi - 333) * degrees, "degrees",
      Kind::rounded, "How nearly; theory: 106 pi less 333.");
}

Rule rule() {
  const auto one = [](const char* finding, const char* part, const char* says) {
    return Condition{.finding = finding,
                     .is = Is::equal,
                     .bound = 1.0,
                     .evidence = Evidence::theorem,
                     .levels = {{"part", part}},
                     .says = says};
  };
  return {{.finding = "V2.radius",
           .is = Is::below,
           .bound = 1.0,
           .evidence = Evidence::theorem,
           .levels = {{"part", "circle"}},
           .says = "largest departure of a hand's length from 1, in rounding bounds"},
          one("V2.clockwise", "direction", "least share of steps that turn clockwise, over widths"),
          one("V2.slower", "speed", "least share of hands slower than the one before, over widths"),
          one("V2.nearest.d512", "time", "position most like position 0, of 512, d = 512")};
}

Outcome summarise(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {hand_table(cells), dial_table(cells)};
  double radius = 0, clockwise = 1, swapped = 0, slower = 1;
  std::uint64_t points = 0, hands = 0;
  for (const Coordinates& r : records_of(cells, "hands")) {
    radius = std::max(radius, number_at(r, "radius"));
    clockwise = std::min(clockwise, number_at(r, "clockwise"));
    swapped = std::max(swapped, number_at(r, "swapped"));
    slower = std::min(slower, number_at(r, "slower"));
    points += size_at(r, "steps");
    hands += size_at(r, "d") / 2;
  }
  const auto add = [&](const char* measure, double value, double theory, const char* unit, std::uint64_t n,
                       const char* meaning) {
    outcome.findings.push_back(
        finding("V2", measure, {}, {value},
                {.theory = theory, .unit = unit, .n = n, .kind = Kind::rounded, .meaning = meaning}));
  };
  add("radius", radius, 0, "rounding bounds", points,
      "Largest departure of a hand's length from 1 over its rounding bound of 8 u.");
  add("clockwise", clockwise, 1, "1", points,
      "Smallest share, over widths, of steps that turn clockwise with the sine across and the cosine up; "
      "theory: "
      "the cross product of two neighbours is -sin of the frequency, which is 1 or less.");
  add("swapped", swapped, 0, "1", points,
      "Largest share of steps that turn clockwise with the cosine across and the sine up.");
  add("slower", slower, 1, "1", hands, "Smallest share, over widths, of hands slower than the one before.");
  for (const Coordinates& r : records_of(cells, "text"))
    if (size_at(r, "d") == width) add_text_findings(r, outcome.findings);
  outcome.rule = rule();
  outcome.condition = fmt::format(
      "hands depart from the circle by {:.2f} of the rounding bound, {:.1f} % of their steps are clockwise, "
      "{:.1f} % of them are slower than the one before, and of 512 positions the one most like the first is "
      "number {:.0f}",
      radius, 100 * clockwise, 100 * slower, find(outcome.findings, "V2.nearest.d512")->value);
  outcome.matters = fmt::format(
      "no hand tells the time alone: the fastest comes within {:.2f} degrees of where it began after {:.0f} "
      "positions",
      find(outcome.findings, "V2.returns_off.d512")->value, find(outcome.findings, "V2.returns.d512")->value);
  return outcome;
}

}  // namespace

Experiment clock_hands(const Options& options) {
  return beside_the_claims(Experiment{
      "V2",
      "Every pair of dimensions lies on a unit circle and moves clockwise with the position, like a "
      "clock with "
      "many hands, slower and slower, that points to a unique time.",
      "[b]",
      {},
      cells(options),
      run,
      summarise});
}

}  // namespace perp::anatomy
