// A7: "smaller word and smaller PE, concatenated": the bits of word and position that survive noise, added
// and for every split.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/study/claim.hpp"
#include "perp/theory/information.hpp"
#include "studies/capacity/claims.hpp"
#include "studies/capacity/split.hpp"

namespace perp::capacity {
namespace {

using Sizes = std::vector<std::size_t>;

/// The noises whose numbers are printed: words are found nearly always, and not.
constexpr double low_noise = 0.5, high_noise = 1;
/// A gain of this share of log2(VL) is one that a designer would mind.
constexpr double material_gain = 0.01;

struct Book {
  std::size_t d, v, codebook, samples;
  std::string grid;
};
PERP_ROW(Book, d, v, codebook, samples, grid)
/// Bits of the sum and of the splits d_p = d/8 … 7d/8.
struct Bits : Book {
  std::size_t l;
  std::string positions;
  double noise, adding, adding_word, adding_position, gaussian;
  double split1, split2, split3, split4, split5, split6, split7;
};
PERP_ROW_OF(Bits, Book, l, positions, noise, adding, adding_word, adding_position, gaussian, split1, split2,
            split3, split4, split5, split6, split7)
constexpr double Bits::*splits[] = {&Bits::split1, &Bits::split2, &Bits::split3, &Bits::split4,
                                    &Bits::split5, &Bits::split6, &Bits::split7};

/// Steps of √2, from noise that hardly disturbs to noise that leaves a few bits; the small grid's first and
/// last are less extreme.
Values noises_of(bool small) {
  Values result;
  for (int step = small ? -2 : -3; step <= (small ? 2 : 4); ++step)
    result.push_back(std::exp2(std::floor(step / 2.0)) * (step % 2 ? std::numbers::sqrt2 : 1));
  return result;
}

void measure(const Book& at, const Streams& streams, Rows& rows) {
  const bool small = at.grid == "small";
  const Values noises = noises_of(small);
  const Matrix<float> words = word_table(at.v, at.d, streams("words"));
  const Samples samples = draw_samples(at.samples, at.v, at.d, streams("sent"), streams("noise"));
  const WordChannels word = word_channels(words, samples, std::size(splits) + 1, noises);
  for (const std::size_t l : small ? Sizes{shown_length} : Sizes{shown_length, 256})
    for (const Positions family : all_positions) {
      const double power = position_power(at.d);
      const Matrix<float> table = position_table(family, l, at.d, power, streams("positions", l));
      const CodeProducts positions = position_products(table, samples);
      const CrossTable cross = cross_table(words, table);
      std::vector<Channel> narrow;
      for (const std::size_t width : position_widths(at.d)) {
        const Stream stream = streams("split positions", 8192 * l + width);
        narrow.push_back(channel_of(
            position_products(position_table(family, l, width, power, stream), samples), at.d, noises));
      }
      // The ceiling hardly differs between codebooks, and its eigenvalues are dear.
      Values spectrum;
      if (at.codebook == 0) spectrum = covariance_eigenvalues(words, table);
      for (std::size_t k = 0; k < noises.size(); ++k) {
        const double n = noise_at(at.d, noises[k]),
                     gaussian = spectrum.empty() ? std::nan("") : theory::gaussian_bits(spectrum, n);
        const SharedBits bits =
            shared_bits(added_negative_log_likelihoods(word.all, positions, cross, n), at.v, l);
        const auto split = [&](std::size_t s) { return word.by_split[s].bits[k] + narrow[s].bits[k]; };
        rows.add(Bits{at, l, name_of(family), noises[k], bits.both.value, bits.word.value,
                      bits.position.value, gaussian, split(0), split(1), split(2), split(3), split(4),
                      split(5), split(6)});
      }
    }
}

double ceiling(const Bits& b) { return std::log2(b.v * b.l); }
bool is_printed(const Bits& b) { return b.noise == low_noise || b.noise == high_noise; }

/// A place of the grid with all of its codebooks, and a way to send word and position there.
struct Point : Bits {
  Group<Bits> books;
  std::size_t width;  ///< of the position; 0: added
  Values bits;
};
/// The best split there, for each codebook by the others, and whether it differs from the sum.
struct Best : Point {
  Estimate gain;
  bool is_certain;
};

std::vector<Best> best_splits(const std::vector<Group<Bits>>& places) {
  std::vector<Best> points;
  std::vector<Estimate> gains;
  for (const Group<Bits>& books : places) {
    std::vector<Values> arms;
    for (const auto& split : splits) arms.push_back(books.values(split));
    Values best;
    for (std::size_t book = 0; book < books.size(); ++book) best.push_back(arms[best_arm(arms, book)][book]);
    gains.push_back(over_codebooks(difference(best, books.values(&Bits::adding))));
    const std::size_t width = position_widths(books.front().d)[best_arm(arms)];
    points.push_back({{books.front(), books, width, best}, gains.back(), false});
  }
  const std::vector<bool> is_certain = certain(gains);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].is_certain = is_certain[i];
  return points;
}

const char* winner(const Best& b) {
  return !b.is_certain ? "even" : b.gain.value > 0 ? "concatenating" : "adding";
}

std::size_t codebooks_of(const Point& p) { return p.books.size(); }
Estimate mean_of(const Point& p) { return over_codebooks(p.bits); }

const auto positions = exact("positions", "sinusoidal, centred or random", &Bits::positions);
const auto noise = exact("noise", "standard deviation at d = 32; n = noise sqrt(d/32)", &Bits::noise);
const auto width = exact("width", "d_p: dimensions of the position; 0: added", &Point::width);
const auto codebooks = exact("codebooks", "tables drawn", codebooks_of);
const auto gain = in_bits("gain", "best - adding, paired by codebook; 99 % interval", &Best::gain);

void add_bits_table(const std::vector<Best>& points, Summary& summary) {
  const auto mean = [](double Bits::*value) {
    return [value](const Point& p) { return over_codebooks(p.books.values(value)); };
  };
  const auto load = [](const Bits& b) { return ceiling(b) / b.d; };
  summary.table(
      "a7_bits.csv", points,
      {exact("d", "dimension", &Bits::d), exact("words", "V: words of the codebook", &Bits::v),
       exact("length", "L: positions", &Bits::l).unit("positions"), positions, noise,
       exact("load", "log2(VL)/d: bits to be carried per dimension", load).unit("bits"), codebooks,
       with_ends(in_bits("adding", "I(W,T;Y) of the sum; 99 % interval over codebooks", mean(&Bits::adding))),
       in_bits("adding_word", "I(W;Y), the position unknown", mean(&Bits::adding_word)),
       in_bits("adding_position", "I(T;Y), the word unknown", mean(&Bits::adding_position)),
       with_ends(in_bits(
           "best", "the same of the best split, chosen for each codebook by the other codebooks", mean_of)),
       sampled("best_width", "position dimensions of the split with the largest mean", &Point::width),
       with_ends(gain),
       sampled("winner",
               "adding, concatenating, or even: the gain does not differ from 0 by Benjamini and Hochberg's "
               "procedure at 1 %, all rows together",
               winner),
       in_bits("gaussian",
               "1/2 log2 det(I + covariance/n^2), covariance of the first codebook's sums: no more gets "
               "through by adding",
               &Bits::gaussian),
       exact("ceiling", "log2(VL)", ceiling).unit("bits")});
}

/// The sum and every split, where numbers are printed.
std::vector<Point> shown_ways(const std::vector<Best>& points) {
  std::vector<Point> ways;
  for (const Best& b : where(points, is_shown)) {
    ways.push_back({b, b.books, 0, b.books.values(&Bits::adding)});
    for (std::size_t s = 0; s < std::size(splits); ++s)
      ways.push_back({b, b.books, position_widths(b.d)[s], b.books.values(splits[s])});
  }
  return ways;
}

void add_ways(const std::vector<Point>& ways, Summary& summary) {
  summary.table(
      "a7_splits.csv", ways,
      {exact("positions", "sinusoidal, centred or random; d = 32, V = 256, L = 64", &Bits::positions),
       exact("noise", "standard deviation per dimension", &Bits::noise), width, codebooks,
       with_ends(in_bits("bits", "I(W,T;Y); 99 % interval over codebooks", mean_of))});
  const auto without_spread = [](const Point& p) {  // no rule judges it
    Estimate mean = mean_of(p);
    mean.spread.reset();
    return mean;
  };
  const auto bits = in_bits("", "", without_spread).theory(ceiling).n(codebooks_of);
  for (const Point& way : where(ways, is_printed))
    if (way.width == 0)
      summary.each(std::vector{way}, {positions, noise},
                   {bits.as("adding",
                            "Bits of word and position in their noisy sum, d = 32, V = 256, L = 64; theory: "
                            "log2(VL), no more than which there is.")});
    else if (way.width == 4 || way.width == 12 || way.width == 16)
      summary.each(std::vector{way}, {positions, noise, width},
                   {bits.as("split",
                            "Bits of word and position, concatenated with so many dimensions for the "
                            "position, d = 32, V = 256, L = 64; theory: log2(VL), no more than which there "
                            "is.")});
}

double largest_gain(const Group<Best>& points) {
  return most(points, [](const Best& b) { return b.gain.value; });
}
double largest_loss(const Group<Best>& points) {
  return most(points, [](const Best& b) { return -b.gain.value; });
}
std::size_t count(const Group<Best>& points) { return points.size(); }

/// Largest advantages over all noises of the shown setting, which one figure draws.
void add_shown(const std::vector<Best>& shown, Summary& summary) {
  summary.each(
      group_by(shown, &Best::positions), {positions},
      {in_bits("shown_gain",
               "Largest mean gain of the best split over the sum among the noises, d = 32, V = 256, L = 64.",
               largest_gain)
           .n(count),
       in_bits("shown_loss",
               "Largest mean gain of the sum over the best split among the noises, d = 32, V = 256, L = 64.",
               largest_loss)
           .n(count)});
}

/// How often each side wins, and where the gains and losses are largest.
void add_scores(const std::vector<Best>& points, Summary& summary) {
  const auto wins = [](std::string_view side) {
    const auto is_won = [side](const Best& b) { return winner(b) == side; };
    return [is_won](const Group<Best>& grid) { return double(count_if(grid, is_won)) / grid.size(); };
  };
  auto grids = group_by(points, &Best::positions);
  std::ranges::sort(grids, {}, [](const Group<Best>& grid) { return grid.front().positions; });
  summary.each(
      grids, {positions},
      {sampled(
           "concatenating_wins",
           "Share of the grid of widths, words, lengths and noises where the best split's gain lies above "
           "0, by Benjamini and Hochberg's procedure at 1 %.",
           wins("concatenating"))
           .n(count),
       sampled("adding_wins",
               "Share of the grid where it lies below 0 by that procedure: the sum beats every split.",
               wins("adding"))
           .n(count),
       in_bits("largest_gain", "Largest mean gain of the best split over the sum on the grid.", largest_gain)
           .n(count),
       in_bits("largest_loss", "Largest mean gain of the sum over the best split on the grid.", largest_loss)
           .n(count)});
}

/// Cells in which the better arm carries more than 98 % of log2(VL), already with one share of power: there
/// is next to nothing to gain, and they are left out.
bool is_saturated(Positions positions, double noise) {
  return noise == 0.5 && positions != Positions::sinusoidal;
}

/// The best split against the best sum, both with widths and share of power chosen on other codebooks, of 256
/// words at 64 positions (d = 32) or 1,024 at 256.
Condition gain_condition(Positions family, double noise, std::size_t d, Role role) {
  const double bits = d == 32 ? 14 : 18;
  const std::string level = fmt::format("{:.3g}", noise), name = name_of(family);
  const std::string id = finding_id("gain_best_sum", name, {{"noise", "noise" + level}, {"d", whole(d)}});
  return condition(
      role, id, Is::above, material_gain * bits, Evidence::simulation,
      {{"positions", name}, {"noise", level}, {"d", fmt::format("{}", d)}},
      fmt::format("bits of the best split less the best sum's, {} positions, n = {}, d = {}, of {} bits",
                  name, level, d, bits),
      "not programmed yet: sums of narrow positions, widths and shares of power chosen on other codebooks");
}

Rule rule() {
  Rule rule;
  for (const std::size_t d : {32, 64})
    for (const Positions family : all_positions)
      for (const double noise : {0.5, 1.0, 2.0})
        if (!is_saturated(family, noise)) rule.push_back(gain_condition(family, noise, d, Role::core));
  rule.push_back(gain_condition(Positions::sinusoidal, std::numbers::sqrt2 / 4, 32, Role::limit));
  for (const std::size_t d : {128, 256})
    for (const Positions family : all_positions) rule.push_back(gain_condition(family, 1, d, Role::limit));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const std::vector<Best> points = best_splits(
      group_by(rows_of<Bits>(cells), &Bits::d, &Bits::v, &Bits::l, &Bits::positions, &Bits::noise));
  const std::vector<Best> shown = where(points, is_shown);
  const std::vector<Point> ways = shown_ways(points);
  add_bits_table(points, summary);
  // Two tables of positions compared: the split's is narrower.
  summary.each(where(shown, is_printed), {positions, noise},
               {gain.as("gain",
                        "Bits that the best split and its narrow table of positions carry beyond the sum "
                        "with a table of full width, paired by codebook, d = 32, V = 256, L = 64; 0: no "
                        "difference.")
                    .chance(0)
                    .n(codebooks_of)});
  add_shown(shown, summary);
  add_ways(ways, summary);
  add_scores(points, summary);
  summary.rule = rule();
  const double sinusoids = summary.value("gain.sinusoidal.noise0p5"),
               random = summary.value("gain.random.noise1"), all = std::log2(shown_words * shown_length);
  summary.condition = fmt::format(
      "sums of the same narrow positions are not measured yet; against a sum of full width the best split "
      "has {:+.2f} bits with sinusoids at n = ½, {:+.2f} with random positions at n = 1",
      sinusoids, random);
  summary.matters =
      fmt::format("these are {:+.1f} and {:+.1f} % of the {} bits sent, at d = {}, the width of a small head",
                  100 * sinusoids / all, 100 * random / all, all, shown_d);
}

}  // namespace

Experiment information_by_split(const Options& options) {
  Experiment claim{"A7", "A smaller word and a smaller position, concatenated.", "[e asks]"};
  const Preset preset = options.preset;
  const bool quick = preset == Preset::quick;
  const std::size_t samples = pick(preset, 1024, 1024, 4096);
  const auto cost = [](const Book& at) { return 1e-9 * double(at.samples * at.v) * (300 + at.d / 2.0); };
  for (const std::size_t d : quick ? Sizes{32} : Sizes{32, 64, 128, 256})
    for (const std::size_t words : quick ? Sizes{256} : Sizes{256, 1024, 4096}) {
      // Tables drawn anew: more where they are cheap, and where the numbers are printed.
      const std::size_t books = words <= 256 ? 20 : words <= 1024 ? 8 : 5;
      claim.measure(grid<Book>(d, words, first(pick(preset, books, books, 2 * books)), samples,
                               quick ? "small" : "whole"),
                    cost, measure);
    }
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::capacity
