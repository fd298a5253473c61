#include "studies/learning/tasks.hpp"

#include <algorithm>

#include "perp/random/uniform.hpp"

namespace perp::learning {
namespace {

using model::Batch;
using model::ignored_target;

constexpr std::size_t vocabulary = 32;

Batch nothing_asked(std::size_t sequences, std::size_t length) {
  return {length, std::vector<std::int32_t>(sequences * length, 0),
          std::vector<std::int32_t>(sequences * length, ignored_target)};
}

Batch draw_words(std::size_t sequences, std::size_t length, std::size_t words, const Stream& stream) {
  Batch batch = nothing_asked(sequences, length);
  std::ranges::copy(below(stream, sequences * length, std::uint32_t(words)), batch.tokens.begin());
  return batch;
}

Batch copy_batch(std::size_t sequences, std::size_t offset, const Stream& stream) {
  Batch batch = draw_words(sequences, task_length, vocabulary, stream);
  for (std::size_t r = 0; r < batch.tokens.size(); ++r)
    if (r % task_length >= offset) batch.labels[r] = batch.tokens[r - offset];
  return batch;
}

constexpr std::size_t named_places = task_length / 2;

Batch named_batch(std::size_t sequences, const Stream& stream) {
  Batch batch = draw_words(sequences, task_length, vocabulary, stream);
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
  Batch batch = draw_words(sequences, task_length, vocabulary, stream);
  for (std::size_t r = 0; r < batch.tokens.size(); r += sentence) {
    const std::int32_t question = batch.tokens[r + 3] % 2;
    batch.tokens[r + 1] = bites;
    batch.tokens[r + 3] = who + question;
    batch.labels[r + 3] = batch.tokens[r + (question ? 2 : 0)];
  }
  return batch;
}

Task with_exact_labels(std::string name, std::size_t words, std::size_t classes,
                       std::function<Batch(std::size_t, const Stream&)> draw) {
  return {.name = std::move(name), .words = words, .classes = classes, .draw = draw, .draw_test = draw};
}

Task copy_task(std::size_t offset) {
  return with_exact_labels(fmt::format("copy{}", offset), vocabulary, vocabulary,
                           [offset](std::size_t sequences, const Stream& stream) {
                             return copy_batch(sequences, offset, stream);
                           });
}

}  // namespace

Task task_of(std::string_view name) {
  if (name.starts_with("copy") && name.size() == 5 && name[4] > '0' && name[4] <= '9')
    return copy_task(name[4] - '0');
  if (name == "named") return with_exact_labels("named", vocabulary + named_places, vocabulary, named_batch);
  if (name == "bite") return with_exact_labels("bite", vocabulary + 3, vocabulary, bite_batch);
  refuse("learning: no task '{}'; there are copy1 … copy9, named, bite", name);
}

}  // namespace perp::learning
