#include "perp/random/uniform.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "perp/base/error.hpp"
#include "tests/tolerance.hpp"

namespace {

namespace tolerance = perp::tolerance;

perp::Stream named(const char* purpose, std::uint64_t replicate = 0) {
  return perp::stream(1, "random", "uniform", replicate, purpose);
}

/// Chance of a chi-square statistic as large as that of `counts` against equal chances.
template <class Counts>
double evenness(const Counts& counts, double total) {
  const double expected = total / static_cast<double>(counts.size());
  double statistic = 0;
  for (const double count : counts) statistic += (count - expected) * (count - expected) / expected;
  const boost::math::chi_squared_distribution<double> law(static_cast<double>(counts.size() - 1));
  return cdf(complement(law, statistic));
}

template <class T>
void check_uniform(double low, double high) {
  std::vector<T> x(2000000);
  fill_uniform(named("range"), x, static_cast<T>(low), static_cast<T>(high));
  std::vector<double> counts(1000);
  for (const T value : x) {
    const double unit = (double{value} - low) / (high - low);
    counts[std::min<std::size_t>(static_cast<std::size_t>(unit * 1000), 999)] += 1;
  }
  const auto [least, most] = std::minmax_element(x.begin(), x.end());
  BOOST_TEST(*least >= static_cast<T>(low));
  BOOST_TEST(*most < static_cast<T>(high));
  BOOST_TEST((*least - low) / (high - low) < tolerance::extreme_uniform(x.size()));
  BOOST_TEST((high - *most) / (high - low) < tolerance::extreme_uniform(x.size()));
  BOOST_TEST(evenness(counts, static_cast<double>(x.size())) > tolerance::false_alarm);
}

BOOST_AUTO_TEST_SUITE(uniform)

BOOST_AUTO_TEST_CASE(floats_and_doubles_cover_their_interval) {
  check_uniform<float>(0, 1);
  check_uniform<double>(0, 1);
  check_uniform<float>(-3.5, 12.25);
  check_uniform<double>(-3.5, 12.25);
}

BOOST_AUTO_TEST_CASE(they_use_all_the_bits_they_promise) {
  std::vector<float> x(100000);
  std::vector<double> y(100000);
  std::vector<std::uint32_t> words(200000);
  fill_uniform(named("bits"), x, 0.0f, 1.0f);
  fill_uniform(named("bits"), y, 0.0, 1.0);
  fill_bits(named("bits"), words);
  for (std::size_t i = 0; i < x.size(); ++i) {
    BOOST_REQUIRE_EQUAL(x[i], std::ldexp(static_cast<float>(words[i] >> 8), -24));
    const std::uint64_t joined = std::uint64_t{words[2 * i + 1]} << 32 | words[2 * i];
    BOOST_REQUIRE_EQUAL(y[i], std::ldexp(static_cast<double>(joined >> 11), -53));
  }
}

// Seven floats from 1 to 1 + 7 eps: rounding to nearest would reach the open end once in fourteen draws.
BOOST_AUTO_TEST_CASE(the_upper_end_stays_open) {
  const float high = 1 + 7 * std::numeric_limits<float>::epsilon();
  std::vector<float> x(10000);
  fill_uniform(named("open"), x, 1.0f, high);
  BOOST_TEST(*std::max_element(x.begin(), x.end()) == std::nextafter(high, 0.0f));
  BOOST_TEST(*std::min_element(x.begin(), x.end()) == 1.0f);
}

BOOST_AUTO_TEST_CASE(an_interval_must_be_one) {
  std::vector<float> x(1);
  const auto message = [](const char* part) {
    return [part](const perp::Error& e) {
      return std::string(e.what()).find(part) != std::string::npos && e.exit() == perp::Exit::unusable;
    };
  };
  BOOST_CHECK_EXCEPTION(fill_uniform(named("bad"), x, 2.0f, 2.0f), perp::Error, message("[2, 2)"));
  BOOST_CHECK_EXCEPTION(fill_uniform(named("bad"), x, 3.0f, -1.0f), perp::Error, message("[3, -1)"));
  BOOST_CHECK_EXCEPTION(fill_uniform(named("bad"), x, -3e38f, 3e38f), perp::Error, message("not finite"));
  BOOST_CHECK_EXCEPTION(fill_uniform(named("bad"), x, std::nanf(""), 1.0f), perp::Error, message("[nan, 1)"));
  BOOST_CHECK_EXCEPTION(perp::below(named("bad"), 5, 0), perp::Error, message("5 integers below 0"));
}

BOOST_AUTO_TEST_CASE(every_bit_is_balanced) {
  std::vector<std::uint32_t> words(1 << 20);
  fill_bits(named("balance"), words);
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    double ones = 0;
    for (const std::uint32_t word : words) ones += word >> bit & 1u;
    const double n = static_cast<double>(words.size());
    BOOST_TEST(std::abs(ones - n / 2) < tolerance::standard_errors * std::sqrt(n) / 2, "bit " << bit);
  }
}

BOOST_AUTO_TEST_CASE(integers_below_are_even) {
  for (const std::uint32_t bound : {1u, 2u, 3u, 7u, 10u, 1000u, 65536u}) {
    const std::size_t count = 1000000;
    std::vector<double> counts(bound);
    for (const std::uint32_t value : perp::below(named("below", bound), count, bound)) {
      BOOST_REQUIRE_LT(value, bound);
      counts[value] += 1;
    }
    if (bound > 1) BOOST_TEST(evenness(counts, double(count)) > tolerance::false_alarm, "bound " << bound);
  }
}

// Where the bound is 3 2^30 a quarter of the draws is rejected, and without rejection every third value would
// come twice as often as its neighbours.
BOOST_AUTO_TEST_CASE(rejection_removes_the_bias_of_large_bounds) {
  const std::size_t count = 1000000;
  std::vector<double> residues(3);
  for (const std::uint32_t value : perp::below(named("large"), count, 3u << 30)) {
    BOOST_REQUIRE_LT(value, 3u << 30);
    residues[value % 3] += 1;
  }
  BOOST_TEST(evenness(residues, double(count)) > tolerance::false_alarm);
}

BOOST_AUTO_TEST_CASE(integers_below_depend_on_their_index_alone) {
  const std::vector<std::uint32_t> whole = perp::below(named("index"), 10000, 3u << 30);
  const std::vector<std::uint32_t> part = perp::below(named("index"), 777, 3u << 30);
  BOOST_TEST(std::equal(part.begin(), part.end(), whole.begin()));
}

BOOST_AUTO_TEST_CASE(a_permutation_holds_every_number_once) {
  for (const std::uint32_t n : {0u, 1u, 2u, 100u, 65537u}) {
    std::vector<std::uint32_t> order = perp::permutation(named("once"), n), sorted(n);
    std::iota(sorted.begin(), sorted.end(), 0u);
    if (n >= 100) BOOST_TEST(order != sorted);
    std::sort(order.begin(), order.end());
    BOOST_TEST((order == sorted), n);
  }
}

BOOST_AUTO_TEST_CASE(all_permutations_of_four_are_equally_likely) {
  std::map<std::vector<std::uint32_t>, double> seen;
  const std::uint64_t count = 48000;
  for (std::uint64_t i = 0; i < count; ++i) seen[perp::permutation(named("four", i), 4)] += 1;
  std::vector<double> counts;
  for (const auto& entry : seen) counts.push_back(entry.second);
  BOOST_TEST(counts.size() == 24u);
  BOOST_TEST(evenness(counts, double(count)) > tolerance::false_alarm);
}

BOOST_AUTO_TEST_CASE(signs_are_the_streams_bits) {
  std::vector<float> signs(1 << 20);
  std::vector<std::uint32_t> words(signs.size() / 32);
  fill_signs(named("signs"), signs);
  fill_bits(named("signs"), words);
  double sum = 0, neighbours = 0;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    BOOST_REQUIRE_EQUAL(signs[i], (words[i / 32] >> i % 32 & 1u) != 0 ? -1.0f : 1.0f);
    sum += signs[i];
    if (i > 0) neighbours += signs[i] * signs[i - 1];
  }
  const double bound = tolerance::standard_errors * std::sqrt(static_cast<double>(signs.size()));
  BOOST_TEST(std::abs(sum) < bound);
  BOOST_TEST(std::abs(neighbours) < bound);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
