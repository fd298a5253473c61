// A10: the summary of runs that are written here by hand against plain arithmetic.

#include "studies/learning/a10_measure.hpp"
#include "studies/learning/claims.hpp"
#include "tests/learning/quick.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

/// What a run written by hand reached: the step, above the cap where it did not get there, and the accuracy
/// and surprise of a run that makes all of its steps.
struct Made {
  double learned_at = 0, accuracy = 0.9, nats = 4;
};
using Makes = std::function<Made(const Run&)>;
constexpr double never = 1e6;

auto ends_of(const Makes& makes) {
  return [makes](const Run& run) {
    const Made made = makes(run);
    const bool to_the_end = run.until == "end";
    return kept(run, Trained{{},
                             100,
                             run.width,
                             std::min(std::size_t(made.learned_at), run.steps + 1),
                             to_the_end ? made.accuracy : NAN,
                             to_the_end ? made.nats : NAN});
  };
}

/// Words come in pairs; nothing reads them but for their frequencies.
SharedText some_text() {
  static const Scratch scratch;
  static const SharedText text = [] {
    std::string words;
    for (int i = 0; i < 1000; ++i) words += i % 3 ? "aa bb " : "cc dd ";
    return std::make_shared<const Text>(scratch.file("text.txt", words), 5, words.size());
  }();
  return text;
}

Outcome a10(const Makes& makes, std::size_t seeds = 8) {
  static const Experiment full = who_learns(options_of(Preset::full), {});
  return outcome_of(full, seeds, ends_of(makes));
}
Outcome long_a10(const Makes& makes) {
  static const Experiment longest = who_learns(options_of(Preset::long_), some_text());
  return outcome_of(longest, 8, ends_of(makes));
}

bool is_added(const Run& run, std::string_view positions) {
  return run.arm == "add" && run.positions == positions;
}

Answer answer_of(const Outcome& outcome, std::string_view id) {
  const auto it = std::ranges::find(outcome.rule, id, &Condition::finding);
  BOOST_REQUIRE_MESSAGE(it != outcome.rule.end(), "no condition on " << id);
  return answer(outcome.findings, *it);
}

/// Of a10_pairs.csv; task "all" and width 0: over all of them.
double of_pair(const Outcome& outcome, std::string_view pair, std::string_view task, std::size_t width,
               const std::string& column, std::size_t depth = 1) {
  const Table& pairs = table_of(outcome, "a10_pairs.csv");
  for (std::size_t i = 0; i < pairs.rows.size(); ++i)
    if (to_text(pairs.at(i, "pair")) == pair && to_text(pairs.at(i, "task")) == task &&
        pairs.number(i, "width") == double(width) && pairs.number(i, "depth") == double(depth))
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
    if (is_added(run, "centred")) return Made{std::round(steps * slower(run.task, run.seed % 2))};
    return Made{steps - (is_added(run, "learned") ? (run.seed % 2 ? 20 : 40) : 0)};
  });
  // Eight values c ± h in turns: the standard error is h √(8/7)/√8 = h/√7, of 7 degrees of freedom. Welch
  // 1938 and Satterthwaite 1946, each of six strata (the two widths) with the weight 1/6.
  double mean = 0, variance = 0, squares = 0;
  for (const std::string_view task : tasks) {
    const double odd = std::log(slower(task, true)), even = std::log(slower(task, false)),
                 half = (odd - even) / 2;
    near(of_pair(outcome, "centred_half", task, 16, "log_steps"), (odd + even) / 2);
    mean += (odd + even) / 6;
    variance += 2 * half * half / 7;
    squares += 2 * std::pow(half * half / 7, 2) / 7;
  }
  const Finding& pooled = named(outcome, centred_steps);
  near(pooled.value, mean);
  near(pooled.spread->mean->error, std::sqrt(variance) / 6);
  near(pooled.spread->mean->freedom, variance * variance / squares, 1e-9);
  BOOST_TEST(pooled.spread->replicates == 8U);
  BOOST_TEST(pooled.n == 48U);
  const Finding& ratio = named(outcome, "A10.ratio.tuned.centred_half");
  near(ratio.value, std::exp(mean));
  near(*ratio.low, std::exp(*pooled.low));
  near(*ratio.high, std::exp(*pooled.high));
  near(of_pair(outcome, "learned_half", "all", 0, "saved"), 30);
  BOOST_TEST(named(outcome, "A10.log_rank.tuned.learned_half").value > 1);
  BOOST_TEST(named(outcome, "A10.log_rank.tuned.centred_half").value < -1);
}

BOOST_AUTO_TEST_CASE(a_run_that_does_not_learn_counts_as_all_of_its_steps) {
  // Named places: concatenating learns in half of the steps, adding never; elsewhere none learns, which says
  // nothing of steps.
  const Outcome outcome = a10([](const Run& run) {
    return Made{run.task == "named" && run.arm != "add" ? double(run.steps) / 2 : never};
  });
  near(named(outcome, centred_steps).value, std::log(2.0));
  BOOST_TEST(named(outcome, centred_steps).n == 16U);
  near(named(outcome, centred_learned).value, -1.0 / 3);
  BOOST_TEST(named(outcome, centred_learned).n == 48U);
  near(of_pair(outcome, "centred_half", "all", 0, "saved"), -500);
  BOOST_TEST(of_pair(outcome, "centred_half", "all", 0, "left_out") == 4);
  BOOST_TEST(std::isnan(of_pair(outcome, "centred_half", "bite", 32, "log_steps")));
  // The last step counts, the one after it does not.
  const Outcome late =
      a10([](const Run& run) { return Made{run.arm == "add" ? double(run.steps) : double(run.steps) + 1}; });
  near(named(late, centred_learned).value, 1);
  near(named(late, centred_steps).value, 0);
  const Outcome nothing = a10([](const Run&) { return Made{never}; });
  BOOST_TEST(!find(nothing.findings, centred_steps));
  BOOST_TEST((answer_of(nothing, centred_learned) == Answer::holds));
}

BOOST_AUTO_TEST_CASE(verdicts_follow_from_the_runs) {
  // Adding's steps over concatenating's, by positions, or those beside a d/4; above 9: never.
  const struct {
    double centred, learned, as_is, quarter;
    const char* verdict;
  } rows[]{{1, 0.9, 1, 1, "true"},
           {1, 1, 1, 0.5, "true, with limits"},
           {10, 10, 1, 1, "false, with limits"},                   // the sinusoid as it is loses nothing
           {1.5, 1.5, 1, 1, "depends, with limits on end point"},  // all runs learn all the same
           {10, 1, 1, 1, "depends, with limits on positions"},
           {1, 1.5, 1, 1, "depends"}};  // three of four: neither factor separates
  for (const auto& row : rows)
    BOOST_TEST(judged(a10([&row](const Run& run) {
                 const double factor = run.position_width == 8 && run.width == 32 ? row.quarter
                                       : run.arm != "add"                         ? 1
                                       : run.positions == "centred"               ? row.centred
                                       : run.positions == "learned"               ? row.learned
                                                                                  : row.as_is;
                 return Made{factor > 9 ? never : 100 * factor};
               })) == row.verdict);
  const auto wide = [](const Run& run) {
    return Made{is_added(run, "learned") ? (run.seed % 2 ? 80.0 : 130.0) : 100.0};
  };
  BOOST_TEST(judged(a10(wide)) == "open");
  BOOST_TEST(judged(a10([](const Run& run) { return Made{60 + double(run.seed)}; }, 7)) == "unmeasured");
}

BOOST_AUTO_TEST_CASE(power_and_what_a_failure_counts_as_are_shown) {
  // Beside the word all learn; of those added each second fails, or takes longer.
  const Outcome outcome = a10([](const Run& run) {
    if (is_added(run, "centred")) return Made{run.seed % 2 ? 100.0 : 121.0};
    if (is_added(run, "learned")) return Made{run.seed % 2 ? never : 100.0};
    return Made{100};
  });
  // Every stratum's logarithms are c ± h and its differences in what is learned ½ ± ½ in turns: six strata of
  // standard error h/√7, 42 degrees of freedom. Beyond 3.5377 lies .1 % of Student's t (printed table),
  // beyond .8416 a fifth of the normal law.
  const double h = std::log(1.21) / 2, widths = (3.5377 + 0.8416) / std::sqrt(42.0);
  near(named(outcome, "A10.found_below.tuned.centred_half").value, 1.1 * std::exp(-widths * h), 1e-3);
  near(named(outcome, "A10.found_above.tuned.learned_half").value, -0.05 + widths / 2, 1e-3);
  near(named(outcome, "A10.found_above.tuned.centred_half").value, -0.05);  // without a spread the bound
  near(named(outcome, "A10.ratio.tuned.learned_half").value, std::sqrt(1000.0 / 100));
  near(named(outcome, "A10.ratio_by_half.tuned.learned_half").value, std::sqrt(500.0 / 100));
  // Eight pairs, four of which differ by -1, and ± √½: -4/10, the sum of squares 5, six strata of a sixth.
  const Finding& adjusted = named(outcome, "A10.learned_adjusted.tuned.learned_half");
  near(adjusted.value, -0.4);
  near(*adjusted.high, -0.4 + 2.66976 * std::sqrt((5 - 10 * 0.16) / 9 / 10 / 6), 1e-3);  // t of 54, 99 %
  // Where nothing differs there is a spread all the same.
  BOOST_TEST(*named(outcome, "A10.learned_adjusted.tuned.centred_half").high > 0.05);
}

// ---- preset long

BOOST_AUTO_TEST_CASE(long_runs_are_compared_by_depth_and_size) {
  // Two blocks learn later by half with positions added; adding's run of equal totals is twice as fast as the
  // wider one. Learned positions answer a little less, or more than the margin.
  const auto behind = [](double by) {
    return long_a10([by](const Run& run) {
      return Made{run.inner > 0                        ? 200.0
                  : run.arm == "add" && run.depth == 2 ? 150.0
                                                       : 100.0,
                  0.9 + 0.01 * double(run.seed) - (is_added(run, "learned") && run.depth == 1 ? by : 0)};
    });
  };
  const Outcome outcome = behind(0.01);
  near(named(outcome, centred_steps).value, 0);
  BOOST_TEST(named(outcome, centred_steps).n == 48U);  // widths 32 and 64, one block
  near(named(outcome, "A10.ratio.two_blocks.learned_half").value, 1.5);
  near(of_pair(outcome, "learned_half", "bite", 32, "ratio", 2), 1.5);
  near(of_pair(outcome, "centred_equal", "all", 0, "ratio"), 0.5);
  near(of_pair(outcome, "learned_equal", "all", 0, "ratio"), 0.5);
  near(of_pair(outcome, "fitted_half", "all", 0, "ratio"), 1);
  constexpr const char* gain = "A10.gain.steps2000.learned_half";
  near(named(outcome, gain).value, -0.01);
  BOOST_TEST(named(outcome, gain).n == 48U);
  BOOST_TEST((answer_of(outcome, gain) == Answer::holds));
  BOOST_TEST((answer_of(behind(0.03), gain) == Answer::fails));
  BOOST_TEST(named(outcome, "A10.gain.steps2000.centred_half").value == 0);
}

BOOST_AUTO_TEST_CASE(text_is_a_limit_only_where_no_positions_lose) {
  const auto with = [](double none) {
    return long_a10([none](const Run& run) {
      const double own = 0.1 * double(run.seed % 3);
      return Made{60, 0.9, 4 + own + (run.arm == "none" ? none : is_added(run, "centred") ? 0.1 : 0)};
    });
  };
  constexpr const char* lost = "A10.text_lost.centred";
  near(named(with(0.01), "A10.text_without.centred").value, 0.01, 1e-9);
  BOOST_TEST((answer_of(with(0.01), lost) == Answer::unmeasured));
  const Outcome outcome = with(0.3);
  BOOST_TEST((answer_of(outcome, lost) == Answer::fails));
  near(named(outcome, lost).value, 0.1, 1e-9);
  BOOST_TEST((answer_of(outcome, "A10.text_lost.learned") == Answer::holds));
  const Table &text = table_of(outcome, "a10_text.csv"), &arms = table_of(outcome, "a10_arms.csv");
  BOOST_TEST(text.rows.size() == 5U);
  near(text.number(0, "unigram"), std::log(some_text()->unigram_perplexity()));
  // And no table mixes it with the tasks.
  for (std::size_t i = 0; i < arms.rows.size(); ++i) BOOST_TEST(to_text(arms.at(i, "task")) != "text");
}

// ---- log-rank

BOOST_AUTO_TEST_CASE(log_rank_by_hand_and_by_another_program) {
  /// Steps at which each side learned, by seed; 0: not within 100.
  using Steps = std::vector<std::size_t>;
  const auto learned_at = [](const Steps& first, const Steps& second) {
    const auto end = [](std::size_t at) {
      Trained run{};
      run.steps = 100;
      run.learned_at = at > 0 ? at : 101;
      return run;
    };
    Comparison compared;
    for (std::size_t i = 0; i < first.size(); ++i) compared.push_back({end(first[i]), end(second[i]), {}});
    return compared;
  };
  // Step 1: one of 4 + 4 learns, the first side's; ½ expected, variance ¼.
  // Step 2: three of 3 + 4, two of them the first's; 9/7 expected, variance 3 · 3/7 · 4/7 · (7 - 3)/(7 - 1).
  // Step 3: one of 1 + 3, the second's; ¼ expected, variance 3/16. One and two are left.
  const Comparison compared = learned_at({1, 2, 2, 0}, {2, 3, 0, 0});
  const double difference = 3 - (0.5 + 9.0 / 7 + 0.25), variance = 0.25 + 24.0 / 49 + 3.0 / 16;
  near(log_rank({compared}), difference / std::sqrt(variance));
  near(log_rank({learned_at({2, 3, 0, 0}, {1, 2, 2, 0})}), -difference / std::sqrt(variance));
  near(log_rank({compared, compared}), 2 * difference / std::sqrt(2 * variance));  // strata
  // All that are left learn at once: nothing is left to chance. Nobody learns: nothing is said.
  near(log_rank({learned_at({1, 5}, {5, 5})}), 0.5 / 0.5);
  BOOST_TEST(log_rank({learned_at({3, 0, 7}, {7, 3, 0})}) == 0);
  BOOST_TEST(std::isnan(log_rank({learned_at({0, 0}, {0, 0})})));
  // A program that enumerates each step's hypergeometric law in fractions: 2.3694906/√5.5073174. Ties within
  // and between sides, runs that do not learn, and two strata of their own times.
  near(log_rank({learned_at({36, 41, 41, 58, 63, 0, 77, 41, 90, 100}, {41, 60, 63, 63, 95, 0, 0, 88, 77, 99}),
                 learned_at({12, 15, 15, 15, 0, 33}, {14, 15, 29, 33, 33, 0})}),
       1.0096827525391165);
}

BOOST_AUTO_TEST_SUITE_END()
