// S2: a causal mask gives order away without any encoding, attention both ways does not. First the law behind
// it, one attention layer over independent values; then position read layer by layer.

#include <algorithm>

#include "perp/model/transformer.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"
#include "studies/order/readout.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {
namespace {

constexpr model::Shape mask_shape{.width = 64, .heads = 4, .inner = 256, .depth = 12};
constexpr std::size_t mask_length = 64;  // tokens of a sequence
constexpr std::size_t read_depths[] = {0, 1, 2, 4, 8, 12};
/// R² from which a place counts as read.
constexpr double readable = 0.5;

struct OneLayer {
  std::string kind, mask, scores;
  std::size_t sequences;
};
PERP_ROW(OneLayer, kind, mask, scores, sequences)
struct Variance : OneLayer {
  std::size_t place, n;
  Estimate value;
  double seen() const { return mask == "causal" ? place : mask_length; }
  double line() const { return scores == "uniform" ? 1 / seen() : NAN; }
};
PERP_ROW_OF(Variance, OneLayer, place, n, value)
struct Stack {
  std::string kind, mask, first;
  std::size_t draw, sequences;
};
PERP_ROW(Stack, kind, mask, first, draw, sequences)
/// Held-out R² of ln t; read from the stream after a block or from attention's mean values inside
/// it, linear in the entries or in them and their squares.
struct Read : Stack {
  std::size_t depth;
  std::string where, how;
  double log;
};
PERP_ROW_OF(Read, Stack, depth, where, how, log)

/// E over dimensions of the squared mean value at each place, relative to the values' own variance: one
/// attention layer, weights drawn afresh for every group of sequences.
void measure_variance(const OneLayer& at, const Streams& streams, Rows& rows) {
  constexpr std::size_t group = 50, d = mask_shape.width, length = mask_length;
  model::Shape shape = mask_shape;
  shape.depth = 1;
  shape.causal = at.mask == "causal";
  std::vector<MomentSums> sums(length);
  for (std::size_t g = 0; g * group < at.sequences; ++g) {
    auto transformer = model::random_transformer<float>(shape, streams("weights", g));
    model::Attention<float>& attention = transformer.blocks.front().attention;
    if (at.scores == "uniform")
      std::fill_n(attention.query.weight.data(), attention.query.weight.size(), 0.0F);
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
    rows.add(Variance{at, t + 1, moments.count, estimated(moments)});
  }
}

/// Position read from the stream and from attention's mean values, at some depths.
void read_by_layer(const Stack& at, const Streams& streams, Rows& rows) {
  const Streams draw = of_draw(streams, at.draw);
  const std::size_t batch = at.sequences, length = mask_length;
  model::Shape shape = mask_shape;
  shape.causal = at.mask == "causal";
  const auto transformer = model::random_transformer<float>(shape, draw("weights"));
  Matrix<float> states = draw_words(Family::gaussian, batch * length, shape.width, draw("words"));
  if (at.first == "same")
    for (std::size_t b = 1; b < batch; ++b)
      std::ranges::copy(row(states, 0), row(states, b * length).begin());
  const Matrix<double> targets = log_places(batch, length);
  // The first word stands at its place whatever is read; where it is always the same it would be a hint.
  const Split split{length, 1, Held::sequences};
  const auto note = [&](std::size_t depth, const Matrix<float>& from, const char* where) {
    if (!std::ranges::count(read_depths, depth)) return;
    for (const auto& [how, seen] : {std::pair{"entries", Seen::entries}, {"squares", Seen::squares}})
      rows.add(Read{at, depth, where, how, read(from, targets, split, seen)[0]});
  };
  note(0, states, "stream");
  for (std::size_t k = 0; k < shape.depth; ++k) {
    auto activations = model::pass(transformer.blocks[k], shape, states, length);
    note(k + 1, activations.attention.mixed, "attention");
    states = std::move(activations.out(shape));
    note(k + 1, states, "stream");
  }
}

std::string short_name(const std::string& mask) { return mask == "causal" ? "causal" : "both"; }

void add_variance(const std::vector<Variance>& all, Summary& summary) {
  const auto scores =
      exact("scores", "uniform: all scores equal; random: from random weights", &Variance::scores);
  summary.table(
      "s2_variance.csv", all,
      {exact("mask", "causal, or both ways", &Variance::mask), scores,
       exact("place", "t, from 1, of 64", &Variance::place),
       exact("sequences", "sequences of independent words", &Variance::n),
       sampled("variance", "variance of attention's output before the output map, over that of its values",
               &Variance::value)
           .interval("low", "high", "Student's t over sequences, 99%"),
       exact("line", "uniform scores: 1/(tokens seen)", &Variance::line)});
  const auto scaled = [](const Variance& v) {
    return Estimate{v.value.value * v.seen(), *v.value.low * v.seen(), *v.value.high * v.seen(), shown_level};
  };
  summary.each(
      only(all, &Variance::mask, "causal", &Variance::place, mask_length),
      {scores, exact("mask", "", [](const Variance& v) { return short_name(v.mask); }),
       exact("t", "", &Variance::place)},
      {sampled(
           "variance",
           "Variance of attention's output before the output map, times the tokens seen, over that of its "
           "values; theory for uniform scores: 1.",
           scaled)
           .theory([](const Variance& v) { return v.scores == "uniform" ? 1 : NAN; })
           .n(&Variance::n)});
}

void add_reads(const std::vector<Read>& reads, Summary& summary) {
  const auto mask = exact("mask", "causal, or both ways", &Read::mask);
  const auto first = exact("first", "first word of a sequence: any, or the same in all", &Read::first);
  const auto depth = exact("depth", "blocks passed; 0: the words themselves", &Read::depth);
  const auto where_read = exact(
      "where", "stream: the states after the block; attention: the mean values inside it", &Read::where);
  const auto how =
      exact("how", "entries: linear in the entries; squares: in them and their squares", &Read::how);
  summary.table("s2_draws.csv", reads,
                {mask, first, exact("draw", "of words and weights", &Read::draw), depth, where_read, how,
                 sampled("r2", "held-out R² of ln t", &Read::log)});
  const auto all = group_by(reads, &Read::mask, &Read::first, &Read::depth, &Read::where, &Read::how);
  const auto log = mean("r2", "held-out R² of ln t, mean over draws", &Read::log).chance(0);
  summary.table("s2_read.csv", all,
                {mask, first, depth, where_read, how,
                 log.interval("low", "high", "Student's t over draws of words and weights, 99%"),
                 rows_in<Read>("draws", "draws of words and weights")});
  const auto told = [](const Group<Read>& g) {
    const Read& r = g.front();
    const bool is_last = r.depth == mask_shape.depth;
    return r.where == "attention" ? r.how == "squares" && r.first == "any" && (r.depth == 1 || is_last)
                                  : r.how == "entries" && r.mask == "causal" && is_last;
  };
  summary.each(
      where(all, told),
      {exact("mask", "", [](const Read& r) { return short_name(r.mask); }), where_read, how, first, depth},
      {log.as("read",
              "Held-out R² of the logarithm of a token's position, mean over draws of words and weights; "
              "theory: chance.")});
}

Rule rule() {
  const auto read = [](Role role, const char* mask, const char* id, Is is, const char* says) {
    return condition(role, id, is, readable, Evidence::simulation, {{"attention", mask}}, says,
                     "at least 8 seeds");
  };
  return {read(Role::core, "causal", "read.causal.attention.squares.any.depth1", Is::above,
               "R² of ln t, quadratic probe of attention's output, causal mask, first block"),
          read(Role::core, "both ways", "read.both.attention.squares.any.depth1", Is::below,
               "R² of ln t, quadratic probe of attention's output, no mask, first block"),
          read(Role::limit, "causal", "read.causal.stream.entries.any.depth12", Is::above,
               "R² of ln t, linear probe of the states after 12 random blocks, causal mask")};
}

void conclude(const Cells& cells, Summary& summary) {
  add_variance(rows_of<Variance>(cells), summary);
  add_reads(rows_of<Read>(cells), summary);
  summary.rule = rule();
}

}  // namespace

Experiment causal_mask(const Options& options) {
  const std::vector<std::string> masks{"causal", "both ways"};
  Experiment claim{"S2",
                   "A causal mask reveals token order without any encoding; bidirectional attention, as in "
                   "BERT, does not.",
                   "[c]"};
  claim.measure(
      grid<OneLayer>("variance", masks, std::vector<std::string>{"uniform", "random"},
                     pick<std::size_t>(options.preset, 100, 600, 4000)),
      [](const OneLayer& at) { return 5e-4 * at.sequences; }, measure_variance);
  claim.measure(
      grid<Stack>("read", masks, std::vector<std::string>{"any", "same"},
                  first(pick<std::size_t>(options.preset, 2, 8, 20)),
                  pick<std::size_t>(options.preset, 12, 64, 128)),
      [](const Stack& at) { return 1e-2 * at.sequences; }, read_by_layer);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::order
