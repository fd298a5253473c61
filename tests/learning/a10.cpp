// A10: the summary of runs that are written here by hand against plain arithmetic.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "studies/learning/a10_measure.hpp"
#include "studies/learning/choices.hpp"
#include "studies/learning/claims.hpp"
#include "tests/learning/quick.hpp"
#include "tests/support/rule.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

/// What a run written by hand reached: the step, above the cap where it did not get there, and the accuracy
/// and surprise of a run that makes all of its steps.
struct Made {
  double learned_at = 0, accuracy = 0.9, nats = 4;
};
using Runs_made = std::function<Made(const Run&)>;
constexpr double never = 1e6;

Trained row_of(const Run& run, const Made& made) {
  const bool to_the_end = run.until == "end";
  return {{},
          100,
          run.width,
          std::min(std::size_t(made.learned_at), run.steps + 1),
          to_the_end ? made.accuracy : NAN,
          to_the_end ? made.nats : NAN};
}

/// A text whose words come in pairs, "baa caa bbb cbb …"; nothing reads it but for its frequencies.
SharedText some_text() {
  static const Scratch scratch;
  static const SharedText text = [] {
    std::string words;
    for (int i = 0; i < 1000; ++i) words += i % 3 ? "aa bb " : "cc dd ";
    return std::make_shared<const Text>(scratch.file("text.txt", words), 5, words.size());
  }();
  return text;
}

/// The outcome of A10 if every run of a preset, with as many seeds, had reached what `made` says.
Outcome outcome_of(const Runs_made& made, std::size_t seeds = 8, Preset preset = Preset::full) {
  Options options = quick_options();
  options.preset = preset;
  const SharedText text = preset == Preset::long_ ? some_text() : SharedText{};
  std::vector<CellRecords> cells;
  for (const Run& run : with_seeds({measured_runs(options), text_runs(options, text)}, seeds))
    cells.push_back(kept(run, row_of(run, made(run))));
  return who_learns(options, text).summarise(cells);
}

/// The same in every arm, but for a little that differs between seeds.
Made equal_runs(const Run& run) { return {60 + double(run.seed)}; }

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
  const Table& pairs = table_of(outcome.tables, "a10_pairs.csv");
  for (std::size_t i = 0; i < pairs.rows.size(); ++i)
    if (to_text(pairs.at(i, "pair")) == pair && to_text(pairs.at(i, "task")) == task &&
        pairs.number(i, "width") == double(width) && pairs.number(i, "depth") == double(depth))
      return pairs.number(i, column);
  BOOST_FAIL("no such pair");
  throw 0;
}

constexpr const char *centred_steps = "A10.log_steps.tuned.centred_half",
                     *centred_learned = "A10.learned_gain.tuned.centred_half";

/// Student's t beyond which two-sided 1 % and .1 % lie, from printed tables.
constexpr double t99_7 = 3.4995, t99_42 = 2.6981, t999_42 = 3.5377;

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_a10)

BOOST_AUTO_TEST_CASE(equal_arms_lose_nothing) {
  const Outcome outcome = outcome_of(equal_runs);
  BOOST_TEST(judged(outcome) == "true");
  BOOST_TEST(std::ranges::count(outcome.rule, Role::core, &Condition::role) == 4);
  BOOST_TEST(outcome.rule.size() == 12U);
  BOOST_TEST(!outcome.condition.empty());
  for (const Finding& found : outcome.findings) {
    BOOST_TEST(std::isfinite(found.value), found.id);
    for (const char* measure : {"A10.log_steps", "A10.learned_gain"})
      if (found.id.starts_with(measure)) {
        BOOST_TEST(found.value == 0, found.id);
        BOOST_TEST((found.low == 0.0 && found.high == 0.0), found.id);
      }
  }
  for (const char* pair : {"centred_half", "learned_half", "as_is_half"})
    BOOST_TEST(named(outcome, fmt::format("A10.ratio.tuned.{}", pair)).value == 1);
  for (const char* limit : {"A10.gain.steps2000.centred_half", "A10.text_lost.learned"})
    BOOST_TEST((answer_of(outcome, limit) == Answer::unmeasured));  // preset long
}

BOOST_AUTO_TEST_CASE(differences_are_paired_by_seed) {
  // Seeds differ fourfold, and in turns arms by one ratio and another, each task's its own: the sinusoid's
  // ratios lie apart in who bit whom, less in named places, least in copying. Learned positions save 30 ± 10
  // steps.
  const auto slower = [](std::string_view task, bool odd) {
    return !odd ? 1.1 : task == "copy2" ? 1.2 : task == "named" ? 1.4 : 1.8;
  };
  const Outcome outcome = outcome_of([&](const Run& run) {
    const double steps = 100 * (1 + double(run.seed) / 2);
    if (is_added(run, "centred")) return Made{std::round(steps * slower(run.task, run.seed % 2))};
    return Made{steps - (is_added(run, "learned") ? (run.seed % 2 ? 20 : 40) : 0)};
  });
  // Eight values c ± h in turns: the standard error is h √(8/7)/√8 = h/√7, of 7 degrees of freedom.
  double mean = 0, variance = 0, squares = 0;
  for (const std::string_view task : tasks) {
    const double odd = std::log(slower(task, true)), even = std::log(slower(task, false)),
                 centre = (odd + even) / 2, half = (odd - even) / 2;
    const auto found = [&](const char* column) { return of_pair(outcome, "centred_half", task, 16, column); };
    near(found("log_steps"), centre);
    near(found("log_steps_low"), centre - t99_7 * half / std::sqrt(7.0), 1e-4);
    near(found("log_steps_high"), centre + t99_7 * half / std::sqrt(7.0), 1e-4);
    BOOST_TEST(found("runs") == 8);
    mean += centre / 3;
    variance += 2 * half * half / 7;  // the two widths
    squares += 2 * std::pow(half * half / 7, 2) / 7;
  }
  // Welch 1938 and Satterthwaite 1946, each of six strata with the weight 1/6.
  const Finding& pooled = named(outcome, centred_steps);
  near(pooled.value, mean);
  near(pooled.spread->mean->error, std::sqrt(variance) / 6);
  near(pooled.spread->mean->freedom, variance * variance / squares, 1e-9);
  BOOST_TEST(pooled.spread->mean->freedom < 30);  // less than all 42: tasks differ
  BOOST_TEST(pooled.spread->replicates == 8U);
  BOOST_TEST(pooled.n == 48U);
  const Finding& ratio = named(outcome, "A10.ratio.tuned.centred_half");
  near(ratio.value, std::exp(mean));
  near(*ratio.low, std::exp(*pooled.low));
  near(*ratio.high, std::exp(*pooled.high));
  near(of_pair(outcome, "learned_half", "all", 0, "saved"), 30);
  near(of_pair(outcome, "learned_half", "all", 0, "saved_high"), 30 + t99_42 * 10 / std::sqrt(42.0), 1e-4);
  BOOST_TEST(named(outcome, "A10.log_rank.tuned.learned_half").value > 1);
  BOOST_TEST(named(outcome, "A10.log_rank.tuned.centred_half").value < -1);
}

BOOST_AUTO_TEST_CASE(steps_have_their_margin) {
  // A tenth more steps count as none.
  const auto later = [](double factor) {
    return outcome_of([factor](const Run& run) { return Made{is_added(run, "centred") ? 60 * factor : 60}; });
  };
  BOOST_TEST((answer_of(later(1.05), centred_steps) == Answer::holds));
  BOOST_TEST((answer_of(later(1.15), centred_steps) == Answer::fails));
  near(named(later(1.05), centred_steps).value, std::log(1.05));
}

BOOST_AUTO_TEST_CASE(runs_that_learn_have_their_margin) {
  // A twentieth of the runs fewer counts as none.
  const auto fewer = [](std::size_t lost) {
    return outcome_of(
        [lost](const Run& run) {
          return Made{is_added(run, "centred") && run.task == "bite" && run.seed < lost ? never : 60};
        },
        40);
  };
  BOOST_TEST((answer_of(fewer(0), centred_learned) == Answer::holds));
  BOOST_TEST((answer_of(fewer(4), centred_learned) == Answer::open));
  BOOST_TEST((answer_of(fewer(30), centred_learned) == Answer::fails));
  near(named(fewer(30), centred_learned).value, -0.25);
}

BOOST_AUTO_TEST_CASE(a_run_that_does_not_learn_counts_as_all_of_its_steps) {
  // Named places: concatenating learns in half of the steps, adding never; elsewhere none learns, which says
  // nothing of steps.
  const Outcome outcome = outcome_of([](const Run& run) {
    return Made{run.task == "named" && run.arm != "add" ? double(run.steps) / 2 : never};
  });
  near(named(outcome, centred_steps).value, std::log(2.0));
  BOOST_TEST(named(outcome, centred_steps).n == 16U);
  near(of_pair(outcome, "centred_half", "all", 0, "saved"), -500);
  near(named(outcome, centred_learned).value, -1.0 / 3);
  BOOST_TEST(named(outcome, centred_learned).n == 48U);
  BOOST_TEST(std::isnan(of_pair(outcome, "centred_half", "bite", 32, "log_steps")));
  const Table& pairs = table_of(outcome.tables, "a10_pairs.csv");
  for (std::size_t i = 0; i < pairs.rows.size(); ++i)
    if (to_text(pairs.at(i, "pair")) == "centred_half") {
      const std::string task = to_text(pairs.at(i, "task"));
      BOOST_TEST(pairs.number(i, "left_out") == (task == "all"     ? (pairs.number(i, "width") == 0 ? 4 : 2)
                                                 : task == "named" ? 0
                                                                   : 1));
    }
  // The last step counts, the one after it does not.
  const Outcome late = outcome_of(
      [](const Run& run) { return Made{run.arm == "add" ? double(run.steps) : double(run.steps) + 1}; });
  near(named(late, centred_learned).value, 1);
  near(named(late, centred_steps).value, 0);
}

BOOST_AUTO_TEST_CASE(nothing_follows_where_nothing_is_learned) {
  const Outcome nothing = outcome_of([](const Run&) { return Made{never}; });
  BOOST_TEST(!find(nothing.findings, centred_steps));
  BOOST_TEST((answer_of(nothing, centred_steps) == Answer::unmeasured));
  BOOST_TEST((answer_of(nothing, centred_learned) == Answer::holds));
  BOOST_TEST(!nothing.condition.empty());
  BOOST_TEST((answer_of(outcome_of(equal_runs, 7), centred_steps) == Answer::unmeasured));
}

BOOST_AUTO_TEST_CASE(verdicts_follow_from_the_runs) {
  // Adding's steps over concatenating's, by positions; above 9 adding never learns.
  const auto verdict = [](double centred, double learned, double as_is = 1) {
    return judged(outcome_of([=](const Run& run) {
      const double factor = run.arm != "add"             ? 1
                            : run.positions == "centred" ? centred
                            : run.positions == "learned" ? learned
                                                         : as_is;
      return Made{factor > 9 ? never : 100 * factor};
    }));
  };
  BOOST_TEST(verdict(1, 0.9) == "true");
  BOOST_TEST(verdict(1, 1, 1.5) == "true, with limits");
  BOOST_TEST(verdict(10, 10) == "false, with limits");  // the sinusoid as it is loses nothing
  BOOST_TEST(verdict(10, 10, 10) == "false");
  BOOST_TEST(verdict(1.5, 1.5) == "depends, with limits on end point");  // all runs learn all the same
  BOOST_TEST(verdict(10, 1) == "depends, with limits on positions");
  BOOST_TEST(verdict(1, 10) == "depends on positions");
  BOOST_TEST(verdict(1, 1.5) == "depends");  // three of four: neither factor separates
  const Outcome wide = outcome_of(
      [](const Run& run) { return Made{is_added(run, "learned") ? (run.seed % 2 ? 80.0 : 130.0) : 100.0}; });
  BOOST_TEST(judged(wide) == "open");
  BOOST_TEST(judged(outcome_of(equal_runs, 7)) == "unmeasured");
  const Outcome quarter = outcome_of([](const Run& run) {
    return Made{run.arm == "concat" && run.position_width == run.width / 4 ? 50.0 : 100.0};
  });
  BOOST_TEST(judged(quarter) == "true, with limits");
  BOOST_TEST((answer_of(quarter, "A10.log_steps.tuned.centred_quarter") == Answer::fails));
  near(named(quarter, "A10.log_steps.tuned.centred_quarter").value, std::log(2.0));
}

BOOST_AUTO_TEST_CASE(power_is_the_half_width_and_a_fifth_of_the_normal_law) {
  // Every stratum's logarithms are c ± h and its differences in what is learned ½ ± ½ in turns: six strata of
  // standard error h/√7, 42 degrees of freedom.
  const Outcome outcome = outcome_of([](const Run& run) {
    if (is_added(run, "centred")) return Made{run.seed % 2 ? 100.0 : 121.0};
    if (is_added(run, "learned")) return Made{run.seed % 2 ? never : 100.0};
    return Made{100};
  });
  const double h = std::log(1.21) / 2, z_fifth = 0.8416;  // Φ(.8416) = .8
  near(named(outcome, "A10.found_below.tuned.centred_half").value,
       1.1 * std::exp(-(t999_42 + z_fifth) * h / std::sqrt(42.0)), 1e-3);
  near(named(outcome, "A10.found_above.tuned.learned_half").value,
       -0.05 + (t999_42 + z_fifth) * 0.5 / std::sqrt(42.0), 1e-3);
  // Without a spread the bound itself.
  near(named(outcome, "A10.found_above.tuned.centred_half").value, -0.05);
}

BOOST_AUTO_TEST_CASE(what_a_failure_counts_as_is_shown) {
  // Beside the word all learn; of those added each second fails, or takes three quarters of all steps.
  const Outcome outcome = outcome_of([](const Run& run) {
    if (is_added(run, "centred")) return Made{run.seed % 2 ? never : 100.0};
    if (is_added(run, "learned")) return Made{run.seed % 2 ? 0.75 * run.steps : 100.0};
    return Made{100};
  });
  const double cap = 1000;
  near(named(outcome, "A10.ratio.tuned.centred_half").value, std::sqrt(cap / 100));
  for (const char* pair : {"centred_half", "learned_half"})
    near(named(outcome, fmt::format("A10.ratio_by_half.tuned.{}", pair)).value, std::sqrt(cap / 200));
  // Eight pairs, four of which differ by -1, and ± √½: -4/10, the sum of squares 5, six strata of a sixth.
  const Finding& adjusted = named(outcome, "A10.learned_adjusted.tuned.centred_half");
  near(adjusted.value, -0.4);
  const double error = std::sqrt((5 - 10 * 0.16) / 9 / 10 / 6);
  near(*adjusted.high, -0.4 + 2.66976 * error, 1e-3);  // Student's t of 54 degrees of freedom, 99 %
  // Where nothing differs there is a spread all the same.
  BOOST_TEST(*named(outcome, "A10.learned_adjusted.tuned.learned_half").high > 0.05);
}

BOOST_AUTO_TEST_CASE(shares_that_learn_have_wilsons_interval) {
  const Outcome outcome = outcome_of(
      [](const Run& run) { return Made{is_added(run, "centred") && run.seed < 3 ? never : 40}; }, 4);
  const Table& arms = table_of(outcome.tables, "a10_arms.csv");
  BOOST_TEST(arms.rows.size() == 3U * (6 * 2 + 2 + 4));
  for (std::size_t i = 0; i < arms.rows.size(); ++i) {
    const bool slow = to_text(arms.at(i, "arm")) == "add" && to_text(arms.at(i, "positions")) == "centred";
    const double p = slow ? 0.25 : 1, n = 4, z = 2.575829, centre = (p + z * z / (2 * n)) / (1 + z * z / n),
                 half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    BOOST_TEST(arms.number(i, "learned") == p);
    near(arms.number(i, "learned_low"), centre - half, 1e-6);
    near(arms.number(i, "learned_high"), std::min(1.0, centre + half), 1e-6);
    BOOST_TEST(arms.number(i, "runs") == 4);
    BOOST_TEST(arms.number(i, "cap") == 1000);
    BOOST_TEST(arms.number(i, "steps") == (slow ? (3 * 1000 + 40) / 4.0 : 40.0));
    if (slow) BOOST_TEST(arms.number(i, "steps_high") == 1000);  // and no more
  }
}

BOOST_AUTO_TEST_CASE(shares_rise_where_runs_learn) {
  // Of four, two at step 40, one at 60, one never.
  const Outcome outcome =
      outcome_of([](const Run& run) { return Made{run.seed < 2    ? 40
                                                  : run.seed == 2 ? 60
                                                                  : never}; }, 4);
  const Table& rises = table_of(outcome.tables, "a10_rises.csv");
  const std::vector<std::pair<double, double>> path{{0, 0},     {40, 0.25},   {40, 0.5},
                                                    {60, 0.75}, {1000, 0.75}, {1000, 0.75}};
  BOOST_REQUIRE(rises.rows.size() == 3U * 18 * path.size());
  for (std::size_t i = 0; i < rises.rows.size(); ++i) {
    const auto& [step, share] = path[i % path.size()];
    BOOST_TEST(rises.number(i, "step") == step);
    BOOST_TEST(rises.number(i, "share") == share);
  }
}

// ---- preset long

BOOST_AUTO_TEST_CASE(long_runs_are_compared_by_depth_and_size) {
  // Two blocks learn later by half with positions added; adding's run of equal totals is twice as fast as the
  // wider one.
  const Outcome outcome = outcome_of(
      [](const Run& run) {
        return Made{run.inner > 0 ? 200.0 : run.arm == "add" && run.depth == 2 ? 150.0 : 100.0};
      },
      8, Preset::long_);
  near(named(outcome, centred_steps).value, 0);
  BOOST_TEST(named(outcome, centred_steps).n == 48U);  // widths 32 and 64, one block
  near(named(outcome, "A10.ratio.two_blocks.learned_half").value, 1.5);
  near(of_pair(outcome, "learned_half", "bite", 32, "ratio", 2), 1.5);
  near(of_pair(outcome, "centred_equal", "all", 0, "ratio"), 0.5);
  near(of_pair(outcome, "learned_equal", "all", 0, "ratio"), 0.5);
  near(of_pair(outcome, "fitted_half", "all", 0, "ratio"), 1);
}

BOOST_AUTO_TEST_CASE(accuracy_after_all_steps_has_its_margin) {
  const auto behind = [](double by) {
    return outcome_of(
        [by](const Run& run) {
          return Made{60,
                      0.9 + 0.01 * double(run.seed) - (is_added(run, "learned") && run.depth == 1 ? by : 0)};
        },
        8, Preset::long_);
  };
  constexpr const char* gain = "A10.gain.steps2000.learned_half";
  near(named(behind(0.01), gain).value, -0.01);
  BOOST_TEST(named(behind(0.01), gain).n == 48U);
  BOOST_TEST((answer_of(behind(0.01), gain) == Answer::holds));
  BOOST_TEST((answer_of(behind(0.03), gain) == Answer::fails));
  BOOST_TEST(named(behind(0.03), "A10.gain.steps2000.centred_half").value == 0);
}

BOOST_AUTO_TEST_CASE(text_is_a_limit_only_where_no_positions_lose) {
  const auto with = [](double none) {
    return outcome_of(
        [none](const Run& run) {
          const double own = 0.1 * double(run.seed % 3);
          return Made{60, 0.9, 4 + own + (run.arm == "none" ? none : is_added(run, "centred") ? 0.1 : 0)};
        },
        8, Preset::long_);
  };
  constexpr const char* lost = "A10.text_lost.centred";
  near(named(with(0.01), "A10.text_without.centred").value, 0.01, 1e-9);
  BOOST_TEST((answer_of(with(0.01), lost) == Answer::unmeasured));
  BOOST_TEST((answer_of(with(0.3), lost) == Answer::fails));
  near(named(with(0.3), lost).value, 0.1, 1e-9);
  BOOST_TEST((answer_of(with(0.3), "A10.text_lost.learned") == Answer::holds));
  const Outcome outcome = with(0.3);
  const Table& text = table_of(outcome.tables, "a10_text.csv");
  BOOST_TEST(text.rows.size() == 5U);
  for (std::size_t i = 0; i < text.rows.size(); ++i)
    near(text.number(i, "unigram"), std::log(some_text()->unigram_perplexity()));
  // And no table mixes it with the tasks.
  const Table& arms = table_of(outcome.tables, "a10_arms.csv");
  for (std::size_t i = 0; i < arms.rows.size(); ++i) BOOST_TEST(to_text(arms.at(i, "task")) != "text");
}

// ---- log-rank

namespace {

/// Steps at which each side learned, by seed; 0: not within 100.
Comparison learned_at(const std::vector<std::size_t>& first, const std::vector<std::size_t>& second) {
  Comparison compared;
  const auto end = [](std::size_t at) {
    Trained run{};
    run.steps = 100;
    run.learned_at = at > 0 ? at : 101;
    return run;
  };
  for (std::size_t i = 0; i < first.size(); ++i) compared.push_back({end(first[i]), end(second[i]), {}});
  return compared;
}

}  // namespace

BOOST_AUTO_TEST_CASE(log_rank_by_hand) {
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
}

BOOST_AUTO_TEST_CASE(log_rank_by_another_program) {
  // A program that enumerates each step's hypergeometric law in fractions: 2.3694906/√5.5073174. Ties within
  // and between sides, runs that do not learn, and two strata of their own times.
  near(log_rank({learned_at({36, 41, 41, 58, 63, 0, 77, 41, 90, 100}, {41, 60, 63, 63, 95, 0, 0, 88, 77, 99}),
                 learned_at({12, 15, 15, 15, 0, 33}, {14, 15, 29, 33, 33, 0})}),
       1.0096827525391165);
}

BOOST_AUTO_TEST_CASE(log_rank_of_equal_arms_is_standard_normal) {
  // 2,000 comparisons of two sides of eight, a third of which does not learn: mean 0 and variance 1 within
  // five standard errors, √(1/n) and about √(2/n); by Mantel's formula exactly 1 on average of a fixed
  // number at risk, 3 % from it with ratios of sums.
  double sum = 0, squares = 0;
  constexpr std::size_t n = 2000;
  Picks picks(7);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::size_t> sides[2];
    for (auto& side : sides)
      for (int seed = 0; seed < 8; ++seed) {
        const std::size_t at = 1 + picks.below(30);
        side.push_back(at > 20 ? 0 : at);
      }
    const double z = log_rank({learned_at(sides[0], sides[1])});
    sum += z / n;
    squares += z * z / n;
  }
  BOOST_TEST(std::abs(sum) < 5 / std::sqrt(double(n)));
  BOOST_TEST(std::abs(squares - 1) < 5 * std::sqrt(2.0 / n) + 0.03);
}

BOOST_AUTO_TEST_SUITE_END()
