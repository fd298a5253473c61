// S2: a causal mask gives order away without any encoding, attention both ways does not. First the law behind
// it, one attention layer over independent values; then position read layer by layer. In words: s2.toml.

#include <algorithm>

#include "perp/model/transformer.hpp"
#include "perp/study/experiment.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"

namespace perp::order {
namespace {

constexpr model::Shape mask_shape{.width = 64, .heads = 4, .inner = 256, .depth = 12};
constexpr std::size_t mask_length = 64;  // tokens of a sequence
constexpr std::size_t read_depths[] = {0, 1, 2, 4, 8, 12};

/// E over dimensions of the squared mean value at each place, relative to the values' own variance: one
/// attention layer, weights drawn afresh for every group of sequences.
void measure_variance(const std::string& mask, const std::string& scores, std::size_t sequences,
                      const Streams& streams, Out& out) {
  constexpr std::size_t group = 50, d = mask_shape.width, length = mask_length;
  model::Shape shape = mask_shape;
  shape.depth = 1;
  shape.causal = mask == "causal";
  std::vector<MomentSums> sums(length);
  for (std::size_t g = 0; g * group < sequences; ++g) {
    auto transformer = model::random_transformer<float>(shape, streams("weights", g));
    model::Attention<float>& attention = transformer.blocks.front().attention;
    if (scores == "uniform") std::fill_n(attention.query.weight.data(), attention.query.weight.size(), 0.0F);
    const Matrix<float> words = draw_words(Family::gaussian, group * length, d, streams("words", g));
    const auto activations = model::attend(attention, words, length);
    double values = 0;
    for (const double value : std::span(activations.value.data(), activations.value.size()))
      values += value * value;
    values /= static_cast<double>(activations.value.size());
    for (std::size_t b = 0; b < group; ++b)
      for (std::size_t t = 0; t < length; ++t) {
        double square = 0;
        for (const double mixed : row(activations.mixed, b * length + t)) square += mixed * mixed;
        sums[t].add(square / static_cast<double>(d) / values);
      }
  }
  for (std::size_t t = 0; t < length; ++t) {
    const Moments moments = sums[t].moments();
    const double seen = shape.causal ? double(t + 1) : double(length);
    out("variance", {{"place", t + 1},
                     {"sequences", moments.count},
                     {"variance", estimated(moments)},
                     {"line", scores == "uniform" ? 1 / seen : NAN}});
  }
}

/// Position read from the stream and from attention's mean values, at some depths.
void read_by_layer(const std::string& mask, const std::string& first, std::size_t number, std::size_t batch,
                   const Streams& streams, Out& out) {
  const Streams draw = of_draw(streams, number);
  const std::size_t length = mask_length;
  model::Shape shape = mask_shape;
  shape.causal = mask == "causal";
  const auto transformer = model::random_transformer<float>(shape, draw("weights"));
  Matrix<float> states = draw_words(Family::gaussian, batch * length, shape.width, draw("words"));
  if (first == "same")
    for (std::size_t b = 1; b < batch; ++b)
      std::ranges::copy(row(states, 0), row(states, b * length).begin());
  const Matrix<double> targets = log_places(batch, length);
  // The first word stands at its place whatever is read; where it is always the same it would be a hint.
  const Split split{length, 1, Held::sequences};
  const auto note = [&](std::size_t depth, const Matrix<float>& from, const char* where) {
    if (!std::ranges::count(read_depths, depth)) return;
    for (const auto& [how, seen] : {std::pair{"entries", Seen::entries}, {"squares", Seen::squares}})
      out("place",
          {{"depth", depth}, {"where", where}, {"how", how}, {"r2", read(from, targets, split, seen)[0]}});
  };
  note(0, states, "stream");
  for (std::size_t k = 0; k < shape.depth; ++k) {
    auto activations = model::pass(transformer.blocks[k], shape, states, length);
    note(k + 1, activations.attention.mixed, "attention");
    states = std::move(activations.out(shape));
    note(k + 1, states, "stream");
  }
}

/// "both" of "both ways": in a finding's id.
std::string short_name(const Row& at) { return at.text("mask") == "causal" ? "causal" : "both"; }

void fold(const Frames& measured, Out& out) {
  for (const Row& at : measured["variance"]) {
    if (at.text("mask") != "causal" || at.whole("place") != mask_length) continue;
    const Estimate one = at.estimate("variance").value();
    const double seen = double(mask_length);
    out("last", {{"scores", at.text("scores")},
                 {"mask", short_name(at)},
                 {"t", mask_length},
                 {"variance", Estimate{one.value * seen, *one.low * seen, *one.high * seen, shown_level}},
                 {"line", at.text("scores") == "uniform" ? 1 : NAN},
                 {"sequences", at.whole("sequences")}});
  }
  for (const Frame& draws : measured["place"].by("mask first depth where how")) {
    const Row& at = draws.front();
    out("read", draws, {{"r2", draws.mean("r2")}, {"draws", draws.size()}});
    out("told", {{"mask", short_name(at)},
                 {"where", at.text("where")},
                 {"how", at.text("how")},
                 {"first", at.text("first")},
                 {"depth", at.whole("depth")},
                 {"r2", draws.mean("r2")},
                 {"draws", draws.size()}});
  }
}

}  // namespace

Experiment causal_mask(const Options& options) {
  Experiment claim("S2", toml_of("s2"));
  const std::size_t one_layer = pick<std::size_t>(options.preset, 100, 600, 4000),
                    stacked = pick<std::size_t>(options.preset, 12, 64, 128);
  for (const std::string mask : {"causal", "both ways"}) {
    for (const std::string scores : {"uniform", "random"})
      claim.cell({{"kind", "variance"}, {"mask", mask}, {"scores", scores}, {"sequences", whole(one_layer)}},
                 5e-4 * double(one_layer), [=](const Streams& streams, Out& out) {
                   measure_variance(mask, scores, one_layer, streams, out);
                 });
    for (const std::string first_word : {"any", "same"})
      for (const std::size_t draw : first(pick<std::size_t>(options.preset, 2, 8, 20)))
        claim.cell({{"kind", "read"},
                    {"mask", mask},
                    {"first", first_word},
                    {"draw", whole(draw)},
                    {"sequences", whole(stacked)}},
                   1e-2 * double(stacked), [=](const Streams& streams, Out& out) {
                     read_by_layer(mask, first_word, draw, stacked, streams, out);
                   });
  }
  claim.fold(fold);
  return claim;
}

}  // namespace perp::order
