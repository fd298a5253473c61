// A6: concatenating costs memory and time: counted, for a standard block and a model of the size of GPT-2
// small. The block is the one of perp/model: its test holds these counts against its arrays.

#include "studies/capacity/a6_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "perp/model/transformer.hpp"
#include "perp/random/normal.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

using theory::Joining;

std::vector<Cell> cells(const Options&) {
  std::vector<Cell> cells;
  for (const std::size_t d : {384U, 512U, 768U, 1024U})
    for (const std::size_t positions : {32U, 64U, 96U, 128U, 256U, 384U, 512U, 768U, 1024U})
      if (positions <= d) cells.push_back({{{"d", whole(d)}, {"dp", whole(positions)}}, 1e-6});
  return cells;
}

Record costs(const theory::ModelShape& shape, Joining joining) {
  const std::uint64_t width = theory::joined_width(shape, joining);
  const theory::BlockShape block = theory::usual_block(width);
  return {"cost",
          {{"joining", std::string(theory::to_text(joining))},
           {"width", whole(width)},
           {"block_parameters", whole(theory::block_parameters(block))},
           {"block_operations", whole(theory::block_operations(block, shape.length))},
           {"block_cache", whole(theory::block_cache(block))},
           {"model_parameters", whole(theory::model_parameters(shape, joining))},
           {"model_operations", whole(theory::model_operations(shape, joining))}}};
}

Records run(const Cell& cell, const Streams&) {
  const theory::ModelShape shape{
      size_at(cell.at, "d"), size_at(cell.at, "dp"), cost_blocks, cost_words, cost_tokens, false};
  Records records;
  for (const Joining joining : {Joining::added, Joining::appended, Joining::divided, Joining::projected})
    if (joining != Joining::divided || shape.positions < shape.width)
      records.push_back(costs(shape, joining));
  return records;
}

/// Forward passes of one block in float32, one thread: its width as the words', and widened by an eighth, a
/// quarter and a half of that for the positions. The least of a few, for other processes only add.
std::vector<TimedWork> block_times() {
  constexpr std::size_t words = 512, length = 512, repeats = 7;
  std::vector<TimedWork> times;
  for (const std::size_t width : {words, words + words / 8, words + words / 4, words + words / 2}) {
    const model::Shape shape{.width = width, .heads = 8, .inner = 4 * width};
    const model::Transformer<float> block = model::random_transformer<float>(
        shape, model::Initialisation::fan_in, stream(0, "A6", "times", 0, "weights"));
    Matrix<float> x = matrix<float>(length, width);
    fill_normal(stream(0, "A6", "times", 0, "tokens"), std::span<float>(x.data(), x.size()));
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < repeats; ++i) {
      const auto start = std::chrono::steady_clock::now();
      model::pass(block.blocks.front(), shape, View<float>(x), length);
      least =
          std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    times.push_back({fmt::format("A6: forward pass of a block of width {}, {} tokens, float32, one thread",
                                 width, length),
                     least});
  }
  return times;
}

}  // namespace

std::vector<PublishedModel> published_models() {
  // GPT-2: one LayerNorm after the last block. BERT: token types, a LayerNorm after the tables, the pooler.
  return {
      {"gpt2", {768, 0, 12, 50257, 1024, true}, 2 * 768, 7'087'872, 124'439'808},
      {"bert", {768, 0, 12, 30522, 512, true}, 2 * 768 + 2 * 768 + 768 * 768 + 768, 7'087'872, 109'482'240}};
}

Experiment cost(const Options& options) {
  Experiment experiment{
      "A6",           "Concatenating positions to words, instead of adding them, costs memory and time.",
      "[b, d]",       {},
      cells(options), run,
      summarise_cost};
  if (options.preset != Preset::quick) experiment.time_separately = block_times;
  return experiment;
}

}  // namespace perp::capacity
