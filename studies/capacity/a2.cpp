// A2: the first dimensions are unusable for the word, the last little. The sinusoid's columns against
// their closed forms; words and positions from a band of the dimensions of y = x + A p + noise, by nearest
// vector in the band. Centred positions are, as everywhere, less their mean and scaled back to their power.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <optional>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/squares.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/columns.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/a1_measure.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// The width and number of positions at which words are recovered from bands.
constexpr std::size_t band_width = 512, band_positions = 512;
/// What a decoder sees of d dimensions.
constexpr const char* bands[] = {"first", "second", "third", "last", "random", "all"};
constexpr std::size_t quarters = 4, last_quarter = 3, random_band = 4, whole_band = 5;
/// Factors A before positions, whose entries are then A/√2 of the words' on average: ρ = A/√2.
/// In the order in which shorter runs leave them out.
constexpr std::size_t factors[] = {1, 4, 2, 6, 8}, largest_factor = 8;
constexpr std::size_t compared_factor = 4;  // about the knee of a quarter, where differences show
constexpr double usable = 0.5;              // a quarter that lets fewer words than this through is unusable
constexpr double hardly = 0.05;  // one with less than this of the power that varies is hardly touched

struct Sinusoids {
  std::string what;
  std::size_t d, l;
};
PERP_ROW(Sinusoids, what, d, l)
struct Dimension : Sinusoids {
  std::size_t j;
  double mean, variance;
};
PERP_ROW_OF(Dimension, Sinusoids, j, mean, variance)
/// Shares of power: what is the same at every position, of all; what varies, of each quarter.
struct Power : Sinusoids {
  double constant, departure, last_cosine, first, second, third, last;
};
PERP_ROW_OF(Power, Sinusoids, constant, departure, last_cosine, first, second, third, last)

struct Codebook {
  std::string what;
  std::size_t codebook, words, trials, factors;
};
PERP_ROW(Codebook, what, codebook, words, trials, factors)
/// Words, or positions, found in a band by one codebook; of words the exact line where the codebook has it,
/// of positions the sum of their distances from those sent.
struct Read : Codebook {
  std::string part;
  std::size_t band, factor;
  bool centred, noise;
  std::size_t right;
  double line;
  std::size_t off;
};
PERP_ROW_OF(Read, Codebook, part, band, factor, centred, noise, right, line, off)
using Reads = Group<Read>;

theory::ColumnMoments law_of(const Dimension& column) {
  return theory::sinusoid_column(column.l, column.d, column.j, usual_base);
}

/// Share of a quarter's power that varies with the position, in closed form.
double varying_law(std::size_t d, std::size_t length, std::size_t quarter) {
  return 1 -
         theory::constant_share(length, d, quarter * d / quarters, (quarter + 1) * d / quarters, usual_base);
}

/// The last quarter's share of the power that varies.
double last_share_law(const Sinusoids& s) {
  double all = 0;  // sine and cosine of a pair make 1, so that all quarters have the same power
  for (std::size_t q = 0; q < quarters; ++q) all += varying_law(s.d, s.l, q);
  return varying_law(s.d, s.l, last_quarter) / all;
}

void measure_columns(const Sinusoids& at, const Streams&, Rows& rows) {
  const std::size_t d = at.d;
  const Matrix<double> table = sinusoidal<double>(at.l, d);
  const std::vector<double> mean = column_means(table);
  std::vector<double> variance(d, 0.0), varying(quarters, 0.0);
  for (std::size_t t = 0; t < at.l; ++t)
    for (std::size_t j = 0; j < d; ++j) variance[j] += squared(table(t, j) - mean[j]) / at.l;

  double departure = 0, constant = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const Dimension column{at, j, mean[j], variance[j]};
    const theory::ColumnMoments law = law_of(column);
    departure = std::max({departure, std::abs(mean[j] - law.mean), std::abs(variance[j] - law.variance)});
    constant += mean[j] * mean[j];
    varying[quarters * j / d] += variance[j];
    if (d == band_width && at.l == band_positions) rows.add(column);
  }
  for (double& share : varying) share /= d / 2.0 / quarters;
  rows.add(Power{at, constant / (d / 2.0), departure, mean[d - 1], varying[0], varying[1], varying[2],
                 varying[3]});
}

/// What was sent: word, position and noise of each trial.
struct Sent {
  std::vector<std::uint32_t> word, place;
  Matrix<float> noise;
};

/// Columns of a band; random ones are as many as a quarter has.
std::vector<std::uint32_t> columns_of(std::size_t band, const Stream& stream) {
  constexpr std::size_t quarter = band_width / quarters;
  std::vector<std::uint32_t> columns(band == whole_band ? band_width : quarter);
  std::iota(columns.begin(), columns.end(), band < quarters ? band * quarter : 0);
  if (band == random_band)
    std::ranges::copy_n(permutation(stream, band_width).begin(), quarter, columns.begin());
  return columns;
}

/// P(right word) for a squared disturbance s, read off a grid in √s: one integral takes milliseconds.
class WordLine {
 public:
  /// Up to the largest factor times √k, the word's own length: beyond that few words but by chance are found.
  WordLine(std::size_t k, std::size_t words)
      : step_(std::sqrt(double(largest_factor) * largest_factor * k) / points) {
    for (std::size_t i = 0; i <= points; ++i)
      share_.push_back(theory::word_from_dimensions(k, words, squared(i * step_)));
  }
  /// Its mean over all positions, without noise.
  double over(const Matrix<float>& positions, double factor) const {
    double sum = 0;
    for (std::size_t t = 0; t < rows(positions); ++t) {
      const double square = dot(row(positions, t), row(positions, t));
      const double x = std::min(std::sqrt(factor * factor * square) / step_, double(points));
      const std::size_t i = std::min(std::size_t(x), points - 1);
      sum += std::lerp(share_[i], share_[i + 1], x - i);
    }
    return sum / rows(positions);
  }

 private:
  static constexpr std::size_t points = 120;
  double step_;
  std::vector<double> share_;
};

/// A band's columns of everything, and what is read from it.
struct Band {
  const Codebook& at;
  std::size_t band;
  const Sent& sent;
  Matrix<float> words, positions, centred, noise;
  const WordLine* line;  ///< none: another codebook has the same

  /// x + A p + noise, trials x k.
  Matrix<float> sums(const Matrix<float>& added, float factor, float deviation) const {
    Matrix<float> out = matrix<float>(at.trials, cols(words));
    for (std::size_t i = 0; i < rows(out); ++i)
      for (std::size_t j = 0; j < cols(out); ++j)
        out(i, j) = words(sent.word[i], j) + factor * added(sent.place[i], j) + deviation * noise(i, j);
    return out;
  }

  /// Words found as positions are and centred; with noise for the quarters that are compared.
  void read_words(std::size_t factor, Rows& rows) const {
    const bool compared = (band == 0 || band == last_quarter) && factor == compared_factor;
    for (const bool noisy : {false, true})
      for (const bool centre : {false, true}) {
        if (noisy && !compared) continue;
        const Matrix<float>& added = centre ? centred : positions;
        const Hits hits = count_hits(nearest_words(sums(added, factor, noisy), words), sent.word);
        rows.add(Read{at, "word", band, factor, centre, noisy, hits.right,
                      line && !noisy ? line->over(added, factor) : NAN, 0});
      }
  }

  /// Positions found; the word, unknown, is noise. A shift of all positions changes nothing here but
  /// rounding, and beside the common part of slow dimensions that would decide.
  void read_positions(std::size_t factor, Rows& rows) const {
    const Matrix<float> varying = perp::centred(positions);
    Matrix<float> places = varying;
    for (float& p : std::span<float>(places.data(), places.size())) p *= float(factor);
    const std::vector<std::uint32_t> found = nearest_words(sums(varying, factor, 0), places);
    std::size_t off = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      off += std::max(found[i], sent.place[i]) - std::min(found[i], sent.place[i]);
    rows.add(Read{at, "position", band, factor, false, false, count_hits(found, sent.place).right, NAN, off});
  }
};

void measure_bands(const Codebook& at, const Streams& streams, Rows& out) {
  const Matrix<float> words = draw_words(Family::gaussian, at.words, band_width, streams("words")),
                      positions = sinusoidal<float>(band_positions, band_width);
  Matrix<float> middle = unit_power_positions(band_positions, band_width, true);
  for (float& p : std::span<float>(middle.data(), middle.size())) p *= std::sqrt(band_width / 2.0F);
  const Sent sent{below(streams("word sent"), at.trials, static_cast<std::uint32_t>(at.words)),
                  below(streams("place sent"), at.trials, band_positions),
                  normal_matrix<float>(at.trials, band_width, streams("noise"))};
  // Each codebook draws random columns of its own, with their line; the other lines are the same in all.
  const bool first = at.codebook == 0;
  const WordLine quarter(band_width / quarters, at.words);
  const std::optional<WordLine> whole = first ? std::optional(WordLine(band_width, at.words)) : std::nullopt;
  for (std::size_t b = 0; b < std::size(bands); ++b) {
    const std::vector<std::uint32_t> columns = columns_of(b, streams("columns"));
    const auto seen = [&](const Matrix<float>& table) {
      Matrix<float> part = matrix<float>(rows(table), columns.size());
      for (std::size_t i = 0; i < rows(table); ++i)
        for (std::size_t j = 0; j < columns.size(); ++j) part(i, j) = table(i, columns[j]);
      return part;
    };
    const WordLine* line = b == whole_band             ? (first ? &*whole : nullptr)
                           : first || b == random_band ? &quarter
                                                       : nullptr;
    const Band band{at, b, sent, seen(words), seen(positions), seen(middle), seen(sent.noise), line};
    for (std::size_t f = 0; f < at.factors; ++f) {
      band.read_words(factors[f], out);
      band.read_positions(factors[f], out);
    }
  }
}

void add_columns(const std::vector<Dimension>& columns, Summary& summary) {
  /// Variance of a word's dimension over what positions add to it; empty where that is nothing but rounding.
  const auto signal_to_noise = [](double disturbance) { return disturbance > 1e-14 ? 1 / disturbance : NAN; };
  // What scaling back multiplies the variances by.
  const double scaled =
      1 / (1 - theory::constant_share(band_positions, band_width, 0, band_width, usual_base));
  const auto as_is = [=](const Dimension& c) { return signal_to_noise(c.variance + c.mean * c.mean); };
  summary.table(
      "a2_dimensions.csv", columns,
      {exact("dimension", "column of the interleaved sinusoid, from 0; d = 512, L = 512", &Dimension::j),
       exact("wave", "sine or cosine", [](const Dimension& c) { return c.j % 2 ? "cosine" : "sine"; }),
       rounded("mean", "mean over the positions", &Dimension::mean),
       rounded("variance", "variance over the positions", &Dimension::variance),
       rounded(
           "as_is",
           "word's variance over the positions' mean square, words of unit variance; empty where that is 0",
           as_is)
           .theory("as_is_line", "the same in closed form",
                   [=](const Dimension& c) { return signal_to_noise(law_of(c).mean_square()); }),
       rounded("centred", "word's variance over the positions' variance, centred and scaled back",
               [=](const Dimension& c) { return signal_to_noise(scaled * c.variance); }),
       // A variance of nearly nought is the difference of two squares: its last bits are rounding.
       rounded("centred_line", "the same in closed form",
               [=](const Dimension& c) { return signal_to_noise(scaled * law_of(c).variance); })});
}

const auto d = exact("d", "dimension", &Sinusoids::d), l = exact("l", "positions", &Sinusoids::l);

void add_powers(const std::vector<Power>& powers, Summary& summary) {
  summary.table(
      "a2_quarters.csv", powers,
      {d, l.as("positions", "L").unit("positions"),
       rounded("constant", "share of the power that is the same at every position", &Power::constant),
       rounded("first", "share of the first quarter's power that varies", &Power::first),
       rounded("second", "of the second", &Power::second), rounded("third", "of the third", &Power::third),
       rounded("last", "of the last", &Power::last)});
  const auto usual = only(powers, &Power::d, band_width, &Power::l, band_positions);
  summary.each(
      usual, {d, l},
      {rounded("last_cosine", "Mean of the slowest cosine column; theory: a constant.", &Power::last_cosine)
           .chance(1)
           .n(&Power::l)});
  add_overall(summary, "varying", {{"quarter", "last"}}, usual.at(0).last, band_width / quarters,
              "Share of a quarter's power that varies with the position, 512 positions in 512 dimensions; "
              "theory: closed form.",
              varying_law(band_width, band_positions, last_quarter));
  add_overall(summary, "departure", {}, most(powers, &Power::departure), total(powers, &Power::d),
              "Largest departure of a column's mean or variance from its closed form.", 0.0);
}

double share(const Read& read) { return double(read.right) / read.trials; }
std::uint64_t trials(const Reads& reads) { return total(reads, &Read::trials); }

/// Trials of one codebook are not independent, and codebooks that all agree say nothing of their spread: the
/// wider of Student's interval over codebooks and Wilson's over trials.
Estimate share_of(const Reads& reads) {
  const std::uint64_t right = total(reads, &Read::right), n = trials(reads);
  return estimated(double(right) / n, share_spread(right, n, reads.values(share)));
}

/// Mean of the codebooks that have one; NaN with noise.
double line_of(const Reads& reads) {
  const Reads with = where(reads, [](const Read& read) { return !std::isnan(read.line); });
  return with.empty() ? NAN : with.mean(&Read::line);
}

const auto order = exact("order", "order of the bands", [](const Read& r) { return r.band + 1; });
const auto band = exact("band", "dimensions seen: a quarter, 128 random ones, or all 512",
                        [](const Read& r) { return bands[r.band]; });
const auto factor = exact("factor", "A; words have unit variance", &Read::factor);
const auto rho = exact("rho", "length of A p over that of the word, A/sqrt 2",
                       [](const Read& r) { return r.factor / std::numbers::sqrt2; });
const auto as_is_or_centred =
    exact("centred", "as_is, or centred: positions less their mean, scaled back to their power",
          [](const Read& r) { return r.centred ? "centred" : "as_is"; });
const auto sums_read = exact("trials", "sums", trials);
const auto found = [](const char* meaning) {
  return sampled("share", meaning, share_of)
      .interval("low", "high", "99%: the wider of Wilson over trials and Student over pairs of tables")
      .n(trials);
};

void add_words(const Reads& reads, Summary& summary) {
  const auto words = group_by(reads, &Read::band, &Read::factor, &Read::noise, &Read::centred);
  const auto share = found(
                         "share of words found from these dimensions of the sum, positions multiplied by A; "
                         "theory: the chance given the disturbance")
                         .theory(line_of);
  summary.table(
      "a2_words.csv", words,
      {order, band, as_is_or_centred, factor, rho, exact("noise", "noise sd per dimension", &Read::noise),
       share, sampled("line", "the same in theory; empty with noise", line_of),
       exact("chance", "1/V", [](const Read& r) { return 1.0 / r.words; }), sums_read});
  const auto sized = [&](std::size_t size, bool noise, const auto& is_told) {
    return where(words, [&](const Reads& group) {
      const Read& r = group.front();
      return r.factor == size && r.noise == noise && is_told(r);
    });
  };
  const auto recovered = share.as("recovered");
  const auto is_first = [](const Read& r) { return r.band == 0 && !r.centred; };
  const auto a = factor.as("a", "A");
  summary.each(sized(1, false, is_first), {as_is_or_centred, band, a}, {recovered});
  summary.each(sized(compared_factor, false,
                     [&](const Read& r) {
                       return r.centred ? r.band < quarters : r.band == 0 || r.band == last_quarter;
                     }),
               {as_is_or_centred, band, a}, {recovered});
  summary.each(sized(compared_factor, true, [](const Read& r) { return r.band == last_quarter; }),
               {as_is_or_centred, band, a}, {share.as("recovered_in_noise")});
  // The rule's: with the number of words in its name, for shorter runs draw fewer.
  summary.each(
      sized(1, false, is_first), {exact("v", "V", &Read::words)},
      {share.as("first_quarter",
                "Share of v words found from the first quarter of the dimensions alone, 512 positions in 512 "
                "dimensions as they come; theory: the chance given the disturbance.")});
}

void add_positions(const Reads& reads, Summary& summary) {
  const auto positions = group_by(reads, &Read::band, &Read::factor);
  const auto share =
      found("share of positions found exactly from these dimensions of the sum; theory: chance")
          .unit("share")
          .chance(1.0 / band_positions);
  summary.table("a2_positions.csv", positions,
                {order, band, factor, rho, share,
                 sampled("off", "mean distance of the position found",
                         [](const Reads& reads) { return double(total(reads, &Read::off)) / trials(reads); })
                     .unit("positions"),
                 exact("chance", "1/L", [](const Read&) { return 1.0 / band_positions; }), sums_read});
  const auto told = where(positions, [](const Reads& group) {
    const Read& r = group.front();
    return r.factor == 1 && (r.band == 0 || r.band == last_quarter || r.band == whole_band);
  });
  summary.each(told, {band, factor.as("a", "A")}, {share.as("position")});
}

/// Two propositions; evenly spread power would give a quarter of the dimensions a quarter of it.
Rule rule() {
  const Levels touched{{"proposition", "the last dimensions are hardly touched"}};
  return {condition(Role::core, "first_quarter.v5000", Is::below, usable, Evidence::simulation,
                    {{"proposition", "the first dimensions are unusable"}}, {}, "preset full"),
          condition(Role::core, "last_share.d512.l512", Is::below, hardly, Evidence::closed_form, touched),
          condition(Role::limit, "last_share.d512.l8192", Is::below, hardly, Evidence::closed_form, touched)};
}

void conclude(const Cells& cells, Summary& summary) {
  const auto reads = group_by(rows_of<Read>(cells), &Read::part);
  const Reads &words = reads.at(0), &positions = reads.at(1);  // words are read first
  add_columns(rows_of<Dimension>(cells), summary);
  add_powers(rows_of<Power>(cells), summary);
  add_words(words, summary);
  add_positions(positions, summary);
  summary.each(std::vector<Sinusoids>{{"columns", 512, 512}, {"columns", 512, 8192}, {"columns", 768, 1024}},
               {d, l},
               {rounded("last_share",
                        "the last quarter's share of the power that varies over l positions, closed form",
                        last_share_law)});
  summary.rule = rule();
}

}  // namespace

Experiment dimension_by_dimension(const Options& options) {
  Experiment claim{"A2", "The first dimensions are unusable for the word and the last are hardly affected.",
                   "[e]"};
  const auto by_preset = std::bind_front(pick<std::size_t>, options.preset);
  std::vector<Sinusoids> tables{{"columns", 32, 64}};
  for (const std::size_t length : {64, 512, 2048, 8192})
    if (options.preset != Preset::quick || length == 512) tables.push_back({"columns", 512, length});
  if (options.preset != Preset::quick) tables.push_back({"columns", 768, 1024});
  if (options.preset == Preset::long_) tables.push_back({"columns", 1024, 32768});
  claim.measure(
      tables, [](const Sinusoids& at) { return 2e-8 * double(at.d * at.l); }, measure_columns);
  // Many codebooks with few trials each: a slow quarter shifts all sums of a codebook alike, so that its
  // trials are not independent.
  claim.measure(
      grid<Codebook>("bands", first(by_preset(8, 16, 64)), by_preset(1000, 5000, 5000),
                     by_preset(50, 150, 500), by_preset(2, 5, 5)),
      [](const Codebook& at) { return 1e-7 * double(at.trials * at.words * at.factors); }, measure_bands);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::capacity
