// A2: the first dimensions are unusable for the word, the last little. Words from the first quarter of the
// dimensions of y = x + p, by nearest vector there; the power of each quarter that varies with the position. In words:
// a2.toml.

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/rows.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/recovery.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// The width and number of positions at which words are recovered and columns are drawn.
constexpr std::size_t width = 512, length = 512, quarters = 4;

/// The last quarter's share of the power that varies: sine and cosine of a pair make 1, so that all quarters
/// have the same power.
double last_share_law(std::size_t d, std::size_t l) {
  double all = 0, last = 0;
  for (std::size_t q = 0; q < quarters; ++q) {
    last = 1 - theory::constant_share(l, d, q * d / quarters, (q + 1) * d / quarters, usual_base);
    all += last;
  }
  return last / all;
}

void measure_columns(const Streams&, Out& out) {
  const Matrix<double> table = sinusoidal<double>(length, width);
  const std::vector<double> mean = column_means(table);
  std::vector<double> variance(width, 0.0);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t j = 0; j < width; ++j) variance[j] += squared(table(t, j) - mean[j]) / length;
  for (std::size_t j = 0; j < width; ++j)
    out("dimensions", {{"dimension", j},
                       {"wave", j % 2 ? "cosine" : "sine"},
                       {"mean", mean[j]},
                       {"variance", variance[j]}});
}

/// Words found in the first quarter by one codebook.
void measure_first_quarter(std::size_t words_here, std::size_t trials, const Streams& streams, Out& out) {
  constexpr std::size_t seen = width / quarters;
  const Matrix<float> words = draw_words(Family::gaussian, words_here, width, streams("words")),
                      positions = sinusoidal<float>(length, width);
  const auto word = below(streams("word sent"), trials, static_cast<std::uint32_t>(words_here)),
             place = below(streams("place sent"), trials, length);
  Matrix<float> sums = matrix<float>(trials, seen);
  for (std::size_t i = 0; i < trials; ++i)
    for (std::size_t j = 0; j < seen; ++j) sums(i, j) = words(word[i], j) + positions(place[i], j);
  const Matrix<float> known = converted<float>(block(View(words), 0, words_here, seen));
  const std::size_t right = count_hits(nearest_words(sums, known), word).right;
  out("read", {{"right", right}, {"share", double(right) / double(trials)}});
}

void fold(const Frames& measured, Out& out) {
  // Trials of one codebook are not independent, and codebooks that all agree say nothing of their spread: the wider of
  // Student's interval over codebooks and Wilson's over trials. With the number of words in its name, for shorter runs
  // draw fewer.
  const Frame& reads = measured["read"];
  const auto right = std::size_t(reads.sum("right")), trials = std::size_t(reads.sum("trials"));
  out("found", {{"v", reads.front().whole("words")},
                {"share", estimated(double(right) / double(trials),
                                    share_spread(right, trials, reads.numbers("share")))},
                {"trials", trials}});
  for (const auto& [d, l] : {std::pair{512, 512}, {512, 8192}, {768, 1024}})
    out("last", {{"d", d}, {"l", l}, {"share", last_share_law(d, l)}});
}

}  // namespace

Experiment dimension_by_dimension(const Options& options) {
  Experiment claim("A2", toml_of("a2"));
  claim.cell({{"what", "columns"}, {"d", whole(width)}, {"l", whole(length)}}, 1e-2, measure_columns);
  // Many codebooks with few trials each: slow dimensions shift all sums of a codebook alike, so that its
  // trials are not independent.
  const auto by_preset = [&](std::size_t quick, std::size_t full, std::size_t long_) {
    return pick<std::size_t>(options.preset, quick, full, long_);
  };
  const std::size_t words = by_preset(1000, 5000, 5000), trials = by_preset(50, 150, 500);
  for (const std::size_t codebook : first(by_preset(8, 16, 64)))
    claim.cell({{"what", "bands"},
                {"codebook", whole(codebook)},
                {"words", whole(words)},
                {"trials", whole(trials)},
                {"factors", whole(by_preset(2, 5, 5))}},
               1e-7 * double(trials * words),
               [=](const Streams& streams, Out& out) { measure_first_quarter(words, trials, streams, out); });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::capacity
