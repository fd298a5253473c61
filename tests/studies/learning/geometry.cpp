// Which directions two tables are said to share; the rest of a look's numbers is held by the golden first looks. A12:
// tables that learn with their reader, against tests/studies/learning/learned_peer.py and against what must be.

#include "studies/learning/geometry.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <csignal>

#include "perp/base/matrix_algebra.hpp"
#include "perp/base/parallel.hpp"
#include "perp/random/draws.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/learning/a12_training.hpp"
#include "studies/learning/claims.hpp"
#include "tests/studies/learning/quick.hpp"
#include "tests/support/found.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

Matrix<float> normals(std::size_t n, std::size_t d, const char* purpose) {
  return normal_matrix<float>(n, d, stream(1, "tests", "geometry", 0, purpose));
}

/// Of tables by heart: streams matter only to what is not asked of them.
Geometry of_tables(const model::Embedding<float>& embedding) {
  return geometry(embedding, 2, streams_of(Run{}, 7));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_geometry)

BOOST_AUTO_TEST_CASE(directions_meet_where_rounding_leaves_them) {
  constexpr std::size_t d = 32;
  const auto leading = [](std::size_t words, const Matrix<float>& positions) {
    model::Embedding<float> embedding;
    embedding.words = normals(words, d, "few words");
    embedding.positions = positions;
    return of_tables(embedding).leading;
  };
  // 32 centred positions of a sinusoid have 11 directions, n normal rows n - 1.
  const Matrix<float> waves = sinusoidal<float>(32, d), random = normals(400, d, "positions");
  BOOST_TEST(leading(32, waves) > 0);
  BOOST_TEST(leading(9, random) > 0);
  BOOST_TEST(std::isnan(leading(8, random)));
  BOOST_TEST(std::isnan(leading(32, normals(8, d, "few positions"))));
  // Words vary most along the first axes, positions along the last.
  model::Embedding<float> embedding;
  embedding.words = normals(400, d, "falling words");
  embedding.positions = random;
  for (std::size_t i = 0; i < 400; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      embedding.words(i, j) *= std::exp(-0.3F * float(j));
      embedding.positions(i, j) *= std::exp(0.3F * float(j));
    }
  const Geometry of = of_tables(embedding);
  BOOST_TEST((of.overlap < 0.01 && of.leading < 0.1));
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

LearnedTables learned(const Training& training, std::size_t run = 0) {
  return learn_tables(training, {1, "tests", "learning a12"}, run);
}
const Training classifier{"classifier", "both", 16, 64, 16, 0, 0.9, 400},
    heads{"heads", "both", 16, 64, 16, 0, 0.5, 400}, frozen_heads{"heads", "none", 16, 64, 16, 0, 0.3, 400};

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_a12)

BOOST_AUTO_TEST_CASE(learned_tables_are_centred_and_of_length_one) {
  for (const std::size_t width : {0, 6}) {
    Training training = classifier;
    training.width = width, training.steps = 30;
    const LearnedTables got = learned(training);
    for (const Matrix<float>* table : {&got.words, &got.positions}) {
      double squares = 0, sum = 0;
      for (const float x : *table) squares += double(x) * x, sum += x;
      BOOST_TEST(std::abs(squares / double(rows(*table)) - 1) < 1e-5);
      BOOST_TEST(std::abs(sum) < 1e-4);
    }
    // Of a concatenation nothing of a word in the positions' coordinates, nor the other way round.
    if (width > 0)
      for (std::size_t j = 0; j < 16; ++j) BOOST_TEST((j < 10 ? got.positions(3, j) : got.words(3, j)) == 0);
    BOOST_TEST((got.share > 0.1 && got.share < 0.6));
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_learned_stays) {
  Training training = classifier;
  training.learned = "words", training.steps = 30;
  const LearnedTables got = learned(training);
  // A sinusoid as it is: rows (sin, cos, …)/√(d/2), not centred.
  BOOST_TEST(std::abs(got.positions(1, 0) - std::sin(1.0) / std::sqrt(8.0)) < 1e-6);
  BOOST_TEST(std::abs(got.positions(0, 1) - 1 / std::sqrt(8.0)) < 1e-6);
  training.learned = "none";
  const LearnedTables frozen = learned(training);
  BOOST_TEST(frozen.overlap == frozen.overlap_before);
  // A sum may have positions in its last coordinates alone, beside words in all.
  training.narrow = 6;
  const LearnedTables narrow = learned(training);
  BOOST_TEST((narrow.positions(3, 9) == 0 && narrow.positions(3, 10) != 0 && narrow.words(3, 12) != 0));
  training.learned = "words_narrow";  // beside a sinusoid of six dimensions
  const LearnedTables beside = learned(training);
  BOOST_TEST((beside.positions(1, 9) == 0 && beside.words(3, 12) != narrow.words(3, 12)));
  BOOST_TEST(std::abs(beside.positions(1, 10) - std::sin(1.0) / std::sqrt(3.0)) < 1e-6);
  training.learned = "none", training.narrow = 0;
  training.steps = 60;
  const LearnedTables again = learned(training);
  BOOST_TEST(again.words(5, 5) == frozen.words(5, 5));
}

// 20,000 words by Zipf's law: of chances 12/25, 6/25, 4/25 and 3/25 within four standard deviations.
BOOST_AUTO_TEST_CASE(words_come_as_often_as_their_chances) {
  const std::vector<double> chances = zipf_chances(4);
  std::vector<double> seen(4);
  for (const std::uint32_t word : drawn_text(20'000, chances, stream(1, "tests", "zipf", 0, "words")))
    seen.at(word) += 1;
  for (std::size_t i = 0; i < 4; ++i) {
    const double chance = 12.0 / 25 / double(i + 1);
    BOOST_TEST(std::abs(chances[i] - chance) < 1e-12);
    BOOST_TEST(std::abs(seen[i] / 20'000 - chance) < 4 * std::sqrt(chance * (1 - chance) / 20'000), i);
  }
  Training training = classifier;
  training.learned = "zipf", training.noise = 0.05;
  BOOST_TEST(std::abs(training.ceiling() - 8.86383) < 1e-5);  // 4.86383 bits of 64 such words, by their sum
  BOOST_TEST(learned(training).bits > 0.99 * training.ceiling());
  training.noise = 30;  // nothing but how often a word comes
  BOOST_TEST(std::abs(learned(training).bits) < 0.15);
  training.steps = 0;  // which a reader knows from the start
  BOOST_TEST(std::abs(learned(training).bits) < 0.15);
}

// Of the same power, but along the axes: other noise, in which about as much is told.
BOOST_AUTO_TEST_CASE(noise_may_be_uniform) {
  Training training = classifier;
  const double normal = learned(training).bits;
  training.learned = "uniform";
  const double uniform = learned(training).bits;
  BOOST_TEST((uniform != normal && std::abs(uniform / normal - 1) < 0.05), uniform << " " << normal);
}

// Without noise everything is told; in overwhelming noise nothing is, and a reader that learns to say so loses nothing.
BOOST_AUTO_TEST_CASE(both_ends_of_the_noise) {
  for (Training training : {classifier, heads}) {
    training.noise = 0.05;
    BOOST_TEST(learned(training).bits > 0.99 * training.ceiling());
    training.noise = 30;
    BOOST_TEST(std::abs(learned(training).bits) < 0.1);
  }
}

// tests/studies/learning/learned_peer.py, four seeds each: mean and standard error.
BOOST_AUTO_TEST_CASE(another_program_learns_as_much) {
  struct Known {
    Training training;
    std::size_t width, narrow;
    double bits, error;
  };
  for (const Known& known : {Known{classifier, 0, 0, 8.851, 0.013},
                             {classifier, 6, 0, 9.032, 0.007},
                             {heads, 0, 0, 7.733, 0.011},
                             {frozen_heads, 10, 0, 6.882, 0.052},
                             {frozen_heads, 0, 0, 5.512, 0.049},
                             {frozen_heads, 0, 8, 4.870, 0.115}}) {
    Training training = known.training;
    training.width = known.width, training.narrow = known.narrow;
    std::vector<double> bits;
    for (std::size_t run = 0; run < 4; ++run) bits.push_back(learned(training, run).bits);
    const Moments got = moments_of(bits);
    BOOST_TEST(std::abs(got.mean - known.bits) < 4 * std::hypot(known.error, std::sqrt(got.variance / 4)),
               got.mean);
  }
}

// Before the first step, too: at a matched filter nearly all is told in little noise, and far less than nothing where the mean
// of the sinusoid is in it.
BOOST_AUTO_TEST_CASE(heads_beside_a_sinusoid_begin_without_its_mean) {
  Training training = heads;
  training.learned = "words", training.width = 3 * training.d / 8;
  training.noise = 0.2, training.steps = 0;
  BOOST_TEST(learned(training).bits > training.ceiling() / 2);
}

// In a process of its own: the flag stays set. Of 100,000 steps none is taken, neither here nor where a run trains a model.
BOOST_AUTO_TEST_CASE(a_signal_ends_a_training_between_two_steps) {
  const auto said_of = [](const std::function<void()>& train_long) {
    return in_child([&] {
      watch_interrupts();
      std::raise(SIGTERM);
      try {
        train_long();
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string("trained");
    });
  };
  Training training = heads;
  training.steps = 100'000;
  const std::string tables = said_of([&] { learned(training); }),
                    model = said_of([] {
                      trained(run_of("copy2", every_arm[0],
                                     {.width = 16, .steps = 100'000, .rate = 0.05, .until = "end"}));
                    });
  BOOST_TEST(tables.starts_with("interrupted"), tables);
  BOOST_TEST(model.starts_with("interrupted"), model);
}

/// Runs written by hand: the concatenation has 13.5 and 13.7 bits of 14, the sum 13.4 and 13.5.
BOOST_AUTO_TEST_CASE(a_loss_is_what_the_sum_has_less) {
  CellRecords cell{{{{"reader", "classifier"},
                     {"learned", "both"},
                     {"d", 32},
                     {"v", 256},
                     {"l", 64},
                     {"steps", 4000},
                     {"runs", 2}}},
                   {}};
  for (const auto& [run, width, bits] : {std::tuple{4, 12, 13.5}, {4, 0, 13.4}, {5, 12, 13.7}, {5, 0, 13.5}})
    cell.records.push_back({"run",
                            {{"run", run},
                             {"part", 4},
                             {"rate", "given"},
                             {"adam", 0.01},
                             {"width", width},
                             {"noise", 1.2},
                             {"bits", bits},
                             {"overlap_before", 1.0},
                             {"overlap", 0.25 * run},
                             {"share", 0.4}}});
  const Outcome outcome = learned_with_their_reader(options_of(Preset::quick)).summarise({cell});
  const Table& loss = table(outcome, "a12_loss.csv");
  const auto at = [&](const char* column) { return to_number(loss.at(0, column)); };
  BOOST_TEST(loss.rows.size() == 1U);
  BOOST_TEST(std::abs(at("loss") - 0.15 / 14) < 1e-12);
  BOOST_TEST(std::abs(at("high") - at("low") - 2 * 63.66 * 0.05 / 14) <
             1e-3);  // Student, one degree of freedom
  BOOST_TEST(std::abs(at("concatenated") - 13.6 / 14) < 1e-12);
  BOOST_TEST((at("readings") == 4000 && at("width") == 12 && at("overlap") == 1.125 && at("runs") == 2));
  // Of two shorter runs it is no loss at the end.
  BOOST_TEST(find(outcome.findings, "A12.loss.classifier.both.d32") == nullptr);
  BOOST_TEST(std::abs(value(outcome, "A12.early.classifier.d32") - 0.15 / 14) < 1e-12);
}

BOOST_AUTO_TEST_SUITE_END()
