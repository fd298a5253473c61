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

BOOST_AUTO_TEST_CASE(work_is_summed_and_the_cell_with_the_most_besides_is_named) {
  const double a_normal = 0.001;
  WorkCounters lean, idle, drawing;
  lean.cpu_s = 4, lean.products_s = 3, lean.decompositions_s = 0.75, lean.flops = 2e9;
  idle.cpu_s = 2, idle.products_s = 0.5;
  drawing.cpu_s = 3, drawing.normals = 2500;
  ExperimentTime time;
  time.claim = "O1";
  time.add("d=1", lean, a_normal);
  time.add("d=2", idle, a_normal);
  time.add("d=3", drawing, a_normal);
  BOOST_TEST(time.cells == 3u);
  BOOST_TEST(time.work.cpu_s == 9.0);
  BOOST_TEST(time.cell == "d=2");
  BOOST_TEST(counted_seconds(time.work, a_normal) == 6.75);
  RunRecord run;
  run.seconds_per_normal = a_normal;
  run.experiments = {time};
  const std::string json = timings_json(run);
  for (const char* part : {"\"cpu_s\": 9.0", "\"products_s\": 3.5", "\"decompositions_s\": 0.75",
                           "\"normals_s\": 2.5", "\"gflop\": 2.0", "\"cell\": \"d=2\"", "\"cpu_s\": 2.0"})
    BOOST_TEST(contains(json, part), part);
  BOOST_TEST(seconds_per_normal() > 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
