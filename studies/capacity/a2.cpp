// A2: the first dimensions are unusable for the word, the last little. Words from the first quarter of the
// dimensions of y = x + p, by nearest vector there; the power of each quarter that varies with the position.

#include <functional>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/squares.hpp"
#include "perp/random/uniform.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/columns.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// The width and number of positions at which words are recovered.
constexpr std::size_t width = 512, length = 512, quarters = 4;
constexpr double usable = 0.5;   // a quarter that lets fewer words than this through is unusable
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
  double constant, first, second, third, last;
};
PERP_ROW_OF(Power, Sinusoids, constant, first, second, third, last)

struct Codebook {
  std::string what;
  std::size_t codebook, words, trials, factors;
};
PERP_ROW(Codebook, what, codebook, words, trials, factors)
/// Words found in the first quarter by one codebook.
struct Read : Codebook {
  std::size_t right;
};
PERP_ROW_OF(Read, Codebook, right)
using Reads = Group<Read>;

/// The last quarter's share of the power that varies: sine and cosine of a pair make 1, so that all quarters
/// have the same power.
double last_share_law(const Sinusoids& s) {
  double all = 0, last = 0;
  for (std::size_t q = 0; q < quarters; ++q) {
    last = 1 - theory::constant_share(s.l, s.d, q * s.d / quarters, (q + 1) * s.d / quarters, usual_base);
    all += last;
  }
  return last / all;
}

void measure_columns(const Sinusoids& at, const Streams&, Rows& rows) {
  const std::size_t d = at.d;
  const Matrix<double> table = sinusoidal<double>(at.l, d);
  const std::vector<double> mean = column_means(table);
  std::vector<double> variance(d, 0.0), varying(quarters, 0.0);
  for (std::size_t t = 0; t < at.l; ++t)
    for (std::size_t j = 0; j < d; ++j) variance[j] += squared(table(t, j) - mean[j]) / at.l;
  double constant = 0;
  for (std::size_t j = 0; j < d; ++j) {
    constant += mean[j] * mean[j];
    varying[quarters * j / d] += variance[j];
    if (d == width && at.l == length) rows.add(Dimension{at, j, mean[j], variance[j]});
  }
  for (double& share : varying) share /= d / 2.0 / quarters;
  rows.add(Power{at, constant / (d / 2.0), varying[0], varying[1], varying[2], varying[3]});
}

void measure_first_quarter(const Codebook& at, const Streams& streams, Rows& out) {
  constexpr std::size_t seen = width / quarters;
  const Matrix<float> words = draw_words(Family::gaussian, at.words, width, streams("words")),
                      positions = sinusoidal<float>(length, width);
  const auto word = below(streams("word sent"), at.trials, static_cast<std::uint32_t>(at.words)),
             place = below(streams("place sent"), at.trials, length);
  Matrix<float> sums = matrix<float>(at.trials, seen);
  for (std::size_t i = 0; i < at.trials; ++i)
    for (std::size_t j = 0; j < seen; ++j) sums(i, j) = words(word[i], j) + positions(place[i], j);
  const Matrix<float> known = converted<float>(block(View(words), 0, at.words, seen));
  out.add(Read{at, count_hits(nearest_words(sums, known), word).right});
}

std::uint64_t trials(const Reads& reads) { return total(reads, &Read::trials); }

/// Trials of one codebook are not independent, and codebooks that all agree say nothing of their spread: the
/// wider of Student's interval over codebooks and Wilson's over trials.
Estimate share_of(const Reads& reads) {
  const std::uint64_t right = total(reads, &Read::right), n = trials(reads);
  const auto share = [](const Read& read) { return double(read.right) / read.trials; };
  return estimated(double(right) / n, share_spread(right, n, reads.values(share)));
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
  const auto d = exact("d", "dimension", &Sinusoids::d), l = exact("l", "positions", &Sinusoids::l);
  summary.table(
      "a2_dimensions.csv", rows_of<Dimension>(cells),
      {exact("dimension", "column of the interleaved sinusoid, from 0; d = 512, L = 512", &Dimension::j),
       exact("wave", "sine or cosine", [](const Dimension& c) { return c.j % 2 ? "cosine" : "sine"; }),
       rounded("mean", "mean over the positions", &Dimension::mean),
       rounded("variance", "variance over the positions", &Dimension::variance)});
  summary.table(
      "a2_quarters.csv", rows_of<Power>(cells),
      {d, l.as("positions", "L").unit("positions"),
       rounded("constant", "share of the power that is the same at every position", &Power::constant),
       rounded("first", "share of the first quarter's power that varies", &Power::first),
       rounded("second", "of the second", &Power::second), rounded("third", "of the third", &Power::third),
       rounded("last", "of the last", &Power::last)});
  // With the number of words in its name, for shorter runs draw fewer.
  summary.each(
      group_by(rows_of<Read>(cells), &Read::words), {exact("v", "V", &Read::words)},
      {sampled("first_quarter",
               "Share of v words found from the first quarter of the dimensions alone, 512 positions in 512 "
               "dimensions as they come.",
               share_of)
           .n(trials)});
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
  claim.measure(
      std::vector<Sinusoids>{{"columns", 512, 512}, {"columns", 512, 8192}, {"columns", 768, 1024}},
      [](const Sinusoids& at) { return 2e-8 * double(at.d * at.l); }, measure_columns);
  // Many codebooks with few trials each: slow dimensions shift all sums of a codebook alike, so that its
  // trials are not independent.
  claim.measure(
      grid<Codebook>("bands", first(by_preset(8, 16, 64)), by_preset(1000, 5000, 5000),
                     by_preset(50, 150, 500), by_preset(2, 5, 5)),
      [](const Codebook& at) { return 1e-7 * double(at.trials * at.words); }, measure_first_quarter);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::capacity
