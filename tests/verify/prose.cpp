// Words are equal, printed numbers agree in what they promise.

#include <boost/test/unit_test.hpp>

#include "reports/verify_prose.hpp"

namespace perp::report {
namespace {

bool same(const char* a, const char* b) { return !parting(a, b) && !parting(b, a); }

BOOST_AUTO_TEST_SUITE(verify_prose)

BOOST_AUTO_TEST_CASE(words_are_equal) {
  BOOST_TEST(same("", ""));
  BOOST_TEST(same("nearly all of them\n", "nearly all of them\n"));
  BOOST_TEST(!same("nearly all of them", "nearly half of them"));
  BOOST_TEST(!same("nearly all of them", "nearly all"));
  BOOST_TEST(!same("", "word"));
}

BOOST_AUTO_TEST_CASE(numbers_differ_by_a_unit_of_the_last_digit_printed) {
  BOOST_TEST(same("R² = 0.52,", "R² = 0.53,"));
  BOOST_TEST(!same("R² = 0.52,", "R² = 0.54,"));
  BOOST_TEST(same("99.5 %", "99.6 %"));
  BOOST_TEST(!same("99.5 %", "99.8 %"));
  BOOST_TEST(same("71 and 74 %", "72 and 73 %"));
  BOOST_TEST(!same("71 and 74 %", "73 and 74 %"));
  BOOST_TEST(same(".97", ".96"));
  BOOST_TEST(!same(".97", ".95"));
}

BOOST_AUTO_TEST_CASE(or_by_what_the_same_draws_move) {
  BOOST_TEST(same("1.2345", "1.2368"));
  BOOST_TEST(!same("1.2345", "1.2372"));
  BOOST_TEST(same("20,000 pairs", "19,981 pairs"));
  BOOST_TEST(!same("20,000 pairs", "19,979 pairs"));
}

BOOST_AUTO_TEST_CASE(rounding_bounds_are_rounding) {
  BOOST_TEST(same("(defect at most 0 rounding bounds), and", "(defect at most 0.04 rounding bounds), and"));
  BOOST_TEST(!same("(defect at most 0 rounding bounds), and", "(defect at most 3 rounding bounds), and"));
  BOOST_TEST(!same("(defect at most 0 rounding), and", "(defect at most 0.04 rounding), and"));
}

BOOST_AUTO_TEST_CASE(signs_and_exponents_belong_to_the_number) {
  BOOST_TEST(same("(−0.00)", "(0.00)"));
  BOOST_TEST(!same("(−0.30)", "(0.30)"));
  BOOST_TEST(!same("(-0.30)", "(0.30)"));
  BOOST_TEST(same("defect 3.1·10⁻¹⁴ at", "defect 8.2·10⁻¹⁶ at"));  // both are noise
  BOOST_TEST(same("defect 10⁻¹⁴ at", "defect 2·10⁻¹⁵ at"));
  BOOST_TEST(!same("defect 3.1·10⁻⁴ at", "defect 3.3·10⁻⁴ at"));
  BOOST_TEST(same("error 3.1e-04 at", "error 3.2e-04 at"));
  BOOST_TEST(!same("error 3.1e-04 at", "error 3.1e-05 at"));
  BOOST_TEST(!same("10⁴ words", "10⁵ words"));
  BOOST_TEST(!same("5·10⁴ words", "7·10⁴ words"));
}

BOOST_AUTO_TEST_CASE(digits_behind_a_letter_are_a_word) {
  BOOST_TEST(!same("d512", "d513"));
  BOOST_TEST(!same("see O3", "see O4"));
  BOOST_TEST(!same("](#q2)", "](#q3)"));
  BOOST_TEST(!same("a3_load.csv", "a4_load.csv"));
  BOOST_TEST(!same("10 words", "x10 words"));
}

BOOST_AUTO_TEST_CASE(it_says_where) {
  const auto part = parting("one\ntwo 2.0 three\nfour five", "one\ntwo 2.0 three\nfour six");
  BOOST_REQUIRE(part.has_value());
  BOOST_TEST(part->line == 3U);
  BOOST_TEST(part->published.find("four five") != std::string::npos);
  BOOST_TEST(part->fresh.find("four six") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
