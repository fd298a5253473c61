// What stands in front of a model's numbers: sums read back, overlap, coordinates.

#include "studies/inspect/opening.hpp"

#include "perp/io/model_files.hpp"
#include "perp/measures/outer.hpp"
#include "perp/measures/overlap.hpp"
#include "studies/distance/heads.hpp"
#include "tests/inspect/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::inspect;
using namespace perp::test;

namespace {

struct Looked {
  Measurement measured;
  Opening opening;
  std::string text;
};
Looked look(std::map<std::string, std::string> extra, std::size_t threads = 2, std::uint64_t seed = 1) {
  Options options;
  options.extra = std::move(extra);
  const Model model = models_of(options).front();
  const Tables tables = open_tables(model);
  Looked out{measure_tables(tables, tables.word_stream(), 0, threads), {}, ""};
  out.opening = measure_opening(tables, out.measured, Layers::of(model, std::nullopt), seed, threads);
  out.text = as_text(out.opening, out.measured);
  return out;
}

Matrix<float> scaled(Matrix<float> table, float by) {
  for (float& x : table) x *= by;
  return table;
}

/// Rows and a row of zeros behind each.
Matrix<double> with_zero_rows(const Matrix<double>& table) {
  Matrix<double> out = zeros<double>(2 * rows(table), cols(table));
  for (std::size_t i = 0; i < rows(table); ++i) std::ranges::copy(row(table, i), row(out, 2 * i).begin());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_opening)

BOOST_AUTO_TEST_CASE(sums_are_read_back_by_size) {
  const Made made;
  const std::string words = made.table("words.npy", normals("words", 20'000, 32));
  const auto share = [&](float size) {
    const std::string positions = made.table("p.npy", scaled(normals("positions", 64, 32), size));
    const Looked found = look({{"words", words}, {"positions", positions}});
    BOOST_TEST(std::abs(found.opening.read_back->size - size) < 0.1 * size);
    BOOST_TEST(found.opening.read_back->words.n == 512U);
    return std::pair{found.opening.read_back->words.share(), found.opening.read_back->positions.share()};
  };
  const auto small = share(0.05F), alike = share(0.5F), large = share(20);
  BOOST_TEST((small.first > 0.99 && small.second < 0.3));
  BOOST_TEST((alike.first > 0.9 && alike.second > 0.5));
  BOOST_TEST((large.first < 0.1 && large.second > 0.99));
}

BOOST_AUTO_TEST_CASE(the_overlap_is_that_of_rows_that_are_not_zero) {
  const Made made;
  const Matrix<double> words = converted<double>(normals("w", 300, 12)),
                       positions = sinusoidal<double>(50, 12);
  const double expected = overlap(covariance(words), covariance(positions));
  for (const bool with_zeros : {false, true}) {
    const Looked found =
        look({{"words", made.table("w.npy", with_zeros ? with_zero_rows(words) : words)},
              {"positions", made.table("p.npy", with_zeros ? with_zero_rows(positions) : positions)}});
    BOOST_TEST(std::abs(found.opening.overlap->value - expected) < 1e-5);
    BOOST_TEST(found.opening.overlap->chance == 1);
    BOOST_TEST(found.opening.overlap->sd > 0);
  }
}

BOOST_AUTO_TEST_CASE(few_coordinates_and_many) {
  const Made made;
  Matrix<float> few = scaled(normals("few", 100, 40), 0.01F);
  for (std::size_t i = 0; i < rows(few); ++i) few(i, 5) *= 1000, few(i, 17) *= 1000;
  const Looked narrow = look({{"positions", made.table("few.npy", few)}});
  BOOST_TEST(narrow.opening.participation->value < 2.5);
  BOOST_TEST(narrow.opening.share->value > 0.99);
  BOOST_TEST(narrow.opening.participation->departure() < -3);
  BOOST_TEST(narrow.text.find("concentrated in few") != std::string::npos);
  const Looked even = look({{"positions", made.table("even.npy", normals("even", 100, 40))}});
  BOOST_TEST(std::abs(even.opening.participation->departure()) < 4.5);
  BOOST_TEST(even.text.find("spread as in any rotation") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(heads_of_the_first_layer_read_the_positions_through_its_norm) {
  const Made made;
  const std::string file = made.file("m.safetensors", file_of(small_bert())).string(),
                    positions = file + ":embeddings.position_embeddings.weight";
  const Looked found = look({{"positions", positions}, {"layers", file}, {"heads", "6"}});
  Options by_name;
  const std::string self = file + ":encoder.layer.0.attention.self.", norm = file + ":embeddings.LayerNorm.";
  by_name.extra = {{"positions", positions},        {"query", self + "query.weight"},
                   {"key", self + "key.weight"},    {"query-bias", self + "query.bias"},
                   {"key-bias", self + "key.bias"}, {"layernorm", norm + "weight," + norm + "bias"},
                   {"transpose", "weights"},        {"heads", "6"}};
  const GivenPositions given = *load_weights({"m", by_name});
  BOOST_TEST(found.opening.heads == distance::head_r2(*given.positions, given));
  BOOST_TEST(found.text.find("(median of 6 heads, from ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(tables_of_several_files) {
  const Made made;
  const std::string words = made.file("glove.txt", "a 1 2\nb 3 4\n").string(),
                    positions = made.table("wpe.npy", normals("p", 4, 2));
  const FoundModel found = find_model({words, positions});
  BOOST_TEST(found.tables.at("words") == words);
  BOOST_TEST(found.tables.at("positions") == positions);
  check_refusal([&] { find_model({"absent.npy"}); }, "'absent.npy'");
}

BOOST_AUTO_TEST_SUITE_END()
