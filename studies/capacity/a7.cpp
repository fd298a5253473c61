// A7: "smaller word and smaller PE, concatenated": bits of word and position that survive noise, the best
// split against the best sum, both with width and share of power chosen on other codebooks.

#include <algorithm>
#include <cmath>

#include "perp/study/claim.hpp"
#include "perp/theory/information.hpp"
#include "studies/capacity/a7_optimised.hpp"
#include "studies/capacity/claims.hpp"
#include "studies/capacity/split.hpp"

namespace perp::capacity {
namespace {

/// A gain of this share of log2(VL) is one that a designer would mind.
constexpr double material_gain = 0.01;
/// Above this share of log2(VL) there is next to nothing to gain.
constexpr double full_share = 0.98;

double ceiling(const Joined& at) { return std::log2(at.v * at.l); }
/// The noise in three digits: a coordinate.
double level(const Joined& at) { return std::round(1000 * at.noise) / 1000; }

/// One kind of positions at one noise, all codebooks.
struct Place : Joined {
  std::vector<Arm> arms;
  Choice split = {}, sum = {}, beyond = {};
  /// At a third of the power: the split chosen among splits less the full sum, and its two parts, the narrow
  /// sum of the split's own table between them.
  Values tables = {}, of_table = {}, of_joining = {};
  Estimate gain = {};
  bool is_certain = false;
};

Place place_of(const Group<Joined>& rows) {
  Place place{rows.front(), arms_of(rows)};
  const std::vector<Arm> splits = splits_of(place.arms), sums = sums_of(place.arms);
  place.split = choose(splits), place.sum = choose(sums);
  place.beyond = choose(only(place.arms, &Arm::joined, "split"));
  place.gain = over_codebooks(difference(place.split.bits, place.sum.bits));
  const Choice plain = choose(only(splits, &Arm::share, plain_share));
  const auto sum_of_width = [&](std::size_t width) {
    return only(sums, &Arm::share, plain_share, &Arm::width, width).front().bits;
  };
  Values narrow;
  for (std::size_t book = 0; book < plain.bits.size(); ++book)
    narrow.push_back(sum_of_width(plain.arms[book].width)[book]);
  place.tables = difference(plain.bits, sum_of_width(place.d));
  place.of_table = difference(narrow, sum_of_width(place.d));
  place.of_joining = difference(plain.bits, narrow);
  return place;
}

double mean_of(const Values& bits) { return over_codebooks(bits).value; }
double filled(const Place& p) { return std::max(mean_of(p.split.bits), mean_of(p.sum.bits)) / ceiling(p); }
bool is_full(const Place& p) { return filled(p) > full_share; }

std::vector<Place> places_of(const Cells& cells) {
  std::vector<Place> places;
  for (const Group<Joined>& rows : group_by(rows_of<Joined>(cells), &Joined::d, &Joined::v, &Joined::l,
                                            &Joined::positions, &Joined::noise))
    places.push_back(place_of(rows));
  std::vector<Estimate> gains;
  for (const Place& p : places)
    if (!is_full(p)) gains.push_back(p.gain);
  const std::vector<bool> found = certain(gains);
  for (std::size_t next = 0; Place & p : places) p.is_certain = !is_full(p) && found[next++];
  return places;
}

const char* winner(const Place& p) {
  return is_full(p) ? "full" : !p.is_certain ? "even" : p.gain.value > 0 ? "split" : "sum";
}
Estimate gain_share(const Place& p) {
  Values gains = difference(p.split.bits, p.sum.bits);
  for (double& gain : gains) gain /= ceiling(p);
  return over_codebooks(gains);
}
/// No way to join gets more through than a white Gaussian of all the power; said where it is well below
/// log2(VL), which bounds the bits as well.
double white_bound(const Joined& p) {
  const double bits = theory::white_bits(p.d, total_power(p.d), noise_at(p.d, p.noise));
  return bits < ceiling(p) / 2 ? bits : NAN;
}
std::size_t codebooks_of(const Place& p) { return p.split.bits.size(); }
auto by_codebook(Values Place::*values) {
  return [values](const Place& p) { return over_codebooks(p.*values); };
}
auto of_choice(Choice Place::*choice) {
  return [choice](const Place& p) { return over_codebooks((p.*choice).bits); };
}

const auto d = exact("d", "dimension", &Joined::d);
const auto words = exact("words", "V: words of the codebook", &Joined::v);
const auto length = exact("length", "L: positions", &Joined::l).unit("positions");
const auto positions = exact("positions", "sinusoidal, centred or random", &Joined::positions);
const auto noise = exact("noise", "standard deviation at d = 32; n = noise sqrt(d/32)", &Joined::noise);
const auto noise_level = exact("noise", "the same in three digits", level);
const auto codebooks = exact("codebooks", "tables drawn", codebooks_of);
/// Of a difference, with its chance level and its codebooks.
template <class Get>
auto bits_more(std::string_view name, std::string_view meaning, Get get) {
  return in_bits(name, meaning, get).chance(0).n(codebooks_of);
}
const auto gain = bits_more(
    "gain",
    "bits of the best split minus the best sum, each with width and share of power chosen on other "
    "codebooks, paired by codebook; 256 words and 64 positions at d = 32, 1,024 and 256 above; 99% interval",
    &Place::gain);
const auto tables = bits_more("tables",
                              "bits of the best split less those of the full sum, the position with a third "
                              "of the power: two tables of positions are compared",
                              by_codebook(&Place::tables));
const auto of_table = bits_more("of_table",
                                "its part that is the table's: bits of the sum with the split's own narrow "
                                "table less those with the full one",
                                by_codebook(&Place::of_table));
const auto of_joining =
    bits_more("of_joining", "the rest: bits of the split less those of the sum with the same narrow table",
              by_codebook(&Place::of_joining));

void add_bits_table(const std::vector<Place>& places, Summary& summary) {
  const auto width = [](Choice Place::*choice) {
    return [choice](const Place& p) { return (p.*choice).overall.width; };
  };
  const auto share = [](Choice Place::*choice) {
    return [choice](const Place& p) { return (p.*choice).overall.share; };
  };
  const auto regret = [](Choice Place::*choice) {
    return [choice](const Place& p) { return (p.*choice).regret; };
  };
  summary.table(
      "a7_bits.csv", places,
      {d,
       words,
       length,
       positions,
       noise,
       codebooks,
       with_ends(in_bits("split",
                         "I(W,T;Y) of the best split, width and share of power chosen for each codebook by "
                         "the others; 99% interval over codebooks",
                         of_choice(&Place::split))),
       sampled("split_width", "its dₚ, by all codebooks", width(&Place::split)),
       sampled("split_share", "its share of the power for the position", share(&Place::split)),
       in_bits("split_regret", "bits of the best of all codebooks less these", regret(&Place::split)),
       with_ends(in_bits("sum", "the same of the best sum, narrow or full", of_choice(&Place::sum))),
       sampled("sum_width", "its dₚ", width(&Place::sum)),
       sampled("sum_share", "its share of the power for the position", share(&Place::sum)),
       in_bits("sum_regret", "as of the split", regret(&Place::sum)),
       with_ends(gain),
       sampled("gain_share", "gain over log2(VL)", gain_share),
       sampled("winner",
               "sum, split; even: the gain does not differ from 0 by Benjamini and Hochberg's procedure at "
               "1%, all rows together; full, left out of it: the better carries above 98% of log2(VL)",
               winner),
       sampled("filled", "share of log2(VL) that the better side carries", filled),
       with_ends(tables),
       with_ends(of_table),
       with_ends(of_joining),
       in_bits("beyond", "best split of up to 7d/8 for the position", of_choice(&Place::beyond)),
       exact("white", "bits that no way to join exceeds, where below half of log2(VL)", white_bound)
           .unit("bits"),
       exact("ceiling", "log2(VL)", ceiling).unit("bits")});
}

/// One codebook of a place, and one arm of it.
struct Drawn : Place {
  std::size_t book;
};
void add_codebooks(const std::vector<Place>& places, Summary& summary) {
  std::vector<Drawn> drawn;
  for (const Place& p : places)
    for (std::size_t book = 0; book < codebooks_of(p); ++book) drawn.push_back({p, book});
  const auto bits = [](Choice Place::*choice) {
    return [choice](const Drawn& at) { return (at.*choice).bits[at.book]; };
  };
  const auto width = [](Choice Place::*choice) {
    return [choice](const Drawn& at) { return (at.*choice).arms[at.book].width; };
  };
  const auto share = [](Choice Place::*choice) {
    return [choice](const Drawn& at) { return (at.*choice).arms[at.book].share; };
  };
  const auto part = [](Values Place::*values) {
    return [values](const Drawn& at) { return (at.*values)[at.book]; };
  };
  summary.table("a7_codebooks.csv", drawn,
                {d, words, length, positions, noise, exact("codebook", "the replicate", &Drawn::book),
                 in_bits("split", "bits of the split that the other codebooks chose", bits(&Place::split)),
                 sampled("split_width", "its dₚ", width(&Place::split)),
                 sampled("split_share", "its share of power", share(&Place::split)),
                 in_bits("sum", "bits of the sum that the other codebooks chose", bits(&Place::sum)),
                 sampled("sum_width", "its dₚ", width(&Place::sum)),
                 sampled("sum_share", "its share of power", share(&Place::sum)),
                 in_bits("tables", "split less full sum at a third of the power", part(&Place::tables)),
                 in_bits("of_table", "its part that is the narrow table's", part(&Place::of_table)),
                 in_bits("of_joining", "the rest", part(&Place::of_joining))});
}

struct Way : Place {
  Arm arm;
};
Estimate way_bits(const Way& way) { return over_codebooks(way.arm.bits); }
bool has_whole_noise(const Joined& at) { return at.noise == 0.5 || at.noise == 1 || at.noise == 2; }

void add_arms(const std::vector<Place>& shown, Summary& summary) {
  std::vector<Way> ways;
  for (const Place& p : where(shown, has_whole_noise))
    for (const Arm& arm : p.arms) ways.push_back({p, arm});
  const auto bits = in_bits("bits", "I(W,T;Y); 99% interval over codebooks", way_bits);
  const auto width = exact("width", "dₚ", [](const Way& way) { return way.arm.width; });
  summary.table(
      "a7_arms.csv", ways,
      {exact("positions", "sinusoidal, centred or random; d = 32, V = 256, L = 64", &Joined::positions),
       noise, exact("joined", "split or sum", [](const Way& way) { return way.arm.joined; }), width,
       exact("share", "share of the power for the position", [](const Way& way) { return way.arm.share; }),
       codebooks, with_ends(bits)});
}

/// Where the rule asks: of the noises at which no side is full.
bool is_judged(const Place& p) { return p.noise >= 1 && (is_shown(p) ? has_whole_noise(p) : p.v == 1024); }

void add_findings(const std::vector<Place>& places, Summary& summary) {
  const auto beyond = [](const Place& p) { return over_codebooks(difference(p.beyond.bits, p.sum.bits)); };
  const auto shown_at = [&](double noise) {
    return where(places, [=](const Place& p) { return is_shown(p) && p.noise == noise; });
  };
  summary.each(where(places, is_judged), {positions, noise_level, d},
               {gain.as("gain_best_sum", gain.about().meaning)});
  summary.each(shown_at(1), {positions, noise_level, d},
               {sampled("gain_share", "The same, over the bits that are sent, log2(VL).", gain_share)
                    .chance(0)
                    .n(codebooks_of)});
  summary.each(
      shown_at(0.5), {positions, noise_level, d},
      {sampled("filled", "Share of log2(VL) that the better of the two carries.", filled).n(codebooks_of)});
  summary.each(shown_at(0.5), {positions, noise_level}, {tables.as("two_tables", tables.about().meaning)});
  summary.each(only(shown_at(0.5), &Place::positions, "sinusoidal"), {positions, noise_level},
               {of_table, of_joining});
  summary.each(only(shown_at(2), &Place::positions, "random"), {positions, noise_level}, {of_joining});
  summary.each(shown_at(1), {positions, noise_level},
               {bits_more("beyond",
                          "Bits of the best split of up to 7d/8 dimensions for the position minus the best "
                          "sum: beyond the grid of the rule.",
                          beyond)});
}

/// What choosing on other codebooks costs the one side more than the other, on the map.
void add_regret(const std::vector<Place>& places, Summary& summary) {
  using Map = Group<Place>;
  const auto regret = [](const Place& p) { return std::abs(p.split.regret - p.sum.regret); };
  summary.each(
      group_by(where(places, [](const Place& p) { return !is_full(p); }), &Place::positions), {positions},
      {in_bits("largest_regret",
               "Choosing on other codebooks costs a side some bits against the choice of all codebooks: the "
               "largest difference of the two sides' on the map.",
               [regret](const Map& map) { return most(map, regret); })
           .n(&Map::size)});
}

/// The best split against the best sum, both with widths and share of power chosen on other codebooks, of 256
/// words at 64 positions (d = 32) or 1,024 at 256.
Condition gain_condition(Positions family, double noise, std::size_t d, Role role) {
  const double bits = d == 32 ? 14 : 18;
  const std::string shown = fmt::format("{}", noise), name = name_of(family);
  return condition(role, finding_id("gain_best_sum", name, {{"noise", noise}, {"d", whole(d)}}), Is::above,
                   material_gain * bits, Evidence::simulation,
                   {{"positions", name}, {"noise", shown}, {"d", fmt::format("{}", d)}}, {},
                   "widths above 32: preset full");
}

/// Left out by name, for the better side carries more than 98 % of log2(VL) there: n = ½ and below, every
/// kind of positions, both widths.
Rule rule() {
  Rule rule;
  for (const std::size_t d : {32, 64})
    for (const Positions family : all_positions)
      for (const double noise : {1.0, 2.0}) rule.push_back(gain_condition(family, noise, d, Role::core));
  for (const std::size_t d : {128, 256})
    for (const Positions family : all_positions) rule.push_back(gain_condition(family, 1, d, Role::limit));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const std::vector<Place> places = places_of(cells), shown = where(places, is_shown);
  add_bits_table(places, summary);
  add_codebooks(places, summary);
  add_arms(shown, summary);
  add_findings(places, summary);
  add_regret(places, summary);
  const auto optimised = rows_of<Optimised>(cells);
  add_optimised({optimised.begin(), optimised.end()}, summary);
  summary.rule = rule();
}

/// What A5 reads, too, and for the limits and the map of full presets more widths.
std::vector<Book> books(Preset preset) {
  std::vector<Book> books = judged_books(preset);
  if (preset == Preset::quick) return books;
  const std::size_t samples = preset == Preset::full ? 512 : 2048;
  const auto add = [&](std::size_t d, std::size_t v, std::size_t l, const char* noises) {
    for (const Book& book : books_of(d, v, l, 12, samples, noises)) books.push_back(book);
  };
  for (const std::size_t d : {128, 256}) add(d, 1024, 256, "one");
  for (const std::size_t d : {64, 128, 256}) add(d, shown_words, shown_length, "map");
  return books;
}

}  // namespace

Experiment information_by_split(const Options& options) {
  Experiment claim{
      "A7", "Concatenating a smaller word and a smaller position vector preserves more than adding them.",
      "[e asks]"};
  claim.work = joined_work;
  claim.measure(books(options.preset), joined_cost, measure_joined);
  claim.measure(
      descents(options.preset), [](const Descent& at) { return 0.02 * double(at.steps); }, measure_optimised);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::capacity
