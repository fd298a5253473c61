// From rounds to ratios, with times that are made up.

#include "bench/compare.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bench/tables.hpp"

using namespace perp::bench;

namespace {

const Row row{"gemm", Through::bare, Type::f32, {64, 64, 64}};

Configuration configuration(const char* name, std::vector<double> seconds, const char* status = "ok") {
  Configuration c;
  c.backend.name = name;
  c.checks[row.name()] = {status, status == std::string("ok") ? "" : "error 7, bound 1", "", 7, 1, 0.1};
  if (!seconds.empty()) c.rounds[row.name()] = std::move(seconds);
  return c;
}

Roof roof() {
  Roof roof;
  roof.fma = {{"f32", 64, 1, 1e9}};
  roof.bandwidth = {{"copy", 1, 1e12}};
  return roof;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_compare)

// Whatever slows a round slows both: the ratio is exactly 2 in each.
BOOST_AUTO_TEST_CASE(ratios_are_paired_by_round) {
  const std::vector<Configuration> all{configuration("slow", {2, 20, 4, 2, 8}),
                                       configuration("fast", {1, 10, 2, 1, 4})};
  const std::vector<ComparisonRow> lines = compare(all, roof(), {row});
  BOOST_REQUIRE(lines.size() == 2u);
  BOOST_TEST(lines[0].ratio == 2.0);
  BOOST_TEST(lines[0].ratio_low == 2.0);
  BOOST_TEST(lines[0].ratio_high == 2.0);
  BOOST_TEST(lines[1].ratio == 1.0);
  BOOST_TEST(lines[1].seconds == 2.0);
  BOOST_TEST(lines[1].noise == 0.5);  // |1 10 2 1 4 - 2| has the median 1
  BOOST_TEST(lines[1].rate == row.cost().operations / 2);
  BOOST_TEST(lines[1].roof_share == row.cost().operations / 2 / 1e9);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_a_row_without_a_time) {
  const std::vector<Configuration> all{configuration("right", {1, 1, 1}),
                                       configuration("wrong", {}, "failed")};
  const std::vector<ComparisonRow> lines = compare(all, roof(), {row});
  BOOST_TEST(timed(lines[0]));
  BOOST_TEST(!timed(lines[1]));
  const perp::Table results = results_table(lines), failed = failed_table(lines);
  BOOST_TEST(std::isnan(results.number(1, "rate")));
  BOOST_TEST(results.number(1, "error") == 7);
  BOOST_TEST(results.number(1, "bound") == 1);
  BOOST_REQUIRE(failed.rows.size() == 1u);
  BOOST_TEST(perp::to_text(failed.at(0, "backend")) == "wrong");
  BOOST_TEST(perp::to_text(failed.at(0, "reason")) == "error 7, bound 1");
}

BOOST_AUTO_TEST_CASE(results_begin_with_the_columns_that_were_promised) {
  const perp::Table table = results_table({});
  const char* promised[] = {"backend", "lapack", "operation",  "type",   "shape",
                            "threads", "rate",   "roof_share", "status", "reason"};
  for (std::size_t i = 0; i < std::size(promised); ++i) BOOST_TEST(table.columns.at(i).name == promised[i]);
}

BOOST_AUTO_TEST_CASE(the_advice_names_those_that_are_equally_fast) {
  const std::vector<Configuration> all{configuration("a", {1.0, 1.0, 1.0}),
                                       configuration("b", {1.04, 1.04, 1.04}), configuration("c", {3, 3, 3})};
  const perp::Table best = best_table(compare(all, roof(), {row}));
  BOOST_REQUIRE(best.rows.size() == 1u);
  BOOST_TEST(perp::to_text(best.at(0, "use")) == "a, b");
  BOOST_TEST(perp::to_text(best.at(0, "next")) == "c");
  BOOST_TEST(best.number(0, "next_ratio") == 3.0, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
