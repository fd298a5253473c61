// Boost.Test's main, after the BLAS and the memory are settled as in every program: tests run the kernels that people's
// runs use.

#define BOOST_TEST_NO_MAIN
#define BOOST_TEST_ALTERNATIVE_INIT_API
#include <boost/test/unit_test.hpp>
#include <cstdio>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/memory.hpp"
#include "tests/support/tables.hpp"

int main(int argc, char** argv) {
  perp::keep_freed_memory();
  try {
    perp::settle_blas(argv);
  } catch (const perp::Error& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return static_cast<int>(error.exit());
  }
  if (const std::string& warning = perp::kernel_settlement().warning; !warning.empty())
    std::fprintf(stderr, "%s: %s\n", argv[0], warning.c_str());
  const int code = boost::unit_test::unit_test_main(
      [] {
        boost::unit_test::framework::master_test_suite().p_name.value = "perpendicular";
        return true;
      },
      argc, argv);
  return code == 0 && perp::test::any_skipped ? perp::test::skipped_exit : code;
}
