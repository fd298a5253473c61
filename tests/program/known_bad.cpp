// Which reports fit a library, by version, core type and processor.

#include "program/known_bad.hpp"

#include <boost/test/unit_test.hpp>

using namespace perp;
using namespace perp::program;

BOOST_AUTO_TEST_SUITE(program_known_bad)

BOOST_AUTO_TEST_CASE(reports_fit_by_version_core_type_and_processor) {
  const Processor zen4{Instructions::avx512, true}, zen3{Instructions::avx2, true},
      xeon{Instructions::avx512, false};
  const auto count = [](const char* library, const char* version, const char* core,
                        const Processor& processor) {
    BlasIdentity blas;
    blas.name = library;
    blas.version = version;
    blas.kernel = core;
    return known_bad(blas, processor).size();
  };
  BOOST_TEST(count("OpenBLAS", "0.3.34", "Haswell", zen4) == 2u);
  BOOST_TEST(count("OpenBLAS", "0.3.34", "ZEN", zen4) == 1u);
  BOOST_TEST(count("OpenBLAS", "0.3.34", "Zen", zen3) == 0u);
  BOOST_TEST(count("OpenBLAS", "0.3.34", "Zen", xeon) == 0u);
  BOOST_TEST(count("OpenBLAS", "0.3.34", "SkylakeX", zen4) == 0u);
  BOOST_TEST(count("OpenBLAS", "0.3.35", "Haswell", zen4) == 0u);
  BOOST_TEST(count("OpenBLAS", "0.3.34.dev", "Haswell", xeon) == 1u);
  BOOST_TEST(count("OpenBLAS", "0.3.20", "Cooperlake", xeon) == 2u);
  // By number and not by letter: 0.3.9 is earlier than 0.3.33.
  BOOST_TEST(count("OpenBLAS", "0.3.9", "VORTEXM4", zen3) == 1u);
  BOOST_TEST(count("OpenBLAS", "0.4", "VORTEXM4", zen3) == 0u);
  BOOST_TEST(count("OpenBLAS", "0.3.5", "SkylakeX", xeon) == 1u);
  BOOST_TEST(count("OpenBLAS", "0.3.12", "SkylakeX", xeon) == 1u);
  BOOST_TEST(count("OpenBLAS", "0.3.13", "SkylakeX", xeon) == 0u);
  BOOST_TEST(count("OpenBLAS", "0.3.30", "NEOVERSEV2", zen3) == 1u);
  BOOST_TEST(count("OpenBLAS", "0.3.34", "LA464", zen3) == 1u);
  BOOST_TEST(count("BLIS", "0.3.34", "Haswell", zen4) == 0u);
  BOOST_TEST(count("OpenBLAS", "", "Haswell", zen4) == 0u);
}

BOOST_AUTO_TEST_CASE(each_report_has_a_day_and_a_thread) {
  for (const KnownBad& bad : all_known_bad()) {
    BOOST_TEST(bad.reported.size() == 10u, bad.what);
    BOOST_TEST(bad.link.starts_with("https://github.com/"), bad.what);
    BOOST_TEST(!bad.operation.empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()
