// D5: why not the index, or the index over the length?

#include "studies/distance/d5_index.hpp"

#include <algorithm>

#include "perp/statistics/moments.hpp"
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
    const bool by_distance = encoding->name() == "sinusoidal" || encoding->action() != Action::adds_vector;
    for (std::size_t draw = 0; draw < (is_drawn(encoding->name()) ? draws : 1); ++draw) {
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
      if (by_distance) add("distances", "lags", lags, 4e-6 * static_cast<double>(lags));
    }
  }
  return cells;
}

// ---- one cell
// ---------------------------------------------------------------------------------------------------

Records run_growth(const PairScores& score) {
  const std::size_t length = score.length();
  MomentSums neighbours;
  for (std::size_t t = 0; t + 1 < length; ++t) neighbours.add(score(t, t + 1));
  const Moments moments = neighbours.moments();
  return {{"growth",
           {{"norm", score.largest()},
            {"least", moments.minimum},
            {"most", moments.maximum},
            {"mean", moments.mean},
            {"first", score(1, 2)},
            {"last", score(length - 2, length - 1)}}}};
}

Records run_collisions(const Encoding& encoding, std::size_t longest, const Stream& draws) {
  std::vector<std::vector<ScoredPair>> by_length(longest + 1);
  for (std::size_t n = farther; n <= longest; ++n)
    by_length[n] = scored_pairs(PairScores(encoding, n, draws));
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
    records.push_back({"sentence",
                       {{"sentence", std::string(name)},
                        {"words", whole(words.size())},
                        {"river", whole(river)},
                        {"bank", whole(bank)},
                        {"score", PairScores(encoding, words.size(), draws)(river, bank)}}});
  }
  return records;
}

/// One number per distance, but is it one distance per number? Scores of all distances from position 0.
Records run_distances(const PairScores& score) {
  std::vector<double> scores;
  for (std::size_t k = 1; k < score.length(); ++k) scores.push_back(score(0, k));
  const Likeness found = compare_distances(scores);
  const auto [near, far] = found.first.value_or(std::pair<std::size_t, std::size_t>{});
  return {{"distances",
           {{"compared", whole(found.compared)},
            {"equal", whole(found.equal)},
            {"alike", whole(found.alike)},
            {"closest", found.closest},
            {"near", whole(near)},
            {"far", whole(far)}}}};
}

Records run(const Cell& cell, const Streams& streams) {
  const std::string &measure = text_at(cell.at, "measure"), &name = text_at(cell.at, "encoding");
  // Keyed by the draw alone: a drawn table is the same table at every length.
  const Stream draws = stream(streams.seed, streams.experiment, name, size_at(cell.at, "draw"), "encoding");
  EncodingSettings settings;
  settings.biases = draws;
  const EncodingPointer encoding = encoding_named(name, settings);
  if (measure == "collisions") return run_collisions(*encoding, size_at(cell.at, "longest"), draws);
  if (measure == "sentences") return run_sentences(*encoding, draws);
  if (measure == "distances") return run_distances({*encoding, size_at(cell.at, "lags") + 1, draws});
  const PairScores scores(*encoding, size_at(cell.at, "l"), draws);
  Records records = run_growth(scores);
  if (encoding->action() == Action::rotates_vector)
    records.push_back(
        {"rounding",
         {{"bound", turned_rounding_spread(static_cast<double>(scores.length()), scores.first_row())}}});
  return records;
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
