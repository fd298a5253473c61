// M10: a pass of real text through a trained encoder: what its layers hold of word and position, as Song & Zhong
// 2023 (arXiv 2310.04861) ask of BERT. A table beside the report, which has no section of it.

#include "studies/inspect/m10_measure.hpp"

namespace perp::inspect {
namespace {

void add_table(const std::vector<Depth>& depths, Summary& summary) {
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

void conclude(const Cells& cells, Summary& summary) {
  const auto depths = rows_of<Depth>(cells);
  if (!depths.empty()) add_table(depths, summary);
  finish(summary, 0,
         "nothing: it is a table, m10_layers.csv, of an encoder with texts (perp inspect --encoder, "
         "--encoder-heads and --token-ids)");
}

}  // namespace

Experiment through_layers(const Models& models) {
  std::vector<std::string> known = depends(models);
  std::vector<Pass> cells;
  for (const OfModel& of : cells_of(models, has_texts)) {
    const EncodedTexts& texts = *model_named(models, of.model).texts;
    known.insert(known.end(), texts.hashes.begin(), texts.hashes.end());
    for (const char* mask : {"none", "causal"}) cells.push_back({of, mask});
  }
  Experiment claim{"M10", "In every layer a hidden state is a position mean, a text mean and a residual.",
                   "(published)", known};
  claim.measure(cells, 20, [=](const Pass& at, const Streams&, Rows& rows) {
    measure_pass(*model_named(models, at.model).texts, at, rows);
  });
  claim.conclude([](const Cells& cells, Summary& summary) { conclude(cells, summary); });
  return beside_the_claims(std::move(claim));
}

}  // namespace perp::inspect
