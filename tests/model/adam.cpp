// Adam: its first step and the learning rate. Two hundred steps: reference.cpp.

#include "perp/model/adam.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::model;

BOOST_AUTO_TEST_SUITE(model_adam)

BOOST_AUTO_TEST_CASE(first_step_is_the_rate_towards_less) {
  // m̂ = g and v̂ = g²: a step of rate · g/(|g| + epsilon), whatever the size of g; none where g is 0.
  std::vector<double> values(4, 1), gradients{3e-4, -500, 0, 1e-9};
  const std::vector<std::span<double>> parts{values}, derivatives{gradients};
  Adam<double>().step(parts, derivatives, 0.25);
  const std::vector<double> expected{0.75, 1.25, 1, 1 - 0.25 / 2};
  for (std::size_t i = 0; i < 4; ++i)
    BOOST_TEST(std::abs(values[i] - expected[i]) <= tolerance::adam_first_step * 0.25, values[i]);
}

BOOST_AUTO_TEST_CASE(rate_rises_then_stays) {
  BOOST_TEST(warmed_up_rate(0, 10, 0.5) == 0.05);
  BOOST_TEST(std::abs(warmed_up_rate(5, 10, 0.5) - 0.3) < 1e-15);
  for (const std::size_t step : {9U, 10U, 1000U}) BOOST_TEST(warmed_up_rate(step, 10, 0.5) == 0.5);
  BOOST_TEST(warmed_up_rate(0, 1, 0.5) == 0.5);
}

BOOST_AUTO_TEST_SUITE_END()
