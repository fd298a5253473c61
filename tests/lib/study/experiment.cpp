// Cells side by side, kept, found again, and the same bytes whatever happens.

#include "perp/study/experiment.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "perp/study/cells.hpp"
#include "tests/lib/study/toy.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

Options options_in(const Scratch& scratch, std::size_t threads = 2) {
  Options options;
  options.threads = threads;
  options.build = scratch.path();
  options.out = scratch / "out";
  return options;
}

Study study_of(const std::vector<Experiment>& experiments) {
  Study study = Toy{}.study();
  study.claims.clear();
  for (const Experiment& experiment : experiments) study.claims.push_back(experiment.claim);
  study.prepare = [experiments](const Options&) { return Prepared{experiments, {}, {}}; };
  return study;
}

Finding made(std::string id, double value) {
  return {std::move(id), {}, value, {}, {}, {}, {}, "1", 1, Kind::exact, "meaning"};
}
Outcome outcome_of(const std::vector<Finding>& findings) {
  return {findings, {}, {{findings.front().id, Is::above, 0.0}}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_experiment)

BOOST_AUTO_TEST_CASE(same_bytes_for_any_number_of_threads_and_any_order) {
  const auto now = [](std::size_t threads, std::uint64_t seed) {
    const Scratch scratch;
    Options options = options_in(scratch, threads);
    options.seed = seed;
    return bytes(measure(Toy{}.study(), options));
  };
  const std::string one = now(1, 1);
  for (const std::size_t threads : {2, 7}) BOOST_TEST(now(threads, 1) == one);
  BOOST_TEST(now(1, 2) != one);
}

BOOST_AUTO_TEST_CASE(dear_cells_are_begun_first) {
  const Scratch scratch;
  std::vector<double> begun;
  Experiment toy = Toy{}.experiment();
  toy.run = [&begun, run = toy.run](const Cell& cell, const Streams& streams) {
    begun.push_back(cell.cost);
    return run(cell, streams);
  };
  measure(study_of({toy}), options_in(scratch, 1));
  BOOST_TEST(begun.size() == toy.cells.size());
  BOOST_TEST(std::ranges::is_sorted(begun, std::ranges::greater{}));
}

BOOST_AUTO_TEST_CASE(only_what_is_new_is_measured) {
  const Scratch scratch;
  Toy toy;
  Options options = options_in(scratch);
  const auto run = [&] { return bytes(measure(toy.study(), options)); };
  const std::string first = run();
  BOOST_TEST(*toy.runs == 20);
  BOOST_TEST(run() == first);
  BOOST_TEST(*toy.runs == 20);
  toy.cells = 25;  // a wider grid
  run();
  BOOST_TEST(*toy.runs == 25);
  toy.input = "another file's hash";
  run();
  BOOST_TEST(*toy.runs == 50);
  options.fresh = true;
  run();
  BOOST_TEST(*toy.runs == 75);
}

BOOST_AUTO_TEST_CASE(finished_cells_outlive_a_failure) {
  const Scratch scratch;
  Toy toy;
  toy.fails_at = 7;
  check_refusal([&] { measure(toy.study(), options_in(scratch, 1)); }, "O1 at i=7: cannot measure this one");
  BOOST_TEST(*toy.runs > 1);
  toy.fails_at = 1000;
  measure(toy.study(), options_in(scratch, 1));
  BOOST_TEST(*toy.runs == 20 + 1);  // the one that failed was tried twice
}

BOOST_AUTO_TEST_CASE(parts_measure_each_cell_once_and_cost_alike) {
  const Scratch scratch, alone;
  const Toy toy;
  Options options = options_in(scratch);
  std::vector<double> costs;
  for (const std::size_t number : {2, 3, 1, 3}) {  // in any order; once more: what is kept changes no part
    options.part = Part{number, 3};
    const Measured measured = measure_cells(toy.study(), {toy.experiment()}, options);
    BOOST_TEST(measured.run.cells_run + measured.run.cells_reused == (number == 3 ? 6U : 7U));
    BOOST_TEST(measured.run.cells_reused == (costs.size() == 3 ? 6U : 0U));
    costs.push_back(0);
    for (const auto& [cell, records] : measured.records.front())
      if (!records.empty()) costs.back() += cell.cost;
  }
  BOOST_TEST(*toy.runs == 20);
  const auto [least, most] = std::ranges::minmax(costs);
  BOOST_TEST(most - least <= 5);  // a cell of the dearest kind
  options.part.reset();
  BOOST_TEST(bytes(measure(toy.study(), options)) == bytes(measure(Toy{}.study(), options_in(alone))));
  BOOST_TEST(*toy.runs == 20);
  options.part = Part{21, 30};  // of more parts than cells
  BOOST_TEST(measure_cells(toy.study(), {toy.experiment()}, options).run.cells_reused == 0U);
}

BOOST_AUTO_TEST_CASE(claims_that_read_the_same_work_measure_it_once) {
  const Scratch scratch;
  const Toy toy;
  const auto measured = [&](std::string_view work) {
    Experiment first = toy.experiment(), second = toy.experiment();
    first.work = second.work = work;
    second.claim = "O2";
    second.cells.erase(second.cells.begin(), second.cells.begin() + 5);
    second.summarise = [](const std::vector<CellRecords>& cells) {
      return outcome_of({made("O2.count", cells.size())});
    };
    const int before = *toy.runs;
    const Results results = measure(study_of({first, second}), options_in(scratch));
    BOOST_TEST(results.findings.size() == 2U);
    BOOST_TEST(results.findings.back().value == 15);
    return *toy.runs - before;
  };
  BOOST_TEST(measured("training") == 20);
  BOOST_TEST(measured("training") == 0);  // kept
  BOOST_TEST(measured("") == 35);
}

BOOST_AUTO_TEST_CASE(findings_need_a_meaning_and_a_name_of_their_own) {
  const Scratch scratch;
  const auto with = [&](const std::vector<Finding>& findings) {
    Experiment toy = Toy{}.experiment();
    toy.summarise = [findings](const std::vector<CellRecords>&) { return outcome_of(findings); };
    measure(study_of({toy}), options_in(scratch));
  };
  const Finding good = made("O1.mean", 1);
  Finding silent = good;
  silent.meaning.clear();
  with({good});
  check_refusal([&] { with({silent}); }, "O1: finding O1.mean has no meaning");
  check_refusal([&] { with({good, good}); }, "O1: finding O1.mean is stated twice");
}

BOOST_AUTO_TEST_CASE(tables_and_their_columns_have_names_of_their_own) {
  const Scratch scratch;
  const auto with = [&](const std::vector<Table>& tables) {
    Experiment toy = Toy{}.experiment();
    toy.summarise = [tables](const std::vector<CellRecords>&) {
      Outcome outcome = outcome_of({made("O1.mean", 1)});
      outcome.tables = tables;
      return outcome;
    };
    Experiment second = toy;
    second.claim = "O2";
    second.summarise = [](const std::vector<CellRecords>&) {
      Outcome outcome = outcome_of({made("O2.mean", 1)});
      outcome.tables = {{"c.csv", {{"d", "1"}}}};
      return outcome;
    };
    measure(study_of({toy, second}), options_in(scratch));
  };
  const Table good{"a.csv", {{"d", "1"}, {"k", "1"}}};
  with({good, {"b.csv", {{"d", "1"}}}});
  check_refusal([&] { with({good, good}); }, "O1: table a.csv is written twice");
  check_refusal([&] { with({{"c.csv", {{"d", "1"}}}}); }, "O2: table c.csv is written twice");
  check_refusal(
      [&] {
        with({{"a.csv", {{"d", "1"}, {"d", "1"}}}});
      },
      "O1: table a.csv has two columns named 'd'");
}

BOOST_AUTO_TEST_CASE(a_claim_that_is_wired_by_half_is_named) {
  const Scratch scratch;
  const auto with = [&](std::vector<std::string> listed, std::vector<std::string> only, const auto& change) {
    Experiment toy = Toy{}.experiment();
    change(toy);
    Study study = study_of({toy});
    study.claims = std::move(listed);
    Options options = options_in(scratch);
    options.only = std::move(only);
    measure(study, options);
  };
  const auto as_it_is = [](Experiment&) {};
  with({"O1", "O2"}, {"O1"}, as_it_is);
  check_refusal([&] { with({"O2"}, {}, as_it_is); }, "O1: prepared by study 'toy' and missing in its list");
  check_refusal(
      [&] {
        with({"O1", "O2"}, {"O2"}, as_it_is);
      },
      "O2: in the list of claims of study 'toy' and");
  for (std::string Experiment::*part : {&Experiment::statement, &Experiment::source})
    check_refusal([&] { with({"O1"}, {}, [&](Experiment& toy) { (toy.*part).clear(); }); },
                  "O1: a claim has a statement and a source");
  check_refusal([&] { with({"O1"}, {}, [](Experiment& toy) { toy.summarise = nullptr; }); },
                "O1: nothing follows from its cells");
}

BOOST_AUTO_TEST_SUITE_END()
