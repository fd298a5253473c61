// A12: does gradient descent turn a sum into a concatenation? Tables of words and positions learned with what reads them;
// what the best learned concatenation carries more than the learned sum. In words: a12.toml.

#include <algorithm>
#include <cmath>

#include "perp/measures/rows.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/study/experiment.hpp"
#include "studies/learning/a12_training.hpp"
#include "studies/learning/claims.hpp"

namespace perp::learning {
namespace {

constexpr std::size_t choosers = 4;  ///< runs that choose
constexpr std::size_t few = 4;       ///< runs that measure what stands beside
constexpr double carried = 0.9;      ///< of what is sent, by the best concatenation
constexpr double fast = 0.08;        ///< rate of Adam, the highest that is tried

/// One comparison: a sum and a concatenation of the same kind of tables, before the same reader. Noise is set on the
/// first of `choosers` runs, widths and rates are chosen on all of them; later runs measure.
struct Place {
  std::string reader, learned;
  std::size_t d, v, l, steps, runs;
  /// Whether the first runs are also trained for a sixteenth of the time, and each time at chosen rates.
  bool is_followed = false;

  /// How a run is trained: one in so many of the steps, at a rate that is given, fast or chosen.
  struct Course {
    std::size_t part;
    const char* rate;
  };
  std::vector<Course> courses(std::size_t run) const {
    if (reader != "classifier" || (learned != "both" && learned != "zipf")) return {{1, "given"}};
    std::vector<Course> all{{1, "given"}, {4, "given"}};
    if (is_followed && run < few)
      for (const Course& more :
           {Course{16, "given"}, {1, "fast"}, {1, "chosen"}, {4, "chosen"}, {16, "chosen"}})
        all.push_back(more);
    return all;
  }
  /// The steps after which widths are compared. Words beside a fixed sinusoid learn slowly what heads ask for: which
  /// width is best after a quarter of the steps is not the best at the end.
  std::size_t steps_to_choose() const { return reader == "heads" && learned == "words" ? steps : steps / 4; }
  /// Which need less noise and wider positions, for scores multiply noise by noise.
  bool are_frozen_heads() const { return learned == "none" && reader == "heads"; }
  Training at(std::size_t width, double noise, std::size_t steps_) const {
    return {reader, learned, d, v, l, width, noise, steps_};
  }
};
/// What a concatenation carries of what is sent, over the first `runs` runs.
double share_of(const Training& training, const Streams& streams, std::size_t runs) {
  double bits = 0;
  for (std::size_t run = 0; run < runs; ++run) bits += learn_tables(training, streams, run).bits;
  return bits / double(runs) / training.ceiling();
}
/// The noise in which a concatenation of this width carries its share, to three digits: by secants, on one run.
double noise_for(const Place& at, std::size_t width, const Streams& streams) {
  double noise = at.are_frozen_heads() ? 0.3 : 1, before_noise = 0, before = 0;
  double slope = -0.5;  // d share/d ln noise near 90 %
  for (std::size_t i = 0; i < 5; ++i) {
    const double share = share_of(at.at(width, noise, at.steps), streams, 1);
    if (i > 0 && noise != before_noise)
      slope = std::clamp((share - before) / std::log(noise / before_noise), -2.0, -0.1);
    if (std::abs(share - carried) < 0.002) break;
    before_noise = noise, before = share;
    noise *= std::exp(std::clamp((carried - share) / slope, -0.5, 0.5));
  }
  return std::round(noise * 1000) / 1000;
}
/// The first of the widths d/8, d/4, 3d/8 and d/2 with the most bits; while the last is best, the next wider is tried.
/// Of a sum, whose positions lie on words, all widths up to d.
std::size_t width_for(const Place& at, double noise, bool is_sum, const Streams& streams) {
  std::size_t best = 0;
  double most = 0;
  const std::size_t widest = is_sum ? 8 : 7, tried = is_sum ? 8 : 4;
  for (std::size_t eighths = 1; eighths <= widest && (eighths <= tried || best == eighths - 1); ++eighths) {
    Training training = at.at(is_sum ? 0 : eighths * at.d / 8, noise, at.steps_to_choose());
    if (is_sum) training.narrow = eighths * at.d / 8;
    const double share = share_of(training, streams, choosers);
    if (share > most) best = eighths, most = share;
  }
  return best * at.d / 8;
}

/// Words drawn by Zipf's law part from positions, the frequent ones before the rare ones?
void add_thirds(const LearnedTables& got, std::size_t run, std::size_t part, Out& out) {
  const std::size_t v = rows(got.words);
  const char* const names[] = {"frequent", "middle", "rare"};
  for (std::size_t i = 0; i < 3; ++i) {
    out("third", {{"run", run},
                  {"part", part},
                  {"third", names[i]},
                  {"overlap", overlap(covariance(block(got.words, i * v / 3, (i + 1) * v / 3)),
                                      covariance(got.positions))}});
  }
}

/// The rate with which an arm has the most bits after a quarter of the steps.
double rate_for(Training training, const Streams& streams) {
  training.steps /= 4;
  double best = 0, most = 0;
  for (const double rate : {0.01, 0.02, 0.04, fast}) {
    training.rate = rate;
    const double share = share_of(training, streams, choosers);
    if (share > most) best = rate, most = share;
  }
  return best;
}

void measure(const Place& at, const Streams& streams, Out& out) {
  const double noise = noise_for(at, (at.are_frozen_heads() ? 5 : 3) * at.d / 8, streams);
  const std::size_t width = width_for(at, noise, false, streams);
  // Learned tables use the coordinates that they need; of frozen ones a sum chooses, as a concatenation does. A narrow
  // sinusoid is the concatenation's.
  const std::size_t narrow = at.learned == "none"           ? width_for(at, noise, true, streams)
                             : at.learned == "words_narrow" ? width
                                                            : 0;
  const double of_concatenation = at.is_followed ? rate_for(at.at(width, noise, at.steps), streams) : 0,
               of_sum = at.is_followed ? rate_for(at.at(0, noise, at.steps), streams) : 0;
  for (std::size_t run = choosers; run < choosers + at.runs; ++run)
    for (const auto& [part, rate] : at.courses(run - choosers))
      for (const std::size_t positions_width : {width, std::size_t{0}}) {
        Training training = at.at(positions_width, noise, at.steps / part);
        training.narrow = narrow;
        if (rate == std::string_view("fast")) training.rate = fast;
        if (rate == std::string_view("chosen"))
          training.rate = positions_width > 0 ? of_concatenation : of_sum;
        const LearnedTables got = learn_tables(training, streams, run);
        out("run", {{"run", run},
                    {"part", part},
                    {"rate", rate},
                    {"adam", training.rate},
                    {"width", positions_width},
                    {"noise", noise},
                    {"bits", got.bits},
                    {"overlap_before", got.overlap_before},
                    {"overlap", got.overlap},
                    {"share", got.share}});
        if (at.learned == "zipf" && positions_width == 0) add_thirds(got, run, part, out);
      }
}

/// Concatenation less sum, run by run, of what is sent.
void fold(const Frames& measured, Out& out) {
  for (const Frame& place : measured["run"].by("reader learned d v l steps part rate")) {
    const Row& at = place.front();
    const Training training{
        at.text("reader"), at.text("learned"), at.whole("d"), at.whole("v"), at.whole("l"), 0, 0, 0};
    const Frame sums = place.where("width", std::int64_t{0});
    const Frame concatenated = place.where([](const Row& row) { return row.whole("width") > 0; });
    std::vector<double> losses;
    for (std::size_t i = 0; i < sums.size(); ++i)
      losses.push_back((concatenated[i].number("bits") - sums[i].number("bits")) / training.ceiling());
    out("loss", place,
        {{"readings", at.whole("steps") / at.whole("part") * Training::batch / training.v},
         {"noise", at.number("noise")},
         {"width", concatenated.front().whole("width")},
         {"adam", concatenated.front().number("adam")},
         {"adam_of_sum", sums.front().number("adam")},
         {"concatenated", concatenated.mean("bits").value / training.ceiling()},
         {"loss", estimated(losses)},
         {"overlap_before", sums.mean("overlap_before").value},
         {"overlap", sums.mean("overlap")},
         {"share", sums.mean("share").value},
         {"runs", sums.size()}});
  }
  if (!measured.has("third")) return;
  for (const Frame& third : measured["third"].by("reader learned d v l part third"))
    out("thirds", third, {{"overlap", third.mean("overlap")}, {"runs", third.size()}});
  for (const Frame& place : measured["third"].by("reader learned d v l part")) {
    const Frame frequent = place.where("third", "frequent"), rare = place.where("third", "rare");
    std::vector<double> behind;
    for (std::size_t i = 0; i < rare.size(); ++i)
      behind.push_back(rare[i].number("overlap") - frequent[i].number("overlap"));
    out("behind", place, {{"overlap", estimated(behind)}, {"runs", rare.size()}});
  }
}

}  // namespace

Experiment learned_with_their_reader(const Options& options) {
  Experiment claim("A12", toml_of("a12"));
  const auto add = [&](const Place& at) {
    double trainings = 5 + 4.0 * choosers * double(at.steps_to_choose()) / double(at.steps) +
                       (at.is_followed ? 2.0 * choosers : 0);
    for (std::size_t run = 0; run < at.runs; ++run)
      for (const Place::Course& course : at.courses(run)) trainings += 2 / double(course.part);
    claim.cell({{"reader", at.reader},
                {"learned", at.learned},
                {"d", whole(at.d)},
                {"v", whole(at.v)},
                {"l", whole(at.l)},
                {"steps", whole(at.steps)},
                {"runs", whole(at.runs)}},
               trainings * learning_cost(at.at(0, 1, at.steps)),
               [=](const Streams& streams, Out& out) { measure(at, streams, out); });
  };
  const std::vector<Place> quick{{"classifier", "both", 16, 64, 16, 120, 2},
                                 {"heads", "both", 16, 64, 16, 120, 2},
                                 {"classifier", "zipf", 16, 64, 16, 120, 2}};
  const std::vector<Place> full{
      {"classifier", "both", 32, 256, 64, 4000, 8, true},
      {"classifier", "both", 64, 256, 64, 4000, 8},
      {"classifier", "words", 32, 256, 64, 4000, 8},
      {"classifier", "words", 64, 256, 64, 4000, 8},
      {"heads", "both", 32, 256, 64, 4000, 12},  // which spread twice as much
      {"heads", "none", 32, 256, 64, 4000, few},
      // Is it that the sinusoid is fixed, or that it is wide?
      {"classifier", "words_narrow", 32, 256, 64, 4000, 8},
      {"classifier", "words_narrow", 64, 256, 64, 4000, 8},
      // Few words in many dimensions press less; each is read as often.
      {"classifier", "both", 16, 32, 64, 500, few, true},
      {"classifier", "both", 32, 32, 64, 500, few, true},
      {"classifier", "both", 64, 32, 64, 500, few, true},
      {"classifier", "both", 128, 32, 64, 500, few, true},
      // Beside a sinusoid words find directions that are left, beside random positions none.
      {"classifier", "words_random", 32, 256, 64, 4000, few},
      // Turned, noise that is uniform along the axes is another one.
      {"classifier", "uniform", 32, 256, 64, 4000, few},
      // Frequent words are learned before rare ones.
      {"classifier", "zipf", 32, 256, 64, 4000, few}};
  // What full lacks, for one report quotes both.
  const std::vector<Place> wider{{"classifier", "both", 128, 256, 64, 4000, 8},
                                 {"classifier", "words", 128, 256, 64, 4000, 8},
                                 {"classifier", "words_narrow", 128, 256, 64, 4000, 8},
                                 {"heads", "both", 64, 256, 64, 4000, 8},
                                 {"heads", "both", 128, 256, 64, 4000, 8},
                                 {"heads", "words", 32, 256, 64, 4000, 8},
                                 {"heads", "words", 64, 256, 64, 4000, 8},
                                 {"heads", "words", 128, 256, 64, 4000, 8}};
  for (const Place& at : pick(options.preset, quick, full, wider)) add(at);
  claim.fold(fold);
  return claim;
}

}  // namespace perp::learning
