// Bytes and operations on paper, held against what small cases were counted to do.

#include "perp/theory/scale.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

using namespace perp::theory;

namespace {

template <class Named>
const Named& named(const std::vector<Named>& all, std::string_view name) {
  return *std::ranges::find(all, name, &Named::name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(theory_scale)

BOOST_AUTO_TEST_CASE(sizes_by_hand) {
  BOOST_TEST(
      (scale_tile_rows(512) == 4096 && scale_tile_rows(4096) == 1024 && scale_tile_rows(100'000) == 256));
  BOOST_TEST(table_bytes(256'000, 16'384) == 256e3 * 65536);
  BOOST_TEST(streaming_bytes(2) == 2 * 4096 * 2 * 4 + 2 * 4 * 4 + 3 * 4 * 8);
  BOOST_TEST((moment_bytes(3) == 8 * (9 + 9 + 3 + 3) && eigen_bytes(10) == 8 * (100 + 1 + 60 + 200)));
}

BOOST_AUTO_TEST_CASE(steps_of_a_small_case_by_hand) {
  const ScaleShape shape{1000, 10, 4, 5};
  const std::vector<ScaleStep> steps = scale_steps(shape, {10, 100, 1000, 0.25});
  BOOST_TEST(named(steps, "read the words").bytes == 16000.0);
  BOOST_TEST(named(steps, "read the words").seconds == 16.0);
  BOOST_TEST(named(steps, "cosines with the positions").operations == 80000.0);
  BOOST_TEST(named(steps, "cosines with the positions").on_ranks(5) == 1600.0);
  BOOST_TEST(named(steps, "moments of rows and directions").operations == 2.0 * 4 * 5 * 1000);
  BOOST_TEST(named(steps, "three eigendecompositions").operations == 3.0 * 9 * 64);
  BOOST_TEST(named(steps, "three eigendecompositions").seconds == 17.28);
  BOOST_TEST(named(steps, "keep a cell per tile").seconds == 0.25);
  // Four others, or three levels of a tree, each reading two sets of 8 (2·16 + 2·4) bytes and writing one.
  BOOST_TEST(named(steps, merge_in_turn).bytes == 4.0 * 3 * 320);
  BOOST_TEST(named(steps, merge_in_tree).bytes == 3.0 * 3 * 320);
  BOOST_TEST(named(steps, merge_in_tree).on_ranks(5) == named(steps, merge_in_tree).seconds);
  const std::vector<ScaleStep> alone = scale_steps({10, 10, 10, 1}, {1, 1, 1, 1});
  BOOST_TEST((named(alone, merge_in_turn).seconds == 0 && named(alone, merge_in_tree).seconds == 0));
}

BOOST_AUTO_TEST_CASE(the_most_exceeded_limit_comes_first) {
  const ScaleShape shape{8192, 100, 512, 64};
  const std::vector<ScaleLimit> limits = scale_limits(shape, {1, 1, 1, 1}, streaming_bytes(512) / 3);
  for (std::size_t i = 1; i < limits.size(); ++i) BOOST_TEST(limits[i - 1].over() >= limits[i].over());
  BOOST_TEST(named(limits, "memory of a streaming thread").over() == 3.0,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(named(limits, "ranks that have a tile").may_be == 2.0);
  // At that number of ranks, what is shared takes as long as what is not.
  double shared = 0;
  const std::vector<ScaleStep> steps = scale_steps(shape, {1, 1, 1, 1});
  for (const ScaleStep& step : steps) shared += step.divides ? step.seconds : 0;
  BOOST_TEST(shared / named(limits, "three eigendecompositions").may_be ==
                 named(steps, "three eigendecompositions").seconds,
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
