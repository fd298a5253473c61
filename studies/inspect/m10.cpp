// M10: a pass of real text through a trained encoder: what its layers hold of word and position, beside what
// Song & Zhong 2023 found of BERT.

#include <algorithm>
#include <array>
#include <optional>

#include "perp/study/display_name.hpp"
#include "studies/inspect/m10_measure.hpp"

namespace perp::inspect {
namespace {

/// The parts' covariances are sums of float32 products of states less their means, three roundings of 2^-24.
constexpr double adds_up_bound = 1e-5;
constexpr const char *free_pass = "none", *causal_pass = "causal";

/// BERT (bert-base-cased) on 512 tokens of WikiText without the first, from the notebook that made table 1 of
/// Song & Zhong 2023, arXiv 2310.04861 (JiajunSong629/uncover-hidden-geometry, notebooks/metrics.ipynb).
/// Their first version divided by the states about the origin, the later one by the states about their mean.
/// Their code runs BERT as a decoder, which masks what comes later; BERT was trained without.
struct PublishedDepth {
  std::size_t depth;
  double stable_rank, relative_norm, relative_norm_uncentred;
};
PERP_ROW(PublishedDepth, depth, stable_rank, relative_norm, relative_norm_uncentred)
constexpr std::array<PublishedDepth, 13> bert{{{0, 9.19, .454, .356},
                                               {1, 7.77, .502, .293},
                                               {2, 5.05, .626, .267},
                                               {3, 4.60, .695, .265},
                                               {4, 4.01, .798, .263},
                                               {5, 3.49, .916, .250},
                                               {6, 3.15, .968, .246},
                                               {7, 2.83, .965, .269},
                                               {8, 2.43, .949, .278},
                                               {9, 2.28, .887, .217},
                                               {10, 2.14, .756, .172},
                                               {11, 2.17, .682, .118},
                                               {12, 2.13, .627, .122}}};

void add_tables(const std::vector<Depth>& depths, Summary& summary) {
  const auto depth = exact("depth", "0: what enters the first block; k: after block k", &Depth::depth);
  summary.table(
      "m10_layers.csv", depths,
      {model_name,
       exact("mask", "none: as the model was trained; causal: a token sees what stands before it",
             &Depth::mask),
       depth, rounded("position", "share of the variance in the means over texts", &Depth::position),
       rounded("text", "share in the means over positions", &Depth::text),
       rounded("position_chance", "share that means over so few texts have by chance",
               &Depth::position_chance),
       rounded("stable_rank", "of the positions' means", &Depth::stable_rank),
       rounded("stable_rank_corrected", "less what so few texts add to their covariance",
               &Depth::stable_rank_corrected),
       rounded("relative_norm", "norm of the positions' means over that of the states about their mean",
               &Depth::relative_norm),
       rounded("relative_norm_uncentred", "the same of the states, not centred",
               &Depth::relative_norm_uncentred),
       rounded("word", "share of the frequent words' variance that the word explains", &Depth::word),
       rounded("overlap", "ω of words' and positions' covariances", &Depth::overlap),
       sampled("word_right", "share of the words that a linear probe reads right", &Depth::word_right)
           .unit("share")
           .interval("word_right_low", "word_right_high", "its 99% interval, Student's t over texts"),
       exact("word_right_chance", "of who always answers the most frequent word", &Depth::word_right_chance),
       sampled("position_right", "share of the positions that a linear probe reads right",
               &Depth::position_right)
           .unit("share")
           .interval("position_right_low", "position_right_high", "its 99% interval, Student's t over texts"),
       exact("position_right_chance", "of who always answers one position", &Depth::position_right_chance),
       exact("texts", "texts", &Depth::texts), exact("positions", "positions", &Depth::positions),
       exact("words", "words that occur often enough for a mean", &Depth::words)});
}

void add_terms(const std::vector<Terms>& terms, Summary& summary) {
  summary.number("terms", {}, {double(terms.size())},
                 {.meaning = "Pairs of tokens whose logits were taken apart."});
  summary.table(
      "m10_terms.csv", terms,
      {model_name,
       exact("head", "head of the first block, from 0: the one whose logits vary most by position alone",
             &Terms::head),
       exact("query", "position of the query, from 0, in the first text", &Terms::query),
       exact("key", "position of the key", &Terms::key),
       rounded("word_word", "logit of the query's word and the key's word, before softmax",
               &Terms::word_word),
       rounded("word_position", "of the query's word and the key's position", &Terms::word_position),
       rounded("position_word", "of the query's position and the key's word", &Terms::position_word),
       rounded("position_position", "of the two positions", &Terms::position_position)});
}

void add_published(Summary& summary) {
  const std::vector<PublishedDepth> rows(bert.begin(), bert.end());
  const auto depth =
      exact("depth", "0: what enters the first block; k: after block k", &PublishedDepth::depth);
  const auto rank = exact("stable_rank", "of the positions' means", &PublishedDepth::stable_rank),
             norm = exact("relative_norm", "about the states' mean", &PublishedDepth::relative_norm),
             uncentred =
                 exact("relative_norm_uncentred", "not centred", &PublishedDepth::relative_norm_uncentred);
  summary.table("m10_bert.csv", rows, {depth, rank, norm, uncentred});
  const char* source = " of BERT on WikiText, as Song & Zhong 2023 publish it (arXiv 2310.04861, table 1).";
  summary.each(
      std::vector{rows.front(), rows.back()}, {depth},
      {rank.as("bert_stable_rank", fmt::format("Stable rank of the positions' means{}", source)),
       norm.as("bert_relative_norm",
               fmt::format("Relative norm of the positions' means, states about their mean,{}", source)),
       uncentred.as("bert_relative_norm_uncentred",
                    fmt::format("Relative norm of the positions' means, states not centred,{}", source))});
}

double adds_up(const Group<Depth>& depths) {
  double most = 0;
  for (const Depth& at : depths) most = std::max(most, std::abs(1 - at.position - at.text - at.rest));
  return most;
}

/// "A to B" of the two depths; nothing where one of them is not known.
std::optional<std::string> from_to(double first, double last, int digits) {
  if (!std::isfinite(first) || !std::isfinite(last)) return std::nullopt;
  return fmt::format("from {:.{}f} to {:.{}f}", first, digits, last, digits);
}

void say(const Depth& first, const Depth& last, ModelSummaries& said) {
  const auto share = [&](double a, double b, int digits) { return from_to(100 * a, 100 * b, digits); };
  std::string brief, more;
  const auto add = [](std::string& to, const char* what, const std::optional<std::string>& numbers,
                      const std::string& end) {
    if (numbers) to += fmt::format("{}{} {}{}", to.empty() ? "" : ", ", what, *numbers, end);
  };
  add(brief, "the position's share of the variance goes", share(first.position, last.position, 1),
      fmt::format("% (by chance {:.1f})", 100 * first.position_chance));
  add(brief, "the share of positions that a linear probe reads",
      share(first.position_right.value, last.position_right.value, 0),
      fmt::format("% (chance: {:.1f})", 100 * first.position_right_chance));
  add(brief, "that of words", share(first.word_right.value, last.word_right.value, 0),
      fmt::format("% (chance: {:.0f})", 100 * first.word_right_chance));
  add(more, "; the positions' stable rank goes", from_to(first.stable_rank, last.stable_rank, 2), "");
  add(more, "the overlap ω of words and positions in these texts", from_to(first.overlap, last.overlap, 2),
      " (chance: 1)");
  add(more, "what the word explains of the frequent words' variance", share(first.word, last.word, 0), "%");
  said.add_sentence(fmt::format("{} texts of {} positions, {} blocks: {}{}", first.texts, first.positions,
                                last.depth, brief, more));
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto depths = rows_of<Depth>(cells);
  if (!depths.empty()) {
    add_tables(depths, summary);
    add_published(summary);
    add_terms(rows_of<Terms>(cells), summary);
  }
  ModelSummaries said(summary, models);
  for (const auto& of : group_by(depths, &Depth::model)) {
    const auto free = only(of, &Depth::mask, free_pass);
    const Depth &first = free.front(), &last = free.back();
    said.begin(of.front().model, first.texts);
    said.number("adds_up", {adds_up(of)}, {.theory = 0},
                "Largest departure from 1 of the shares of position, text and rest, over all depths.");
    summary.rule.push_back(condition(Role::core, fmt::format("adds_up.{}", of.front().model), Is::below,
                                     adds_up_bound, Evidence::theorem, {{"model", of.front().model}},
                                     fmt::format("{}: departure from 1 of the three shares' sum",
                                                 display_name(of.front().model, "model"))));
    say(first, last, said);
  }
  said.finish("m10_models.csv",
              "an encoder with texts (perp inspect --encoder, --encoder-heads and --token-ids)");
}

}  // namespace

Experiment through_layers(const Models& models) {
  std::vector<std::string> known = depends(models);
  std::vector<Pass> cells;
  for (const OfModel& of : cells_of(models, has_texts)) {
    const EncodedTexts& texts = *model_named(models, of.model).texts;
    known.insert(known.end(), texts.hashes.begin(), texts.hashes.end());
    for (const char* mask : {free_pass, causal_pass}) cells.push_back({of, mask});
  }
  Experiment claim{"M10", "In every layer a hidden state is a position mean, a text mean and a residual.",
                   "(published)", known};
  claim.measure(cells, 20, [=](const Pass& at, const Streams&, Rows& rows) {
    const EncodedTexts& texts = *model_named(models, at.model).texts;
    measure_pass(texts, at, rows);
    if (at.mask == free_pass) measure_terms(texts, at, rows);
  });
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return beside_the_claims(std::move(claim));
}

}  // namespace perp::inspect
