// D12: RoPE's scalings against numbers that were computed apart, and configurations as nobody should write them.

#include "studies/distance/d12.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "studies/distance/rope.hpp"
#include "tests/distance/quick.hpp"
#include "tests/io/gguf_bytes.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using namespace perp::distance;

namespace {

RopeConfig read(const std::string& text) {
  return rope_config_of(read_config_values(ByteSource("config.json", InMemory{text, nullptr})));
}
std::size_t good(const RopeSettings& settings) { return good_to(inverse_frequencies(settings, 0)).strictly; }

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d12)

BOOST_AUTO_TEST_CASE(contexts_that_were_computed_apart) {
  RopeSettings s{.scaling = RopeScaling::ntk, .factor = 1};
  for (const auto& [alpha, context] :
       {std::pair{1, 1706}, {2, 2571}, {4, 4066}, {8, 5731}, {16, 7919}, {32, 10628}}) {
    s.factor = alpha;
    BOOST_TEST(good(s) == std::size_t(context), "α = " << alpha);
  }
  s = {.scaling = RopeScaling::yarn, .factor = 8, .trained = 4096};
  BOOST_TEST(good(s) == 8885U);
  s.ramp = Ramp::unrounded;
  BOOST_TEST(good(s) == 7322U);
  s = {.scaling = RopeScaling::llama3, .base = 5e5, .factor = 8, .trained = 8192, .fast = 4};
  BOOST_TEST(good(s) == 85132U);
  BOOST_TEST(good(unscaled(s)) == 18437U);
}

BOOST_AUTO_TEST_CASE(a_linear_division_keeps_its_factor) {
  for (const char* model : {"vicuna_13b_16k", "gemma_3_4b"})
    BOOST_TEST(std::abs(value(std::string("D12.kept_factor.") + model) - 1) < tolerance::whole_lag);
  BOOST_TEST(value("D12.kept_factor.deepseek_v3") < 0.2);
}

BOOST_AUTO_TEST_CASE(amplitudes_and_slopes) {
  RopeSettings s{.scaling = RopeScaling::yarn, .factor = 8, .trained = 8192};
  BOOST_TEST(rope_amplitude(s) == 1.2079441541679836);  // Olmo 3's file has it
  s.log_slope = s.log_slope_all = 1;
  BOOST_TEST(rope_amplitude(s) == 1);
  s = {.scaling = RopeScaling::longrope,
       .factor = 32,
       .trained = 4096,
       .near = std::vector<double>(64, 1.0),
       .far = std::vector<double>(64, 2.0)};
  BOOST_TEST(rope_amplitude(s) == 1.1902380714238083);
  BOOST_TEST(inverse_frequencies(s, 4096)[0] == 1);
  BOOST_TEST(inverse_frequencies(s, 4097)[0] == 0.5);
  const std::vector<double> six = alibi_slopes(6), want{0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125};
  BOOST_TEST(six == want, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(configurations) {
  const RopeConfig gemma = read(
      R"({"text_config":{"head_dim":256,"global_head_dim":512,"max_position_embeddings":131072,"rope_parameters":{"sliding_attention":{"rope_type":"default","rope_theta":10000.0},"full_attention":{"rope_type":"proportional","partial_rotary_factor":0.25,"rope_theta":1e6}}}})");
  BOOST_TEST((gemma.settings.head == 512 && gemma.settings.rotated == 128 && gemma.settings.base == 1e6));
  BOOST_TEST(inverse_frequencies(gemma.settings, 0)[1] == std::pow(1e6, -2 / 512.0));
  BOOST_TEST(read(R"({"hidden_size":64,"num_attention_heads":2})").notes.size() == 1U);  // no base
  BOOST_TEST(read(R"({"model_type":"bloom","n_head":12})").alibi_heads == 12U);
  const auto refused = [](const std::string& fields, const char* says) {
    check_refusal([&] { read(R"({"head_dim":64,"max_position_embeddings":2048)" + fields + "}"); }, says);
  };
  refused(R"(,"rope_scaling":{"type":"magic"})", "no RoPE scaling 'magic'; there are default");
  refused(R"(,"rope_theta":-5)", "base -5");
  refused(R"(,"rope_theta":"x")", "rope_theta is a text; expected a number");
  refused(R"(,"rope_scaling":{"type":"linear","factor":-2})", "factor -2");
  refused(R"(,"rope_scaling":{"type":"longrope","short_factor":[1],"long_factor":[1]})",
          "1 factors of frequencies; expected 32");
  refused(R"(,"partial_rotary_factor":0)", "0 of a head is rotated");
  refused(R"(,"num_attention_heads":1000000000)", "num_attention_heads is 1000000000");
  refused(R"(,"rope_scaling":[1])", "rope_scaling is a list; expected an object");
  refused(R"(,"position_embedding_type":"absolute")", "position_embedding_type is 'absolute'");
  refused(R"(,"head_dim":4096)", "a head of 4096 dimensions");
  // Llama 4's step; Phi-3's lists under another name; MLA's part, which is rotated whole; a key that comes again.
  const auto fields = [](const std::string& more) {
    return read(R"({"head_dim":4,"max_position_embeddings":2048)" + more + "}");
  };
  const RopeConfig step = fields(
      R"(,"rope_scaling":{"rope_type":"llama3","factor":16,"low_freq_factor":1,"high_freq_factor":1})");
  BOOST_TEST(inverse_frequencies(step.settings, 0)[1] == 0.01);
  BOOST_TEST((fields(R"(,"rope_scaling":{"type":"yarn","short_factor":[1,1],"long_factor":[2,2]})")
                  .settings.scaling == RopeScaling::longrope));
  BOOST_TEST(fields(R"(,"qk_rope_head_dim":64,"partial_rotary_factor":0.5)").settings.rotated == 64U);
  BOOST_TEST((fields(R"(,"rope_scaling":{"type":"linear","factor":2},"rope_scaling":{"factor":3})")
                  .settings.scaling == RopeScaling::none));
  BOOST_TEST(fields(R"(,"type":"causal_lm","factor":3)").settings.factor == 1);
  BOOST_TEST(
      fields(R"(,"max_sequence_length":8192,"rope_scaling":{"type":"linear","factor":4})").settings.trained ==
      2048);
  BOOST_TEST(fields(R"(,"rope_scaling":{"type":"linear","factor":4})").settings.trained == 0);  // not said
  check_refusal([] { read("{}"); }, "expected a head's size");
  check_refusal([] { read(R"({"head_dim":63})"); }, "63 of 63 dimensions");
}

BOOST_AUTO_TEST_CASE(what_gguf_files_say) {
  const Scratch scratch;
  const auto model = [] {
    GgufWriter file;
    file.value(gguf_value("general.architecture", 8, gguf_text("llama")))
        .value(gguf_value("llama.rope.freq_base", 6, le(5e5F)))
        .value(gguf_count("llama.embedding_length", 16))
        .value(gguf_count("llama.attention.head_count", 4))
        .value(gguf_count("llama.context_length", 8192));
    return file;
  };
  GgufWriter divided = model();
  divided.add("rope_freqs.weight", {2}, 0, le(1.0F) + le(8.0F));
  const RopeConfig llama = read_rope_config(scratch.file("llama.gguf", divided.file()));
  BOOST_TEST((llama.settings.head == 4 && llama.settings.base == 5e5 && llama.claimed == 8192));
  const std::vector<double> want{1, std::pow(5e5, -0.5) / 8};
  BOOST_TEST(inverse_frequencies(llama.settings, 0) == want, boost::test_tools::per_element());
  GgufWriter scaled = model();
  scaled.value(gguf_value("llama.rope.scaling.type", 8, gguf_text("yarn")))
      .value(gguf_value("llama.rope.scaling.factor", 6, le(4.0F)))
      .value(gguf_count("llama.rope.scaling.original_context_length", 2048));
  const RopeConfig yarn = read_rope_config(scratch.file("yarn.gguf", scaled.file()));
  BOOST_TEST((yarn.settings.scaling == RopeScaling::yarn && yarn.settings.factor == 4 &&
              yarn.settings.trained == 2048));
  GgufWriter biased = model();
  biased.value(gguf_value("llama.attention.max_alibi_bias", 6, le(8.0F)));
  BOOST_TEST(read_rope_config(scratch.file("alibi.gguf", biased.file())).alibi_heads == 4U);
}

BOOST_AUTO_TEST_SUITE_END()
