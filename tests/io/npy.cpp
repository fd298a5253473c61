#include "perp/io/npy.hpp"

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "npy_bytes.hpp"
#include "perp/io/file.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

template <class T>
std::vector<T> read(const Scratch& scratch, const std::string& bytes) {
  const Matrix<T> m = read_npy<T>(scratch.file("a.npy", bytes));
  return {m.data(), m.data() + m.size()};
}

// 1, 2 … as items of one type in both byte orders, read back as float and double.
template <class Item>
void check_type(const Scratch& scratch, const std::string& type) {
  std::vector<Item> items;
  for (int i = 0; i < 6; ++i) items.push_back(static_cast<Item>(i % 2 == 1 && Item(-1) < Item(0) ? -i : i));
  const std::vector<double> wide(items.begin(), items.end());
  const std::vector<float> narrow(items.begin(), items.end());
  for (const bool big : {false, true}) {
    const std::string file =
        npy_file(npy_dictionary((big ? ">" : "<") + type, false, "(2, 3)"), items_bytes(items, big));
    BOOST_TEST((read<double>(scratch, file) == wide), type);
    BOOST_TEST((read<float>(scratch, file) == narrow), type);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_npy)

BOOST_AUTO_TEST_CASE(every_type_and_byte_order_is_read) {
  const Scratch scratch;
  check_type<float>(scratch, "f4");
  check_type<double>(scratch, "f8");
  check_type<std::int8_t>(scratch, "i1");
  check_type<std::int16_t>(scratch, "i2");
  check_type<std::int32_t>(scratch, "i4");
  check_type<std::int64_t>(scratch, "i8");
  check_type<std::uint8_t>(scratch, "u1");
  check_type<std::uint16_t>(scratch, "u2");
  check_type<std::uint32_t>(scratch, "u4");
  check_type<std::uint64_t>(scratch, "u8");
  BOOST_TEST((read<float>(scratch, npy_file(npy_dictionary("|u1", false, "(2,)"), "\1\xff")) ==
              std::vector<float>{1, 255}));
}

// IEEE 754-2019, binary16: one, the least subnormal, the greatest subnormal, the least normal, the greatest,
// …
BOOST_AUTO_TEST_CASE(half_precision_is_exact) {
  const Scratch scratch;
  const std::vector<std::uint16_t> bits{0x3C00, 0x0001, 0x03FF, 0x0400, 0x7BFF, 0xC000,
                                        0x8000, 0x3555, 0x7C00, 0xFC00, 0x7E00};
  const std::vector<double> values{1,  0x1p-24, 1023 * 0x1p-24, 0x1p-14,  65504,
                                   -2, -0.0,    1365.0 / 4096,  INFINITY, -INFINITY};
  for (const bool big : {false, true}) {
    const auto found = read<double>(
        scratch, npy_file(npy_dictionary(big ? ">f2" : "<f2", false, "(11,)"), items_bytes(bits, big)));
    for (std::size_t i = 0; i < values.size(); ++i) BOOST_TEST(found[i] == values[i]);
    BOOST_TEST(std::signbit(found[6]));
    BOOST_TEST(std::isnan(found[10]));
  }
}

BOOST_AUTO_TEST_CASE(memory_orders_and_dimensions) {
  const Scratch scratch;
  const std::string items = items_bytes(std::vector<float>{1, 2, 3, 4, 5, 6}, false);
  const auto shaped = [&](bool fortran, const std::string& shape) {
    return read_npy<float>(scratch.file("a.npy", npy_file(npy_dictionary("<f4", fortran, shape), items)));
  };
  const Matrix<float> by_rows = shaped(false, "(2, 3)"), by_columns = shaped(true, "(2, 3)"),
                      line = shaped(true, "(6,)");
  BOOST_TEST(by_rows(0, 1) == 2);
  BOOST_TEST(by_rows(1, 0) == 4);
  BOOST_TEST(by_columns(0, 1) == 3);
  BOOST_TEST(by_columns(1, 0) == 2);
  BOOST_TEST(by_columns(1, 2) == 6);
  BOOST_TEST(rows(line) == 1U);
  BOOST_TEST(cols(line) == 6U);
  BOOST_TEST(line(0, 5) == 6);
  BOOST_TEST(rows(shaped(true, "(6, 1)")) == 6U);
}

BOOST_AUTO_TEST_CASE(large_arrays_cross_the_chunks) {
  const Scratch scratch;
  const std::size_t height = 701, width = 303;  // over three chunks, none of them whole columns
  std::vector<std::int32_t> items(height * width);
  for (std::size_t k = 0; k < items.size(); ++k) items[k] = static_cast<std::int32_t>(k);
  for (const bool fortran : {false, true}) {
    const auto path = scratch.file(
        "a.npy", npy_file(npy_dictionary(">i4", fortran, "(701, 303)"), items_bytes(items, true)));
    const Matrix<double> m = read_npy<double>(path);
    bool right = true;
    for (std::size_t i = 0; i < height; ++i)
      for (std::size_t j = 0; j < width; ++j)
        right = right && m(i, j) == static_cast<double>(fortran ? j * height + i : i * width + j);
    BOOST_TEST(right);
  }
}

BOOST_AUTO_TEST_CASE(headers_that_numpy_would_take) {
  const Scratch scratch;
  const std::string items = items_bytes(std::vector<float>{1, 2, 3, 4, 5, 6}, false);
  const std::vector<float> expected{1, 2, 3, 4, 5, 6};
  for (const std::string& dictionary :
       std::vector<std::string>{"{'shape': (2, 3), 'fortran_order': False, 'descr': '<f4'}\n",
                                "{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(2,3,)}",
                                "{ 'fortran_order' : False , 'descr' : '<f4' , 'shape' : ( 2 , 3 ) , }   \n",
                                // Length bytes of 0x80 and more, and beyond one byte.
                                npy_dictionary("<f4", false, "(2, 3)") + std::string(0x90, ' ') + "\n",
                                npy_dictionary("<f4", false, "(2, 3)") + std::string(0xff80, ' ') + "\n"})
    for (const int version : {1, 2, 3})
      BOOST_TEST((read<float>(scratch, npy_file(dictionary, items, version)) == expected), dictionary);
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
  BOOST_TEST(rows(part) == 3U);
  BOOST_TEST(cols(part) == 3U);
  BOOST_TEST(part(2, 2) == m(3, 2));

  Matrix<float> f = matrix<float>(1, 1);
  f(0, 0) = 0.1F;
  write_npy(scratch / "f.npy", f);
  BOOST_TEST(read_npy<float>(scratch / "f.npy")(0, 0) == 0.1F);
  BOOST_TEST(read_npy<double>(scratch / "f.npy")(0, 0) == static_cast<double>(0.1F));
}

BOOST_AUTO_TEST_CASE(npy_files_are_told_from_others) {
  const Scratch scratch;
  BOOST_TEST(is_npy("\x93NUMPY\1"));
  BOOST_TEST(!is_npy("\x93NUMP"));
  BOOST_TEST(!is_npy("2 3\nin 1 2 3\n"));
  BOOST_TEST(!is_npy(""));
  BOOST_TEST(contains(message_of([&] { read_npy<float>(scratch / "missing"); }), "No such file"));
}

BOOST_AUTO_TEST_CASE(learned_positions_are_read, *needs_tables()) {
  const auto table = real_table("gpt2-small-wpe.npy");
  if (!table) return;
  const Matrix<double> wpe = read_npy<double>(*table);
  BOOST_TEST(rows(wpe) == 1024U);
  BOOST_TEST(cols(wpe) == 768U);
  const auto norm = [&](std::size_t i) {
    double sum = 0;
    for (const double x : row(wpe, i)) sum += x * x;
    return std::sqrt(sum);
  };
  BOOST_TEST(std::abs(norm(0) - 9.876) < tolerance::printed_to_three_places);
  BOOST_TEST(std::abs(norm(1023) - 0.118) < tolerance::printed_to_three_places);
}

BOOST_AUTO_TEST_SUITE_END()
