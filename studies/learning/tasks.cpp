#include "studies/learning/tasks.hpp"

#include "perp/random/draws.hpp"

namespace perp::learning {
namespace {

using model::Batch;
using model::ignored_target;

constexpr std::size_t vocabulary = 32;

/// Words, of which nothing is asked.
Batch draw_words(std::size_t sequences, const Stream& stream) {
  const std::vector<std::uint32_t> words = below(stream, sequences * task_length, vocabulary);
  return {task_length, {words.begin(), words.end()}, std::vector<std::int32_t>(words.size(), ignored_target)};
}

constexpr std::size_t offset = 2;

Batch copy_batch(std::size_t sequences, const Stream& stream) {
  Batch batch = draw_words(sequences, stream);
  for (std::size_t r = 0; r < batch.tokens.size(); ++r)
    if (r % task_length >= offset) batch.labels[r] = batch.tokens[r - offset];
  return batch;
}

constexpr std::size_t named_places = task_length / 2;

Batch named_batch(std::size_t sequences, const Stream& stream) {
  Batch batch = draw_words(sequences, stream);
  for (std::size_t r = 0; r < batch.tokens.size(); ++r) {
    const std::size_t t = r % task_length;
    if (t < named_places) continue;
    const std::size_t place = std::size_t(batch.tokens[r]) % named_places;
    batch.tokens[r] = std::int32_t(vocabulary + place);
    batch.labels[r] = batch.tokens[r - t + place];
  }
  return batch;
}

constexpr std::size_t sentence = 4;
constexpr std::int32_t bites = vocabulary, who = vocabulary + 1;

Batch bite_batch(std::size_t sequences, const Stream& stream) {
  Batch batch = draw_words(sequences, stream);
  for (std::size_t r = 0; r < batch.tokens.size(); r += sentence) {
    const std::int32_t question = batch.tokens[r + 3] % 2;
    batch.tokens[r + 1] = bites;
    batch.tokens[r + 3] = who + question;
    batch.labels[r + 3] = batch.tokens[r + (question ? 2 : 0)];
  }
  return batch;
}

Task with_exact_labels(std::size_t words, const std::function<Batch(std::size_t, const Stream&)>& draw) {
  return {.words = words, .classes = vocabulary, .draw = draw, .draw_test = draw};
}

}  // namespace

Task task_of(std::string_view name) {
  if (name == "copy2") return with_exact_labels(vocabulary, copy_batch);
  if (name == "named") return with_exact_labels(vocabulary + named_places, named_batch);
  if (name == "bite") return with_exact_labels(vocabulary + 3, bite_batch);
  refuse("learning: no task '{}'; there are copy2, named, bite", name);
}

}  // namespace perp::learning
