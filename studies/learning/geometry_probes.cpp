// What a linear reader finds of word and position in a model's input.

#include "perp/measures/decoding.hpp"
#include "studies/learning/geometry.hpp"

namespace perp::learning {
namespace {

using Labels = std::vector<std::uint32_t>;

/// Sequences to learn from, and as many to test on; the ridge keeps classes apart that do not vary at all.
constexpr std::size_t probe_sequences = 128;
constexpr double probe_ridge = 1e-4;

/// A batch's tokens and a model's input at them.
struct Tokens {
  Matrix<float> input;
  Labels words, positions;
};

Tokens tokens_of(const model::Predictor<float>& predictor, const model::Batch& batch) {
  Tokens out;
  out.input = model::embed<float>(predictor.embedding, batch.tokens, batch.length);
  for (std::size_t r = 0; r < batch.tokens.size(); ++r) {
    out.words.push_back(std::uint32_t(batch.tokens[r]));
    out.positions.push_back(std::uint32_t(r % batch.length));
  }
  return out;
}

double read(const Matrix<float>& examples, const Labels& classes, const Matrix<float>& queries,
            const Labels& truth) {
  return count_hits(linear_classes(examples, classes, queries, probe_ridge), truth).share();
}

}  // namespace

Probe probe(const model::Predictor<float>& predictor, const Task& task, const Streams& shared) {
  const Tokens learn = tokens_of(predictor, task.draw(probe_sequences, shared("probe", 0))),
               test = tokens_of(predictor, task.draw_test(probe_sequences, shared("probe", 1)));
  return {read(learn.input, learn.words, test.input, test.words),
          read(learn.input, learn.positions, test.input, test.positions)};
}

}  // namespace perp::learning
