#include "perp/io/csv.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(io_csv)

BOOST_AUTO_TEST_CASE(cells_are_written_as_documented) {
  CsvWriter csv({"word", "value"});
  csv.text("plain").number(0.1).end_row();
  csv.text("a,b").number(NAN).end_row();
  csv.text("say \"x\"").number(-3).end_row();
  csv.text("two\nlines").empty().end_row();
  csv.text("").number(-INFINITY).end_row();
  BOOST_TEST(csv.str() == "word,value\nplain,0.1\n\"a,b\",\n\"say \"\"x\"\"\",-3\n\"two\nlines\",\n,-inf\n");
  CsvWriter lone({"t"});  // leaves no empty line
  lone.empty().end_row();
  BOOST_TEST(lone.str() == "t\n\"\"\n");
}

BOOST_AUTO_TEST_CASE(formulas_are_defused_and_numbers_are_not) {
  for (const char* formula : {"=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0"}) {
    CsvWriter csv({"t"});
    csv.text(formula).end_row();
    BOOST_TEST(csv.str() == fmt::format("t\n'{}\n", formula));
  }
  CsvWriter csv({"t", "=x"});
  csv.text("'tis").number(-1.5).end_row();
  csv.text("x=1").number(-2).end_row();
  BOOST_TEST(csv.str() == "t,'=x\n'tis,-1.5\nx=1,-2\n");
}

BOOST_AUTO_TEST_CASE(every_text_comes_back) {
  Picks picks(5);
  const std::string_view alphabet = "ab'\"=+-@,;\r\n \t\0\xc3\xa4";
  for (int repeat = 0; repeat < 2'000; ++repeat) {
    const std::size_t columns = 1 + picks.below(3), rows = picks.below(4);
    std::vector<std::string> names;
    for (std::size_t c = 0; c < columns; ++c) names.push_back(fmt::format("c{}", c));
    CsvWriter csv(names);
    std::vector<std::vector<std::string>> expected(rows, std::vector<std::string>(columns));
    for (auto& cells : expected) {
      for (std::string& cell : cells) {
        for (std::size_t n = picks.below(6); n > 0; --n) cell += alphabet[picks.below(alphabet.size())];
        csv.text(cell);
      }
      csv.end_row();
    }
    const Csv table = parse_csv(csv.str(), "t.csv");
    BOOST_TEST_REQUIRE((table.columns == names));
    BOOST_TEST_REQUIRE((table.rows == expected), csv.str());
  }
}

BOOST_AUTO_TEST_CASE(other_writers_line_ends_are_read) {
  for (const char* text : {"a,b\r\n1,2\r\n3,\r\n", "a,b\n1,2\n3,", "\"a\",\"b\"\r\n\"1\",2\n3,\"\"\n"}) {
    const Csv table = parse_csv(text, "t.csv");
    BOOST_TEST((table.columns == std::vector<std::string>{"a", "b"}));
    BOOST_TEST_REQUIRE(table.rows.size() == 2U);
    BOOST_TEST(table.number(0, table.column("b")) == 2);
    BOOST_TEST(std::isnan(table.number(1, 1)));
  }
  BOOST_TEST(parse_csv("a\n\n", "t.csv").rows.size() == 1U);
  BOOST_TEST(parse_csv("a", "t.csv").rows.empty());
}

BOOST_AUTO_TEST_CASE(unusable_tables_are_refused) {
  for (const auto& [text, message] : std::vector<std::pair<const char*, const char*>>{
           {"", " is empty, a header of column names was expected"},
           {"a,\n", ": column 2 has no name"},
           {"a,b,a\n", ": two columns are named 'a'"},
           {"a,b\n1,2\n3\n", ":3: 1 fields, 2 were expected"},
           {"a,b\n\"1\n\n\",2\n3,4,5\n", ":5: 3 fields, 2 were expected"},
           {"a\n\"1\n", ":2: a quote is opened here and never closed"},
           {"a\n\"1\"\"", ":2: a quote is opened here and never closed"},
           {"a\n\"1\"x\n", ":2: text behind a closing quote"},
           {"a\nx\"1\"\n", ":2: a quote inside a field that does not begin with one"},
           {"a\n1\r2\n", ":2: a carriage return inside a line"}})
    BOOST_TEST(message_of([&, csv = text] { parse_csv(csv, "t.csv"); }) == std::string("t.csv") + message);
  const Scratch scratch;
  const auto path = scratch.file("t.csv", "a,b\n1\n");
  BOOST_TEST(message_of([&] { read_csv(path); }) == path.string() + ":2: 1 fields, 2 were expected");
  BOOST_TEST(read_csv(scratch.file("t.csv", "a\n'=1\n'2\n")).rows.at(0).at(0) == "=1");

  const Csv table = parse_csv("a,b\n1,x y\n", "t.csv");
  BOOST_TEST(message_of([&] { table.column("c"); }) == "t.csv has no column 'c'; it has a, b");
  BOOST_TEST(message_of([&] { table.number(0, 1); }) ==
             "t.csv: row 1, column 'b': found 'x y', a number was expected");
}

BOOST_AUTO_TEST_CASE(a_writer_used_wrongly_says_so) {
  const auto writer = [](std::vector<std::string> names) {
    return message_of([&] { CsvWriter csv(names); });
  };
  BOOST_TEST(writer({}) == "csv: a table needs a column");
  BOOST_TEST(writer({"a", ""}) == "csv: column 2 has no name");
  BOOST_TEST(writer({"a", "a"}) == "csv: two columns are named 'a'");
  CsvWriter csv({"a", "b"});
  csv.text("x");
  BOOST_TEST(message_of([&] { csv.end_row(); }) == "csv: row 1 has 1 cells, 2 were expected");
  BOOST_TEST(message_of([&] { csv.str(); }) == "csv: row 1 is not ended");
  csv.number(1);
  BOOST_TEST(message_of([&] { csv.number(2); }) == "csv: row 1 has more than 2 cells");
}

BOOST_AUTO_TEST_SUITE_END()
