// What the measures do not take, and what they say.

#include <functional>
#include <limits>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bag.hpp"
#include "perp/measures/bilinear.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/information.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/scores.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/measures/subspaces.hpp"
#include "tests/lib/measures/made.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/waves.hpp"

using namespace perp;
using perp::test::waves;

namespace {

using Doubles = std::vector<double>;
using Numbers = std::vector<std::uint32_t>;

constexpr double infinity = std::numeric_limits<double>::infinity(),
                 no_number = std::numeric_limits<double>::quiet_NaN();

struct Refused {
  std::function<void()> call;
  const char* message;
};

void check(const std::vector<Refused>& all) {
  for (const auto& [call, message] : all) test::check_refusal(call, message);
}

template <class T>
Matrix<T> with(Matrix<T> m, std::size_t i, std::size_t j, double value) {
  m(i, j) = static_cast<T>(value);
  return m;
}

const Matrix<float> a = made::normal<float>(5, 4, 1), narrow = made::normal<float>(5, 3, 2),
                    none = zeros<float>(0, 4), longer = made::normal<float>(6, 4, 3),
                    broken = with(a, 2, 1, no_number), odd = zeros<float>(5, 7);
const Matrix<double> x = made::normal<double>(5, 4, 1), thin = made::normal<double>(5, 3, 2),
                     square = made::normal<double>(4, 4, 3), five = made::normal<double>(5, 5, 4),
                     void_ = zeros<double>(0, 4), holed = with(x, 2, 3, no_number),
                     zero = zeros<double>(5, 4);

LagStatistics constant(double value) {
  const ScoreTile<double> tile = [value](std::size_t r0, std::size_t r1, std::size_t c0, std::size_t c1,
                                         double* out) { std::fill_n(out, (r1 - r0) * (c1 - c0), value); };
  return lag_statistics_of<double>(4, false, tile, 1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_refusals)

BOOST_AUTO_TEST_CASE(of_angles_and_cosines) {
  const Matrix<double> three = leading_rows(x, 3), two = leading_rows(made::normal<double>(5, 4, 9), 2);
  Matrix<double> dependent = three;
  for (std::size_t j = 0; j < 4; ++j) dependent(2, j) = dependent(0, j) - dependent(1, j);
  const std::vector<std::size_t> zeroth{0}, first{1}, fifth{5};
  check({{[&] { principal_cosines(three, thin); }, "a is 3 x 4, b is 5 x 3"},
         {[&] { principal_cosines(three, x); }, "b is 5 x 4; 1 to 4 rows"},
         {[&] { principal_cosines(void_, three); }, "a is 0 x 4"},
         {[&] { principal_cosines(dependent, two); }, "the 3 rows of a (4 dimensions) are dependent"},
         {[&] { principal_cosines(two, dependent); }, "the 3 rows of b"},
         {[&] { principal_cosines(two, with(dependent, 1, 2, no_number)); }, "entry (1, 2) of b is nan"},
         {[&] { principal_cosines_nested<double>(square, two, first, first); }, "4 x 4 and 2 x 4"},
         {[&] { principal_cosines_nested<double>(square, square, zeroth, first); }, "rank of 0 in 4"},
         {[&] { principal_cosines_nested<double>(square, square, first, fifth); }, "rank of 5 in 4"},
         {[&] { cosines_between(a, narrow, 10, 1); }, "a is 5 x 4, b is 5 x 3"},
         {[&] { cosines_between(none, a, 10, 1); }, "no pairs in tables of 0 and 5"},
         {[&] { table_overlap(a, narrow); }, "a is 5 x 4, b is 5 x 3"},
         {[&] { table_overlap(none, a); }, "empty table, 0 x 4"},
         {[&] { energy_inside(a, narrow); }, "words are 5 x 4, the basis 5 x 3"},
         {[&] { energy_inside(a, a); }, "orthonormal rows were expected"},
         {[&] { unit_rows(broken); }, "row 2 of the 5 x 4 table"},
         {[&] { cosines_between(broken, a, 10, 1); }, "row 2 of the 5 x 4 table"},
         {[&] { max_abs_cosine_between(block(a, 0, 2), broken, 1); }, "row 2 of the 5 x 4 table"}});
}

BOOST_AUTO_TEST_CASE(of_bags) {
  std::vector<float> out(4), seven(7);
  check({{[&] { bag_of(a, Numbers{0}, odd, Binding::sum, out); }, "keys of 7"},
         {[&] { bag_of(a, Numbers{0}, a, Binding::sum, seven); }, "room for 7"},
         {[&] { bag_of(a, Numbers{5}, a, Binding::sum, out); }, "word 5 chosen of 5"},
         {[&] { bag_of(a, Numbers(6, 0), a, Binding::sum, out); }, "6 words and keys for 5"},
         {[&] { bag_of(odd, Numbers{0}, odd, Binding::rotate, seven); }, "7 numbers cannot be turned"},
         {[&] { unbind(seven, row(odd, 0), Binding::rotate, seven); }, "7 numbers cannot be turned"},
         {[&] { unbind(out, row(odd, 0), Binding::sum, out); }, "keys of 7"},
         {[&] { unbind(out, row(a, 0), Binding::sum, seven); }, "room for 7"},
         {[&] { key_overlap(row(a, 0), row(a, 1), Binding::sum); }, "no overlap"},
         {[&] { key_overlap(row(a, 0), row(odd, 1), Binding::product); }, "keys of 7"}});
}

BOOST_AUTO_TEST_CASE(of_bilinear_fits) {
  const BilinearTargets good = bilinear_targets(five, 3);
  check({{[&] { bilinear_targets(with(five, 2, 3, no_number), 3); }, "entry (2, 3)"},
         {[&] { bilinear_targets(thin, 3); }, "5 x 3 targets"},
         {[&] { bilinear_targets(five, 5); }, "5 words and 0 positions"},
         {[&] { bilinear_targets(zeros<double>(5, 5), 3); }, "all sums are 0"},
         {[&] { bilinear_fit(square, good); }, "4 x 4 table"},
         {[&] { bilinear_fit(zero, good); }, "every sum is 0"},
         {[&] { bilinear_fit(thin, good, 0); }, "cutoff of 0"},
         {[&] { whitened_rows(thin, 0); }, "0 words"}});
}

BOOST_AUTO_TEST_CASE(of_decoders) {
  const Numbers few{0}, five_of{0, 1, 2, 3, 9}, ninth{9};
  const auto read_out = [](const Matrix<double>& in, const Matrix<double>& out, const Matrix<double>& test,
                           double ridge) {
    return read_out_r2({in, out}, {test, x}, ridge);
  };
  Matrix<double> twins = x;
  for (std::size_t i = 0; i < 5; ++i) twins(i, 1) = twins(i, 0);
  const Matrix<double> one = leading_rows(x, 1);
  const Matrix<float> single = leading_rows(a, 1), all_zero = zeros<float>(5, 4);
  check({{[&] { nearest_words(narrow, a); }, "queries are 5 x 3, words 5 x 4"},
         {[&] { nearest_words(a, none); }, "a table of 0 words"},
         {[&] { nearest_words(broken, a); }, "row 2 of the 5 x 4 queries is not finite"},
         {[&] { nearest_words(a, broken); }, "row 2 of the 5 x 4 words is not finite"},
         {[&] { found_between(a, a, five_of, a, few); }, "index 9 into a table of 5 rows"},
         {[&] { found_between(a, a, few, a, few); }, "1 indices for 5 queries"},
         {[&] { found_between(single, a, few, a, ninth); }, "index 9 into a table of 5 rows"},
         {[&] { found_between(single, a, few, a, five_of); }, "5 indices for 1 queries"},
         {[&] { project_out(a, narrow); }, "the basis 5 x 3"},
         {[&] { project_out(a, a); }, "expected orthonormal rows"},
         {[&] { project_out(broken, none); }, "row 2 of the 5 x 4 table is not finite"},
         {[&] { count_hits(few, five_of); }, "1 answers to 5 questions"},
         {[&] { read_out(x, one, x, 0); }, "5 inputs with 1 targets"},
         {[&] { read_out(one, one, x, 0); }, "1 inputs with 1 targets"},
         {[&] { read_out(x, x, thin, 0); }, "learned from 4 columns for 4 targets, tested on 3 for 4"},
         {[&] { read_out(x, x, x, -1); }, "a ridge of -1"},
         {[&] { read_out(twins, x, x, 0); }, "is singular at ridge 0"},
         {[&] { read_out(holed, x, x, 0); }, "column 3 of a 5 x 4 table is not finite"},
         {[&] { linear_classes(a, Numbers(4), a, 1); }, "4 known classes"},
         {[&] { linear_classes(a, Numbers(5), narrow, 1); }, "5 x 3 queries"},
         {[&] { linear_classes(single, Numbers(1), a, 1); }, "1 x 4 examples"},
         {[&] { linear_classes(a, Numbers(5), a, 0); }, "a ridge of 0"},
         {[&] { linear_classes(all_zero, Numbers(5), a, 1); }, "singular"},
         {[&] { linear_classes(broken, Numbers(5), a, 1); }, "column 1"},
         {[&] { linear_classes(a, Numbers(5), broken, 1); }, "row 2"}});
}

BOOST_AUTO_TEST_CASE(of_information) {
  using Sent = std::vector<std::size_t>;
  const CodeProducts code = code_products(a, longer, Sent(6, 0)), fewer = code_products(a, a, Sent(5, 0)),
                     other = code_products(longer, longer, Sent(6, 0));
  const CrossTable cross = cross_table(a, a), wrong = cross_table(longer, a);
  const Scales no_word{0, 1}, backwards{1, -1};
  const auto grown = [](CodeProducts products, const CodeProducts& more) { append_columns(products, more); };
  check(
      {{[&] { code_products(none, a, Sent(5, 0)); }, "none of them may be empty"},
       {[&] { code_products(narrow, a, Sent(5, 0)); }, "code_products: table is 5 x 3"},
       {[&] { code_products(a, a, Sent(2, 0)); }, "2 rows sent"},
       {[&] { code_products(a, a, Sent(5, 5)); }, "row 5 sent of a table of 5"},
       {[&] { cross_table(a, narrow); }, "cross_table: words are 5 x 4, positions 5 x 3"},
       {[&] { cross_table(none, a); }, "cross_table: words are 0 x 4"},
       {[&] { single_negative_log_likelihoods(code, 0); }, "single_negative_log_likelihoods: noise 0"},
       {[&] { single_negative_log_likelihoods(code, -1); }, "noise -1"},
       {[&] { single_negative_log_likelihoods(code, 1, 0); }, "scale 0"},
       {[&] { single_negative_log_likelihoods(code, 1, -2); }, "scale -2"},
       {[&] { single_negative_log_likelihoods({}, 1); }, "0 samples"},
       {[&] { added_negative_log_likelihoods(code, code, cross, 1, no_word); }, "scales 0 and 1"},
       {[&] { added_negative_log_likelihoods(code, code, cross, 1, backwards); }, "scales 1 and -1"},
       {[&] { added_negative_log_likelihoods(code, code, cross, 0); },
        "added_negative_log_likelihoods: noise 0"},
       {[&] { added_negative_log_likelihoods(code, fewer, cross, 1); }, "6 samples of words, 5 of positions"},
       {[&] { added_negative_log_likelihoods(code, code, wrong, 1); }, "cross table is 6 x 5"},
       {[&] { added_negative_log_likelihoods_one_by_one(code, code, wrong, 1); }, "cross table is 6 x 5"},
       {[&] { grown(code, other); }, "expected the same ones"},
       {[&] { grown({}, code); }, "append_columns: 0 samples"},
       {[&] { grown(code, {}); }, "append_columns: 0 samples"},
       {[&] { shared_bits(std::vector<NegativeLogLikelihood>(1), 2, 2); }, "shared_bits: 1 samples"},
       {[&] { channel_bits(Doubles{1}, 2); }, "channel_bits: 1 samples"}});
}

BOOST_AUTO_TEST_CASE(of_kernels_and_scores) {
  const Matrix<float> endless = with(a, 3, 1, infinity);
  check({{[&] { lag_statistics(a, narrow, 1); }, "a is 5 x 4, b is 5 x 3"},
         {[&] { lag_statistics(a, longer, 1); }, "a is 5 x 4, b is 6 x 4"},
         {[&] { lag_statistics(none, 1); }, "an empty table, 0 x 4"},
         {[&] { lag_statistics(a, a, 1).at(-5); }, "lag -5 was asked for of 5 positions"},
         {[&] { lag_statistics(endless, 1); }, "row 3 of the 5 x 4 table a"},
         {[&] { lag_statistics(broken, broken, 1); }, "row 2 of the 5 x 4 table a"},
         {[&] { lag_statistics(with(a, 3, 1, 3e38), 1); }, "not finite or too large"},
         {[&] { toeplitz_defect(constant(0)); }, "all scores of 4 positions are 0"},
         {[&] { toeplitz_r2(constant(2)); }, "all scores of 4 positions are 2"},
         {[&] { four_terms(thin, x, square); }, "words of 3 dimensions, positions of 4"},
         {[&] { four_terms(x, x, five); }, "a 5 x 5 matrix"},
         {[&] { score_r2(x, thin); }, "a is 5 x 4, b is 5 x 3"},
         {[&] { four_terms(void_, x, square); }, "an empty table, 0 x 4"},
         {[&] { four_terms(x, holed, square); }, "column 3 of the 5 x 4 table has a mean of nan"}});
  BOOST_TEST(toeplitz_defect(constant(2)) == 0.0);
}

BOOST_AUTO_TEST_CASE(of_layer_norm) {
  const Doubles three(3, 1), four(4, 1), bad{1, 1, infinity, 1};
  check({{[&] { layer_norm(x, three); }, "3 values of gain for rows of 4"},
         {[&] { layer_norm(x, four, three); }, "3 values of bias for rows of 4"},
         {[&] { layer_norm(x, four, bad); }, "the bias of dimension 2 is inf"},
         {[&] { layer_norm(x, {}, {}, 0); }, "epsilon 0; expected above 0"},
         {[&] { layer_norm(View<double>(x.data(), 5, 0, 4)); }, "no dimension"},
         {[&] { layer_norm(holed); }, "row 2 has a variance of nan"}});
}

BOOST_AUTO_TEST_CASE(of_spectra) {
  const auto column = [](std::size_t, std::span<double>) {};
  const Doubles both_zero{0, 0}, up{1, 2}, negative{1, -1}, below_zero{1, -2}, fast{0.5, 3.2}, ok{1};
  check({{[&] { effective_dimension({}); }, "all 0 eigenvalues are 0"},
         {[&] { effective_dimension(both_zero); }, "all 2 eigenvalues are 0"},
         {[&] { effective_dimension(up); }, "eigenvalue 1 of 2 is 2 after 1"},
         {[&] { effective_dimension(negative); }, "eigenvalue 1 of 2 is -1"},
         {[&] { spectrum(void_, Centring::as_is); }, "0 x 4"},
         {[&] { spectrum(holed, Centring::as_is); }, "entry (2, 3) of the 5 x 4 table is nan"},
         {[&] { spectrum(holed, Centring::centred); }, "column 3 of the 5 x 4"},
         {[&] { low_rank_eigenvalues({}, column, 0.1); }, "empty diagonal"},
         {[&] { low_rank_eigenvalues({1}, column, 1.5); }, "tolerance 1.5"},
         {[&] { low_rank_eigenvalues(below_zero, column, 0.1); }, "entry 1 of the diagonal of 2 is -2"},
         {[&] { sinusoid_spectra({}, 3); }, "0 frequencies, 3 positions"},
         {[&] { sinusoid_spectra(ok, 0); }, "1 frequencies, 0 positions"},
         {[&] { sinusoid_spectra(fast, 3); }, "frequency 1 is 3.2"},
         {[&] { leading_directions(five, 6); }, "6 of 5 directions"},
         {[&] { leading_directions(five, 0); }, "0 of 5 directions"}});
}

BOOST_AUTO_TEST_CASE(of_tables_that_stream) {
  const auto read = [](const Matrix<float>& table, std::size_t threads = 1, View<float> against = {}) {
    return stream_table(stream_of(table, "a table"), {threads, against, 0});
  };
  const Matrix<float> rows = made::normal<float>(9000, 5, 1), bad = with(rows, 8123, 2, no_number);
  check({{[&] { read(bad, 1); }, "a table: row 8123 holds a value that is not finite"},
         {[&] { read(bad, 2); }, "a table: row 8123 holds a value that is not finite"},
         {[&] { read(with(rows, 8123, 2, 3e19)); }, "row 8123 has length 3e+19"},
         {[&] { read(none); }, "a table: no rows"},
         {[&] { read(rows, 1, a); }, "a table: rows of 5 numbers beside rows of 4"},
         {[&] { mean_cosine(read(leading_rows(a, 1))); }, "1 rows that are not 0"}});
}

BOOST_AUTO_TEST_SUITE_END()
