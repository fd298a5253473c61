// Q3: is a sum over tokens of word plus position enough to know which word stood where? One bag, one place
// asked per bag, one word of all V answered.

#include "studies/capacity/q3_bag.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/base/error.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/random/uniform.hpp"
#include "perp/theory/bag.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

std::vector<Cell> cells(const Options& options) {
  using Sizes = std::vector<std::size_t>;
  const std::size_t reads = pick<std::size_t>(options.preset, 400, 4000, 20000);
  const Sizes tokens = pick<Sizes>(options.preset, {4, 8, 32, 128}, {2, 4, 8, 16, 32, 64, 128},
                                   {2, 4, 8, 16, 32, 64, 128, 256});
  const Sizes widths =
      pick<Sizes>(options.preset, {64}, {64, 128, 256, 1024}, {32, 64, 128, 256, 1024, 2048});
  std::vector<Cell> cells;
  const auto add = [&](const Key& key, std::size_t d, std::size_t n) {
    cells.push_back(
        {{{"key", std::string(key.name)}, {"d", whole(d)}, {"n", whole(n)}, {"reads", whole(reads)}},
         1e-11 * static_cast<double>(reads * bag_words * (d + n))});
  };
  for (const Key& key : bag_keys) {
    const bool swept = key.base == 0 || key.base == 10 || key.base == 10000;
    for (const std::size_t n : swept ? tokens : Sizes{usual_tokens}) add(key, usual_width, n);
    if (swept)
      for (const std::size_t d : widths) add(key, d, usual_tokens);
  }
  return cells;
}

/// Keys of n places, n x d. Positions that are added have the words' length, 1.
Matrix<float> keys_of(const Key& key, std::size_t n, std::size_t d, const Stream& stream) {
  if (key.binding == Binding::sum) {
    Matrix<float> positions = sinusoidal<float>(n, d, key.base);
    const float scale = static_cast<float>(1 / std::sqrt(static_cast<double>(d) / 2));
    for (std::size_t i = 0; i < positions.size(); ++i) positions.data()[i] *= scale;
    return positions;
  }
  if (key.binding == Binding::product) {
    Matrix<float> signs = matrix<float>(n, d);
    fill_signs(stream, std::span<float>(signs.data(), signs.size()));
    return signs;
  }
  Matrix<double> angles = matrix<double>(n, d / 2);
  if (key.base == 0) {
    fill_uniform(stream, std::span<double>(angles.data(), angles.size()), 0, 2 * std::numbers::pi);
  } else {
    const std::vector<double> omega = frequencies(d, key.base);
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t i = 0; i < omega.size(); ++i) angles(t, i) = static_cast<double>(t) * omega[i];
  }
  return rotation_keys(View<double>(angles));
}

/// Chance to be right, mean over the places asked.
double expected(const Key& key, const Matrix<float>& keys, std::size_t n) {
  const std::size_t d = cols(keys);
  if (key.binding == Binding::sum) return theory::unpaired_share(n);
  const bool random = key.base == 0;
  const theory::Rival drawn = key.binding == Binding::product ? theory::random_signs : theory::random_turns;
  double sum = 0;
  for (std::size_t t = 0; t < n; ++t) {
    std::vector<theory::Rival> rivals;
    for (std::size_t s = 0; s < n; ++s) {
      if (s == t) continue;
      const KeyOverlap overlap = random ? KeyOverlap{} : key_overlap(row(keys, t), row(keys, s), key.binding);
      // Float keys meet themselves a rounding above 1.
      rivals.push_back(
          random ? drawn
                 : theory::Rival{std::clamp(overlap.mean, -1.0, 1.0), std::min(overlap.mean_square, 1.0)});
    }
    const double share = theory::matched_filter_share(d, bag_words, rivals, random);
    if (random) return share;
    sum += share;
  }
  return sum / static_cast<double>(n);
}

/// One bag and what is asked of it.
struct Question {
  std::vector<std::uint32_t> chosen;
  std::size_t place = 0;
};

/// Sentences of n different words, and a place of each.
std::vector<Question> ask(std::size_t count, std::size_t n, const Stream& words, const Stream& places) {
  // Twice as many draws as words, so that enough of them differ: n is at most a quarter of all.
  const std::size_t drawn = 2 * n + 16;
  const std::vector<std::uint32_t> order = below(words, count * drawn, bag_words);
  const std::vector<std::uint32_t> place = below(places, count, static_cast<std::uint32_t>(n));
  std::vector<Question> questions(count);
  for (std::size_t q = 0; q < count; ++q) {
    std::vector<std::uint32_t>& chosen = questions[q].chosen;
    for (std::size_t i = 0; i < drawn && chosen.size() < n; ++i)
      if (std::ranges::find(chosen, order[q * drawn + i]) == chosen.end())
        chosen.push_back(order[q * drawn + i]);
    if (chosen.size() < n) fail("Q3: fewer than {} different words among {} drawn", n, drawn);
    questions[q].place = place[q];
  }
  return questions;
}

/// ‖bag - bag of the same words in reverse order‖/‖bag‖.
double pairings_apart(const Matrix<float>& words, const Matrix<float>& keys, const Key& key,
                      Question question) {
  std::vector<float> one(cols(words)), other(cols(words));
  bag_of(words, question.chosen, keys, key.binding, one);
  std::ranges::reverse(question.chosen);
  bag_of(words, question.chosen, keys, key.binding, other);
  double apart = 0, length = 0;
  for (std::size_t j = 0; j < one.size(); ++j) {
    apart += std::pow(static_cast<double>(one[j]) - other[j], 2);
    length += std::pow(static_cast<double>(one[j]), 2);
  }
  return std::sqrt(apart / length);
}

/// Queries x d: each bag with the key of the place asked undone; all positions are known, so that of a sum
/// all are taken off.
Matrix<float> questions_undone(const Matrix<float>& words, const Matrix<float>& keys, const Key& key,
                               const std::vector<Question>& questions) {
  const std::size_t d = cols(words);
  Matrix<float> undone = matrix<float>(questions.size(), d);
  std::vector<float> bag(d);
  for (std::size_t q = 0; q < questions.size(); ++q) {
    bag_of(words, questions[q].chosen, keys, key.binding, bag);
    const std::span<float> out = row(undone, q);
    if (key.binding != Binding::sum) {
      unbind(bag, row(keys, questions[q].place), key.binding, out);
      continue;
    }
    for (std::size_t t = 0; t < questions[q].chosen.size(); ++t) {
      unbind(bag, row(keys, t), key.binding, out);
      std::ranges::copy(out, bag.begin());
    }
  }
  return undone;
}

Records run(const Cell& cell, const Streams& streams) {
  const Key& key = key_named(text_at(cell.at, "key"));
  const std::size_t d = size_at(cell.at, "d"), n = size_at(cell.at, "n"), reads = size_at(cell.at, "reads");
  constexpr std::size_t codebooks = 4;
  std::size_t right = 0, inside = 0, read = 0;
  double apart = 0, line = 0;
  for (std::size_t c = 0; c < codebooks; ++c) {
    const Matrix<float> words = draw_words(Family::sphere, bag_words, d, streams("words", c));
    const Matrix<float> keys = keys_of(key, n, d, streams("keys", c));
    const std::vector<Question> questions =
        ask(reads / codebooks, n, streams("words of the bags", c), streams("places asked", c));
    const Matrix<float> undone = questions_undone(words, keys, key, questions);
    const std::vector<std::uint32_t> found = nearest_words(undone, words);
    for (std::size_t q = 0; q < questions.size(); ++q) {
      const std::vector<std::uint32_t>& chosen = questions[q].chosen;
      right += found[q] == chosen[questions[q].place];
      inside += std::ranges::find(chosen, found[q]) != chosen.end();
    }
    read += questions.size();
    if (c == 0) {
      apart = pairings_apart(words, keys, key, questions.front());
      line = expected(key, keys, n);
    }
  }
  return {{"bag",
           {{"right", whole(right)},
            {"inside", whole(inside)},
            {"read", whole(read)},
            {"line", line},
            {"apart", apart}}}};
}

}  // namespace

const Key& key_named(std::string_view name) {
  for (const Key& key : bag_keys)
    if (key.name == name) return key;
  refuse("no way to join words and places is called '{}'", name);
}

Experiment bag_of_sums(const Options& options) {
  return {"Q3",           "A sum over tokens of word plus position is enough to know which word stood where.",
          "(asked)",      {},
          cells(options), run,
          summarise_bag};
}

}  // namespace perp::capacity
