// What is said of two tables and of a model's scores, against plain sums; and chance levels before training.
// The rest of a look's numbers is held by the golden first looks.

#include "studies/learning/geometry.hpp"

#include "perp/base/matrix_algebra.hpp"
#include "perp/random/draws.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/studies/learning/quick.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

Matrix<float> normals(std::size_t n, std::size_t d, const char* purpose) {
  return normal_matrix<float>(n, d, stream(1, "tests", "geometry", 0, purpose));
}

/// A model before its first step, and its tables.
model::Predictor<float> untrained(const std::string& task, const Arm& arm, std::size_t seed) {
  const Run run = run_of(task, arm, {.seed = seed});
  return start_of(run, task_of(task), streams_of(run, 7));
}
/// Of tables by heart: streams matter only to what is not asked of them.
Geometry of_tables(const model::Embedding<float>& embedding) {
  return geometry(embedding, 2, streams_of(Run{}, 7));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_geometry)

BOOST_AUTO_TEST_CASE(every_chance_level_holds_before_training) {
  // 60 seeds: each mean is normal to a few percent. Thirty means within five standard errors: a false alarm
  // in 5e4 runs.
  for (const std::string task : {"copy2", "bite"})
    for (const Arm& arm : {Arm{"add", "as_is"}, Arm{"add", "centred"}, Arm{"add", "learned"}, Arm{"none"}}) {
      MomentSums inside, centred, learned, leading, overlap;
      for (std::size_t seed = 0; seed < 60; ++seed) {
        const Geometry at = geometry(untrained(task, arm, seed).embedding, 32,
                                     streams_of(run_of(task, arm, {.seed = seed}), 7));
        inside.add(at.inside - at.rank / 32);
        centred.add(at.overlap_centred - 1);
        learned.add(at.overlap_learned - 1);
        if (arm.name == std::string_view("none")) continue;
        leading.add(at.leading - 1);
        overlap.add(at.overlap - 1);
      }
      for (const MomentSums& sums : {inside, centred, learned, leading, overlap})
        if (sums.count() > 0)
          BOOST_TEST(std::abs(sums.moments().mean) < 5 * standard_error(sums.moments()), task << " " << arm);
    }
}

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

BOOST_AUTO_TEST_CASE(lengths_and_angles_of_tables_known_by_heart) {
  // Positions 2e₁ and 2e₂, and a third that counts with 4.3 % of their energy, not with half a percent; words
  // 3e₁, 4e₃ and 5e₃: one inside, two at right angles to everything.
  model::Embedding<float> embedding;
  embedding.words = zeros<float>(3, 4);
  embedding.words(0, 0) = 3;
  embedding.words(1, 2) = 4;
  embedding.words(2, 2) = 5;
  embedding.positions = zeros<float>(2, 4);
  embedding.positions(0, 0) = embedding.positions(1, 1) = 2;
  const Geometry at = of_tables(embedding);
  near(at.word_norm, std::sqrt(50.0 / 3), 1e-6);
  near(at.ratio, 2 / std::sqrt(50.0 / 3), 1e-6);
  BOOST_TEST(at.rank == 2);
  near(at.inside, 1.0 / 3, 1e-6);
  // Centred words are (2, 0, -3, 0), (-1, 0, 1, 0) and (-1, 0, 2, 0), positions ± (1, -1, 0, 0).
  near(at.overlap, 4 * (2.0 * 1) / ((2 + 14.0 / 3) * 2), 1e-6);
  embedding.positions = zeros<float>(3, 4);
  embedding.positions(0, 0) = embedding.positions(1, 1) = 10;
  for (const float length : {3.0F, 1.0F}) {
    embedding.positions(2, 3) = length;
    BOOST_TEST(of_tables(embedding).rank == (length > 2 ? 3 : 2));
  }
}

BOOST_AUTO_TEST_CASE(scores_are_bilinear_in_words_and_positions) {
  // Three words, four positions, width 8, two heads; gains, biases and all weights random.
  constexpr std::size_t d = 8, width = 4;
  model::Predictor<float> predictor;
  predictor.body = model::random_transformer<float>({.width = d, .heads = 2, .inner = d},
                                                    stream(1, "tests", "geometry", 0, "body"));
  model::Block<float>& block = predictor.body.blocks.front();
  const Matrix<float> extra = normals(2, d, "extra");
  for (std::size_t j = 0; j < d; ++j) {
    block.first.gain[j] = 1 + extra(0, j) / 2;
    block.first.bias[j] = block.attention.query.bias[j] = block.attention.key.bias[j] = extra(1, j);
  }
  predictor.embedding.words = normals(3, d, "words");
  predictor.embedding.positions = normals(4, d, "positions");
  const std::vector<FourTerms> heads = position_scores(predictor);
  for (std::size_t head = 0; head < heads.size(); ++head) {
    const FourTerms& at = heads[head];
    const auto mapped = [&](const model::Linear<float>& map, const Matrix<float>& table) {
      Matrix<double> out = zeros<double>(rows(table), width);
      for (std::size_t i = 0; i < rows(table); ++i) {
        double mean = 0;
        for (const float x : row(table, i)) mean += x / double{d};
        for (std::size_t k = 0; k < width; ++k)
          for (std::size_t j = 0; j < d; ++j)
            out(i, k) += double(map.weight(head * width + k, j)) * block.first.gain[j] * (table(i, j) - mean);
      }
      return out;
    };
    const auto is_variance = [&](double measured, const Matrix<float>& a, const Matrix<float>& b) {
      const Matrix<double> queries = mapped(block.attention.query, a), keys = mapped(block.attention.key, b);
      double sum = 0, squares = 0;
      for (std::size_t i = 0; i < rows(a); ++i)
        for (std::size_t j = 0; j < rows(b); ++j) {
          const double score = dot(row(queries, i), row(keys, j)) / 2;
          sum += score;
          squares += score * score;
        }
      const double n = double(rows(a) * rows(b));
      near(measured, squares / n - sum * sum / n / n, 1e-9);
    };
    const Matrix<float>&words = predictor.embedding.words, &positions = predictor.embedding.positions;
    is_variance(at.word_word, words, words);
    is_variance(at.word_position, words, positions);
    is_variance(at.position_word, positions, words);
    is_variance(at.position_position, positions, positions);
  }
}

BOOST_AUTO_TEST_SUITE_END()
