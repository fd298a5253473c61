// Who reads words and positions: nearest words, linear readers, keys of bags, against the definition in double.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bag.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/reader.hpp"
#include "perp/random/draws.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/reader.hpp"
#include "tests/lib/measures/made.hpp"
#include "tests/support/reference.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

BOOST_AUTO_TEST_SUITE(measures_decoding)

namespace {

using Numbers = std::vector<std::uint32_t>;

double score(std::span<const float> query, std::span<const float> word, Nearness nearness) {
  const double product = dot(query, word), square = dot(word, word);
  return nearness == Nearness::distance ? product - square / 2 : product;
}

/// Whether `answer` is the best row in double, up to the rounding of a float product.
bool is_best(std::span<const float> query, View<float> words, Nearness nearness, std::uint32_t answer) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < words.rows; ++v) best = std::max(best, score(query, words.row(v), nearness));
  const std::span<const float> word = words.row(answer);
  const double slack = tolerance::decoding_score(words.cols) * std::sqrt(dot(query, query) * dot(word, word));
  return answer < words.rows && score(query, word, nearness) >= best - slack;
}

/// y = a_i + f b_s(i).
Matrix<float> sums(const Matrix<float>& a, const Matrix<float>& b, const Numbers& which, float f) {
  Matrix<float> y = a;
  for (std::size_t i = 0; i < which.size(); ++i)
    for (std::size_t j = 0; j < cols(a); ++j) y(i, j) += f * b(which[i], j);
  return y;
}

Numbers in_turn(std::size_t n, std::size_t count) {
  Numbers classes(n);
  for (std::size_t i = 0; i < n; ++i) classes[i] = static_cast<std::uint32_t>(i % count);
  return classes;
}

constexpr Nearness all[] = {Nearness::distance, Nearness::inner_product};

}  // namespace

BOOST_AUTO_TEST_CASE(nearest_words_by_the_definition) {
  // Sizes on both sides of the tiles: 256 queries, 512 words, 32 lanes.
  for (const std::size_t v : {1U, 31U, 512U, 1100U})
    for (const std::size_t n : {1U, 256U, 300U}) {
      const Matrix<float> words = made::normal<float>(v, 24, 1), queries = made::normal<float>(n, 24, 2);
      for (const Nearness nearness : all) {
        const Numbers found = nearest_words(queries, words, nearness);
        BOOST_REQUIRE(found.size() == n);
        bool right = true;
        for (std::size_t i = 0; i < n; ++i)
          right = right && is_best(row(queries, i), words, nearness, found[i]);
        BOOST_TEST(right, "V " << v << ", N " << n);
        BOOST_TEST((nearest_words(queries, words, nearness, 2) == found));
      }
    }
  BOOST_TEST(nearest_words(zeros<float>(0, 3), made::normal<float>(4, 3, 1)).empty());
}

BOOST_AUTO_TEST_CASE(a_word_is_nearest_to_itself_and_ties_go_to_the_lower_row) {
  Matrix<float> words = made::normal<float>(1500, 16, 3);
  for (std::size_t j = 0; j < 16; ++j) words(1400, j) = words(700, j) = words(40, j);
  const Numbers found = nearest_words(words, words);
  for (std::uint32_t v = 0; v < 1500; ++v) BOOST_TEST(found[v] == (v == 700 || v == 1400 ? 40U : v));
}

BOOST_AUTO_TEST_CASE(found_at_these_factors_and_no_others) {
  const Matrix<float> words = made::normal<float>(1100, 24, 6), first = made::normal<float>(300, 24, 7),
                      second = made::normal<float>(9, 24, 8);
  const Numbers which = below(stream(1, "tests", "decoding", 0, "which"), 300, 9);
  for (const Nearness nearness : all) {
    // What is found at one factor has a range around it, which others bound on either side.
    const Numbers right = nearest_words(sums(first, second, which, 1), words, nearness);
    const std::vector<Range> ranges = found_between(first, second, which, words, right, nearness);
    std::size_t within = 0, wrong = 0;
    for (const float f : {0.0F, 0.5F, 0.9F, 1.0F, 1.3F, 2.0F, 30.0F}) {
      const Numbers found = nearest_words(sums(first, second, which, f), words, nearness);
      for (std::size_t i = 0; i < 300; ++i) {
        // Two words that are equally near but for rounding may change places.
        const bool close = std::abs(f - ranges[i].from) < 1e-4F || std::abs(f - ranges[i].to) < 1e-4F;
        wrong += !close && ranges[i].holds(f) != (found[i] == right[i]);
        within += ranges[i].holds(f);
      }
    }
    BOOST_TEST(wrong == 0U);
    BOOST_TEST(within > 300U);
    BOOST_TEST(std::ranges::count_if(ranges, [](const Range& range) { return range.from > 0; }) > 30);
  }
  // A word that is nearest at no factor has no range; one without others is found at all of them.
  Matrix<float> line = zeros<float>(3, 1);
  line(1, 0) = -1, line(2, 0) = 1;
  const auto between = [&](std::uint32_t right, std::size_t count) {
    return found_between(block(line, 0, 1), block(line, 2, 3), Numbers{0}, block(line, 0, count),
                         Numbers{right})[0];
  };
  BOOST_TEST((between(0, 3).from == 0.0F && between(0, 3).to == 0.5F));  // half way from 0 to 1
  BOOST_TEST(!(between(1, 3).from < between(1, 3).to));
  BOOST_TEST(std::isinf(between(0, 1).to));
}

BOOST_AUTO_TEST_CASE(projection_removes_the_subspace_and_nothing_else) {
  const Matrix<float> basis = orthonormal_rows(made::normal<float>(7, 40, 14)),
                      table = made::normal<float>(30, 40, 15), out = project_out(table, basis);
  const double bound = tolerance::inner_product<float>(40) * 10;
  Matrix<float> moved = table;
  for (std::size_t i = 0; i < 30; ++i) {
    double inside = 0;
    for (std::size_t r = 0; r < 7; ++r) {
      BOOST_TEST(std::abs(dot(row(out, i), row(basis, r))) < bound);
      inside += std::pow(dot(row(table, i), row(basis, r)), 2);
    }
    BOOST_TEST(std::abs(dot(row(out, i), row(out, i)) + inside - dot(row(table, i), row(table, i))) <
               40 * bound);
    for (std::size_t j = 0; j < 40; ++j) moved(i, j) += 100 * basis(i % 7, j);
  }
  // Whatever lies inside does not reach the decoder.
  BOOST_TEST(nearest_words(project_out(moved, basis), out) == in_turn(30, 30));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(measures_reader)

namespace {

/// Words and positions in a sum, and what was sent of them.
struct Sum {
  Matrix<float> words, positions, noise;
  std::vector<std::size_t> sent, sent_positions;

  Sum(Matrix<float> words_, Matrix<float> positions_, Matrix<float> noise_)
      : words(std::move(words_)), positions(std::move(positions_)), noise(std::move(noise_)) {
    for (std::size_t i = 0; i < rows(noise); ++i) {
      sent.push_back(i % rows(words));
      sent_positions.push_back(i / rows(words) % rows(positions));
    }
  }
  LinearReader word() const { return {words, sent, noise, Interference(positions), sent_positions}; }
  LinearReader position() const { return {positions, sent_positions, noise, Interference(words), sent}; }
  LinearReader alone() const { return {words, sent, noise}; }
};

/// Words and random positions of variance 1 in d coordinates, 2,048 samples of the codebook `number`.
Sum random_sum(std::size_t words, std::size_t positions, std::size_t d, std::uint64_t number) {
  return {made::normal<float>(words, d, 3 * number), made::normal<float>(positions, d, 3 * number + 1),
          made::normal<float>(2048, d, 3 * number + 2)};
}

}  // namespace

BOOST_AUTO_TEST_CASE(bits_of_the_peer) {
  for (const test::ReferenceRow& row : test::reference_table("measures_reader")) {
    const std::size_t d = row.whole("d");
    const Sum sum(made::times(1.5, test::waves<float>(row.whole("words"), d, 2)),
                  test::waves<float>(row.whole("positions"), d, 5),
                  test::waves<float>(row.whole("samples"), d, 8));
    const double n = row["noise"];
    BOOST_TEST(std::abs(sum.word().bits(n).value - row["linear_word"]) < tolerance::reader_bits, row.place);
    BOOST_TEST(std::abs(sum.position().bits(n).value - row["linear_position"]) < tolerance::reader_bits,
               row.place);
    // Words that are sent as Zipf's law has it, which both readers know.
    std::vector<double> chances;
    double total = 0;
    for (std::size_t rank = 1; rank <= row.whole("words"); ++rank) total += 1 / double(rank);
    for (std::size_t rank = 1; rank <= row.whole("words"); ++rank)
      chances.push_back(1 / double(rank) / total);
    const LinearReader position_beside_zipf(sum.positions, sum.sent_positions, sum.noise,
                                            Interference(sum.words, chances), sum.sent);
    BOOST_TEST(std::abs(sum.word().bits(n, {}, chances).value - row["zipf_word"]) < tolerance::reader_bits,
               row.place);
    BOOST_TEST(std::abs(position_beside_zipf.bits(n).value - row["zipf_position"]) < tolerance::reader_bits,
               row.place);
    // Of the scales, here in the tables, either may stand outside.
    const Sum plain(test::waves<float>(row.whole("words"), d, 2), made::times(4, sum.positions), sum.noise);
    BOOST_TEST(std::abs(plain.word().bits(n, {1.5, 0.25}).value - row["linear_word"]) <
               tolerance::reader_bits);
    // The ideal readers of the same samples.
    const CodeProducts word = code_products(sum.words, sum.noise, sum.sent),
                       position = code_products(sum.positions, sum.noise, sum.sent_positions);
    const SharedBits ideal = shared_bits(word, position, cross_table(sum.words, sum.positions), n);
    for (const auto& [got, want] : {std::pair{ideal.both.value, "pair"},
                                    {ideal.word.value, "word"},
                                    {ideal.position.value, "position"}})
      BOOST_TEST(std::abs(got - row[want]) < tolerance::reader_bits, row.place << ' ' << want);
  }
}

BOOST_AUTO_TEST_CASE(alone_it_is_ideal) {
  const Sum sum = random_sum(3000, 5, 40, 0);  // rows over three tiles
  const CodeProducts products = code_products(sum.words, sum.noise, sum.sent);
  for (const double n : {0.5, 2.0, 5.0})
    for (const double a : {1.0, 0.7}) {
      const Bits linear = sum.alone().bits(n, {a, 1}), ideal = channel_bits(products, n, a);
      BOOST_TEST(std::abs(linear.value - ideal.value) < tolerance::reader_bits);
      // Beside one position, which the reader knows, as alone.
      const Sum one(sum.words, test::waves<float>(1, 40, 3), sum.noise);
      BOOST_TEST(std::abs(one.word().bits(n, {a, 3}).value - ideal.value) < tolerance::reader_bits);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(measures_bag)

namespace {

constexpr std::size_t d = 24, places = 5;

const Matrix<float> words = made::normal<float>(9, d, 1);
const Matrix<double> angles = [] {
  Matrix<double> drawn = matrix<double>(places, d / 2);
  fill_uniform(stream(1, "bag", "angles", 0, ""), std::span<double>(drawn.data(), drawn.size()), 0,
               2 * std::numbers::pi);
  return drawn;
}();
Matrix<float> keys_for(Binding binding) {
  if (binding == Binding::rotate) return rotation_keys(angles);
  Matrix<float> keys = matrix<float>(places, d);
  fill_signs(stream(1, "bag", "signs", 0, ""), std::span<float>(keys.data(), keys.size()));
  return keys;
}

std::vector<float> bag(const Matrix<float>& from, const std::vector<std::uint32_t>& chosen,
                       const Matrix<float>& keys, Binding binding) {
  std::vector<float> out(d, 99);  // whatever was there is overwritten
  bag_of(from, chosen, keys, binding, out);
  return out;
}
std::vector<float> unbound(const std::vector<float>& from, std::span<const float> key, Binding binding) {
  std::vector<float> out(d);
  unbind(from, key, binding, out);
  return out;
}

double distance(const std::vector<float>& a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += std::pow(static_cast<double>(a[j]) - b[j], 2);
  return std::sqrt(sum);
}

/// Sums of a few terms of a few units each.
const double few_roundings = tolerance::float_sum(8, 30);

constexpr Binding bindings[] = {Binding::sum, Binding::product, Binding::rotate};

}  // namespace

BOOST_AUTO_TEST_CASE(one_word_comes_back) {
  for (const Binding binding : bindings) {
    const Matrix<float> keys = keys_for(binding);
    const std::vector<float> one = bag(words, {4}, keys, binding);
    BOOST_TEST(distance(unbound(one, row(keys, 0), binding), row(words, 4)) < few_roundings,
               static_cast<int>(binding));
    BOOST_TEST(distance(unbound(one, row(keys, 1), binding), row(words, 4)) > 1, static_cast<int>(binding));
  }
}

BOOST_AUTO_TEST_CASE(bags_by_definition) {
  const std::vector<std::uint32_t> chosen{3, 8, 0, 1, 6};
  for (const Binding binding : bindings) {
    const Matrix<float> keys = keys_for(binding);
    std::vector<float> want(d, 0);
    for (std::size_t t = 0; t < places; ++t)
      for (std::size_t j = 0; j < d; ++j) {
        const float x = words(chosen[t], j), k = keys(t, j);
        const std::complex<double> pair(words(chosen[t], j - j % 2), words(chosen[t], j - j % 2 + 1)),
            turned = pair * std::polar(1.0, angles(t, j / 2));
        want[j] += binding == Binding::sum       ? x + k
                   : binding == Binding::product ? x * k
                                                 : float(j % 2 ? turned.imag() : turned.real());
      }
    BOOST_TEST(distance(bag(words, chosen, keys, binding), want) < few_roundings, static_cast<int>(binding));
  }
}

BOOST_AUTO_TEST_CASE(overlap_is_a_trace) {
  Matrix<float> axes = zeros<float>(d, d);
  for (std::size_t j = 0; j < d; ++j) axes(j, j) = 1;
  for (const Binding binding : {Binding::product, Binding::rotate}) {
    const Matrix<float> keys = keys_for(binding), second = converted<float>(block(keys, 1, 2));
    double trace = 0;
    for (std::uint32_t j = 0; j < d; ++j)
      trace += unbound(bag(axes, {j}, second, binding), row(keys, 0), binding)[j];
    const KeyOverlap overlap = key_overlap(row(keys, 0), row(keys, 1), binding),
                     self = key_overlap(row(keys, 2), row(keys, 2), binding);
    BOOST_TEST(std::abs(overlap.mean - trace / d) < 1e-6, static_cast<int>(binding));
    BOOST_TEST(overlap.mean_square >= overlap.mean * overlap.mean);
    BOOST_TEST((std::abs(self.mean - 1) < 1e-6 && std::abs(self.mean_square - 1) < 1e-6));
  }
  // Quarter turns in half of the pairs: cosines 0 and 1.
  Matrix<double> quarter = zeros<double>(2, 4);
  quarter(1, 0) = quarter(1, 1) = std::numbers::pi / 2;
  const Matrix<float> keys = rotation_keys(quarter);
  const KeyOverlap half = key_overlap(row(keys, 0), row(keys, 1), Binding::rotate);
  BOOST_TEST((std::abs(half.mean - 0.5) < 1e-6 && std::abs(half.mean_square - 0.5) < 1e-6));
}

BOOST_AUTO_TEST_SUITE_END()
