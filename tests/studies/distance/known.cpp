// The quick study, and what it says of tables that are given, against what it gave when somebody last looked:
// tests/support/golden.hpp.

#include <boost/test/unit_test.hpp>

#include "perp/io/npy.hpp"
#include "studies/distance/claims.hpp"
#include "tests/studies/distance/quick.hpp"
#include "tests/support/golden.hpp"

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
