// A10: the summary of runs that are written here by hand against plain arithmetic, and the quick preset.

#include <algorithm>
#include <cmath>

#include "studies/learning/a10_measure.hpp"
#include "studies/learning/claims.hpp"
#include "tests/learning/quick.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

/// What a run written by hand reached.
struct Made {
  double accuracy = 0, nats = 0, learned_at = 0;
};
using Rule_of_runs = std::function<Made(const Run&)>;

/// The outcome of A10 if every run of the quick preset, with more seeds, had reached what `made` says.
Outcome outcome_of(const Rule_of_runs& made, std::size_t seeds) {
  const Experiment experiment = who_learns(quick_options(), load_text(quick_options()));
  std::vector<CellRecords> cells;
  for (const Cell& cell : experiment.cells) {
    Run run = row_from<Run>(cell.at);
    if (run.seed != 0) continue;
    for (run.seed = 0; run.seed < seeds; ++run.seed) {
      const Made result = made(run);
      cells.push_back(kept(run, CurvePoint{{}, 20, result.accuracy / 2, 1.0},
                           CurvePoint{{}, 40, result.accuracy, 1.0},
                           Trained{{},
                                   100U + (run.arm == "rotary"),
                                   run.width,
                                   static_cast<std::size_t>(result.learned_at),
                                   result.accuracy,
                                   result.nats}));
    }
  }
  return experiment.summarise(cells);
}

const Finding& in(const Outcome& outcome, std::string_view id) {
  const Finding* found = find(outcome.findings, id);
  BOOST_REQUIRE_MESSAGE(found, "no finding " << id);
  return *found;
}

/// The same in every arm, but for a little that differs between seeds.
Made equal_runs(const Run& run) {
  return {0.9 + 0.001 * static_cast<double>(run.seed), 4, 60 + static_cast<double>(run.seed)};
}

Verdict verdict_of(const Outcome& outcome) { return judge(outcome.findings, outcome.rule).verdict; }

Answer answer_of(const Outcome& outcome, std::string_view id) {
  const auto it = std::ranges::find(outcome.rule, id, &Condition::finding);
  BOOST_REQUIRE_MESSAGE(it != outcome.rule.end(), "no condition on " << id);
  return answer(outcome.findings, *it);
}
bool holds(const Outcome& outcome, std::string_view id) { return answer_of(outcome, id) == Answer::holds; }
bool fails(const Outcome& outcome, std::string_view id) { return answer_of(outcome, id) == Answer::fails; }

constexpr const char *steps_as_is = "A10.log_steps.order.fixed_half",
                     *learned_as_is = "A10.learned_gain.order.fixed_half";

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_a10)

BOOST_AUTO_TEST_CASE(equal_arms_lose_nothing) {
  const Outcome outcome = outcome_of(equal_runs, 8);
  BOOST_TEST((verdict_of(outcome) == Verdict::unmeasured));  // the core's arms are not there
  BOOST_TEST(std::ranges::count(outcome.rule, Role::core, &Condition::role) == 4);
  BOOST_TEST(outcome.rule.size() == 11U);
  BOOST_TEST(holds(outcome, steps_as_is));
  BOOST_TEST(holds(outcome, learned_as_is));
  BOOST_TEST(!outcome.condition.empty());
  for (const Finding& found : outcome.findings) {
    BOOST_TEST(std::isfinite(found.value), found.id);
    if (found.id.starts_with("A10.gain") || found.id.starts_with("A10.saved")) {
      BOOST_TEST(found.value == 0, found.id);
      BOOST_TEST((found.low == 0.0 && found.high == 0.0), found.id);
    }
  }
  BOOST_TEST(in(outcome, "A10.behind.fixed_quarter").n == 8U);
  BOOST_TEST(in(outcome, "A10.perplexity_ratio.add_fixed").value == 1);
  BOOST_TEST(std::abs(in(outcome, "A10.perplexity.concat").value - std::exp(4.0)) < 1e-10);
  BOOST_TEST(in(outcome, "A10.inner_difference").value == 101.0 / 100 - 1);
}

BOOST_AUTO_TEST_CASE(a_difference_within_the_margin_is_none) {
  // Two in a hundred steps are less than one of the quick preset's: a step later in three of five seeds is
  // certain and within them, two steps later in every seed are not; answers by half of the margin and by
  // twice of it.
  const auto behind = [](double margins, double steps, std::size_t of_five) {
    return outcome_of(
        [=](const Run& run) {
          BOOST_REQUIRE(0.6 < margin * static_cast<double>(run.steps));
          BOOST_REQUIRE(2 > margin * static_cast<double>(run.steps));
          Made made = equal_runs(run);
          made.accuracy -= run.arm == "add_fixed" ? margins * margin : 0;
          made.learned_at += run.arm == "add_fixed" && run.seed % 5 < of_five ? steps : 0;
          return made;
        },
        60);
  };
  const Outcome within = behind(0.5, 1, 3), beyond = behind(2, 2, 5);
  for (const char* measure : {"behind", "later", "worse"}) {
    const std::string id = fmt::format("A10.{}.fixed_half", measure);
    BOOST_TEST(in(within, id).value == 0, id);
    BOOST_TEST(in(beyond, id).value == 8, id);
  }
  const Outcome barely = behind(-0.5, -1, 3), clearly = behind(-2, -2, 5);
  for (const char* measure : {"ahead", "sooner"}) {
    const std::string id = fmt::format("A10.{}.fixed_half", measure);
    BOOST_TEST(in(barely, id).value == 0, id);
    BOOST_TEST(in(clearly, id).value == 8, id);
  }
}

BOOST_AUTO_TEST_CASE(differences_are_paired_by_seed) {
  // add_fixed is behind concat by .1 and .2 in turns, whatever the seed itself brings.
  const auto made = [](const Run& run) {
    Made made{0.5 + 0.05 * static_cast<double>(run.seed % 8), 4, 20 + 5 * static_cast<double>(run.seed)};
    if (run.arm == "none") made.nats += 0.3;
    if (run.arm == "add_fixed") {
      made.accuracy -= run.seed % 2 ? 0.1 : 0.2;
      made.learned_at += run.seed % 2 ? 6 : 10;
      made.nats += run.seed % 2 ? 0.2 : 0.1;
    }
    return made;
  };
  const Outcome outcome = outcome_of(made, 8);
  // Student's t at 99 % for 7 and for 42 degrees of freedom, from printed tables. Eight values c ± h in turns
  // have the standard error h √(8/7)/√8, the mean of six such means the root of a sixth of it.
  const double t = 3.4995, error = 1 / std::sqrt(7.0), t_six = 2.6981, error_six = error / std::sqrt(6.0);
  const Finding& gain = in(outcome, "A10.gain.copy2.fixed_quarter.width16");
  BOOST_TEST(std::abs(gain.value + 0.15) < 1e-12);
  BOOST_TEST(std::abs(*gain.low - (-0.15 - t * 0.05 * error)) < 1e-5);
  BOOST_TEST(std::abs(*gain.high - (-0.15 + t * 0.05 * error)) < 1e-5);
  BOOST_TEST(*gain.level == shown_level);
  const Finding& saved = in(outcome, "A10.saved.bite.fixed_half.width32");
  BOOST_TEST(std::abs(saved.value + 8) < 1e-12);
  BOOST_TEST(std::abs(*saved.high - (-8 + t * 2 * error)) < 1e-3);
  const Finding& later = in(outcome, "A10.mean_saved.order.fixed_half");
  BOOST_TEST(std::abs(later.value + 8) < 1e-12);
  BOOST_TEST(std::abs(*later.high - (-8 + t_six * 2 * error_six)) < 1e-3);
  BOOST_TEST(later.n == 48U);
  BOOST_TEST(in(outcome, "A10.gain.count.learned_fixed.width32").value > 0.149);
  BOOST_TEST(in(outcome, "A10.gain.count.learned_quarter.width32").value == 0);
  const Finding& ratio = in(outcome, "A10.perplexity_ratio.add_fixed");
  BOOST_TEST(std::abs(ratio.value - std::exp(0.15)) < 1e-12);
  BOOST_TEST(std::abs(*ratio.low - std::exp(0.15 - t * 0.05 * error)) < 1e-5);
  BOOST_TEST(in(outcome, "A10.behind.fixed_quarter").value == 8);
  BOOST_TEST(in(outcome, "A10.later.fixed_half").value == 8);
  BOOST_TEST(in(outcome, "A10.ahead.fixed_quarter").value == 0);
  BOOST_TEST(in(outcome, "A10.behind.learned_quarter").value == 0);
  BOOST_TEST(in(outcome, "A10.worse.fixed_half").value == 8);
  BOOST_TEST(in(outcome, "A10.worse.learned_quarter").value == 0);
  // The same in every task and width, which are no pairs.
  const Finding& mean = in(outcome, "A10.mean_gain.order.fixed_half");
  BOOST_TEST(std::abs(*mean.low - (-0.15 - t_six * 0.05 * error_six)) < 1e-5);
  // A mean's own interval is the wide one of seeds that differ.
  const Finding& accuracy = in(outcome, "A10.accuracy.copy2.concat.p8.width16");
  BOOST_TEST(std::abs(accuracy.value - 0.675) < 1e-12);
  BOOST_TEST(*accuracy.high - *accuracy.low > 0.2);
}

BOOST_AUTO_TEST_CASE(order_and_counting_are_averaged_apart) {
  // Learned positions are sooner everywhere. Sinusoids: less accurate in copying, later at named places, both
  // in who bit whom, more accurate in counting; half as much at width 32.
  const Outcome outcome = outcome_of(
      [](const Run& run) {
        Made made{0.5, 4, 30};
        if (run.arm == "add_learned") made.learned_at -= 5;
        if (run.arm != "add_fixed") return made;
        const double size = run.width == 32 ? 0.5 : 1;
        if (run.task == "copy2" || run.task == "bite") made.accuracy -= 0.3 * size;
        if (run.task == "named" || run.task == "bite") made.learned_at += 20 * size;
        if (run.task == "count") made.accuracy += 0.4 * size;
        return made;
      },
      8);
  for (const char* pair : {"fixed_quarter", "fixed_half"}) {
    const auto the = [&](const char* measure) {
      return in(outcome, fmt::format("A10.{}.{}", measure, pair)).value;
    };
    BOOST_TEST(std::abs(the("mean_gain.order") + 0.15) < 1e-12);
    BOOST_TEST(std::abs(the("mean_saved.order") + 10) < 1e-12);
    BOOST_TEST(std::abs(the("mean_gain.counting") - 0.3) < 1e-12);
    BOOST_TEST(the("mean_saved.counting") == 0);
    BOOST_TEST(the("ahead") == 2);
    BOOST_TEST(the("behind") == 4);
    BOOST_TEST(the("later") == 4);
    BOOST_TEST(the("sooner") == 0);
    BOOST_TEST(the("worse") == 6);
  }
  BOOST_TEST(in(outcome, "A10.mean_saved.order.learned_half").value == 5);
  const auto pairs = std::ranges::find(outcome.tables, "a10_pairs.csv", &Table::file);
  BOOST_REQUIRE(pairs != outcome.tables.end());
  for (std::size_t i = 0; i < pairs->rows.size(); ++i) {
    const std::string first = to_text(pairs->at(i, "first")), task = to_text(pairs->at(i, "task"));
    const std::string expected = first != "add_fixed" || task == "named" ? "even"
                                 : task == "count"                       ? "first"
                                                                         : "second";
    if (to_text(pairs->at(i, "second")) != "add_fixed")
      BOOST_TEST(to_text(pairs->at(i, "better")) == expected, first << " " << task);
  }
}

BOOST_AUTO_TEST_CASE(adding_that_always_loses_fails) {
  const Outcome outcome = outcome_of(
      [](const Run& run) {
        Made made = equal_runs(run);
        if (run.arm.starts_with("add")) made = {made.accuracy - 0.1, made.nats + 0.1, made.learned_at + 9};
        return made;
      },
      8);
  BOOST_TEST(fails(outcome, steps_as_is));
  BOOST_TEST(holds(outcome, learned_as_is));
  BOOST_TEST(in(outcome, "A10.behind.learned_quarter").value == 8);
}

BOOST_AUTO_TEST_CASE(steps_and_runs_that_learn_have_their_margins) {
  // A tenth more steps and a twentieth of the runs count as none.
  const auto later = [](double factor) {
    return outcome_of(
        [factor](const Run& run) {
          return Made{0.9, 4, run.arm == "add_fixed" ? 60 * factor : 60.0};
        },
        8);
  };
  BOOST_TEST(holds(later(1.05), steps_as_is));
  BOOST_TEST(fails(later(1.15), steps_as_is));
  BOOST_TEST(std::abs(in(later(1.05), steps_as_is).value - std::log(1.05)) < 1e-12);
  const auto fewer = [](std::size_t lost) {
    return outcome_of(
        [lost](const Run& run) {
          return Made{0.9, 4, run.arm == "add_fixed" && run.task == "bite" && run.seed < lost ? 81.0 : 60.0};
        },
        40);
  };
  BOOST_TEST(holds(fewer(0), learned_as_is));
  BOOST_TEST((answer_of(fewer(4), learned_as_is) == Answer::open));
  BOOST_TEST(fails(fewer(30), learned_as_is));
  BOOST_TEST(std::abs(in(fewer(30), learned_as_is).value + 0.25) < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_run_that_does_not_learn_counts_as_all_of_its_steps) {
  // Named places: concatenating learns in 40 of 80 steps, adding never; elsewhere none learns, which says
  // nothing.
  const Outcome outcome = outcome_of(
      [](const Run& run) {
        return Made{0.5, 4, run.task == "named" && !run.arm.starts_with("add") ? 40.0 : 81.0};
      },
      8);
  BOOST_TEST(std::abs(in(outcome, steps_as_is).value - std::log(2.0)) < 1e-12);
  BOOST_TEST(in(outcome, steps_as_is).n == 16U);
  BOOST_TEST(std::abs(in(outcome, learned_as_is).value + 1.0 / 3) < 1e-12);
  const Outcome nothing = outcome_of([](const Run&) { return Made{0.5, 4, 81}; }, 8);
  BOOST_TEST(!find(nothing.findings, steps_as_is));
  BOOST_TEST((answer_of(nothing, steps_as_is) == Answer::unmeasured));
  const Outcome few = outcome_of(equal_runs, 7);
  BOOST_TEST((answer_of(few, steps_as_is) == Answer::unmeasured));
}

BOOST_AUTO_TEST_CASE(the_core_is_judged_once_its_arms_are_there) {
  const auto judged = [](double sinusoid, double learned) {
    Outcome outcome = outcome_of(equal_runs, 8);
    const auto add = [&](const char* measure, const char* pair, double value, double error) {
      outcome.findings.push_back(perp::finding("A10", measure, {{"choice", "tuned"}, {"pair", pair}},
                                               estimated(value, {MeanSpread{error, 40}, {}, 8}),
                                               {.meaning = "made"}));
    };
    add("log_steps", "centred_half", sinusoid, 0.01);
    add("log_steps", "learned_half", learned, 0.01);
    add("learned_gain", "centred_half", 0, 0.001);
    add("learned_gain", "learned_half", 0, 0.001);
    return judge(outcome.findings, outcome.rule);
  };
  BOOST_TEST((judged(0.02, 0.02).verdict == Verdict::is_true));
  BOOST_TEST((judged(0.1, 0.02).verdict == Verdict::open));  // log 1.1 is .095
  BOOST_TEST((judged(0.2, 0.02).verdict == Verdict::depends));
  BOOST_TEST(judged(0.2, 0.02).factor.empty());  // the sinusoid's runs learn all the same
  BOOST_TEST(judged(0.2, 0.2).factor == "end point");
}

BOOST_AUTO_TEST_CASE(text_is_a_limit_only_where_no_positions_lose) {
  const auto with = [](double none) {
    return outcome_of(
        [none](const Run& run) {
          Made made = equal_runs(run);
          if (run.arm == "none") made.nats += none;
          if (run.arm == "add_fixed") made.nats += 0.1;
          return made;
        },
        8);
  };
  BOOST_TEST((answer_of(with(0.01), "A10.text_lost.add_fixed") == Answer::unmeasured));
  BOOST_TEST(fails(with(0.3), "A10.text_lost.add_fixed"));
}

BOOST_AUTO_TEST_CASE(never_learned_counts_one_step_more_and_shows) {
  const auto made = [](const Run& run) {
    return Made{0.5, 4, run.arm == "add_fixed" && run.seed < 3 ? 81.0 : 40.0};
  };
  const Outcome outcome = outcome_of(made, 4);
  BOOST_TEST(in(outcome, "A10.steps.named.add_fixed.width32").value == (3 * 81 + 40) / 4.0);
  BOOST_TEST(*in(outcome, "A10.steps.named.add_fixed.width32").high == 81);
  BOOST_TEST(*in(outcome, "A10.steps.named.add_fixed.width32").theory == 81);
  const auto arms = std::ranges::find(outcome.tables, "a10_arms.csv", &Table::file);
  BOOST_REQUIRE(arms != outcome.tables.end());
  for (std::size_t i = 0; i < arms->rows.size(); ++i) {
    const bool fixed = to_text(arms->at(i, "arm")) == "add_fixed";
    BOOST_TEST(arms->number(i, "learned") == (fixed ? 0.25 : 1.0));
    BOOST_TEST((arms->number(i, "learned_low") > 0));
    BOOST_TEST((arms->number(i, "learned_high") < 1) == fixed);
  }
}

BOOST_AUTO_TEST_CASE(the_best_split_is_chosen_by_other_seeds) {
  // Each split is best in one seed by far: chosen by the same seed it would save 50 steps, chosen by others
  // it saves none.
  const auto made = [](const Run& run) {
    const bool lucky = run.task == "copy2" && run.arm == "concat" && run.width == 32 &&
                       run.position_width == 8 * (run.seed + 1);
    return Made{0.5, 4, lucky ? 10.0 : 60.0};
  };
  const Outcome outcome = outcome_of(made, 3);
  BOOST_TEST(in(outcome, "A10.split_saved.add_fixed").value == 0);
  BOOST_TEST(std::abs(in(outcome, "A10.split_steps.p16").value - 130.0 / 3) < 1e-12);
  const auto better = [](const Run& run) {
    return Made{0.5, 4,
                run.arm == "concat" && run.position_width == 24 ? 50.0
                : run.arm == "add_learned"                      ? 30.0
                                                                : 60.0};
  };
  const Outcome clear = outcome_of(better, 3);
  BOOST_TEST(in(clear, "A10.best_split").value == 24);
  BOOST_TEST(in(clear, "A10.split_saved.add_fixed").value == 10);
  BOOST_TEST(in(clear, "A10.split_saved.add_learned").value == -20);
  const auto table = std::ranges::find(clear.tables, "a10_splits.csv", &Table::file);
  BOOST_REQUIRE(table != clear.tables.end());
  BOOST_REQUIRE_EQUAL(table->rows.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i)
    BOOST_TEST(table->number(i, "chosen") == (table->number(i, "position_width") == 24 ? 3 : 0));
}

BOOST_AUTO_TEST_CASE(counting_is_compared_with_no_positions) {
  const Outcome outcome = outcome_of(
      [](const Run& run) {
        Made made = equal_runs(run);
        if (run.arm == "none") made.accuracy += 0.05;
        return made;
      },
      8);
  for (const char* arm :
       {"add_fixed.width16", "concat.p8.width16", "concat_learned.p8.width32", "rotary.width32"})
    BOOST_TEST(std::abs(in(outcome, fmt::format("A10.counting.{}", arm)).value + 0.05) < 1e-12, arm);
  BOOST_TEST(!find(outcome.findings, "A10.counting.none.width16"));
}

BOOST_AUTO_TEST_CASE(without_a_text_the_rest_is_judged) {
  Options options = quick_options();
  options.extra["corpus"] = "none";
  const Experiment experiment = who_learns(options, {});
  std::vector<CellRecords> cells;
  for (const Cell& cell : experiment.cells) {
    const Run run = row_from<Run>(cell.at);
    BOOST_REQUIRE(run.task != "text");
    const Made made = equal_runs(run);
    cells.push_back(kept(run, CurvePoint{{}, 20, 0.5, 1.0}, Trained{{}, 9, 9, 60, made.accuracy, made.nats}));
  }
  const Outcome outcome = experiment.summarise(cells);
  BOOST_TEST(outcome.rule.size() == 11U);
  for (const Table& table : outcome.tables) BOOST_TEST(table.file != "a10_text.csv");
}

BOOST_AUTO_TEST_CASE(quick_preset_compares_like_with_like) {
  BOOST_TEST(value("A10.inner_difference") == 0);
  const Table& arms = table("a10_arms.csv");
  BOOST_TEST(arms.rows.size() == 4U * 8 * 2);
  for (std::size_t i = 0; i < arms.rows.size(); ++i) {
    BOOST_TEST(arms.number(i, "seeds") == 2);
    BOOST_TEST(arms.number(i, "accuracy_low") <= arms.number(i, "accuracy"));
    BOOST_TEST(arms.number(i, "accuracy") <= arms.number(i, "accuracy_high"));
    BOOST_TEST(arms.number(i, "steps") <= arms.number(i, "budget") + 1);
    // Nobody who is not told the order does better than the best guess from a bag: 256 sequences and two
    // seeds, five standard errors of sequences that stand or fall as a whole.
    const double blind = arms.number(i, "order_blind");
    if (to_text(arms.at(i, "arm")) == "none")
      BOOST_TEST(arms.number(i, "accuracy") <=
                 blind + tolerance::standard_errors * std::sqrt(blind * (1 - blind) / 512));
  }
  // Rotary begins to tell who bit whom even here.
  BOOST_TEST(value("A10.accuracy.bite.rotary.width32") > 2 * order_blind_share("bite"));
  const Table& curves = table("a10_curves.csv");
  BOOST_TEST(curves.rows.size() == 4U * 8 * 2 * 4);
  for (const Table& any : results_of("A10").tables)
    for (std::size_t i = 0; i < any.rows.size(); ++i)
      for (const Column& column : any.columns)
        if (!column.unit.empty())
          BOOST_TEST(std::isfinite(any.number(i, column.name)), any.file << " " << column.name);
}

BOOST_AUTO_TEST_CASE(quick_text_is_learned_beyond_frequencies) {
  // 40 steps suffice to see that a word is followed by its own second one.
  for (const char* arm : {"add_fixed", "add_learned", "concat", "rotary", "none"}) {
    const Finding& perplexity = finding(fmt::format("A10.perplexity.{}", arm));
    BOOST_TEST(*perplexity.theory > 500);
    BOOST_TEST(*perplexity.theory < 1200);
    BOOST_TEST(perplexity.value < *perplexity.theory, arm);
  }
}

BOOST_AUTO_TEST_SUITE_END()
