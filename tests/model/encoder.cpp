// An encoder's input and its pass in batches, against their definitions.

#include "perp/model/encoder.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/model/drawn.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;

namespace {

constexpr std::size_t length = 5, texts = 7, width = 24, vocabulary = 11;
const model::Shape bert{.width = width, .heads = 3, .inner = 40, .depth = 3, .norm = model::Norm::after};

template <class T>
model::Encoder<T> any_encoder() {
  const model::LayerNorm<T> norm = any_transformer<T>(bert).blocks[0].first;
  return {normal_rows<T>(vocabulary, width, "words"),
          normal_rows<T>(length + 2, width, "positions"),
          normal_rows<T>(2, width, "types"),
          {norm.gain, norm.bias, T(model::bert_epsilon)},
          any_transformer<T>(bert)};
}

std::vector<std::int32_t> any_tokens() {
  std::vector<std::int32_t> tokens;
  for (std::size_t r = 0; r < texts * length; ++r) tokens.push_back(std::int32_t(r * r * 3 + r) % vocabulary);
  return tokens;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model_encoder)

BOOST_AUTO_TEST_CASE_TEMPLATE(input_is_the_normalised_sum, T, Both) {
  // Word, position and type 0 added, then normalised.
  const auto encoder = any_encoder<T>();
  const auto tokens = any_tokens();
  Matrix<T> sum = matrix<T>(tokens.size(), width);
  for (std::size_t r = 0; r < tokens.size(); ++r)
    for (std::size_t j = 0; j < width; ++j)
      sum(r, j) = encoder.words(tokens[r], j) + encoder.positions(r % length, j) + encoder.types(0, j);
  BOOST_TEST(apart(model::embed<T>(encoder, tokens, length), model::normalise(encoder.norm, sum).out) <
             model::rounding_bound(1, width, roundoff<T>));
}

// What a block keeps hangs on the batch, what it computes does not: 7 texts in batches of 1, 2, 7 and more.
BOOST_AUTO_TEST_CASE_TEMPLATE(batches_give_every_depth_of_the_whole, T, Both) {
  const auto encoder = any_encoder<T>();
  const Matrix<T> x = model::embed<T>(encoder, any_tokens(), length);
  std::vector<Matrix<T>> whole;
  const Matrix<T> end = model::forward<T>(
      encoder.body, x, length, {}, [&](std::size_t, const Matrix<T>& states) { whole.push_back(states); });
  BOOST_REQUIRE((whole.size() == 4 && whole.front() == x && whole.back() == end));
  const double bound = model::permutation_bound(bert, bert.depth, length, roundoff<T>);
  for (const std::size_t together : {1U, 2U, 7U, 20U}) {
    std::size_t next = 0;
    const Matrix<T> last = model::forward_in_batches<T>(
        encoder.body, x, length, together, [&](std::size_t depth, const Matrix<T>& states) {
          BOOST_TEST(depth == next++);
          BOOST_TEST(apart(states, whole.at(depth)) < bound, "depth " << depth << ", " << together);
        });
    BOOST_TEST(next == 4U);
    BOOST_TEST(apart(last, end) < bound);
  }
}

BOOST_AUTO_TEST_CASE(what_an_encoder_refuses) {
  const auto encoder = any_encoder<double>();
  auto narrow = encoder;
  narrow.types = normal_rows<double>(2, width - 1, "types");
  const auto with = [&](std::int32_t token) {
    auto tokens = any_tokens();
    tokens[8] = token;
    return tokens;
  };
  const std::vector<std::int32_t> whole = any_tokens(), broken(34, 0), eight(8, 0);
  const Matrix<double> x = model::embed<double>(encoder, whole, length);
  const auto embed = [&](const auto& tokens, std::size_t long_) {
    model::embed<double>(encoder, tokens, long_);
  };
  const auto pass = [&](const Matrix<double>& in, std::size_t long_, std::size_t together) {
    model::forward_in_batches<double>(encoder.body, in, long_, together);
  };
  check_refusal([&] { embed(with(11), length); }, "token 11 at place 3 of text 1; expected 0 to 10");
  check_refusal([&] { embed(with(-1), length); }, "token -1 at place 3 of text 1");
  check_refusal([&] { embed(broken, length); }, "34 tokens are no texts of 5");
  check_refusal([&] { embed(whole, 0); }, "no texts of 0");
  check_refusal([&] { embed(eight, 8); }, "texts of 8 tokens for 7 positions");
  check_refusal([&] { model::embed<double>(narrow, whole, length); }, "2 token types of 23");
  check_refusal([&] { pass(x, 4, 1); }, "35 tokens are no texts of 4");
  check_refusal([&] { pass(x, length, 0); }, "0 of them at a time");
  check_refusal([&] { pass(narrow.types, 1, 1); }, "tokens of width 23");
}

BOOST_AUTO_TEST_SUITE_END()
