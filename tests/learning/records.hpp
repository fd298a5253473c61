#pragma once
// What A8 and A9 read of a run, written by hand.

#include "studies/learning/geometry.hpp"
#include "tests/learning/quick.hpp"

namespace perp::test {

/// What training comes to: the words' length and their overlap with the positions of step 0, both over what
/// they were; their energy inside the positions' quarter of all directions; the overlap with the positions of
/// the moment; the shares that probes read of the sum; and whether the task was learned.
struct Made {
  double growth = 1, turned = 1, inside = 0.25, overlap = 1, word = 0.95, position = 0.95;
  bool learned = true;
};

/// Seeds start far apart. Of the two overlaps with positions of step 0 only the one with the run's own means
/// it; a model without positions beside its words has both.
inline learning::Geometry look(const learning::Run& run, std::size_t step, const Made& made) {
  const double first = 1.0 + double(run.seed);
  learning::Geometry at;
  at.step = step;
  at.word_norm = run.start * std::sqrt(double(run.width)) * made.growth;
  if (run.arm == "concat") return at;
  at.rank = double(run.width) / 4;
  at.inside = made.inside;
  at.overlap_centred = run.positions == "learned" ? 77 : first * made.turned;
  at.overlap_learned = run.positions == "centred" ? 77 : 5 * first * made.turned;
  if (run.arm != "add") return at;
  at.ratio = 4 / at.word_norm;
  at.overlap = made.overlap;
  at.leading = step == 0 ? 1 : 4 * made.inside - (run.seed % 2 ? 0.6 : 0.4);
  return at;
}

inline learning::HeadScores head(const char* moment, std::size_t index, const std::array<double, 4>& terms) {
  learning::HeadScores scores;
  scores.moment = moment;
  scores.head = index;
  scores.word_word = terms[0];
  scores.word_position = terms[1];
  scores.position_word = terms[2];
  scores.position_position = terms[3];
  return scores;
}

inline CellRecords made(const learning::Run& run, const Made& end) {
  const bool odd = run.seed % 2;
  const auto probe = [&](const char* moment) {
    const bool read = moment == std::string_view("after");
    return learning::Probe{{}, moment, read ? end.word : 0.6, read ? end.position : 0.7};
  };
  // Before training the overlap is 1 ± .1 by turns, on the way it goes elsewhere.
  CellRecords cell = kept(run, look(run, 0, {.overlap = odd ? 1.1 : 0.9}), look(run, 10, {.overlap = 7}),
                          look(run, run.steps / 2, {.overlap = 5}), look(run, run.steps, end),
                          probe("before"), probe("after"));
  const auto also = [&cell](const CellRecords& more) {
    cell.records.insert(cell.records.end(), more.records.begin(), more.records.end());
  };
  also(kept(run, learning::Trained{{}, 1, 1, end.learned ? 1 : run.steps + 1, NAN, NAN}));
  // Shares of the sum over heads: (5, 4, 4, 3)/16 before, (2, 1, 1, 6)/10 after, of words that do not grow.
  if (run.positions != "none")
    also(kept(run, head("before", 0, {4, 3, 3, 2}), head("before", 1, {1, 1, 1, 1}),
              head("after", 0, {end.growth, 1, 1, 5}), head("after", 1, {end.growth, 0, 0, 1})));
  return cell;
}

using Makes = std::function<Made(const learning::Run&)>;
inline auto cells_of(const Makes& makes) {
  return [makes](const learning::Run& run) { return made(run, makes(run)); };
}

}  // namespace perp::test
