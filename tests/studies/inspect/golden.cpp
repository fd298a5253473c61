// Two small models against what they gave when somebody last looked: tests/support/golden.hpp. One was never
// trained; the other has positions that are half learned and four heads, of which one hears the distance.

#include "tests/support/golden.hpp"

#include "tests/studies/inspect/made.hpp"

using namespace perp;
using namespace perp::test;

namespace {

constexpr std::size_t words_here = 2000, length = 60, dim = 32, heads = 4;

/// Made in double precision and kept as float: the files' bytes, whose hashes stand in rules, are the same
/// whether or not a compiler fuses a product with a sum.
Matrix<float> rounded_normals(const char* what, std::size_t rows, std::size_t cols) {
  return converted<float>(normal_matrix<double>(rows, cols, stream(1, "test", "inspect golden", 0, what)));
}

/// The sinusoid and as much that hangs on the single position.
Matrix<float> half_learned() {
  Matrix<double> positions = sinusoidal<double>(length, dim);
  const Matrix<float> own = rounded_normals("positions", length, dim);
  for (std::size_t i = 0; i < positions.size(); ++i) positions.data()[i] += 0.7 * own.data()[i];
  return converted<float>(positions);
}

/// Words that share a direction and leave some of the others empty.
Matrix<float> leaning_words() {
  Matrix<float> words = rounded_normals("words", words_here, dim);
  for (std::size_t i = 0; i < rows(words); ++i)
    for (std::size_t j = 0; j < dim; ++j)
      words(i, j) = words(i, j) * (j % 4 ? 0.2F : 1.0F) + (j == 0 ? 1.0F : 0.0F);
  return words;
}

/// Queries or keys: the first head hands its dimensions on, the others are random.
Matrix<float> projection(const char* what) {
  Matrix<float> weights = rounded_normals(what, dim, dim);
  for (std::size_t i = 0; i < dim; ++i)
    for (std::size_t j = 0; j < dim / heads; ++j) weights(i, j) = i == j ? 1 : 0;
  return weights;
}

std::string models(const Made& made) {
  made.table("words.npy", rounded_normals("plain words", words_here, dim));
  made.table("leaning.npy", leaning_words());
  made.table("wave.npy", sinusoidal<double>(length, dim));
  made.table("half.npy", half_learned());
  made.table("query.npy", projection("query"));
  made.table("key.npy", projection("key"));
  const std::string folder = made.path().string();
  return fmt::format(
      "[untrained]\nwords = {0}/words.npy\npositions = {0}/wave.npy\n"
      "[half]\nwords = {0}/leaning.npy\npositions = {0}/half.npy\nquery = {0}/query.npy\nkey = {0}/key.npy\n"
      "heads = {1}\n",
      folder, heads);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_golden)

BOOST_AUTO_TEST_CASE(two_models) {
  const Made made;
  check_golden("inspect", made.results(models(made)));
}

BOOST_AUTO_TEST_SUITE_END()
