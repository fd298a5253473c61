// S1: tables, findings and rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "perp/model/transformer.hpp"
#include "studies/order/claims.hpp"
#include "studies/order/s1_sentences.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {
namespace {

/// With an encoding two orders are this many rounding bounds apart, or more.
double told_apart(std::string_view precision) { return precision == "float32" ? 1e2 : 1e6; }

double bound_of(const Coordinates& r) {
  const double u = text_at(r, "precision") == "float32" ? 0x1p-24 : 0x1p-53;
  return model::permutation_bound(sentence_shape, size_at(r, "depth"), 1, u);
}

/// What all draws say of one encoding, precision and depth.
struct Summary {
  double bound = 0;
  double least = INFINITY, largest = 0, pooled_least = INFINITY, pooled_largest = 0;  ///< random orders
  std::vector<double> median, pooled_median;                                          ///< one per draw
  double texts_least = INFINITY, reversed_least = INFINITY, reversed_largest = 0;
  std::uint64_t n = 0;
};
struct Key {
  std::string encoding, precision;
  std::size_t depth;
  auto operator<=>(const Key&) const = default;
};
using Summaries = std::map<Key, Summary>;

Key key_of(const Coordinates& r) {
  return {text_at(r, "encoding"), text_at(r, "precision"), size_at(r, "depth")};
}

Summaries summarise(const std::vector<CellRecords>& cells) {
  Summaries all;
  for (const Coordinates& r : records_of(cells, "random")) {
    Summary& s = all[key_of(r)];
    s.bound = bound_of(r);
    s.least = std::min(s.least, number_at(r, "token_least"));
    s.largest = std::max(s.largest, number_at(r, "token_largest"));
    s.pooled_least = std::min(s.pooled_least, number_at(r, "pooled_least"));
    s.pooled_largest = std::max(s.pooled_largest, number_at(r, "pooled_largest"));
    s.median.push_back(number_at(r, "token_median"));
    s.pooled_median.push_back(number_at(r, "pooled_median"));
    s.n += size_at(r, "n");
  }
  for (const Coordinates& r : records_of(cells, "text")) {
    Summary& s = all[key_of(r)];
    s.texts_least = std::min(s.texts_least, number_at(r, "partner_token"));
    s.reversed_least = std::min(s.reversed_least, number_at(r, "reversed_token"));
    s.reversed_largest = std::max(s.reversed_largest, number_at(r, "reversed_token"));
  }
  return all;
}

Table encodings_table(const std::vector<std::string>& order, const Summaries& all) {
  Table table{
      "s1_encodings.csv",
      {{"encoding", "", Kind::exact, "how the model is told where words stand"},
       {"precision", "", Kind::exact, "arithmetic of the whole model"},
       {"depth", "1", Kind::exact, "blocks passed"},
       {"permutations", "1", Kind::exact, "random orders of the four texts, over all draws"},
       {"least", "1", Kind::sampled,
        "distance of a word's output from its output in the text as given, relative to it, largest over the "
        "words; the smallest over the random orders"},
       {"median", "1", Kind::sampled, "the same, median over the random orders, mean over draws", "low",
        "high"},
       {"low", "1", Kind::sampled, "Student's t over draws of weights and words, 99 %"},
       {"high", "1", Kind::sampled, "Student's t over draws of weights and words, 99 %"},
       {"largest", "1", Kind::sampled, "the same, the largest over the random orders"},
       {"pooled_least", "1", Kind::sampled, "relative distance of the mean output, smallest"},
       {"pooled_median", "1", Kind::sampled, "the same, median, mean over draws"},
       {"pooled_largest", "1", Kind::sampled, "the same, largest"},
       {"texts_least", "1", Kind::sampled, "a text against its partner, smallest over the four and draws"},
       {"reversed_least", "1", Kind::sampled, "a text against its reverse, smallest over the four and draws"},
       {"reversed_largest", "1", Kind::sampled, "the same, largest"},
       {"bound", "1", Kind::exact, "12 depth √(4d) u: what rounding may do"}},
      {}};
  for (const std::string& encoding : order)
    for (const char* precision : {"float64", "float32"})
      for (const std::size_t depth : sentence_depths) {
        const Summary& s = all.at({encoding, precision, depth});
        const Estimate median = over_draws(s.median);
        table.add({encoding, std::string(precision), whole(depth), static_cast<std::int64_t>(s.n), s.least,
                   median.value, median.low.value_or(std::nan("")), median.high.value_or(std::nan("")),
                   s.largest, s.pooled_least, over_draws(s.pooled_median).value, s.pooled_largest,
                   s.texts_least, s.reversed_least, s.reversed_largest, s.bound});
      }
  return table;
}

/// Without an encoding: the largest distance of each text and of the random orders, over its bound.
struct Bare {
  double token = 0, pooled = 0;
  std::uint64_t n = 0;
  void add(double token_now, double pooled_now, std::uint64_t count) {
    token = std::max(token, token_now);
    pooled = std::max(pooled, pooled_now);
    n += count;
  }
};
using Bares = std::map<std::pair<std::string, std::string>, Bare>;  // (text, precision)

Bares without_encoding(const std::vector<CellRecords>& cells) {
  Bares all;
  for (const Coordinates& r : records_of(cells, "text"))
    if (text_at(r, "encoding") == no_encoding)
      all[{text_at(r, "text"), text_at(r, "precision")}].add(number_at(r, "partner_token") / bound_of(r),
                                                             number_at(r, "partner_pooled") / bound_of(r), 1);
  for (const Coordinates& r : records_of(cells, "random"))
    if (text_at(r, "encoding") == no_encoding)
      all[{"random", text_at(r, "precision")}].add(number_at(r, "token_largest") / bound_of(r),
                                                   number_at(r, "pooled_largest") / bound_of(r),
                                                   size_at(r, "n"));
  return all;
}

Table bare_table(const Bares& bares) {
  Table table{"s1_none.csv",
              {{"text", "", Kind::exact, "a text and its partner, or random orders of all texts"},
               {"precision", "", Kind::exact, "arithmetic of the whole model"},
               {"comparisons", "1", Kind::exact, "orders times depths times draws"},
               {"token", "rounding bounds", Kind::rounded,
                "without encoding: largest distance of a word's outputs in both orders over the bound"},
               {"pooled", "rounding bounds", Kind::rounded, "the same of the mean output"}},
              {}};
  for (const auto& [key, bare] : bares)
    table.add({key.first, key.second, static_cast<std::int64_t>(bare.n), bare.token, bare.pooled});
  return table;
}

/// "S1.none.float64".
std::string condition_id(const char* measure, const char* precision) {
  return fmt::format("S1.{}.{}", measure, precision);
}

/// Over all texts and random orders of them.
void add_worst(const Bares& bares, std::vector<Finding>& findings) {
  for (const char* precision : {"float64", "float32"}) {
    Bare worst;
    for (const auto& [key, bare] : bares)
      if (key.second == precision) worst.add(bare.token, bare.pooled, bare.n);
    const auto add = [&](const char* measure, double value, const char* what) {
      findings.push_back(finding(
          "S1", measure, {{"precision", std::string(precision)}}, {value},
          {.theory = 0.0,
           .unit = "rounding bounds",
           .n = worst.n,
           .kind = Kind::rounded,
           .meaning =
               fmt::format("Without encoding, largest relative distance of {} in two orders of a text, "
                           "over what rounding may do; the four texts and random orders of them.",
                           what)}));
    };
    add("none", worst.token, "a word's outputs");
    add("pooled_none", worst.pooled, "the mean outputs");
  }
}

void add_bare(const Bares& bares, std::vector<Finding>& findings) {
  for (const auto& entry : bares) {
    const Bare& bare = entry.second;
    const Coordinates at{{"text", entry.first.first}, {"precision", entry.first.second}};
    const auto add = [&](const char* measure, double value, const char* what) {
      findings.push_back(finding("S1", measure, at, {value},
                                 {.theory = 0.0,
                                  .unit = "rounding bounds",
                                  .n = bare.n,
                                  .kind = Kind::rounded,
                                  .meaning = fmt::format("Without encoding, largest relative distance of {} "
                                                         "in two orders of a text, over what rounding may "
                                                         "do.",
                                                         what)}));
    };
    add("token", bare.token, "a word's outputs");
    add("pooled", bare.pooled, "the mean outputs");
  }
}

/// Over all depths.
struct Extremes {
  double least = INFINITY, pooled_least = INFINITY, pooled_largest = 0, reversed = 0,
         reversed_least = INFINITY;
  std::uint64_t n = 0;
};

void add_encodings(const std::vector<std::string>& order, const Summaries& all,
                   std::vector<Finding>& findings) {
  for (const std::string& encoding : order) {
    if (encoding == no_encoding) continue;
    for (const char* precision : {"float64", "float32"}) {
      Extremes e;
      for (const std::size_t depth : sentence_depths) {
        const Summary& s = all.at({encoding, precision, depth});
        e.least = std::min({e.least, s.least / s.bound, s.texts_least / s.bound});
        e.pooled_least = std::min(e.pooled_least, s.pooled_least / s.bound);
        e.pooled_largest = std::max(e.pooled_largest, s.pooled_largest / s.bound);
        e.reversed = std::max(e.reversed, s.reversed_largest / s.bound);
        e.reversed_least = std::min(e.reversed_least, s.reversed_least / s.bound);
        e.n += s.n;
      }
      const Coordinates at{{"encoding", encoding}, {"precision", std::string(precision)}};
      findings.push_back(
          finding("S1", "least", at, {e.least},
                  {.unit = "rounding bounds",
                   .n = e.n,
                   .kind = Kind::sampled,
                   .meaning = "Smallest relative distance of a word's outputs in two orders of a text, "
                              "largest over its words, over what rounding may do; random orders and the "
                              "four pairs of texts, every depth."}));
      // All entries of p_t are equal there, which LayerNorm takes off before any layer sees it.
      const bool levelled = encoding == "index" || encoding == "normalised_index";
      findings.push_back(finding(
          "S1", "pooled_apart", at, {levelled ? e.pooled_largest : e.pooled_least},
          {.theory = levelled ? std::optional(0.0) : std::nullopt,
           .unit = "rounding bounds",
           .n = e.n,
           .kind = levelled ? Kind::rounded : Kind::sampled,
           .meaning = levelled ? "Largest relative distance of the mean outputs of two random orders, "
                                 "over what rounding may do; theory: none, for LayerNorm takes off "
                                 "what is the same in all dimensions."
                               : "Smallest relative distance of the mean outputs of two random "
                                 "orders, over what rounding may do."}));
      const bool symmetric = encoding == "alibi";
      findings.push_back(
          finding("S1", "reversed", at, {symmetric ? e.reversed : e.reversed_least},
                  {.theory = symmetric ? std::optional(0.0) : std::nullopt,
                   .unit = "rounding bounds",
                   .n = e.n,
                   .kind = symmetric ? Kind::rounded : Kind::sampled,
                   .meaning = symmetric ? "Largest distance between a text and its reverse, over what "
                                          "rounding may do; theory: none, for the bias knows no direction."
                                        : "Smallest distance between a text and its reverse, over what "
                                          "rounding may do."}));
    }
    const std::size_t last = sentence_depths.back();
    const Summary& s = all.at({encoding, "float64", last});
    findings.push_back(finding("S1", "distance", {{"encoding", encoding}, {"depth", whole(last)}},
                               over_draws(s.median),
                               {.n = s.median.size(),
                                .kind = Kind::sampled,
                                .meaning = "Relative distance of a word's outputs in two orders, largest "
                                           "over the words, median over random orders, mean over draws of "
                                           "weights and words."}));
  }
}

/// The encoding that tells two orders apart least, and one that adds one number to all dimensions.
void add_least(const std::vector<std::string>& order, std::vector<Finding>& findings) {
  for (const char* precision : {"float64", "float32"}) {
    const Finding* least = nullptr;
    for (const std::string& encoding : order) {
      if (encoding == no_encoding) continue;
      const Finding* one = find(findings, fmt::format("S1.least.{}.{}", encoding, precision));
      if (!least || one->value < least->value) least = one;
    }
    findings.push_back(finding("S1", "least_of_all", {{"precision", std::string(precision)}}, {least->value},
                               {.unit = "rounding bounds",
                                .n = least->n,
                                .kind = Kind::sampled,
                                .meaning = "The same, the smallest over all encodings."}));
  }
}

/// Two orders are one text without an encoding and two with one, whichever it is; a mean over the outputs is
/// where that ends.
Rule rule() {
  Rule rule;
  for (const char* precision : {"float64", "float32"}) {
    rule.push_back(
        {.finding = condition_id("none", precision),
         .is = Is::below,
         .bound = 1.0,
         .evidence = Evidence::theorem,
         .levels = {{"encoding", "none"}, {"arithmetic", precision}},
         .says = fmt::format("largest distance of a word's outputs in two orders, without encoding, "
                             "in rounding bounds, {}",
                             precision)});
    rule.push_back({.finding = condition_id("least_of_all", precision),
                    .is = Is::above,
                    .bound = told_apart(precision),
                    .evidence = Evidence::theorem,
                    .levels = {{"encoding", "any"}, {"arithmetic", precision}},
                    .says = fmt::format(
                        "smallest distance of a word's outputs in two orders, with any of the encodings, in "
                        "rounding bounds, {}",
                        precision)});
  }
  const auto pooled = [](const char* id, Is is, double bound, const char* encoding, const char* says) {
    return Condition{.finding = id,
                     .is = is,
                     .bound = bound,
                     .role = Role::limit,
                     .evidence = Evidence::theorem,
                     .levels = {{"encoding", encoding}, {"output", "mean"}},
                     .says = says};
  };
  rule.push_back(pooled(
      "S1.pooled_none.float64", Is::below, 1.0, "none",
      "largest distance of mean outputs in two orders, without encoding, in rounding bounds, float64"));
  rule.push_back(
      pooled("S1.pooled_apart.sinusoidal.float64", Is::above, told_apart("float64"), "sinusoidal",
             "smallest distance of mean outputs in two orders, sinusoids, in rounding bounds, float64"));
  rule.push_back(pooled(
      "S1.pooled_apart.index.float64", Is::above, told_apart("float64"), "index",
      "distance of mean outputs in two orders, the index in every dimension, in rounding bounds, float64"));
  return rule;
}

}  // namespace

Outcome summarise_sentences(const std::vector<CellRecords>& cells) {
  std::vector<std::string> order;
  for (const CellRecords& cell : cells)
    if (!std::ranges::count(order, text_at(cell.cell.at, "encoding")))
      order.push_back(text_at(cell.cell.at, "encoding"));
  const Summaries all = summarise(cells);
  const Bares bares = without_encoding(cells);
  Outcome outcome;
  outcome.tables = {bare_table(bares), encodings_table(order, all)};
  add_bare(bares, outcome.findings);
  add_worst(bares, outcome.findings);
  add_encodings(order, all, outcome.findings);
  add_least(order, outcome.findings);
  outcome.rule = rule();
  const auto value = [&](const char* id) { return find(outcome.findings, id)->value; };
  // What is left is rounding alone, whose digits are those of a machine.
  const double bare = value("S1.none.float64");
  outcome.condition = fmt::format(
      "without encoding a word's outputs in two orders differ by {} what rounding may do, with any of the "
      "encodings by {:.0e} times that or more (float64)",
      bare < 1 ? "less than" : fmt::format("up to {:.1g} times", bare), value("S1.least_of_all.float64"));
  outcome.matters = fmt::format(
      "the identity holds at every depth and width without a causal mask; pooled outputs differ by {:.0e} "
      "bounds with sinusoids and by {} with an index in every dimension",
      value("S1.pooled_apart.sinusoidal.float64"),
      value("S1.pooled_apart.index.float64") < 1
          ? "less than one"
          : fmt::format("{:.1g}", value("S1.pooled_apart.index.float64")));
  return outcome;
}

}  // namespace perp::order
