// S1: without an encoding of positions "Tom bit a dog" is "A dog bit Tom". Every arrangement of a text goes
// through the same model, and outputs are compared word by word and pooled.

#include <algorithm>

#include "studies/order/s1_measure.hpp"

namespace perp::order {
namespace {

/// With an encoding two orders are apart by this many times what rounding can do, or more.
double distinct(std::string_view precision) { return precision == "float32" ? 1e2 : 1e6; }

/// What all draws say of one encoding and precision after so many blocks.
struct Level {
  Group<OfRandom> random;
  std::vector<OfText> texts;

  const Place& at() const { return random.front(); }
  double bound() const { return at().bound(); }
};
/// One encoding and precision, every depth.
using Encoding = Group<Level>;

std::vector<Level> levels_of(const Cells& cells) {
  const std::vector<OfText> texts = rows_of<OfText>(cells);
  std::vector<Level> all;
  for (const auto& encoding : group_by(rows_of<OfRandom>(cells), &Place::encoding))
    for (const char* precision : {"float64", "float32"})
      for (const auto& random : group_by(only(encoding, &Place::precision, precision), &Place::depth))
        all.push_back({random, only(texts, &Place::encoding, random.front().encoding, &Place::precision,
                                    precision, &Place::depth, random.front().depth)});
  return all;
}

const auto name_of = [](const Level& l) { return l.at().encoding; };
const auto arithmetic_of = [](const Level& l) { return l.at().precision; };
const auto encoding = exact("encoding", "how the model is told where words stand", name_of);
const auto precision = exact("precision", "arithmetic of the whole model", arithmetic_of);

void add_levels(const std::vector<Level>& levels, Summary& summary) {
  const auto smallest = [](double OfRandom::*what) {
    return [=](const Level& l) { return least(l.random, what); };
  };
  const auto depth = exact("depth", "blocks passed", [](const Level& l) { return l.at().depth; });
  const auto median = sampled("median", "the same, median over the random orders, mean over draws",
                              [](const Level& l) { return l.random.estimate(&OfRandom::token_median); });
  summary.table(
      "s1_encodings.csv", levels,
      {encoding, precision, depth,
       exact("permutations", "random orders of the four texts, over all draws",
             [](const Level& l) { return total(l.random, &OfRandom::n); }),
       sampled("least",
               "distance of a word's output from its output in the text as given, relative to it, largest "
               "over the "
               "words; the smallest over the random orders",
               smallest(&OfRandom::token_least)),
       median.interval("low", "high", "Student's t over draws of weights and words, 99%"),
       sampled("largest", "the same, the largest over the random orders",
               [](const Level& l) { return most(l.random, &OfRandom::token_largest); }),
       sampled("pooled_least", "relative distance of the mean output, smallest",
               smallest(&OfRandom::pooled_least)),
       sampled("texts_least", "a text against its partner, smallest over the four and draws",
               [](const Level& l) { return least(l.texts, &OfText::partner_token); }),
       sampled("reversed_largest", "a text against its reverse, largest over the four and draws",
               [](const Level& l) { return most(l.texts, &OfText::reversed_token); }),
       exact("bound", "12 depth √(4d) u: what rounding can do", &Level::bound)});
  const auto shown = [](const Level& l) {
    return l.at().precision == "float64" && l.at().depth == sentence_depths.back() &&
           (l.at().encoding == "sinusoidal" || l.at().encoding == "rotary");
  };
  summary.each(where(levels, shown), {encoding, depth},
               {median
                    .as("distance",
                        "Relative distance of a word's outputs in two orders, largest over the words, "
                        "median over random orders, mean over draws of weights and words.")
                    .n([](const Level& l) { return l.random.size(); })});
}

/// Without an encoding: the largest distances of a text from its partner, or among n random orders, over
/// their bound.
struct Bare {
  std::string text, precision;
  std::uint64_t n;
  double token, pooled;
};

std::vector<Bare> without_encoding(const Cells& cells) {
  std::vector<Bare> all;
  for (const OfText& r : only(rows_of<OfText>(cells), &Place::encoding, no_encoding))
    all.push_back({r.text, r.precision, 1, r.partner_token / r.bound(), r.partner_pooled / r.bound()});
  for (const OfRandom& r : only(rows_of<OfRandom>(cells), &Place::encoding, no_encoding))
    all.push_back({"random", r.precision, r.n, r.token_largest / r.bound(), r.pooled_largest / r.bound()});
  std::ranges::stable_sort(all, {}, [](const Bare& bare) { return std::pair(bare.text, bare.precision); });
  return all;
}

void add_bare(const std::vector<Bare>& all, Summary& summary) {
  const auto comparisons = [](const Group<Bare>& group) { return total(group, &Bare::n); };
  const auto in_bounds = [=](const char* name, const char* meaning, double Bare::*value) {
    return rounded(name, meaning, [=](const Group<Bare>& group) { return most(group, value); })
        .unit("× rounding error")
        .chance(0)
        .n(comparisons);
  };
  const auto precision = exact("precision", "arithmetic of the whole model", &Bare::precision);
  const auto text = exact("text", "a text and its partner, or random orders of all texts", &Bare::text);
  const auto token = in_bounds(
      "token",
      "without encoding, largest relative distance of a word's outputs in two orders of a text, in units "
      "of the bound for rounding",
      &Bare::token);
  const auto pooled = in_bounds(
      "pooled",
      "without encoding, largest relative distance of the mean outputs in two orders of a text, in units "
      "of the bound for rounding",
      &Bare::pooled);
  summary.table(
      "s1_none.csv", group_by(all, &Bare::text, &Bare::precision),
      {text, precision, exact("comparisons", "orders times depths times draws", comparisons), token, pooled});
  const auto doubles = only(all, &Bare::precision, "float64");
  summary.each(group_by(only(doubles, &Bare::text, "random"), &Bare::precision), {text, precision}, {token});
  const auto over_texts = [](const char* name, const auto& column) {
    return column.as(name, column.about().meaning + "; the four texts and random orders of them");
  };
  summary.each(group_by(all, &Bare::precision), {precision}, {over_texts("none", token)});
  summary.each(group_by(doubles, &Bare::precision), {precision}, {over_texts("pooled_none", pooled)});
}

/// Over all depths, in units of the bound for rounding.
auto least_over(double (*get)(const Level&)) {
  return [=](const Encoding& e) { return least(e, [&](const Level& l) { return get(l) / l.bound(); }); };
}
auto most_over(double (*get)(const Level&)) {
  return [=](const Encoding& e) { return most(e, [&](const Level& l) { return get(l) / l.bound(); }); };
}

void add_encodings(const std::vector<Level>& levels, Summary& summary) {
  const auto orders = [](const Encoding& e) {
    return total(e, [](const Level& l) { return total(l.random, &OfRandom::n); });
  };
  const auto add = [&](const char* name, const auto& column) {
    summary.each(group_by(only(levels, name_of, name, arithmetic_of, "float64"), name_of),
                 {encoding, precision}, {column.unit("× rounding error").n(orders)});
  };
  add("sinusoidal",
      sampled("pooled_apart",
              "Smallest relative distance of the mean outputs of two random orders, in units of the bound "
              "for rounding.",
              least_over([](const Level& l) { return least(l.random, &OfRandom::pooled_least); })));
  // All entries of p_t are equal there, which LayerNorm takes off before any layer sees it.
  add("index",
      rounded("pooled_apart",
              "Largest relative distance of the mean outputs of two random orders, in units of the "
              "bound for rounding; theory: none, for LayerNorm takes off what is the same in all dimensions.",
              most_over([](const Level& l) { return most(l.random, &OfRandom::pooled_largest); }))
          .chance(0));
  add("alibi", rounded("reversed",
                       "Largest distance between a text and its reverse, in units of the bound for rounding; "
                       "theory: none, for the bias knows no direction.",
                       most_over([](const Level& l) { return most(l.texts, &OfText::reversed_token); }))
                   .chance(0));
  // The encoding that tells two orders apart least.
  const auto apart = least_over([](const Level& l) {
    return std::min(least(l.random, &OfRandom::token_least), least(l.texts, &OfText::partner_token));
  });
  const auto told = where(levels, [](const Level& l) { return l.at().encoding != no_encoding; });
  for (const Group<Level>& all : group_by(told, arithmetic_of)) {
    const std::vector<Encoding> encodings = group_by(all, name_of);
    summary.each(
        std::vector<Encoding>{*std::ranges::min_element(encodings, {}, apart)}, {precision},
        {sampled("least_of_all",
                 "With any encoding, smallest relative distance of a word's outputs in two orders of "
                 "a text, largest over its words, in units of the bound for rounding; random orders and the "
                 "four pairs of texts, every depth.",
                 apart)
             .unit("× rounding error")
             .n(orders)});
  }
}

/// Two orders are one text without an encoding and two with one, whichever it is; a mean over the outputs is
/// where that ends.
Rule rule() {
  Rule rule;
  for (const char* precision : {"float64", "float32"}) {
    rule.push_back(condition(Role::core, fmt::format("none.{}", precision), Is::below, 1.0, Evidence::theorem,
                             {{"encoding", "none"}, {"arithmetic", precision}}));
    rule.push_back(condition(Role::core, fmt::format("least_of_all.{}", precision), Is::above,
                             distinct(precision), Evidence::theorem,
                             {{"encoding", "any"}, {"arithmetic", precision}}));
  }
  const auto pooled = [&](const char* id, Is is, double bound, const char* encoding) {
    rule.push_back(condition(Role::limit, id, is, bound, Evidence::theorem,
                             {{"encoding", encoding}, {"output", "mean"}}));
  };
  pooled("pooled_none.float64", Is::below, 1.0, "none");
  pooled("pooled_apart.sinusoidal.float64", Is::above, distinct("float64"), "sinusoidal");
  pooled("pooled_apart.index.float64", Is::above, distinct("float64"), "index");
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  const auto levels = levels_of(cells);
  add_bare(without_encoding(cells), summary);
  add_levels(levels, summary);
  add_encodings(levels, summary);
  summary.rule = rule();
}

}  // namespace

Experiment same_sentence(const Options& options) {
  Experiment claim{
      "S1", "Without positional encoding a Transformer takes ‘Tom bit a dog’ for ‘A dog bit Tom’.", "[b, c]"};
  std::vector<std::string> names{std::string(no_encoding)};
  for (const EncodingPointer& encoding : encodings()) names.push_back(encoding->name());
  claim.measure(
      grid<Setting>(names, first(pick<std::size_t>(options.preset, 2, 5, 20)),
                    pick<std::size_t>(options.preset, 4, 50, 250)),
      [](const Setting& at) { return 1e-3 * (at.permutations + 3); }, measure_sentences);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::order
