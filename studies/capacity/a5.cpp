// A5: concatenating needs a split chosen in advance: what a choice made in strong noise loses in weak noise,
// of splits and of sums, whose positions have a width and a share of the power as well.

#include <algorithm>
#include <cmath>

#include "perp/study/claim.hpp"
#include "studies/capacity/claims.hpp"
#include "studies/capacity/split.hpp"

namespace perp::capacity {
namespace {

/// A choice is made at the second noise and used at the first.
constexpr double weak_noise = joined_noises[0], strong_noise = joined_noises[1];
/// A loss of this many bits is one that a designer would mind.
constexpr double material_loss = 0.5;

/// One side's arms in one setting, with what they carry in weak and in strong noise.
struct Side : Joined {
  const char* name;
  std::vector<Arm> quiet, loud;

  Choice best() const { return choose(quiet, quiet, Choosers::group_before); }
  Choice moved() const { return choose(quiet, loud, Choosers::group_before); }
  /// In weak noise, of the width (or the share of power) chosen in strong noise, the other chosen anew.
  template <class Part>
  Values keeping(Part Arm::*part) const {
    const Choice strong = moved();
    Values bits;
    for (std::size_t book = 0; book < strong.arms.size(); ++book) {
      const std::vector<Arm> kept = only(quiet, part, strong.arms[book].*part);
      bits.push_back(choose(kept, kept, Choosers::group_before).bits[book]);
    }
    return bits;
  }
};
Estimate loss_of(const Side& side) { return over_groups(difference(side.best().bits, side.moved().bits)); }
template <class Part>
auto loss_keeping(Part Arm::*part) {
  return [part](const Side& side) { return over_groups(difference(side.best().bits, side.keeping(part))); };
}
std::size_t codebooks_of(const Side& side) { return side.quiet.front().bits.size(); }

/// A split's position has a quarter of the dimensions or more: an eighth of 32 holds two frequencies.
bool is_usual(const Arm& arm) { return 4 * arm.width >= arm.d; }

std::vector<Side> sides_of(const Group<Joined>& rows) {
  std::vector<Side> sides;
  for (const Group<Joined>& setting :
       group_by(rows, &Joined::d, &Joined::v, &Joined::l, &Joined::positions)) {
    const auto arms = [&](double noise) { return arms_of(only(setting, &Joined::noise, noise)); };
    const std::vector<Arm> quiet = arms(weak_noise), loud = arms(strong_noise);
    sides.push_back(
        {setting.front(), "split", where(splits_of(quiet), is_usual), where(splits_of(loud), is_usual)});
    sides.push_back({setting.front(), "sum", sums_of(quiet), sums_of(loud)});
  }
  return sides;
}

const auto d = exact("d", "dimension", &Joined::d);
const auto words = exact("words", "V", &Joined::v);
const auto length = exact("length", "L", &Joined::l).unit("positions");
const auto positions = exact("positions", "sinusoidal, centred or random", &Joined::positions);
const auto joined = exact("joined", "split (concatenated, d/4 or more for the position) or sum", &Side::name);
const auto codebooks =
    exact("codebooks", "tables drawn; eight groups of them choose for each other", codebooks_of);

void add_moved(const std::vector<Side>& sides, Summary& summary) {
  const auto chosen = [](Choice (Side::*choice)() const, auto part) {
    return [choice, part](const Side& side) { return (side.*choice)().overall.*part; };
  };
  const auto bits = [](Choice (Side::*choice)() const) {
    return [choice](const Side& side) { return over_codebooks((side.*choice)().bits); };
  };
  const auto loss_in_bits = [](const char* name, const char* meaning, auto get) {
    return in_bits(name, meaning, get).chance(0).n(choosing_groups);
  };
  const auto loss = loss_in_bits(
      "loss",
      "bits lost at noise ½ by the width (of a concatenation d/4 or more) and share of power that are "
      "best at noise 2, both chosen on other tables; 256 words and 64 positions at d = 32, "
      "1,024 and 256 at 64; 99% interval over groups of tables, each choosing for the next",
      loss_of);
  const auto of_width = loss_in_bits(
      "width_loss", "bits lost likewise where only the width is moved, its share of power chosen at noise ½",
      loss_keeping(&Arm::width));
  const auto of_share = loss_in_bits(
      "share_loss", "bits lost likewise where only the share of power is moved, its width chosen at noise ½",
      loss_keeping(&Arm::share));
  summary.table(
      "a5_moved.csv", sides,
      {d, words, length, positions, joined, codebooks,
       sampled("strong_width", "dₚ chosen at noise 2, by all tables", chosen(&Side::moved, &Arm::width)),
       sampled("strong_share", "share of power chosen there", chosen(&Side::moved, &Arm::share)),
       sampled("weak_width", "dₚ chosen at noise .5", chosen(&Side::best, &Arm::width)),
       sampled("weak_share", "share of power chosen there", chosen(&Side::best, &Arm::share)),
       with_ends(in_bits("bits", "at noise .5, of the choice made there", bits(&Side::best))),
       with_ends(loss), with_ends(of_width), with_ends(of_share)});
  summary.each(sides, {joined, positions, d}, {loss.as("moved_loss")});
  const auto told =
      where(sides, [](const Side& side) { return is_shown(side) && side.positions == "sinusoidal"; });
  summary.each(told, {joined, positions, d}, {of_width, of_share});
}

/// A codebook of a side.
struct Drawn : Side {
  std::size_t book;
};
void add_codebooks(const std::vector<Side>& sides, Summary& summary) {
  std::vector<Drawn> drawn;
  for (const Side& side : sides)
    for (std::size_t book = 0; book < codebooks_of(side); ++book) drawn.push_back({side, book});
  const auto chosen = [](Choice (Side::*choice)() const, auto value) {
    return [choice, value](const Drawn& at) { return (at.*choice)().arms[at.book].*value; };
  };
  const auto bits = [](Choice (Side::*choice)() const) {
    return [choice](const Drawn& at) { return (at.*choice)().bits[at.book]; };
  };
  summary.table(
      "a5_codebooks.csv", drawn,
      {d, positions, joined, exact("codebook", "the replicate", &Drawn::book),
       in_bits("best", "bits at noise .5 of the choice that the group before makes there", bits(&Side::best)),
       sampled("best_width", "its dₚ", chosen(&Side::best, &Arm::width)),
       sampled("best_share", "its share of power", chosen(&Side::best, &Arm::share)),
       in_bits("moved", "bits at noise .5 of the choice that it makes at noise 2", bits(&Side::moved)),
       sampled("moved_width", "its dₚ", chosen(&Side::moved, &Arm::width)),
       sampled("moved_share", "its share of power", chosen(&Side::moved, &Arm::share))});
}

/// One width of a split or sum in weak noise, its share of power chosen there on other codebooks.
struct Width : Joined {
  Arm arm;
  Values loss;
};
Estimate width_loss(const Width& width) { return over_codebooks(width.loss); }

std::vector<Width> widths_of(const Group<Joined>& rows) {
  std::vector<Width> widths;
  for (const Group<Joined>& place : group_by(only(rows, &Joined::noise, weak_noise), &Joined::d, &Joined::v,
                                             &Joined::l, &Joined::positions)) {
    const std::vector<Arm> arms = arms_of(place);
    for (const std::vector<Arm>& side : {splits_of(arms), sums_of(arms)}) {
      const Values best = choose(side).bits;
      for (Sizes seen; const Arm& arm : side)
        if (std::ranges::count(seen, arm.width) == 0) {
          seen.push_back(arm.width);
          const Choice choice = choose(only(side, &Arm::width, arm.width));
          widths.push_back({place.front(), choice.overall, difference(best, choice.bits)});
        }
    }
  }
  return widths;
}

void add_widths(const Group<Joined>& rows, Summary& summary) {
  const std::vector<Width> widths = widths_of(rows);
  const auto loss = in_bits(
      "loss", "bits of the best width less these at noise .5, share of power chosen for each; 99% interval",
      width_loss);
  summary.table("a5_widths.csv", widths,
                {d, positions,
                 exact("joined", "split (concatenated) or sum", [](const Width& w) { return w.arm.joined; }),
                 exact("width", "dₚ", [](const Width& w) { return w.arm.width; }),
                 exact("part", "dₚ/d", [](const Width& w) { return double(w.arm.width) / double(w.d); }),
                 sampled("share", "share of power chosen", [](const Width& w) { return w.arm.share; }),
                 with_ends(loss)});
  const auto is_eighth = [](const Width& w) {
    return is_shown(w) && w.arm.joined == "split" && w.arm.width == w.d / 8;
  };
  summary.each(where(widths, is_eighth), {positions},
               {loss.as("eighth_loss",
                        "Bits lost at noise ½ by an eighth of the dimensions for the position, share of "
                        "power chosen for it, against the best concatenation, d = 32, V = 256, L = 64.")
                    .chance(0)
                    .n([](const Width& w) { return w.loss.size(); })});
}

/// A choice of widths and powers made at one noise and used at another, on other codebooks: both ways to
/// join, every kind of positions, two widths.
Rule rule() {
  Rule rule;
  for (const std::string arm : {"split", "sum"})
    for (const Positions family : all_positions)
      for (const char* d : {"32", "64"}) {
        const std::string name = name_of(family);
        rule.push_back(condition(Role::core, fmt::format("moved_loss.{}.{}.d{}", arm, name, d), Is::above,
                                 material_loss, Evidence::simulation,
                                 {{"joined by", arm}, {"positions", name}, {"d", d}}, {},
                                 "width 64: preset full"));
      }
  rule.push_back(condition(Role::limit, "eighth_loss.sinusoidal", Is::above, material_loss,
                           Evidence::simulation,
                           {{"joined by", "split"}, {"positions", "sinusoidal"}, {"d", "32"}}));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const auto measured = rows_of<Joined>(cells);
  const Group<Joined> rows(measured.begin(), measured.end());
  const std::vector<Side> sides = sides_of(rows);
  add_moved(sides, summary);
  add_codebooks(sides, summary);
  add_widths(rows, summary);
  summary.rule = rule();
}

/// Widths 32 (256 words, 64 positions) and 64 (1,024 and 256).
std::vector<Book> joined_books(Preset preset) {
  const std::size_t samples = pick<std::size_t>(preset, 512, 1024, 4096);
  std::vector<Book> books =
      grid<Book>(shown_d, shown_words, shown_length, first(pick(preset, 8, 24, 48)), samples);
  constexpr std::size_t wide = 64, wide_words = 1024, wide_length = 256;
  for (const Book& book : grid<Book>(wide, wide_words, wide_length, first(pick(preset, 0, 16, 24)), samples))
    books.push_back(book);
  return books;
}

}  // namespace

Experiment choosing_a_split(const Options& options) {
  Experiment claim{"A5", "Concatenating needs a split between word and position that is chosen in advance.",
                   "[e, b]"};
  const Preset preset = options.preset;
  claim.measure(joined_books(preset), joined_cost, measure_joined);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::capacity
