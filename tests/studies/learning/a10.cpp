// A10 on a text: what it makes of records that nobody measured; which trials and pairs follow from those that were made,
// and the file that holds them.

#include <cmath>
#include <numbers>
#include <set>

#include "studies/learning/a10_text.hpp"
#include "studies/learning/claims.hpp"
#include "tests/studies/learning/quick.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(learning_a10)

namespace {

/// A text whose bytes are four kinds in turns, 2 bits each.
SharedText some_text() {
  static const Scratch scratch;
  static const SharedText text = [] {
    std::string bytes;
    for (int i = 0; i < 20000; ++i) bytes += "abcd";
    return std::make_shared<const Text>(scratch.file("text.txt", bytes));
  }();
  return text;
}

/// A run's bits per byte at its end; a fifth more at a quarter, a tenth at half.
Outcome on_text(const std::function<double(const Run&)>& bits) {
  Experiment claim("A10", toml_of("a10"));
  claim.fold([](const Frames& measured, Out& out) {
    add_text(measured, *some_text(), Preset::long_, made_up_choices(), out);
  });
  std::vector<CellRecords> cells;
  std::set<std::string> names;
  for (const Run& run : text_runs(options_of(Preset::long_), some_text(), made_up_choices())) {
    if (!names.insert(name_of(run)).second) continue;  // two arms may have a run in common
    cells.push_back(cell_with(run, [&](Out& out) {
      const double end = bits(run);
      for (const double share : {0.25, 0.5, 1.0})
        out("HeldOut", {{"share", share}, {"bits", end * (share == 1 ? 1 : share == 0.5 ? 1.1 : 1.2)}});
      const auto add_tables = [&](const char* moment, double overlap, double ratio, double words) {
        out("JoinedTables", {{"moment", moment},
                             {"overlap", overlap},
                             {"ratio", ratio},
                             {"turned", 60},
                             {"held", 0.8},
                             {"words", words}});
      };
      const bool is_learned = run.positions == "learned";
      add_tables("before", 1, 60, 0.8);
      add_tables("after", is_learned ? 0.6 : 0.3, 30, is_learned ? 0.72 : 0.36);
      add_end(run.steps + 1, end, out);
    }));
  }
  return claim.summarise(cells);
}

}  // namespace

// Seeds differ, and sums from concatenations by 1 %, a little more or less in turns. Byte frequencies cost 2 bits: where a
// concatenation is projected nothing was learned; learned positions in all dimensions save less than a bit.
BOOST_AUTO_TEST_CASE(arms_side_by_side) {
  check("text", on_text([](const Run& run) {
          if (run.arm == "none") return 1.9;
          if (run.arm == "project") return 1.1;
          const double own = 0.7 + 0.002 * double(run.seed), swing = run.seed % 2 ? 1.001 : 0.999;
          if (run.arm != "add") return own;
          return run.positions == "learned" ? own + 0.23 : own * swing * 1.01;
        }));
}

BOOST_AUTO_TEST_CASE(text_is_no_evidence_where_positions_hardly_matter) {
  const Outcome outcome = on_text([](const Run& run) { return run.arm == "none" ? 0.75 : 0.7; });
  BOOST_TEST(!find(outcome.findings, "A10.lost.centred"));
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

/// Bits a byte by a made-up law: best in 16 dimensions (a concatenation: in 32), at a size of .5 and a rate of .006
/// (without positions .0015, below every rate of the list), and a sum that loses `lost` of each pair, more or less by
/// `noise`.
struct Law {
  double lost = 0.001, noise = 0.001;
  double operator()(const Run& run) const {
    const auto off = [](double value, double best) { return std::abs(std::log2(value / best)); };
    const bool is_concat = run.arm == "concat";
    const double bits = 2 + (run.positions == "none" ? 0 : off(run.size, 0.5) / 10) +
                        off(run.rate, run.arm == "none" ? 0.0015 : 0.006) / 10 +
                        (run.position_width == run.width / (is_concat ? 2 : 4) ? 0 : 0.3);
    return bits * std::exp(is_concat ? 0 : lost + noise * (run.seed % 2 ? 1 : -1));
  }
};

/// All that follows, made step by step.
std::vector<PairRun> all_made(const Law& law) {
  std::vector<PairRun> made;
  for (std::size_t step = 0; step < 40; ++step) {
    const Runs runs = pair_plan(made).runs;
    if (runs.size() == made.size()) return made;
    made.clear();
    for (const Run& run : runs) made.push_back({run, law(run) + 1, law(run) + 0.5, law(run)});
  }
  BOOST_FAIL("it goes on and on");
  return {};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_text_pairs)

BOOST_AUTO_TEST_CASE(learned_positions_go_on_where_their_pilot_hardly_varies) {
  // Four pairs of ±x about their mean have a standard deviation of √(4/3) x.
  for (const double noise : {0.0173, 0.0174}) {
    const std::vector<PairRun> made = all_made({0.001, noise});
    BOOST_TEST(pair_plan(made).arms[4].pair == "started");
    BOOST_TEST(pair_plan(made).arms[4].seeds == (noise < 0.02 / std::sqrt(4 / 3.) ? 30U : 4U));
  }
}

BOOST_AUTO_TEST_CASE(runs_come_back_from_their_file) {
  std::vector<PairRun> made = all_made({});
  made.resize(5);
  made[1].overlap = 0.1 + 0.2;
  made[2].program = "123456789abc Haswell";
  const Outcome outcome = a10_of([&](Out& out) { add_pair_runs(made, out); });
  const std::string text = to_csv(table(outcome, "a10_text_runs.csv"));
  const std::vector<PairRun> read = read_pair_runs(text, "mine.csv");
  BOOST_REQUIRE_EQUAL(read.size(), made.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    BOOST_TEST(name_of(read[i]) == name_of(made[i]));
    BOOST_TEST(read[i].end == made[i].end);
    BOOST_TEST(read[i].quarter == made[i].quarter);
    BOOST_TEST(read[i].program == made[i].program);
  }
  BOOST_TEST(read[1].overlap == made[1].overlap);
  BOOST_TEST(std::isnan(read[0].overlap));
  check_refusal([] { read_pair_runs("arm\nadd\n", "mine.csv"); }, "mine.csv");
  check_refusal([&] { read_pair_runs(text + text.substr(text.find('\n') + 1, 3), "mine.csv"); }, "mine.csv");
}

BOOST_AUTO_TEST_CASE(the_next_few_runs_join_those_of_the_file) {
  const Scratch scratch;
  const auto text = std::make_shared<Text>(scratch.file("text.txt", "abc"));
  std::vector<PairRun> made = all_made({});
  made.resize(3);
  const Outcome before = a10_of([&](Out& out) { add_pair_runs(made, out); });
  const Experiment more =
      pairs_on_text(scratch.file("runs.csv", to_csv(table(before, "a10_text_runs.csv"))).string(), text, 1);
  std::vector<CellRecords> cells;
  for (const Cell& cell : more.cells)
    cells.push_back(cell_with(run_at(cell.at), [](Out& out) {
      for (const double share : {0.25, 0.5, 1.0}) out("HeldOut", {{"share", share}, {"bits", 3 - share}});
      out("JoinedTables", {{"moment", "after"},
                           {"overlap", 0.5},
                           {"ratio", 3.0},
                           {"turned", 6.0},
                           {"held", 0.8},
                           {"words", 0.2}});
      add_end(855, 2 * std::numbers::ln2, out, 7);
    }));
  const Outcome outcome = more.summarise(cells);
  BOOST_REQUIRE_EQUAL(outcome.tables.size(), 1U);
  const std::vector<PairRun> read = read_pair_runs(to_csv(table(outcome, "text_runs.csv")), "text_runs.csv");
  BOOST_REQUIRE_EQUAL(read.size(), 3U + 4);
  const Runs planned = pair_plan(read).runs;
  for (std::size_t i = 0; i < read.size(); ++i) BOOST_TEST(name_of(read[i]) == name_of(planned[i]));
  const PairRun& last = read.back();
  BOOST_TEST((last.quarter == 2.75 && last.half == 2.5 && last.end == 2 && last.overlap == 0.5));
  BOOST_TEST((last.concentration == 0.5 && last.words_left == 0.25 && last.inner_parameters == 7));
  BOOST_TEST((!last.program.empty() && read.front().program.empty()));
}

BOOST_AUTO_TEST_CASE(pairs_follow_from_trials_and_are_compared_once_all_are_made) {
  const Scratch scratch;
  std::string bytes;
  for (std::size_t i = 0; i < 4000; ++i) bytes += "abcdefghijklmnopqrstuvwxyz"[i * i % 23];
  const Text text(scratch.file("text.txt", bytes + bytes + bytes));
  const auto outcome = [&](std::vector<PairRun> made, double without) {
    for (PairRun& run : made) {
      if (run.positions == "none" && run.arm == "none") run.end += without;
      // Three sums late alone, one concatenation.
      const bool is_late = run.positions == "centred" && run.width == text_width && run.task == masked_text &&
                           (run.arm == "add" ? run.seed >= 100 && run.seed < 103 : run.seed == 105);
      if (is_late) run.quarter *= 1.1;
    }
    return a10_of([&](Out& out) { add_judged_pairs(made, text, out); });
  };
  const std::vector<PairRun> made = all_made({});
  check("text_pairs", outcome(made, 1));
  BOOST_TEST(!find(outcome(made, -0.25).findings, "A10.paired_lost.centred"));  // no positions lose nothing
  std::vector<PairRun> fewer = made;
  std::erase_if(fewer, [](const Run& run) { return run.positions == "centred" && run.seed == 159; });
  BOOST_TEST(!find(outcome(fewer, 1).findings, "A10.paired_lost.centred"));
}

BOOST_AUTO_TEST_SUITE_END()
