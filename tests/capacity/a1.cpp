// A1: the quick preset against the exact lines, its known values, and its verdict.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/random/normal.hpp"
#include "tests/capacity/models.hpp"
#include "tests/support/rule.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a1)

BOOST_AUTO_TEST_CASE(the_star) {
  const Table& star = table("a1_star.csv");
  for (std::size_t i = 0; i < star.rows.size(); ++i) {
    const double word = star.number(i, "word"), line = star.number(i, "line");
    // Intervals of .99 over 4 or more codebooks, doubled: no cell may miss the exact line.
    BOOST_TEST(line >= word - 2 * (word - star.number(i, "word_low")) - 0.01);
    BOOST_TEST(line <= word + 2 * (star.number(i, "word_high") - word) + 0.01);
    // Positions large enough are always found.
    if (star.number(i, "rho") >= 5) BOOST_TEST(star.number(i, "position") == 1.0);
  }
  BOOST_TEST(star.rows.size() == 16U);
  BOOST_TEST(value("A1.projected.noise0.rho16") > 0.99);
}

BOOST_AUTO_TEST_CASE(released_words_at_their_own_size) {
  const Scratch scratch;
  const auto of_size = [&](const char* name, float size, const char* limit) {
    return model(scratch, name, normal_matrix<float>(400, 16, stream(1, "tests", "capacity a1", 0, "words")),
                 scaled_sinusoid(size), limit);
  };
  // Sixteen dimensions have room for both beside 20 words (up to .82), not beside 400 (.58).
  const std::filesystem::path models = scratch.file(
      "models.txt", of_size("small", 1, "") + of_size("loud", 10, "") + of_size("few", 1.1F, "limit = 20\n") +
                        of_size("quiet", 0.55F, "limit = 20\n") +
                        fmt::format("[deaf]\nwords = {}\n", (scratch / "words.npy").string()));
  const Results results = measured({"A1"}, {{"corpus", "none"}, {"models", models.string()}});
  const auto number = [&](const char* id) { return value(results, id); };
  BOOST_TEST(number("A1.released.small") > 0.8);
  BOOST_TEST(number("A1.released.loud") < 0.1);
  BOOST_TEST(number("A1.released_outside") == 3);
  const Table& released = table(results, "a1_released.csv");
  BOOST_TEST(std::abs(released.number(0, "rho") - std::sqrt(0.5)) < 0.02);  // words drawn
  BOOST_TEST(std::abs(released.number(1, "rho") / released.number(0, "rho") - 10) < 1e-4);
  std::string places;
  for (std::size_t i = 1; i < released.rows.size(); ++i) places += to_text(released.at(i, "place")) + " ";
  BOOST_TEST(places == "above inside below ");
  const Claim& claim = results.claims.front();
  BOOST_TEST(shape(claim) == "core 6 limit 3: evidence size model");
  BOOST_TEST(outcomes(claim) == "fails fails fails holds fails fails holds holds fails");
}

/// The nearest row of `words` to the sum of row `at` and `factor` times `position`, by plain loops.
std::size_t nearest_by_loops(const Matrix<float>& words, std::size_t at, std::span<const float> position,
                             double factor) {
  std::size_t nearest = 0;
  double least = INFINITY;
  for (std::size_t w = 0; w < rows(words); ++w) {
    double square = 0;
    for (std::size_t j = 0; j < cols(words); ++j)
      square += std::pow(words(at, j) + factor * position[j] - words(w, j), 2);
    if (square < least) {
      least = square;
      nearest = w;
    }
  }
  return nearest;
}

// Tokens stand in the vocabulary in another order than in the sentence; one model lacks one of them.
BOOST_AUTO_TEST_CASE(a_sentence_of_a_model_with_tokens) {
  const Scratch scratch;
  const Matrix<float> words = normal_matrix<float>(400, 16, stream(1, "tests", "capacity a1", 0, "tokens"));
  const Matrix<float> positions = scaled_sinusoid(0.8F);
  const std::vector<std::size_t> rows_of_tokens{300, 7, 20, 399, 0, 55};
  const auto tokens = [&](const char* file, const char* third) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < rows(words); ++i) lines.push_back(fmt::format("w{}", i));
    const char* sentence[] = {"[CLS]", "tom", third, "a", "dog", "."};
    for (std::size_t i = 0; i < rows_of_tokens.size(); ++i) lines[rows_of_tokens[i]] = sentence[i];
    return scratch.file(file, fmt::format("{}\n", fmt::join(lines, "\n")));
  };
  const auto with_tokens = [&](const char* name, const char* third) {
    const auto file = tokens(name, third);
    return model(scratch, name, words, positions, fmt::format("tokens = {}\n", file.string()));
  };
  const auto models =
      scratch.file("models.txt", with_tokens("whole", "bit") + with_tokens("without", "bits"));
  const Results results = measured({"A1"}, {{"corpus", "none"}, {"models", models.string()}});
  const Table& example = table(results, "a1_example.csv");
  BOOST_REQUIRE(example.rows.size() == 6U);
  const double rho = example.number(0, "rho"), rho_long = example.number(0, "rho_long");
  BOOST_TEST(std::abs(rho - 0.8 * std::sqrt(0.5)) < 0.03);  // words drawn
  BOOST_TEST(rho_long == std::sqrt(8.0));
  const auto name = [&](std::size_t row) {
    const auto at = std::ranges::find(rows_of_tokens, row);
    const char* sentence[] = {"[CLS]", "tom", "bit", "a", "dog", "."};
    return at == rows_of_tokens.end() ? fmt::format("w{}", row) : sentence[at - rows_of_tokens.begin()];
  };
  std::size_t right = 0, right_long = 0, ends = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::size_t token = rows_of_tokens[i];
    const auto nearest = [&](double size) {
      return nearest_by_loops(words, token, row(positions, i), size / rho);
    };
    BOOST_TEST(example.number(i, "position") == double(i));
    BOOST_TEST(to_text(example.at(i, "token")) == name(token));
    BOOST_TEST(to_text(example.at(i, "nearest")) == name(nearest(rho)));
    BOOST_TEST(to_text(example.at(i, "nearest_long")) == name(nearest(rho_long)));
    right += nearest(rho) == token;
    right_long += nearest(rho_long) == token;
    const double end = example.number(i, "found_to");
    if (std::isnan(end)) continue;
    ++ends;
    BOOST_TEST(nearest(0.999 * end) == token);
    BOOST_TEST(nearest(1.001 * end) != token);
  }
  BOOST_TEST((right > right_long && ends > 0));
  BOOST_TEST(value(results, "A1.example.whole") == double(right));
  BOOST_TEST(value(results, "A1.example_long.whole") == double(right_long));
  BOOST_TEST(value(results, "A1.example_size.whole") == rho_long);
  BOOST_TEST(!find(results.findings, "A1.example.without"));
}

BOOST_AUTO_TEST_SUITE_END()
