// An element depends on the stream and its index alone, whatever fill it comes from.

#include <algorithm>
#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <span>
#include <vector>

#include "perp/random/normal.hpp"
#include "perp/random/sphere.hpp"
#include "perp/random/uniform.hpp"

namespace {

struct Bits {
  using Value = std::uint32_t;
  static void fill(const perp::Stream& s, std::span<Value> out, std::uint64_t offset) {
    fill_bits(s, out, offset);
  }
};
template <class T>
struct Normal {
  using Value = T;
  static void fill(const perp::Stream& s, std::span<T> out, std::uint64_t offset) {
    fill_normal(s, out, offset);
  }
};
template <class T>
struct Uniform {
  using Value = T;
  static void fill(const perp::Stream& s, std::span<T> out, std::uint64_t offset) {
    fill_uniform(s, out, T(-0.3), T(2.7), offset);
  }
};
struct Signs {
  using Value = float;
  static void fill(const perp::Stream& s, std::span<float> out, std::uint64_t offset) {
    fill_signs(s, out, offset);
  }
};
using Kinds = boost::mpl::list<Bits, Normal<float>, Normal<double>, Uniform<float>, Uniform<double>, Signs>;

BOOST_AUTO_TEST_SUITE(prefix)

// Sizes and starts around the blocks of 32, 64 and 2048 elements; equality of bytes, not of values.
BOOST_AUTO_TEST_CASE_TEMPLATE(any_part_equals_the_same_part_of_the_whole, Kind, Kinds) {
  using Value = typename Kind::Value;
  const perp::Stream s = perp::stream(11, "random", "prefix", 0, "parts");
  std::vector<Value> whole(8192);
  Kind::fill(s, whole, 0);
  for (const std::size_t offset : {0, 1, 3, 4, 15, 16, 31, 32, 63, 64, 65, 100, 2047, 2048, 2049, 4000})
    for (const std::size_t size : {0, 1, 2, 5, 16, 31, 33, 64, 65, 127, 128, 129, 300, 2048, 4100}) {
      std::vector<Value> part(size + 1, Value(77));
      Kind::fill(s, std::span<Value>(part).first(size), offset);
      const bool same = std::equal(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(size),
                                   whole.begin() + static_cast<std::ptrdiff_t>(offset),
                                   [](Value a, Value b) { return std::memcmp(&a, &b, sizeof(Value)) == 0; });
      BOOST_TEST(same, "offset " << offset << " size " << size);
      BOOST_TEST(part[size] == Value(77), "wrote past the end: offset " << offset << " size " << size);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(far_elements_do_not_wrap, Kind, Kinds) {
  using Value = typename Kind::Value;
  const perp::Stream s = perp::stream(11, "random", "prefix", 0, "far");
  std::vector<Value> near(4096), far(4096);
  Kind::fill(s, near, 0);
  for (const int power : {31, 32, 33, 34, 35, 40, 60}) {
    Kind::fill(s, far, std::uint64_t{1} << power);
    BOOST_TEST((near != far), "2^" << power);
  }
}

BOOST_AUTO_TEST_CASE(tiles_of_a_sphere_equal_its_rows) {
  const perp::Stream s = perp::stream(11, "random", "prefix", 0, "sphere");
  perp::Matrix<float> whole = perp::matrix<float>(50, 37), tile = perp::matrix<float>(20, 37);
  fill_sphere(s, whole);
  fill_sphere(s, tile, 17);
  BOOST_TEST(std::memcmp(tile.data(), whole.data() + 17 * 37, 20 * 37 * sizeof(float)) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
