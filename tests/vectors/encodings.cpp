// Encodings of positions: against the papers' formulas by mpmath, by what follows from them, and the list.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/encoding.hpp"
#include "tests/support/reference_table.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

const Stream numbers = stream(3, "test", "encoding", 0, "vectors");

template <class Value>
void hold(const std::string& table, const std::string& expected, const Value& value) {
  for (const ReferenceRow& row : reference_table("vectors_" + table))
    BOOST_TEST(std::abs(value(row) - row[expected]) <= 6 * tolerance::position(row.whole("t")), row.place);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vectors_encodings)

BOOST_AUTO_TEST_CASE(formulas) {
  using Row = ReferenceRow;
  hold("sinusoid", "expected", [](const Row& r) {
    return sinusoidal<double>(r.whole("t") + 1, r.whole("d"), r["base"])(r.whole("t"), r.whole("column"));
  });
  hold("sine_only", "expected", [](const Row& r) {
    const std::size_t t = r.whole("t");
    return sine_only_encoding()->vectors(t + 1, r.whole("d"), numbers)(t, r.whole("column"));
  });
  const auto turned = [](Layout layout) {
    return [=](const Row& r) {
      Matrix<double> x = zeros<double>(2, 6);  // the second row stands one position later
      for (std::size_t j = 0; j < 6; ++j) x(r.whole("t") % 2, j) = static_cast<double>(j + 1);
      rotary_encoding(1000, layout)->rotate(x, r.whole("t") - r.whole("t") % 2);
      return x(r.whole("t") % 2, r.whole("column"));
    };
  };
  hold("rotary", "interleaved", turned(Layout::interleaved));
  hold("rotary", "half_split", turned(Layout::half_split));
  check_reference(
      "vectors_alibi", "slope", [](const Row& r) { return alibi_slope(r.whole("head"), r.whole("heads")); },
      relative(tolerance::closed_form));
  check_reference(
      "vectors_t5", "bucket", [](const Row& r) { return t5_bucket(static_cast<std::int64_t>(r["lag"])); },
      within(0));
}

BOOST_AUTO_TEST_CASE(the_list_does_what_it_says) {
  std::string names;
  for (const EncodingPointer& encoding : encodings()) {
    names += encoding->name() + " ";
    const Action action = encoding->action();
    Matrix<double> x = zeros<double>(3, 8);
    const std::string name = "encoding '" + encoding->name() + "' " + std::string(to_text(action));
    if (action == Action::adds_vector)
      BOOST_TEST(
          (rows(encoding->vectors(3, 8, numbers)) == 3 && cols(encoding->vectors(3, 8, numbers)) == 8));
    else
      check_refusal([&] { encoding->vectors(3, 8, numbers); }, name + "; it has no vectors to add");
    if (action == Action::rotates_vector)
      encoding->rotate(x, 0);
    else
      check_refusal([&] { encoding->rotate(x, 0); }, name + "; it turns no queries and keys");
    if (action == Action::biases_score)
      encoding->bias(1, 2);
    else
      check_refusal([&] { encoding->bias(1, 2); }, name + "; it has no bias of a score");
  }
  BOOST_TEST(names == "sinusoidal sine_only index normalised_index random random_fourier rotary alibi t5 ");
  BOOST_TEST(encoding_named("rotary")->name() == "rotary");
}

BOOST_AUTO_TEST_CASE(a_longer_table_begins_with_the_shorter) {
  const auto alike = [](const Matrix<double>& shorter, const Matrix<double>& longer) {
    return std::equal(shorter.begin(), shorter.end(), longer.begin());
  };
  for (const EncodingPointer& encoding : encodings()) {
    if (encoding->action() != Action::adds_vector) continue;
    const Matrix<double> shorter = encoding->vectors(70, 8, numbers);
    const Matrix<double> other = encoding->vectors(70, 8, stream(4, "test", "encoding", 0, "vectors"));
    const bool divides_by_length = encoding->name() == "normalised_index";
    BOOST_TEST(alike(shorter, encoding->vectors(90, 8, numbers)) != divides_by_length, encoding->name());
    BOOST_TEST(alike(shorter, other) != encoding->is_random(), encoding->name());
  }
  const std::size_t length = 2100;  // threads take five parts of 512 positions, the last one short
  BOOST_TEST((sinusoidal<float>(length, 32) == sinusoidal<float>(length, 32, usual_base, 3)));
}

BOOST_AUTO_TEST_CASE(two_layouts) {
  const Matrix<double> plain = sinusoidal<double>(50, 8),
                       split = sinusoidal<double>(50, 8, usual_base, Layout::half_split);
  BOOST_TEST((split == reorder_columns(plain, layout_permutation(8, Layout::half_split))));
  BOOST_TEST((layout_permutation(6, Layout::half_split) == std::vector<std::size_t>{0, 2, 4, 1, 3, 5}));
  BOOST_TEST((layout_permutation(4, Layout::interleaved) == std::vector<std::size_t>{0, 1, 2, 3}));
  const Matrix<double> turned = reorder_rows(sinusoidal<double>(2, 8), {1, 0});
  for (std::size_t j = 0; j < 8; ++j) {
    BOOST_TEST(turned(0, j) == plain(1, j));
    BOOST_TEST(split(49, j) == plain(49, j < 4 ? 2 * j : 2 * j - 7));
  }
}

BOOST_AUTO_TEST_CASE(random_fourier_features_have_a_gaussian_kernel) {
  const std::size_t d = 4096;
  const Matrix<double> table = random_fourier_encoding()->vectors(60, d, numbers);
  BOOST_TEST(std::abs(dot(row(table, 59), row(table, 59)) - 2048) <
             2048 * tolerance::inner_product<double>(d));
  for (const std::size_t k : {1, 5, 10, 30}) {
    // The mean of d/2 cosines of variance at most 1/2; and the same at every position, up to rounding.
    const double kernel = dot(row(table, 0), row(table, k)) / 2048;
    const double expected = std::exp(-static_cast<double>(k * k) / 200);
    BOOST_TEST(std::abs(kernel - expected) < tolerance::five_sigma(std::sqrt(.5 / 2048)));
    BOOST_TEST(std::abs(dot(row(table, 25), row(table, 25 + k)) / 2048 - kernel) <
               tolerance::inner_product<double>(d));
  }
}

BOOST_AUTO_TEST_CASE(biases_of_scores) {
  const EncodingPointer alibi = alibi_encoding(2, 8);
  for (const std::int64_t t : {0, 3, 1000})
    for (const std::int64_t s : {0, 1, 999, 4000})
      BOOST_TEST(alibi->bias(t, s) == -.25 * static_cast<double>(std::abs(t - s)));
  BOOST_TEST(encodings()[7]->bias(0, 16) == -1);

  // A number for each bucket, drawn.
  const Stream biases = stream(5, "test", "encoding", 0, "biases");
  const EncodingPointer t5 = t5_encoding(biases);
  std::vector<double> drawn(t5_buckets);
  fill_normal(biases, std::span<double>(drawn));
  for (const std::int64_t lag : {-200, -15, -3, 0, 1, 3, 12, 16, 91})
    for (const std::int64_t t : {200, 500}) BOOST_TEST(t5->bias(t, t + lag) == drawn[t5_bucket(lag)]);
  BOOST_TEST(t5->bias(0, 3) != t5_encoding(stream(6, "test", "encoding", 0, "biases"))->bias(0, 3));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_made) {
  for (const EncodingPointer& encoding : encodings())
    if (encoding->action() == Action::adds_vector) {
      check_refusal([&] { encoding->vectors(0, 8, numbers); }, "0");
      check_refusal([&] { encoding->vectors(8, 0, numbers); }, "0");
    }
  Matrix<double> odd = zeros<double>(2, 5);
  const Matrix<double> eight = zeros<double>(2, 8);
  const std::vector<std::size_t> two{0, 1}, twice{0, 1, 2, 3, 4, 5, 6, 6}, outside{0, 1, 2, 3, 4, 5, 6, 8};
  const std::pair<const char*, std::function<void()>> refusals[] = {
      {"dimension 7; expected an even number", [] { sinusoidal<float>(10, 7); }},
      {"dimension 0", [] { sinusoidal<float>(10, 0); }},
      {"length 0", [] { sinusoidal<float>(0, 8); }},
      {"base 1; expected a number above 1", [] { frequencies(8, 1); }},
      {"base nan", [] { frequencies(8, std::nan("")); }},
      {"dimension 7; expected an even number", [] { sinusoidal_encoding()->vectors(3, 7, numbers); }},
      {"dimension 7; expected an even", [] { random_fourier_encoding()->vectors(3, 7, numbers); }},
      {"dimension 5; expected an even number", [&] { rotary_encoding()->rotate(odd, 0); }},
      {"base 1; expected a number above 1", [] { rotary_encoding(1); }},
      {"alibi: head 0 of 8; expected 1 … 8", [] { alibi_encoding(0, 8); }},
      {"alibi: head 9 of 8", [] { alibi_encoding(9, 8); }},
      {"'learned' is none of sinusoidal, sine_only, index", [] { encoding_named("learned"); }},
      {"layout half_split: dimension 5", [] { layout_permutation(5, Layout::half_split); }},
      {"an order of 2 for 8 columns", [&] { reorder_columns(eight, two); }},
      {"holds 6 twice or outside", [&] { reorder_columns(eight, twice); }},
      {"holds 8 twice or outside", [&] { reorder_columns(eight, outside); }}};
  for (const auto& [part, call] : refusals) check_refusal(call, part);
}

BOOST_AUTO_TEST_SUITE_END()
