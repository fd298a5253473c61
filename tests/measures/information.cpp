// Bits by Monte Carlo against numerical integration, against a plain log-sum-exp and against their ceilings.

#include "perp/measures/information.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <numbers>

#include "perp/measures/quick_exp.hpp"
#include "perp/measures/quick_normal.hpp"
#include "perp/theory/information.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

/// Words, positions and samples of a sum, products included.
struct Sum {
  Matrix<float> words, positions, noise;
  std::vector<std::size_t> sent_words, sent_positions;
  CodeProducts word, position;
  CrossTable cross;

  Sum(Matrix<float> words_, Matrix<float> positions_, std::size_t samples)
      : words(std::move(words_)),
        positions(std::move(positions_)),
        noise(made::normal<float>(samples, cols(words), 3)) {
    for (std::size_t i = 0; i < samples; ++i) {
      sent_words.push_back(i % rows(words));
      sent_positions.push_back(i / rows(words) % rows(positions));
    }
    word = code_products(words, noise, sent_words);
    position = code_products(positions, noise, sent_positions);
    cross = cross_table(words, positions);
  }
  SharedBits bits(double n) const {
    return shared_bits(added_negative_log_likelihoods(word, position, cross, n), rows(words),
                       rows(positions));
  }
};

Matrix<float> table(std::size_t rows_, std::size_t cols_, std::initializer_list<float> values) {
  Matrix<float> result = matrix<float>(rows_, cols_);
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

/// Mutual informations of a small sum by the trapezoidal rule over the plane (or the line, for d = 1), step
/// n/16 up to 9 n beyond the outermost sum: its error is below 1e-10 for Gaussian mixtures.
struct Integrated {
  double both, word, position;
};
Integrated integrate(const Sum& sum, double n) {
  const std::size_t d = cols(sum.words), v = rows(sum.words), l = rows(sum.positions);
  const double step = n / 16, reach = 4 + 9 * n;
  const int half = static_cast<int>(reach / step);
  double h_all = 0, h_word = 0, h_position = 0;  // ∫ f log2 f: of y, mean over words, mean over positions
  std::vector<double> density(v * l);
  const auto entropy_term = [](double f) { return f > 0 ? f * std::log2(f) : 0; };
  for (int a = -half; a <= half; ++a)
    for (int b = d == 2 ? -half : 0; b <= (d == 2 ? half : 0); ++b) {
      const double y[2] = {a * step, b * step};
      double all = 0;
      std::vector<double> by_word(v, 0.0), by_position(l, 0.0);
      for (std::size_t w = 0; w < v; ++w)
        for (std::size_t t = 0; t < l; ++t) {
          double square = 0;
          for (std::size_t j = 0; j < d; ++j)
            square += std::pow(
                y[j] - static_cast<double>(sum.words(w, j)) - static_cast<double>(sum.positions(t, j)), 2);
          const double f =
              std::exp(-square / (2 * n * n)) / std::pow(2 * M_PI * n * n, static_cast<double>(d) / 2);
          all += f / static_cast<double>(v * l);
          by_word[w] += f / static_cast<double>(l);
          by_position[t] += f / static_cast<double>(v);
        }
      const double cell = d == 2 ? step * step : step;
      h_all += cell * entropy_term(all);
      for (const double f : by_word) h_word += cell * entropy_term(f) / static_cast<double>(v);
      for (const double f : by_position) h_position += cell * entropy_term(f) / static_cast<double>(l);
    }
  const double noise_entropy = -static_cast<double>(d) / 2 * std::log2(2 * M_PI * M_E * n * n);
  return {noise_entropy - h_all, h_word - h_all, h_position - h_all};
}

void check_against_integral(const Sum& sum, double n) {
  const Integrated truth = integrate(sum, n);
  const SharedBits bits = sum.bits(n);
  const double sigmas = tolerance::standard_errors;
  BOOST_TEST(bits.both.standard_error < 0.01);
  BOOST_TEST(std::abs(bits.both.value - truth.both) < sigmas * bits.both.standard_error + 1e-9,
             "both at " << n);
  BOOST_TEST(std::abs(bits.word.value - truth.word) < sigmas * bits.word.standard_error + 1e-9,
             "word at " << n);
  BOOST_TEST(std::abs(bits.position.value - truth.position) < sigmas * bits.position.standard_error + 1e-9,
             "position at " << n);
  BOOST_TEST(std::abs(bits.word_given_position.value - (truth.both - truth.position)) <
             sigmas * bits.word_given_position.standard_error + 1e-9);
  BOOST_TEST(std::abs(bits.position_given_word.value - (truth.both - truth.word)) <
             sigmas * bits.position_given_word.standard_error + 1e-9);
}

Sum random_sum(std::size_t words, std::size_t positions, std::size_t d, std::size_t samples) {
  return {made::normal<float>(words, d, 1), made::normal<float>(positions, d, 2), samples};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_information)

BOOST_AUTO_TEST_CASE(exponentials) {
  double worst_float = 0, worst_double = 0;
  for (int i = -86000; i <= 86000; ++i) {
    const float x = static_cast<float>(i) * 1e-3F;
    const double exact = std::exp(static_cast<double>(x));
    worst_float = std::max(worst_float, std::abs(static_cast<double>(quick_exp(x)) / exact - 1));
    const double y = 8e-3 * i;
    worst_double = std::max(worst_double, std::abs(quick_exp(y) / std::exp(y) - 1));
  }
  BOOST_TEST(worst_float < 3e-7);
  BOOST_TEST(worst_double < 4e-15);
  BOOST_TEST(quick_exp(0.0F) == 1.0F);
  BOOST_TEST(quick_exp(0.0) == 1.0);
  BOOST_TEST(quick_exp(-1e30F) == 0.0F);
  BOOST_TEST(quick_exp(-1e300) == 0.0);
}

BOOST_AUTO_TEST_CASE(the_largest_wherever_it_is) {
  for (std::size_t n = 1; n <= 200; ++n)
    for (std::size_t at = 0; at < n; ++at) {
      std::vector<float> x(n, -2);
      x[at] = -1;
      BOOST_REQUIRE(largest_of(x.data(), n) == -1);
    }
}

BOOST_AUTO_TEST_CASE(normal_distribution) {
  double worst_float = 0, worst_double = 0, worst_density = 0, worst_tail = 0;
  for (int i = -80000; i <= 80000; ++i) {
    const float x = static_cast<float>(i) * 5e-4F;
    const double y = 5e-4 * i, below = std::erfc(-y / std::numbers::sqrt2) / 2;
    const double below_float = std::erfc(-static_cast<double>(x) / std::numbers::sqrt2) / 2;
    worst_float = std::max(worst_float, std::abs(static_cast<double>(quick_normal(x).below) - below_float));
    worst_double = std::max(worst_double, std::abs(quick_normal(y).below - below));
    worst_density = std::max(worst_density, std::abs(quick_normal(y).density - std::exp(-y * y / 2)));
    // Far below, too, relative to the little that is left: y²/2 is rounded before it is an exponent.
    if (y < 0 && y > -37)
      worst_tail = std::max(worst_tail, std::abs(quick_normal(y).below / below - 1) / (1 + y * y / 2));
  }
  BOOST_TEST(worst_float < 3e-7);
  BOOST_TEST(worst_double < 4e-16);
  BOOST_TEST(worst_density < 4e-16);
  BOOST_TEST(worst_tail < 4e-15);
  BOOST_TEST(quick_normal(0.0).density == 1.0);
  BOOST_TEST(quick_normal(-1e9F).below == 0.0F);
  BOOST_TEST(quick_normal(1e9).below == 1.0);
}

BOOST_AUTO_TEST_CASE(one_dimension_by_integration) {
  const Sum sum(table(2, 1, {-1, 1}), table(3, 1, {-0.9F, 0.2F, 0.6F}), 60000);
  for (const double n : {0.15, 0.5, 1.0, 2.0}) check_against_integral(sum, n);
}

BOOST_AUTO_TEST_CASE(two_dimensions_by_integration) {
  const Sum sum(table(3, 2, {-1, 0.3F, 1, 0.1F, 0.4F, -1.2F}), table(2, 2, {0.5F, 0.4F, -0.3F, -0.6F}),
                60000);
  for (const double n : {0.25, 0.6, 1.2}) check_against_integral(sum, n);
}

BOOST_AUTO_TEST_CASE(one_table_alone_by_integration) {
  const Sum sum(table(4, 1, {-1.5F, -0.5F, 0.5F, 1.5F}), table(1, 1, {0}), 60000);
  for (const double n : {0.2, 0.7}) {
    const Bits bits = channel_bits(single_negative_log_likelihoods(sum.word, n), 4);
    BOOST_TEST(std::abs(bits.value - integrate(sum, n).both) <
               tolerance::standard_errors * bits.standard_error);
  }
}

BOOST_AUTO_TEST_CASE(fast_equals_slow) {
  // 5·√20 is about the largest of |x·p|: float above noise .9, double above .3, one by one below.
  const Sum sum = random_sum(60, 24, 20, 300);
  for (const double n : {0.1, 0.3, 0.5, 1.0, 1.5, 4.0}) {
    const std::vector<NegativeLogLikelihood> fast = added_negative_log_likelihoods(sum.word, sum.position,
                                                                                   sum.cross, n),
                                             slow = added_negative_log_likelihoods_one_by_one(
                                                 sum.word, sum.position, sum.cross, n);
    double worst = 0;
    for (std::size_t i = 0; i < fast.size(); ++i) {
      worst = std::max({worst, std::abs(fast[i].both - slow[i].both), std::abs(fast[i].word - slow[i].word),
                        std::abs(fast[i].position - slow[i].position)});
      BOOST_TEST(slow[i].both >= slow[i].word - tolerance::negative_log_likelihood);
      BOOST_TEST(slow[i].word >= -tolerance::negative_log_likelihood);
      BOOST_TEST(slow[i].position >= -tolerance::negative_log_likelihood);
    }
    BOOST_TEST(worst < tolerance::negative_log_likelihood, "noise " << n << ": " << worst);
    const SharedBits a = shared_bits(fast, 60, 24), b = shared_bits(slow, 60, 24);
    BOOST_TEST(std::abs(a.both.value - b.both.value) < 1e-6, "noise " << n);
    BOOST_TEST(std::abs(a.word.value - b.word.value) < 1e-6, "noise " << n);
    BOOST_TEST(std::abs(a.position.value - b.position.value) < 1e-6, "noise " << n);
  }
}

BOOST_AUTO_TEST_CASE(samples_beyond_all_ranges) {
  // Noise of a thousand deviations: the sent word is e^-2000 as likely as the other one.
  Sum sum(table(2, 1, {-1, 1}), table(2, 1, {0, 0.5F}), 4);
  sum.noise(0, 0) = 1000;
  sum.word = code_products(sum.words, sum.noise, sum.sent_words);
  sum.position = code_products(sum.positions, sum.noise, sum.sent_positions);
  const std::vector<NegativeLogLikelihood> fast = added_negative_log_likelihoods(sum.word, sum.position,
                                                                                 sum.cross, 1),
                                           slow = added_negative_log_likelihoods_one_by_one(
                                               sum.word, sum.position, sum.cross, 1);
  BOOST_TEST(fast[0].both > 1900);
  BOOST_TEST(std::abs(fast[0].both - slow[0].both) < tolerance::negative_log_likelihood);
  BOOST_TEST(std::abs(fast[0].word - slow[0].word) < tolerance::negative_log_likelihood);
  BOOST_TEST(std::abs(fast[0].position - slow[0].position) < tolerance::negative_log_likelihood);
}

BOOST_AUTO_TEST_CASE(concatenating_is_two_channels) {
  // [x; 0] + [0; p]: no product between words and positions, and bits add up.
  const std::size_t d_t = 5, d_p = 3, samples = 200;
  const Matrix<float> narrow_words = made::normal<float>(40, d_t, 1),
                      narrow = made::normal<float>(16, d_p, 2);
  Matrix<float> words = zeros<float>(40, d_t + d_p), positions = zeros<float>(16, d_t + d_p);
  for (std::size_t v = 0; v < 40; ++v)
    for (std::size_t j = 0; j < d_t; ++j) words(v, j) = narrow_words(v, j);
  for (std::size_t s = 0; s < 16; ++s)
    for (std::size_t j = 0; j < d_p; ++j) positions(s, d_t + j) = narrow(s, j);
  const Sum sum(words, positions, samples);
  BOOST_TEST(sum.cross.largest == 0);
  const View<float> left(sum.noise.data(), samples, d_t, d_t + d_p),
      right(sum.noise.data() + d_t, samples, d_p, d_t + d_p);
  const CodeProducts word = code_products(narrow_words, left, sum.sent_words),
                     position = code_products(narrow, right, sum.sent_positions);
  for (const double n : {0.3, 1.0, 3.0}) {
    const std::vector<NegativeLogLikelihood> both =
        added_negative_log_likelihoods(sum.word, sum.position, sum.cross, n);
    const std::vector<double> w = single_negative_log_likelihoods(word, n),
                              p = single_negative_log_likelihoods(position, n);
    for (std::size_t i = 0; i < samples; ++i) {
      BOOST_TEST(std::abs(both[i].both - w[i] - p[i]) < tolerance::negative_log_likelihood);
      BOOST_TEST(std::abs(both[i].position - w[i]) < tolerance::negative_log_likelihood);
      BOOST_TEST(std::abs(both[i].word - p[i]) < tolerance::negative_log_likelihood);
    }
  }
}

BOOST_AUTO_TEST_CASE(columns_and_scales) {
  const Sum sum = random_sum(20, 2, 7, 30);
  const View<float> words(sum.words), noise(sum.noise);
  CodeProducts grown = code_products({words.data, 20, 3, 7}, {noise.data, 30, 3, 7}, sum.sent_words);
  append_columns(grown,
                 code_products({words.data + 3, 20, 4, 7}, {noise.data + 3, 30, 4, 7}, sum.sent_words));
  Matrix<float> doubled = sum.words;
  for (std::size_t i = 0; i < doubled.size(); ++i) doubled.data()[i] *= 2;
  const std::vector<double> whole = single_negative_log_likelihoods(sum.word, 1),
                            joined = single_negative_log_likelihoods(grown, 1),
                            scaled = single_negative_log_likelihoods(sum.word, 1, 2),
                            twice = single_negative_log_likelihoods(
                                code_products(doubled, noise, sum.sent_words), 1);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    BOOST_TEST(std::abs(whole[i] - joined[i]) < tolerance::negative_log_likelihood);
    BOOST_TEST(std::abs(scaled[i] - twice[i]) < tolerance::negative_log_likelihood);
  }
}

BOOST_AUTO_TEST_CASE(ceilings) {
  const Sum sum = random_sum(64, 16, 4, 4096);
  std::vector<double> previous{10};
  for (const double n : {0.01, 0.3, 1.0, 3.0, 30.0}) {
    const SharedBits bits = sum.bits(n);
    BOOST_TEST(bits.both.value <= previous.back() + 5 * bits.both.standard_error + 1e-6);
    BOOST_TEST(bits.word.value <= 6 + 1e-6);
    BOOST_TEST(bits.position.value <= 4 + 1e-6);
    BOOST_TEST(std::abs(bits.both.value - bits.word.value - bits.position_given_word.value) < 1e-9);
    // Second moments about zero are no less than the covariance: variance 1 + 1 per dimension, plus a margin
    // of a half for 64 words and 16 positions.
    BOOST_TEST(bits.both.value <= theory::white_bits(4, 4 * 2.5, n) + 5 * bits.both.standard_error);
    previous.push_back(bits.both.value);
  }
  BOOST_TEST(std::abs(sum.bits(0.001).both.value - 10) < 1e-6);
}

BOOST_AUTO_TEST_CASE(scales_of_both_parts) {
  // a·x and b·p by scales, and as tables that are scaled already; in float, in double and one by one.
  const double a = 1.5, b = 0.4;
  const Sum sum = random_sum(20, 9, 5, 60);
  Matrix<float> words = sum.words, positions = sum.positions;
  for (float& x : words) x *= static_cast<float>(a);
  for (float& x : positions) x *= static_cast<float>(b);
  const Sum scaled(words, positions, 60);
  for (const double n : {1.0, 0.2, 0.05}) {
    const std::vector<NegativeLogLikelihood> by_scales = added_negative_log_likelihoods(
                                                 sum.word, sum.position, sum.cross, n, {a, b}),
                                             slow = added_negative_log_likelihoods_one_by_one(
                                                 sum.word, sum.position, sum.cross, n, {a, b}),
                                             by_tables = added_negative_log_likelihoods(
                                                 scaled.word, scaled.position, scaled.cross, n);
    // Exponents are of the order 1/n², known to 2^-24 of themselves.
    const double bound = tolerance::negative_log_likelihood / (n * n);
    for (std::size_t i = 0; i < by_scales.size(); ++i) {
      BOOST_TEST(std::abs(by_scales[i].both - by_tables[i].both) < bound);
      BOOST_TEST(std::abs(by_scales[i].word - by_tables[i].word) < bound);
      BOOST_TEST(std::abs(by_scales[i].position - by_tables[i].position) < bound);
      BOOST_TEST(std::abs(by_scales[i].both - slow[i].both) < bound);
    }
  }
}

BOOST_AUTO_TEST_CASE(extremes_of_one_table) {
  // Equal codewords: one bit too few, exactly.
  const Sum twins(table(2, 1, {1, 1}), table(1, 1, {0}), 2);
  BOOST_TEST(std::abs(single_negative_log_likelihoods(twins.word, 1)[0] - std::numbers::ln2) < 1e-6);
  // Far apart: the other one's exponent is 20,000 below, and nothing may overflow.
  const Sum apart(table(2, 1, {10, -10}), table(1, 1, {0}), 2);
  BOOST_TEST(single_negative_log_likelihoods(apart.word, 0.1)[0] == 0);
}

BOOST_AUTO_TEST_CASE(refusals) {
  const Sum sum = random_sum(5, 3, 2, 8), other = random_sum(6, 3, 2, 8), fewer = random_sum(5, 3, 2, 4);
  const View<float> words(sum.words), noise(sum.noise);
  const Matrix<float> wide = made::normal<float>(5, 3, 9), none = matrix<float>(0, 2);
  const auto refused = [](const std::function<void()>& call, const char* part) {
    BOOST_TEST(made::refused(call, part), part);
  };
  refused([&] { code_products(none, noise, sum.sent_words); }, "none of them may be empty");
  refused([&] { code_products(wide, noise, sum.sent_words); }, "code_products: table is 5 x 3");
  refused([&] { code_products(words, noise, {1, 2}); }, "2 rows sent");
  refused([&] { code_products(words, noise, std::vector<std::size_t>(8, 5)); }, "row 5 sent of a table of 5");
  refused([&] { cross_table(words, wide); }, "cross_table: words are 5 x 2, positions 5 x 3");
  refused([&] { cross_table(none, words); }, "cross_table: words are 0 x 2");
  refused([&] { single_negative_log_likelihoods(sum.word, 0); }, "single_negative_log_likelihoods: noise 0");
  refused([&] { single_negative_log_likelihoods(sum.word, -1); }, "noise -1");
  refused([&] { single_negative_log_likelihoods(sum.word, 1, 0); }, "scale 0");
  refused([&] { single_negative_log_likelihoods(sum.word, 1, -2); }, "scale -2");
  refused([&] { single_negative_log_likelihoods({}, 1); }, "0 samples");
  refused(
      [&] {
        added_negative_log_likelihoods(sum.word, sum.position, sum.cross, 1, {0, 1});
      },
      "scales 0 and 1");
  refused(
      [&] {
        added_negative_log_likelihoods(sum.word, sum.position, sum.cross, 1, {1, -1});
      },
      "scales 1 and -1");
  refused([&] { added_negative_log_likelihoods(sum.word, sum.position, sum.cross, 0); },
          "added_negative_log_likelihoods: noise 0");
  refused([&] { added_negative_log_likelihoods(sum.word, fewer.position, sum.cross, 1); },
          "8 samples of words, 4 of positions");
  refused([&] { added_negative_log_likelihoods(sum.word, sum.position, other.cross, 1); },
          "cross table is 6 x 3");
  refused([&] { added_negative_log_likelihoods_one_by_one(sum.word, sum.position, other.cross, 1); },
          "cross table is 6 x 3");
  refused(
      [&] {
        CodeProducts grown = sum.word;
        append_columns(grown, other.word);
      },
      "expected the same ones");
  refused(
      [&] {
        CodeProducts grown;
        append_columns(grown, sum.word);
      },
      "append_columns: 0 samples");
  refused(
      [&] {
        CodeProducts grown = sum.word;
        append_columns(grown, {});
      },
      "append_columns: 0 samples");
  const std::vector<NegativeLogLikelihood> single(1);
  refused([&] { shared_bits(single, 2, 2); }, "shared_bits: 1 samples");
  refused([&] { channel_bits(std::vector<double>{1}, 2); }, "channel_bits: 1 samples");
}

BOOST_AUTO_TEST_SUITE_END()
