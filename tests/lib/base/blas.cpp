#include "perp/base/blas.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/scratch.hpp"

using namespace perp;

BOOST_AUTO_TEST_SUITE(blas)

BOOST_AUTO_TEST_CASE(says_what_was_loaded) {
  const BlasIdentity blas = loaded_blas();
  BOOST_TEST_MESSAGE(blas.name << ' ' << blas.version << ' ' << blas.kernel);
  BOOST_TEST(!blas.name.empty());
  BOOST_TEST(std::filesystem::is_regular_file(blas.path));
  BOOST_TEST(std::filesystem::is_regular_file(blas.lapack_path));
  BOOST_TEST(!std::filesystem::is_symlink(blas.path));
  if (blas.name == "OpenBLAS") {
    BOOST_TEST(blas.version.find('.') != std::string::npos);
    BOOST_TEST(!blas.kernel.empty());
  }
}

// Runs in the restarted child of the next case only.
BOOST_AUTO_TEST_CASE(restarted_child) {
  if (std::getenv("PERP_TEST_CHILD") == nullptr) return;
  const auto is_one = [](const char* name) {
    return std::getenv(name) != nullptr && std::string(std::getenv(name)) == "1";
  };
  const bool good = is_one("OPENBLAS_NUM_THREADS") && is_one("OMP_NUM_THREADS") &&
                    is_one("BLIS_NUM_THREADS") && is_one("MKL_NUM_THREADS") &&
                    std::getenv("PERP_SETTLED") != nullptr;
  settle_blas(nullptr);  // nothing left to change: returns
  _exit(good ? 42 : 1);
}

BOOST_AUTO_TEST_CASE(restarts_once_with_one_thread) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("OPENBLAS_NUM_THREADS", "3", 1);
    setenv("PERP_TEST_CHILD", "1", 1);
    std::string program = "test_base", only = "--run_test=blas/restarted_child";
    char* argv[] = {program.data(), only.data(), nullptr};
    settle_blas(argv);
    _exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 42);
}

BOOST_AUTO_TEST_CASE(never_restarts_twice) {
  BOOST_TEST(perp::test::in_child([] {
               setenv("PERP_SETTLED", (std::to_string(getpid()) + " - -").c_str(), 1);
               setenv("OPENBLAS_NUM_THREADS", "3", 1);
               settle_blas(nullptr);
               return std::string(std::getenv("OPENBLAS_NUM_THREADS"));
             }) == "1");
}

BOOST_AUTO_TEST_SUITE_END()
