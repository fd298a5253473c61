#include "perp/vectors/corpus_cache.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "perp/io/file.hpp"
#include "perp/io/sha256.hpp"
#include "tests/support/scratch.hpp"
#include "tests/vectors/corpus_fixture.hpp"

namespace perp {
namespace {

namespace fs = std::filesystem;

/// A folder with a text in it.
struct Kept {
  test::Scratch scratch;
  std::string text = test::topical_text(300);
  fs::path text_path = scratch.file("text.txt", text), cache = scratch.path() / "deep" / "cache";
  CorpusOptions options{.vocabulary = 60, .dimension = 8, .oversampling = 8, .power_iterations = 2};

  CachedWords learn() const { return learn_words_cached(text_path, options, cache, 1); }
  CacheEntry entry() const { return cache_entry(cache, options, sha256_hex(text)); }
};

bool same(const LearnedWords& a, const LearnedWords& b) {
  return a.words == b.words && a.vectors == b.vectors && a.singular_values == b.singular_values &&
         a.tokens == b.tokens && a.distinct == b.distinct;
}

BOOST_FIXTURE_TEST_SUITE(corpus_cache, Kept)

BOOST_AUTO_TEST_CASE(the_second_time_comes_from_the_cache_and_is_the_same) {
  const CachedWords first = learn();
  BOOST_TEST(!first.from_cache);
  BOOST_TEST(first.text_sha256 == sha256_hex(text));
  BOOST_TEST(same(first.learned, learn_words(text, options, 1)));
  const CachedWords second = learn();
  BOOST_TEST(second.from_cache);
  BOOST_TEST(second.text_sha256 == first.text_sha256);
  BOOST_TEST(same(first.learned, second.learned));
  // Another text or option is another entry.
  options.seed = 2;
  BOOST_TEST(!learn().from_cache);
  write_whole(text_path, text + " dog");
  BOOST_TEST(!learn().from_cache);
  write_whole(text_path, text);
  options.seed = 1;
  BOOST_TEST(learn().from_cache);
}

BOOST_AUTO_TEST_CASE(a_damaged_entry_is_learned_again) {
  const CachedWords first = learn();
  const auto check_replaced = [&](const char* damage) {
    const CachedWords again = learn();
    BOOST_TEST(!again.from_cache, damage);
    BOOST_TEST(same(again.learned, first.learned), damage);
    BOOST_TEST(learn().from_cache, damage);
  };
  for (const fs::path& file : {entry().vectors, entry().words}) {
    const std::string bytes = read_file(file);
    std::string flipped = bytes;
    flipped[bytes.size() - 100] = static_cast<char>(flipped[bytes.size() - 100] ^ 1);
    write_whole(file, flipped);
    check_replaced("a bit flipped");
    write_whole(file, bytes.substr(0, bytes.size() / 2));
    check_replaced("cut off");
    write_whole(file, "");
    check_replaced("empty");
    fs::remove(file);
    check_replaced("lost");
  }
  // What matches its checksum but makes no sense.
  const std::string good = read_file(entry().words);
  const std::string head = good.substr(0, good.find('\n', good.find('\n') + 1) + 1);
  for (const std::string& body : {head, head + "x\n", head + "1\n2\n3\n4\nabc\n", head + "1\n2\n0\n0\n"}) {
    write_whole(entry().words, body + sha256_hex(body) + "\n");
    check_replaced(body.c_str());
  }
}

BOOST_AUTO_TEST_CASE(a_missing_text_is_refused_with_its_path) {
  fs::remove(text_path);
  test::check_refusal([&] { learn(); }, text_path.string());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp
