// A6: concatenating costs memory and time: counted, for a model of GPT-2 small's size and an eighth of its width for
// positions. The block is the one of perp/model: its test holds these counts against its arrays.

#include "perp/study/claim.hpp"
#include "perp/theory/cost.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

using theory::Joining;

/// GPT-2 small's, and an eighth of the width for positions.
constexpr std::size_t vocabulary = 50257, tokens = 1024, blocks = 12, judged_width = 768,
                      judged_positions = 96;

struct Place {
  std::size_t d, dp;
};
PERP_ROW(Place, d, dp)
struct Cost : Place {
  std::string joining;
  std::size_t width, block_operations, block_cache, model_parameters;
};
PERP_ROW_OF(Cost, Place, joining, width, block_operations, block_cache, model_parameters)

Cost cost_of(const Place& at, Joining joining) {
  const theory::ModelShape shape{at.d, at.dp, blocks, vocabulary, tokens, false};
  const std::size_t width = theory::joined_width(shape, joining);
  const theory::BlockShape block = theory::usual_block(width);
  return {at,
          std::string(theory::to_text(joining)),
          width,
          theory::block_operations(block, tokens),
          theory::block_cache(block),
          theory::model_parameters(shape, joining)};
}

void measure(const Place& at, const Streams&, Rows& rows) {
  for (const Joining joining : {Joining::added, Joining::appended, Joining::divided})
    rows.add(cost_of(at, joining));
}

/// A model whose head has a table of its own, where the model that adds reads its head from the words' table.
/// Words of fewer dimensions cannot serve as a head for all dimensions of the block.
double untied_ratio(const Cost& cost) {
  return double(cost.model_parameters + vocabulary * cost.d) /
         double(cost_of(cost, Joining::added).model_parameters);
}

/// A count relative to adding's.
auto relative(const char* name, const char* meaning, std::size_t Cost::*count) {
  return rounded(name, meaning, [count](const Cost& cost) {
    return double(cost.*count) / double(cost_of(cost, Joining::added).*count);
  });
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
  const auto d = exact("d", "width of the words when positions are added", &Cost::d),
             dp = exact("dp", "", &Cost::dp);
  const auto joining =
      exact("joining", "added; appended: block d + dₚ wide; divided: d - dₚ for words, block d wide",
            &Cost::joining);
  const auto parameters =
      relative("model_ratio", "parameters of a model of 12 blocks and 50,257 words relative to adding",
               &Cost::model_parameters);
  const auto operations =
      relative("operations_ratio", "operations of a block over 1,024 tokens relative to adding",
               &Cost::block_operations);
  const auto cache =
      relative("cache_ratio", "bytes of keys and values kept for a token and block relative to adding",
               &Cost::block_cache);
  summary.table("a6_cost.csv", costs,
                {joining, exact("width", "width of the block", &Cost::width),
                 exact("model_parameters", "parameters of 12 blocks and a table of 50,257 words",
                       &Cost::model_parameters),
                 parameters, operations, cache});
  summary.each(where(costs, [](const Cost& cost) { return cost.joining != "added"; }), {joining, d, dp},
               {parameters, cache, operations});
  summary.each(only(costs, &Cost::joining, "divided"), {joining, d, dp},
               {rounded("untied_ratio",
                        "Parameters of a model whose head has a table of its own, relative to adding with a "
                        "head tied to the words.",
                        untied_ratio)});
  summary.rule = rule();
}

}  // namespace

Experiment cost(const Options&) {
  Experiment claim{"A6", "Concatenating positions to words, instead of adding them, costs memory and time.",
                   "[b, d]"};
  claim.measure(std::vector<Place>{{judged_width, judged_positions}}, 1e-6, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::capacity
