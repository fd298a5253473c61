// Seconds go to timings.json, by experiment and by the work that a claim times.

#include "perp/study/provenance.hpp"

#include <boost/test/unit_test.hpp>

#include "perp/io/sha256.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using test::contains;

BOOST_AUTO_TEST_SUITE(study_provenance)

BOOST_AUTO_TEST_CASE(what_was_there_alone_is_named) {
  RunRecord run;
  run.experiments = {{"O1", 3, 0.5}};
  BOOST_TEST(!contains(timings_json(run), "timed"));
  run.timed = {{"a product of two tables", 0.25}, {"\xff", 0.5}};
  run.command = {"study", "--out", "caf\xe9"};  // what is no UTF-8 does not lose the run
  for (const char* part : {"\"claim\": \"O1\"", "\"work\": \"a product of two tables\"", "\"seconds\": 0.25",
                           "\"work\": \"\xef\xbf\xbd\""})
    BOOST_TEST(contains(timings_json(run), part), part);
  BOOST_TEST(contains(run_json(run), "\"caf\xef\xbf\xbd\""));
}

BOOST_AUTO_TEST_CASE(a_study_has_the_digest_of_its_libraries_or_the_programs_hash) {
  static const LibrariesDigest one("one", "0123"), two("two", "4567");
  BOOST_TEST(program_sha256("one") == "0123");
  BOOST_TEST(program_sha256("two") == "4567");
  BOOST_TEST(program_sha256("three") == sha256_file("/proc/self/exe"));
  RunRecord run;
  run.study = "two";
  BOOST_TEST(contains(run_json(run), "\"program_sha256\": \"4567\""));
}

BOOST_AUTO_TEST_CASE(memory_and_seconds_are_of_the_study) {
  const auto peak = [] {
    const std::string json = run_json({});
    return std::stod(json.substr(json.find("\"peak_memory_mib\": ") + 19));
  };
  {
    std::vector<char> room(std::size_t{256} << 20, 1);
    BOOST_TEST(room.back() == 1);
  }
  const double before = peak();
  BOOST_TEST(before > 256);
  forget_peak_memory();
  BOOST_TEST(peak() < before - 128);
  RunRecord run;
  run.process_cpu_s = 0.75;
  BOOST_TEST(contains(timings_json(run), "\"process_cpu_s\": 0.75"));
}

BOOST_AUTO_TEST_CASE(seconds_of_cells_are_those_of_their_claims) {
  RunRecord run;
  run.experiments = {{"O1", 3, 2.5, 4.25}, {"O2", 1, 1, 0.5}};
  const std::string json = timings_json(run);
  for (const char* part : {"\"cells\": 3", "\"wall_s\": 2.5", "\"cpu_s\": 4.25", "\"cells_cpu_s\": 4.75"})
    BOOST_TEST(contains(json, part), part);
  BOOST_TEST(thread_seconds() > 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
