// The form of a claim: typed rows, groups, columns, findings and sentences.

#include "perp/study/claim.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

struct Site {
  std::string table;
  std::size_t d;
};
PERP_ROW(Site, table, d)
struct Cosine : Site {
  std::size_t k;
  double largest;
  bool trusted;
};
PERP_ROW_OF(Cosine, Site, k, largest, trusted)
struct Elsewhere : Site {
  double depth;
};
PERP_ROW_OF(Elsewhere, Site, depth)
struct Depth : Site {
  Estimate alone, paired;
};
PERP_ROW_OF(Depth, Site, alone, paired)

template <class Row>
CellRecords measured(const Site& at, const std::vector<Row>& all) {
  const Cell cell{coordinates_of(at)};
  Rows rows(cell);
  for (const Row& row : all) rows.add(row);
  return {cell, rows.take()};
}

const Site words{"words", 64}, positions{"positions", 64};
const Cells two_cells{
    measured<Cosine>(words, {{words, 8, 0.5, true}, {words, 16, 0.75, false}, {words, 8, 0.25, true}}),
    measured<Cosine>(positions, {{positions, 8, NAN, false}, {{"positions", 32}, 8, 1, true}})};
const std::vector<Cosine> five = rows_of<Cosine>(two_cells);

const auto table_column = exact("table", "name", &Cosine::table);

}  // namespace

BOOST_AUTO_TEST_SUITE(study_claim)

BOOST_AUTO_TEST_CASE(a_row_comes_back_from_its_record_and_its_cell) {
  std::string text;
  for (const Cosine& row : five)
    text += fmt::format("{} {} {} {} {}; ", row.table, row.d, row.k, row.largest, row.trusted);
  BOOST_TEST(text ==
             "words 64 8 0.5 true; words 64 16 0.75 false; words 64 8 0.25 true; "
             "positions 64 8 nan false; positions 32 8 1 true; ");
  BOOST_TEST(rows_of<Elsewhere>(two_cells).empty());
  // The record keeps what the cell does not say.
  BOOST_TEST(two_cells[0].records.front().name == "Cosine");
  BOOST_TEST(to_text(two_cells[0].records.front().values) == "k=8 largest=0.5 trusted=1");
  BOOST_TEST(to_text(two_cells[1].records.back().values) == "d=32 k=8 largest=1 trusted=1");
  BOOST_TEST(to_text(coordinates_of(words)) == "table=words d=64");
}

BOOST_AUTO_TEST_CASE(an_estimate_comes_back_with_its_interval_or_without) {
  const Estimate paired = estimated(std::vector{0.25, 0.5, 0.75});
  const Depth back = rows_of<Depth>({measured<Depth>(words, {{words, {0.5}, paired}})}).front();
  BOOST_TEST((back.alone.value == 0.5 && !back.alone.low && !back.alone.level));
  BOOST_TEST((back.paired.low == paired.low && back.paired.high == paired.high));
  BOOST_TEST(back.paired.level.value() == shown_level);
}

BOOST_AUTO_TEST_CASE(a_field_that_is_missing_or_of_another_type_is_named) {
  BOOST_TEST(message_of([] {
               row_from<Cosine>({{"k", 8}}, coordinates_of(words));
             }) == "row Cosine: no field 'largest' in its record or its cell");
  BOOST_TEST(message_of([] {
               row_from<Site>({{"table", 1}, {"d", 8}});
             }) == "row Site: field 'table' is a number, expected a text");
  BOOST_TEST(message_of([] {
               row_from<Site>({{"table", "words"}, {"d", 0.5}});
             }) == "row Site: field 'd' is 0.5, expected an integer");
}

BOOST_AUTO_TEST_CASE(rules_name_findings_without_the_claim_and_take_their_words) {
  Experiment claim{"O9", "A statement.", "[d]"};
  const auto run = [](const Site& at, const Streams&, Rows& rows) {
    rows.add(Cosine{at, at.d / 2, 0.5, true});
  };
  claim.measure(std::vector{words, positions}, 1, run);
  check_refusal([&] { claim.measure(std::vector{words}, 1, run); },
                "O9: the cell table=words d=64 is listed twice");
  claim.conclude([](const Cells& cells, Summary& summary) {
    summary.each(rows_of<Cosine>(cells), {table_column},
                 {sampled("share", "A share.", &Cosine::largest).n(8)});
    summary.number("bound", {}, {0.25}, {.meaning = "A bound."});
    summary.rule = {condition(Role::core, "share.words", Is::above, "bound", Evidence::simulation, {}),
                    condition(Role::limit, "bound", Is::above, 0.0, Evidence::theorem, {}, "its own words"),
                    condition(Role::limit, "D9.theirs", Is::above, 0.0, Evidence::theorem, {},
                              "another claim's", "study distance")};
  });
  Cells cells;
  for (const Cell& cell : claim.cells)
    cells.push_back({cell, claim.run(cell, Streams{1, "O9", to_text(cell.at)})});
  const Outcome outcome = claim.summarise(cells);
  BOOST_TEST(outcome.rule.front().says == "a share, words");
  BOOST_TEST(outcome.rule[1].says == "its own words");
  BOOST_TEST(outcome.rule.back().finding == "D9.theirs");
  BOOST_TEST(outcome.rule.front().finding == "O9.share.words");
  BOOST_TEST(std::get<std::string>(outcome.rule.front().bound) == "O9.bound");
  BOOST_TEST((judge(outcome.findings, outcome.rule).verdict == Verdict::is_true));
}

BOOST_AUTO_TEST_CASE(a_condition_says_the_first_part_of_a_meaning_points_of_numbers_and_all) {
  const std::pair<const char*, const char*> meanings[] = {
      {"Share of the pairs in order; theory: all.", "share of the pairs in order"},
      {"Share of the pairs. Both are uniform.", "share of the pairs"},
      {"Share of |cosine| below .1 at the 99.9% level.", "share of |cosine| below .1 at the 99.9% level"},
      {"L/.6165 over the base; noise 1.5.", "L/.6165 over the base"},
      {"As in Yan et al. 2019; more", "as in Yan et al. 2019"},
      {"Largest r₉₉.₉ of all", "largest r₉₉.₉ of all"},
      {"", ""}};
  for (const auto& [meaning, says] : meanings) {
    Summary summary("O9");
    summary.number("share", {}, {0.5}, {.meaning = meaning});
    summary.rule = {condition(Role::core, "share", Is::above, 0.0, Evidence::simulation, {})};
    BOOST_TEST(std::move(summary).finish().rule.front().says == says);
  }
}

BOOST_AUTO_TEST_SUITE_END()
