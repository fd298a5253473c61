// Numbers of tables that others published, checked where the tables are at hand: PERP_DATA names their
// folder.

#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "perp/io/npy.hpp"
#include "perp/io/words.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/spectrum.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

bool rounds_to(double value, double published, double last_digit) {
  return std::abs(value - published) <= tolerance::rounded(last_digit);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(published)

BOOST_AUTO_TEST_CASE(word2vec, *perp::test::needs_tables()) {
  const auto file = perp::test::real_table("word2vec-google-1000x300.txt");
  if (!file) return;
  const std::filesystem::path& path = *file;
  const Matrix<float> words = read_words_text(path).vectors;
  const CosineSummary cosines = cosines_within(unit_rows(words).rows, 2000, 2);
  const double sd = std::sqrt(cosines.mean_square() - cosines.mean() * cosines.mean());
  BOOST_TEST(rounds_to(cosines.mean(), 0.1194, 1e-4), cosines.mean());
  BOOST_TEST(rounds_to(sd, 0.0962, 1e-4), sd);
  const double raw = effective_dimension(spectrum(words, Centring::as_is)).participation_ratio;
  const double centred = effective_dimension(spectrum(words, Centring::centred)).participation_ratio;
  BOOST_TEST(rounds_to(raw, 40.8, 0.1), raw);
  BOOST_TEST(rounds_to(centred, 112, 1), centred);
}

BOOST_AUTO_TEST_CASE(gpt2_positions, *perp::test::needs_tables()) {
  const auto file = perp::test::real_table("gpt2-small-wpe.npy");
  if (!file) return;
  const std::filesystem::path& path = *file;
  const Matrix<float> table = read_npy<float>(path);
  const EffectiveDimension got = effective_dimension(spectrum(block(table, 1, 512), Centring::centred));
  BOOST_TEST(rounds_to(got.stable_rank, 2.054, 1e-3), got.stable_rank);
  BOOST_TEST(rounds_to(got.participation_ratio, 2.72, 1e-2), got.participation_ratio);
  BOOST_TEST(got.r90 == 3U);
  BOOST_TEST(got.r99 == 7U);
}

BOOST_AUTO_TEST_SUITE_END()
