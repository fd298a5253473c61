// What is kept comes back as it was; what does not fit is found out.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "perp/io/file.hpp"
#include "perp/study/cells.hpp"
#include "tests/lib/study/toy.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

using State = CellStore::State;

const Records kept{
    {"a", {{"x", 0.1}, {"n", whole(3)}, {"t", std::string("nan")}}},
    {"a", {{"x", std::numeric_limits<double>::quiet_NaN()}, {"y", -1e308}}},
    {"b", {{"x", std::numeric_limits<double>::infinity()}, {"one", 1.0}, {"t", std::string("a\"b\n'")}}},
    {"words",
     {{"latin", std::string("caf\xe9")}, {"none", std::string("\xff\x00x", 3)}, {"x", std::string("x63")}}},
    {"empty", {}}};

void check_same(const Records& found) {
  BOOST_REQUIRE(found.size() == kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    BOOST_TEST(found[i].name == kept[i].name);
    BOOST_REQUIRE(found[i].values.size() == kept[i].values.size());
    for (std::size_t j = 0; j < kept[i].values.size(); ++j) {
      const auto& [name, value] = kept[i].values[j];
      BOOST_TEST(found[i].values[j].name == name);
      const Value& back = found[i].values[j].value;
      BOOST_TEST(back.index() == value.index(), "type of " << name);  // 1.0 stays real, 3 stays whole
      if (const double* real = std::get_if<double>(&value); real && std::isnan(*real))
        BOOST_TEST(std::isnan(std::get<double>(back)));
      else
        BOOST_TEST((back == value));
    }
  }
}

struct Fixture {
  Scratch scratch;
  Experiment experiment = Toy{}.experiment();
  CellStore store{scratch.path(), "context"};
  const Cell& cell = experiment.cells[0];
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(study_cell_store, Fixture)

BOOST_AUTO_TEST_CASE(round_trip) {
  BOOST_TEST((store.find(experiment, cell).state == State::absent));
  store.keep(experiment, cell, kept);
  const CellStore::Found found = store.find(experiment, cell);
  BOOST_TEST((found.state == State::kept));
  check_same(found.records);
}

BOOST_AUTO_TEST_CASE(every_coordinate_of_the_key_matters) {
  store.keep(experiment, cell, kept);
  BOOST_TEST((store.find(experiment, experiment.cells[1]).state == State::absent));
  BOOST_TEST((CellStore(scratch.path(), "another build").find(experiment, cell).state == State::absent));
  Experiment other = experiment;
  other.claim = "O2";
  BOOST_TEST((store.find(other, cell).state == State::absent));
  other = experiment;
  other.depends = {"another input"};
  BOOST_TEST((store.find(other, cell).state == State::absent));
}

BOOST_AUTO_TEST_CASE(cells_of_different_coordinates_have_different_names) {
  const std::vector<Coordinates> all{{{"a", "1 b=2"}},           {{"a", 1}, {"b", 2}},
                                     {{"a", "1 b\\=2"}},         {{"a", "1\\"}, {"b", 2}},
                                     {{"a", "1\\ b"}, {"c", 2}}, {{"a", "1 b"}, {"c", 2}}};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      BOOST_TEST(store.path(experiment, all[i]) != store.path(experiment, all[j]), to_text(all[i]));
  // A cell's name is the key of its random streams: those that are in use stay as they are.
  BOOST_TEST(to_text(Coordinates{{"kind", "read"}, {"mask", "both ways"}, {"d", 64}, {"x", 0.5}}) ==
             "kind=read mask=both ways d=64 x=0.5");
}

BOOST_AUTO_TEST_CASE(truncation_at_every_byte_and_every_flipped_byte_is_found_out) {
  store.keep(experiment, cell, kept);
  const std::filesystem::path file = store.path(experiment, cell);
  const std::string whole_file = read_file(file);
  for (std::size_t size = 0; size < whole_file.size(); ++size) {
    write_whole(file, whole_file.substr(0, size));
    BOOST_REQUIRE_MESSAGE((store.find(experiment, cell).state == State::damaged),
                          "cut to " << size << " bytes");
    std::string flipped = whole_file;
    flipped[size] = static_cast<char>(flipped[size] ^ 1);
    write_whole(file, flipped);
    BOOST_REQUIRE_MESSAGE((store.find(experiment, cell).state == State::damaged),
                          "byte " << size << " flipped");
  }
}

BOOST_AUTO_TEST_CASE(a_folder_in_a_cells_place_is_moved_aside) {
  const std::filesystem::path file = store.path(experiment, cell);
  std::filesystem::create_directories(file / "somebodys");
  BOOST_TEST((store.find(experiment, cell).state == State::damaged));
  store.keep(experiment, cell, kept);
  BOOST_TEST((store.find(experiment, cell).state == State::kept));
  BOOST_TEST(std::filesystem::is_directory(file.string() + ".aside/somebodys"));
}

BOOST_AUTO_TEST_CASE(an_entry_of_another_cell_is_found_out) {
  store.keep(experiment, experiment.cells[1], kept);
  std::filesystem::create_directories(store.path(experiment, cell).parent_path());
  std::filesystem::copy_file(store.path(experiment, experiment.cells[1]), store.path(experiment, cell));
  BOOST_TEST((store.find(experiment, cell).state == State::damaged));
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_written_is_named) {
  const std::filesystem::path blocked = scratch.file("file", "");
  check_refusal([&] { CellStore(blocked, "").keep(experiment, cell, kept); }, blocked.string(), Exit::failed);
}

BOOST_AUTO_TEST_SUITE_END()
