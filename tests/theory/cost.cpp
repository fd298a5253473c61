// Counts against released models and against shapes written out.

#include "perp/theory/cost.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/refusal.hpp"

using namespace perp::theory;
using perp::test::check_refusal;

BOOST_AUTO_TEST_SUITE(theory_cost)

BOOST_AUTO_TEST_CASE(released_models) {
  BOOST_TEST(block_parameters({768, 3072}) == 7'087'872U);  // GPT-2 small, BERT-base
  const ModelShape gpt2{768, 0, 12, 50257, 1024, true};
  BOOST_TEST(model_parameters(gpt2, Joining::added) + 2 * 768 == 124'439'808U);  // and its last norm
}

BOOST_AUTO_TEST_CASE(closed_forms) {
  for (const std::uint64_t w : {1U, 3U, 384U, 1024U}) {
    BOOST_TEST(block_parameters(usual_block(w)) == 12 * w * w + 13 * w);
    const BlockShape odd{w, w + 5};
    BOOST_TEST(block_parameters(odd) == 4 * w * w + 2 * w * odd.inner + 9 * w + odd.inner);
    // Every map once a token, scores and mixing once a pair.
    std::uint64_t maps = 0;
    for (const Tensor& tensor : block_tensors(odd))
      if (tensor.name.find("bias") == std::string_view::npos &&
          tensor.name.find("norm") == std::string_view::npos)
        maps += tensor.size();
    BOOST_TEST(block_operations(odd, 7) == 7 * maps + 2 * 7 * 7 * w);
    BOOST_TEST(block_cache(odd) == 2 * w);
  }
  BOOST_TEST(block_tensors({8, 32}).size() == 16U);
}

BOOST_AUTO_TEST_CASE(joinings) {
  const ModelShape shape{512, 64, 3, 1000, 128, true};
  const std::uint64_t block = block_parameters(usual_block(512));
  BOOST_TEST(joined_width(shape, Joining::added) == 512U);
  BOOST_TEST(joined_width(shape, Joining::appended) == 576U);
  BOOST_TEST(joined_width(shape, Joining::divided) == 512U);
  BOOST_TEST(model_parameters(shape, Joining::added) == 1000 * 512 + 128 * 512 + 3 * block);
  BOOST_TEST(model_parameters(shape, Joining::divided) == 1000 * 448 + 128 * 64 + 3 * block);
  BOOST_TEST(model_parameters(shape, Joining::projected) ==
             1000 * 512 + 128 * 64 + (576 * 512 + 512) + 3 * block);
  BOOST_TEST(model_parameters(shape, Joining::appended) ==
             1000 * 512 + 128 * 64 + 3 * block_parameters(usual_block(576)));
  const std::uint64_t operations = model_operations(shape, Joining::added);
  BOOST_TEST(model_operations(shape, Joining::divided) == operations);
  BOOST_TEST(model_operations(shape, Joining::projected) == operations + 128 * 576 * 512);
  BOOST_TEST(model_operations(shape, Joining::appended) > operations);
  // A sinusoid has no parameters.
  ModelShape fixed = shape;
  fixed.learned_positions = false;
  BOOST_TEST(model_parameters(shape, Joining::added) - model_parameters(fixed, Joining::added) ==
             128U * 512U);
}

BOOST_AUTO_TEST_CASE(refusals) {
  check_refusal([] { block_parameters({0, 4}); }, "width 0");
  check_refusal([] { block_operations({4, 0}, 3); }, "inner width 0");
  check_refusal([] { block_cache({0, 0}); }, "width 0");
  check_refusal([] { model_parameters({0, 4}, Joining::added); }, "width 0");
  check_refusal([] { model_parameters({8, 0}, Joining::appended); }, "positions of width 0");
  check_refusal([] { model_operations({8, 8}, Joining::divided); }, "8 of 8");
  check_refusal([] { joined_width({8, 9}, Joining::divided); }, "9 of 8");
  check_refusal([] { to_text(static_cast<Joining>(9)); }, "9");
}

BOOST_AUTO_TEST_SUITE_END()
