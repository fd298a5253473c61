// S1: without an encoding of positions "Tom bit a dog" is "A dog bit Tom". A text and the same words in the order
// that somebody asked about go through the same model, and outputs are compared word by word and pooled.

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>

#include "perp/model/transformer.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {
namespace {

using Words = std::vector<std::string>;

struct Setting {
  std::string encoding;
};
PERP_ROW(Setting, encoding)
/// A text against its partner: relative distance of a word's outputs, the largest over the words, and of the
/// mean outputs, in units of what rounding can do.
struct Apart : Setting {
  std::string precision, text;
  double token, pooled;
};
PERP_ROW_OF(Apart, Setting, precision, text, token, pooled)

/// All words of all texts, numbered in order of appearance: the same vector in every text.
std::map<std::string, std::size_t> vocabulary() {
  std::map<std::string, std::size_t> numbers;
  for (const Text& text : texts)
    for (const std::string& word : words_of(text.words)) numbers.emplace(word, numbers.size());
  return numbers;
}

double length_of(std::span<const double> x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

template <class T>
Apart compared(const Setting& at, const Text& text, const Matrix<T>& states, const Matrix<T>& others) {
  const std::vector<std::size_t> match = matched(words_of(text.words), words_of(text.partner));
  const std::size_t d = cols(states);
  Apart result{at, precision_name<T>(), std::string(text.name), 0, 0};
  std::vector<double> mean(d, 0), mean_apart(d, 0), own(d), apart(d);
  for (std::size_t i = 0; i < match.size(); ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      own[j] = static_cast<double>(states(i, j));
      apart[j] = static_cast<double>(others(match[i], j)) - own[j];
      mean[j] += own[j];
      mean_apart[j] += apart[j];
    }
    result.token = std::max(result.token, length_of(apart) / length_of(own));
  }
  const double bound =
      model::permutation_bound(sentence_shape, sentence_shape.depth, 1, unit_roundoff(precision_name<T>()));
  result.token /= bound;
  result.pooled = length_of(mean_apart) / length_of(mean) / bound;
  return result;
}

template <class T>
void measure_texts(const Setting& at, const Streams& draw, Rows& rows) {
  const auto numbers = vocabulary();
  const auto vectors =
      converted<T>(draw_words(Family::gaussian, numbers.size(), sentence_shape.width, draw("words")));
  const auto transformer = model::random_transformer<T>(sentence_shape, draw("weights"));
  for (const Text& text : texts) {
    const auto outputs = [&](std::string_view words) {
      std::vector<std::size_t> tokens;
      for (const std::string& word : words_of(words)) tokens.push_back(numbers.at(word));
      const auto positions = positional_input<T>(at.encoding, tokens.size(), sentence_shape, draw);
      return model::forward<T>(transformer, input(select_rows(vectors, tokens), positions), tokens.size(),
                               positions.attention);
    };
    rows.add(compared<T>(at, text, outputs(text.words), outputs(text.partner)));
  }
}

void measure(const Setting& at, const Streams& streams, Rows& rows) {
  const Streams draw = of_draw(streams, 0);
  measure_texts<double>(at, draw, rows);
  measure_texts<float>(at, draw, rows);
}

/// Two orders are one text without an encoding and two with one, whichever it is; a mean over the outputs is
/// where that ends.
Rule rule() {
  const auto distinct = [](std::string_view precision) { return precision == "float32" ? 1e2 : 1e6; };
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
  using Texts = Group<Apart>;
  const auto all = rows_of<Apart>(cells);
  const char* bounds = "× rounding error";
  const auto encoding = exact("encoding", "how the model is told where words stand", &Apart::encoding);
  const auto precision = exact("precision", "arithmetic of the whole model", &Apart::precision);
  summary.table(
      "s1_orders.csv", all,
      {encoding, precision, exact("text", "a text and the same words in the order asked about", &Apart::text),
       sampled("token",
               "distance of a word's outputs in the two orders, relative, the largest over the words, in "
               "units of the bound for rounding",
               &Apart::token)
           .unit(bounds),
       sampled("pooled", "the same of the mean outputs", &Apart::pooled).unit(bounds)});
  const auto largest = [=](const char* name, const char* meaning, double Apart::*what) {
    return rounded(name, meaning, [=](const Texts& t) { return most(t, what); })
        .unit(bounds)
        .chance(0)
        .n(&Texts::size);
  };
  const auto smallest = [=](const char* name, const char* meaning, double Apart::*what) {
    return sampled(name, meaning, [=](const Texts& t) { return least(t, what); })
        .unit(bounds)
        .n(&Texts::size);
  };
  const auto by_precision = [&](bool told) {
    return group_by(where(all, [=](const Apart& a) { return (a.encoding != no_encoding) == told; }),
                    &Apart::precision);
  };
  summary.each(by_precision(false), {precision},
               {largest("none",
                        "Without encoding, largest relative distance of a word's outputs in two orders of a "
                        "text, in units of the bound for rounding.",
                        &Apart::token)});
  summary.each(by_precision(true), {precision},
               {smallest("least_of_all",
                         "With any encoding, smallest relative distance of a word's outputs in two orders of "
                         "a text, largest over its words, in units of the bound for rounding.",
                         &Apart::token)});
  const auto of = [&](std::string_view name) {
    return group_by(only(all, &Apart::encoding, name, &Apart::precision, "float64"), &Apart::encoding);
  };
  summary.each(of(no_encoding), {precision},
               {largest("pooled_none",
                        "Without encoding, largest relative distance of the mean outputs of two orders of a "
                        "text, in units of the bound for rounding.",
                        &Apart::pooled)});
  summary.each(of("sinusoidal"), {encoding, precision},
               {smallest("pooled_apart",
                         "Smallest relative distance of the mean outputs of two orders of a text, in units "
                         "of the bound for rounding.",
                         &Apart::pooled)});
  // All entries of p_t are equal there, which LayerNorm takes off before any layer sees it.
  summary.each(of("index"), {encoding, precision},
               {largest("pooled_apart",
                        "Largest relative distance of the mean outputs of two orders of a text, in units of "
                        "the bound for rounding; theory: none, for LayerNorm takes off what is the same in "
                        "all dimensions.",
                        &Apart::pooled)});
  summary.rule = rule();
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream words{std::string(text)};
  return {std::istream_iterator<std::string>(words), {}};
}

std::vector<std::size_t> matched(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  require(a.size() == b.size(), "matched: texts of {} and {} words", a.size(), b.size());
  std::vector<std::size_t> match;
  std::vector<bool> taken(b.size(), false);
  for (const std::string& word : a) {
    std::size_t at = 0;
    while (at < b.size() && (taken[at] || b[at] != word)) ++at;
    require(at < b.size(), "matched: '{}' is in one text only", word);
    taken[at] = true;
    match.push_back(at);
  }
  return match;
}

Experiment same_sentence(const Options&) {
  Experiment claim{
      "S1", "Without positional encoding a Transformer takes ‘Tom bit a dog’ for ‘A dog bit Tom’.", "[b, c]"};
  std::vector<std::string> names{std::string(no_encoding)};
  for (const EncodingPointer& encoding : encodings()) names.push_back(encoding->name());
  claim.measure(grid<Setting>(names), 1e-3, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::order
