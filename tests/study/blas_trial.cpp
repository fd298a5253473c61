// A trial of a BLAS starts a process; one that started another would go on without end.

#include "perp/study/blas_trial.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "perp/base/error.hpp"
#include "tests/support/refusal.hpp"

BOOST_AUTO_TEST_SUITE(study_blas_trial)

BOOST_AUTO_TEST_CASE(a_trial_starts_no_other_one) {
  ::setenv("PERP_TRY_BLAS", "", 1);
  perp::test::check_refusal([] { perp::try_folder(""); }, "a trial of a BLAS within a trial",
                            perp::Exit::failed);
  ::unsetenv("PERP_TRY_BLAS");
}

BOOST_AUTO_TEST_SUITE_END()
