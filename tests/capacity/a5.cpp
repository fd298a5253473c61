// What claim A5 must find whatever the machine.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "studies/capacity/claims.hpp"
#include "tests/capacity/quick.hpp"
#include "tests/support/rule.hpp"

using namespace perp;
using namespace perp::capacity;
using namespace perp::test;

namespace {

constexpr double weak_noise = 0.5, deciding_noise = 1, region_noise = 1.5, strong_noise = 2;
constexpr double material_loss = 0.5;    // bits
constexpr std::size_t split_steps = 16;  // adding and d_p = d/16 … 15 d/16

}  // namespace

BOOST_AUTO_TEST_SUITE(capacity_a5)

BOOST_AUTO_TEST_CASE(known_numbers) {
  // Words without limit, against 640,000 samples of a program of its own: 1.666 and 1.837 bits of position,
  // each ± .002, the word's ½·32 log₂(1 + 1/2.25) and 12 log₂(1 + (32/24)/2.25). Standard errors of the quick
  // preset: .01 for the sum, .03 for the split.
  BOOST_TEST(std::abs(value("A5.unlimited.adding") - 9.704) < 0.06);
  BOOST_TEST(std::abs(value("A5.unlimited_position.adding") - 1.666) < 0.06);
  BOOST_TEST(std::abs(value("A5.unlimited.width8") - 9.894) < 0.15);
  BOOST_TEST(std::abs(value("A5.unlimited_position.width8") - 1.837) < 0.15);
  BOOST_TEST(value("A5.unlimited.width8") > value("A5.unlimited.adding"));
}

BOOST_AUTO_TEST_CASE(wrong_splits_cost_bits_and_errors) {
  for (const char* positions : {"sinusoidal", "centred", "random"}) {
    const std::string name(positions);
    BOOST_TEST(*finding("A5.worst_loss." + name).low > material_loss);
    BOOST_TEST(*finding("A5.worst_loss_error." + name).low > 0.1);
  }
  BOOST_TEST(*finding("A5.moved_loss.sinusoidal").low > material_loss);
  BOOST_TEST(*finding("A5.moved_loss.random").high < material_loss);
  BOOST_TEST(*finding("A5.adding_loss.random").high < 0);
}

BOOST_AUTO_TEST_CASE(an_eighth_is_too_few_for_sinusoids) {
  const Table& losses = table("a5_loss.csv");
  std::size_t checked = 0;
  for (std::size_t i = 0; i < losses.rows.size(); ++i)
    if (losses.number(i, "noise") == weak_noise && losses.number(i, "width") == 4) {
      const Finding& loss = finding("A5.eighth_loss." + to_text(losses.at(i, "positions")));
      BOOST_TEST(loss.value == losses.number(i, "loss"));
      BOOST_TEST(*loss.low == losses.number(i, "loss_low"));
      ++checked;
    }
  BOOST_TEST(checked == 3U);
  BOOST_TEST(*finding("A5.eighth_loss.sinusoidal").low > material_loss);
}

BOOST_AUTO_TEST_CASE(what_is_chosen_is_chosen_on_other_codebooks) {
  // Three codebooks and two splits; at noise 1 and 2 the first codebook alone would turn the choice.
  const double changing[2][3] = {{10, 0, 0}, {0, 4, 4}}, steady[2][3] = {{1, 1, 1}, {5, 5, 5}};
  std::vector<CellRecords> cells;
  for (std::size_t book = 0; book < 3; ++book) {
    Records records;
    for (const char* positions : {"sinusoidal", "centred", "random"})
      for (const double noise : {weak_noise, deciding_noise, region_noise, strong_noise})
        for (const std::size_t width : {0U, 4U, 8U}) {
          const double bits = width == 0 ? 0 : (noise == weak_noise ? steady : changing)[width / 4 - 1][book];
          Record record{
              "Way", {{"positions", positions}, {"noise", noise}, {"width", whole(width)}, {"bits", bits}}};
          for (const char* other :
               {"word", "position", "word_known", "position_known", "word_error", "position_error", "error",
                "unlimited", "unlimited_word", "unlimited_position"})
            record.values.emplace_back(other, 0.0);
          records.push_back(record);
        }
    cells.push_back(
        {{{{"d", 32}, {"v", 256}, {"l", 64}, {"codebook", whole(book)}, {"samples", 1024}}}, records});
  }
  const std::vector<Finding> findings = choosing_a_split({}).summarise(cells).findings;
  const auto loss = [&](const char* id) { return find(findings, id)->value; };
  // Best by the others: widths 8, 4, 4 with 0 bits each; worst: 4, 8, 8 with 10, 4, 4.
  BOOST_TEST(loss("A5.worst_loss.sinusoidal") == -6.0);
  // Those of noise 2 used at noise one half: 5, 1, 1 bits against 5.
  BOOST_TEST(std::abs(loss("A5.moved_loss.sinusoidal") - 8.0 / 3) < 1e-15);
  BOOST_TEST(loss("A5.eighth_loss.sinusoidal") == 4.0);
}

BOOST_AUTO_TEST_CASE(the_choice_of_widths_and_powers_is_to_be_measured) {
  const Results& results = results_of("A5");
  const Claim& claim = results.claims.front();
  BOOST_TEST(shape(claim) == "core 12 limit 1: joined by positions d");
  BOOST_TEST((claim.verdict() == Verdict::unmeasured));
  BOOST_TEST(claim.judgement.unmeasured == 12U);
  for (const Condition& condition : claim.rule) BOOST_TEST(!condition.needs.empty(), condition.finding);
  // Six codebooks are too few for the limit; eight would do.
  BOOST_TEST((claim.judgement.readings.back().answer == Answer::unmeasured));
  std::vector<Finding> findings = results.findings;
  for (Finding& each : findings)
    if (each.id == "A5.eighth_loss.sinusoidal") each.spread->replicates = 8;
  BOOST_TEST((judge(findings, claim.rule).readings.back().answer == Answer::holds));
}

BOOST_AUTO_TEST_CASE(rows_agree_with_one_another) {
  const Table& losses = table("a5_loss.csv");
  BOOST_TEST(losses.rows.size() == 3 * 4 * split_steps);
  for (std::size_t i = 0; i < losses.rows.size(); ++i) {
    const double word = losses.number(i, "word"), position = losses.number(i, "position"),
                 bits = losses.number(i, "bits");
    // A split's bits add up; of a sum, both together say more than each alone.
    if (losses.number(i, "width") > 0) BOOST_TEST(std::abs(bits - word - position) < 1e-9);
    if (losses.number(i, "width") == 0) BOOST_TEST(bits > word + position - 1e-6);
    const double either = losses.number(i, "error"), w = losses.number(i, "word_error"),
                 p = losses.number(i, "position_error");
    BOOST_TEST(either >= std::max(w, p) - 1e-12);
    BOOST_TEST(either <= w + p + 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(points_lie_inside_the_pentagon) {
  const Table &points = table("a5_region.csv"), &curve = table("a5_curve.csv");
  const double word = curve.number(0, "word"), position = curve.number(3, "position"),
               both = word + curve.number(1, "position");
  BOOST_TEST(std::abs(curve.number(2, "word") + curve.number(2, "position") - both) < 1e-12);
  BOOST_TEST(points.rows.size() == 3 * 2 * (split_steps + 1));
  for (std::size_t i = 0; i < points.rows.size(); ++i) {
    BOOST_TEST(points.number(i, "word_low") <= word);
    BOOST_TEST(points.number(i, "position_low") <= position);
    BOOST_TEST(points.number(i, "word_low") + points.number(i, "position_low") <= both);
  }
}

BOOST_AUTO_TEST_SUITE_END()
