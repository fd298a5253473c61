// Cells side by side, kept, found again, and the same bytes whatever happens.

#include "perp/study/experiment.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "perp/study/cell_store.hpp"
#include "tests/study/toy.hpp"
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

}  // namespace

BOOST_AUTO_TEST_SUITE(study_experiment)

BOOST_AUTO_TEST_CASE(same_bytes_for_any_number_of_threads_and_any_order) {
  std::string first;
  for (const std::size_t threads : {1, 2, 7}) {
    const Scratch scratch;
    const std::string now = bytes(measure(Toy{}.study(), options_in(scratch, threads)));
    if (first.empty()) first = now;
    BOOST_TEST(now == first, "another result with " << threads << " threads");
  }
}

BOOST_AUTO_TEST_CASE(dear_cells_are_begun_first) {
  const Scratch scratch;
  Toy toy;
  Study study = toy.study();
  std::vector<double> begun;
  study.prepare = [&begun, toy](const Options&) {
    Experiment experiment = toy.experiment();
    experiment.run = [&begun, run = experiment.run](const Cell& cell, const Streams& streams) {
      begun.push_back(cell.cost);
      return run(cell, streams);
    };
    return Prepared{{experiment}, {}, {}};
  };
  measure(study, options_in(scratch, 1));
  BOOST_TEST(begun.size() == toy.cells);
  BOOST_TEST(std::ranges::is_sorted(begun, std::ranges::greater{}));
}

BOOST_AUTO_TEST_CASE(a_seed_changes_the_numbers) {
  const Scratch scratch;
  Options options = options_in(scratch);
  const std::string one = bytes(measure(Toy{}.study(), options));
  options.seed = 2;
  BOOST_TEST(bytes(measure(Toy{}.study(), options)) != one);
}

BOOST_AUTO_TEST_CASE(kept_cells_are_not_measured_again) {
  const Scratch scratch;
  const Toy toy;
  const std::string first = bytes(measure(toy.study(), options_in(scratch)));
  BOOST_TEST(*toy.runs == 20);
  const std::string second = bytes(measure(toy.study(), options_in(scratch)));
  BOOST_TEST(*toy.runs == 20);
  BOOST_TEST(first == second);
  Options fresh = options_in(scratch);
  fresh.fresh = true;
  measure(toy.study(), fresh);
  BOOST_TEST(*toy.runs == 40);
}

BOOST_AUTO_TEST_CASE(a_wider_grid_measures_only_what_is_new) {
  const Scratch scratch;
  Toy toy;
  measure(toy.study(), options_in(scratch));
  toy.cells = 25;
  measure(toy.study(), options_in(scratch));
  BOOST_TEST(*toy.runs == 25);
}

BOOST_AUTO_TEST_CASE(another_input_measures_again) {
  const Scratch scratch;
  Toy toy;
  measure(toy.study(), options_in(scratch));
  toy.input = "another file's hash";
  measure(toy.study(), options_in(scratch));
  BOOST_TEST(*toy.runs == 40);
}

BOOST_AUTO_TEST_CASE(finished_cells_outlive_a_failure) {
  const Scratch scratch;
  Toy toy;
  toy.fails_at = 7;
  check_refusal([&] { measure(toy.study(), options_in(scratch, 1)); }, "O1 at i=7: cannot measure this one");
  const int before = *toy.runs;
  toy.fails_at = 1000;
  measure(toy.study(), options_in(scratch, 1));
  BOOST_TEST(*toy.runs == 20 + 1);  // the one that failed was tried twice
  BOOST_TEST(before > 1);
}

BOOST_AUTO_TEST_CASE(what_a_killed_run_left_half_written_goes_away) {
  const Scratch scratch;
  measure(Toy{}.study(), options_in(scratch));
  const std::filesystem::path shelf = std::filesystem::directory_iterator(scratch / "cells")->path();
  const std::filesystem::path half = shelf / ".perp-999999999-0.tmp";
  std::ofstream(half) << "half";
  measure(Toy{}.study(), options_in(scratch));
  BOOST_TEST(!std::filesystem::exists(half));
}

BOOST_AUTO_TEST_CASE(what_somebody_still_wrote_at_the_start_goes_away_at_the_end) {
  const Scratch scratch;
  measure(Toy{}.study(), options_in(scratch));
  const std::filesystem::path shelf = std::filesystem::directory_iterator(scratch / "cells")->path();
  const std::filesystem::path half = shelf / ".perp-999999999-0.tmp";
  const int writer = ::open(half.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  BOOST_TEST_REQUIRE(::flock(writer, LOCK_EX) == 0);
  Experiment toy = Toy{}.experiment();
  toy.depends = {"another input"};
  toy.run = [run = toy.run, writer, half](const Cell& cell, const Streams& streams) {
    if (size_at(cell.at, "i") == 7) {
      BOOST_TEST(std::filesystem::exists(half));
      ::close(writer);
    }
    return run(cell, streams);
  };
  Study study = Toy{}.study();
  study.prepare = [toy](const Options&) { return Prepared{{toy}, {}, {}}; };
  measure(study, options_in(scratch, 1));
  BOOST_TEST(!std::filesystem::exists(half));
}

BOOST_AUTO_TEST_CASE(a_damaged_entry_is_measured_again) {
  const Scratch scratch;
  const Toy toy;
  const std::string first = bytes(measure(toy.study(), options_in(scratch)));
  std::size_t damaged = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch / "cells"))
    if (entry.is_regular_file() && damaged < 3) {
      std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(-5, std::ios::end);  // a digit of the mean
      file.put('x');
      ++damaged;
    }
  BOOST_TEST(damaged == 3U);
  BOOST_TEST(bytes(measure(toy.study(), options_in(scratch))) == first);
  BOOST_TEST(*toy.runs == 23);
}

BOOST_AUTO_TEST_CASE(claims_that_read_the_same_work_measure_it_once) {
  const Scratch scratch;
  const Toy toy;
  const auto measured = [&](std::string_view work_of_first, std::string_view work_of_second) {
    Study study = toy.study();
    study.prepare = [&](const Options&) {
      Experiment first = toy.experiment(), second = toy.experiment();
      first.work = work_of_first;
      second.work = work_of_second;
      second.claim = "O2";
      second.cells.erase(second.cells.begin(), second.cells.begin() + 5);
      second.summarise = [](const std::vector<CellRecords>& cells) {
        const std::vector<Coordinates> means = records_of(cells, "mean");
        return Outcome{{{"O2.last",
                         {},
                         number_at(means.back(), "mean"),
                         {},
                         {},
                         {},
                         {},
                         "1",
                         means.size(),
                         Kind::sampled,
                         "The last mean."}},
                       {},
                       {{"O2.last", Is::above, -100.0}},
                       ""};
      };
      return Prepared{{first, second}, {}, {}};
    };
    const int before = *toy.runs;
    const Results results = measure(study, options_in(scratch));
    BOOST_TEST(results.findings.size() == 2U);
    BOOST_TEST(results.findings.back().n == 15U);
    return *toy.runs - before;
  };
  BOOST_TEST(measured("training", "training") == 20);
  BOOST_TEST(measured("training", "training") == 0);  // kept
  BOOST_TEST(measured("", "") == 35);
}

BOOST_AUTO_TEST_CASE(findings_need_a_meaning_and_a_name_of_their_own) {
  const Scratch scratch;
  const auto with = [&](std::vector<Finding> findings) {
    Study study = Toy{}.study();
    study.prepare = [findings](const Options&) {
      Experiment experiment = Toy{}.experiment();
      experiment.summarise = [findings](const std::vector<CellRecords>&) {
        return Outcome{findings, {}, {{"O1.mean", Is::above, 0.0}}, ""};
      };
      return Prepared{{experiment}, {}, {}};
    };
    measure(study, options_in(scratch));
  };
  const Finding good{"O1.mean", {}, 1, {}, {}, {}, {}, "1", 1, Kind::exact, "meaning"};
  Finding silent = good;
  silent.meaning.clear();
  with({good});
  check_refusal([&] { with({silent}); }, "finding O1.mean has no meaning");
  check_refusal([&] { with({good, good}); }, "finding O1.mean is stated twice");
}

BOOST_AUTO_TEST_SUITE_END()
