// S3: the rows of Q, K and V carry the order. If they did, exchanging tokens would change more than the place
// where a row stands, or a token's place could be read from its row.

#include "studies/order/s3_rows.hpp"

#include <algorithm>
#include <cmath>

#include "perp/model/transformer.hpp"
#include "perp/random/uniform.hpp"
#include "perp/vectors/words.hpp"
#include "studies/order/claims.hpp"
#include "studies/order/readout.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {
namespace {

std::vector<Cell> cells(const Options& options) {
  const std::size_t draws = pick<std::size_t>(options.preset, 2, 6, 20),
                    permutations = pick<std::size_t>(options.preset, 3, 20, 100),
                    sequences = pick<std::size_t>(options.preset, 12, 64, 128);
  std::vector<Cell> cells;
  for (const char* encoding : {"none", "sinusoidal"})
    for (std::size_t draw = 0; draw < draws; ++draw)
      cells.push_back({{{"encoding", std::string(encoding)},
                        {"draw", whole(draw)},
                        {"permutations", whole(permutations)},
                        {"sequences", whole(sequences)}},
                       1e-3 * static_cast<double>(permutations + sequences)});
  return cells;
}

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
Matrix<T> reordered(const Matrix<T>& x, const std::vector<std::uint32_t>& order) {
  Matrix<T> out = matrix<T>(rows(x), cols(x));
  for (std::size_t i = 0; i < rows(x); ++i) std::ranges::copy(row(x, order[i]), row(out, i).begin());
  return out;
}

/// ‖f(PX) - P f(X)‖/‖f(X)‖ for every part; positions, where they are added, stay in their places.
template <class T>
void defects(const Cell& cell, const Streams& draw, Records& records) {
  const auto transformer =
      model::random_transformer<T>(rows_shape, model::Initialisation::fan_in, draw("weights"));
  const Matrix<T> words = converted<T>(
      draw_words(Family::gaussian, rows_length, rows_shape.width, draw("words of the permutations")));
  const PositionalInput<T> positions =
      positional_input<T>(text_at(cell.at, "encoding"), rows_length, rows_shape, draw);
  const std::size_t permutations = size_at(cell.at, "permutations");
  const Matrix<T> plain = input(words, positions);
  for (const Part& part : parts) {
    const Matrix<T> before = output(part, transformer, plain);
    double least = INFINITY, largest = 0;
    for (std::size_t p = 0; p < permutations; ++p) {
      const auto order = permutation(draw("permutation", p), static_cast<std::uint32_t>(rows_length));
      const Matrix<T> after = output(part, transformer, input(reordered(words, order), positions)),
                      expected = reordered(before, order);
      double apart = 0, all = 0;
      for (std::size_t i = 0; i < after.size(); ++i) {
        const double wanted = static_cast<double>(expected.data()[i]);
        apart += std::pow(static_cast<double>(after.data()[i]) - wanted, 2);
        all += wanted * wanted;
      }
      least = std::min(least, std::sqrt(apart / all));
      largest = std::max(largest, std::sqrt(apart / all));
    }
    records.push_back({"defect",
                       {{"precision", std::string(sizeof(T) == 4 ? "float32" : "float64")},
                        {"part", std::string(part.name)},
                        {"products", whole(part.products)},
                        {"least", least},
                        {"largest", largest}}});
  }
}

/// A token's place read from its row of Q, K or V, entries and squares.
void rows_read(const Cell& cell, const Streams& draw, Records& records) {
  const std::size_t batch = size_at(cell.at, "sequences");
  const auto transformer =
      model::random_transformer<float>(rows_shape, model::Initialisation::fan_in, draw("weights"));
  const Matrix<float> words =
      draw_words(Family::gaussian, batch * rows_length, rows_shape.width, draw("words to read"));
  const Matrix<float> x =
      input(words, positional_input<float>(text_at(cell.at, "encoding"), rows_length, rows_shape, draw));
  const Matrix<double> targets = places(batch, rows_length);
  for (std::size_t k = 0; k < claimed_parts; ++k) {
    const Matrix<float> out = output(parts[k], transformer, x);
    records.push_back({"read",
                       {{"part", std::string(parts[k].name)},
                        {"r2", read(out, targets, {rows_length, 0, Held::sequences}, Seen::squares)[1]}}});
  }
}

Records run(const Cell& cell, const Streams& streams) {
  const Streams draw = of_draw(streams, size_at(cell.at, "draw"));
  Records records;
  defects<float>(cell, draw, records);
  defects<double>(cell, draw, records);
  rows_read(cell, draw, records);
  return records;
}

}  // namespace

Experiment order_of_rows(const Options& options) {
  return {"S3",           "The order of the words is implicit in the order of the rows of Q, K and V.",
          "[c]",          {},
          cells(options), run,
          summarise_rows};
}

}  // namespace perp::order
