// S4: positions survive many layers. Place and word read from the states of random Transformers, block by
// block, with and without what a block is made of.

#include <algorithm>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/measures/outer.hpp"
#include "perp/model/transformer.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"
#include "studies/order/readout.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {
namespace {

constexpr std::size_t blocks = 24;
/// Dimensions of the positions where they are concatenated; words have the others.
constexpr std::size_t appended = 16;
constexpr std::size_t read_depths[] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 20, 24};
/// R² below which a place or word counts as lost.
constexpr double lost = 0.5;

struct Setting {
  std::string meeting, variant;
  std::size_t draw, sequences;
};
PERP_ROW(Setting, meeting, variant, draw, sequences)
struct Read : Setting {
  std::size_t depth;
  double place, word, spread;
};
PERP_ROW_OF(Read, Setting, depth, place, word, spread)
using Reads = Group<Read>;

/// Column 0 the place, then the entries of the token's word vector.
Matrix<double> targets(const Matrix<float>& words) {
  Matrix<double> out = matrix<double>(rows(words), cols(words) + 1);
  for (std::size_t r = 0; r < rows(words); ++r) {
    out(r, 0) = static_cast<double>(r % depth_length);
    std::ranges::copy(row(words, r), row(out, r).begin() + 1);
  }
  return out;
}

void measure(const Setting& at, const Streams& streams, Rows& rows) {
  const Streams draw = of_draw(streams, at.draw);
  const model::Shape shape = shape_of(at.variant);
  const std::size_t word_width = at.meeting == "concat" ? depth_width - appended : depth_width;
  // Every token has a word of its own, so no word to be read was seen in learning.
  const Matrix<float> words =
      draw_words(Family::gaussian, at.sequences * depth_length, word_width, draw("words"));
  Matrix<float> x = words;
  model::AttentionPositions<float> inside;
  if (at.meeting == "add")
    x = input(words, positional_input<float>("sinusoidal", depth_length, shape, draw));
  else if (at.meeting == "concat")
    x = model::append_positions(words, sinusoidal<double>(depth_length, appended));
  else
    inside = positional_input<float>("rotary", depth_length, shape, draw).attention;
  const Matrix<double> wanted = targets(words);
  const auto hook = [&](std::size_t depth, const Matrix<float>& states) {
    if (!std::ranges::count(read_depths, depth)) return;
    const std::vector<double> r2 = read(states, wanted, {depth_length, 0, Held::tokens});
    rows.add(Read{at, depth, r2[0], std::accumulate(r2.begin() + 1, r2.end(), 0.0) / word_width,
                  spread_within(states, depth_length)});
  };
  const auto transformer = model::random_transformer<float>(shape, draw("weights"));
  model::forward<float>(transformer, std::move(x), depth_length, inside, hook);
}

const auto meeting =
    exact("meeting",
          "add: sinusoid added; concat: 48 dimensions for words, 16 for positions; rotary: queries "
          "and keys turned",
          &Read::meeting);
const auto variant =
    exact("variant",
          "full: residuals, LayerNorm before each layer, feed-forward; norm_after: LayerNorm after "
          "the sum; no_…: without that; bare: attention alone, without any of the three",
          &Read::variant);
const auto depth = exact("depth", "blocks passed", &Read::depth);

void add_reads(const std::vector<Reads>& all, Summary& summary) {
  const auto at_input = [](double Line::*part, double elsewhere) {
    return [=](const Read& r) { return r.depth == 0 ? line_at_input(r.meeting).*part : elsewhere; };
  };
  const auto place =
      mean("place",
           "Held-out R² of a token's position from the states, linear, mean over draws; theory: "
           "from the covariances at depth 0, else chance.",
           &Read::place)
          .theory(at_input(&Line::place, 0));
  const auto word = mean("word",
                         "Held-out R² of a token's own word vector from the states, linear, mean over its "
                         "entries and draws; theory: likewise.",
                         &Read::word)
                        .theory(at_input(&Line::word, 0));
  const auto spread =
      mean("spread",
           "root of the share of the states' energy that differs within a sequence, mean over draws",
           &Read::spread)
          .unit("share");
  constexpr const char* interval = "Student's t over draws of words and weights, 99%";
  summary.table(
      "s4_read.csv", all,
      {meeting, variant, depth, place.interval("place_low", "place_high", interval),
       word.interval("word_low", "word_high", interval), spread,
       exact("place_line", "depth 0: R² of the place for any number of tokens, from covariances",
             at_input(&Line::place, NAN)),
       exact("word_line", "the same of the word", at_input(&Line::word, NAN)),
       exact("chance", "R² of a read-out that knows nothing but the mean", [](const Read&) { return 0.0; }),
       rows_in<Read>("draws", "draws of words and weights")});
  std::vector<Read> draws;
  for (const Reads& reads : all) draws.insert(draws.end(), reads.begin(), reads.end());
  summary.table(
      "s4_draws.csv", draws,
      {meeting, variant, depth, exact("draw", "of words and weights", &Read::draw),
       sampled("place", "held-out R² of a token's position", &Read::place),
       sampled("word", "held-out R² of its word vector, mean over entries", &Read::word),
       sampled("spread", "root of the share of energy that differs within a sequence", &Read::spread)});

  const auto told = [&](const auto& column, const std::vector<std::string>& places) {
    const auto is_told = [&](const Read& r) {
      return std::ranges::count(places, fmt::format("{} {} {}", r.meeting, r.variant, r.depth)) > 0;
    };
    summary.each(where(all, [&](const Reads& reads) { return is_told(reads.front()); }),
                 {meeting, variant, depth}, {column});
  };
  told(place, {"add full 0", "add full 24", "add norm_after 24", "add no_norm 24", "add no_feed_forward 24",
               "add no_residual 1", "add no_residual 24", "concat full 0", "concat full 24",
               "concat norm_after 24", "concat no_residual 24", "rotary full 24"});
  told(word, {"add full 0", "add full 24", "add no_residual 1", "concat full 24"});
  told(spread, {"add no_residual 6"});
}

/// A meeting and a variant: the last depth that was read up to which the mean over draws stays at `lost` or
/// above; -1 if not even the input does.
int reach(const Reads& path, double Read::*what) {
  int last = -1;
  for (const Reads& reads : group_by(path, &Read::depth)) {
    if (reads.mean(what) < lost) break;
    last = static_cast<int>(reads.front().depth);
  }
  return last;
}

void add_paths(const std::vector<Reads>& paths, Summary& summary) {
  const auto blocks_of = [](const char* name, const char* meaning, double Read::*what) {
    return counted(name, meaning, [what](const Reads& path) { return reach(path, what); })
        .unit("blocks")
        .n(std::size(read_depths));
  };
  summary.table(
      "s4_reach.csv", paths,
      {meeting, variant,
       blocks_of("place",
                 "most blocks of 1, 2, 3, 4, 6, 8, 12, 16, 20, 24 after which R² of the place is still .5; "
                 "-1: not even before the first",
                 &Read::place),
       blocks_of("word", "the same of the word", &Read::word)});
}

/// With residuals, LayerNorm before each layer as in GPT-2 or after it as in BERT; without is where it ends.
Rule rule() {
  struct Variant {
    Role role;
    const char *name, *residuals;
  };
  constexpr Variant asked[] = {{Role::core, "full", "LayerNorm before"},
                               {Role::core, "norm_after", "LayerNorm after"},
                               {Role::limit, "no_residual", "none"}};
  Rule rule;
  for (const Variant& variant : asked)
    for (const auto& [meeting, positions] : {std::pair{"add", "added"}, {"concat", "concatenated"}})
      rule.push_back(
          condition(variant.role, fmt::format("place.{}.{}.depth{}", meeting, variant.name, blocks),
                    Is::above, lost, Evidence::simulation,
                    {{"positions", positions}, {"residuals", variant.residuals}}, {}, "at least 8 seeds"));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const std::vector<Read> reads = rows_of<Read>(cells);
  add_reads(group_by(reads, &Read::meeting, &Read::variant, &Read::depth), summary);
  add_paths(group_by(reads, &Read::meeting, &Read::variant), summary);
  summary.rule = rule();
}

}  // namespace

model::Shape shape_of(std::string_view variant) {
  model::Shape shape{.width = depth_width, .heads = 4, .inner = 4 * depth_width, .depth = blocks};
  if (variant == "norm_after") shape.norm = model::Norm::after;
  if (variant == "no_norm" || variant == "bare") shape.norm = model::Norm::none;
  if (variant == "no_feed_forward" || variant == "bare") shape.feed_forward = false;
  if (variant == "no_residual" || variant == "bare") shape.residual = false;
  return shape;
}

Line line_at_input(std::string_view combination) {
  if (combination == "rotary") return {0, 1};
  const std::size_t d = combination == "add" ? depth_width : appended;
  Matrix<double> p = sinusoidal<double>(depth_length, d), t = matrix<double>(depth_length, 1);
  const double length = static_cast<double>(depth_length);
  for (std::size_t j = 0; j < d; ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < depth_length; ++i) mean += p(i, j) / length;
    for (std::size_t i = 0; i < depth_length; ++i) p(i, j) -= mean;
  }
  double variance = 0;
  for (std::size_t i = 0; i < depth_length; ++i) {
    t(i, 0) = static_cast<double>(i) - (length - 1) / 2;
    variance += t(i, 0) * t(i, 0) / length;
  }
  Matrix<double> covariance = mean_outer_product(p);
  for (std::size_t j = 0; j < d; ++j) covariance(j, j) += combination == "add" ? 1 : ridge;
  const Matrix<double> inverse = whitening(covariance);
  const Matrix<double> c = product_tn(p, t), half = product(inverse, c);
  Line line{0, combination == "add" ? 0.0 : 1.0};
  for (std::size_t j = 0; j < d; ++j) line.place += half(j, 0) * half(j, 0) / (length * length * variance);
  if (combination == "add")
    for (std::size_t i = 0; i < inverse.size(); ++i)
      line.word += inverse.data()[i] * inverse.data()[i] / static_cast<double>(d);
  return line;
}

Experiment surviving_depth(const Options& options) {
  Experiment claim{"S4", "Positions survive many layers.", "[b]"};
  claim.measure(
      grid<Setting>(std::vector<std::string>{"add", "concat", "rotary"},
                    std::vector<std::string>(variants.begin(), variants.end()),
                    first(pick<std::size_t>(options.preset, 2, 8, 20)),
                    pick<std::size_t>(options.preset, 8, 40, 96)),
      [](const Setting& at) { return 1e-2 * at.sequences; }, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::order
