// D12: numbers on RoPE's scaling, exponents, layouts and ALiBi's slopes that public threads give, and the same here.

#include <cmath>

#include "studies/distance/d11_threads.hpp"
#include "studies/distance/rope.hpp"

namespace perp::distance {
namespace {

/// YaRN's, with mscale 1 and this mscale_all_dim; 0: neither is given.
double amplitude(double factor, double all = 0) {
  return rope_amplitude({.scaling = RopeScaling::yarn,
                         .factor = factor,
                         .trained = 4096,
                         .log_slope = 1,
                         .log_slope_all = all});
}

double good_with_alpha(double alpha) {
  return double(good_to(inverse_frequencies({.scaling = RopeScaling::ntk, .factor = alpha}, 0)).strictly);
}

/// Pairs of Llama 3.2 1B that are neither kept nor divided by the whole factor.
std::vector<double> between() {
  const RopeSettings s{RopeScaling::llama3, 64, 64, 5e5, 32, 8192, 4, 1};
  const auto here = inverse_frequencies(s, 0), before = inverse_frequencies(unscaled(s), 0);
  std::vector<double> pairs;
  for (std::size_t i = 0; i < here.size(); ++i)
    if (here[i] < before[i] * (1 - 1e-12) && here[i] > before[i] / 32 * (1 + 1e-12))
      pairs.push_back(double(i));
  return pairs;
}

/// Of Gemma 4.
double frequency_1(RopeScaling scaling) {
  return inverse_frequencies({.scaling = scaling, .head = 512, .rotated = 128, .base = 1e6}, 0)[1];
}

}  // namespace

std::vector<ThreadNumber> rope_thread_numbers() {
  const std::string hub = "https://github.com/", vllm = hub + "vllm-project/vllm/pull/",
                    tiny = hub + "jmaczan/tiny-vllm/pull/1",
                    webui = hub + "oobabooga/text-generation-webui/pull/3149",
                    pegainfer = hub + "pegainfer-project/pegainfer/issues/820", scaling = "scaling",
                    partial = "partial rotary";
  constexpr double none = NAN;
  const double twice = (0.1 * amplitude(64) * std::log(64) + 1) / amplitude(64);
  const std::vector<double> ramp = between();
  return {
      {vllm + "48623", "attention factor, s = 16 and mscale = mscale_all_dim = 1, as this thread wants it", 1,
       1e-6, amplitude(16, 1), scaling},
      {hub + "turboderp-org/exllamav3/issues/259",
       "attention factor, s = 16 (guessed) and mscale = mscale_all_dim = 1, as this thread wants it",
       1.277259, 1e-6, amplitude(16, 1), scaling},
      {vllm + "48351", "YaRN's attention factor, s = 64", 1.4158883, 1e-6, amplitude(64), scaling},
      {hub + "sgl-project/sglang/pull/33558", "what logits get by YaRN, s = 128: the factor's square", 2.2058,
       1e-4, std::pow(amplitude(128), 2), scaling},
      {hub + "NVIDIA/TensorRT-LLM/pull/16379", "per cent too much where the logarithm is taken twice, s = 64",
       12.2, 0.1, 100 * (twice - 1), scaling},
      {hub + "onnxruntime/mobius/pull/548", "what DeepSeek-V3 multiplies every logit by", 1.87, 1e-2,
       std::pow(amplitude(40), 2), scaling},
      {tiny, "first interpolated pair of Llama 3.2 1B", 15, 1, ramp.front(), scaling},
      {tiny, "last interpolated pair of Llama 3.2 1B", 17, 1, ramp.back(), scaling},
      {webui, "context of NTK's α = 2, by perplexity", 3400, 100, good_with_alpha(2), scaling},
      {webui, "context of NTK's α = 4, by perplexity", 6200, 100, good_with_alpha(4), scaling},
      {webui, "context of NTK's α = 8, by perplexity", 8800, 100, good_with_alpha(8), scaling},
      {hub + "turboderp/exllama/issues/158", "context of NTK's α = 2 in Llama 2 13B, by perplexity", 6800,
       100, good_with_alpha(2), scaling},
      {hub + "karpathy/nanochat/issues/264", "partner of coordinate 1 of 128, half-split (a rule is given)",
       none, 1, 1 + 128 / 2.0, "layout"},
      {pegainfer, "frequency 1 of Gemma 4, exponents of the whole head (a rule is given)", none, 1,
       frequency_1(RopeScaling::proportional), partial},
      {pegainfer, "frequency 1 of Gemma 4, exponents of the rotated part", none, 1,
       frequency_1(RopeScaling::none), partial},
      {hub + "karpathy/llama2.c/issues/356",
       "longest wavelength, base 10,000 over Code Llama's 1,000,000 (no number is given)", none, 1,
       std::pow(1e-2, 126 / 128.0), "base"},
      {hub + "ofirpress/attention_with_linear_biases/issues/17", "slope 9 of 12 heads", 0.7071067811865476,
       1e-15, alibi_slopes(12)[8], "ALiBi"},
      {hub + "ml-explore/mlx/pull/3071", "slope 1 of 12 heads", 0.5, 1e-9, alibi_slopes(12)[0], "ALiBi"},
      {hub + "huggingface/transformers/pull/28380", "slope 5 of 6 heads", 0.5, 1e-9, alibi_slopes(6)[4],
       "ALiBi"}};
}

}  // namespace perp::distance
