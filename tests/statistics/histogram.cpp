#include "perp/statistics/histogram.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/statistics/support.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
namespace tt = boost::test_tools;
using Counts = std::vector<std::uint64_t>;

BOOST_AUTO_TEST_SUITE(histogram)

BOOST_AUTO_TEST_CASE(every_value_has_its_counter) {
  Histogram h(-1, 1, 4);
  const float infinity = std::numeric_limits<float>::infinity();
  const float above = std::nextafter(1.0F, 2.0F), below = std::nextafter(-1.0F, -2.0F);
  const std::vector<float> values{-1.0F, -0.75F,   -0.5F, -0.25F, 0.0F,      0.49F, 0.5F,      1.0F,
                                  above, infinity, below, -2.0F,  -infinity, NAN,   -0.0F,     0.999F,
                                  3e38F, -3e38F,   0.25F, -NAN,   1e-45F,    1.5F,  -1.000001F};
  h.add(values);
  BOOST_TEST(h.counts() == (Counts{2, 2, 5, 3}), tt::per_element());
  BOOST_TEST(h.underflow() == 5U);
  BOOST_TEST(h.overflow() == 4U);
  BOOST_TEST(h.nans() == 2U);
  BOOST_TEST(h.total() == values.size() - 2);
  Histogram one(-1, 1, 4);
  for (const float value : values) one.add(value);
  BOOST_TEST(one.counts() == h.counts(), tt::per_element());
  BOOST_TEST(one.underflow() == h.underflow());
  BOOST_TEST(one.overflow() == h.overflow());
  BOOST_TEST(one.nans() == h.nans());
}

BOOST_AUTO_TEST_CASE(edges_fall_in_their_own_bins) {
  const Histogram h(-1, 1, 4096);
  const std::vector<double> edges = h.edges();
  BOOST_TEST(edges.size() == 4097U);
  for (std::size_t bin = 0; bin < 4096; ++bin)
    BOOST_REQUIRE(h.rule().slot(static_cast<float>(edges[bin])) == bin + 1);
  BOOST_TEST(h.rule().slot(1.0F) == 4096U);
}

BOOST_AUTO_TEST_CASE(bounds_of_every_kind_hold_their_ends) {
  // The scale is rounded: the upper end must not fall out of the last bin for any number of bins.
  for (const auto& [low, high] :
       std::vector<std::pair<double, double>>{{-0.1, 0.7}, {0, 1e-30}, {1e6, 1e6 + 1}})
    for (std::size_t bins = 1; bins < 3000; bins += 7) {
      const Histogram h(low, high, bins);
      const float first = static_cast<float>(low), last = static_cast<float>(high);
      BOOST_REQUIRE(h.rule().slot(first) == 1U);
      BOOST_REQUIRE(h.rule().slot(last) == bins);
      BOOST_REQUIRE(h.rule().slot(std::nextafter(last, 2 * last)) == bins + 1);
      BOOST_REQUIRE(h.rule().slot(std::nextafter(first, -1.0F)) == 0U);
    }
}

BOOST_AUTO_TEST_CASE(spans_of_every_length_agree_with_a_plain_loop) {
  support::Generator generator(5);
  std::vector<float> values(5000);
  for (float& value : values) value = static_cast<float>(2.2 * generator.uniform() - 1.1);
  for (const std::size_t n : {0U, 1U, 3U, 4U, 5U, 1023U, 1024U, 1025U, 1027U, 5000U}) {
    Histogram h(-1, 1, 37);
    h.add(std::span<const float>(values).first(n));
    Counts plain(40);
    for (std::size_t i = 0; i < n; ++i) {
      const double place = std::floor((static_cast<double>(values[i]) + 1) / 2 * 37);
      ++plain[place < 0 ? 0 : place >= 37 ? 38 : static_cast<std::size_t>(place) + 1];
    }
    BOOST_TEST(h.counts() == Counts(plain.begin() + 1, plain.end() - 2), tt::per_element());
    BOOST_TEST(h.underflow() == plain[0]);
    BOOST_TEST(h.overflow() == plain[38]);
  }
}

BOOST_AUTO_TEST_CASE(counts_pass_32_bits) {
  Histogram h(0, 1, 2);
  const Counts slots{1, std::uint64_t{1} << 40, 7, 2, 5};
  h.add_slots(slots);
  h.merge(h);
  BOOST_TEST(h.counts() == (Counts{std::uint64_t{1} << 41, 14}), tt::per_element());
  BOOST_TEST(h.underflow() == 2U);
  BOOST_TEST(h.overflow() == 4U);
  BOOST_TEST(h.nans() == 10U);
}

BOOST_AUTO_TEST_CASE(parts_merged_are_the_whole) {
  std::vector<float> values(3001);
  support::Generator generator(9);
  for (float& value : values) value = static_cast<float>(generator.uniform() * 1.5);
  Histogram whole(0, 1, 100), a(0, 1, 100), b(0, 1, 100);
  whole.add(values);
  a.add(std::span<const float>(values).first(1234));
  b.add(std::span<const float>(values).subspan(1234));
  b.merge(a);
  BOOST_TEST(b.counts() == whole.counts(), tt::per_element());
  BOOST_TEST(b.overflow() == whole.overflow());
}

BOOST_AUTO_TEST_CASE(shares_are_of_all_but_nan) {
  Histogram h(0, 2, 4);
  h.add_slots(Counts{2, 3, 0, 4, 1, 6, 100});  // 16 values: 2 below, 8 inside, 6 above
  BOOST_TEST(h.total() == 16U);
  BOOST_TEST(h.width() == 0.5);
  BOOST_TEST(h.edges() == (std::vector<double>{0, 0.5, 1, 1.5, 2}), tt::per_element());
  BOOST_TEST(h.centres() == (std::vector<double>{0.25, 0.75, 1.25, 1.75}), tt::per_element());
  BOOST_TEST(h.density() == (std::vector<double>{0.375, 0, 0.5, 0.125}), tt::per_element());
  BOOST_TEST(h.cdf() == (std::vector<double>{0.125, 0.3125, 0.3125, 0.5625, 0.625}), tt::per_element());
  BOOST_TEST(h.quantile(0.125) == 0.0);
  BOOST_TEST(h.quantile(0.3125) == 0.5);
  BOOST_TEST(h.quantile(0.4375) == 1.25);
  BOOST_TEST(h.quantile(0.625) == 2.0);
  Histogram late(0, 2, 4);
  late.add_slots(Counts{0, 0, 4, 0, 4, 0, 0});
  BOOST_TEST(late.quantile(0) == 0.5);  // where the values begin
  BOOST_TEST(late.quantile(0.5) == 1.0);
  BOOST_TEST(late.quantile(1) == 2.0);
  BOOST_CHECK_EXCEPTION(h.quantile(0.1), Error,
                        support::says("histogram: the 0.1-quantile lies below 0, with 2 of 16 values"));
  BOOST_CHECK_EXCEPTION(h.quantile(0.75), Error,
                        support::says("histogram: the 0.75-quantile lies above 2, with 6 of 16 values"));
  BOOST_CHECK_EXCEPTION(h.quantile(NAN), Error,
                        support::says("histogram: quantile of probability nan, expected 0 … 1"));
}

BOOST_AUTO_TEST_CASE(refusals) {
  using support::says;
  BOOST_CHECK_EXCEPTION(Histogram(0, 1, 0), Error, says("histogram: 0 bins, expected 1 … 1048576"));
  BOOST_CHECK_EXCEPTION(Histogram(0, 1, 1048577), Error,
                        says("histogram: 1048577 bins, expected 1 … 1048576"));
  const std::string expected = ", expected finite, ascending and distinct as floats";
  BOOST_CHECK_EXCEPTION(Histogram(1, 1, 4), Error, says("histogram: bounds 1 … 1" + expected));
  BOOST_CHECK_EXCEPTION(Histogram(1, -1, 4), Error, says("histogram: bounds 1 … -1" + expected));
  BOOST_CHECK_EXCEPTION(Histogram(1, 1 + 1e-9, 4), Error,
                        says("histogram: bounds 1 … 1.000000001" + expected));
  BOOST_CHECK_EXCEPTION(Histogram(0, INFINITY, 4), Error, says("histogram: bounds 0 … inf" + expected));
  BOOST_CHECK_EXCEPTION(Histogram(NAN, 1, 4), Error, says("histogram: bounds nan … 1" + expected));
  BOOST_CHECK_EXCEPTION(Histogram(-3e38, 3e38, 4), Error,
                        says("histogram: bounds -3e+38 … 3e+38" + expected));

  Histogram h(0, 1, 4);
  BOOST_CHECK_EXCEPTION(h.add_slots(Counts(6)), Error, says("histogram: 6 slots, expected 7 for 4 bins"));
  BOOST_CHECK_EXCEPTION(h.merge(Histogram(0, 2, 4)), Error,
                        says("histogram: cannot merge 4 bins over 0 … 2 into 4 bins over 0 … 1"));
  BOOST_CHECK_THROW(h.merge(Histogram(0, 1, 5)), Error);
  BOOST_CHECK_THROW(h.merge(Histogram(-1, 1, 4)), Error);
  h.add(NAN);
  BOOST_CHECK_EXCEPTION(h.density(), Error, says("histogram: the density of no values"));
  BOOST_CHECK_EXCEPTION(h.cdf(), Error, says("histogram: the distribution function of no values"));
  BOOST_CHECK_EXCEPTION(h.quantile(0.5), Error, says("histogram: a quantile of no values"));
}

BOOST_AUTO_TEST_SUITE_END()
