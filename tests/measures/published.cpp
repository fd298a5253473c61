// Numbers of tables that others published, checked where the tables are at hand: PERP_DATA names their
// folder.

#include <boost/test/unit_test.hpp>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/io/npy.hpp"
#include "perp/io/table_rows.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/scores.hpp"
#include "perp/measures/spectrum.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

void check(double value, double published, double last_digit) {
  BOOST_TEST(std::abs(value - published) <= tolerance::rounded(last_digit), value << ", " << published);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(published)

BOOST_AUTO_TEST_CASE(word2vec, *perp::test::needs_tables()) {
  const auto file = perp::test::real_table("word2vec-google-1000x300.txt");
  if (!file) return;
  const Matrix<float> words = open_table({*file, std::nullopt}).all<float>();
  const CosineSummary cosines = cosines_within(unit_rows(words).rows, 2000, 2);
  check(cosines.mean(), 0.1194, 1e-4);
  check(std::sqrt(cosines.mean_square() - cosines.mean() * cosines.mean()), 0.0962, 1e-4);
  check(effective_dimension(spectrum(words, Centring::as_is)).participation_ratio, 40.8, 0.1);
  check(effective_dimension(spectrum(words, Centring::centred)).participation_ratio, 112, 1);
}

BOOST_AUTO_TEST_CASE(gpt2_positions, *perp::test::needs_tables()) {
  const auto file = perp::test::real_table("gpt2-small-wpe.npy");
  if (!file) return;
  const Matrix<float> table = read_npy<float>(*file);
  const EffectiveDimension got = effective_dimension(spectrum(block(table, 1, 512), Centring::centred));
  check(got.stable_rank, 2.054, 1e-3);
  check(got.participation_ratio, 2.72, 1e-2);
  BOOST_TEST((got.r90 == 3U && got.r99 == 7U));
}

BOOST_AUTO_TEST_CASE(gpt2_heads, *perp::test::needs_tables()) {
  const auto file = perp::test::real_table("gpt2-small-block0.safetensors");
  if (!file) return;
  // Positions 1 … 512 through the trained weights, without biases.
  const std::vector<double> known = {.806, .613, .812, .759, .748, .258, .815, .744, .823, .773, .771, .734};
  const Matrix<double> positions = open_table({*file, "wpe"}, {.rows = RowRange{1, 513}}).all<double>(),
                       queries = product(positions, open_table({*file, "h0.query.weight"}).all<double>()),
                       keys = product(positions, open_table({*file, "h0.key.weight"}).all<double>());
  const auto head = [](const Matrix<double>& all, std::size_t h) {
    return converted<double>(View<double>(all.data() + 64 * h, rows(all), 64, cols(all)));
  };
  for (std::size_t h = 0; h < known.size(); ++h)
    check(score_r2(head(queries, h), head(keys, h)), known[h], 1e-3);
}

BOOST_AUTO_TEST_SUITE_END()
