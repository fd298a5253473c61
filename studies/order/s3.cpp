// S3: the rows of Q, K and V carry the order. If they did, exchanging tokens would change more than the place
// where a row stands, or a token's place could be read from its row.

#include <algorithm>

#include "perp/measures/squares.hpp"
#include "perp/model/transformer.hpp"
#include "perp/random/uniform.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"
#include "studies/order/readout.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {
namespace {

constexpr model::Shape shape{.width = 64, .heads = 4, .inner = 256, .depth = 1};
constexpr std::size_t length = 64;
/// A part of a block as a function of all tokens, and how many products follow one another in it. The three
/// that the claim is about come first.
struct Part {
  std::string_view name;
  std::size_t products;
};
constexpr Part parts[] = {{"query", 1},        {"key", 1},       {"value", 1}, {"norm", 1},
                          {"feed_forward", 2}, {"attention", 4}, {"block", 6}, {"masked_attention", 4}};
constexpr std::size_t claimed_parts = 3;

struct Setting {
  std::string encoding;
  std::size_t draw, permutations, sequences;
};
PERP_ROW(Setting, encoding, draw, permutations, sequences)
/// ‖f(PX) - P f(X)‖/‖f(X)‖ over the permutations P.
struct Defect : Setting {
  std::string precision, part;
  std::size_t products;
  double least, largest;
};
PERP_ROW_OF(Defect, Setting, precision, part, products, least, largest)
struct Read : Setting {
  std::string part;
  double r2;
};
PERP_ROW_OF(Read, Setting, part, r2)

template <class T>
Matrix<T> output(const Part& part, const model::Transformer<T>& transformer, const Matrix<T>& x) {
  const model::Block<T>& block = transformer.blocks.front();
  const View<T> in(x);
  if (part.name == "query") return model::apply(block.attention.query, in);
  if (part.name == "key") return model::apply(block.attention.key, in);
  if (part.name == "value") return model::apply(block.attention.value, in);
  if (part.name == "norm") return model::normalise(block.first, in).out;
  if (part.name == "feed_forward") return model::feed_forward(block.feed_forward, in).out;
  if (part.name == "block") return model::forward<T>(transformer, x, rows(x));
  model::Attention<T> attention = block.attention;
  attention.causal = part.name == "masked_attention";
  return model::attend(attention, in, rows(x)).out;
}

template <class T>
double relative_distance(const Matrix<T>& a, const Matrix<T>& b) {
  double apart = 0, all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double wanted = b.data()[i];
    apart += squared(a.data()[i] - wanted);
    all += wanted * wanted;
  }
  return std::sqrt(apart / all);
}

/// Of every part; positions, where they are added, stay in their places.
template <class T>
void measure_defects(const Setting& at, const Streams& draw, Rows& rows) {
  const auto transformer = model::random_transformer<T>(shape, draw("weights"));
  const auto words =
      converted<T>(draw_words(Family::gaussian, length, shape.width, draw("words of the permutations")));
  const PositionalInput<T> positions = positional_input<T>(at.encoding, length, shape, draw);
  const Matrix<T> plain = input(words, positions);
  for (const Part& part : parts) {
    const Matrix<T> before = output(part, transformer, plain);
    double least = INFINITY, largest = 0;
    for (std::size_t p = 0; p < at.permutations; ++p) {
      const auto drawn = permutation(draw("permutation", p), static_cast<std::uint32_t>(length));
      const std::vector<std::size_t> order(drawn.begin(), drawn.end());
      const Matrix<T> after = output(part, transformer, input(select_rows(words, order), positions));
      const double defect = relative_distance(after, select_rows(before, order));
      least = std::min(least, defect);
      largest = std::max(largest, defect);
    }
    rows.add(Defect{at, precision_name<T>(), std::string(part.name), part.products, least, largest});
  }
}

void measure(const Setting& at, const Streams& streams, Rows& rows) {
  const Streams draw = of_draw(streams, at.draw);
  measure_defects<float>(at, draw, rows);
  measure_defects<double>(at, draw, rows);
  // A token's place read from its row of Q, K or V, entries and squares.
  const auto transformer = model::random_transformer<float>(shape, draw("weights"));
  const Matrix<float> words =
      draw_words(Family::gaussian, at.sequences * length, shape.width, draw("words to read"));
  const Matrix<float> x = input(words, positional_input<float>(at.encoding, length, shape, draw));
  const Matrix<double> targets = places(at.sequences, length);
  for (std::size_t k = 0; k < claimed_parts; ++k) {
    const Matrix<float> out = output(parts[k], transformer, x);
    rows.add(Read{at, std::string(parts[k].name),
                  read(out, targets, {length, 0, Held::sequences}, Seen::squares)[1]});
  }
}

using Defects = Group<Defect>;

double bound(const Defects& group) {
  const Defect& d = group.front();
  return model::rounding_bound(d.products, std::max(shape.inner, length), unit_roundoff(d.precision));
}
double largest(const Defects& group) { return most(group, &Defect::largest); }
double smallest(const Defects& group) { return least(group, &Defect::least); }
double over(const Defects& group) { return largest(group) / bound(group); }
std::uint64_t permutations(const Defects& group) { return total(group, &Defect::permutations); }
/// By part, encoding and precision, in the order of the tables.
std::vector<Defects> in_order(const std::vector<Defect>& defects) {
  std::vector<Defects> groups;
  for (const Part& part : parts)
    for (const char* encoding : {"none", "sinusoidal"})
      for (const char* precision : {"float64", "float32"}) {
        const auto of = only(defects, &Defect::part, part.name, &Defect::encoding, encoding,
                             &Defect::precision, precision);
        groups.emplace_back(of.begin(), of.end());
      }
  return groups;
}

void add_defects(const std::vector<Defects>& groups, Summary& summary) {
  const auto part = exact("part", "part of a block, as a function f of all tokens", &Defect::part);
  const auto precision = exact("precision", "arithmetic", &Defect::precision);
  const auto encoding =
      exact("encoding", "none, or sinusoids added, which stay while words change places", &Defect::encoding);
  summary.table(
      "s3_defect.csv", groups,
      {part, precision, encoding, exact("permutations", "random orders, over all draws", permutations),
       sampled("least", "|f(PX) - P f(X)|/|f(X)|, smallest over the permutations P", smallest),
       sampled("largest", "the same, largest", largest),
       exact("bound", "2 · products in a row · √(4d) · u: what rounding can do", bound),
       sampled("over", "largest in units of the bound for rounding", over).unit("× rounding error")});
  const auto told = [&](const char* of, const char* among, const auto& column) {
    summary.each(where(groups,
                       [=](const Defects& g) {
                         return g.front().part == of && g.front().encoding == among &&
                                g.front().precision == "float64";
                       }),
                 {part, encoding, precision}, {column.unit("× rounding error").n(permutations)});
  };
  // Exactly none, where each row is made from its own token or from all of them alike.
  for (const char* none : {"query", "key", "value", "attention"})
    told(
        none, "none",
        rounded("defect",
                "Without encoding, what exchanging tokens does to a map's rows besides moving them, in units "
                "of the bound for rounding; |f(PX) - P f(X)|/|f(X)|, largest over the permutations P.",
                over)
            .chance(0));
  const auto some =
      sampled("defect",
              "|f(PX) - P f(X)|/|f(X)| in units of the bound for rounding, smallest over the permutations P.",
              [](const Defects& g) { return smallest(g) / bound(g); });
  told("query", "sinusoidal", some);
  told("masked_attention", "none", some);
}

void add_reads(std::vector<Group<Read>> groups, Summary& summary) {
  std::ranges::stable_sort(groups, {},
                           [](const auto& g) { return std::pair(g.front().part, g.front().encoding); });
  const auto part = exact("part", "whose rows are read", &Read::part);
  const auto encoding = exact("encoding", "none, or sinusoids added", &Read::encoding);
  constexpr const char* meaning =
      "Held-out R² of a token's position from its row, entries and squares, mean over draws; theory: chance.";
  const auto r2 = mean("r2", meaning, &Read::r2);
  summary.table("s3_read.csv", groups,
                {part, encoding, r2.interval("low", "high", "Student's t over draws, 99%"),
                 rows_in<Read>("draws", "draws of words and weights")});
  summary.each(where(groups, [](const auto& g) { return g.front().part == "query"; }), {part, encoding},
               {r2.chance(0).as("read", meaning)});
}

void conclude(const Cells& cells, Summary& summary) {
  add_defects(in_order(rows_of<Defect>(cells)), summary);
  add_reads(group_by(rows_of<Read>(cells), &Read::part, &Read::encoding), summary);
  // Rows that carried the order would change when words change places, not only move.
  for (std::size_t k = 0; k < claimed_parts; ++k) {
    const std::string rows(parts[k].name);
    summary.rule.push_back(condition(Role::core, fmt::format("defect.{}.none.float64", rows), Is::above, 1.0,
                                     Evidence::theorem, {{"rows", rows}}));
  }
}

}  // namespace

Experiment order_of_rows(const Options& options) {
  Experiment claim{"S3", "The order of the words is implicit in the order of the rows of Q, K and V.", "[c]"};
  const auto draws = first(pick<std::size_t>(options.preset, 2, 6, 20));
  claim.measure(
      grid<Setting>(std::vector<std::string>{"none", "sinusoidal"}, draws,
                    pick<std::size_t>(options.preset, 3, 20, 100),
                    pick<std::size_t>(options.preset, 12, 64, 128)),
      [](const Setting& at) { return 1e-3 * (at.permutations + at.sequences); }, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::order
