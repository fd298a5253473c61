// S1: the sentences, their words matched by identity, and what is left of a reordering.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

#include "perp/vectors/encoding.hpp"
#include "studies/order/claims.hpp"
#include "studies/order/setup.hpp"
#include "tests/order/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/rule.hpp"

using namespace perp;
using namespace perp::order;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(order_s1)

BOOST_AUTO_TEST_CASE(texts_and_partners_hold_the_same_words) {
  for (const Text& text : texts) {
    std::vector<std::string> a = words_of(text.words), b = words_of(text.partner);
    BOOST_TEST((a != b));
    std::ranges::sort(a);
    std::ranges::sort(b);
    BOOST_TEST(a == b, boost::test_tools::per_element());
  }
  BOOST_TEST(words_of(texts[0].words) == (std::vector<std::string>{"tom", "bit", "a", "dog"}),
             boost::test_tools::per_element());
  BOOST_TEST(words_of(texts[3].words).size() == 14U);
}

BOOST_AUTO_TEST_CASE(words_are_matched_by_identity) {
  const auto match = matched(words_of("tom bit a dog"), words_of("a dog bit tom"));
  BOOST_TEST(match == (std::vector<std::size_t>{3, 2, 0, 1}), boost::test_tools::per_element());
  // A word that comes twice: first with first.
  const auto twice = matched(words_of("the a the"), words_of("a the the"));
  BOOST_TEST(twice == (std::vector<std::size_t>{1, 0, 2}), boost::test_tools::per_element());
  check_refusal([] { matched(words_of("tom"), words_of("dog")); }, "'tom' is in one text only");
  check_refusal([] { matched(words_of("a a b"), words_of("a b b")); }, "'a' is in one text only");
  check_refusal([] { matched(words_of("a"), words_of("a b")); }, "1 and 2 words");
}

BOOST_AUTO_TEST_CASE(without_encoding_only_rounding_is_left) {
  for (const char* precision : {"float32", "float64"}) {
    for (const Text& text : texts) {
      const std::string at = fmt::format("{}.{}", text.name, precision);
      BOOST_TEST(value("S1.token." + at) < 1);
      BOOST_TEST(value("S1.pooled." + at) < 1);
    }
    BOOST_TEST(value(fmt::format("S1.token.random.{}", precision)) < 1);
    // Another order of additions does move bits: a distance of exactly 0 would mean that nothing was
    // permuted.
    BOOST_TEST(value(fmt::format("S1.token.random.{}", precision)) > 0);
  }
}

BOOST_AUTO_TEST_CASE(true_but_for_pooled_outputs_with_an_index) {
  const Results& results = results_of("S1");
  const Claim& claim = results.claims.front();
  BOOST_TEST(shape(claim) == "core 4 limit 3: encoding arithmetic output");
  BOOST_TEST(outcomes(claim) == "holds holds holds holds holds holds fails");
  BOOST_TEST(to_text(claim.judgement) == "true, with limits");
  for (const char* precision : {"float32", "float64"}) {
    double largest = 0, least = INFINITY;
    for (const char* text : {"tom", "oranges", "river", "swimming", "random"})
      largest = std::max(largest, value(fmt::format("S1.token.{}.{}", text, precision)));
    for (const EncodingPointer& encoding : encodings())
      least = std::min(least, value(fmt::format("S1.least.{}.{}", encoding->name(), precision)));
    BOOST_TEST(value(fmt::format("S1.none.{}", precision)) == largest);
    BOOST_TEST(value(fmt::format("S1.least_of_all.{}", precision)) == least);
  }
  std::vector<Finding> findings = results.findings;
  for (Finding& each : findings)
    if (each.id == "S1.none.float32") each.value = 1.5;
  BOOST_TEST((judge(findings, claim.rule).verdict == Verdict::depends));
}

BOOST_AUTO_TEST_CASE(with_any_encoding_every_order_shows) {
  for (const EncodingPointer& encoding : encodings()) {
    BOOST_TEST(value(fmt::format("S1.least.{}.float64", encoding->name())) > 1e6, encoding->name());
    BOOST_TEST(value(fmt::format("S1.least.{}.float32", encoding->name())) > 10, encoding->name());
  }
}

BOOST_AUTO_TEST_CASE(a_bias_by_distance_cannot_tell_the_reverse) {
  BOOST_TEST(value("S1.reversed.alibi.float64") < 1);
  BOOST_TEST(value("S1.reversed.alibi.float32") < 1);
  for (const char* other : {"sinusoidal", "rotary", "t5"})
    BOOST_TEST(value(fmt::format("S1.reversed.{}.float64", other)) > 1e6);
}

BOOST_AUTO_TEST_CASE(layer_norm_takes_an_index_off) {
  // The same number in every dimension: the mean output does not feel it, as if nothing had been added.
  for (const char* levelled : {"index", "normalised_index"})
    BOOST_TEST(value(fmt::format("S1.pooled_apart.{}.float64", levelled)) < 1);
  for (const char* other : {"sinusoidal", "random", "rotary", "alibi", "t5"})
    BOOST_TEST(value(fmt::format("S1.pooled_apart.{}.float64", other)) > 1e6);
}

BOOST_AUTO_TEST_CASE(positional_input_is_what_the_encoding_gives) {
  const Streams streams{1, "S1", "test"};
  const model::Shape& shape = sentence_shape;
  const auto none = positional_input<double>("none", 5, shape, streams);
  BOOST_TEST(none.added.size() == 0U);
  BOOST_TEST(none.attention.bias.empty());
  BOOST_TEST(positional_input<double>("sinusoidal", 5, shape, streams).added(3, 1) == std::cos(3.0));
  const auto alibi = positional_input<double>("alibi", 5, shape, streams);
  BOOST_REQUIRE(alibi.attention.bias.size() == 4U);
  BOOST_TEST(alibi.attention.bias[0](4, 1) == -3 * 0.25);  // 2^(-8/4)
  const auto t5 = positional_input<double>("t5", 5, shape, streams);
  BOOST_TEST(t5.attention.bias[0](0, 1) != t5.attention.bias[1](0, 1));  // a draw per head
  BOOST_TEST(t5.attention.bias[0](0, 1) == t5.attention.bias[0](2, 3));
  BOOST_TEST(rows(positional_input<float>("rotary", 5, shape, streams).attention.cosine) == 5U);
  check_refusal([&] { positional_input<float>("wave", 5, shape, streams); }, "wave");
}

BOOST_AUTO_TEST_SUITE_END()
