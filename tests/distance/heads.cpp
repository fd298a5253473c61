// Given positions through given weights: R² of every head against the definition, controls, and what is
// refused.

#include "studies/distance/heads.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/io/npy.hpp"
#include "perp/random/normal.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/layout.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/study.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::distance;
using namespace perp::test;

namespace {

Matrix<double> normal(std::size_t rows, std::size_t cols, std::uint64_t number) {
  return normal_matrix<double>(rows, cols, stream(20240607, "tests", "heads", number, "table"));
}

std::vector<double> numbers(std::size_t n, std::uint64_t number) {
  const Matrix<double> row = normal(1, n, number);
  return {row.data(), row.data() + n};
}

GivenPositions made(std::size_t length, std::size_t d, std::size_t columns, std::size_t heads, bool biases) {
  GivenPositions given;
  given.positions = normal(length, d, 1);
  given.weights = AttentionWeights{normal(d, columns, 2), normal(d, columns, 3), {}, {}, heads};
  if (biases) {
    given.weights->query_bias = numbers(columns, 4);
    given.weights->key_bias = numbers(columns, 5);
  }
  return given;
}

struct Plain {
  double r2, odd;
};
/// The definition: 1 - Σ (S - mean of its lag)²/Σ (S - mean)², scores one by one.
Plain plain(const Matrix<double>& x, const AttentionWeights& w, std::size_t head) {
  const std::size_t length = rows(x), width = cols(w.query) / w.heads;
  const auto projected = [&](const Matrix<double>& weights, const std::vector<double>& bias, std::size_t t,
                             std::size_t column) {
    double sum = bias.empty() ? 0.0 : bias[column];
    for (std::size_t i = 0; i < cols(x); ++i) sum += x(t, i) * weights(i, column);
    return sum;
  };
  Matrix<double> scores = zeros<double>(length, length);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t s = 0; s < length; ++s)
      for (std::size_t j = head * width; j < (head + 1) * width; ++j)
        scores(t, s) += projected(w.query, w.query_bias, t, j) * projected(w.key, w.key_bias, s, j);
  std::vector<double> by_lag(2 * length), count(2 * length);
  double mean = 0;
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t s = 0; s < length; ++s)
      by_lag[length + s - t] += scores(t, s), ++count[length + s - t],
          mean += scores(t, s) / static_cast<double>(length * length);
  double within = 0, all = 0;
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t s = 0; s < length; ++s) {
      const std::size_t lag = length + s - t;
      within += std::pow(scores(t, s) - by_lag[lag] / count[lag], 2);
      all += std::pow(scores(t, s) - mean, 2);
    }
  double odd = 0, between = 0;  // entry by entry
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t s = 0; s < length; ++s) {
      const auto at = [&](std::size_t lag) { return by_lag[lag] / count[lag]; };
      odd += std::pow((at(length + s - t) - at(length + t - s)) / 2, 2);
      between += std::pow(at(length + s - t) - mean, 2);
    }
  return {1 - within / all, odd / between};
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::filesystem::path save(const Scratch& folder, const char* name, const Matrix<double>& table) {
  write_npy(folder / name, table);
  return folder / name;
}

/// Options that give these tables; "" leaves one out.
Options options_of(const Scratch& folder, std::map<std::string, std::string> extra) {
  Options options;
  options.preset = Preset::quick;
  options.build = folder.path();
  options.json = true;
  options.extra = std::move(extra);
  return options;
}

/// What one of D6's own cells says if the lag explains this share of it.
Record explained(double share) {
  Record record{"Explained", {}};
  for (const char* field : {"r2", "r2_low", "r2_high", "sd", "smallest", "q05", "q95", "pooled", "pooled_low",
                            "pooled_high", "odd", "odd_low", "odd_high"})
    record.values.emplace_back(field, share);
  return record;
}

/// Positions 6 x 4, weights 4 x 8 of two heads.
std::map<std::string, std::string> usual(const Scratch& folder) {
  return {{"positions", save(folder, "p.npy", normal(6, 4, 1))},
          {"query", save(folder, "q.npy", normal(4, 8, 2))},
          {"key", save(folder, "k.npy", normal(4, 8, 3))},
          {"heads", "2"}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_heads)

BOOST_AUTO_TEST_CASE(heads_by_the_definition) {
  for (const bool biases : {false, true}) {
    GivenPositions given = made(9, 6, 12, 3, biases);
    const std::vector<double> got = head_r2(*given.positions, given);
    BOOST_TEST(got.size() == 3U);
    for (std::size_t h = 0; h < got.size(); ++h)
      BOOST_TEST(std::abs(got[h] - plain(*given.positions, *given.weights, h).r2) < tolerance::gram_variance);
    const std::vector<double> odd = head_odd(*given.positions, given);
    for (std::size_t h = 0; h < got.size(); ++h)
      BOOST_TEST(std::abs(odd[h] - plain(*given.positions, *given.weights, h).odd) <
                 tolerance::gram_variance);
    given.layer_norm = LayerNormWeights{numbers(6, 6), numbers(6, 7)};
    const Matrix<double> input = normalised(*given.positions, given);
    BOOST_TEST(std::abs(head_r2(*given.positions, given)[2] - plain(input, *given.weights, 2).r2) <
               tolerance::gram_variance);
    BOOST_TEST(std::abs(input(3, 0) - (*given.positions)(3, 0)) > 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(a_head_that_keeps_the_sinusoid_keeps_the_lag) {
  GivenPositions given;
  given.positions = sinusoidal<double>(64, 8);
  AttentionWeights weights{zeros<double>(8, 16), zeros<double>(8, 16), {}, {}, 2};
  for (std::size_t i = 0; i < 8; ++i) weights.query(i, 8 + i) = weights.key(i, 8 + i) = 1;
  weights.query(0, 0) = weights.key(0, 0) = 1;  // the first head sees one sine
  given.weights = weights;
  const std::vector<double> r2 = head_r2(*given.positions, given);
  BOOST_TEST(r2[1] > 1 - tolerance::sinusoid_product(8, 64));
  BOOST_TEST(r2[0] < 0.9);
}

BOOST_AUTO_TEST_CASE(controls_are_keyed_and_share_their_draws) {
  const GivenPositions plain = made(20, 8, 8, 2, false), biased = made(20, 8, 8, 2, true);
  const auto controls = [](const GivenPositions& given, std::uint64_t seed, std::size_t threads) {
    return head_controls(*given.positions, given, seed, 24, threads);
  };
  const std::vector<HeadControl> one = controls(plain, 1, 1), two = controls(plain, 1, 2);
  BOOST_TEST(one[0].draws == two[0].draws, boost::test_tools::per_element());
  BOOST_TEST(one[0].draws == one[1].draws, boost::test_tools::per_element());
  BOOST_TEST(one[0].draws != controls(plain, 2, 1)[0].draws);
  BOOST_TEST(controls(biased, 1, 1)[0].draws != controls(biased, 1, 1)[1].draws);
  BOOST_TEST(std::abs(one[0].mean - mean_of(one[0].draws)) < 1e-15);
  MomentSums sums;
  sums.add(std::span<const double>(one[0].draws));
  BOOST_TEST(one[0].sd == std::sqrt(sums.moments().variance));
}

BOOST_AUTO_TEST_CASE(with_biases_the_size_of_the_weights_matters) {
  GivenPositions given = made(20, 8, 8, 2, false);
  const auto mean = [&] { return head_controls(*given.positions, given, 1, 24, 1)[0].mean; };
  const double plain = mean();
  for (double& w : given.weights->query) w *= 1e-3;
  BOOST_TEST(std::abs(mean() - plain) < 1e-4);  // float32 rounds elsewhere
  given.weights->query_bias = numbers(8, 4);
  BOOST_TEST(std::abs(mean() - plain) > 0.01);
}

BOOST_AUTO_TEST_CASE(a_control_keeps_both_biases_and_each_in_its_place) {
  GivenPositions given = made(20, 8, 8, 2, true);
  const auto mean = [&] { return head_controls(*given.positions, given, 1, 24, 1)[0].mean; };
  const double apart = mean();
  const std::vector<double> key_bias = given.weights->key_bias;
  given.weights->key_bias = given.weights->query_bias;
  const double query_alone = mean();
  given.weights->query_bias = given.weights->key_bias = key_bias;
  const double key_alone = mean();
  BOOST_TEST(std::abs(apart - query_alone) > 1e-4);  // float32 rounds elsewhere by less
  BOOST_TEST(std::abs(apart - key_alone) > 1e-4);
}

/// Mean and its squared standard error of one head's shares.
std::pair<double, double> mean_and_error(const std::vector<double>& values) {
  MomentSums sums;
  sums.add(std::span<const double>(values));
  const Moments moments = sums.moments();
  return {moments.mean, moments.variance / static_cast<double>(moments.count)};
}
std::vector<double> column(const Matrix<double>& draws, std::size_t head) {
  std::vector<double> out;
  for (std::size_t i = 0; i < rows(draws); ++i) out.push_back(draws(i, head));
  return out;
}

BOOST_AUTO_TEST_CASE(turned_heads_by_the_definition) {
  // A sinusoid of 10 dimensions, two heads of 4 with spectra far from flat, biases: W_Q R W_Kᵀ and O W_Q from
  // rotations of their own, 400 draws on either side; means within five standard errors.
  GivenPositions given = made(40, 10, 8, 2, true);
  given.positions = sinusoidal<double>(40, 10);
  AttentionWeights& w = *given.weights;
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < 8; ++j) w.key(i, j) = w.query(i, j) *= std::pow(0.3, j % 4);
  const std::size_t draws = 400;
  for (const Turned what : {Turned::pairing, Turned::alignment}) {
    const Matrix<double> found = turned_r2(*given.positions, given, what, 1, draws, 1);
    BOOST_REQUIRE((rows(found) == draws && cols(found) == 2U));
    for (std::size_t h = 0; h < 2; ++h) {
      std::vector<double> plain;
      for (std::size_t draw = 0; draw < draws; ++draw) {
        const Stream own = stream(20240607, "tests", "heads", draw, "rotation");
        GivenPositions turned = given;
        AttentionWeights& t = *turned.weights;
        if (what == Turned::alignment) {
          t.query = product(Matrix<double>(random_rotation(10, own)), w.query);
        } else {
          const Matrix<double> r = random_rotation(4, own);
          for (std::size_t j = 0; j < 4; ++j) {
            t.query_bias[4 * h + j] = 0;
            for (std::size_t i = 0; i < 10; ++i) t.query(i, 4 * h + j) = 0;
            for (std::size_t k = 0; k < 4; ++k) {
              t.query_bias[4 * h + j] += w.query_bias[4 * h + k] * r(k, j);
              for (std::size_t i = 0; i < 10; ++i) t.query(i, 4 * h + j) += w.query(i, 4 * h + k) * r(k, j);
            }
          }
        }
        plain.push_back(head_r2(*given.positions, turned)[h]);
      }
      const auto [mean, square] = mean_and_error(column(found, h));
      const auto [expected, expected_square] = mean_and_error(plain);
      BOOST_TEST(std::abs(mean - expected) < tolerance::five_sigma(std::sqrt(square + expected_square)),
                 "head " << h << ": " << mean << " against " << expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(turned_heads_are_keyed_and_share_their_draws) {
  GivenPositions given = made(20, 8, 8, 2, false);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (Matrix<double>* weights : {&given.weights->query, &given.weights->key})
        (*weights)(i, 4 + j) = (*weights)(i, j);  // two equal heads
  for (const Turned what : {Turned::pairing, Turned::alignment}) {
    const auto turned = [&](std::uint64_t seed, std::size_t threads) {
      return turned_r2(*given.positions, given, what, seed, 24, threads);
    };
    const Matrix<double> one = turned(1, 1), two = turned(1, 2), other = turned(2, 1);
    BOOST_TEST(column(one, 0) == column(two, 0), boost::test_tools::per_element());
    BOOST_TEST(column(one, 0) == column(one, 1), boost::test_tools::per_element());
    BOOST_TEST(column(one, 0) != column(other, 0));
  }
}

BOOST_AUTO_TEST_CASE(a_turn_that_weights_do_not_see_changes_nothing) {
  // One number per query and key: head space has no direction but a sign, which R² does not know.
  GivenPositions given = made(20, 8, 2, 2, false);
  const std::vector<double> own = head_r2(*given.positions, given);
  const Matrix<double> turned = turned_r2(*given.positions, given, Turned::pairing, 1, 8, 1);
  for (std::size_t draw = 0; draw < 8; ++draw)
    for (std::size_t h = 0; h < 2; ++h) BOOST_TEST(std::abs(turned(draw, h) - own[h]) < 1e-5);  // float32
}

BOOST_AUTO_TEST_CASE(in_one_dimension_a_rotation_is_a_sign) {
  // Beside a bias the sign of x W shows, and so would any other length of it.
  GivenPositions given = made(20, 1, 1, 1, true), other = given;
  other.weights->query(0, 0) *= -1;
  const double own = head_r2(*given.positions, given)[0], flipped = head_r2(*other.positions, other)[0];
  BOOST_TEST(std::abs(own - flipped) > 1e-3);
  const Matrix<double> turned = turned_r2(*given.positions, given, Turned::alignment, 1, 24, 1);
  std::size_t as_it_was = 0, as_flipped = 0;
  for (const double r2 : turned) {
    as_it_was += std::abs(r2 - own) < 1e-5;  // float32
    as_flipped += std::abs(r2 - flipped) < 1e-5;
  }
  BOOST_TEST(as_it_was + as_flipped == 24U);
  BOOST_TEST((as_it_was > 0 && as_flipped > 0));  // one in 2^23 of all seeds has but one sign
}

BOOST_AUTO_TEST_CASE(a_sinusoid_through_random_weights) {
  // .081 with a standard deviation of .055 over 1,500 draws, 768 x 64.
  const std::size_t draws = 100;
  GivenPositions given;
  given.positions = sinusoidal<double>(512, 768);
  given.weights = AttentionWeights{normal(768, 64, 2), normal(768, 64, 3), {}, {}, 1};
  const double mean = head_controls(*given.positions, given, 1, draws, 2)[0].mean;
  BOOST_TEST(
      std::abs(mean - 0.081) < tolerance::five_sigma(0.055 / std::sqrt(draws)) + tolerance::rounded(1e-3),
      mean);
}

BOOST_AUTO_TEST_CASE(the_answer_as_the_contract_has_it) {
  const Scratch folder;
  const Options options = options_of(folder, usual(folder));
  const std::size_t files = folder.entries();
  const std::optional<std::string> answer = study().answer(options);
  BOOST_REQUIRE(answer.has_value());
  BOOST_TEST(folder.entries() == files);
  const GivenPositions given = load_positions(options);
  const std::vector<double> r2 = head_r2(*given.positions, given);
  const std::vector<HeadControl> controls =
      head_controls(*given.positions, given, 1, control_draws(Preset::quick), 1);
  const auto head = [&](std::size_t h) {
    return fmt::format("{{\"head\":{},\"r2\":{},\"control_mean\":{},\"control_sd\":{}}}", h, r2[h],
                       controls[h].mean, controls[h].sd);
  };
  BOOST_TEST(*answer ==
             fmt::format("{{\"heads\":[{},{}],\"null\":{}}}", head(0), head(1), theory::toeplitz_null(6)));
  Options quiet = options;
  quiet.json = false;
  BOOST_TEST(!study().answer(quiet).has_value());
  quiet.extra["pairs"] = "1:2";
  check_refusal([&] { study().answer(quiet); }, "--pairs and --heads: expected one of them");
}

BOOST_AUTO_TEST_CASE(rows_and_files_are_noted) {
  const Scratch folder;
  Options options = options_of(folder, usual(folder));
  options.extra["rows"] = "2:6";
  const GivenPositions given = load_positions(options);
  BOOST_TEST(rows(*given.positions) == 4U);
  BOOST_TEST(given.first == 2U);
  BOOST_TEST((*given.positions)(0, 1) == normal(6, 4, 1)(2, 1));
  BOOST_TEST(given.files.size() == 3U);
  BOOST_TEST(given.files[0].name == "p.npy");
  BOOST_TEST(given.missing.empty());
  BOOST_TEST(given.missing_weights.empty());
  options.extra["rows"] = "1:6";
  BOOST_TEST(load_positions(options).hashes != given.hashes);
  const GivenPositions none = load_positions(options_of(folder, {}));
  BOOST_TEST(!none.positions.has_value());
  BOOST_TEST(contains(none.missing, "--positions"));
  BOOST_TEST(contains(none.missing_weights, "--query"));
  BOOST_TEST(none.hashes.empty());
}

BOOST_AUTO_TEST_CASE(tables_that_do_not_fit_are_refused) {
  const Scratch folder;
  const auto refuses = [&](const std::map<std::string, std::string>& changes, const char* part) {
    std::map<std::string, std::string> extra = usual(folder);
    for (const auto& [name, text] : changes)
      text.empty() ? void(extra.erase(name)) : void(extra[name] = text);
    check_refusal([&] { load_positions(options_of(folder, extra)); }, part);
  };
  const std::string five = save(folder, "five.npy", normal(5, 8, 1)),
                    wide = save(folder, "wide.npy", normal(4, 6, 1)),
                    bias = save(folder, "bias.npy", normal(1, 8, 1)),
                    gain = save(folder, "gain.npy", normal(1, 4, 1)),
                    one = save(folder, "one.npy", normal(1, 4, 1));
  Matrix<double> broken = normal(6, 4, 1);
  broken(4, 2) = std::nan("");
  refuses({{"query", five}}, "5 x 8 weights for positions of 4 dimensions; expected 4 rows");
  refuses({{"key", five}}, "5 x 8 weights for positions of 4 dimensions; expected 4 rows");
  refuses({{"key", wide}}, "6 columns, --query has 8");
  refuses({{"heads", "3"}}, "--heads 3: does not divide the 8 columns");
  refuses({{"heads", "1"}}, "heads of 8 columns out of positions of 4 dimensions");
  refuses({{"heads", "two"}}, "--heads two: expected a whole number");
  refuses({{"heads", "0"}}, "--heads 0: expected a whole number");
  refuses({{"query-bias", gain}}, "a table of 1 x 4; expected 8 numbers in a row");
  refuses({{"key-bias", wide}}, "a table of 4 x 6; expected 8 numbers in a row");
  refuses({{"layernorm", gain}}, "expected GAIN,BIAS");
  refuses({{"layernorm", gain + "," + bias}}, "a table of 1 x 8; expected 4 numbers in a row");
  refuses({{"rows", "0:7"}}, "rows 0:7 of a table of 6");
  refuses({{"rows", "3"}}, "expected A:B");
  refuses({{"rows", "3:4"}}, "1 row of --rows 3:4; expected at least 2");
  refuses({{"positions", one}}, "1 row; expected at least 2");
  refuses({{"positions", save(folder, "broken.npy", broken)}}, "row 4 holds nan");
  refuses({{"positions", ""}, {"rows", "0:2"}}, "--rows without --positions");
  refuses({{"positions", ""}, {"rows", ""}}, "--query without --positions");
  refuses({{"key", ""}}, "--query without --key");
  refuses({{"query", ""}}, "--key without --query");
  refuses({{"heads", ""}}, "--query without --heads");
  refuses({{"query", ""}, {"key", ""}}, "--heads without --query");
  refuses({{"query", ""}, {"key", ""}, {"heads", ""}, {"key-bias", bias}}, "--key-bias without --query");
  refuses({{"positions", "absent.npy"}}, "absent.npy");
}

BOOST_AUTO_TEST_CASE(d6_shows_them_where_given) {
  const Scratch folder;
  Options options = options_of(folder, {});
  const auto given = std::make_shared<GivenPositions>(made(40, 8, 16, 4, true));
  given->hashes = {"tables of this test"};
  const std::size_t others = after_projection(options, std::make_shared<GivenPositions>()).cells.size();
  const Experiment d6 = after_projection(options, given);
  BOOST_REQUIRE(d6.cells.size() == others + 3);
  BOOST_TEST(d6.depends.empty());  // what was kept of the other cells stays good
  const Cell few{{{"what", "few"}, {"l", 2}}}, &heads = d6.cells[others];
  BOOST_TEST(d6.run(few, {}).front().name == "Nullity");
  const Records records = d6.run(heads, Streams{1, "D6", to_text(heads.at)});
  std::vector<CellRecords> cells{{heads, records}};
  for (const Cell& turned : {d6.cells[others + 1], d6.cells[others + 2]})
    cells.push_back({turned, d6.run(turned, Streams{1, "D6", to_text(turned.at)})});
  for (const Cell& cell : d6.cells)
    if (text_at(cell.at, "what") == "scores") cells.push_back({cell, {explained(0.25)}});
  const Outcome outcome = d6.summarise(cells);
  // The place of a model's heads is taken by those that were given.
  BOOST_REQUIRE(outcome.rule.size() == 6U);
  BOOST_TEST(outcome.rule.back().finding == "D6.trained_median");
  BOOST_TEST((outcome.rule.back().levels == Levels{{"evidence", "released"}, {"file", "the given table"}}));
  BOOST_TEST(trained_heads("", "").finding.empty());
  BOOST_TEST(!trained_heads("", "").needs.empty());
  BOOST_REQUIRE(outcome.tables.size() == 7U);
  const Table& table = outcome.tables[4];
  BOOST_TEST(table.file == "d6_heads.csv");
  const std::vector<double> r2 = head_r2(*given->positions, *given);
  const std::vector<HeadControl> controls =
      head_controls(*given->positions, *given, 1, control_draws(Preset::quick), 1);
  double mean = 0, above = 0;
  BOOST_REQUIRE(table.rows.size() == 4U);
  for (std::size_t h = 0; h < 4; ++h) {
    BOOST_TEST(table.number(h, "r2") == r2[h]);
    BOOST_TEST(table.number(h, "control") == controls[h].mean);
    BOOST_TEST(table.number(h, "control_low") < controls[h].mean);
    BOOST_TEST(table.number(h, "null") == theory::toeplitz_null(40));
    mean += r2[h] / 4;
    above += table.number(h, "below") >= 0.95;
  }
  BOOST_TEST(std::abs(find(outcome.findings, "D6.trained_mean")->value - mean) < 1e-15);
  BOOST_TEST(find(outcome.findings, "D6.trained_above")->value == above);
  // The rotations: of each draw the median over the heads, and their mean.
  const Matrix<double> turned = turned_r2(*given->positions, *given, Turned::alignment, 1, 20, 1);
  double of_medians = 0, exceed = 0;
  for (std::size_t draw = 0; draw < 20; ++draw) {
    std::vector<double> shares(row(turned, draw).begin(), row(turned, draw).end());
    std::ranges::sort(shares);
    of_medians += (shares[1] + shares[2]) / 2 / 20;
  }
  for (std::size_t h = 0; h < 4; ++h) {
    std::vector<double> shares = column(turned, h);
    std::ranges::sort(shares);
    exceed += r2[h] > shares[18] + 0.05 * (shares[19] - shares[18]);
  }
  const Finding* median_turned = find(outcome.findings, "D6.turned_median.alignment");
  BOOST_REQUIRE(median_turned);
  BOOST_TEST(std::abs(median_turned->value - of_medians) < 1e-14);
  BOOST_TEST(median_turned->n == 20U);
  BOOST_TEST(*median_turned->low < of_medians);
  BOOST_TEST(find(outcome.findings, "D6.turned_above.alignment")->value == exceed);
  BOOST_TEST(find(outcome.findings, "D6.turned_median.pairing")->value != median_turned->value);
  BOOST_TEST(outcome.tables[5].rows.size() == 2 * 4U);
  BOOST_TEST(outcome.tables[6].rows.size() == 2 * 20 * 4U);
  BOOST_TEST(outcome.tables[6].number(20 * 4 + 5, "r2") == turned(1, 1));
  std::vector<double> sorted = r2;
  std::ranges::sort(sorted);
  const double median = (sorted[1] + sorted[2]) / 2;
  BOOST_TEST(find(outcome.findings, "D6.trained_median")->value == median);
  BOOST_TEST(outcome.condition.starts_with("relative distance explains 25% of logit variance"));
  BOOST_TEST(outcome.condition.ends_with(
      fmt::format(", {:.0f}% through the trained heads of the given table (median; {})", 100 * median,
                  reading_of(*given))));
  BOOST_TEST(outcome.rule.back().says.ends_with(reading_of(*given)));
}

BOOST_AUTO_TEST_CASE(what_stands_before_the_scores_is_said) {
  GivenPositions given = made(10, 8, 8, 2, true);
  BOOST_TEST(reading_of(given) == "weights and biases");
  given.layer_norm.emplace();
  BOOST_TEST(reading_of(given) == "weights and biases behind LayerNorm");
  given.weights->query_bias.clear();
  BOOST_TEST(reading_of(given) == "weights and biases behind LayerNorm");
  given.weights->key_bias.clear();
  BOOST_TEST(reading_of(given) == "weights behind LayerNorm");
  given.layer_norm.reset();
  BOOST_TEST(reading_of(given) == "weights alone");
}

BOOST_AUTO_TEST_CASE(gpt2, *needs_tables()) {
  const auto table = real_table("gpt2-small-block0.safetensors");
  if (!table) return;
  const std::filesystem::path& path = *table;
  const auto tensor = [&](const char* name) { return path.string() + ":" + name; };
  Options options;
  options.extra = {{"positions", tensor("wpe")},
                   {"rows", "1:513"},
                   {"query", tensor("h0.query.weight")},
                   {"key", tensor("h0.key.weight")},
                   {"heads", "12"}};
  const auto mean = [](const Matrix<double>& positions, const GivenPositions& given) {
    return mean_of(head_r2(positions, given));
  };
  const GivenPositions plain = load_positions(options);
  const std::vector<double> known = {.806, .613, .812, .759, .748, .258, .815, .744, .823, .773, .771, .734};
  const std::vector<double> r2 = head_r2(*plain.positions, plain);
  for (std::size_t h = 0; h < known.size(); ++h)
    BOOST_TEST(std::abs(r2[h] - known[h]) <= tolerance::rounded(1e-3), "head " << h << ": " << r2[h]);
  for (const auto& [layout, share] : {std::pair{Layout::interleaved, .175}, {Layout::half_split, .228}}) {
    const Matrix<double> positions = sinusoidal<double>(512, 768, usual_base, layout);  // 0 … 511
    BOOST_TEST(std::abs(mean(positions, plain) - share) <= tolerance::rounded(1e-3));
  }
  const std::size_t draws = 200;
  const HeadControl control = head_controls(*plain.positions, plain, 1, draws, 2)[0];
  BOOST_TEST(std::abs(control.mean - .305) <
             tolerance::five_sigma(.135 * std::sqrt(1.0 / draws + 1.0 / 1500)));
  BOOST_TEST(std::abs(control.sd / .135 - 1) < tolerance::five_sigma(std::sqrt(0.5 / draws + 0.5 / 1500)));
  options.extra.insert({{"query-bias", tensor("h0.query.bias")}, {"key-bias", tensor("h0.key.bias")}});
  const GivenPositions biased = load_positions(options);
  BOOST_TEST(std::abs(mean(*biased.positions, biased) - .750) <= tolerance::rounded(1e-3));
  options.extra["layernorm"] = tensor("h0.ln.weight") + "," + tensor("h0.ln.bias");
  const GivenPositions normed = load_positions(options);
  BOOST_TEST(std::abs(mean(*normed.positions, normed) - .773) <= tolerance::rounded(1e-3));
  BOOST_TEST(normed.files.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
