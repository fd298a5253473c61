#pragma once
// What A8 and A9 read of a run, written by hand.

#include "studies/learning/geometry.hpp"
#include "tests/studies/learning/quick.hpp"

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
inline void add_look(const learning::Run& run, std::size_t step, const Made& made, Out& out) {
  const double first = 1.0 + double(run.seed), norm = run.start * std::sqrt(double(run.width)) * made.growth,
               leading = step == 0 ? 1 : 4 * made.inside - (run.seed % 2 ? 0.6 : 0.4);
  const bool is_added = run.arm == "add", has_overlap = run.arm != "concat";
  out("Geometry", {{"step", step},
                   {"word_norm", norm},
                   {"ratio", is_added ? 4 / norm : NAN},
                   {"rank", has_overlap ? double(run.width) / 4 : NAN},
                   {"inside", has_overlap ? made.inside : NAN},
                   {"overlap", is_added ? made.overlap : NAN},
                   {"leading", is_added ? leading : NAN},
                   {"overlap_centred", !has_overlap                 ? NAN
                                       : run.positions == "learned" ? 77
                                                                    : first * made.turned},
                   {"overlap_learned", !has_overlap                 ? NAN
                                       : run.positions == "centred" ? 77
                                                                    : 5 * first * made.turned}});
}

inline void add_head(const char* moment, std::size_t index, const std::array<double, 4>& terms, Out& out) {
  out("HeadScores", {{"moment", moment},
                     {"head", index},
                     {"word_word", terms[0]},
                     {"word_position", terms[1]},
                     {"position_word", terms[2]},
                     {"position_position", terms[3]}});
}

inline CellRecords made(const learning::Run& run, const Made& end) {
  return cell_with(run, [&](Out& out) {
    // Before training the overlap is 1 ± .1 by turns, on the way it goes elsewhere.
    add_look(run, 0, {.overlap = run.seed % 2 ? 1.1 : 0.9}, out);
    add_look(run, 10, {.overlap = 7}, out);
    add_look(run, run.steps / 2, {.overlap = 5}, out);
    add_look(run, run.steps, end, out);
    out("Probe", {{"moment", "before"}, {"word", 0.6}, {"position", 0.7}});
    out("Probe", {{"moment", "after"}, {"word", end.word}, {"position", end.position}});
    add_end(end.learned ? 1 : run.steps + 1, NAN, out);
    // Shares of the sum over heads: (5, 4, 4, 3)/16 before, (2, 1, 1, 6)/10 after, of words that do not grow.
    if (run.positions == "none") return;
    add_head("before", 0, {4, 3, 3, 2}, out);
    add_head("before", 1, {1, 1, 1, 1}, out);
    add_head("after", 0, {end.growth, 1, 1, 5}, out);
    add_head("after", 1, {end.growth, 0, 0, 1}, out);
  });
}

using Makes = std::function<Made(const learning::Run&)>;
inline auto cells_of(const Makes& makes) {
  return [makes](const learning::Run& run) { return made(run, makes(run)); };
}

}  // namespace perp::test
