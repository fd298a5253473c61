// Q3: is a sum over tokens of word plus position enough to know which word stood where? One bag, one place
// asked per bag, one word of all V answered.

#include <algorithm>
#include <cmath>

#include "perp/measures/bag.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/squares.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/bag.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

/// Words in all, and the sentence that is looked at in every direction.
constexpr std::size_t bag_words = 1000, usual_width = 512, usual_tokens = 8;
/// Two bags closer than this, relative, differ by rounding only.
constexpr double rounding = 1e-5;
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
const Key& key_named(std::string_view name) {
  for (const Key& key : keys)
    if (key.name == name) return key;
  refuse("no way to join words and places is called '{}'", name);
}

struct Place {
  std::string key;
  std::size_t d, n, reads;
};
PERP_ROW(Place, key, d, n, reads)
struct Bag : Place {
  std::size_t right, read;
  double line, apart;
};
PERP_ROW_OF(Bag, Place, right, read, line, apart)

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

void measure(const Place& at, const Streams& streams, Rows& rows) {
  const Key& key = key_named(at.key);
  constexpr std::size_t codebooks = 4;
  Bag bag{at, 0, 0, 0, 0};
  for (std::size_t c = 0; c < codebooks; ++c) {
    const Matrix<float> words = draw_words(Family::sphere, bag_words, at.d, streams("words", c)),
                        keys = keys_of(key, at.n, at.d, streams("keys", c));
    const std::vector<Question> questions = draw_questions(
        at.reads / codebooks, at.n, streams("words of the bags", c), streams("places asked", c));
    const std::vector<std::uint32_t> found =
        nearest_words(questions_undone(words, keys, key.binding, questions, streams("ties", c)), words);
    for (std::size_t q = 0; q < questions.size(); ++q)
      bag.right += found[q] == questions[q].chosen[questions[q].place];
    bag.read += questions.size();
    if (c > 0) continue;
    bag.apart = pairings_apart(words, keys, key.binding, questions.front());
    bag.line = expected(key, keys, at.n);
  }
  rows.add(bag);
}

void conclude(const Cells& cells, Summary& summary) {
  const auto bags = rows_of<Bag>(cells);
  const auto key = exact(
      "key", "how word and place are joined: sum; random signs per place; rotary with its base", &Bag::key);
  const auto d = exact("d", "dimension", &Bag::d);
  const auto n = exact("n", "words in the sum", &Bag::n);
  const auto right =
      sampled("share",
              "share of places of a bag for which the right word of 1,000 is found; theory: 1/n "
              "for sums, normal interference for the others",
              [](const Bag& bag) -> Estimate {
                const Interval interval = wilson(bag.right, bag.read, shown_level);
                return {double(bag.right) / double(bag.read), interval.low, interval.high, interval.level};
              })
          .theory(&Bag::line)
          .n(&Bag::read);
  const auto apart = sampled("apart",
                             "distance between the bags of a sentence and of its reverse, relative to the "
                             "bag's length; below 0.00001 is rounding",
                             &Bag::apart)
                         .n(1);
  summary.table("q3_bag.csv", bags,
                {key, d, n.as("tokens", "n: words in the sum"), right.interval("low", "high", "Wilson, 99%"),
                 rounded("line", "theory: 1/n for the sum, normal interference for the others", &Bag::line),
                 apart, exact("reads", "bags, one place asked of each", &Bag::read)});
  summary.each(where(bags,
                     [](const Bag& bag) {
                       return bag.n == usual_tokens || (bag.key == "signs" && (bag.n == 32 || bag.n == 128));
                     }),
               {key, d, n}, {right.as("recovered")});
  summary.each(only(bags, &Bag::key, "sum", &Bag::n, usual_tokens), {key, d, n},
               {apart.as("pairings_apart")});
  summary.rule = {condition(
      Role::core, "pairings_apart.sum.d512.n8", Is::above, rounding, Evidence::theorem, {},
      "distance between the bags of a sentence and of its reverse, relative, sums of words and positions")};
}

}  // namespace

Experiment bag_of_sums(const Options& options) {
  using Sizes = std::vector<std::size_t>;
  Experiment claim{"Q3", "A sum over tokens of word plus position is enough to know which word stood where.",
                   "(asked)"};
  const std::size_t reads = pick<std::size_t>(options.preset, 400, 4000, 20000);
  const Sizes tokens = pick<Sizes>(options.preset, {4, 8, 32, 128}, doubling(2, 128), doubling(2, 256));
  std::vector<Place> places;
  for (const Key& key : keys)
    for (const std::size_t n : tokens) places.push_back({key.name, usual_width, n, reads});
  const auto cost = [](const Place& at) { return 1e-11 * double(at.reads * bag_words * (at.d + at.n)); };
  claim.measure(places, cost, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::capacity
