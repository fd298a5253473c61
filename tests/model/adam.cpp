// Adam: its first step, the algorithm written out plainly beside it, a quadratic, refusals, the learning
// rate.

#include "perp/model/adam.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/random/normal.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using namespace perp::model;

namespace {

using Part = std::vector<double>;

/// Kingma & Ba 2015, algorithm 1, line by line.
struct PlainAdam {
  double beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;
  Part m = {}, v = {};
  double t = 0;
  void step(Part& theta, const Part& g, double alpha) {
    m.resize(theta.size());
    v.resize(theta.size());
    t += 1;
    for (std::size_t i = 0; i < theta.size(); ++i) {
      m[i] = beta1 * m[i] + (1 - beta1) * g[i];
      v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
      const double m_hat = m[i] / (1 - std::pow(beta1, t)), v_hat = v[i] / (1 - std::pow(beta2, t));
      theta[i] -= alpha * m_hat / (std::sqrt(v_hat) + epsilon);
    }
  }
};

template <class T>
std::vector<std::span<T>> spans(std::vector<std::vector<T>>& parts) {
  std::vector<std::span<T>> all;
  for (std::vector<T>& part : parts) all.emplace_back(part);
  return all;
}

Part normals(std::size_t n, std::uint64_t replicate) {
  Part values(n);
  fill_normal(stream(1, "tests", "adam", replicate, "values"), std::span<double>(values));
  return values;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model_adam)

BOOST_AUTO_TEST_CASE(first_step_is_the_rate_towards_less) {
  // m̂ = g and v̂ = g²: a step of rate · g/(|g| + epsilon), whatever the size of g; none where g is 0.
  std::vector<Part> values{{1, 1, 1, 1}, {2}}, gradients{{3e-4, -500, 0, 1e-9}, {-0.1}};
  Adam<double> adam;
  adam.step(spans(values), spans(gradients), 0.25);
  const std::vector<Part> expected{{0.75, 1.25, 1, 1 - 0.25 / 2}, {2.25}};
  for (std::size_t part = 0; part < 2; ++part)
    for (std::size_t i = 0; i < values[part].size(); ++i)
      BOOST_TEST(std::abs(values[part][i] - expected[part][i]) <= tolerance::adam_first_step * 0.25,
                 part << "," << i << ": " << values[part][i]);
}

BOOST_AUTO_TEST_CASE(two_hundred_steps_of_algorithm_1) {
  std::vector<Part> values{normals(7, 0), normals(3, 1)};
  std::vector<Part> plain = values;
  std::vector<PlainAdam> beside(2);
  Adam<double> adam;
  double worst = 0;
  for (std::size_t step = 0; step < 200; ++step) {
    std::vector<Part> gradients{normals(7, 2 + 2 * step), normals(3, 3 + 2 * step)};
    const double rate = 0.01 * static_cast<double>(1 + step % 5);
    adam.step(spans(values), spans(gradients), rate);
    for (std::size_t part = 0; part < 2; ++part) {
      beside[part].step(plain[part], gradients[part], rate);
      for (std::size_t i = 0; i < plain[part].size(); ++i)
        worst = std::max(worst, std::abs(plain[part][i] - values[part][i]));
    }
  }
  BOOST_TEST(worst <= tolerance::adam_steps);
}

BOOST_AUTO_TEST_CASE(other_settings_are_used) {
  std::vector<Part> values{{1.0}}, plain{{1.0}};
  PlainAdam beside{.beta1 = 0.5, .beta2 = 0.75, .epsilon = 0.125};
  Adam<double> adam({.beta1 = 0.5, .beta2 = 0.75, .epsilon = 0.125});
  for (const double g : {1.0, -2.0, 0.5}) {
    std::vector<Part> gradients{{g}};
    adam.step(spans(values), spans(gradients), 0.1);
    beside.step(plain[0], gradients[0], 0.1);
    BOOST_TEST(std::abs(values[0][0] - plain[0][0]) <= tolerance::adam_steps);
  }
}

BOOST_AUTO_TEST_CASE(a_quadratic_is_minimised) {
  // f = Σ c_i (x_i - t_i)²/2 with c from 0.01 to 100, in float: Adam hardly sees the scale of a coordinate.
  const std::vector<float> curvature{0.01F, 1, 100}, target{-3, 0.5F, 2};
  std::vector<std::vector<float>> values{{0, 0, 0}}, gradients{{0, 0, 0}};
  Adam<float> adam;
  constexpr std::size_t steps = 2000;
  for (std::size_t step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < 3; ++i) gradients[0][i] = curvature[i] * (values[0][i] - target[i]);
    adam.step(spans(values), spans(gradients), 0.05 * (1 - static_cast<double>(step) / steps));
  }
  for (std::size_t i = 0; i < 3; ++i)
    BOOST_TEST(std::abs(values[0][i] - target[i]) < 1e-3, i << ": " << values[0][i]);
}

BOOST_AUTO_TEST_CASE(other_parts_are_refused) {
  std::vector<Part> values{{1, 2}, {3}}, gradients{{0, 0}, {0}};
  Adam<double> adam;
  adam.step(spans(values), spans(gradients), 0.1);
  std::vector<Part> fewer{{1, 2}}, longer{{1, 2}, {3, 4}};
  check_refusal([&] { adam.step(spans(fewer), spans(fewer), 0.1); }, "1 parts");
  check_refusal([&] { adam.step(spans(values), spans(fewer), 0.1); }, "1 gradients");
  check_refusal([&] { adam.step(spans(longer), spans(longer), 0.1); }, "part 1 has 2 values");
  check_refusal([&] { adam.step(spans(values), spans(longer), 0.1); }, "2 derivatives");
}

BOOST_AUTO_TEST_CASE(rate_rises_then_stays) {
  BOOST_TEST(warmed_up_rate(0, 10, 0.5) == 0.05);
  BOOST_TEST(std::abs(warmed_up_rate(5, 10, 0.5) - 0.3) < 1e-15);
  for (const std::size_t step : {9U, 10U, 1000U}) BOOST_TEST(warmed_up_rate(step, 10, 0.5) == 0.5);
  BOOST_TEST(warmed_up_rate(0, 1, 0.5) == 0.5);
  check_refusal([] { warmed_up_rate(0, 0, 1); }, "no steps to warm up in");
}

BOOST_AUTO_TEST_SUITE_END()
