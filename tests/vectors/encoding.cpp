// The list, the layouts, and what the encodings that add a vector are made of.

#include "perp/vectors/encoding.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "perp/base/matrix_algebra.hpp"
#include "perp/io/npy.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using perp::test::check_refusal;

namespace {

const Stream numbers = stream(3, "test", "encoding", 0, "vectors");

}  // namespace

BOOST_AUTO_TEST_SUITE(vectors_encoding)

BOOST_AUTO_TEST_CASE(the_list_does_what_it_says) {
  std::string names;
  for (const EncodingPointer& encoding : encodings()) {
    names += encoding->name() + " ";
    const Action action = encoding->action();
    Matrix<double> x = zeros<double>(3, 8);
    const std::string name = "encoding '" + encoding->name() + "' " + std::string(to_text(action));
    if (action == Action::adds_vector) {
      BOOST_TEST(rows(encoding->vectors(3, 8, numbers)) == 3);
      BOOST_TEST(cols(encoding->vectors(3, 8, numbers)) == 8);
    } else {
      check_refusal([&] { encoding->vectors(3, 8, numbers); }, name + "; it has no vectors to add");
    }
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
  check_refusal([] { encoding_named("learned"); }, "'learned' is none of sinusoidal, sine_only, index");
}

BOOST_AUTO_TEST_CASE(a_longer_table_begins_with_the_shorter) {
  for (const EncodingPointer& encoding : encodings()) {
    if (encoding->action() != Action::adds_vector) continue;
    const Matrix<double> shorter = encoding->vectors(70, 8, numbers),
                         longer = encoding->vectors(90, 8, numbers);
    bool same = true;
    for (std::size_t i = 0; i < shorter.size(); ++i) same = same && shorter.data()[i] == longer.data()[i];
    BOOST_TEST(same == !encoding->depends_on_length(), encoding->name());
    const Matrix<double> other = encoding->vectors(70, 8, stream(4, "test", "encoding", 0, "vectors"));
    bool drawn = false;
    for (std::size_t i = 0; i < shorter.size(); ++i) drawn = drawn || shorter.data()[i] != other.data()[i];
    BOOST_TEST(drawn == encoding->is_random(), encoding->name());
  }
}

BOOST_AUTO_TEST_CASE(two_layouts) {
  const Matrix<double> plain = sinusoidal<double>(50, 8),
                       split = sinusoidal<double>(50, 8, usual_base, Layout::half_split);
  for (std::size_t t = 0; t < 50; ++t)
    for (std::size_t i = 0; i < 4; ++i) {
      BOOST_TEST(split(t, i) == plain(t, 2 * i));
      BOOST_TEST(split(t, 4 + i) == plain(t, 2 * i + 1));
    }
  BOOST_TEST((layout_permutation(6, Layout::half_split) == std::vector<std::size_t>{0, 2, 4, 1, 3, 5}));
  BOOST_TEST((layout_permutation(4, Layout::interleaved) == std::vector<std::size_t>{0, 1, 2, 3}));
  const Matrix<double> moved = reorder_rows(plain, [] {
    std::vector<std::size_t> order(50);
    for (std::size_t t = 0; t < 50; ++t) order[t] = 49 - t;
    return order;
  }());
  BOOST_TEST(moved(0, 3) == plain(49, 3));
  check_refusal([] { layout_permutation(5, Layout::half_split); }, "layout half_split: dimension 5");
  check_refusal([&] { reorder_columns(plain, {0, 1}); }, "an order of 2 for 8 columns");
  check_refusal([&] { reorder_columns(plain, {0, 1, 2, 3, 4, 5, 6, 6}); }, "holds 6 twice or outside");
  check_refusal([&] { reorder_columns(plain, {0, 1, 2, 3, 4, 5, 6, 8}); }, "holds 8 twice or outside");
}

BOOST_AUTO_TEST_CASE(sinusoid_shifts_by_a_rotation) {
  // One rotation per pair, by ω_i k, takes p_t to p_{t+k} whatever t.
  const std::size_t d = 32, k = 7;
  const Matrix<double> table = sinusoidal_encoding(500)->vectors(400, d, numbers);
  const std::vector<double> omega = frequencies(d, 500);
  for (std::size_t t = 0; t + k < 400; ++t)
    for (std::size_t i = 0; i < d / 2; ++i) {
      const double c = std::cos(omega[i] * k), s = std::sin(omega[i] * k);
      const double sine = table(t, 2 * i), cosine = table(t, 2 * i + 1);
      BOOST_REQUIRE(std::abs(sine * c + cosine * s - table(t + k, 2 * i)) < 2 * tolerance::position(400));
      BOOST_REQUIRE(std::abs(cosine * c - sine * s - table(t + k, 2 * i + 1)) < 2 * tolerance::position(400));
    }
}

BOOST_AUTO_TEST_CASE(sine_only_has_no_first_position) {
  const Matrix<double> table = sine_only_encoding()->vectors(20, 6, numbers);
  for (std::size_t i = 0; i < 6; ++i) {
    BOOST_TEST(table(0, i) == 0);
    const double omega = std::pow(10000.0, -static_cast<double>(i) / 6);
    BOOST_TEST(std::abs(table(9, i) - std::sin(9 * omega)) < tolerance::position(9));
  }
  BOOST_TEST(sine_only_encoding()->vectors(4, 5, numbers)(3, 0) == std::sin(3.0));  // needs no pairs
}

BOOST_AUTO_TEST_CASE(indices) {
  const Matrix<double> index = index_encoding()->vectors(101, 48, numbers);
  const Matrix<double> share = normalised_index_encoding()->vectors(101, 48, numbers);
  BOOST_TEST(std::abs(dot(row(index, 7), row(index, 30)) - 210) < 210 * tolerance::inner_product<double>(48));
  BOOST_TEST(std::abs(dot(row(share, 100), row(share, 100)) - 1) < tolerance::inner_product<double>(48));
  BOOST_TEST(std::abs(dot(row(share, 50), row(share, 20)) - .1) < tolerance::inner_product<double>(48));
  BOOST_TEST(normalised_index_encoding()->vectors(1, 3, numbers)(0, 0) == 0);
}

BOOST_AUTO_TEST_CASE(random_vectors_have_the_sinusoids_length) {
  const std::size_t d = 256, length = 400;
  const Matrix<double> table = random_encoding()->vectors(length, d, numbers);
  double squares = 0, products = 0;
  for (std::size_t t = 0; t < length; ++t) {
    squares += dot(row(table, t), row(table, t));
    if (t > 0) products += dot(row(table, t - 1), row(table, t));
  }
  // Var ‖p‖² = d/2 and Var p·q = d/4 for entries N(0, 1/2).
  const double n = static_cast<double>(length);
  BOOST_TEST(std::abs(squares / n - 128) < tolerance::five_sigma(std::sqrt(d / 2 / n)));
  BOOST_TEST(std::abs(products / (n - 1)) < tolerance::five_sigma(std::sqrt(d / 4 / (n - 1))));
}

BOOST_AUTO_TEST_CASE(random_fourier_features_have_a_gaussian_kernel) {
  const std::size_t d = 4096;
  for (const Layout layout : layouts) {
    const Matrix<double> table = random_fourier_encoding(10, layout)->vectors(60, d, numbers);
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
  const Matrix<double> plain = random_fourier_encoding(10)->vectors(9, 6, numbers);
  const Matrix<double> split = random_fourier_encoding(10, Layout::half_split)->vectors(9, 6, numbers);
  BOOST_TEST(split(5, 1) == plain(5, 2));
  BOOST_TEST(split(5, 3) == plain(5, 1));
}

BOOST_AUTO_TEST_CASE(a_given_table) {
  Matrix<double> values = random_encoding()->vectors(5, 3, numbers);
  const perp::test::Scratch scratch;
  write_npy(scratch / "p.npy", values);
  const EncodingPointer given = table_encoding(scratch / "p.npy");
  BOOST_TEST(given->vectors(4, 3, numbers)(3, 2) == values(3, 2));
  BOOST_TEST(rows(given->vectors(5, 3, numbers)) == 5);
  check_refusal([&] { given->vectors(6, 3, numbers); }, "p.npy: 6 positions asked for, it holds 5");
  check_refusal([&] { given->vectors(2, 4, numbers); }, "p.npy: dimension 4 asked for, its rows have 3");
  values(1, 2) = std::numeric_limits<double>::quiet_NaN();
  check_refusal([&] { table_encoding(values); }, "table of positions: row 1, column 2 is nan");
  check_refusal([] { table_encoding(matrix<double>(0, 3)); }, "an empty table");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_made) {
  for (const EncodingPointer& encoding : encodings())
    if (encoding->action() == Action::adds_vector) {
      check_refusal([&] { encoding->vectors(0, 8, numbers); }, "0");
      check_refusal([&] { encoding->vectors(8, 0, numbers); }, "0");
    }
  check_refusal([] { sinusoidal_encoding()->vectors(3, 7, numbers); },
                "dimension 7; expected an even number");
  check_refusal([] { random_fourier_encoding(10)->vectors(3, 7, numbers); }, "dimension 7; expected an even");
  check_refusal([] { sinusoidal_encoding(1); }, "base 1; expected a number above 1");
  check_refusal([] { sine_only_encoding(0.5); }, "base 0.5; expected a number above 1");
  check_refusal([] { random_fourier_encoding(0); }, "length scale 0; expected a number above 0");
}

BOOST_AUTO_TEST_SUITE_END()
