#include <sys/resource.h>

#include <boost/test/unit_test.hpp>

#include "hostile.hpp"
#include "npy_bytes.hpp"
#include "perp/io/message.hpp"
#include "perp/io/npy.hpp"

using namespace perp;
using namespace perp::test;

namespace {

const std::string six_items = items_bytes(std::vector<float>{1, 2, 3, 4, 5, 6}, false);

std::string refusal(const Scratch& scratch, const std::string& bytes) {
  const auto path = scratch.file("a.npy", bytes);
  const auto error = error_of([&] { read_npy<float>(path); });
  if (!error) return "";
  BOOST_TEST(static_cast<int>(error->exit()) == 2);
  BOOST_TEST(contains(error->what(), in_quotes(path)));
  return error->what();
}

std::string refused_shape(const Scratch& scratch, const std::string& shape) {
  return refusal(scratch, npy_file(npy_dictionary("<f4", false, shape), six_items));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_npy_malformed)

BOOST_AUTO_TEST_CASE(every_truncation_and_every_tail_is_refused) {
  const Scratch scratch;
  for (const int version : {1, 2, 3}) {
    const std::string whole = npy_file(npy_dictionary("<f4", false, "(2, 3)") + "   \n", six_items, version);
    BOOST_TEST(refusal(scratch, whole).empty());
    for_every_truncation(whole, [&](std::string_view cut) {
      BOOST_TEST_REQUIRE(!refusal(scratch, std::string(cut)).empty(), "cut to " << cut.size());
    });
    BOOST_TEST(contains(refusal(scratch, whole + '\0'),
                        "has 25 bytes of data; its shape 2 x 3 of 4-byte items promises 24"));
  }
}

BOOST_AUTO_TEST_CASE(hostile_shapes_are_refused) {
  const Scratch scratch;
  for (const char* shape : {"(9223372036854775808, 1)", "(4294967296, 4294967296)",
                            "(4611686018427387904, 4)", "(4611686018427387905, 4)",
                            "(18446744073709551615, 18446744073709551615)", "(6148914691236517206, 3)"})
    BOOST_TEST(contains(refused_shape(scratch, shape), "promises more bytes than a file can have"), shape);
  // 2^62 items of 4 bytes would be 2^64 = 0 bytes.
  BOOST_TEST(contains(refusal(scratch, npy_file(npy_dictionary("<f4", false, "(4611686018427387904,)"), "")),
                      "more bytes than a file can have"));
  BOOST_TEST(contains(refused_shape(scratch, "(18446744073709551616, 1)"), "a length over 2^64"));
  BOOST_TEST(contains(refused_shape(scratch, "(-2, -3)"), "a negative length"));
  BOOST_TEST(contains(refused_shape(scratch, "(0, 3)"), "holds no numbers, its shape is 0 x 3"));
  BOOST_TEST(contains(refused_shape(scratch, "()"), "has 0 dimensions, 1 or 2 were expected"));
  BOOST_TEST(contains(refused_shape(scratch, "(1, 2, 3)"), "has 3 dimensions"));
  BOOST_TEST(contains(refused_shape(scratch, "(1000000, 1000000)"),
                      "has 24 bytes of data; its shape 1000000 x 1000000"));
  for (const char* shape :
       {"(6)", "6", "(2 3)", "(2, 3", "(2.0, 3)", "(2,, 3)", "[2, 3]", "(2e0, 3)", "(+2, 3)", "(,)"})
    BOOST_TEST(contains(refused_shape(scratch, shape), "its header is not understood at"), shape);
}

BOOST_AUTO_TEST_CASE(other_headers_are_refused) {
  const Scratch scratch;
  const auto said = [&](const std::string& dictionary) {
    return refusal(scratch, npy_file(dictionary, six_items));
  };
  for (const char* type :
       {"<c8", "|b1", "<f3", "<f16", "|S4", "|O", "f4", "=f4", "<", "", "|f4", "<u16", "<i3"})
    BOOST_TEST(contains(said(npy_dictionary(type, false, "(2, 3)")), "holds items of type '"), type);
  BOOST_TEST(contains(said("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (6,)}"),
                      "not understood at '[('x'"));
  BOOST_TEST(contains(said("{'descr': '<f4', 'shape': (6,)}"), "lacks 'descr', 'fortran_order' or 'shape'"));
  BOOST_TEST(contains(said("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}"),
                      "'descr' in its header is unknown or repeated"));
  BOOST_TEST(contains(said("{'more': 1, 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}"),
                      "'more' in its header is unknown"));
  BOOST_TEST(contains(said("{'descr': '<f4', 'fortran_order': 0, 'shape': (6,)}"), "not understood at '0"));
  BOOST_TEST(
      contains(said("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} x"), "not understood at 'x'"));
  BOOST_TEST(contains(said("{'descr': '<f4' 'fortran_order': False, 'shape': (6,)}"), "not understood at"));
  BOOST_TEST(contains(said("{'descr"), "not understood at 'descr'"));
  BOOST_TEST(contains(said(""), "not understood at ''"));

  std::string file = npy_file(npy_dictionary("<f4", false, "(6,)"), six_items);
  file[6] = 4;
  BOOST_TEST(contains(refusal(scratch, file), "version 4.0 of .npy, 1.0, 2.0 or 3.0 was expected"));
  file[0] = 'x';
  BOOST_TEST(contains(refusal(scratch, file), "is no .npy file: it does not begin with \\x93NUMPY"));
  file = npy_file(npy_dictionary("<f4", false, "(6,)"), six_items, 2);
  file[11] = '\xff';  // a header of 4 GB
  BOOST_TEST(contains(refusal(scratch, file), "a header of 42781"));
}

// One to three bytes changed, cut out or put in, mostly in the header. Whatever comes of it is refused or is
// a matrix of as many numbers as the file has bytes for, and memory stays within a bound.
BOOST_AUTO_TEST_CASE(twenty_thousand_mutations_do_no_harm) {
  const Scratch scratch;
  Picks picks(6);
  const std::string_view telling = "0123456789(),'<>fiu|{}: -TF\n\x80\xff";
  std::size_t taken = 0;
  for (int repeat = 0; repeat < 20'000; ++repeat) {
    const std::string whole =
        npy_file(npy_dictionary(repeat % 2 == 0 ? "<f4" : ">i2", repeat % 3 == 0, "(2, 3)"),
                 repeat % 2 == 0 ? six_items : six_items.substr(0, 12), 1 + repeat % 3);
    const std::string bytes = mutated(whole, picks, telling);
    scratch.file("m.npy", bytes);
    const auto error = error_of([&] {
      const Matrix<double> m = read_npy<double>(scratch / "m.npy");
      BOOST_TEST_REQUIRE(m.size() > 0U);
      BOOST_TEST_REQUIRE(m.size() == rows(m) * cols(m));
      BOOST_TEST_REQUIRE(m.size() <= bytes.size());
      ++taken;
    });
    if (error) BOOST_TEST_REQUIRE(!contains(error->what(), "\n"));
  }
  BOOST_TEST(taken > 500U);  // changes in the data and in the order are harmless
  BOOST_TEST(taken < 10'000U);
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  BOOST_TEST_MESSAGE("matrices taken: " << taken << " of 20000; peak memory " << usage.ru_maxrss / 1024
                                        << " MiB");
}

BOOST_AUTO_TEST_SUITE_END()
