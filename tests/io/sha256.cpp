#include "perp/io/sha256.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(io_sha256)

// NIST, "Examples with Intermediate Values" and the SHA-2 additional test vectors.
BOOST_AUTO_TEST_CASE(known_answers) {
  const char* two_blocks =
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
      "lmnopqrsmnopqrstnopqrstu";
  for (const auto& [text, digest] : std::vector<std::pair<std::string, const char*>>{
           {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
           {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
           {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
           {two_blocks, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
           {"\xbd", "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b"},
           {std::string(55, '\0'), "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"},
           {std::string(56, '\0'), "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"},
           {std::string(57, '\0'), "65a16cb7861335d5ace3c60718b5052e44660726da4cd13bb745381b235a1785"},
           {std::string(64, '\0'), "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"},
           {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}})
    BOOST_TEST(sha256_hex(text) == digest);
}

BOOST_AUTO_TEST_CASE(pieces_and_files_give_the_same_digest) {
  Picks picks(2);
  std::string bytes;
  for (int i = 0; i < 2'500'000; ++i) bytes += static_cast<char>(i * 131 >> 7);
  Sha256 hash;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t size = picks.below(at < 100'000 ? 130 : 50'000);
    hash.append(std::string_view(bytes).substr(at, size));
    at += std::min<std::size_t>(size, bytes.size() - at);
  }
  const Scratch scratch;
  BOOST_TEST(hash.hex() == sha256_hex(bytes));
  BOOST_TEST(hash.hex() == hash.hex());
  BOOST_TEST(sha256_file(scratch.file("f", bytes)) == hash.hex());
  BOOST_TEST(sha256_file(scratch.file("f", "")) == sha256_hex(""));
  BOOST_TEST(contains(message_of([&] { sha256_file(scratch / "missing"); }), "No such file"));
}

BOOST_AUTO_TEST_SUITE_END()
