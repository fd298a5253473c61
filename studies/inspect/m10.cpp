// M10: a pass of real text through a trained encoder: what its layers hold of word and position, as Song & Zhong
// 2023 (arXiv 2310.04861) ask of BERT. A table beside the report, which has no section of it. In words: m10.toml.

#include <algorithm>
#include <cmath>
#include <map>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/rows.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

/// Texts of a pass at a time: what a block keeps stays below 100 MB.
constexpr std::size_t texts_together = 8;
/// Keeps apart what does not vary at all.
constexpr double probe_ridge = 1e-4;
/// The words that a probe tells apart, the most frequent ones; how often one must occur to have a mean.
constexpr std::size_t probed_words = 100, fewest_occurrences = 20;

/// The states at one depth. A state h of text c at position t is mean + position_t + text_c + rest (Song & Zhong 2023): the
/// means over texts and over positions, each less the overall mean. Shares are of the states' variance.
struct Depth {
  double position, text;
  double position_chance;  ///< share that the mean of so few texts would have, did positions mean nothing
  /// Of the positions: Σλ/λ₁ of their covariance, as it is and less what the mean of so few texts adds to it.
  double stable_rank, stable_rank_corrected;
  /// √(λ₁ of the positions' covariance/λ₁ of the states'), about the states' mean and about the origin.
  double relative_norm, relative_norm_uncentred;
  double word = NAN;     ///< share of the frequent words' variance that the word explains (Kelley's ε²)
  double overlap = NAN;  ///< ω of words' and positions' covariances; 1 by chance
  Estimate word_right{NAN},
      position_right;  ///< shares that linear_classes reads right, mean over the other texts
  double word_right_chance = NAN,
         position_right_chance;  ///< of who always answers the most frequent word, or one position
  std::size_t words;             ///< that have a mean
};

/// The states of the positions that are measured, text after text.
struct States {
  Matrix<float> h;
  std::size_t texts, positions;
  std::size_t text_of(std::size_t r) const { return r / positions; }
  std::size_t position_of(std::size_t r) const { return r % positions; }
};

States measured_states(const Matrix<float>& all, const EncodedTexts& texts) {
  States out{matrix<float>(texts.texts() * texts.measured.count(), cols(all)), texts.texts(),
             texts.measured.count()};
  for (std::size_t r = 0; r < rows(out.h); ++r)
    std::ranges::copy(row(all, out.text_of(r) * texts.length + texts.measured.first + out.position_of(r)),
                      row(out.h, r).begin());
  return out;
}

/// Rows' means over each group, all groups of one size.
template <class Group>
Matrix<double> group_means(const Matrix<float>& h, std::size_t groups, Group group) {
  Matrix<double> sums = zeros<double>(groups, cols(h));
  const double size = double(rows(h)) / double(groups);
  for (std::size_t r = 0; r < rows(h); ++r)
    for (std::size_t j = 0; j < cols(h); ++j) sums(group(r), j) += h(r, j);
  for (double& x : std::span<double>(sums.data(), sums.size())) x /= size;
  return sums;
}

Matrix<double> sum_of(Matrix<double> a, double factor, const Matrix<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] += factor * b.data()[i];
  return a;
}

/// The states' two-way analysis of variance: covariances of its parts.
struct Parts {
  std::vector<double> mean;
  Matrix<double> positions, texts;  ///< the means less the overall one, a row each
  Matrix<double> all, position, text, rest;
};

Parts parts_of(const States& states) {
  Parts parts;
  parts.mean = column_means(states.h);
  const auto of = [&](std::size_t groups, auto group) {
    return less_row(group_means(states.h, groups, group), parts.mean);
  };
  parts.positions = of(states.positions, [&](std::size_t r) { return states.position_of(r); });
  parts.texts = of(states.texts, [&](std::size_t r) { return states.text_of(r); });
  parts.position = mean_outer_product(parts.positions);
  parts.text = mean_outer_product(parts.texts);
  Matrix<float> left = less_row(states.h, parts.mean);
  parts.all = mean_outer_product(left);
  for (std::size_t r = 0; r < rows(left); ++r)
    for (std::size_t j = 0; j < cols(left); ++j)
      left(r, j) =
          float(left(r, j) - parts.positions(states.position_of(r), j) - parts.texts(states.text_of(r), j));
  parts.rest = mean_outer_product(left);
  return parts;
}

double largest_eigenvalue(const Matrix<double>& a) { return symmetric_eigenvalues(a).back(); }

/// Σλ/λ₁; NaN where nothing varies.
double stable_rank(const Matrix<double>& a) {
  const double sum = trace(a), most = largest_eigenvalue(a);
  return sum > 0 && most > 0 ? sum / most : NAN;
}

/// What the mean over so few texts adds to the positions' covariance: the rest's, per text but one. Texts are
/// independent; within one, states may hang together as they like.
Matrix<double> by_chance(const Parts& parts, const States& states) {
  const std::size_t d = rows(parts.rest);
  return sum_of(zeros<double>(d, d), 1.0 / double(states.texts - 1), parts.rest);
}

void add_positions(const States& states, const Parts& parts, Depth& at) {
  const double all = trace(parts.all);
  at.position = trace(parts.position) / all;
  at.text = trace(parts.text) / all;
  const Matrix<double> chance = by_chance(parts, states);
  at.position_chance = trace(chance) / all;
  at.stable_rank = stable_rank(parts.position);
  at.stable_rank_corrected = stable_rank(sum_of(parts.position, -1, chance));
  const double most = largest_eigenvalue(parts.position);
  Matrix<double> about_origin = parts.all;
  for (std::size_t i = 0; i < rows(about_origin); ++i)
    for (std::size_t j = 0; j < cols(about_origin); ++j) about_origin(i, j) += parts.mean[i] * parts.mean[j];
  at.relative_norm = std::sqrt(most / largest_eigenvalue(parts.all));
  at.relative_norm_uncentred = std::sqrt(most / largest_eigenvalue(about_origin));
}

/// Which rows a class of words has: those of the `most` most frequent ones among `rows` that occur at least
/// `fewest` times; equally frequent ones by their number.
std::vector<std::vector<std::size_t>> rows_by_word(const std::vector<std::int32_t>& words,
                                                   const std::vector<std::size_t>& rows, std::size_t fewest,
                                                   std::size_t most) {
  std::map<std::int32_t, std::vector<std::size_t>> by_word;
  for (const std::size_t r : rows) by_word[words[r]].push_back(r);
  std::vector<std::vector<std::size_t>> classes;
  for (auto& [word, of_it] : by_word)
    if (of_it.size() >= fewest) classes.push_back(std::move(of_it));
  std::ranges::stable_sort(classes, std::ranges::greater{}, &std::vector<std::size_t>::size);
  if (classes.size() > most) classes.resize(most);
  return classes;
}

/// The words of the measured states, in their order.
std::vector<std::int32_t> measured_words(const EncodedTexts& texts) {
  std::vector<std::int32_t> words;
  for (std::size_t c = 0; c < texts.texts(); ++c)
    for (std::size_t t = texts.measured.first; t < texts.measured.last; ++t)
      words.push_back(texts.tokens[c * texts.length + t]);
  return words;
}

/// The frequent words' part of the variance, the positions' mean taken off, and how it lies to the
/// positions'.
void add_words(const States& states, const Parts& parts, const std::vector<std::int32_t>& words, Depth& at) {
  const auto classes = rows_by_word(words, first(words.size()), fewest_occurrences, words.size());
  at.words = classes.size();
  std::vector<std::size_t> taken;
  for (const auto& of_it : classes) taken.insert(taken.end(), of_it.begin(), of_it.end());
  if (classes.size() < 2 || taken.size() <= classes.size()) return;
  const std::size_t d = cols(states.h);
  Matrix<float> y = matrix<float>(taken.size(), d);
  for (std::size_t i = 0; i < taken.size(); ++i)
    for (std::size_t j = 0; j < d; ++j)
      y(i, j) = float(states.h(taken[i], j) - parts.positions(states.position_of(taken[i]), j));
  const Matrix<double> all = mean_outer_product(centred(y));
  for (std::size_t first = 0; const auto& of_it : classes) {
    const std::vector<double> mean = column_means(block(y, first, first + of_it.size()));
    for (std::size_t i = first; i < first + of_it.size(); ++i)
      for (std::size_t j = 0; j < d; ++j) y(i, j) = float(y(i, j) - mean[j]);
    first += of_it.size();
  }
  const Matrix<double> within = mean_outer_product(y), between = sum_of(all, -1, within);
  // Kelley 1935, Proc. Natl. Acad. Sci. 21, 554: what means of few add to the variance between them is taken
  // off.
  const double v = classes.size(), n = taken.size();
  const Matrix<double> word = sum_of(between, -(v - 1) / (n - v), within),
                       position = sum_of(parts.position, -1, by_chance(parts, states));
  at.word = trace(word) / trace(all);
  if (trace(word) <= 0 || trace(position) <= 0) return;
  at.overlap = double(d) * trace_of_product(word, position) / (trace(word) * trace(position));
}

/// Rows to learn from, those of every second text, and to be asked about.
struct Halves {
  std::vector<std::size_t> learn, test;
};
Halves halves_of(const States& states) {
  Halves out;
  for (std::size_t r = 0; r < rows(states.h); ++r)
    (states.text_of(r) % 2 ? out.test : out.learn).push_back(r);
  return out;
}

/// With the class of each.
struct Question : Halves {
  std::vector<std::uint32_t> learn_class, test_class;
};

/// Share that a linear probe reads right, mean over texts.
Estimate right_by_text(const States& states, const Question& question) {
  const std::vector<std::uint32_t> answered =
      linear_classes(select_rows(states.h, question.learn), question.learn_class,
                     select_rows(states.h, question.test), probe_ridge);
  std::map<std::size_t, std::pair<double, double>> by_text;  // right, asked
  for (std::size_t i = 0; i < answered.size(); ++i) {
    auto& [right, asked] = by_text[states.text_of(question.test[i])];
    right += answered[i] == question.test_class[i];
    ++asked;
  }
  MomentSums shares;
  for (const auto& [text, counts] : by_text) shares.add(counts.first / counts.second);
  return estimated(shares.moments());
}

void probe_positions(const States& states, const Halves& halves, Depth& at) {
  Question question{halves, {}, {}};
  for (const std::size_t r : halves.learn) question.learn_class.push_back(states.position_of(r));
  for (const std::size_t r : halves.test) question.test_class.push_back(states.position_of(r));
  at.position_right = right_by_text(states, question);
  at.position_right_chance = 1.0 / double(states.positions);
}

void probe_words(const States& states, const Halves& halves, const std::vector<std::int32_t>& words,
                 Depth& at) {
  const auto classes = rows_by_word(words, halves.learn, 2, probed_words);
  std::map<std::int32_t, std::uint32_t> known;
  Question question;
  for (const auto& of_it : classes) {
    const std::uint32_t number = known.emplace(words[of_it.front()], known.size()).first->second;
    question.learn.insert(question.learn.end(), of_it.begin(), of_it.end());
    question.learn_class.insert(question.learn_class.end(), of_it.size(), number);
  }
  std::vector<std::size_t> asked(classes.size());
  for (const std::size_t r : halves.test)
    if (const auto word = known.find(words[r]); word != known.end()) {
      question.test.push_back(r);
      question.test_class.push_back(word->second);
      ++asked[word->second];
    }
  std::vector<std::size_t> asked_of;
  for (const std::size_t r : question.test) asked_of.push_back(states.text_of(r));
  if (classes.size() < 2 || asked_of.empty() || asked_of.front() == asked_of.back()) return;
  at.word_right = right_by_text(states, question);
  at.word_right_chance = double(asked[0]) / double(question.test.size());  // class 0 is the most frequent
}

}  // namespace

void measure_pass(const EncodedTexts& texts, std::string_view mask, Out& out) {
  model::Transformer<float> body = texts.encoder.body;
  for (auto& block : body.blocks) block.attention.causal = mask == "causal";
  const std::vector<std::int32_t> words = measured_words(texts);
  const auto look = [&](std::size_t depth, const Matrix<float>& all) {
    const States states = measured_states(all, texts);
    Depth at{};
    const Parts parts = parts_of(states);
    add_positions(states, parts, at);
    add_words(states, parts, words, at);
    const Halves halves = halves_of(states);
    probe_positions(states, halves, at);
    probe_words(states, halves, words, at);
    out("layers", {{"depth", depth},
                   {"position", at.position},
                   {"text", at.text},
                   {"position_chance", at.position_chance},
                   {"stable_rank", at.stable_rank},
                   {"stable_rank_corrected", at.stable_rank_corrected},
                   {"relative_norm", at.relative_norm},
                   {"relative_norm_uncentred", at.relative_norm_uncentred},
                   {"word", at.word},
                   {"overlap", at.overlap},
                   {"word_right", at.word_right},
                   {"word_right_chance", at.word_right_chance},
                   {"position_right", at.position_right},
                   {"position_right_chance", at.position_right_chance},
                   {"texts", states.texts},
                   {"positions", states.positions},
                   {"words", at.words}});
  };
  model::forward_in_batches<float>(body, model::embed<float>(texts.encoder, texts.tokens, texts.length),
                                   texts.length, texts_together, look);
}

Experiment through_layers(const Models& models) {
  std::vector<std::string> known = depends(models);
  const std::vector<GivenModel> given = models_with(models, has_texts);
  for (const GivenModel& model : given)
    known.insert(known.end(), model->texts->hashes.begin(), model->texts->hashes.end());
  Experiment claim("M10", toml_of("m10"), known);
  for (const GivenModel& model : given)
    for (const std::string mask : {"none", "causal"})
      claim.cell({{"model", model->name}, {"mask", mask}}, 20,
                 [=](const Streams&, Out& out) { measure_pass(*model->texts, mask, out); });
  return beside_the_claims(asked_of_each(models, std::move(claim)));
}

}  // namespace perp::inspect
