// D5: why not the index, or the index over the length?

#include "studies/distance/d5_index.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/statistics/moments.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/encoding.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

// ---- cells
// ------------------------------------------------------------------------------------------------------

std::vector<Cell> cells(const Options& options) {
  const std::vector<std::size_t> lengths = pick<std::vector<std::size_t>>(
      options.preset, {4, 32, 316, 3162}, {4, 10, 32, 100, 316, 1000, 3162, 10000, 31623, 100000},
      {4, 10, 32, 100, 316, 1000, 3162, 10000, 31623, 100000, 316228});
  const std::size_t longest = pick<std::size_t>(options.preset, 64, 128, 256);
  const std::size_t lags = pick<std::size_t>(options.preset, 4096, 100000, 1000000);
  const std::size_t draws = pick<std::size_t>(options.preset, 3, 5, 10);
  std::vector<Cell> cells;
  for (const EncodingPointer& encoding : encodings()) {
    if (encoding->action() != Action::adds_vector) continue;
    for (std::size_t draw = 0; draw < (encoding->is_random() ? draws : 1); ++draw) {
      const auto add = [&](const char* measure, const char* size, std::size_t value, double cost) {
        cells.push_back({{{"measure", std::string(measure)},
                          {"encoding", encoding->name()},
                          {size, whole(value)},
                          {"draw", whole(draw)}},
                         cost});
      };
      for (const std::size_t length : lengths)
        add("growth", "l", length, 1e-3 + 2.5e-6 * static_cast<double>(length));
      add("collisions", "longest", longest, 0.1);
      if (draw == 0) add("sentences", "d", index_dimension, 1e-3);
    }
  }
  cells.push_back(
      {{{"measure", std::string("distances")}, {"lags", whole(lags)}}, 4e-6 * static_cast<double>(lags)});
  return cells;
}

// ---- one cell
// ---------------------------------------------------------------------------------------------------

double score(const Matrix<double>& table, std::size_t t, std::size_t s) {
  double sum = 0;
  for (std::size_t j = 0; j < cols(table); ++j) sum += table(t, j) * table(s, j);
  return sum;
}

Records run_growth(const Matrix<double>& table) {
  const std::size_t length = rows(table);
  double norm = 0;
  MomentSums neighbours;
  for (std::size_t t = 0; t < length; ++t) {
    norm = std::max(norm, std::sqrt(score(table, t, t)));
    if (t + 1 == length) break;
    neighbours.add(score(table, t, t + 1));
  }
  const Moments moments = neighbours.moments();
  return {{"growth",
           {{"norm", norm},
            {"least", moments.minimum},
            {"most", moments.maximum},
            {"mean", moments.mean},
            {"first", score(table, 1, 2)},
            {"last", score(table, length - 2, length - 1)}}}};
}

Records run_collisions(const Encoding& encoding, std::size_t longest, const Stream& draws) {
  std::vector<std::vector<ScoredPair>> by_length(longest + 1);
  for (std::size_t n = farther; n <= longest; ++n)
    by_length[n] = scored_pairs(encoding.vectors(n, index_dimension, draws));
  Records records;
  Collisions all;
  for (std::size_t n = farther; farther * n <= longest; ++n)
    for (std::size_t m = farther * n; m <= longest; ++m) {
      const Collisions found = collisions(by_length[n], by_length[m]);
      if (found.example && !all.example) {
        all.example = found.example;
        const auto& [near, far] = *found.example;
        records.push_back({"example",
                           {{"short_length", whole(n)},
                            {"near_first", whole(near.t)},
                            {"near_second", whole(near.s)},
                            {"long_length", whole(m)},
                            {"far_first", whole(far.t)},
                            {"far_second", whole(far.s)},
                            {"score", near.score}}});
      }
      all.compared += found.compared;
      all.equal += found.equal;
    }
  records.push_back({"collisions", {{"compared", whole(all.compared)}, {"equal", whole(all.equal)}}});
  return records;
}

std::size_t place(const std::vector<std::string>& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  require(found != words.end(), "sentence without the word '{}'", word);
  return static_cast<std::size_t>(found - words.begin());
}

Records run_sentences(const Encoding& encoding, const Stream& draws) {
  Records records;
  for (const auto& [name, sentence] : {std::pair{"near", near_sentence}, std::pair{"far", far_sentence}}) {
    const std::vector<std::string> words = words_of(sentence);
    const std::size_t river = place(words, "river"), bank = place(words, "bank");
    const Matrix<double> table = encoding.vectors(words.size(), index_dimension, draws);
    records.push_back({"sentence",
                       {{"sentence", std::string(name)},
                        {"words", whole(words.size())},
                        {"river", whole(river)},
                        {"bank", whole(bank)},
                        {"score", score(table, river, bank)}}});
  }
  return records;
}

/// One number per distance, but is it one distance per number? Scores of all distances up to `lags`.
Records run_distances(std::size_t lags) {
  std::vector<double> all(lags);
  std::iota(all.begin(), all.end(), 1.0);
  const std::vector<double> kernel = theory::kernel_exact(index_dimension, usual_base, all);
  std::vector<ScoredPair> scores;
  for (std::size_t k = 1; k <= lags; ++k) scores.push_back({kernel[k - 1], 0, static_cast<std::uint32_t>(k)});
  std::sort(scores.begin(), scores.end(), [](const ScoredPair& a, const ScoredPair& b) {
    return a.score < b.score || (a.score == b.score && a.s < b.s);
  });
  constexpr double float32 = 0x1p-24;
  std::uint64_t alike = 0;
  double closest = 1;
  for (std::size_t i = 0; i < scores.size(); ++i)
    for (std::size_t j = i + 1; j < scores.size(); ++j) {
      const double size = std::max(std::abs(scores[i].score), std::abs(scores[j].score));
      const double gap = (scores[j].score - scores[i].score) / size;
      if (scores[j].score - scores[i].score > 2 * float32 * std::abs(scores[i].score) && gap > float32) break;
      const auto [less, more] = std::minmax(scores[i].s, scores[j].s);
      if (more < farther * less) continue;
      alike += gap <= float32;
      closest = std::min(closest, gap);
    }
  return {{"distances", {{"closest", closest}, {"alike", whole(alike)}}}};
}

Records run(const Cell& cell, const Streams& streams) {
  const std::string& measure = text_at(cell.at, "measure");
  if (measure == "distances") return run_distances(size_at(cell.at, "lags"));
  const EncodingPointer encoding = encoding_named(text_at(cell.at, "encoding"));
  // Keyed by the draw alone: a drawn table is the same table at every length.
  const Stream draws =
      stream(streams.seed, streams.experiment, encoding->name(), size_at(cell.at, "draw"), "encoding");
  if (measure == "collisions") return run_collisions(*encoding, size_at(cell.at, "longest"), draws);
  if (measure == "sentences") return run_sentences(*encoding, draws);
  return run_growth(encoding->vectors(size_at(cell.at, "l"), index_dimension, draws));
}

}  // namespace

Experiment index_instead(const Options& options) {
  return {"D5",
          "Not the index, which grows, nor the index over the length, which lets far words of a long text "
          "look like near ones of a short text: the sinusoid gives one number per distance at every length.",
          "[b, c]",
          {},
          cells(options),
          run,
          summarise_index};
}

}  // namespace perp::distance
