// Q3: is a sum over tokens of word plus position enough to know which word stood where? One bag, one place
// asked per bag, one word of all V answered. In words: q3.toml.

#include <algorithm>
#include <cmath>

#include "perp/measures/bag.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/rows.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/recovery.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// Words in all.
constexpr std::size_t bag_words = 1000, usual_width = 512;
/// Noise that is added to what a sum leaves, of a word's length: its words are all equally near, and a keyed
/// draw has to choose among them where rounding would.
constexpr float tie_noise = 0.01F;

/// A way to join word and place.
struct Key {
  const char* name;
  Binding binding;
  double base;  ///< of rotary and sinusoidal keys; 0: drawn at random
};
/// sum: sinusoidal positions of the words' length; signs: drawn anew for each place; rotary: turns by t T^(-2i/d).
constexpr Key keys[] = {{"sum", Binding::sum, 10000},
                        {"signs", Binding::product, 0},
                        {"rotary_10", Binding::rotate, 10},
                        {"rotary_10k", Binding::rotate, 10000}};

/// Keys of n places, n x d. Positions that are added have the words' length, 1.
Matrix<float> keys_of(const Key& key, std::size_t n, std::size_t d, const Stream& stream) {
  if (key.binding == Binding::sum) {
    Matrix<float> positions = sinusoidal<float>(n, d, key.base);
    const float scale = float(1 / std::sqrt(d / 2.0));
    for (std::size_t i = 0; i < positions.size(); ++i) positions.data()[i] *= scale;
    return positions;
  }
  if (key.binding == Binding::product) {
    Matrix<float> signs = matrix<float>(n, d);
    fill_signs(stream, std::span<float>(signs.data(), signs.size()));
    return signs;
  }
  Matrix<double> angles = matrix<double>(n, d / 2);
  const std::vector<double> omega = frequencies(d, key.base);
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t i = 0; i < omega.size(); ++i) angles(t, i) = t * omega[i];
  return rotation_keys(angles);
}

/// Chance to be right, mean over the places asked.
double expected(const Key& key, const Matrix<float>& keys, std::size_t n) {
  const std::size_t d = cols(keys);
  if (key.binding == Binding::sum) return theory::unpaired_share(n);
  if (key.binding == Binding::product)
    return theory::matched_filter_share(d, bag_words, std::vector(n - 1, theory::random_signs), true);
  double sum = 0;
  for (std::size_t t = 0; t < n; ++t) {
    std::vector<theory::Rival> rivals;
    for (std::size_t s = 0; s < n; ++s) {
      if (s == t) continue;
      const KeyOverlap overlap = key_overlap(row(keys, t), row(keys, s), key.binding);
      // Float keys meet themselves a rounding above 1.
      rivals.push_back({std::clamp(overlap.mean, -1.0, 1.0), std::min(overlap.mean_square, 1.0)});
    }
    sum += theory::matched_filter_share(d, bag_words, rivals, false);
  }
  return sum / n;
}

/// One bag and what is asked of it.
struct Question {
  std::vector<std::uint32_t> chosen;
  std::size_t place = 0;
};

/// Sentences of n different words, and a place of each.
std::vector<Question> draw_questions(std::size_t count, std::size_t n, const Stream& words,
                                     const Stream& places) {
  // Twice as many draws as words, so that enough of them differ: n is at most a quarter of all.
  const std::size_t drawn = 2 * n + 16;
  const std::vector<std::uint32_t> order = below(words, count * drawn, bag_words),
                                   place = below(places, count, std::uint32_t(n));
  std::vector<Question> questions(count);
  for (std::size_t q = 0; q < count; ++q) {
    std::vector<std::uint32_t>& chosen = questions[q].chosen;
    for (std::size_t i = q * drawn; i < (q + 1) * drawn && chosen.size() < n; ++i)
      if (std::ranges::find(chosen, order[i]) == chosen.end()) chosen.push_back(order[i]);
    if (chosen.size() < n) fail("Q3: fewer than {} different words among {} drawn", n, drawn);
    questions[q].place = place[q];
  }
  return questions;
}

/// ‖bag - bag of the same words in reverse order‖/‖bag‖.
double pairings_apart(const Matrix<float>& words, const Matrix<float>& keys, Binding binding,
                      Question question) {
  std::vector<float> one(cols(words)), other(cols(words));
  bag_of(words, question.chosen, keys, binding, one);
  std::ranges::reverse(question.chosen);
  bag_of(words, question.chosen, keys, binding, other);
  double apart = 0, length = 0;
  for (std::size_t j = 0; j < one.size(); ++j) {
    apart += squared(double(one[j]) - other[j]);
    length += squared(one[j]);
  }
  return std::sqrt(apart / length);
}

/// Queries x d: each bag with the key of the place asked undone; all positions are known, so that of a sum
/// all are taken off, and ties are broken.
Matrix<float> questions_undone(const Matrix<float>& words, const Matrix<float>& keys, Binding binding,
                               const std::vector<Question>& questions, const Stream& ties) {
  Matrix<float> undone = matrix<float>(questions.size(), cols(words));
  const float noise = tie_noise / std::sqrt(float(cols(words)));
  const Matrix<float> broken =
      binding == Binding::sum ? normal_matrix<float>(questions.size(), cols(words), ties) : Matrix<float>();
  std::vector<float> bag(cols(words));
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const auto& [chosen, place] = questions[q];
    const std::span<float> out = row(undone, q);
    bag_of(words, chosen, keys, binding, bag);
    if (binding != Binding::sum) unbind(bag, row(keys, place), binding, out);
    for (std::size_t t = 0; binding == Binding::sum && t < chosen.size(); ++t) {
      unbind(bag, row(keys, t), binding, out);
      std::ranges::copy(out, bag.begin());
    }
    for (std::size_t j = 0; binding == Binding::sum && j < out.size(); ++j) out[j] += noise * broken(q, j);
  }
  return undone;
}

void measure(const Key& key, std::size_t d, std::size_t n, std::size_t reads, const Streams& streams,
             Out& out) {
  constexpr std::size_t codebooks = 4;
  std::size_t right = 0, read = 0;
  double apart = 0, line = 0;
  for (std::size_t c = 0; c < codebooks; ++c) {
    const Matrix<float> words = draw_words(Family::sphere, bag_words, d, streams("words", c)),
                        keys = keys_of(key, n, d, streams("keys", c));
    const std::vector<Question> questions =
        draw_questions(reads / codebooks, n, streams("words of the bags", c), streams("places asked", c));
    const std::vector<std::uint32_t> found =
        nearest_words(questions_undone(words, keys, key.binding, questions, streams("ties", c)), words);
    for (std::size_t q = 0; q < questions.size(); ++q)
      right += found[q] == questions[q].chosen[questions[q].place];
    read += questions.size();
    if (c > 0) continue;
    apart = pairings_apart(words, keys, key.binding, questions.front());
    line = expected(key, keys, n);
  }
  const Interval interval = wilson(right, read, shown_level);
  out("bag", {{"tokens", n},
              {"share", Estimate{double(right) / double(read), interval.low, interval.high, shown_level}},
              {"line", line},
              {"reads", read}});
  out("apart", {{"distance", apart}});
}

}  // namespace

Experiment bag_of_sums(const Options& options) {
  using Sizes = std::vector<std::size_t>;
  Experiment claim("Q3", toml_of("q3"));
  const std::size_t d = usual_width, reads = pick<std::size_t>(options.preset, 400, 4000, 20000);
  for (const Key& key : keys)
    for (const std::size_t n :
         pick<Sizes>(options.preset, {4, 8, 32, 128}, doubling(2, 128), doubling(2, 256)))
      claim.cell({{"key", key.name}, {"d", whole(d)}, {"n", whole(n)}, {"reads", whole(reads)}},
                 1e-11 * double(reads * bag_words * (d + n)),
                 [=, &key](const Streams& streams, Out& out) { measure(key, d, n, reads, streams, out); });
  return claim;
}

}  // namespace perp::capacity
