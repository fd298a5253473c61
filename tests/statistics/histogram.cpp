#include "perp/statistics/histogram.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/statistics/support.hpp"

using namespace perp;
namespace tt = boost::test_tools;
using Counts = std::vector<std::uint64_t>;
using Numbers = std::vector<double>;

namespace {

void check_counts(const Histogram& h, const Counts& bins, std::uint64_t under, std::uint64_t over,
                  std::uint64_t nans) {
  BOOST_TEST(h.counts() == bins, tt::per_element());
  BOOST_TEST((h.underflow() == under && h.overflow() == over && h.nans() == nans));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(histogram)

BOOST_AUTO_TEST_CASE(every_value_has_its_counter) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float above = std::nextafter(1.0F, 2.0F), below = std::nextafter(-1.0F, -2.0F);
  const std::vector<float> values{-1.0F, -0.75F,   -0.5F, -0.25F, 0.0F,      0.49F, 0.5F,      1.0F,
                                  above, infinity, below, -2.0F,  -infinity, NAN,   -0.0F,     0.999F,
                                  3e38F, -3e38F,   0.25F, -NAN,   1e-45F,    1.5F,  -1.000001F};
  Histogram h(-1, 1, 4), one(-1, 1, 4);
  h.add(values);
  for (const float value : values) one.add(value);
  check_counts(h, {2, 2, 5, 3}, 5, 4, 2);
  check_counts(one, {2, 2, 5, 3}, 5, 4, 2);
  BOOST_TEST(h.total() == values.size() - 2);
}

BOOST_AUTO_TEST_CASE(bounds_of_every_kind_hold_their_ends) {
  const Histogram powers(-1, 1, 4096);  // edges fall in their own bins
  const Numbers edges = powers.edges();
  BOOST_TEST(edges.size() == 4097U);
  for (std::size_t bin = 0; bin < 4096; ++bin)
    BOOST_REQUIRE(powers.rule().slot(static_cast<float>(edges[bin])) == bin + 1);
  // The scale is rounded: the upper end must not fall out of the last bin for any number of bins.
  for (const auto& [low, high] :
       std::vector<std::pair<double, double>>{{-0.1, 0.7}, {0, 1e-30}, {1e6, 1e6 + 1}, {-1, 1}})
    for (std::size_t bins = 1; bins < 3000; bins += 7) {
      const Histogram h(low, high, bins);
      const float first = static_cast<float>(low), last = static_cast<float>(high);
      BOOST_REQUIRE((h.rule().slot(first) == 1 && h.rule().slot(last) == bins));
      BOOST_REQUIRE(h.rule().slot(std::nextafter(last, 2 * last)) == bins + 1);
      BOOST_REQUIRE(h.rule().slot(std::nextafter(first, -2.0F)) == 0U);
    }
}

BOOST_AUTO_TEST_CASE(spans_of_every_length_and_their_parts_agree_with_a_plain_loop) {
  support::Generator generator(5);
  std::vector<float> values(5000);
  for (float& value : values) value = static_cast<float>(2.2 * generator.uniform() - 1.1);
  for (const std::size_t n : {0U, 1U, 3U, 4U, 5U, 1023U, 1024U, 1025U, 1027U, 5000U}) {
    Counts plain(40);
    for (std::size_t i = 0; i < n; ++i) {
      const double place = std::floor((static_cast<double>(values[i]) + 1) / 2 * 37);
      ++plain[place < 0 ? 0 : place >= 37 ? 38 : static_cast<std::size_t>(place) + 1];
    }
    const Counts bins(plain.begin() + 1, plain.end() - 2);
    const std::span<const float> whole = std::span<const float>(values).first(n);
    Histogram h(-1, 1, 37), part(-1, 1, 37), rest(-1, 1, 37);
    h.add(whole);
    part.add(whole.first(n / 3));
    rest.add(whole.subspan(n / 3));
    rest.merge(part);
    check_counts(h, bins, plain[0], plain[38], 0);
    check_counts(rest, bins, plain[0], plain[38], 0);
  }
}

BOOST_AUTO_TEST_CASE(shares_are_of_all_but_nan) {
  Histogram h(0, 2, 4);  // 16 values: 2 below, 8 inside, 6 above
  h.add(std::vector<float>{-1, -1, 0, 0, 0, 1, 1, 1, 1, 2, 3, 3, 3, 3, 3, 3, NAN});
  BOOST_TEST((h.total() == 16 && h.width() == 0.5));
  BOOST_TEST(h.edges() == (Numbers{0, 0.5, 1, 1.5, 2}), tt::per_element());
  BOOST_TEST(h.centres() == (Numbers{0.25, 0.75, 1.25, 1.75}), tt::per_element());
  BOOST_TEST(h.density() == (Numbers{0.375, 0, 0.5, 0.125}), tt::per_element());
  BOOST_TEST(h.cdf() == (Numbers{0.125, 0.3125, 0.3125, 0.5625, 0.625}), tt::per_element());
  BOOST_TEST((h.quantile(0.125) == 0 && h.quantile(0.3125) == 0.5));
  BOOST_TEST((h.quantile(0.4375) == 1.25 && h.quantile(0.625) == 2));
  Histogram late(0, 2, 4);
  late.add(std::vector<float>{.5F, .5F, .5F, .5F, 1.5F, 1.5F, 1.5F, 1.5F});
  BOOST_TEST(
      (late.quantile(0) == 0.5 && late.quantile(0.5) == 1 && late.quantile(1) == 2));  // from the first value
}

BOOST_AUTO_TEST_SUITE_END()
