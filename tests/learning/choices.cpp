// The rates and sizes that are chosen in advance: what follows from runs by hand, the file, and who trains
// with what.

#include "studies/learning/choices.hpp"

#include <set>

#include "perp/io/file.hpp"
#include "perp/io/sha256.hpp"
#include "studies/learning/claims.hpp"
#include "tests/learning/quick.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

constexpr std::string_view header = "arm,positions,width,rate,size,copy2,named,bite,mean,chosen\n";

std::vector<Choice> of_lines(std::string_view lines) {
  return read_choices(std::string(header).append(lines));
}

/// The end of each of the runs to choose from.
std::vector<Trained> ends_of(const std::function<std::size_t(const Run&)>& learned_at) {
  std::vector<Trained> ends;
  for (const Run& run : choice_runs()) {
    Trained end{};
    static_cast<Run&>(end) = run;
    end.learned_at = learned_at(run);
    ends.push_back(end);
  }
  return ends;
}

auto place_of(const Choice& choice) { return std::tuple(choice.arm, choice.positions, choice.width); }

/// Six settings of each arm and width, one of which is chosen and takes the fewest steps.
void check_choices(const std::vector<Choice>& choices) {
  BOOST_TEST(choices.size() == 72U);
  const auto places = group_by(choices, place_of);
  BOOST_TEST(places.size() == 12U);
  for (const Group<Choice>& settings : places) {
    BOOST_TEST(settings.size() == 6U);
    BOOST_TEST(group_by(settings, &Run::rate, &Run::size).size() == 6U);
    BOOST_TEST(count_if(settings, &Choice::chosen) == 1U);
    for (const Choice& choice : settings) {
      near(choice.mean, (choice.copy2 + choice.named + choice.bite) / 3);
      if (choice.chosen) BOOST_TEST(choice.mean == least(settings, &Choice::mean));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_choices)

BOOST_AUTO_TEST_CASE(runs_to_choose_from_are_no_measured_ones) {
  const Runs runs = choice_runs();
  BOOST_TEST(runs.size() == 864U);
  std::set<std::string> names;
  std::set<std::size_t> seeds;
  for (const Run& run : runs) {
    names.insert(to_text(coordinates_of(run)));
    seeds.insert(run.seed);
    BOOST_TEST(run.position_width == (run.arm == "add" ? 0 : run.width / 2));
    BOOST_TEST(run.until == "learned");
  }
  BOOST_TEST(names.size() == runs.size());
  BOOST_TEST(seeds.size() == 4U);
  Options options = quick_options();
  for (const Preset preset : {Preset::quick, Preset::full, Preset::long_}) {
    options.preset = preset;
    for (const Runs& list : {measured_runs(options), looked_at_runs(options), small_start_runs(options)}) {
      BOOST_TEST(!list.empty());
      for (const Run& run : list)
        if (seeds.contains(run.seed)) BOOST_ERROR("seed " << run.seed << " was chosen on");
    }
  }
}

BOOST_AUTO_TEST_CASE(the_fewest_steps_over_tasks_are_chosen) {
  // Every setting takes 100 steps, seeds 0, 10, 20 and 30 more, and one of each place takes less: in named
  // places by 60, though in copying it takes 30 more.
  const auto is_best = [](const Run& run) {
    return run.rate == 0.03 && run.size == (run.positions == "learned" ? 4 : 2);
  };
  const auto steps = [&](const Run& run) {
    const std::size_t own = 100 + 10 * (run.seed % 4);
    if (!is_best(run)) return own;
    return run.task == "named" ? own - 60 : run.task == "copy2" ? own + 30 : own;
  };
  const std::vector<Choice> choices = choices_of(ends_of(steps));
  check_choices(choices);
  for (const Choice& choice : choices) {
    BOOST_TEST(choice.chosen == is_best(choice));
    BOOST_TEST(choice.copy2 == (is_best(choice) ? 145 : 115));
    BOOST_TEST(choice.named == (is_best(choice) ? 55 : 115));
    BOOST_TEST(choice.bite == 115);
  }
  // Who does not learn counts as all of the steps; of equal ones the first is chosen.
  for (const Choice& choice : choices_of(ends_of([](const Run&) { return std::size_t{501}; }))) {
    BOOST_TEST(choice.mean == 500);
    BOOST_TEST(choice.chosen == (choice.rate == 0.01 && choice.size == 1));
  }
}

BOOST_AUTO_TEST_CASE(the_file_is_read_as_it_was_written) {
  std::vector<CellRecords> cells;
  for (const Trained& end : ends_of([](const Run& run) { return 100 + std::size_t(30 * run.size); }))
    cells.push_back(kept(static_cast<const Run&>(end), end));
  const Outcome outcome = choose().summarise(cells);
  const std::vector<Choice> read = read_choices(to_csv(table_of(outcome.tables, "choices.csv")));
  check_choices(read);
  for (const Choice& choice : read) {
    BOOST_TEST(choice.chosen == (choice.rate == 0.01 && choice.size == 1));
    BOOST_TEST(choice.bite == 100 + 30 * choice.size);
  }
  BOOST_TEST(judged(outcome) == "unmeasured");
}

BOOST_AUTO_TEST_CASE(files_that_are_none_are_refused) {
  BOOST_TEST(of_lines("").empty());
  const std::vector<Choice> two =
      of_lines("add,learned,16,0.03,4,1,2.5,3,2.2,1\nconcat,as_is,32,0.01,1,4,5,6,5,0\n");
  BOOST_REQUIRE_EQUAL(two.size(), 2U);
  BOOST_TEST(two[0].arm == "add");
  BOOST_TEST(two[0].positions == "learned");
  BOOST_TEST(two[0].width == 16U);
  BOOST_TEST(two[0].rate == 0.03);
  BOOST_TEST(two[0].size == 4);
  BOOST_TEST(two[0].named == 2.5);
  BOOST_TEST((two[0].chosen && !two[1].chosen));
  for (const char* line : {"add,learned,16,0,4,1,2,3,2,1\n", "add,learned,16,0.03,-1,1,2,3,2,1\n"})
    check_refusal([&] { of_lines(line); }, "choices.csv: row 1: rate");
  check_refusal([] { of_lines("add,learned,16,fast,4,1,2,3,2,1\n"); }, "fast");
  check_refusal([] { of_lines("add,learned,16\n"); }, "choices.csv");
  check_refusal([] { read_choices("arm,positions,width,rate\nadd,learned,16,0.03\n"); }, "'size'");
  check_refusal([] { read_choices(""); }, "choices.csv");
}

BOOST_AUTO_TEST_CASE(the_repositorys_file_is_complete_and_in_the_program) {
  const std::string text = read_file(std::filesystem::path(PERP_SOURCE_DIR) / "studies/learning/choices.csv");
  check_choices(read_choices(text));
  check_choices(choices());
  BOOST_TEST(choices_input().name == "choices.csv");
  BOOST_TEST(choices_input().sha256 == sha256_hex(text));
  BOOST_TEST(results_of("A8").inputs.front().sha256 == choices_input().sha256);
}

BOOST_AUTO_TEST_CASE(arms_train_with_what_was_chosen_for_them) {
  const std::vector<Choice> from = of_lines(
      "add,centred,16,0.03,2,1,1,1,1,1\nadd,centred,32,0.5,5,0,0,0,0,0\nadd,centred,32,0.02,4,1,1,1,1,1\n"
      "add,as_is,32,0.03,3,1,1,1,1,1\nconcat,centred,32,0.04,6,1,1,1,1,1\n");
  const auto check = [&](const Arm& arm, std::size_t width, double rate, double size) {
    const Run run = tuned(run_of("bite", arm, {.width = width, .seed = 9}), from);
    BOOST_TEST(run.rate == rate, arm << " of width " << width);
    BOOST_TEST(run.size == size, arm << " of width " << width);
    BOOST_TEST((run.task == "bite" && run.width == width && run.seed == 9U));  // and nothing else moves
  };
  check({"add", "centred"}, 16, 0.03, 2);
  check({"add", "centred"}, 32, 0.02, 4);
  check({"add", "centred"}, 64, 0.02, 4);
  check({"add", "fitted"}, 32, 0.03, 3);
  check({"concat", "centred", 16}, 32, 0.04, 6);
  check({"concat", "centred", 8}, 32, 0.04, 6);
  check({"project", "centred", 16}, 32, 0.04, 6);
  for (const char* arm : {"rotary", "alibi", "none"}) check({arm}, 32, 0.01, 1);
  check_refusal(
      [&] {
        tuned(run_of("bite", {"add", "learned"}, {}), from);
      },
      "nothing chosen for add with positions learned of width 32; run make choices");
  check_refusal(
      [&] {
        tuned(run_of("bite", {"concat", "centred", 8}, {.width = 16}), from);
      },
      "run make choices");
  check_refusal([&] { tuned(run_of("bite", {"add", "centred"}, {}), {}); }, "run make choices");
}

BOOST_AUTO_TEST_CASE(measured_runs_train_with_the_repositorys_choices) {
  Options options = quick_options();
  for (const Preset preset : {Preset::quick, Preset::full, Preset::long_}) {
    options.preset = preset;
    for (const Run& run : measured_runs(options)) {
      const Run chosen = tuned(run);
      if (run.rate != chosen.rate || run.size != chosen.size) BOOST_ERROR(to_text(coordinates_of(run)));
    }
    // Where arms are looked at side by side, all have one rate and size.
    for (const Runs& list : {looked_at_runs(options), small_start_runs(options)})
      for (const Run& run : list)
        if (run.rate != usual_rate || run.size != usual_size) BOOST_ERROR(to_text(coordinates_of(run)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
