// What the page answers, from times that are made up: it follows from the test and not from the smallest mean.

#include "bench/answer.hpp"

#include <boost/test/unit_test.hpp>

#include "bench/tables.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;
using perp::test::contains;

namespace {

const std::vector<Row> rows{{"gemm", Through::bare, Type::f32, {64, 64, 64}},
                            {"gemm", Through::bare, Type::f32, {128, 128, 128}},
                            {"gemm_small", Through::bare, Type::f32, {4, 4, 4}},
                            {"positions", Through::own, Type::f32, {4096, 512, 0}}};

/// Times as often as `factor` of the default's, which wander by `noise`, by round and row.
Configuration configuration(const char* name, const char* core, double factor, double noise) {
  Configuration c{{name, "", ""}};
  c.backend.kernels = {core, "CORE", core};
  c.threads = 2;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    c.checks[rows[i].name()] = {"ok", "", "", 0, 1, 0.1};
    for (const double turn : {1.0, -1.0, 0.5, -0.5, 0.0})
      c.rounds[rows[i].name()].push_back(factor * (1 + noise * turn * (i % 2 == 0 ? 1.0 : 0.7)));
  }
  return c;
}

std::string at(const perp::Table& table, std::size_t row, const char* column) {
  return perp::to_text(table.at(row, column));
}

Answer only_answer(const std::vector<Configuration>& all) {
  const std::vector<Answer> answers = answers_of(all, rows, "usual");
  BOOST_REQUIRE(answers.size() == 1u);
  return answers.front();
}

perp::Table table_of(const std::vector<Configuration>& all, const char* own = "") {
  return answer_table(answers_of(all, rows, "usual"), own);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_answer)

// A tenth less in noise of a third says nothing, a hundredth less in noise of as much that nobody would notice it; in
// noise of a thousandth a tenth is told apart, though nobody would notice that either.
BOOST_AUTO_TEST_CASE(what_is_not_told_apart_is_not_advised) {
  for (const auto& [time, noise, told, advice] :
       {std::tuple{0.9, 0.3, "no", "not known; a longer run (preset full) may tell"},
        {0.99, 0.03, "no", "nothing; you would notice no difference"},
        {0.9, 0.001, "yes", "set CORE=Fast; it gains less than you would notice"}}) {
    const perp::Table table =
        table_of({configuration("usual", "", 1, 0), configuration("usual", "Fast", time, noise)});
    BOOST_REQUIRE(table.rows.size() == 1u);
    BOOST_TEST(at(table, 0, "told") == told);
    BOOST_TEST(at(table, 0, "advice") == advice);
    BOOST_TEST(at(table, 0, "best") == "usual/Fast");
    BOOST_TEST((table.number(0, "low") < table.number(0, "takes") &&
                table.number(0, "takes") < table.number(0, "high")));
  }
}

// Another library that halves the time is worth installing; those like it are its equals, the default is not.
BOOST_AUTO_TEST_CASE(a_difference_that_is_noticed_is_advised_with_its_equals) {
  std::vector<Configuration> all{configuration("usual", "", 1, 0), configuration("atlas", "", 0.5, 0.01),
                                 configuration("mkl", "", 0.501, 0.01)};
  all[2].rounds[rows[0].name()][1] *= 1.1;
  const Answer answer = only_answer(all);
  BOOST_TEST(answer.best == &all[1]);
  BOOST_TEST(answer.cost.told());
  BOOST_TEST(answer.cost.ratio == 2.0, boost::test_tools::tolerance(0.01));
  BOOST_REQUIRE(answer.equals.size() == 1u);
  BOOST_TEST(answer.equals[0].configuration == &all[2]);
  const perp::Table table = table_of(all);
  BOOST_TEST(at(table, 0, "advice") == "install libatlas3-base");
  BOOST_TEST(at(table, 0, "against") == "atlas (+1 equal)");
  // What is faster by that much stands there once a library, with how many operations more.
  BOOST_TEST(at(table, 1, "kind") == "operation");
  BOOST_TEST(contains(at(table, 1, "what"), ", worst of 2 operations: gemm"));

  // Nothing is installed that kernels of the default's library equal.
  all.push_back(configuration("usual", "Fast", 0.502, 0.01));
  all[3].rounds[rows[0].name()][1] *= 1.1;
  BOOST_TEST(at(table_of(all), 0, "best") == "atlas");
  BOOST_TEST(at(table_of(all), 0, "advice") == "set CORE=Fast");
  all.pop_back();

  all[1].checks[rows[0].name()].status = "failed";  // a wrong library is no answer
  BOOST_TEST(only_answer(all).best == &all[2]);
  all[0].checks[rows[0].name()].status = "failed";  // nor is a wrong default, however fast
  for (auto& [row, list] : all[0].rounds) list = {0.1, 0.1, 0.1, 0.1, 0.1};
  BOOST_TEST(only_answer(all).best == &all[2]);
  BOOST_TEST(contains(at(table_of(all), 0, "advice"), "the default is wrong"));
}

// Fast overall is another matter than slow at one operation; and what did not run every row is no candidate.
BOOST_AUTO_TEST_CASE(an_operation_that_is_noticed_stands_in_the_table_with_its_reason) {
  std::vector<Configuration> all{configuration("usual", "", 1, 0), configuration("blis-pthread", "", 1, 0.01),
                                 configuration("usual", "Own", 1.2, 0.001), configuration("mkl", "", 0.1, 0)};
  all[1].loaded.name = "BLIS";
  all[1].loaded.threads = 2;
  for (double& seconds : all[1].rounds[rows[2].name()]) seconds *= 100;
  all[3].rounds.erase(rows[1].name());
  BOOST_TEST(only_answer(all).best == &all[0]);
  const perp::Table table = table_of(all, "own");
  BOOST_REQUIRE(table.rows.size() == 4u);
  BOOST_TEST(at(table, 0, "against") == "itself, the fastest");
  BOOST_TEST(at(table, 1, "kind") == "own");
  BOOST_TEST(at(table, 1, "told") == "yes");
  BOOST_TEST(contains(at(table, 1, "advice"), "slower"));
  BOOST_TEST(at(table, 2, "what") == "mkl: gemm: small squares");
  BOOST_TEST(at(table, 3, "what") == "blis-pthread: gemm: small squares");
  BOOST_TEST(contains(at(table, 3, "advice"), "starts threads for products that one thread ends sooner"));
  BOOST_TEST(table.number(3, "takes") == 100.0, boost::test_tools::tolerance(0.02));
}

// One name and a count; a share of more than the limit is no error.
BOOST_AUTO_TEST_CASE(one_row_has_one_winner) {
  const std::vector<Configuration> all{configuration("a", "", 1.0, 0.02), configuration("b", "", 1.001, 0.03),
                                       configuration("c", "", 3, 0.01)};
  Roof roof;
  roof.limits = {{"fma", "f32", 512, 2, 1e6}, {"copy", "", 0, 2, 1e3}};
  const perp::Table best = best_table(lines_of(all, roof, rows));
  BOOST_REQUIRE(best.rows.size() == 3u);
  BOOST_TEST(at(best, 0, "use_most") == "a (+1 equal)");
  BOOST_TEST(at(best, 0, "use_fewest") == "a (+1 equal)");
  BOOST_TEST(at(best, 0, "equals_most") == "b");
  BOOST_TEST(at(best, 0, "next_most").starts_with("c, × 3.0"));
  BOOST_TEST(at(best, 0, "limit_most") == "in cache");
  BOOST_TEST(at(best, 1, "limit_most") == "26%");  // 128 operations a second of 500 that memory allows
}

// Of many comparisons at once one has to differ by more: alone it would be told apart.
BOOST_AUTO_TEST_CASE(verdicts_are_adjusted_for_their_number) {
  std::vector<Configuration> all{configuration("usual", "", 1, 0), configuration("other", "", 0.95, 0.03)};
  BOOST_TEST(only_answer(all).cost.told());
  for (int i = 0; i < 20; ++i) all.push_back(configuration("alike", "", 1, 0.01));
  const Answer answer = only_answer(all);
  BOOST_TEST(answer.best == &all[1]);
  BOOST_TEST(!answer.cost.told());
}

BOOST_AUTO_TEST_CASE(a_processor_has_a_name) {
  const char* text =
      "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n"
      "stepping\t: 1\nflags\t\t: fpu sse2 avx2 avx512f\n\nprocessor\t: 1\n";
  BOOST_TEST(identity_of(text) == "family 25, model 17, stepping 1 (Zen 4)");
  BOOST_TEST(widest_vectors(text) == "512 (AVX-512)");
  BOOST_TEST(identity_of("vendor_id : Somebody\ncpu family : 6\nmodel : 3\nstepping : 2\nflags : sse2\n") ==
             "family 6, model 3, stepping 2");
  BOOST_TEST(identity_of("CPU implementer\t: 0x41\n") == "not shown");
}

BOOST_AUTO_TEST_SUITE_END()
