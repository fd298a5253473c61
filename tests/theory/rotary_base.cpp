// Good rotary bases against plain sums over a grid of bases, and their closed form against them.

#include "perp/theory/rotary_base.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "perp/theory/distance.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
namespace tolerance = perp::tolerance;

namespace {

double plain_sum(std::size_t d, double base, std::size_t lag) {
  double sum = 0;
  for (std::size_t i = 0; i < d / 2; ++i)
    sum += std::cos(static_cast<double>(lag) *
                    std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(d)));
  return sum;
}

/// The first lag from 1 to L at which the sum lies below -allowed; 0: none.
std::size_t plain_first(std::size_t d, double base, std::size_t length, double allowed = 0) {
  for (std::size_t lag = 1; lag <= length; ++lag)
    if (plain_sum(d, base, lag) < -allowed) return lag;
  return 0;
}

bool holds(const std::vector<BaseRange>& ranges, double base) {
  return std::ranges::any_of(ranges, [=](const BaseRange& r) { return r.low <= base && base <= r.high; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(theory_rotary_base)

BOOST_AUTO_TEST_CASE(sieve_agrees_with_plain_sums) {
  const std::pair<std::size_t, std::size_t> places[] = {
      {2, 16}, {4, 16}, {8, 30}, {16, 40}, {30, 64}, {32, 100}, {64, 128}, {64, 200}, {100, 300}, {128, 256}};
  for (const auto& [d, length] : places)
    for (const double allowed : {0.0, 0.01}) {
      const double low = static_cast<double>(length) / 8, high = 400 * static_cast<double>(length);
      const std::vector<BaseRange> good = good_bases(d, length, {low, high}, allowed);
      std::size_t wrong = 0, asked = 0;
      for (double base = low * 1.0001; base < high; base *= 1.006, ++asked)
        wrong +=
            holds(good, base) == (plain_first(d, base, length, allowed * static_cast<double>(d) / 2) != 0);
      BOOST_TEST(asked > 1000U);
      BOOST_TEST(wrong == 0U, "d " << d << ", L " << length << ", tolerance " << allowed);
      // Where a stretch ends within the range, a step further a lag forbids it.
      for (const BaseRange& range : good) {
        BOOST_TEST(range.low < range.high);
        const double a = range.low * (1 - tolerance::base_end), b = range.high * (1 + tolerance::base_end);
        const double most = allowed * static_cast<double>(d) / 2;
        if (a > low) BOOST_TEST(plain_first(d, a, length, most) != 0U, "d " << d << ", L " << length);
        if (b < high) BOOST_TEST(plain_first(d, b, length, most) != 0U, "d " << d << ", L " << length);
      }
    }
}

BOOST_AUTO_TEST_CASE(known_bases_and_what_is_cut) {
  BaseSieve sieve(64, {64, 204800});
  for (std::size_t lag = 1; lag <= 512; ++lag) sieve.take_out(lag);
  const std::vector<BaseRange> left = sieve.left();  // by scans of others, to the digits that they printed
  BOOST_TEST(left.size() == 2U);
  BOOST_TEST((std::abs(left.front().low - 3439) < 0.5 && std::abs(left.front().high - 3451) < 0.5));
  BOOST_TEST((std::abs(left.back().low - 5398) < 0.5 && std::abs(left.back().high - 204800) < 1e-6));
  sieve.cut_below(3445);
  BOOST_TEST(
      (sieve.left().size() == 2 && std::abs(sieve.left().front().low / 3445 - 1) < tolerance::base_end));
  sieve.cut_below(4000);
  BOOST_TEST((sieve.left().size() == 1 && sieve.left().front().low > 5000));
  sieve.cut_below(1e6);
  BOOST_TEST(sieve.left().empty());
}

BOOST_AUTO_TEST_CASE(limits_of_the_closed_form) {
  BOOST_TEST(std::abs(cosine_integral(1000 / least_base_limit(1000))) < tolerance::base_end);
  BOOST_TEST(std::abs(least_base_published(4096) / 32230 - 1) < 1e-3);
  // So many pairs have no aliases up to L: what is left is Ci's first zero, within the steps of ln T and
  // what half a pair at the end makes.
  const BaseEstimate wide = base_estimate(1 << 17, 4096);
  BOOST_TEST(std::abs(wide.least / least_base_limit(4096) - 1) < tolerance::base_law_step);
  BOOST_TEST(wide.safe == wide.least);
  for (const std::size_t d : {64, 1024}) {
    const BaseEstimate law = base_estimate(d, 1024);
    BOOST_TEST((law.least < law.safe && base_estimate(d, 1024, 0.01).least < law.least));
  }
}

BOOST_AUTO_TEST_SUITE_END()
