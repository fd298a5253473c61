// What a linear reader finds of word and position in a model's states.

#include <algorithm>
#include <map>

#include "perp/measures/decoding.hpp"
#include "studies/learning/geometry.hpp"

namespace perp::learning {
namespace {

using Labels = std::vector<std::uint32_t>;

/// Sequences to learn from, and as many to test on; the ridge keeps classes apart that do not vary at all.
constexpr std::size_t probe_sequences = 128;
constexpr double probe_ridge = 1e-4;

/// A batch's tokens and a model's states at them.
struct Tokens {
  Matrix<float> input, output;
  Labels words, positions;
};

Tokens tokens_of(const model::Predictor<float>& predictor, const model::Batch& batch) {
  Tokens out;
  out.input = model::embed<float>(predictor.embedding, batch.tokens, batch.length);
  out.output = model::forward(predictor.body, out.input, batch.length, predictor.attention_positions);
  for (std::size_t r = 0; r < batch.tokens.size(); ++r) {
    out.words.push_back(std::uint32_t(batch.tokens[r]));
    out.positions.push_back(std::uint32_t(r % batch.length));
  }
  return out;
}

std::uint32_t most_frequent(const std::map<std::uint32_t, std::size_t>& counts) {
  return std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })->first;
}

/// Share right of who is told `hints` and answers what went with each most often among the examples.
double informed_guess(const Labels& hints, const Labels& truth, const Labels& test_hints,
                      const Labels& test_truth) {
  std::map<std::uint32_t, std::map<std::uint32_t, std::size_t>> together;
  std::map<std::uint32_t, std::size_t> all;
  for (std::size_t i = 0; i < hints.size(); ++i) {
    ++together[hints[i]][truth[i]];
    ++all[truth[i]];
  }
  Labels given;
  for (const std::uint32_t hint : test_hints) {
    const auto found = together.find(hint);
    given.push_back(most_frequent(found == together.end() ? all : found->second));
  }
  return count_hits(given, test_truth).share();
}

double read(const Matrix<float>& examples, const Labels& classes, const Matrix<float>& queries,
            const Labels& truth) {
  return count_hits(linear_classes(examples, classes, queries, probe_ridge), truth).share();
}

}  // namespace

std::vector<Probe> probes(const model::Predictor<float>& predictor, const Task& task, const Streams& shared) {
  const Tokens learn = tokens_of(predictor, task.draw(probe_sequences, shared("probe", 0))),
               test = tokens_of(predictor, task.draw_test(probe_sequences, shared("probe", 1)));
  const double word_chance = informed_guess(learn.positions, learn.words, test.positions, test.words),
               position_chance = informed_guess(learn.words, learn.positions, test.words, test.positions);
  const auto probe = [&](const char* where, Matrix<float> Tokens::*states) {
    return Probe{{},
                 {},
                 where,
                 read(learn.*states, learn.words, test.*states, test.words),
                 read(learn.*states, learn.positions, test.*states, test.positions),
                 word_chance,
                 position_chance};
  };
  return {probe("input", &Tokens::input), probe("output", &Tokens::output)};
}

}  // namespace perp::learning
