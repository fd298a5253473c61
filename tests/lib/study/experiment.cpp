// Cells side by side, kept, found again, and the same bytes whatever happens: of a study small enough to reason
// about. What is kept comes back as it was; what does not fit is found out.

#include "perp/study/experiment.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <span>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/inputs.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/cells.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

namespace perp::test {

struct Toy {
  std::size_t cells = 20;
  std::size_t fails_at = 1000;  ///< the cell that throws
  std::string unit = "1";
  std::string input = "input";
  std::shared_ptr<std::atomic<int>> runs = std::make_shared<std::atomic<int>>(0);

  Experiment experiment(const std::string& claim = "O1") const {
    Experiment toy(claim, R"(statement = "A claim."
source = "[t]"
[table]
toy = "i mean text"
[column]
i    = "number of the cell"
mean = { kind = "sampled", is = "mean of five draws" }
text = { kind = "text", is = "a text" }
[findings]
mean = { cell = "sum.mean", kind = "sampled", theory = 0, n = "cells", is = "A sum." }
[rule]
core = [{ of = "mean", equal = "theory", margin = 200, evidence = "simulation" }]
)",
                   {input});
    for (std::size_t i = 0; i < cells; ++i)
      toy.cell({{"i", whole(i)}}, static_cast<double>(1 + i * 7 % 5),
               [i, runs = runs, bad = fails_at](const Streams& streams, Out& out) {
                 ++*runs;
                 require(i != bad, "cannot measure this one");
                 std::vector<double> draws(5);
                 fill_normal(streams("draws"), std::span<double>(draws));
                 out("toy", {{"mean", std::accumulate(draws.begin(), draws.end(), 0.0) / 5}, {"text", "a"}});
               });
    toy.fold([](const Frames& measured, Out& out) {
      const Frame& cells = measured["toy"];
      out("sum", {{"mean", estimated(cells.sum("mean"), known_spread(30))}, {"cells", cells.size()}});
    });
    return toy;
  }

  Study study() const {
    return {"toy", "about", {"O1"}, {}, [toy = *this](const Options&) {
              return Prepared{{toy.experiment()}, {}, {}};
            }};
  }
};

/// Findings and tables as one text, for comparing runs byte for byte.
inline std::string bytes(const Results& results) {
  std::string text = to_json(results);
  for (const Table& table : results.tables) text += to_csv(table);
  return text;
}

}  // namespace perp::test

using namespace perp;
using namespace perp::test;
using State = CellStore::State;

namespace {

const Records kept{
    {"a", {{"x", 0.1}, {"n", whole(3)}, {"t", std::string("nan")}}},
    {"a", {{"x", std::numeric_limits<double>::quiet_NaN()}, {"y", -1e308}}},
    {"b", {{"x", std::numeric_limits<double>::infinity()}, {"one", 1.0}, {"t", std::string("a\"b\n'")}}},
    {"words",
     {{"latin", std::string("caf\xe9")}, {"none", std::string("\xff\x00x", 3)}, {"x", std::string("x63")}}},
    {"empty", {}}};

void check_same(const Records& found) {
  BOOST_REQUIRE(found.size() == kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    BOOST_TEST(found[i].name == kept[i].name);
    BOOST_REQUIRE(found[i].values.size() == kept[i].values.size());
    for (std::size_t j = 0; j < kept[i].values.size(); ++j) {
      const auto& [name, value] = kept[i].values[j];
      BOOST_TEST(found[i].values[j].name == name);
      const Value& back = found[i].values[j].value;
      BOOST_TEST(back.index() == value.index(), "type of " << name);  // 1.0 stays real, 3 stays whole
      if (const double* real = std::get_if<double>(&value); real && std::isnan(*real))
        BOOST_TEST(std::isnan(std::get<double>(back)));
      else
        BOOST_TEST((back == value));
    }
  }
}

struct Fixture {
  Scratch scratch;
  Experiment experiment = Toy{}.experiment();
  CellStore store{scratch.path(), "context"};
  const Cell& cell = experiment.cells[0];
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(study_cell_store, Fixture)

BOOST_AUTO_TEST_CASE(round_trip) {
  BOOST_TEST((store.find(experiment, cell).state == State::absent));
  store.keep(experiment, cell, kept);
  const CellStore::Found found = store.find(experiment, cell);
  BOOST_TEST((found.state == State::kept));
  check_same(found.records);
}

BOOST_AUTO_TEST_CASE(every_coordinate_of_the_key_matters) {
  store.keep(experiment, cell, kept);
  BOOST_TEST((store.find(experiment, experiment.cells[1]).state == State::absent));
  BOOST_TEST((CellStore(scratch.path(), "another build").find(experiment, cell).state == State::absent));
  Experiment other = experiment;
  other.claim = "O2";
  BOOST_TEST((store.find(other, cell).state == State::absent));
  other = experiment;
  other.depends = {"another input"};
  BOOST_TEST((store.find(other, cell).state == State::absent));
}

BOOST_AUTO_TEST_CASE(cells_of_different_coordinates_have_different_names) {
  const std::vector<Coordinates> all{{{"a", "1 b=2"}},           {{"a", 1}, {"b", 2}},
                                     {{"a", "1 b\\=2"}},         {{"a", "1\\"}, {"b", 2}},
                                     {{"a", "1\\ b"}, {"c", 2}}, {{"a", "1 b"}, {"c", 2}}};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      BOOST_TEST(store.path(experiment, {all[i]}) != store.path(experiment, {all[j]}), to_text(all[i]));
  // A cell's name is the key of its random streams: those that are in use stay as they are.
  BOOST_TEST(to_text(Coordinates{{"kind", "read"}, {"mask", "both ways"}, {"d", 64}, {"x", 0.5}}) ==
             "kind=read mask=both ways d=64 x=0.5");
}

BOOST_AUTO_TEST_CASE(truncation_at_every_byte_and_every_flipped_byte_is_found_out) {
  store.keep(experiment, cell, kept);
  const std::filesystem::path file = store.path(experiment, cell);
  const std::string whole_file = read_file(file);
  for (std::size_t size = 0; size < whole_file.size(); ++size) {
    write_whole(file, whole_file.substr(0, size));
    BOOST_REQUIRE_MESSAGE((store.find(experiment, cell).state == State::damaged),
                          "cut to " << size << " bytes");
    std::string flipped = whole_file;
    flipped[size] = static_cast<char>(flipped[size] ^ 1);
    write_whole(file, flipped);
    BOOST_REQUIRE_MESSAGE((store.find(experiment, cell).state == State::damaged),
                          "byte " << size << " flipped");
  }
}

BOOST_AUTO_TEST_CASE(a_folder_in_a_cells_place_is_moved_aside) {
  const std::filesystem::path file = store.path(experiment, cell);
  std::filesystem::create_directories(file / "somebodys");
  BOOST_TEST((store.find(experiment, cell).state == State::damaged));
  store.keep(experiment, cell, kept);
  BOOST_TEST((store.find(experiment, cell).state == State::kept));
  BOOST_TEST(std::filesystem::is_directory(file.string() + ".aside/somebodys"));
}

BOOST_AUTO_TEST_CASE(an_entry_of_another_cell_is_found_out) {
  store.keep(experiment, experiment.cells[1], kept);
  std::filesystem::create_directories(store.path(experiment, cell).parent_path());
  std::filesystem::copy_file(store.path(experiment, experiment.cells[1]), store.path(experiment, cell));
  BOOST_TEST((store.find(experiment, cell).state == State::damaged));
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_written_is_named) {
  const std::filesystem::path blocked = scratch.file("file", "");
  check_refusal([&] { CellStore(blocked, "").keep(experiment, cell, kept); }, blocked.string());
}

BOOST_AUTO_TEST_SUITE_END()

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
  for (Cell& cell : toy.cells)
    cell.measure = [&begun, cost = cell.cost, measure = cell.measure](const Streams& streams, Out& out) {
      begun.push_back(cost);
      measure(streams, out);
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

// Longer, another in its place, gone: while cells are measured, or between its reading and its hashing.
BOOST_AUTO_TEST_CASE(nothing_is_kept_of_an_input_that_changed_while_it_was_read) {
  const std::vector<std::function<void(const Scratch&)>> changes = {
      [](const Scratch& in) { std::ofstream(in / "input", std::ios::app) << "b"; },
      [](const Scratch& in) { std::filesystem::rename(in.file("other", "b"), in / "input"); },
      [](const Scratch& in) { std::filesystem::remove(in / "input"); }};
  for (std::size_t i = 0; i < 2 * changes.size() - 1; ++i) {
    const Scratch scratch;
    const std::filesystem::path input = scratch.file("input", "a");
    const auto change = [&] { changes[i % changes.size()](scratch); };
    const bool before_hash = i >= changes.size();
    Experiment toy = Toy{}.experiment();
    std::size_t measured = 0;
    for (Cell& cell : toy.cells)
      cell.measure = [&, measure = cell.measure](const Streams& streams, Out& out) {
        if (++measured == 7 && !before_hash) change();
        measure(streams, out);
      };
    Study study = study_of({toy});
    study.prepare = [&](const Options&) {
      static_cast<void>(read_file(input));
      if (before_hash) change();
      static_cast<void>(input_sha256(input));
      return Prepared{{toy}, {}, {}};
    };
    check_refusal([&] { measure(study, options_in(scratch, 1)); }, "/input' was changed while it was read");
    std::size_t cells = 0;
    std::error_code none;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch / "cells", none))
      if (entry.path().extension() == ".cell") ++cells;
    BOOST_TEST(cells == (before_hash ? 0U : 6U));
  }
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
    Experiment first = toy.experiment(), second = toy.experiment("O2");
    first.work = second.work = work;
    second.cells.erase(second.cells.begin(), second.cells.begin() + 5);
    const int before = *toy.runs;
    const Results results = measure(study_of({first, second}), options_in(scratch));
    BOOST_TEST(results.findings.size() == 2U);
    BOOST_TEST(results.findings.back().n == 15U);
    return *toy.runs - before;
  };
  BOOST_TEST(measured("training") == 20);
  BOOST_TEST(measured("training") == 0);  // kept
  BOOST_TEST(measured("") == 35);
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
  check_refusal([&] { with({"O1"}, {}, [](Experiment& toy) { toy.cells.push_back(toy.cells[3]); }); },
                "O1: the cell i=3 is listed twice");
}

BOOST_AUTO_TEST_SUITE_END()
