// A1 in one sentence.

#include <algorithm>
#include <array>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/squares.hpp"
#include "perp/study/claim.hpp"
#include "studies/capacity/a1_released.hpp"

namespace perp::capacity {
namespace {

/// As BERT's models read “Tom bit a dog.”: their first token marks the beginning, and the rest is in their
/// vocabulary as it stands. The seventh, which marks the end, is left out.
constexpr std::array<std::string_view, 6> sentence{"[CLS]", "tom", "bit", "a", "dog", "."};

struct Sentence {
  std::string what, model;
};
PERP_ROW(Sentence, what, model)
/// One of its tokens, and the nearest to x + p of all: rows of the words. Sizes as ρ, those of the model's
/// positions and of longer ones; the token itself is the nearest up to the size `found_to`, NaN: at each.
struct Token : Sentence {
  std::size_t position, token, nearest, nearest_long;
  double rho, rho_long, found_to;
};
PERP_ROW_OF(Token, Sentence, position, token, nearest, nearest_long, rho, rho_long, found_to)

/// Rows of the sentence's tokens, without those that the model does not have.
std::vector<std::size_t> rows_of_sentence(const std::vector<std::string>& tokens) {
  std::vector<std::size_t> found;
  for (const std::string_view word : sentence)
    if (const auto at = std::ranges::find(tokens, word); at != tokens.end())
      found.push_back(std::size_t(at - tokens.begin()));
  return found;
}

bool has_sentence(const inspect::ModelUnderTest& model) {
  return has_both(model) && rows(*model.tables.positions) >= sentence.size() &&
         rows_of_sentence(model.tables.tokens).size() == sentence.size();
}

void measure(const Sentence& at, const inspect::ModelUnderTest& model, Rows& out) {
  const Matrix<float> words = model.tables.words->all<float>(),
                      positions = converted<float>(*model.tables.positions);
  const std::vector<std::size_t> which = rows_of_sentence(model.tables.tokens);
  const std::vector<std::size_t> places = first(which.size());
  const Matrix<float> x = select_rows(words, which), p = select_rows(positions, places);
  // A sinusoid is √(d/2) long, a unit embedding 1.
  const double rho = std::sqrt(mean_square_length(positions) / mean_square_length(words)),
               rho_long = std::sqrt(cols(words) / 2.0);
  if (!(rho > 0) || std::isinf(rho)) return;  // a table of zeros
  const auto nearest = [&](double factor) {
    Matrix<float> sums = x;
    for (std::size_t i = 0; i < sums.size(); ++i) sums.data()[i] += float(factor) * p.data()[i];
    return nearest_words(sums, words);
  };
  const auto as_released = nearest(1), longer = nearest(rho_long / rho);
  const auto numbers = [](const auto& list) { return std::vector<std::uint32_t>(list.begin(), list.end()); };
  const std::vector<Range> found = found_between(x, p, numbers(places), words, numbers(which));
  for (const std::size_t i : places)
    out.add(Token{at, i, which[i], as_released[i], longer[i], rho, rho_long,
                  std::isinf(found[i].to) ? NAN : rho * found[i].to});
}

}  // namespace

void measure_example(Experiment& claim, const inspect::Models& models) {
  std::vector<Sentence> cells;
  for (const inspect::ModelUnderTest& model : *models)
    if (has_sentence(model)) cells.push_back({"sentence", model.name});
  claim.measure(cells, 0.1, [models](const Sentence& at, const Streams&, Rows& rows) {
    measure(at, model_named(models, at.model), rows);
  });
}

void add_example(const Cells& cells, const inspect::Models& models, Summary& summary) {
  const auto found = rows_of<Token>(cells);
  if (found.empty()) return;
  const auto text = [models](std::size_t Token::*which) {
    return [=](const Token& t) { return model_named(models, t.model).tables.tokens[t.*which]; };
  };
  const auto model = exact("model", "name of the model", &Token::model);
  const auto rho_long =
      exact("rho_long", "size of longer ones: a sinusoid's beside unit embeddings, √(d/2)", &Token::rho_long);
  summary.table(
      "a1_example.csv", found,
      {model, exact("position", "its place in the sentence, and the row of its position", &Token::position),
       exact("token", "as the model reads it", text(&Token::token)),
       exact("nearest", "token of the nearest word to x + p", text(&Token::nearest)),
       exact("nearest_long", "the same with longer positions", text(&Token::nearest_long)),
       exact("rho", "length of the model's positions in lengths of its words, root mean squares",
             &Token::rho),
       rho_long,
       rounded("found_to", "largest size of positions at which the token is the nearest; none: at each",
               &Token::found_to)});
  const auto right = [](const char* name, const char* meaning, std::size_t Token::*nearest) {
    const auto is_right = [=](const Token& t) { return t.*nearest == t.token; };
    return counted(name, meaning, [=](const Group<Token>& all) { return double(count_if(all, is_right)); })
        .unit("tokens")
        .n(sentence.size());
  };
  summary.each(group_by(found, &Token::model), {model},
               {right("example",
                      "Tokens of a sentence that are the nearest word to their sum with the model's "
                      "positions.",
                      &Token::nearest),
                right("example_long", "The same with positions as long as a sinusoid beside unit embeddings.",
                      &Token::nearest_long),
                rho_long.as("example_size", "Length of these in lengths of a word.")});
}

}  // namespace perp::capacity
