// A6: concatenating costs memory and time: counted, for a standard block and a model of the size of GPT-2
// small. The block is the one of perp/model: its test holds these counts against its arrays.

#include <algorithm>
#include <chrono>
#include <cmath>

#include "perp/model/transformer.hpp"
#include "perp/random/normal.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/cost.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

using theory::Joining;

/// Words, tokens and blocks of the models compared: GPT-2 small's, at every width.
constexpr std::size_t vocabulary = 50257, tokens = 1024, blocks = 12;
/// The place at which the claim is judged: GPT-2 small's width, an eighth of it for positions.
constexpr std::size_t judged_width = 768, judged_positions = 96;
constexpr std::size_t float32_bytes = 4;

struct Place {
  std::size_t d, dp;
};
PERP_ROW(Place, d, dp)
struct Cost : Place {
  std::string joining;
  std::size_t width, block_parameters, block_operations, block_cache, model_parameters, model_operations;
};
PERP_ROW_OF(Cost, Place, joining, width, block_parameters, block_operations, block_cache, model_parameters,
            model_operations)

Cost cost_of(const Place& at, Joining joining) {
  const theory::ModelShape shape{at.d, at.dp, blocks, vocabulary, tokens, false};
  const std::size_t width = theory::joined_width(shape, joining);
  const theory::BlockShape block = theory::usual_block(width);
  return {at,
          std::string(theory::to_text(joining)),
          width,
          theory::block_parameters(block),
          theory::block_operations(block, tokens),
          theory::block_cache(block),
          theory::model_parameters(shape, joining),
          theory::model_operations(shape, joining)};
}

void measure(const Place& at, const Streams&, Rows& rows) {
  for (const Joining joining : {Joining::added, Joining::appended, Joining::divided, Joining::projected})
    if (joining != Joining::divided || at.dp < at.d) rows.add(cost_of(at, joining));
}

/// Forward passes of one block in float32, one thread: its width as the words', and widened by an eighth, a
/// quarter and a half of that for the positions. The least of a few, for other processes only add.
std::vector<TimedWork> block_times() {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t d = 512, length = 512, repeats = 7;
  std::vector<TimedWork> times;
  for (const std::size_t width : {d, d + d / 8, d + d / 4, d + d / 2}) {
    const model::Shape shape{.width = width, .heads = 8, .inner = 4 * width};
    const model::Transformer<float> block =
        model::random_transformer<float>(shape, stream(0, "A6", "times", 0, "weights"));
    Matrix<float> x = matrix<float>(length, width);
    fill_normal(stream(0, "A6", "times", 0, "tokens"), std::span<float>(x.data(), x.size()));
    double least = INFINITY;
    for (std::size_t i = 0; i < repeats; ++i) {
      const auto start = Clock::now();
      model::pass(block.blocks.front(), shape, x, length);
      least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
    }
    times.push_back({fmt::format("A6: forward pass of a block of width {}, {} tokens, float32, one thread",
                                 width, length),
                     least});
  }
  return times;
}

/// The square of the widths' ratio.
double line(const Cost& cost) {
  const double wider = double(cost.width) / double(cost.d);
  return wider * wider;
}

/// A model whose head has a table of its own, where the model that adds reads its head from the words' table,
/// or has one, too. Words of fewer dimensions cannot serve as a head for all dimensions of the block.
double untied_ratio(const Cost& cost) {
  return double(cost.model_parameters + vocabulary * cost.d) /
         double(cost_of(cost, Joining::added).model_parameters);
}
double both_untied_ratio(const Cost& cost) {
  const std::size_t head = vocabulary * cost.d;
  return double(cost.model_parameters + head) / double(cost_of(cost, Joining::added).model_parameters + head);
}

const auto d = exact("d", "width of the words when positions are added", &Cost::d);
const auto dp = exact("dp", "", &Cost::dp);
const auto joining = exact("joining",
                           "added; appended: block d + dₚ wide; divided: d - dₚ for words, block d wide; "
                           "projected: appended, then mapped back to d",
                           &Cost::joining);

/// A count relative to adding's.
auto relative(const char* name, const char* meaning, std::size_t Cost::*count) {
  return rounded(name, meaning, [count](const Cost& cost) {
    return double(cost.*count) / double(cost_of(cost, Joining::added).*count);
  });
}
const auto block_ratio =
    relative("block_ratio", "parameters of a block relative to adding; theory: square of the widths' ratio",
             &Cost::block_parameters)
        .theory(line);
const auto operations_ratio =
    relative("operations_ratio", "operations of a block over 1,024 tokens relative to adding",
             &Cost::block_operations);
const auto model_ratio =
    relative("model_ratio", "parameters of a model of 12 blocks and 50,257 words relative to adding",
             &Cost::model_parameters);
const auto model_operations_ratio =
    relative("model_operations_ratio", "operations of that model over 1,024 tokens relative to adding",
             &Cost::model_operations);
const auto cache_ratio =
    relative("cache_ratio", "bytes of keys and values kept for a token and block relative to adding",
             &Cost::block_cache);

void add_costs(const std::vector<Cost>& costs, Summary& summary) {
  summary.table(
      "a6_cost.csv", costs,
      {d, dp.as("positions", "dₚ: width of the positions when concatenated"), joining,
       exact("width", "width of the block", &Cost::width),
       exact("block_parameters", "parameters of a block, inner width 4 times its own",
             &Cost::block_parameters),
       block_ratio,
       exact("block_operations", "multiplications of a block over 1,024 tokens", &Cost::block_operations),
       operations_ratio,
       exact("cache_bytes", "keys and values of a token in a block, float32",
             [](const Cost& cost) { return float32_bytes * cost.block_cache; })
           .unit("bytes"),
       exact("model_parameters", "parameters of 12 blocks and a table of 50,257 words",
             &Cost::model_parameters),
       exact("model_bytes", "the same in float32",
             [](const Cost& cost) { return float32_bytes * cost.model_parameters; })
           .unit("bytes"),
       model_ratio,
       exact("model_operations", "multiplications of the model over 1,024 tokens", &Cost::model_operations),
       model_operations_ratio,
       exact("line", "(width/d)²: where the ratio of the blocks goes for wide blocks", line)});
}

/// A published model with its published counts: GPT-2 small (Radford et al. 2019, the released checkpoint)
/// and BERT-base, uncased (Devlin et al. 2019, the released checkpoint, with its pooler).
struct PublishedModel {
  const char* name;
  theory::ModelShape shape;
  std::size_t besides;  ///< parameters outside blocks and tables: norms, token types, pooler
  std::size_t block_published, all_published;

  std::size_t block() const { return theory::block_parameters(theory::usual_block(shape.width)); }
  std::size_t all() const { return theory::model_parameters(shape, Joining::added) + besides; }
};
// GPT-2: one LayerNorm after the last block. BERT: token types, a LayerNorm after the tables, the pooler.
const std::vector<PublishedModel> published_models{
    {"gpt2", {768, 0, 12, 50257, 1024, true}, 2 * 768, 7'087'872, 124'439'808},
    {"bert", {768, 0, 12, 30522, 512, true}, 2 * 768 + 2 * 768 + 768 * 768 + 768, 7'087'872, 109'482'240}};

void add_published(Summary& summary) {
  using Model = PublishedModel;
  const auto model = exact("model", "a released model", &Model::name);
  const auto all =
      exact("all", "parameters of the model, counted; theory: the released checkpoint", &Model::all)
          .theory(&Model::all_published);
  summary.table("a6_published.csv", published_models,
                {model, exact("width", "d", [](const Model& m) { return m.shape.width; }),
                 exact("blocks", "blocks", [](const Model& m) { return m.shape.blocks; }),
                 exact("words", "rows of the table of words", [](const Model& m) { return m.shape.words; }),
                 exact("block", "parameters of a block, counted", &Model::block),
                 exact("block_published", "the same in the released checkpoint", &Model::block_published),
                 all, exact("all_published", "the same as released", &Model::all_published)});
  summary.each(std::vector{published_models.front()}, {model}, {all.as("model_parameters")});
}

/// Where the claim is judged, and what the figure and the law need besides.
void add_ratios(const std::vector<Cost>& costs, Summary& summary) {
  const auto at = [&](const char* joined, std::size_t width, std::size_t positions) {
    return only(costs, &Cost::joining, joined, &Cost::d, width, &Cost::dp, positions);
  };
  const auto judged = [&](const char* joined) { return at(joined, judged_width, judged_positions); };
  summary.each(at("appended", 512, 64), {joining, d, dp}, {block_ratio});
  summary.each(at("appended", judged_width, judged_width), {joining, d, dp},
               {model_ratio, model_operations_ratio});
  summary.each(judged("appended"), {joining, d, dp}, {model_ratio, cache_ratio, operations_ratio});
  summary.each(judged("divided"), {joining, d, dp},
               {model_ratio, cache_ratio, operations_ratio,
                rounded("untied_ratio",
                        "Parameters of a model whose head has a table of its own, relative to adding with a "
                        "head tied to the words.",
                        untied_ratio),
                rounded("both_untied_ratio", "The same, relative to adding with an untied head, too.",
                        both_untied_ratio)});
  summary.each(judged("projected"), {joining, d, dp}, {model_ratio});
}

/// At GPT-2 small's size with an eighth of the width for positions: what grows with the block where it is
/// wider, and what there is to pay at equal width.
Rule rule() {
  const auto above = [](const char* measure, const char* joined, Levels levels) {
    return condition(Role::core, fmt::format("{}.{}.d768.dp96", measure, joined), Is::above, 1.0,
                     Evidence::theorem, std::move(levels));
  };
  return {above("model_ratio", "appended", {{"width", "wider"}, {"what", "parameters"}}),
          above("cache_ratio", "appended", {{"width", "wider"}, {"what", "bytes"}}),
          above("operations_ratio", "appended", {{"width", "wider"}, {"what", "operations"}}),
          above("model_ratio", "divided", {{"width", "equal"}, {"what", "parameters"}, {"head", "tied"}}),
          above("untied_ratio", "divided", {{"width", "equal"}, {"what", "parameters"}, {"head", "untied"}}),
          above("cache_ratio", "divided", {{"width", "equal"}, {"what", "bytes"}}),
          above("operations_ratio", "divided", {{"width", "equal"}, {"what", "operations"}})};
}

void conclude(const Cells& cells, Summary& summary) {
  const auto costs = rows_of<Cost>(cells);
  add_costs(costs, summary);
  add_published(summary);
  add_ratios(costs, summary);
  summary.rule = rule();
}

}  // namespace

Experiment cost(const Options& options) {
  Experiment claim{"A6", "Concatenating positions to words, instead of adding them, costs memory and time.",
                   "[b, d]"};
  std::vector<Place> places;
  for (const std::size_t d : {384, 512, 768, 1024})
    for (const std::size_t dp : {32, 64, 96, 128, 256, 384, 512, 768, 1024})
      if (dp <= d) places.push_back({d, dp});
  claim.measure(places, 1e-6, measure);
  claim.conclude(conclude);
  if (options.preset != Preset::quick) claim.time_separately = block_times;
  return claim;
}

}  // namespace perp::capacity
