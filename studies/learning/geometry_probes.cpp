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

struct Seen {
  Matrix<float> input, output;
  Labels words, positions;
};

Seen seen(const model::Predictor<float>& predictor, const model::Batch& batch) {
  Seen out;
  out.input = model::embed<float>(predictor.embedding, batch.tokens, batch.length);
  out.output = model::forward(predictor.body, out.input, batch.length, predictor.attention_positions);
  for (std::size_t r = 0; r < batch.tokens.size(); ++r) {
    out.words.push_back(static_cast<std::uint32_t>(batch.tokens[r]));
    out.positions.push_back(static_cast<std::uint32_t>(r % batch.length));
  }
  return out;
}

std::uint32_t most_frequent(const std::map<std::uint32_t, std::size_t>& counts) {
  return std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })->first;
}

/// Share right of who is told `hints` and answers what went with each most often among the examples.
double told(const Labels& hints, const Labels& truth, const Labels& test_hints, const Labels& test_truth) {
  std::map<std::uint32_t, std::map<std::uint32_t, std::size_t>> together;
  std::map<std::uint32_t, std::size_t> all;
  for (std::size_t i = 0; i < hints.size(); ++i) {
    ++together[hints[i]][truth[i]];
    ++all[truth[i]];
  }
  std::map<std::uint32_t, std::uint32_t> answers;
  for (const auto& [hint, counts] : together) answers[hint] = most_frequent(counts);
  const std::uint32_t otherwise = most_frequent(all);
  Labels given;
  for (const std::uint32_t hint : test_hints) {
    const auto found = answers.find(hint);
    given.push_back(found == answers.end() ? otherwise : found->second);
  }
  return count_hits(given, test_truth).share();
}

double read(const Matrix<float>& examples, const Labels& classes, const Matrix<float>& queries,
            const Labels& truth) {
  return count_hits(linear_classes(examples, classes, queries, probe_ridge), truth).share();
}

}  // namespace

Records probes(const model::Predictor<float>& predictor, const Task& task, const Streams& shared) {
  const Seen learn = seen(predictor, task.draw(probe_sequences, shared("probe", 0))),
             test = seen(predictor, task.draw_test(probe_sequences, shared("probe", 1)));
  const double word_chance = told(learn.positions, learn.words, test.positions, test.words),
               position_chance = told(learn.words, learn.positions, test.words, test.positions);
  Records records;
  for (const bool output : {false, true}) {
    const Matrix<float>&from = output ? learn.output : learn.input, &to = output ? test.output : test.input;
    records.push_back({"probe",
                       {{"where", std::string(output ? "output" : "input")},
                        {"word", read(from, learn.words, to, test.words)},
                        {"position", read(from, learn.positions, to, test.positions)},
                        {"word_chance", word_chance},
                        {"position_chance", position_chance}}});
  }
  return records;
}

}  // namespace perp::learning
