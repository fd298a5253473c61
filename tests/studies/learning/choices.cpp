// The rates and sizes that are chosen in advance: what follows from runs by hand, and the file. Who trains with what is
// held by the golden runs.

#include "studies/learning/choices.hpp"

#include <map>
#include <set>

#include "perp/io/file.hpp"
#include "perp/io/sha256.hpp"
#include "studies/learning/a10_text.hpp"
#include "studies/learning/claims.hpp"
#include "tests/studies/learning/quick.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

/// choices.csv of the runs to choose from, had each learned at that step.
std::vector<Choice> chosen_by(const std::function<std::size_t(const Run&)>& learned_at) {
  std::vector<CellRecords> cells;
  for (const Run& run : choice_runs())
    cells.push_back(cell_with(run, [&](Out& out) { add_end(learned_at(run), NAN, out); }));
  return read_choices(to_csv(table(choose().summarise(cells), "choices.csv")));
}

/// Twenty settings of each arm, one of which is chosen and takes the fewest steps.
void check_choices(const std::vector<Choice>& choices) {
  std::map<std::string, std::vector<Choice>> arms;
  for (const Choice& choice : choices)
    arms[fmt::format("{} {} {}", choice.arm, choice.positions, choice.position_width)].push_back(choice);
  BOOST_TEST(arms.size() == 9U);
  for (const auto& [arm, settings] : arms) {
    std::set<std::pair<double, double>> tried;
    for (const Choice& choice : settings) tried.emplace(choice.rate, choice.size);
    BOOST_TEST(settings.size() == 20U);
    BOOST_TEST(tried.size() == 20U);
    BOOST_TEST(count_of(settings, &Choice::chosen) == 1U);
    const double least = std::ranges::min(settings, {}, &Choice::mean).mean;
    for (const Choice& choice : settings) {
      near(choice.mean, (choice.copy2 + choice.named + choice.bite) / 3);
      if (choice.chosen) BOOST_TEST(choice.mean == least);
    }
  }
}

/// Of each arm and its positions one is chosen.
void check_text_choices(const std::vector<TextChoice>& choices) {
  std::map<std::pair<std::string, std::string>, std::size_t> chosen;
  for (const TextChoice& choice : choices) chosen[{choice.arm, choice.positions}] += choice.chosen;
  for (const auto& [arm, count] : chosen) BOOST_TEST(count == 1U, arm.first);
}

/// A text of 99 kinds of bytes in turn.
std::string some_bytes() {
  std::string bytes;
  for (int i = 0; i < 9900; ++i) bytes += char(1 + i % 99);
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_choices)

BOOST_AUTO_TEST_CASE(runs_to_choose_from_are_no_measured_ones) {
  std::set<std::string> names;
  for (const Run& run : choice_runs()) {
    names.insert(name_of(run));
    if (run.seed <= 1000) BOOST_ERROR(name_of(run));
  }
  BOOST_TEST(names.size() == 2160U);
  Options options = options_of(Preset::long_);
  options.extra["rate"] = "0.007";  // then of all runs
  for (const Runs& runs : {measured_runs(options), looked_at_runs(options), small_start_runs(options)})
    for (const Run& run : runs) BOOST_TEST((run.seed < 1000 && run.rate == 0.007));
}

BOOST_AUTO_TEST_CASE(the_fewest_steps_over_tasks_are_chosen) {
  // Every setting takes 100 steps, seeds 0, 10, 20 and 30 more, and one of each place takes less: in named
  // places by 60, though in copying it takes 30 more.
  const auto is_best = [](const Run& run) {
    return run.rate == 0.04 && run.size == (run.positions == "learned" ? 4 : 2);
  };
  const std::vector<Choice> choices = chosen_by([&](const Run& run) {
    const std::size_t own = 100 + 10 * (run.seed % 4);
    if (!is_best(run)) return own;
    return run.task == "named" ? own - 60 : run.task == "copy2" ? own + 30 : own;
  });
  check_choices(choices);
  for (const Choice& choice : choices) {
    BOOST_TEST(choice.chosen == is_best(choice));
    BOOST_TEST(choice.copy2 == (is_best(choice) ? 145 : 115));
    BOOST_TEST(choice.named == (is_best(choice) ? 55 : 115));
    BOOST_TEST(choice.bite == 115);
  }
  // Who does not learn counts as all of the steps; of equal ones the first is chosen.
  for (const Choice& choice : chosen_by([](const Run&) { return std::size_t{501}; })) {
    BOOST_TEST(choice.mean == 500);
    BOOST_TEST(choice.chosen == (choice.rate == 0.01 && choice.size == 0.25));
  }
}

BOOST_AUTO_TEST_CASE(the_repositorys_file_is_complete_and_in_the_program) {
  const std::string text = read_file(std::filesystem::path(PERP_SOURCE_DIR) / "studies/learning/choices.csv");
  check_choices(choices());
  // A10's limits say which optimum lies at the edge of what was tried.
  for (const Choice& choice : choices())
    if (choice.chosen)
      BOOST_TEST((choice.size == 4 || choice.size == 0.25 || choice.rate == 0.01 || choice.rate == 0.08) ==
                     (choice.positions == "centred" && choice.position_width == 8),
                 choice.arm << " " << choice.positions << " " << choice.position_width);
  BOOST_TEST(choices_input().sha256 == sha256_hex(text));
  BOOST_TEST(results_of("A10").inputs.front().sha256 == sha256_hex(text));
}

// ---- on a text

BOOST_AUTO_TEST_CASE(a_text_is_chosen_for_round_by_round) {
  // Bits a byte of a made-up law: best at a size of 2, a rate of .006 and 16 dimensions; a first round does not
  // see these sizes and rates, a second sees each, later ones both, until nothing is new.
  const auto bits = [](const Run& run) {
    const auto off = [](double value, double best) { return std::abs(std::log2(value / best)); };
    return 2 + off(run.size, 2) / 10 + off(run.rate, 0.006) / 10 + (run.position_width == 16 ? 0 : 0.3) +
           0.01 * double(run.seed % 2);
  };
  std::vector<TextChoice> last;
  std::size_t runs = 0, rounds = 0;
  for (; rounds < 12 && text_choice_runs(last).size() > runs; ++rounds) {
    runs = text_choice_runs(last).size();
    last = text_choices_by(text_choice_runs(last), bits);
    if (rounds == 0) BOOST_TEST(last.size() == 2 + 2 * (4 + 3) * 4 + 4 + 12 + 12);
  }
  BOOST_TEST(rounds < 12U);
  for (const double rate : {0.0015, 0.006})
    BOOST_TEST(count_of(last, [&](const Run& run) { return run.arm == "rotary" && run.rate == rate; }) == 1U);
  for (const TextChoice& choice : last)
    if (choice.arm == "concat" && choice.rate == 0.003 && choice.size <= 0.25)
      BOOST_TEST(choice.seeds == 1U);  // far from the best one is enough
  const TextChoice best = best_choice(last, "add", "learned");
  BOOST_TEST((best.size == 2 && best.rate == 0.006 && best.position_width == 16));
  near(best.bits, bits(best) + 0.02 / 3);  // over three seeds, two of which are odd
  BOOST_TEST(best_choice(last, "add", "learned", Widths::whole).position_width == 0U);
  check_text_choices(last);
  check_refusal([&] { best_choice(last, "alibi", "none"); },
                "nothing tried for alibi with positions none; run make choices");
  // As a file, and back.
  const Outcome outcome = a10_of([&](Out& out) { add_text_choices(last, out); });
  const auto read = read_text_choices(to_csv(table(outcome, "a10_text_choices.csv")), "text_choices.csv");
  BOOST_REQUIRE_EQUAL(read.size(), last.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    BOOST_TEST(name_of(Run(read[i])) == name_of(Run(last[i])));
    BOOST_TEST(read[i].chosen == last[i].chosen);
  }
  check_refusal([] { read_text_choices("arm,positions\nadd,learned\n", "mine.csv"); }, "mine.csv");
}

BOOST_AUTO_TEST_CASE(what_was_chosen_on_the_text_has_no_untried_neighbour) {
  const std::vector<TextChoice>& tried = text_choices();  // empty until it was measured
  const Runs again = text_choice_runs(tried);
  std::size_t runs = 0;
  for (const TextChoice& choice : tried) runs += choice.seeds;
  if (!tried.empty()) BOOST_TEST(again.size() == runs);  // another round would find nothing new to try
  check_text_choices(tried);
  BOOST_TEST(text_arms(Preset::long_, 100, made_up_choices()).size() == 29U);
  BOOST_TEST(text_arms(Preset::full, 100, made_up_choices()).size() == 3U);
  BOOST_TEST(text_arms(Preset::full, 100, {}).empty());
}

BOOST_AUTO_TEST_CASE(of_the_arms_of_the_text_those_named_are_trained) {
  const Scratch scratch;
  const auto text = std::make_shared<Text>(scratch.file("text.txt", some_bytes()));
  Options options = options_of(Preset::long_);
  const std::size_t all = text_runs(options, text, made_up_choices()).size();
  options.extra["arms"] = "sum.centred, none";
  const Runs runs = text_runs(options, text, made_up_choices());
  BOOST_TEST(runs.size() == judged_seeds + 4);
  BOOST_TEST(runs.size() < all);
  BOOST_TEST(count_of(runs, [](const Run& run) { return run.arm == "none"; }) == 4U);
  options.extra["arms"] = "sum.centred sum.center";
  check_refusal([&] { text_runs(options, text, made_up_choices()); },
                "--arms 'sum.center': no arm of the text in preset long");
  check_refusal([&] { text_runs(options, {}, made_up_choices()); },
                "--arms: preset long trains on no text here");
}

BOOST_AUTO_TEST_SUITE_END()
