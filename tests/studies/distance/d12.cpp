// D12: RoPE's scalings against numbers that were computed apart. Of files: cli/cases.py.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "studies/distance/rope.hpp"
#include "tests/studies/distance/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using namespace perp::distance;

namespace {

std::size_t good(const RopeSettings& settings) { return good_to(inverse_frequencies(settings, 0)).strictly; }

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d12)

BOOST_AUTO_TEST_CASE(contexts_that_were_computed_apart) {
  RopeSettings s{.scaling = RopeScaling::ntk, .factor = 1};
  for (const auto& [alpha, context] :
       {std::pair{1, 1706}, {2, 2571}, {4, 4066}, {8, 5731}, {16, 7919}, {32, 10628}}) {
    s.factor = alpha;
    BOOST_TEST(good(s) == std::size_t(context), "α = " << alpha);
  }
  s = {.scaling = RopeScaling::yarn, .factor = 8, .trained = 4096};
  BOOST_TEST(good(s) == 8885U);
  s.ramp = Ramp::unrounded;
  BOOST_TEST(good(s) == 7322U);
  s = {.scaling = RopeScaling::llama3, .base = 5e5, .factor = 8, .trained = 8192, .fast = 4};
  BOOST_TEST(good(s) == 85132U);
  BOOST_TEST(good(unscaled(s)) == 18437U);
}

BOOST_AUTO_TEST_CASE(a_linear_division_keeps_its_factor) {
  for (const char* model : {"vicuna_13b_16k", "gemma_3_4b"})
    BOOST_TEST(std::abs(value(std::string("D12.kept_factor.") + model) - 1) < tolerance::whole_lag);
  BOOST_TEST(value("D12.kept_factor.deepseek_v3") < 0.2);
}

BOOST_AUTO_TEST_CASE(amplitudes_and_slopes) {
  RopeSettings s{.scaling = RopeScaling::yarn, .factor = 8, .trained = 8192};
  BOOST_TEST(rope_amplitude(s, 8192) == 1.2079441541679836);  // Olmo 3's file has it
  s.log_slope = s.log_slope_all = 1;
  BOOST_TEST(rope_amplitude(s, 8192) == 1);
  s = {.scaling = RopeScaling::longrope,
       .factor = 32,
       .trained = 4096,
       .near = std::vector<double>(64, 1.0),
       .far = std::vector<double>(64, 2.0)};
  BOOST_TEST(rope_amplitude(s, 8192) == 1.1902380714238083);
  BOOST_TEST(inverse_frequencies(s, 4096)[0] == 1);
  BOOST_TEST(inverse_frequencies(s, 4097)[0] == 0.5);
  const std::vector<double> six = alibi_slopes(6), want{0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125};
  BOOST_TEST(six == want, boost::test_tools::per_element());
  BOOST_TEST(alibi_slopes(4, 16).front() == 0.0625);  // 2^(-16/4)
  const std::vector<double> sections{2, 1, 1};
  BOOST_TEST(rope_axes(sections, false, 4) == "TTHW");
  BOOST_TEST(rope_axes(sections, true, 4) == "THWT");
  check_refusal([&] { rope_axes(sections, true, 5); },
                "sections of 2, 1, 1 pairs; expected three that add up to 5");
}

BOOST_AUTO_TEST_SUITE_END()
