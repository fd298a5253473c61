// A trial of a BLAS starts a process; one that started another would go on without end.

#include "perp/study/blas_trial.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "perp/base/error.hpp"
#include "tests/support/refusal.hpp"

BOOST_AUTO_TEST_SUITE(study_blas_trial)

BOOST_AUTO_TEST_CASE(a_trial_starts_no_other_one) {
  BOOST_TEST(!perp::answer_trial().has_value());
  for (const std::string& set : {std::string(), fmt::format("{}:", ::getpid()), std::string("yes")}) {
    ::setenv("PERP_TRY_BLAS", set.c_str(), 1);
    BOOST_TEST(!perp::answer_trial().has_value(), "PERP_TRY_BLAS=" << set << " of no process above");
  }
  ::setenv("PERP_TRY_BLAS", fmt::format("{}:", ::getppid()).c_str(), 1);
  perp::test::check_refusal([] { perp::try_folder(""); }, "a trial of a BLAS within a trial",
                            perp::Exit::failed);
  ::unsetenv("PERP_TRY_BLAS");
}

BOOST_AUTO_TEST_SUITE_END()
