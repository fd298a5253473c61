// Claims against plain sums, whole numbers and cases whose answer is known; the quick study against what it gave when
// somebody last looked: tests/support/golden.hpp.

#include <fmt/ranges.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/io/npy.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/scores.hpp"
#include "perp/random/draws.hpp"
#include "perp/statistics/spread.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/encoding.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/q2.hpp"
#include "studies/distance/scores.hpp"
#include "tests/studies/distance/quick.hpp"
#include "tests/support/found.hpp"
#include "tests/support/golden.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;
using namespace perp::distance;

namespace {

/// Numbers that every machine writes alike: whole ones, in eighths.
template <class Entry>
std::string made(const Scratch& folder, const char* name, std::size_t rows, std::size_t cols,
                 const Entry& entry) {
  Matrix<double> table = matrix<double>(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) table(i, j) = static_cast<double>(entry(i, j)) / 8;
  write_npy(folder / name, table);
  return (folder / name).string();
}

/// What the study says of given positions, triangular waves after a row that training never reached, through
/// the weights of four heads; without what it says of the sinusoid alone.
Results of_given_tables() {
  const Scratch folder;
  const auto wave = [](std::size_t t, std::size_t j) {
    const std::size_t period = std::size_t{8} << j / 2, place = (t + j % 2 * period / 4) % period;
    const int height = static_cast<int>(std::min(place, period - place) * 128 / period) - 32;
    return t == 3 ? height / 16 : height;
  };
  const auto weight = [](int seed) {
    return
        [=](std::size_t i, std::size_t j) { return static_cast<int>((i * 7 + j * (5 + i) + seed) % 11) - 5; };
  };
  const std::vector<std::string> claims{"D6", "Q1", "Q4"};
  Results given =
      measured(claims, {{"positions", made(folder, "positions.npy", 45, 8, wave)},
                        {"rows", "3:43"},
                        {"query", made(folder, "query.npy", 8, 16, weight(0))},
                        {"key", made(folder, "key.npy", 8, 16, weight(4))},
                        {"heads", "4"},
                        {"query-bias", made(folder, "query_bias.npy", 1, 16, weight(2))},
                        {"key-bias", made(folder, "key_bias.npy", 1, 16, weight(7))},
                        {"layernorm", fmt::format("{},{}", made(folder, "gain.npy", 1, 8, weight(13)),
                                                  made(folder, "shift.npy", 1, 8, weight(9)))}});
  const Results plain = merged(claims, results_of);
  std::erase_if(given.findings, [&](const Finding& f) { return find(plain.findings, f.id) != nullptr; });
  std::erase_if(given.tables, [&](const Table& t) {
    const auto same = std::ranges::find(plain.tables, t.file, &Table::file);
    return same != plain.tables.end() && same->rows.size() == t.rows.size();
  });
  return given;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_golden)

BOOST_AUTO_TEST_CASE(quick_preset) { check_golden("distance", merged(distance::study().claims, results_of)); }

BOOST_AUTO_TEST_CASE(given_tables) { check_golden("distance_given", of_given_tables()); }

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(distance_d2)

BOOST_AUTO_TEST_CASE(nearness_of_a_small_kernel) {
  const std::vector<double> kernel{10, 4, 3, 5, 1, 2};
  const KernelOrder n = kernel_order(kernel);
  BOOST_TEST(n.first_rise == 2);
  BOOST_TEST(n.best == 3);
  BOOST_TEST(n.best_beyond == 5);
  BOOST_TEST(n.largest_rise == 2);
  BOOST_TEST(ordered_share(kernel, 6) == 0.7);         // (1,3), (2,3) and (4,5) are not
  const std::vector<double> plateau{4, 3, 3, 2, 2.5};  // standing still is no rise
  BOOST_TEST(kernel_order(plateau).first_rise == 3);
  BOOST_TEST(ordered_share(plateau, 4) == 2.0 / 3);  // and two lags of one value are in no order
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(distance_d4)

BOOST_AUTO_TEST_CASE(the_closed_form_is_the_defect) {
  for (const std::size_t d : {8, 32}) {
    const std::vector<double> kernel = distance::sinusoid_kernel(2 * 64 - 1, 2 * d);
    const Matrix<double> sines = sine_only_encoding()->vectors(64, d, stream(1, "tests", "d4", 0, ""));
    BOOST_TEST(std::abs(sine_alone_defect(64, kernel) - toeplitz_defect(lag_statistics(sines, 1))) <
               tolerance::shifted_squares);
  }
  BOOST_TEST(value("D4.defect_largest.sinusoidal") < tolerance::exact_defect);
  // The smallest over many lengths is no larger than at one of them.
  BOOST_TEST(value("D4.defect_law.d64") <= value("D4.defect.sine_only.d64.l512") + tolerance::plain_sum);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(distance_d5)

namespace {

struct Counted {
  std::uint64_t equal = 0, compared = 0;
};
/// Pairs with t s m'^2 = t' s' m^2 in whole numbers, the second at least four times as far apart in a text at
/// least four times as long; m = m' = 1 for the plain index.
Counted whole_number_collisions(std::uint64_t longest, bool normalised) {
  Counted count;
  for (std::uint64_t n = 3; 4 * n <= longest; ++n)
    for (std::uint64_t m = 4 * n; m <= longest; ++m) {
      const std::uint64_t by_short = normalised ? (n - 1) * (n - 1) : 1,
                          by_long = normalised ? (m - 1) * (m - 1) : 1;
      for (std::uint64_t t = 1; t < n; ++t)
        for (std::uint64_t s = t + 1; s < n; ++s)
          for (std::uint64_t far = 1; far < m; ++far) {
            const std::uint64_t product = t * s * by_long, first = far + 4 * (s - t);
            count.compared += first < m ? m - first : 0;
            if (product % (far * by_short) != 0) continue;
            const std::uint64_t other = product / (far * by_short);
            count.equal += other < m && other >= first;
          }
    }
  return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(collisions_are_those_of_whole_numbers) {
  for (const bool normalised : {false, true}) {
    const Finding& found = finding(normalised ? "D5.collisions.normalised_index" : "D5.collisions.index");
    const Counted counted = whole_number_collisions(64, normalised);
    BOOST_TEST(found.value == static_cast<double>(counted.equal));
    BOOST_TEST(found.n == counted.compared);
  }
  for (const char* encoding : {"sinusoidal", "rotary", "alibi", "t5"})  // T5's last bucket is farther away
    BOOST_TEST(value(std::string("D5.collisions.") + encoding) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(distance_d7)

namespace {

/// Σ(1 - cos ωk) by quarter, d = 512, T = 10,000.
std::array<double, 4> losses(double lag) {
  std::array<double, 4> sums{};
  for (int i = 0; i < 256; ++i) sums[i / 64] += 1 - std::cos(lag * std::pow(1e4, -2.0 * i / 512));
  return sums;
}
double sum_of(const std::array<double, 4>& parts) { return parts[0] + parts[1] + parts[2] + parts[3]; }

}  // namespace

BOOST_AUTO_TEST_CASE(changes_of_every_lag) {
  // Σ_k |g_q(k) - g_q(2k)| over all k from 256 to 511, from the definition.
  std::array<double, 4> changes{}, means{}, sizes{};
  for (int k = 256; k < 512; ++k) {
    const std::array<double, 4> near = losses(k), far = losses(2 * k);
    for (int q = 0; q < 4; ++q) {
      changes[q] += std::abs(far[q] - near[q]);
      means[q] += far[q] - near[q];
    }
  }
  for (int q = 0; q < 4; ++q) sizes[q] = std::abs(means[q]);
  BOOST_TEST(std::abs(value("D7.change_share.q3.from256") - changes[2] / sum_of(changes)) <
             tolerance::plain_sum);
  BOOST_TEST(std::abs(value("D7.mean_change_share.q3.from256") - sizes[2] / sum_of(sizes)) <
             tolerance::plain_sum);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(distance_d8)

BOOST_AUTO_TEST_CASE(shares_by_the_definition) {
  const Table& table = perp::test::table("d8_share.csv");
  constexpr std::size_t pairs = 64 * 63 / 2;
  std::size_t checked = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto length = static_cast<std::size_t>(table.number(row, "positions"));
    if (table.number(row, "d") != 64 || length > 512) continue;
    const Matrix<double> columns = sinusoidal<double>(length, 64);
    const auto product = [&](std::size_t a, std::size_t b) {
      double sum = 0;
      for (std::size_t t = 0; t < length; ++t) sum += columns(t, a) * columns(t, b);
      return sum;
    };
    double small = 0;
    for (std::size_t a = 0; a < 64; ++a)
      for (std::size_t b = 0; b < a; ++b)
        small += std::abs(product(a, b)) < 0.1 * std::sqrt(product(a, a) * product(b, b));
    BOOST_TEST(std::abs(table.number(row, "share") - small / pairs) < 1.5 / pairs);
    BOOST_TEST(table.number(row, "pairs") == pairs);
    ++checked;
  }
  BOOST_TEST(checked == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(distance_d9)

BOOST_AUTO_TEST_CASE(judged_from_eight_hundred_draws_on) {
  for (const std::size_t draws : {judged_draws - 1, judged_draws}) {
    CellRecords entry{{{{"words", std::string("gaussian")},
                        {"matrix", std::string("heads")},
                        {"d", std::int64_t{64}},
                        {"l", std::int64_t{256}},
                        {"v", std::int64_t{1024}},
                        {"draws", static_cast<std::int64_t>(draws)}}},
                      {}};
    for (std::size_t i = 0; i < draws; ++i)
      entry.records.push_back({"terms",
                               {{"word_word", 1.0 + 0.1 * static_cast<double>(i % 7)},
                                {"position_position", 0.2},
                                {"sum", 2.2 + 0.1 * static_cast<double>(i % 7)}}});
    CellRecords tied = entry;
    tied.cell.at[1].value = std::string("tied");
    const Outcome outcome = scores_of_sums({}).summarise({entry, tied});
    for (const char* matrix : {"heads", "tied"}) {
      const Finding* judged = find(outcome.findings, fmt::format("D9.judged_share.gaussian.{}.d64", matrix));
      BOOST_REQUIRE((judged != nullptr) == (draws == judged_draws));
      if (judged) BOOST_TEST((judged->spread && judged->theory), matrix);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(distance_q2)

BOOST_AUTO_TEST_CASE(a_linear_place_is_read_exactly) {
  // Place 3 a - 2 b of two of the columns; the third is noise, the fourth does not vary.
  const std::size_t n = 200;
  Matrix<double> y = normal(n, 4, 1);
  std::vector<std::uint32_t> places = below(stream(1, "tests", "q2", 0, "places"), n, 100);
  for (std::size_t r = 0; r < n; ++r) {
    y(r, 0) = (places[r] + 2 * y(r, 1)) / 3;
    y(r, 3) = 7;
  }
  BOOST_TEST(1 - readout_r2(y, places, 100) < 1e-6);  // the ridge's share
  // Noise alone: the held-out R² of nothing, near 1 - (n+1)(n-2)/(n(n-p-2)) = -.04 ± its own spread (Stein 1960).
  BOOST_TEST(std::abs(readout_r2(normal(n, 4, 2), places, 100)) < 0.3);
}

BOOST_AUTO_TEST_CASE(nearest_by_cosine) {
  const Matrix<double> table = sinusoidal<double>(20, 16);
  std::vector<std::uint32_t> places(20);
  std::iota(places.begin(), places.end(), 0u);
  Matrix<double> scaled = table;
  for (std::size_t i = 0; i < scaled.size(); ++i) scaled.data()[i] *= 3;
  BOOST_TEST(nearest_share(scaled, table, places) == 1);
  std::swap(places[0], places[19]);
  BOOST_TEST(nearest_share(scaled, table, places) == 0.9);
}

BOOST_AUTO_TEST_SUITE_END()
