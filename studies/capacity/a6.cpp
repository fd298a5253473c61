// A6: concatenating costs memory and time: counted, for a model of GPT-2 small's size and an eighth of its width for
// positions. The block is the one of perp/model: its test holds these counts against its arrays. In words: a6.toml.

#include "perp/study/experiment.hpp"
#include "perp/theory/cost.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

using theory::Joining;

/// GPT-2 small's, and an eighth of the width for positions.
constexpr std::size_t vocabulary = 50257, tokens = 1024, blocks = 12, width = 768, of_positions = 96;

void count(const Streams&, Out& out) {
  const theory::ModelShape shape{width, of_positions, blocks, vocabulary};
  const auto add = [&](Joining joining) {
    const std::size_t joined = theory::joined_width(shape, joining);
    out("counts", {{"joining", std::string(theory::to_text(joining))},
                   {"width", joined},
                   {"operations", theory::block_operations(joined, tokens)},
                   {"cache", theory::block_cache(joined)},
                   {"parameters", theory::model_parameters(shape, joining)}});
  };
  for (const Joining joining : {Joining::added, Joining::appended, Joining::divided}) add(joining);
}

/// Relative to adding.
void fold(const Frames& measured, Out& out) {
  const Frame& counts = measured["counts"];
  const Row& added = counts.front();
  for (const Row& at : counts) {
    const auto over_added = [&](const char* of) { return at.number(of) / added.number(of); };
    out("cost", {{"joining", at.text("joining")},
                 {"width", at.whole("width")},
                 {"model_parameters", at.whole("parameters")},
                 {"model_ratio", over_added("parameters")},
                 {"operations_ratio", over_added("operations")},
                 {"cache_ratio", over_added("cache")}});
    // A model whose head has a table of its own, where the model that adds reads its head from the words' table. Words
    // of fewer dimensions cannot serve as a head for all dimensions of the block.
    out("ratios",
        {{"joining", at.text("joining")},
         {"d", width},
         {"dp", of_positions},
         {"model", over_added("parameters")},
         {"cache", over_added("cache")},
         {"operations", over_added("operations")},
         {"untied", (at.number("parameters") + double(vocabulary * width)) / added.number("parameters")}});
  }
}

}  // namespace

Experiment cost(const Options&) {
  Experiment claim("A6", toml_of("a6"));
  claim.cell({{"d", whole(width)}, {"dp", whole(of_positions)}}, 1e-6, count);
  claim.fold(fold);
  return claim;
}

}  // namespace perp::capacity
