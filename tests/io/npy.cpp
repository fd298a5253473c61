// What the corpus does not hold of .npy: what we write, and arrays and headers beyond a piece of reading.

#include "perp/io/npy.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "npy_bytes.hpp"
#include "perp/io/file.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(io_npy)

BOOST_AUTO_TEST_CASE(large_arrays_cross_the_chunks_and_long_headers_are_taken) {
  const Scratch scratch;
  const std::size_t height = 701, width = 303;  // over three chunks, none of them whole columns
  std::vector<std::int32_t> items(height * width);
  for (std::size_t k = 0; k < items.size(); ++k) items[k] = static_cast<std::int32_t>(k);
  for (const int version : {1, 2, 3}) {
    const bool fortran = version == 2;
    // Length bytes of 0x80 and more.
    const std::string dictionary =
        npy_dictionary(">i4", fortran, "(701, 303)") + std::string(0xff80, ' ') + "\n";
    const Matrix<double> m =
        read_npy<double>(scratch.file("a.npy", npy_file(dictionary, items_bytes(items, true), version)));
    bool right = true;
    for (std::size_t i = 0; i < height; ++i)
      for (std::size_t j = 0; j < width; ++j)
        right = right && m(i, j) == static_cast<double>(fortran ? j * height + i : i * width + j);
    BOOST_TEST(right);
  }
}

BOOST_AUTO_TEST_CASE(written_matrices_come_back) {
  const Scratch scratch;
  Matrix<double> m = matrix<double>(5, 7);
  for (std::size_t i = 0; i < m.size(); ++i)
    m.data()[i] = std::ldexp(1.0 / static_cast<double>(i + 3), static_cast<int>(i) * 50 - 900);
  m(0, 0) = std::numeric_limits<double>::denorm_min();
  write_npy(scratch / "d.npy", m);
  const Matrix<double> back = read_npy<double>(scratch / "d.npy");
  BOOST_TEST((std::memcmp(m.data(), back.data(), m.size() * sizeof(double)) == 0));
  const std::string bytes = read_file(scratch / "d.npy");
  BOOST_TEST(bytes.substr(10, 58) == "{'descr': '<f8', 'fortran_order': False, 'shape': (5, 7), ");
  BOOST_TEST(bytes.find('\n') % 64 == 63U);

  // A block of a wider matrix.
  write_npy(scratch / "b.npy", block(m, 1, 4, 3));
  const Matrix<double> part = read_npy<double>(scratch / "b.npy");
  BOOST_TEST_REQUIRE((rows(part) == 3 && cols(part) == 3));
  BOOST_TEST(part(2, 2) == m(3, 2));

  Matrix<float> f = matrix<float>(1, 1);
  f(0, 0) = 0.1F;
  write_npy(scratch / "f.npy", f);
  BOOST_TEST(read_npy<float>(scratch / "f.npy")(0, 0) == 0.1F);
  BOOST_TEST(read_npy<double>(scratch / "f.npy")(0, 0) == static_cast<double>(0.1F));
}

BOOST_AUTO_TEST_CASE(what_is_no_npy_file) {
  const Scratch scratch;
  BOOST_TEST(is_npy("\x93NUMPY\1"));
  for (const char* text : {"\x93NUMP", "2 3\nin 1 2 3\n", ""}) BOOST_TEST(!is_npy(text), text);
  const auto text = scratch.file("text", "2 3\nin 1 2 3\n");
  BOOST_TEST(contains(message_of([&] { read_npy<float>(text); }),
                      "is no .npy file: it does not begin with \\x93NUMPY"));
}

BOOST_AUTO_TEST_SUITE_END()
