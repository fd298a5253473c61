// Short formats against their definition, and the sinusoid made in them against its rounding bounds.

#include "perp/vectors/format.hpp"

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "perp/base/matrix_algebra.hpp"
#include "perp/io/stored_table.hpp"
#include "perp/random/normal.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using perp::test::check_refusal;

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

BOOST_AUTO_TEST_SUITE(vectors_format)

BOOST_AUTO_TEST_CASE(limits_of_a_format) {
  struct Limits {
    Format format;
    double exact_integer, largest, roundoff;
  };
  for (const Limits& of :
       {Limits{Format::bfloat16, 256, 0x1.FEp127, 0x1p-8}, Limits{Format::float16, 2048, 65504, 0x1p-11},
        Limits{Format::tf32, 2048, 0x1.FFCp127, 0x1p-11},
        Limits{Format::float32, 0x1p24, 0x1.FFFFFEp127, 0x1p-24},
        Limits{Format::float64, 0x1p53, 0x1.FFFFFFFFFFFFFp1023, 0x1p-53}}) {
    BOOST_TEST(largest_exact_integer(of.format) == of.exact_integer);
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

BOOST_AUTO_TEST_CASE(what_cannot_be_made) {
  check_refusal([] { format_from("float8"); },
                "'float8' is none of float64, float32, bfloat16, float16, tf32");
  const auto make = [](std::uint64_t t, std::size_t d, double base) {
    const std::vector<std::uint64_t> positions{t};
    sinusoidal_in_format(positions, d, base, Format::float32, Format::float16);
  };
  make(65519, 8, 100);
  check_refusal([&] { make(65520, 8, 100); }, "position 65520 as float16: the largest number there is 65504");
  check_refusal([&] { make(1, 7, 100); }, "dimension 7");
  check_refusal([&] { make(1, 8, 1); }, "base 1; expected a number above 1");
  check_refusal([] { sinusoidal_in_format(0, 8, 100, Format::bfloat16, Format::float32); },
                "positions in bfloat16: none given");
}

BOOST_AUTO_TEST_SUITE_END()
