// D7: the score and the distance by quarter of the frequencies.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "perp/vectors/format.hpp"
#include "studies/distance/d7_ranges.hpp"

namespace perp::distance {

Matrix<double> rows_at(const std::vector<std::uint64_t>& positions, std::size_t d, double base) {
  return sinusoidal_in_format(positions, d, base, Format::float64, Format::float64);
}

namespace {

using Bands = std::array<double, quarters>;

/// The product of two rows, by quarter of the frequencies (interleaved: of the columns).
Bands products(const Matrix<double>& table, std::size_t a, std::size_t b) {
  Bands sums{};
  const std::size_t width = cols(table) / quarters;
  for (std::size_t q = 0; q < quarters; ++q)
    for (std::size_t j = q * width; j < (q + 1) * width; ++j) sums[q] += table(a, j) * table(b, j);
  return sums;
}

/// Half the squared distance of two rows by quarter: g(0) - g(k) without taking a difference of products.
Bands half_squares(const Matrix<double>& table, std::size_t a, std::size_t b) {
  Bands sums{};
  const std::size_t width = cols(table) / quarters;
  for (std::size_t q = 0; q < quarters; ++q) {
    const double *x = row(table, a).data() + q * width, *y = row(table, b).data() + q * width;
    constexpr std::size_t lanes = 8;  // sums side by side, which compilers may not invent
    double parts[lanes] = {};
    std::size_t j = 0;
    for (; j + lanes <= width; j += lanes)
      for (std::size_t l = 0; l < lanes; ++l) parts[l] += (x[j + l] - y[j + l]) * (x[j + l] - y[j + l]);
    for (; j < width; ++j) parts[0] += (x[j] - y[j]) * (x[j] - y[j]);
    sums[q] = std::accumulate(parts, parts + lanes, 0.0) / 2;
  }
  return sums;
}

/// Any will do (D1); far from the start, so that nothing rests on it.
constexpr std::uint64_t place = 1000;

/// Noise per coordinate as a share of ‖p‖ for which two positions are told apart.
constexpr std::array<double, 4> noises{0.25, 0.5, 1, 1.25};

}  // namespace

Records measure_bands(const Cell& cell) {
  const std::size_t d = size_at(cell.at, "d"), lags = size_at(cell.at, "lags");
  const double base = number_at(cell.at, "base"), own = static_cast<double>(d) / 2;
  Records records;
  std::uint64_t lag = 0;
  for (int step = 0;; ++step) {
    const std::uint64_t next = static_cast<std::uint64_t>(std::llround(std::exp2(step / 4.0)));
    if (next > lags) break;
    if (next == lag) continue;
    lag = next;
    const Bands squares = half_squares(rows_at({place, place + lag}, d, base), 0, 1);
    const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
    for (std::size_t q = 0; q < quarters; ++q)
      records.push_back({"band",
                         {{"lag", static_cast<std::int64_t>(lag)},
                          {"quarter", whole(q + 1)},
                          {"share", squares[q] / sum},
                          {"lost", sum / own}}});
  }
  // Windows an octave wide, half an octave apart.
  for (int half = 0;; ++half) {
    const std::uint64_t first = static_cast<std::uint64_t>(std::llround(std::exp2(half / 2.0)));
    if (2 * first > lags) break;
    if (half == 1) continue;  // 1 again
    // At most 64 lags of it, evenly spaced: single lags carry the aliases of the fast frequencies.
    const std::uint64_t step = (first + 63) / 64, count = first / step;
    std::vector<std::uint64_t> positions{place};
    for (std::uint64_t i = 0; i < count; ++i)
      for (const std::uint64_t times : {1, 2}) positions.push_back(place + times * (first + i * step));
    const Matrix<double> table = rows_at(positions, d, base);
    std::vector<Bands> scores;
    for (std::size_t r = 0; r < positions.size(); ++r) scores.push_back(products(table, 0, r));
    for (std::size_t q = 0; q < quarters; ++q) {
      double change = 0, limit = 0;
      for (std::size_t i = 0; i < count; ++i) {
        change += scores[2 * i + 1][q] - scores[2 * i + 2][q];
        limit += change_limit(base, q + 1, static_cast<double>(first + i * step));
      }
      const double n = static_cast<double>(count);
      records.push_back({"octave",
                         {{"first", static_cast<std::int64_t>(first)},
                          {"quarter", whole(q + 1)},
                          {"change", change / (n * own)},
                          {"limit", limit / n},
                          {"averaged", static_cast<std::int64_t>(count)}}});
    }
  }
  return records;
}

Records measure_noise(const Cell& cell) {
  const std::size_t d = size_at(cell.at, "d"), lags = size_at(cell.at, "lags");
  const double base = number_at(cell.at, "base"), norm = std::sqrt(static_cast<double>(d) / 2);
  std::array<std::int64_t, noises.size()> reached{}, last_below{};
  constexpr std::size_t tile = 256;
  for (std::size_t first = 1; first <= lags; first += tile) {
    std::vector<std::uint64_t> positions{place};
    for (std::size_t k = first; k < std::min(first + tile, lags + 1); ++k) positions.push_back(place + k);
    const Matrix<double> table = rows_at(positions, d, base);
    for (std::size_t r = 1; r < positions.size(); ++r) {
      const Bands squares = half_squares(table, 0, r);
      const double distance = std::sqrt(2 * std::accumulate(squares.begin(), squares.end(), 0.0)) / norm;
      const std::int64_t lag = static_cast<std::int64_t>(first + r - 1);
      for (std::size_t i = 0; i < noises.size(); ++i)
        if (distance < noises[i])
          last_below[i] = lag;
        else if (reached[i] == 0)
          reached[i] = lag;
    }
  }
  Records records;
  for (std::size_t i = 0; i < noises.size(); ++i)
    records.push_back({"noise",
                       {{"noise", noises[i]},
                        {"reached", reached[i] ? static_cast<double>(reached[i]) : std::nan("")},
                        {"last_below", last_below[i]}}});
  return records;
}

}  // namespace perp::distance
