// The families of random words have the laws they are named after.

#include "perp/vectors/words.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using perp::test::check_refusal;

namespace {

const Stream words_stream = stream(1, "tests", "words", 0, "draw");

}  // namespace

BOOST_AUTO_TEST_SUITE(vectors_words)

BOOST_AUTO_TEST_CASE(norms) {
  const std::size_t d = 256, n = 4000;
  for (const auto& [family, expected] :
       {std::pair{Family::gaussian, 256.0}, std::pair{Family::sphere, 1.0},
        std::pair{Family::uniform, 256.0 / 3}, std::pair{Family::rademacher, 256.0},
        std::pair{Family::anisotropic, 256.0}}) {
    double norm = 0;
    for (const float x : draw_words(family, n, d, words_stream)) norm += static_cast<double>(x) * x / n;
    BOOST_TEST(std::abs(norm / expected - 1) < tolerance::word_norm, to_text(family) << ": " << norm);
  }
}

BOOST_AUTO_TEST_CASE(anisotropic_words_share_a_mean_and_decay) {
  const std::size_t d = 64, n = 20000;
  const Matrix<float> words = draw_words(Family::anisotropic, n, d, words_stream);
  std::vector<double> mean(d), square(d);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      mean[j] += static_cast<double>(words(i, j)) / n;
      square[j] += static_cast<double>(words(i, j)) * words(i, j) / n;
    }
  double shared = 0;
  for (const double m : mean) shared += m * m;
  BOOST_TEST(std::abs(shared / d - anisotropic_mean_share) < tolerance::word_mean_share);
  const double first = square[0] - mean[0] * mean[0], last = square[d - 1] - mean[d - 1] * mean[d - 1];
  BOOST_TEST(std::abs(first / last - std::pow(static_cast<double>(d), anisotropic_exponent)) < 0.05 * 8);
}

BOOST_AUTO_TEST_CASE(a_rotation_is_orthogonal_and_uniform_in_sign) {
  const std::size_t d = 48;
  const Matrix<float> rotation = random_rotation(d, words_stream);
  const Matrix<float> gram = gram_rows(rotation);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) BOOST_TEST(std::abs(gram(i, j) - (i == j ? 1.0f : 0.0f)) < 1e-5f);
  // The corner entry of a Haar rotation has mean 0 and variance 1/d; Householder's signs alone would fix its
  // sign.
  std::size_t positive = 0;
  for (std::size_t draw = 0; draw < 200; ++draw)
    positive += random_rotation(8, stream(1, "tests", "signs", draw, "rotation"))(7, 7) > 0;
  BOOST_TEST(positive > 60U);  // of 200: false alarm below 1e-8
  BOOST_TEST(positive < 140U);
}

BOOST_AUTO_TEST_CASE(unknown_names_and_empty_shapes_are_refused) {
  for (const Family family : families) BOOST_TEST((family_from(to_text(family)) == family));
  check_refusal([] { family_from("cauchy"); }, "word family 'cauchy' is none of");
  check_refusal([] { draw_words(Family::gaussian, 0, 4, words_stream); }, "0 words of dimension 4");
  check_refusal([] { draw_words(Family::gaussian, 4, 0, words_stream); }, "4 words of dimension 0");
  check_refusal([] { random_rotation(0, words_stream); }, "dimension 0");
}

BOOST_AUTO_TEST_SUITE_END()
