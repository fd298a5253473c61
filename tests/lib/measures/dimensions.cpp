// No measure knows the order of the dimensions: tables and weights in another order, the same numbers (claim Q1).

#include <boost/test/unit_test.hpp>
#include <functional>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/scores.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/lib/measures/made.hpp"

using namespace perp;

namespace {

struct Tables {
  Matrix<double> words, positions, m;
};
using Numbers = std::vector<double>;

Matrix<float> directions(const Matrix<double>& table) { return unit_rows(converted<float>(table)).rows; }

Matrix<double> few_rows(const Matrix<double>& table) {
  Matrix<double> out = matrix<double>(3, cols(table));
  for (std::size_t i = 0; i < 3; ++i) std::ranges::copy(row(table, 9 * i), row(out, i).begin());
  return out;
}

struct Measure {
  const char* name;
  double within;  ///< of the numbers' sizes, some units of rounding: 1e-5 in float32
  bool reads_words, reads_m;
  std::function<Numbers(const Tables&)> read;
};

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all{
      {"cosines", 1e-5, true, false,
       [](const Tables& t) {
         const CosineSummary c = cosines_between(directions(t.words), directions(t.positions), 64, 1);
         return Numbers{c.mean(), c.mean_square(), c.max_abs};
       }},
      {"overlap", 1e-5, true, false,
       [](const Tables& t) {
         return Numbers{table_overlap(directions(t.words), directions(t.positions)).mean_square};
       }},
      {"spectrum", 1e-12, false, false,
       [](const Tables& t) { return spectrum<double>(t.positions, Centring::centred); }},
      {"angles", 1e-10, true, false,
       [](const Tables& t) { return principal_cosines(few_rows(t.words), few_rows(t.positions)); }},
      {"energy", 1e-5, true, false,
       [](const Tables& t) {
         return energy_inside(converted<float>(t.words),
                              converted<float>(orthonormal_rows(few_rows(t.positions))));
       }},
      {"kernel", 1e-12, false, false, [](const Tables& t) { return lag_statistics(t.positions, 1).mean; }},
      {"kernel after LayerNorm", 1e-12, false, false,
       [](const Tables& t) { return lag_statistics(layer_norm(t.positions), 1).mean; }},
      {"scores", 1e-10, false, true, [](const Tables& t) {
         const LagStatistics lags = lag_statistics(product(t.positions, t.m), t.positions, 1);
         return Numbers{toeplitz_r2(lags), toeplitz_defect(lags)};
       }}};
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_dimensions)

BOOST_AUTO_TEST_CASE(no_measure_knows_their_order) {
  const std::size_t d = 16;
  const Tables own{made::normal<double>(31, d, 1), made::sinusoids<double>(made::frequencies(d, 100), 31),
                   made::normal<double>(d, d, 2)};
  std::vector<std::size_t> moved(d);  // no pair stays a pair, and no dimension where it was
  for (std::size_t i = 0; i < d; ++i) moved[i] = (i + 1) % d;
  for (const auto& order : {layout_permutation(d, Layout::half_split), moved}) {
    const Tables all{reorder_columns(own.words, order), reorder_columns(own.positions, order),
                     reorder_rows(reorder_columns(own.m, order), order)};
    for (const Measure& measure : measures()) {
      const Numbers before = measure.read(own);
      const auto off = [&](const Tables& tables) {
        return made::worst_difference(before, measure.read(tables));
      };
      BOOST_TEST(off(all) < measure.within * 16, measure.name);
      // Were it blind, that would say nothing: what is left behind moves those that read it.
      BOOST_TEST((off({own.words, all.positions, all.m}) > 2e-4) == measure.reads_words, measure.name);
      BOOST_TEST((off({all.words, all.positions, own.m}) > 2e-4) == measure.reads_m, measure.name);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
