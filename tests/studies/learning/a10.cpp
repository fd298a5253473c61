// A10: the summary of runs that are written here by hand against plain arithmetic; which trials and pairs on a text
// follow from those that were made, and the file that holds them.

#include <cmath>
#include <numbers>
#include <set>

#include "studies/learning/a10_text.hpp"
#include "studies/learning/claims.hpp"
#include "tests/studies/learning/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

/// The step at which a run written by hand has learned, above the cap where it did not get there.
using Makes = std::function<double(const Run&)>;
constexpr double never = 1e6;

auto ends_of(const Makes& makes) {
  return [makes](const Run& run) {
    return cell_with(run,
                     [&](Out& out) { add_end(std::min(std::size_t(makes(run)), run.steps + 1), NAN, out); });
  };
}

Outcome a10(const Makes& makes, std::size_t seeds = 8) {
  static const Experiment full = who_learns(options_of(Preset::full), {});
  return outcome_of(full, seeds, ends_of(makes));
}

bool is_added(const Run& run, std::string_view positions) {
  return run.arm == "add" && run.positions == positions;
}

Answer answer_of(const Outcome& outcome, std::string_view id) {
  const auto it = std::ranges::find(outcome.rule, id, &Condition::finding);
  BOOST_REQUIRE_MESSAGE(it != outcome.rule.end(), "no condition on " << id);
  return answer(outcome.findings, *it);
}

/// Of a10_pairs.csv; task "all": over all of them.
double of_pair(const Outcome& outcome, std::string_view pair, std::string_view task,
               const std::string& column) {
  const Table& pairs = table(outcome, "a10_pairs.csv");
  for (std::size_t i = 0; i < pairs.rows.size(); ++i)
    if (to_text(pairs.at(i, "pair")) == pair && to_text(pairs.at(i, "task")) == task)
      return pairs.number(i, column);
  BOOST_FAIL("no such pair");
  throw 0;
}

constexpr const char *centred_steps = "A10.log_steps.tuned.centred_half",
                     *centred_learned = "A10.learned_gain.tuned.centred_half";

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_a10)

BOOST_AUTO_TEST_CASE(differences_are_paired_by_seed) {
  // Seeds differ fourfold, and in turns arms by one ratio and another, each task's its own: the sinusoid's
  // ratios lie apart in who bit whom, less in named places, least in copying. Learned positions save 30 ± 10
  // steps.
  const auto slower = [](std::string_view task, bool odd) {
    return !odd ? 1.1 : task == "copy2" ? 1.2 : task == "named" ? 1.4 : 1.8;
  };
  const Outcome outcome = a10([&](const Run& run) {
    const double steps = 100 * (1 + double(run.seed) / 2);
    if (is_added(run, "centred")) return std::round(steps * slower(run.task, run.seed % 2));
    return steps - (is_added(run, "learned") ? (run.seed % 2 ? 20 : 40) : 0);
  });
  // Eight values c ± h in turns: the standard error is h √(8/7)/√8 = h/√7, of 7 degrees of freedom. Welch
  // 1938 and Satterthwaite 1946, each of three strata with the weight 1/3.
  double mean = 0, variance = 0, squares = 0;
  for (const std::string_view task : tasks) {
    const double odd = std::log(slower(task, true)), even = std::log(slower(task, false)),
                 half = (odd - even) / 2;
    near(of_pair(outcome, "centred_half", task, "log_steps"), (odd + even) / 2);
    mean += (odd + even) / 6;
    variance += half * half / 7;
    squares += std::pow(half * half / 7, 2) / 7;
  }
  const Finding& pooled = finding(outcome, centred_steps);
  near(pooled.value, mean);
  near(pooled.spread->mean->error, std::sqrt(variance) / 3);
  near(pooled.spread->mean->freedom, variance * variance / squares, 1e-9);
  BOOST_TEST(pooled.spread->replicates == 8U);
  BOOST_TEST(pooled.n == 24U);
  const Finding& ratio = finding(outcome, "A10.ratio.tuned.centred_half");
  near(ratio.value, std::exp(mean));
  near(*ratio.low, std::exp(*pooled.low));
  near(*ratio.high, std::exp(*pooled.high));
}

BOOST_AUTO_TEST_CASE(a_run_that_does_not_learn_counts_as_all_of_its_steps) {
  // Named places: concatenating learns in half of the steps, adding never; elsewhere none learns, which says
  // nothing of steps.
  const Outcome outcome = a10(
      [](const Run& run) { return run.task == "named" && run.arm != "add" ? double(run.steps) / 2 : never; });
  near(finding(outcome, centred_steps).value, std::log(2.0));
  BOOST_TEST(finding(outcome, centred_steps).n == 8U);
  near(finding(outcome, centred_learned).value, -1.0 / 3);
  BOOST_TEST(finding(outcome, centred_learned).n == 24U);
  BOOST_TEST(of_pair(outcome, "centred_half", "all", "left_out") == 2);
  BOOST_TEST(std::isnan(of_pair(outcome, "centred_half", "bite", "log_steps")));
  // The last step counts, the one after it does not.
  const Outcome late = a10([](const Run& run) { return double(run.steps) + (run.arm == "add" ? 0 : 1); });
  near(finding(late, centred_learned).value, 1);
  near(finding(late, centred_steps).value, 0);
  const Outcome nothing = a10([](const Run&) { return never; });
  BOOST_TEST(!find(nothing.findings, centred_steps));
  BOOST_TEST((answer_of(nothing, centred_learned) == Answer::holds));
}

// ---- a text

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
Outcome on_text(const std::function<double(const Run&)>& bits, std::size_t seeds = 12,
                std::size_t learned_width = 16) {
  const Experiment longest =
      who_learns(options_of(Preset::long_), some_text(), made_up_choices(learned_width));
  return outcome_of(longest, seeds, [&](const Run& run) {
    return cell_with(run, [&](Out& out) {
      if (!is_text(run.task)) return add_end(100, NAN, out);
      const double end = bits(run);
      for (const double share : {0.25, 0.5, 1.0})
        out("HeldOut", {{"share", share}, {"bits", end * (share == 1 ? 1 : share == 0.5 ? 1.1 : 1.2)}});
      // A half of what rotations have, .9 of chance (.45 unless learned); before training as they.
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
    });
  });
}

/// Of a10_text_pairs.csv.
double of_text_pair(const Outcome& outcome, std::string_view pair, const std::string& column) {
  const Table& pairs = table(outcome, "a10_text_pairs.csv");
  for (std::size_t i = 0; i < pairs.rows.size(); ++i)
    if (to_text(pairs.at(i, "pair")) == pair) return pairs.number(i, column);
  return NAN;
}

BOOST_AUTO_TEST_CASE(text_is_paired_by_seed) {
  // Seeds lie far apart; a centred sum costs 1 % more, a learned one 2 % less, by .1 % more or less in turns.
  const Outcome outcome = on_text([](const Run& run) {
    const double own = 0.5 + 0.02 * double(run.seed), swing = run.seed % 2 ? 1.001 : 0.999;
    if (run.arm == "none") return 1.9;
    if (run.arm != "add") return own;
    return own * swing * (run.positions == "learned" ? 0.98 : 1.01);
  });
  const Finding& centred = finding(outcome, "A10.lost.centred");
  near(centred.value, std::log(1.01) + std::log(1.001 * 0.999) / 2);
  BOOST_TEST(centred.n == 12U);
  BOOST_TEST(*centred.low > 0.008);
  BOOST_TEST(finding(outcome, "A10.lost.learned").n == 12U);
  near(finding(outcome, "A10.lost.learned").value, std::log(0.98) + std::log(1.001 * 0.999) / 2);
  const Finding& more = finding(outcome, "A10.more.centred");
  near(more.value, std::expm1(centred.value));
  near(*more.low, std::expm1(*centred.low));
  near(*more.high, std::expm1(*centred.high));
  near(of_text_pair(outcome, "centred", "more_at_quarter"), more.value);
  BOOST_TEST(finding(outcome, "A10.lost.whole_centred").n == 8U);
  BOOST_TEST(of_text_pair(outcome, "centred", "worse") == 12);
  BOOST_TEST(finding(outcome, "A10.worse.learned").value == 0);
  BOOST_TEST(of_text_pair(outcome, "whole_learned", "seeds") == 8);
  BOOST_TEST(finding(outcome, "A10.more.rotary").n == 4U);
  BOOST_TEST(!find(outcome.findings, "A10.lost.rotary"));  // too few seeds to be judged
  BOOST_TEST(finding(outcome, "A10.text_width.sum.centred").value == 16);
  near(finding(outcome, "A10.concentration.learned").value, 0.5);
  near(finding(outcome, "A10.words_left.centred").value, 0.45);
  near(finding(outcome, "A10.overlap.centred").value, 0.3);
  near(finding(outcome, "A10.overlap.learned").value, 0.6);
  near(of_text_pair(outcome, "none", "more"),
       std::expm1(std::log(1.9) - (std::log(0.5) + std::log(0.52) + std::log(0.54) + std::log(0.56)) / 4));
  BOOST_TEST(judged(outcome).starts_with("open"));  // 1 % is the bound
  for (const Condition& condition : outcome.rule)
    finding(outcome, condition.finding);  // no condition waits in vain
  const auto centred_costs = [](double factor) {
    return judged(on_text([factor](const Run& run) {
      return run.arm == "none" ? 1.9 : run.arm == "add" && run.positions != "learned" ? 0.8 * factor : 0.8;
    }));
  };
  BOOST_TEST(centred_costs(1.005) == "true");
  BOOST_TEST(centred_costs(1.02) == "depends, with limits on positions");
}

BOOST_AUTO_TEST_CASE(a_sum_that_is_best_in_all_dimensions_is_compared_once) {
  const Outcome outcome = on_text([](const Run& run) { return run.arm == "none" ? 1.9 : 0.8; }, 12, 0);
  BOOST_TEST(finding(outcome, "A10.lost.learned").n == 12U);
  BOOST_TEST(std::isnan(of_text_pair(outcome, "whole_learned", "seeds")));
  BOOST_TEST(of_text_pair(outcome, "whole_centred", "seeds") == 8);
  for (const Condition& condition : outcome.rule) finding(outcome, condition.finding);
}

BOOST_AUTO_TEST_CASE(text_is_no_evidence_where_nothing_was_learned) {
  const auto with = [](double all, double none) {
    return on_text([=](const Run& run) { return run.arm == "none" ? none : all; });
  };
  near(some_text()->unigram_bits(), 2, 1e-2);
  const auto is_evidence = [](const Outcome& outcome, const char* pair) {
    return find(outcome.findings, std::string("A10.lost.") + pair) != nullptr;
  };
  BOOST_TEST(is_evidence(with(0.9, 1.5), "centred"));
  BOOST_TEST(!is_evidence(with(1.1, 1.5), "centred"));   // not a bit better than byte frequencies
  BOOST_TEST(!is_evidence(with(0.9, 0.95), "centred"));  // positions hardly matter
  for (const char* arm : {"add", "concat"}) {
    const Outcome one_is_stuck = on_text([arm](const Run& run) {
      if (run.arm == "none") return 1.5;
      return run.arm == arm && run.positions == "learned" && run.seed == 3 ? 1.1 : 0.9;
    });
    BOOST_TEST(is_evidence(one_is_stuck, "centred"));
    BOOST_TEST(!is_evidence(one_is_stuck, "learned"), arm);
  }
  // Positions have to save a bit before A11 asks where they lie.
  BOOST_TEST(!find(with(0.9, 1.5).findings, "A10.concentration.learned"));
  BOOST_TEST(find(with(0.4, 1.5).findings, "A10.concentration.learned"));
  const Outcome outcome = with(0.9, 1.5);
  BOOST_TEST(table(outcome, "a10_text.csv").rows.size() == 29U);
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

std::size_t count(const std::vector<PairRun>& made, const Run& like, std::string_view until) {
  return count_of(made, [&](const Run& run) {
    return run.arm == like.arm && run.positions == like.positions && run.task == like.task &&
           run.width == like.width && run.until == until && (until == "tried" || run.steps == like.steps);
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_text_pairs)

BOOST_AUTO_TEST_CASE(pairs_follow_from_trials_that_both_arms_have_as_many_of) {
  const std::vector<PairRun> made = all_made({});
  const PairPlan plan = pair_plan(made);
  std::set<std::string> names;
  for (const Run& run : plan.runs) {
    names.insert(name_of(run));
    BOOST_TEST((run.until == "tried" ? run.seed < 4 : run.seed >= 100 && run.seed < 160));
  }
  BOOST_TEST(names.size() == plan.runs.size());
  BOOST_REQUIRE_EQUAL(plan.arms.size(), 15U);
  for (const PairArm& arm : plan.arms) {
    const Run& run = arm.run;
    BOOST_TEST_CONTEXT(arm.pair << " " << run.arm) {
      BOOST_TEST(count(made, run, "judged") == arm.seeds);
      BOOST_TEST(arm.seeds == (arm.pair == "centred"                          ? 60U
                               : arm.pair == "as_is" || arm.pair == "started" ? 30U
                                                                              : 12U));
      BOOST_TEST(run.rate == (arm.pair == "none" ? 0.0015 : 0.006));
      BOOST_TEST(run.steps == (arm.pair == "longer" ? 2 : 1) * text_steps);
      if (run.positions == "none") continue;
      BOOST_TEST(run.size == 0.5);
      BOOST_TEST(run.position_width == run.width / (run.arm == "concat" ? 2 : 4));
    }
  }
  // Four widths and four sizes, three of which get three seeds more; three rates with four seeds.
  for (const PairArm& arm : plan.arms)
    BOOST_TEST(count(made, arm.run, "tried") == (arm.pair == "framed"   ? 0U
                                                 : arm.pair == "none"   ? 5 * 4U
                                                 : arm.pair == "rotary" ? 3 * 4U
                                                 : arm.pair == "causal" || arm.pair == "started"
                                                     ? 3 * 4U
                                                     : 16U + 3 * 3 + 3 * 4));
}

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

BOOST_AUTO_TEST_CASE(pairs_are_compared_once_all_are_made_and_positions_are_of_use) {
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
  const Outcome judged_ones = outcome(made, 1);
  const auto value = [&](const char* id) {
    const Finding* found = find(judged_ones.findings, id);
    BOOST_REQUIRE_MESSAGE(found, id);
    return found->value;
  };
  near(value("A10.paired_lost.centred"), 0.001);  // as many above as below by the noise
  near(value("A10.paired_more.centred"), std::expm1(0.001));
  BOOST_TEST(find(judged_ones.findings, "A10.paired_lost.centred")->spread->mean->freedom == 35);
  BOOST_TEST(value("A10.late_first.centred") == 3);
  BOOST_TEST(value("A10.late_second.centred") == 1);
  near(value("A10.late_p.centred"), 5 / 16.);  // of four pairs three or four
  BOOST_TEST(value("A10.paired_deviation.centred") > 0.0009);
  // Nothing is compared where no positions lose nothing, nor before all pairs are there.
  BOOST_TEST(!find(outcome(made, -0.25).findings, "A10.paired_lost.centred"));
  std::vector<PairRun> fewer = made;
  std::erase_if(fewer, [](const Run& run) { return run.positions == "centred" && run.seed == 159; });
  const Outcome less = outcome(fewer, 1);
  BOOST_TEST(!find(less.findings, "A10.paired_lost.centred"));
  BOOST_TEST(find(less.findings, "A10.paired_lost.as_is"));
  BOOST_TEST(table(outcome({}, 1), "a10_text_runs.csv").rows.empty());
}

BOOST_AUTO_TEST_SUITE_END()
