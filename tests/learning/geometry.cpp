// What is said of two tables and of a model's scores, against plain sums; and chance levels before training.

#include "studies/learning/geometry.hpp"

#include <cmath>
#include <set>
#include <tuple>

#include "perp/random/normal.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/learning/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

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
Geometry untrained_geometry(const std::string& task, const Arm& arm, std::size_t seed) {
  return geometry(untrained(task, arm, seed).embedding, 32, streams_of(run_of(task, arm, {.seed = seed}), 7));
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
      MomentSums inside, centred, learned, cosine, overlap;
      const bool add = arm.name == std::string_view("add");
      for (std::size_t seed = 0; seed < 60; ++seed) {
        const Geometry at = untrained_geometry(task, arm, seed);
        inside.add(at.inside - at.rank / 32);
        centred.add(at.overlap_centred - 1);
        learned.add(at.overlap_learned - 1);
        if (!add) continue;
        cosine.add(at.cosine);
        overlap.add(at.overlap - 1);
      }
      BOOST_TEST_CONTEXT(task << " " << arm) {
        for (const MomentSums& sums : {inside, centred, learned, cosine, overlap})
          if (sums.count() > 0)
            BOOST_TEST(std::abs(sums.moments().mean) < 5 * standard_error(sums.moments()));
      }
    }
}

BOOST_AUTO_TEST_CASE(overlap_by_plain_sums) {
  // d Σ_ij (Σ_w)_ij (Σ_p)_ij over the two traces, entry by entry; means are removed.
  const auto plain = [](const Matrix<float>& a, const Matrix<float>& b) {
    const std::size_t d = cols(a);
    const auto entry = [](const Matrix<float>& table, std::size_t i, std::size_t j) {
      const double n = double(rows(table));
      double one = 0, other = 0, product = 0;
      for (std::size_t t = 0; t < rows(table); ++t) {
        one += table(t, i) / n;
        other += table(t, j) / n;
        product += double(table(t, i)) * table(t, j) / n;
      }
      return product - one * other;
    };
    double together = 0, trace_a = 0, trace_b = 0;
    for (std::size_t i = 0; i < d; ++i) {
      trace_a += entry(a, i, i);
      trace_b += entry(b, i, i);
      for (std::size_t j = 0; j < d; ++j) together += entry(a, i, j) * entry(b, i, j);
    }
    return double(d) * together / (trace_a * trace_b);
  };
  Matrix<float> words = normals(20, 6, "overlap words"), positions = normals(9, 6, "overlap positions");
  near(centred_overlap(words, positions), plain(words, positions), 1e-5);
  for (std::size_t t = 0; t < 9; ++t) positions(t, 2) += 100;  // a constant changes nothing
  near(centred_overlap(words, positions), plain(words, positions), 1e-3);
  // No direction in common: 0. One direction, and the same: d.
  words = zeros<float>(2, 4);
  positions = zeros<float>(2, 4);
  words(0, 1) = 3;
  positions(1, 2) = 2;
  BOOST_TEST(centred_overlap(words, positions) == 0);
  positions(1, 1) = 2;
  near(centred_overlap(words, positions), 2);
  positions(1, 2) = 0;
  near(centred_overlap(words, positions), 4);
}

BOOST_AUTO_TEST_CASE(overlap_of_random_tables_is_one) {
  // Each departure over theory's standard deviation: mean 0 and mean square 1 over 300 pairs, within five
  // standard errors (of a square about √(2/n) and more, for its law has a tail to the right: 3/√n).
  double sum = 0, squares = 0;
  constexpr std::size_t n = 300, d = 16;
  for (std::size_t i = 0; i < n; ++i) {
    const Stream words = stream(1, "tests", "overlap", i, "words"),
                 positions = stream(1, "tests", "overlap", i, "positions");
    model::Embedding<float> embedding;
    embedding.words = normal_matrix<float>(40, d, words);
    embedding.positions = normal_matrix<float>(32, d, positions);
    const Geometry at = of_tables(embedding);
    const double z = (at.overlap - 1) / at.overlap_sd;
    sum += z / n;
    squares += z * z / n;
  }
  BOOST_TEST(std::abs(sum) < 5 / std::sqrt(double(n)));
  BOOST_TEST(std::abs(squares - 1) < 5 * 3 / std::sqrt(double(n)));
}

BOOST_AUTO_TEST_CASE(overlap_with_the_first_positions_is_that_of_the_seeds) {
  for (const Arm& arm : {Arm{"add", "centred"}, Arm{"add", "learned"}, Arm{"none"}}) {
    model::Predictor<float> model = untrained("bite", arm, 4);
    const Streams shared = streams_of(run_of("bite", arm, {.seed = 4}), 7);
    const auto first = [&](const char* positions) { return positions_of(positions, 32, 32, shared); };
    // Words move, and so do learned positions: what is compared with does not.
    for (float& x : model.embedding.words) x += x > 0 ? 0.3F : 0;
    for (float& x : model.embedding.positions) x = -x + 0.1F;
    const Geometry at = geometry(model.embedding, 32, shared);
    BOOST_TEST(at.overlap_centred == centred_overlap(model.embedding.words, first("centred")));
    BOOST_TEST(at.overlap_learned == centred_overlap(model.embedding.words, first("learned")));
    if (arm.name == std::string_view("add"))
      near(at.overlap, centred_overlap(model.embedding.words, model.embedding.positions), 1e-12);
    else
      BOOST_TEST(std::isnan(at.overlap));
  }
}

BOOST_AUTO_TEST_CASE(directions_of_words_meet_those_of_positions) {
  // Words vary most along the first axes, positions along the last: 16 dimensions, in falling steps.
  constexpr std::size_t d = 16;
  model::Embedding<float> embedding;
  embedding.words = normals(400, d, "falling words");
  embedding.positions = normals(400, d, "rising positions");
  for (std::size_t i = 0; i < 400; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      embedding.words(i, j) *= std::exp(-0.7F * float(j));
      embedding.positions(i, j) *= std::exp(0.7F * float(j));
    }
  const std::vector<Meeting> met = meetings(embedding);
  BOOST_TEST(met.size() == 2U * 2 * 2);
  for (const Meeting& at : met) {
    BOOST_TEST((at.k == 4 || at.k == 8));
    if (at.end == "leading")
      BOOST_TEST(at.mean_square < 0.05);
    else
      BOOST_TEST(at.mean_square > 0.95);
  }
  Meeting at;
  at.width = d;
  at.k = 4, at.r = 8, at.mean_square = 0.25;
  BOOST_TEST(at.ratio() == 0.5);
  const Geometry of = of_tables(embedding);
  BOOST_TEST(of.overlap < 0.01);
  BOOST_TEST((of.overlap_floor > 0 && of.overlap_floor <= of.overlap * (1 + 1e-12)));
  BOOST_TEST((of.permuted_low < 1 && of.permuted_high > 1));
  embedding.combination = model::Combination::concatenate;
  BOOST_TEST(meetings(embedding).empty());
}

BOOST_AUTO_TEST_CASE(directions_of_rounding_do_not_meet) {
  // 32 centred positions of a sinusoid have 11 directions, n normal rows n - 1, and what those leave.
  constexpr std::size_t d = 32;
  using Ranks = std::set<std::tuple<std::string, std::size_t, std::size_t>>;
  const auto met = [](std::size_t words, const Matrix<float>& positions) {
    model::Embedding<float> embedding;
    embedding.words = normals(words, d, "few words");
    embedding.positions = positions;
    Ranks all;
    for (const Meeting& at : meetings(embedding)) all.emplace(at.end, at.k, at.r);
    return all;
  };
  const Matrix<float> waves = sinusoidal<float>(32, d), random = normals(400, d, "positions");
  const auto all = [](const char* end, std::initializer_list<std::size_t> ks,
                      std::initializer_list<std::size_t> rs) {
    Ranks ranks;
    for (const std::size_t k : ks)
      for (const std::size_t r : rs) ranks.emplace(end, k, r);
    return ranks;
  };
  const auto both = [](Ranks a, Ranks b) {
    a.merge(b);
    return a;
  };
  BOOST_TEST(
      (met(32, waves) == both(all("leading", {4, 8, 16}, {4, 8}), all("trailing", {4, 8, 16}, {4, 8}))));
  BOOST_TEST(
      (met(18, random) == both(all("leading", {4, 8, 16}, {4, 8, 16}), all("trailing", {16}, {4, 8, 16}))));
  BOOST_TEST((met(16, random) == all("leading", {4, 8}, {4, 8, 16})));
}

BOOST_AUTO_TEST_CASE(lengths_and_angles_of_tables_known_by_heart) {
  // Positions 2e₁ and 2e₂; words 3e₁, 4e₃ and 5e₃: one inside, two at right angles to everything.
  model::Embedding<float> embedding;
  embedding.words = zeros<float>(3, 4);
  embedding.words(0, 0) = 3;
  embedding.words(1, 2) = 4;
  embedding.words(2, 2) = 5;
  embedding.positions = zeros<float>(2, 4);
  embedding.positions(0, 0) = embedding.positions(1, 1) = 2;
  const Geometry at = of_tables(embedding);
  const auto is = [](double measured, double value) {
    BOOST_TEST(measured == value, boost::test_tools::tolerance(1e-6));
  };
  is(at.word_norm, std::sqrt(50.0 / 3));
  is(at.ratio, 2 / std::sqrt(50.0 / 3));
  BOOST_TEST(at.rank == 2);
  is(at.inside, 1.0 / 3);
  is(at.cosine, 1.0 / 6);  // one pair of six meets
  // Centred words are (2, 0, -3, 0), (-1, 0, 1, 0) and (-1, 0, 2, 0), positions ± (1, -1, 0, 0).
  is(at.overlap, 4 * (2.0 * 1) / ((2 + 14.0 / 3) * 2));
  embedding.words(0, 0) = -3;
  BOOST_TEST(of_tables(embedding).cosine == -1.0 / 6, boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(positions_fill_the_directions_of_99_percent) {
  // A third direction counts with 4.3 % of the energy, not with half a percent.
  model::Embedding<float> embedding;
  embedding.words = zeros<float>(1, 4);
  embedding.words(0, 0) = 1;
  for (const float length : {3.0F, 1.0F}) {
    embedding.positions = zeros<float>(3, 4);
    embedding.positions(0, 0) = embedding.positions(1, 1) = 10;
    embedding.positions(2, 2) = length;
    BOOST_TEST(of_tables(embedding).rank == (length > 2 ? 3 : 2));
  }
}

BOOST_AUTO_TEST_CASE(tables_that_share_no_space_have_no_angles) {
  const Geometry beside = untrained_geometry("copy2", {"concat", "as_is", 8}, 0),
                 alone = untrained_geometry("copy2", {"none"}, 0);
  const auto has = [](double value) { return !std::isnan(value); };
  BOOST_TEST((has(beside.ratio) && !has(beside.inside) && !has(beside.cosine) && !has(beside.overlap) &&
              !has(beside.overlap_centred)));
  BOOST_TEST((!has(alone.ratio) && has(alone.inside) && !has(alone.cosine) && !has(alone.overlap) &&
              has(alone.overlap_centred) && has(alone.overlap_learned)));
}

BOOST_AUTO_TEST_CASE(four_terms_are_those_of_all_pairs) {
  // Three words, four positions, width 8, two heads; gains, biases and all weights random.
  constexpr std::size_t d = 8, v = 3, length = 4, width = 4;
  model::Predictor<float> predictor;
  predictor.body =
      model::random_transformer<float>({.width = d, .heads = 2, .inner = d}, model::Initialisation::fan_in,
                                       stream(1, "tests", "geometry", 0, "body"));
  model::Block<float>& block = predictor.body.blocks.front();
  const Matrix<float> extra = normals(4, d, "extra");
  for (std::size_t j = 0; j < d; ++j) {
    block.first.gain[j] = 1 + extra(0, j) / 2;
    block.first.bias[j] = extra(1, j);
    block.attention.query.bias[j] = extra(2, j);
    block.attention.key.bias[j] = extra(3, j);
  }
  predictor.embedding.words = normals(v, d, "words");
  predictor.embedding.positions = normals(length, d, "positions");
  const Matrix<float>&words = predictor.embedding.words, &positions = predictor.embedding.positions;
  const auto mapped = [&](const model::Linear<float>& map, const Matrix<float>& table, std::size_t i,
                          std::size_t k) {
    double mean = 0, sum = 0;
    for (std::size_t j = 0; j < d; ++j) mean += table(i, j) / double{d};
    for (std::size_t j = 0; j < d; ++j)
      sum += static_cast<double>(map.weight(k, j)) * block.first.gain[j] * (table(i, j) - mean);
    return sum;
  };
  const auto score = [&](std::size_t head, const Matrix<float>& a, std::size_t i, const Matrix<float>& b,
                         std::size_t j) {
    double sum = 0;
    for (std::size_t k = head * width; k < (head + 1) * width; ++k)
      sum += mapped(block.attention.query, a, i, k) * mapped(block.attention.key, b, j, k) / 2;
    return sum;
  };
  const auto variance = [](const std::vector<double>& values) {
    double mean = 0, sum = 0;
    for (const double x : values) mean += x / static_cast<double>(values.size());
    for (const double x : values) sum += (x - mean) * (x - mean) / static_cast<double>(values.size());
    return sum;
  };
  const std::vector<HeadScores> scores = position_scores(predictor);
  BOOST_REQUIRE(scores.size() == 2U);
  for (std::size_t head = 0; head < 2; ++head) {
    const HeadScores& at = scores[head];
    const auto is = [](double measured, double value) {
      BOOST_TEST(measured == value, boost::test_tools::tolerance(1e-9));
    };
    BOOST_TEST(at.head == head);
    const auto all = [&](const Matrix<float>& a, const Matrix<float>& b) {
      std::vector<double> scores;
      for (std::size_t i = 0; i < rows(a); ++i)
        for (std::size_t j = 0; j < rows(b); ++j) scores.push_back(score(head, a, i, b, j));
      return scores;
    };
    is(at.word_word, variance(all(words, words)));
    is(at.word_position, variance(all(words, positions)));
    is(at.position_word, variance(all(positions, words)));
    is(at.position_position, variance(all(positions, positions)));
    // R²: every score replaced by the mean of its distance.
    for (const bool causal : {false, true}) {
      block.attention.causal = causal;
      std::map<int, std::vector<double>> by_lag;
      std::vector<double> seen, explained;
      for (std::size_t t = 0; t < length; ++t)
        for (std::size_t s = 0; s < length; ++s)
          if (!causal || s <= t) {
            by_lag[static_cast<int>(s) - static_cast<int>(t)].push_back(
                score(head, positions, t, positions, s));
            seen.push_back(score(head, positions, t, positions, s));
          }
      double most = -1e9;
      int best = 0;
      for (const auto& [lag, scores] : by_lag) {
        double mean = 0;
        for (const double x : scores) mean += x / static_cast<double>(scores.size());
        explained.insert(explained.end(), scores.size(), mean);
        if (std::abs(lag) <= 2 && mean > most) most = mean, best = lag;
      }
      const HeadScores now = position_scores(predictor)[head];
      BOOST_TEST(now.r2 == variance(explained) / variance(seen), boost::test_tools::tolerance(1e-9));
      BOOST_TEST(now.lag == best);
    }
    block.attention.causal = false;
  }
}

BOOST_AUTO_TEST_CASE(attention_without_queries_looks_everywhere_alike) {
  model::Predictor<float> predictor = untrained("copy2", {"add", "centred"}, 0);
  Run run = run_of("copy2", {"add", "centred"}, {});
  const auto weights = [&] {
    return attention_weights(predictor, run, task_of("copy2"), streams_of(run, 7));
  };
  const auto varied = weights();
  BOOST_REQUIRE(varied.size() == 4U * 32 * 32);
  BOOST_TEST(varied[1].weight != varied[2].weight);
  // Head 2 alone loses its queries.
  model::Linear<float>& query = predictor.body.blocks.front().attention.query;
  for (std::size_t i = 16; i < 24; ++i) {
    query.bias[i] = 0;
    for (std::size_t j = 0; j < 32; ++j) query.weight(i, j) = 0;
  }
  for (const AttentionWeight& at : weights())
    if (at.head == 2) BOOST_TEST(at.weight == 1.0 / 32, boost::test_tools::tolerance(1e-6));
  run.seed = 1;
  BOOST_TEST(weights().empty());
}

BOOST_AUTO_TEST_CASE(beside_each_other_they_meet_in_the_weights_alone) {
  // Blocks of QᵀK that join words with words only: no other term varies.
  model::Predictor<float> predictor = untrained("copy2", {"concat", "as_is", 8}, 1);
  model::Attention<float>& attention = predictor.body.blocks.front().attention;
  for (model::Linear<float>* map : {&attention.query, &attention.key})
    for (std::size_t i = 0; i < 32; ++i) {
      for (std::size_t j = 24; j < 32; ++j) map->weight(i, j) = 0;
      float mean = 0;  // and what LayerNorm's mean would carry over
      for (std::size_t j = 0; j < 24; ++j) mean += map->weight(i, j) / 24;
      for (std::size_t j = 0; j < 24; ++j) map->weight(i, j) -= mean;
    }
  for (const HeadScores& head : position_scores(predictor)) {
    BOOST_TEST(head.word_word > 0.01);
    for (const double term : {head.word_position, head.position_word, head.position_position})
      BOOST_TEST(term < 1e-9);
  }
  BOOST_TEST(position_scores(untrained("copy2", {"rotary"}, 1)).empty());
  BOOST_TEST(position_scores(untrained("copy2", {"none"}, 1)).empty());
  BOOST_TEST(position_scores(untrained("copy2", {"project", "centred", 8}, 1)).empty());
  predictor.body.shape.norm = model::Norm::after;
  check_refusal([&] { position_scores(predictor); }, "LayerNorm before attention");
}

BOOST_AUTO_TEST_CASE(distance_alone_by_chance) {
  BOOST_TEST(distance_null(32, false) == 2.0 / 33);
  BOOST_TEST(distance_null(2, true) == 0.5);  // two lags, three pairs
  BOOST_TEST(distance_null(32, true) == 31.0 / 527);
  check_refusal([] { distance_null(1, true); }, "distances between 1 positions");
  // Random positions before training: 60 models of four heads. The share's own standard deviation is about
  // .02, heads of one model share their positions: 5 standard errors below .02.
  double sum = 0;
  for (std::size_t seed = 0; seed < 60; ++seed)
    for (const HeadScores& head : position_scores(untrained("copy2", {"add", "learned"}, seed)))
      sum += head.r2 / 240;
  BOOST_TEST(std::abs(sum - distance_null(32, false)) < 0.02);
}

BOOST_AUTO_TEST_CASE(readers_find_what_is_there_and_nothing_else) {
  const auto probed = [](const char* task, const Arm& arm, std::size_t seed) {
    return probes(untrained(task, arm, seed), task_of(task),
                  streams_of(run_of(task, arm, {.seed = seed}), 7));
  };
  for (const Arm& arm :
       {Arm{"none"}, Arm{"concat", "as_is", 8}, Arm{"add", "centred"}, Arm{"add", "learned"}}) {
    const std::vector<Probe> read = probed("copy2", arm, 3);
    BOOST_REQUIRE(read.size() == 2U);
    const Probe& input = read[0];
    BOOST_TEST(input.where == "input");
    BOOST_TEST(read[1].where == "output");
    BOOST_TEST_CONTEXT(arm) {
      // 4096 tokens: a share of 1/32 has a standard deviation of .0027.
      BOOST_TEST(std::abs(input.word_chance - 1.0 / 32) < 0.0136);
      BOOST_TEST(std::abs(input.position_chance - 1.0 / 32) < 0.0136);
      BOOST_TEST(input.word > 0.99);
      if (arm.name == std::string_view("none"))
        BOOST_TEST(std::abs(input.position - 1.0 / 32) < 0.0136);
      else
        BOOST_TEST(input.position > 0.9);
    }
  }
  // A name of a place stands in the second half only: who knows words alone is right once in sixteen.
  const std::vector<Probe> named = probed("named", {"none"}, 0);
  BOOST_TEST(std::abs(named[0].position_chance - 1.0 / 16) < 0.02);
  BOOST_TEST(std::abs(named[0].position - 1.0 / 16) < 0.02);
}

BOOST_AUTO_TEST_CASE(every_word_of_a_task_is_drawn) {
  for (const std::string_view name : tasks) {
    const Task task = task_of(name);
    const model::Batch batch = task.draw(128, streams_of(run_of(name, {"none"}, {}), 7)("data"));
    BOOST_TEST(std::set<std::int32_t>(batch.tokens.begin(), batch.tokens.end()).size() == task.words);
  }
}

BOOST_AUTO_TEST_SUITE_END()
