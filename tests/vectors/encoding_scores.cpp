// The encodings that act on attention: rotary on queries and keys, ALiBi and T5's on scores.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

#include "perp/base/matrix_algebra.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/encoding.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using perp::test::check_refusal;

namespace {

Matrix<double> normals(std::size_t rows, std::size_t d) {
  return normal_matrix<double>(rows, d, stream(5, "test", "encoding", 0, "content"));
}

/// Query at position t against key at position s, the same content wherever they stand.
double score(const Encoding& encoding, std::size_t t, std::size_t s) {
  const Matrix<double> content = normals(2, 64);
  Matrix<double> q = matrix<double>(1, 64), k = matrix<double>(1, 64);
  std::copy_n(content.data(), 64, q.data());
  std::copy_n(content.data() + 64, 64, k.data());
  encoding.rotate(q, t);
  encoding.rotate(k, s);
  return dot(row(std::as_const(q), 0), row(std::as_const(k), 0));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vectors_encoding_scores)

BOOST_AUTO_TEST_CASE(rotary_scores_depend_on_the_lag) {
  for (const Layout layout : layouts) {
    const EncodingPointer rotary = rotary_encoding(usual_base, layout);
    // ‖q‖‖k‖ is about 64; the angle's rounding at position 3,000 is below 3,000 u in every pair.
    const double bound = 200 * tolerance::position(3000);
    for (const std::size_t k : {0, 1, 9, 250}) {
      BOOST_TEST(std::abs(score(*rotary, 5, 5 + k) - score(*rotary, 2700, 2700 + k)) < bound);
      BOOST_TEST(std::abs(score(*rotary, 5 + k, 5) - score(*rotary, 2700 + k, 2700)) < bound);
    }
    BOOST_TEST(std::abs(score(*rotary, 5, 14) - score(*rotary, 14, 5)) > 1e-3);  // before is not after
    BOOST_TEST(std::abs(score(*rotary, 5, 14) - score(*rotary, 5, 15)) > 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(rotary_turns_by_the_frequencies) {
  // d = 6, T = 1000: ω = 1, 1/10, 1/100. Pair 1 is columns 2 and 3, or 1 and 4.
  struct Place {
    Layout layout;
    std::size_t first, second;
  };
  for (const Place& place : {Place{Layout::interleaved, 2, 3}, Place{Layout::half_split, 1, 4}}) {
    Matrix<double> x = zeros<double>(6, 6);
    for (std::size_t r = 0; r < 3; ++r) {
      x(r, place.first) = 1;
      x(3 + r, place.second) = 1;
    }
    rotary_encoding(1000, place.layout)->rotate(x, 10);
    for (std::size_t r = 0; r < 6; ++r) {
      const double angle = .1 * (10 + static_cast<double>(r)), bound = tolerance::position(15);
      const double first = r < 3 ? std::cos(angle) : -std::sin(angle);
      const double second = r < 3 ? std::sin(angle) : std::cos(angle);
      for (std::size_t j = 0; j < 6; ++j) {
        const double expected = j == place.first ? first : j == place.second ? second : 0;
        BOOST_TEST(std::abs(x(r, j) - expected) < bound, "row " << r << ", column " << j);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(rotary_keeps_lengths) {
  Matrix<double> x = normals(20, 64);
  const Matrix<double> before = x;
  rotary_encoding()->rotate(x, 100);
  for (std::size_t r = 0; r < 20; ++r) {
    const double norm = dot(row(before, r), row(before, r));
    BOOST_TEST(std::abs(dot(row(std::as_const(x), r), row(std::as_const(x), r)) - norm) <
               norm * tolerance::inner_product<double>(64));
  }
}

BOOST_AUTO_TEST_CASE(alibi_is_linear_in_the_distance) {
  BOOST_TEST(alibi_slope(1, 8) == .5);
  BOOST_TEST(alibi_slope(8, 8) == 0x1p-8);
  BOOST_TEST(alibi_slope(1, 16) == std::sqrt(.5));
  const EncodingPointer alibi = alibi_encoding(2, 8);
  for (const std::int64_t t : {0, 3, 1000})
    for (const std::int64_t s : {0, 1, 999, 4000}) {
      BOOST_TEST(alibi->bias(t, s) == -.25 * static_cast<double>(std::abs(t - s)));
      BOOST_TEST(alibi->bias(t, s) == alibi->bias(s, t));
    }
  BOOST_TEST(encodings()[7]->bias(0, 16) == -1);
}

BOOST_AUTO_TEST_CASE(t5_bucket_edges) {
  const std::int64_t starts[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91};
  for (std::size_t b = 0; b < 16; ++b) {
    BOOST_TEST(t5_bucket(-starts[b]) == b);
    if (b > 0) {
      BOOST_TEST(t5_bucket(1 - starts[b]) == b - 1);
      BOOST_TEST(t5_bucket(starts[b]) == 16 + b);
    }
  }
  for (const std::int64_t far : {127LL, 128LL, 129LL, 100'000LL, 5'000'000'000'000LL}) {
    BOOST_TEST(t5_bucket(-far) == 15);
    BOOST_TEST(t5_bucket(far) == 31);
  }
  std::set<std::size_t> used;
  for (std::int64_t lag = -200; lag <= 200; ++lag) used.insert(t5_bucket(lag));
  BOOST_TEST(used.size() == t5_buckets - 1);
  BOOST_TEST(!used.contains(16));
}

BOOST_AUTO_TEST_CASE(t5_biases_follow_the_buckets) {
  const Stream biases = stream(5, "test", "encoding", 0, "biases");
  const EncodingPointer t5 = t5_encoding(biases),
                        other = t5_encoding(stream(6, "test", "encoding", 0, "biases"));
  BOOST_TEST(t5->bias(500, 503) == t5->bias(0, 3));
  BOOST_TEST(t5->bias(0, 12) == t5->bias(0, 15));
  BOOST_TEST(t5->bias(0, 15) != t5->bias(0, 16));
  BOOST_TEST(t5->bias(0, 3) != t5->bias(3, 0));
  BOOST_TEST(t5->bias(0, 3) != other->bias(0, 3));
  std::vector<double> drawn(t5_buckets);
  fill_normal(biases, std::span<double>(drawn));
  BOOST_TEST(t5->bias(0, 1) == drawn[17]);  // a key after the query: the upper half
}

BOOST_AUTO_TEST_CASE(what_cannot_be_made) {
  Matrix<double> odd = zeros<double>(2, 5);
  check_refusal([&] { rotary_encoding()->rotate(odd, 0); }, "dimension 5; expected an even number");
  check_refusal([] { rotary_encoding(1); }, "base 1; expected a number above 1");
  check_refusal([] { alibi_encoding(0, 8); }, "alibi: head 0 of 8; expected 1 … 8");
  check_refusal([] { alibi_encoding(9, 8); }, "alibi: head 9 of 8");
}

BOOST_AUTO_TEST_SUITE_END()
