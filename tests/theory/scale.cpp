// Bytes and operations on paper, held against what small cases were counted to do.

#include "perp/theory/scale.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::theory;

namespace {

const ScaleRates unit{1, 1, 1, 1};

const ScaleStep& step(const std::vector<ScaleStep>& steps, std::string_view name) {
  for (const ScaleStep& s : steps)
    if (s.name == name) return s;
  throw std::runtime_error("no such step");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(theory_scale)

BOOST_AUTO_TEST_CASE(sizes_by_hand) {
  BOOST_TEST(scale_tile_rows(512) == 4096u);
  BOOST_TEST(scale_tile_rows(4096) == 1024u);
  BOOST_TEST(scale_tile_rows(100'000) == 256u);
  BOOST_TEST(table_bytes(256'000, 16'384) == 256e3 * 65536);
  // Two tiles of 4 rows and 2 numbers would be 64 bytes; here 4096 rows of 2.
  BOOST_TEST(streaming_bytes(2) == 2 * 4096 * 2 * 4 + 2 * 4 * 4 + 3 * 4 * 8);
  BOOST_TEST(moment_bytes(3) == 8 * (9 + 9 + 3 + 3));
  BOOST_TEST(eigen_bytes(10) == 8 * (100 + 1 + 60 + 200));
}

BOOST_AUTO_TEST_CASE(steps_of_a_small_case_by_hand) {
  const ScaleShape shape{1000, 10, 4, 5};
  const std::vector<ScaleStep> steps = scale_steps(shape, unit);
  BOOST_TEST(step(steps, "read the words").bytes == 16000.0);
  BOOST_TEST(step(steps, "cosines with the positions").operations == 80000.0);
  BOOST_TEST(step(steps, "moments of rows and directions").operations == 2.0 * 4 * 5 * 1000);
  BOOST_TEST(step(steps, "three eigendecompositions").operations == 3.0 * 9 * 64);
  BOOST_TEST(step(steps, "keep a cell per tile").seconds == 1.0);
  // Four others, or three levels of a tree, each reading two sets of 8 (2·16 + 2·4) bytes and writing one.
  BOOST_TEST(step(steps, merge_in_turn).bytes == 4.0 * 3 * 320);
  BOOST_TEST(step(steps, merge_in_tree).bytes == 3.0 * 3 * 320);
  BOOST_TEST(step(steps, "cosines with the positions").on_ranks(5) == 16000.0);
  BOOST_TEST(step(steps, merge_in_tree).on_ranks(5) == step(steps, merge_in_tree).seconds);
}

BOOST_AUTO_TEST_CASE(one_rank_has_nothing_to_merge) {
  const std::vector<ScaleStep> steps = scale_steps({10, 10, 10, 1}, unit);
  BOOST_TEST(step(steps, merge_in_turn).seconds == 0.0);
  BOOST_TEST(step(steps, merge_in_tree).seconds == 0.0);
}

BOOST_AUTO_TEST_CASE(rates_turn_operations_into_seconds) {
  const ScaleShape shape{1000, 10, 4, 5};
  const std::vector<ScaleStep> steps = scale_steps(shape, {10, 100, 1000, 0.25});
  BOOST_TEST(step(steps, "cosines with the positions").seconds == 8000.0);
  BOOST_TEST(step(steps, "three eigendecompositions").seconds == 17.28);
  BOOST_TEST(step(steps, "read the words").seconds == 16.0);
  BOOST_TEST(step(steps, "keep a cell per tile").seconds == 0.25);
}

BOOST_AUTO_TEST_CASE(the_most_exceeded_limit_comes_first) {
  const ScaleShape shape{8192, 100, 512, 64};
  const std::vector<ScaleLimit> limits = scale_limits(shape, unit, streaming_bytes(512) / 3);
  double memory = 0, tiles = 0, eigen = 0;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (i > 0) BOOST_TEST(limits[i - 1].over() >= limits[i].over());
    if (limits[i].name == "memory of a streaming thread") memory = limits[i].over();
    if (limits[i].name == "ranks that have a tile") tiles = limits[i].may_be;
    if (limits[i].name == "three eigendecompositions") eigen = limits[i].may_be;
  }
  BOOST_TEST(memory == 3.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(tiles == 2.0);
  // At that number of ranks, what is shared takes as long as what is not.
  const std::vector<ScaleStep> steps = scale_steps(shape, unit);
  double shared = 0;
  for (const ScaleStep& s : steps)
    if (s.divides) shared += s.seconds;
  BOOST_TEST(shared / eigen == step(steps, "three eigendecompositions").seconds,
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(refusals) {
  test::check_refusal([] { scale_steps({0, 1, 1, 1}, unit); }, "all must be positive");
  test::check_refusal([] { scale_steps({1, 1, 1, 1}, {1, 1, 0, 1}); }, "all must be positive");
  test::check_refusal([] { scale_limits({1, 1, 1, 1}, unit, 0); }, "limit of 0 bytes");
  test::check_refusal([] { scale_tile_rows(0); }, "rows without numbers");
}

BOOST_AUTO_TEST_SUITE_END()
