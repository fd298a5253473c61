// S2: a causal mask gives order away without any encoding, attention both ways does not. First the law behind
// it, one attention layer over independent values; then position read layer by layer.

#include "studies/order/s2_mask.hpp"

#include <algorithm>

#include "perp/model/transformer.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"
#include "studies/order/readout.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {
namespace {

std::vector<Cell> cells(const Options& options) {
  const std::size_t sequences = pick<std::size_t>(options.preset, 100, 600, 4000),
                    draws = pick<std::size_t>(options.preset, 2, 8, 20),
                    read = pick<std::size_t>(options.preset, 12, 64, 128);
  std::vector<Cell> cells;
  for (const char* mask : {"causal", "both ways"})
    for (const char* scores : {"uniform", "random"})
      cells.push_back({{{"kind", std::string("variance")},
                        {"mask", std::string(mask)},
                        {"scores", std::string(scores)},
                        {"sequences", whole(sequences)}},
                       5e-4 * static_cast<double>(sequences)});
  for (const char* mask : {"causal", "both ways"})
    for (const char* first : {"any", "same"})
      for (std::size_t draw = 0; draw < draws; ++draw)
        cells.push_back({{{"kind", std::string("read")},
                          {"mask", std::string(mask)},
                          {"first", std::string(first)},
                          {"draw", whole(draw)},
                          {"sequences", whole(read)}},
                         1e-2 * static_cast<double>(read)});
  return cells;
}

/// E over dimensions of the squared mean value at each place, relative to the values' own variance: one
/// attention layer, weights drawn afresh for every group of sequences.
Records variance(const Cell& cell, const Streams& streams) {
  constexpr std::size_t group = 50, d = mask_shape.width, length = mask_length;
  const std::size_t sequences = size_at(cell.at, "sequences");
  model::Shape shape = mask_shape;
  shape.depth = 1;
  shape.causal = text_at(cell.at, "mask") == "causal";
  std::vector<MomentSums> sums(length);
  for (std::size_t g = 0; g * group < sequences; ++g) {
    auto transformer =
        model::random_transformer<float>(shape, model::Initialisation::fan_in, streams("weights", g));
    model::Attention<float>& attention = transformer.blocks.front().attention;
    if (text_at(cell.at, "scores") == "uniform")
      std::fill_n(attention.query.weight.data(), attention.query.weight.size(), 0.0F);
    const Matrix<float> words = draw_words(Family::gaussian, group * length, d, streams("words", g));
    const model::AttentionActivations<float> activations =
        model::attend(attention, View<float>(words), length);
    double values = 0;
    for (std::size_t i = 0; i < activations.value.size(); ++i)
      values +=
          static_cast<double>(activations.value.data()[i]) * static_cast<double>(activations.value.data()[i]);
    values /= static_cast<double>(activations.value.size());
    for (std::size_t b = 0; b < group; ++b)
      for (std::size_t t = 0; t < length; ++t) {
        double square = 0;
        for (const float mixed : row(activations.mixed, b * length + t))
          square += static_cast<double>(mixed) * static_cast<double>(mixed);
        sums[t].add(square / static_cast<double>(d) / values);
      }
  }
  Records records;
  for (std::size_t t = 0; t < length; ++t) {
    const Moments moments = sums[t].moments();
    const Interval shown = mean_interval(moments, shown_level);
    records.push_back({"variance",
                       {{"place", whole(t + 1)},
                        {"n", whole(moments.count)},
                        {"value", moments.mean},
                        {"low", shown.low},
                        {"high", shown.high}}});
  }
  return records;
}

/// Position read from the stream and from attention's mean values, at some depths.
Records read_by_layer(const Cell& cell, const Streams& streams) {
  const Streams draw = of_draw(streams, size_at(cell.at, "draw"));
  const std::size_t batch = size_at(cell.at, "sequences"), d = mask_shape.width, length = mask_length;
  model::Shape shape = mask_shape;
  shape.causal = text_at(cell.at, "mask") == "causal";
  const auto transformer =
      model::random_transformer<float>(shape, model::Initialisation::fan_in, draw("weights"));
  Matrix<float> states = draw_words(Family::gaussian, batch * length, d, draw("words"));
  if (text_at(cell.at, "first") == "same")
    for (std::size_t b = 1; b < batch; ++b)
      std::ranges::copy(row(states, 0), row(states, b * length).begin());
  const Matrix<double> targets = places(batch, length);
  // The first word stands at its place whatever is read; where it is always the same it would be a hint.
  const Split split{length, 1, Held::sequences};
  Records records;
  const auto note = [&](std::size_t depth, const Matrix<float>& from, std::string_view where) {
    if (!std::ranges::count(mask_depths, depth)) return;
    for (const Reading& reading : readings) {
      if (reading.where != where) continue;
      const std::vector<double> r2 =
          read(from, targets, split, reading.how == "squares" ? Seen::squares : Seen::entries);
      records.push_back({"read",
                         {{"depth", whole(depth)},
                          {"where", std::string(where)},
                          {"how", std::string(reading.how)},
                          {"log", r2[0]},
                          {"place", r2[1]}}});
    }
  };
  note(0, states, "stream");
  for (std::size_t k = 0; k < shape.depth; ++k) {
    model::BlockActivations<float> activations =
        model::pass(transformer.blocks[k], shape, View<float>(states), length);
    note(k + 1, activations.attention.mixed, "attention");
    states = std::move(activations.out(shape));
    note(k + 1, states, "stream");
  }
  return records;
}

Records run(const Cell& cell, const Streams& streams) {
  return text_at(cell.at, "kind") == "variance" ? variance(cell, streams) : read_by_layer(cell, streams);
}

}  // namespace

Experiment causal_mask(const Options& options) {
  return {
      "S2",
      "A causal mask gives the order away without any encoding; attention both ways, as in BERT, does not.",
      "[c]",
      {},
      cells(options),
      run,
      summarise_mask};
}

}  // namespace perp::order
