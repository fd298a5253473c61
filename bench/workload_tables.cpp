// w5 and w6: filling memory, with sinusoids and with normals.

#include <algorithm>
#include <cmath>

#include "bench/workloads.hpp"
#include "perp/base/parallel.hpp"
#include "perp/random/normal.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::bench {

Numbers sinusoidal_table(std::size_t threads) {
  constexpr std::size_t length = 200'000, d = 512;
  const Matrix<float> table = sinusoidal<float>(length, d, usual_base, threads);
  double sum = 0;
  for (const float x : row(table, length - 1)) sum += static_cast<double>(x);
  return {{"sum_of_last_row", sum}};
}

Numbers many_normals(std::size_t threads) {
  constexpr std::size_t count = 50'000'000, piece = std::size_t{1} << 16, part = 4096;
  const Stream numbers = stream(6, "workloads", "w6", 0, "normals");
  Vector<float> values = vector<float>(count);
  const std::size_t pieces = (count + piece - 1) / piece;
  std::vector<double> sum(pieces), square(pieces);
  parallel_for(pieces, threads, [&](std::size_t i) {
    const std::size_t end = std::min(count, (i + 1) * piece);
    for (std::size_t first = i * piece; first < end; first += part) {
      const std::span<float> some(values.data() + first, std::min(part, end - first));
      fill_normal(numbers, some, first);
      // Summed while it is in the first-level cache, in lanes that a compiler may keep in registers.
      constexpr std::size_t lanes = 32;
      float s[lanes] = {}, q[lanes] = {};
      std::size_t j = 0;
      for (; j + lanes <= some.size(); j += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          s[lane] += some[j + lane];
          q[lane] += some[j + lane] * some[j + lane];
        }
      for (; j < some.size(); ++j) {
        s[0] += some[j];
        q[0] += some[j] * some[j];
      }
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        sum[i] += static_cast<double>(s[lane]);
        square[i] += static_cast<double>(q[lane]);
      }
    }
  });
  double total = 0, squares = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    total += sum[i];
    squares += square[i];
  }
  const double n = static_cast<double>(count), mean = total / n;
  return {{"sd", std::sqrt(squares / n - mean * mean)}, {"mean", mean}};
}

}  // namespace perp::bench
