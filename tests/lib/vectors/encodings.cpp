// Encodings of positions: against the papers' formulas by mpmath, by what follows from them, and the list;
// short formats against their definition; families of words.

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/io/stored_table.hpp"
#include "perp/random/draws.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/encoding.hpp"
#include "perp/vectors/format.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(vectors_encodings)

namespace {

const Stream numbers = stream(3, "test", "encoding", 0, "vectors");

template <class Value>
void hold(const std::string& table, const std::string& expected, const Value& value) {
  for (const ReferenceRow& row : reference_table("vectors_" + table))
    BOOST_TEST(std::abs(value(row) - row[expected]) <= 6 * tolerance::position(row.whole("t")), row.place);
}

}  // namespace

BOOST_AUTO_TEST_CASE(formulas) {
  using Row = ReferenceRow;
  hold("sinusoid", "expected", [](const Row& r) {
    return sinusoidal<double>(r.whole("t") + 1, r.whole("d"), r["base"])(r.whole("t"), r.whole("column"));
  });
  hold("sine_only", "expected", [](const Row& r) {
    const std::size_t t = r.whole("t");
    return encoding_named("sine_only")->vectors(t + 1, r.whole("d"), numbers)(t, r.whole("column"));
  });
  hold("rotary", "turned", [](const Row& r) {
    Matrix<double> x = zeros<double>(2, 6);  // the second row stands one position later
    for (std::size_t j = 0; j < 6; ++j) x(r.whole("t") % 2, j) = static_cast<double>(j + 1);
    rotary_encoding(1000)->rotate(x, r.whole("t") - r.whole("t") % 2);
    return x(r.whole("t") % 2, r.whole("column"));
  });
  check_reference(
      "vectors_alibi", "slope", [](const Row& r) { return alibi_slope(r.whole("head"), r.whole("heads")); },
      relative(tolerance::closed_form));
  check_reference(
      "vectors_t5", "bucket", [](const Row& r) { return t5_bucket(static_cast<std::int64_t>(r["lag"])); },
      within(0));
}

BOOST_AUTO_TEST_CASE(the_list_does_what_it_says) {
  std::string names;
  const Matrix<double> ones = Matrix<double>(std::array<std::size_t, 2>{3, 8}, 1);
  for (const EncodingPointer& encoding : encodings()) {
    names += encoding->name() + " ";
    Matrix<double> x = ones;
    const auto vectors = [&] { return encoding->vectors(3, 8, numbers); };
    if (encoding->action() == Action::adds_vector)
      BOOST_TEST(vectors().size() == 24);
    else
      check_refusal(vectors, "adds no vector");
    if (encoding->action() == Action::rotates_vector) {
      encoding->rotate(x, 1);
      BOOST_TEST((x != ones));
    } else {
      check_refusal([&] { encoding->rotate(x, 1); }, "turns nothing");
    }
    if (encoding->action() == Action::biases_score)
      BOOST_TEST(encoding->bias(1, 2) != 0);
    else
      check_refusal([&] { encoding->bias(1, 2); }, "has no bias of a score");
  }
  BOOST_TEST(names == "sinusoidal sine_only index normalised_index random random_fourier rotary alibi t5 ");
  BOOST_TEST(encoding_named("rotary")->name() == "rotary");
}

BOOST_AUTO_TEST_CASE(a_longer_table_begins_with_the_shorter) {
  const auto alike = [](const Matrix<double>& shorter, const Matrix<double>& longer) {
    return std::equal(shorter.begin(), shorter.end(), longer.begin());
  };
  for (const EncodingPointer& encoding : encodings()) {
    if (encoding->action() != Action::adds_vector) continue;
    const Matrix<double> shorter = encoding->vectors(70, 8, numbers);
    const Matrix<double> other = encoding->vectors(70, 8, stream(4, "test", "encoding", 0, "vectors"));
    const bool divides_by_length = encoding->name() == "normalised_index",
               is_random = encoding->name().starts_with("random");
    BOOST_TEST(alike(shorter, encoding->vectors(90, 8, numbers)) != divides_by_length, encoding->name());
    BOOST_TEST(alike(shorter, other) != is_random, encoding->name());
  }
  const std::size_t length = 2100;  // threads take five parts of 512 positions, the last one short
  BOOST_TEST((sinusoidal<float>(length, 32) == sinusoidal<float>(length, 32, usual_base, 3)));
}

BOOST_AUTO_TEST_CASE(two_layouts) {
  const Matrix<double> plain = sinusoidal<double>(50, 8),
                       split = sinusoidal<double>(50, 8, usual_base, Layout::half_split);
  BOOST_TEST((split == reorder_columns(plain, layout_permutation(8, Layout::half_split))));
  BOOST_TEST((layout_permutation(6, Layout::half_split) == std::vector<std::size_t>{0, 2, 4, 1, 3, 5}));
  BOOST_TEST((layout_permutation(4, Layout::interleaved) == std::vector<std::size_t>{0, 1, 2, 3}));
  const Matrix<double> turned = reorder_rows(sinusoidal<double>(2, 8), {1, 0});
  for (std::size_t j = 0; j < 8; ++j) {
    BOOST_TEST(turned(0, j) == plain(1, j));
    BOOST_TEST(split(49, j) == plain(49, j < 4 ? 2 * j : 2 * j - 7));
  }
}

BOOST_AUTO_TEST_CASE(random_fourier_features_have_a_gaussian_kernel) {
  const std::size_t d = 4096;
  const Matrix<double> table = encoding_named("random_fourier")->vectors(60, d, numbers);
  BOOST_TEST(std::abs(dot(row(table, 59), row(table, 59)) - 2048) <
             2048 * tolerance::inner_product<double>(d));
  for (const std::size_t k : {1, 5, 10, 30}) {
    // The mean of d/2 cosines of variance at most 1/2; and the same at every position, up to rounding.
    const double kernel = dot(row(table, 0), row(table, k)) / 2048;
    const double expected = std::exp(-static_cast<double>(k * k) / 200);
    BOOST_TEST(std::abs(kernel - expected) < tolerance::five_sigma(std::sqrt(.5 / 2048)));
    BOOST_TEST(std::abs(dot(row(table, 25), row(table, 25 + k)) / 2048 - kernel) <
               tolerance::inner_product<double>(d));
  }
}

BOOST_AUTO_TEST_CASE(biases_of_scores) {
  const EncodingPointer alibi = encoding_named("alibi", {.head = 2, .heads = 8});
  for (const std::int64_t t : {0, 3, 1000})
    for (const std::int64_t s : {0, 1, 999, 4000})
      BOOST_TEST(alibi->bias(t, s) == -.25 * static_cast<double>(std::abs(t - s)));
  BOOST_TEST(encodings()[7]->bias(0, 16) == -1);

  // A number for each bucket, drawn.
  const Stream biases = stream(5, "test", "encoding", 0, "biases");
  const EncodingPointer t5 = encoding_named("t5", {.biases = biases});
  std::vector<double> drawn(t5_buckets);
  fill_normal(biases, std::span<double>(drawn));
  for (const std::int64_t lag : {-200, -15, -3, 0, 1, 3, 12, 16, 91})
    for (const std::int64_t t : {200, 500}) BOOST_TEST(t5->bias(t, t + lag) == drawn[t5_bucket(lag)]);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(vectors_format)

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The same number with the same sign, or both NaN.
bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

/// Every number of a format, decoded from its bits by the reader of stored tables, which knows nothing of
/// rounding: each is its own nearest; halfway to the next lies the tie, which goes to the even bits, and a
/// hair beside the tie the nearer of the two.
template <class Decode>
void check_every_number(Format format, std::uint32_t sign, std::uint32_t infinite, const Decode& decode) {
  const auto rounded = [=](double x) { return round_to(format, x); };
  for (std::uint32_t bits = 0; bits <= infinite; ++bits)
    for (const std::uint32_t of_sign : {0u, sign}) {
      const double x = decode(bits | of_sign);
      BOOST_REQUIRE(same(rounded(x), x));
      if (bits == infinite) continue;
      // Where the next one would be if the format had no end.
      const double next =
          bits + 1 < infinite ? decode((bits + 1) | of_sign) : 2 * x - decode((bits - 1) | of_sign);
      const double tie = (x + next) / 2, above = bits + 1 < infinite ? next : std::copysign(infinity, x);
      BOOST_REQUIRE(same(rounded(tie), bits % 2 == 0 ? x : above));
      BOOST_REQUIRE(same(rounded(std::nextafter(tie, x)), x));
      BOOST_REQUIRE(same(rounded(std::nextafter(tie, next)), above));
    }
  for (std::uint32_t bits = infinite + 1; bits < sign; ++bits)
    BOOST_REQUIRE(std::isnan(rounded(decode(bits))));
}

}  // namespace

BOOST_AUTO_TEST_CASE(limits_of_a_format) {
  struct Limits {
    Format format;
    double largest, roundoff;
  };
  for (const Limits& of :
       {Limits{Format::bfloat16, 0x1.FEp127, 0x1p-8}, Limits{Format::float16, 65504, 0x1p-11},
        Limits{Format::tf32, 0x1.FFCp127, 0x1p-11}, Limits{Format::float32, 0x1.FFFFFEp127, 0x1p-24},
        Limits{Format::float64, 0x1.FFFFFFFFFFFFFp1023, 0x1p-53}}) {
    BOOST_TEST(largest_finite(of.format) == of.largest);
    BOOST_TEST(unit_roundoff(of.format) == of.roundoff);
    BOOST_TEST(round_to(of.format, infinity) == infinity);
    BOOST_TEST(std::isnan(round_to(of.format, std::nan(""))));
    BOOST_TEST((format_from(to_text(of.format)) == of.format));
  }
}

BOOST_AUTO_TEST_CASE(every_number_of_the_short_formats) {
  check_every_number(Format::float16, 0x8000, 0x7c00, [](std::uint32_t bits) {
    return double{from_binary16(static_cast<std::uint16_t>(bits))};
  });
  check_every_number(Format::bfloat16, 0x8000, 0x7f80, [](std::uint32_t bits) {
    return double{from_bfloat16(static_cast<std::uint16_t>(bits))};
  });
  // 19 bits: a sign, float32's eight for the exponent, float16's ten for the fraction.
  check_every_number(Format::tf32, 0x40000, 0x3fc00,
                     [](std::uint32_t bits) { return double{std::bit_cast<float>(bits << 13U)}; });
}

BOOST_AUTO_TEST_CASE(a_short_angle_loses_the_lag_where_positions_are_not_exact) {
  // 257 is 256 in bfloat16: two positions with one vector. And the kernel of lag 1 far out is noise.
  const std::vector<std::uint64_t> positions{256, 257, 1000, 1001, 2, 3};
  const Matrix<double> table =
      sinusoidal_in_format(positions, 64, usual_base, Format::float64, Format::bfloat16);
  for (std::size_t j = 0; j < 64; ++j) BOOST_TEST(table(0, j) == table(1, j));
  BOOST_TEST(std::abs(dot(row(table, 2), row(table, 3)) - dot(row(table, 4), row(table, 5))) > 1);

  // In float32 positions are exact, and the product's rounding alone keeps the bound.
  const std::vector<std::uint64_t> far{999'999, 1'000'000};
  const Matrix<double> exact = sinusoidal_in_format(far, 64, usual_base, Format::float64, Format::float64);
  const Matrix<double> rounded = sinusoidal_in_format(far, 64, usual_base, Format::float64, Format::float32);
  const double u = unit_roundoff(Format::float32);
  // The frequency's rounding shifts both alike: one lag's worth of it.
  const double frequency = theory::angle_rounding_bound(64, usual_base, u, 1, 0);
  BOOST_TEST(std::abs(dot(row(rounded, 0), row(rounded, 1)) - dot(row(exact, 0), row(exact, 1))) <
             theory::angle_rounding_bound(64, usual_base, u, 999'999, 1'000'000) + frequency);
  BOOST_TEST(std::abs(dot(row(rounded, 0), row(rounded, 1)) - dot(row(exact, 0), row(exact, 1))) > 1e-3);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(vectors_words)

namespace {

const Stream words_stream = stream(1, "tests", "words", 0, "draw");

}  // namespace

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

BOOST_AUTO_TEST_CASE(families_have_names) {
  for (const Family family : families) BOOST_TEST((family_from(to_text(family)) == family));
}

BOOST_AUTO_TEST_SUITE_END()
