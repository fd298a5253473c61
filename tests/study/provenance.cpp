// Seconds go to timings.json, by experiment and by the work that a claim times.

#include "perp/study/provenance.hpp"

#include <boost/test/unit_test.hpp>

using namespace perp;

BOOST_AUTO_TEST_SUITE(study_provenance)

BOOST_AUTO_TEST_CASE(timed_work_stands_beside_the_experiments) {
  RunRecord run;
  run.study = "toy";
  run.experiments = {{"O1", 3, 0.5, 1.0}};
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

BOOST_AUTO_TEST_SUITE_END()
