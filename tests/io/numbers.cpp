#include "perp/io/numbers.hpp"

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(io_numbers)

BOOST_AUTO_TEST_CASE(as_few_digits_as_it_takes) {
  for (const auto& [number, text] :
       std::vector<std::pair<double, const char*>>{{0.1, "0.1"},
                                                   {1, "1"},
                                                   {-0.0, "-0"},
                                                   {1e22, "1e+22"},
                                                   {5e-324, "5e-324"},
                                                   {1.0 / 3, "0.3333333333333333"},
                                                   {-NAN, "nan"},
                                                   {-INFINITY, "-inf"}})
    BOOST_TEST(shortest(number) == text);
  BOOST_TEST(shortest(std::uint64_t{18446744073709551615U}) == "18446744073709551615");
  BOOST_TEST(shortest(-7) == "-7");
  BOOST_TEST(shortest(std::uint8_t{65}) == "65");
}

BOOST_AUTO_TEST_CASE(every_number_comes_back_bit_for_bit) {
  Picks picks(4);
  for (int i = 0; i < 200'000; ++i) {
    const auto bits = picks.below(std::numeric_limits<std::uint64_t>::max());
    const auto wide = std::bit_cast<double>(bits);
    const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (!std::isnan(wide))
      BOOST_TEST_REQUIRE((std::bit_cast<std::uint64_t>(parse_double(shortest(wide)).value()) == bits));
    if (!std::isnan(narrow))
      BOOST_TEST_REQUIRE((std::bit_cast<std::uint32_t>(parse_float(fmt::format("{}", narrow)).value()) ==
                          static_cast<std::uint32_t>(bits)));
  }
}

BOOST_AUTO_TEST_CASE(only_numbers_parse) {
  for (const char* text :
       {"", " 1", "1 ", "+1", "1,5", "0x10", "1e", "abc", "1.2.3", "--1", "1e400", "-1e400", "1_0"})
    BOOST_TEST(!parse_double(text).has_value(), text);
  BOOST_TEST(!parse_float("1e39").has_value());
  // What an exponent's sign says is not the number's size.
  const std::string nines(400, '9'), zeros(400, '0');
  for (const std::string& text : {nines, "1" + zeros + "e-10", std::string("1e99999999999999999999")})
    BOOST_TEST(!parse_double(text).has_value(), text);
  BOOST_TEST(!parse_float(fmt::format("1{:045}.5E-1", 0)).has_value());
  for (const auto& [text, number] :
       std::vector<std::pair<std::string, double>>{{"-1e-99999999999999999999", -0.0},
                                                   {"-1e-400", -0.0},
                                                   {"0." + zeros + "1e+10", 0},
                                                   {"0." + zeros + "1e+401", 1},
                                                   {"-1.5E2", -150},
                                                   {".5", 0.5},
                                                   {"-inf", -INFINITY},
                                                   {"1e-320", 1e-320}})
    BOOST_TEST(parse_double(text).value() == number, text);
  BOOST_TEST(std::isnan(parse_double("nan").value()));
  for (const std::string& text : {std::string("1e-400"), "0." + zeros + "1", std::string("1e-60")}) {
    BOOST_TEST(parse_float(text).value() == 0.0F);
    BOOST_TEST(std::signbit(parse_float("-" + text).value()));
  }
}

BOOST_AUTO_TEST_SUITE_END()
