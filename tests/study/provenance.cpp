// Seconds go to timings.json, by experiment and by the work that a claim times.

#include "perp/study/provenance.hpp"

#include <boost/test/unit_test.hpp>

using namespace perp;

BOOST_AUTO_TEST_SUITE(study_provenance)

BOOST_AUTO_TEST_CASE(timed_work_stands_beside_the_experiments) {
  RunRecord run;
  run.study = "toy";
  run.experiments = {{"O1", 3, 0.5}};
  BOOST_TEST(timings_json(run).find("timed") == std::string::npos);
  run.timed = {{"a product of two tables", 0.25}};
  const std::string json = timings_json(run);
  BOOST_TEST(json.find("\"claim\": \"O1\"") != std::string::npos);
  BOOST_TEST(json.find("\"work\": \"a product of two tables\"") != std::string::npos);
  BOOST_TEST(json.find("\"seconds\": 0.25") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(ranks_are_named_where_there_were_several) {
  RunRecord run;
  BOOST_TEST(run_json(run).find("ranks") == std::string::npos);
  run.ranks = 3;
  BOOST_TEST(run_json(run).find("\"ranks\": 3") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_do_not_lose_the_run) {
  RunRecord run;
  run.command = {"study", "--out", "caf\xe9"};
  BOOST_TEST(run_json(run).find("\"caf\xef\xbf\xbd\"") != std::string::npos);
  run.timed = {{"\xff", 0.25}};
  BOOST_TEST(timings_json(run).find("\"work\": \"\xef\xbf\xbd\"") != std::string::npos);
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
    BOOST_TEST(json.find(part) != std::string::npos, part);
  BOOST_TEST(seconds_per_normal() > 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
