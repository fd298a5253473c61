// An encoder's input and its pass in batches, against their definitions.

#include "perp/model/encoder.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/model/slow.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;
using model::Norm;
using model::Shape;

namespace {

constexpr std::size_t length = 5, texts = 7, width = 24, vocabulary = 11;
const Shape bert{.width = width, .heads = 3, .inner = 40, .depth = 3, .norm = Norm::after};

template <class T>
model::Encoder<T> any_encoder() {
  model::Encoder<T> encoder{
      normal_rows<T>(vocabulary, width, "words"),
      normal_rows<T>(length + 2, width, "positions"),
      normal_rows<T>(2, width, "types"),
      {std::vector<T>(width, T(1)), std::vector<T>(width, T(0)), T(model::bert_epsilon)},
      any_transformer<T>(bert)};
  for (std::size_t j = 0; j < width; ++j) {
    encoder.norm.gain[j] += T(0.01) * T(j);
    encoder.norm.bias[j] -= T(0.02) * T(j);
  }
  return encoder;
}

std::vector<std::int32_t> any_tokens() {
  std::vector<std::int32_t> tokens;
  for (std::size_t r = 0; r < texts * length; ++r) tokens.push_back(std::int32_t(r * r * 3 + r) % vocabulary);
  return tokens;
}

/// Word, position and type 0 added, then normalised, number by number.
template <class T>
Rows slow_embed(const model::Encoder<T>& encoder, const std::vector<std::int32_t>& tokens) {
  Rows sum(tokens.size(), std::vector<double>(width));
  for (std::size_t r = 0; r < tokens.size(); ++r)
    for (std::size_t j = 0; j < width; ++j)
      sum[r][j] = double(encoder.words(tokens[r], j)) + double(encoder.positions(r % length, j)) +
                  double(encoder.types(0, j));
  return slow_norm(encoder.norm, sum);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model_encoder)

BOOST_AUTO_TEST_CASE_TEMPLATE(input_is_the_normalised_sum, T, decltype(std::tuple<float, double>())) {
  const auto encoder = any_encoder<T>();
  const auto tokens = any_tokens();
  const Matrix<T> fast = model::embed<T>(encoder, tokens, length);
  BOOST_REQUIRE(rows(fast) == tokens.size());
  BOOST_TEST(apart(fast, slow_embed(encoder, tokens)) < model::rounding_bound(1, width, roundoff<T>));
}

// What a block keeps hangs on the batch, what it computes does not: 7 texts in batches of 1, 2, 7 and more.
BOOST_AUTO_TEST_CASE_TEMPLATE(batches_give_every_depth_of_the_whole, T,
                              decltype(std::tuple<float, double>())) {
  const auto encoder = any_encoder<T>();
  const Matrix<T> x = model::embed<T>(encoder, any_tokens(), length);
  const double bound = model::permutation_bound(bert, bert.depth, length, roundoff<T>);
  for (const std::size_t together : {1U, 2U, 7U, 20U}) {
    std::vector<std::size_t> depths;
    const Matrix<T> last = model::forward_in_batches<T>(
        encoder.body, x, length, together, [&](std::size_t depth, const Matrix<T>& states) {
          depths.push_back(depth);
          model::Transformer<T> part = encoder.body;
          part.blocks.resize(depth);
          BOOST_TEST(apart(states, slow_forward(part, x, length, Knows::nothing)) < bound,
                     "depth " << depth << ", " << together << " together");
        });
    BOOST_TEST(depths == (std::vector<std::size_t>{0, 1, 2, 3}), boost::test_tools::per_element());
    BOOST_TEST(apart(last, slow_forward(encoder.body, x, length, Knows::nothing)) < bound);
  }
}

BOOST_AUTO_TEST_CASE(what_an_encoder_refuses) {
  const auto encoder = any_encoder<double>();
  auto tokens = any_tokens();
  const auto refused = [&](const char* part) {
    check_refusal([&] { model::embed<double>(encoder, tokens, length); }, part);
  };
  tokens[8] = vocabulary;
  refused("token 11 at place 3 of text 1; expected 0 to 10");
  tokens[8] = -1;
  refused("token -1 at place 3 of text 1");
  tokens = any_tokens();
  tokens.pop_back();
  refused("34 tokens are no texts of 5");
  check_refusal([&] { model::embed<double>(encoder, any_tokens(), 0); }, "no texts of 0");
  tokens.assign(8, 0);
  check_refusal([&] { model::embed<double>(encoder, tokens, 8); }, "texts of 8 tokens for 7 positions");
  auto narrow = encoder;
  narrow.types = normal_rows<double>(2, width - 1, "types");
  check_refusal([&] { model::embed<double>(narrow, any_tokens(), length); }, "2 token types of 23");
  const Matrix<double> x = model::embed<double>(encoder, any_tokens(), length);
  check_refusal([&] { model::forward_in_batches<double>(encoder.body, x, 4, 1); },
                "35 tokens are no texts of 4");
  check_refusal([&] { model::forward_in_batches<double>(encoder.body, x, length, 0); },
                "0 of them at a time");
  check_refusal([&] { model::forward_in_batches<double>(encoder.body, narrow.types, 1, 1); },
                "tokens of width 23");
}

BOOST_AUTO_TEST_SUITE_END()
