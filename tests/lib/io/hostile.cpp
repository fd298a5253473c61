// What every reader is tried with. The files that tests/fuzz/make_corpus.py makes: one that can be read holds the
// numbers of tables.txt, which that script decodes; one that cannot is refused with its line of refused.txt, which
// PERP_WRITE_GOLDEN=1 writes anew. And files cut short at each byte, changed at a few, or made to take memory.

#include <malloc.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <new>

#include "perp/io/csv.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/table_rows.hpp"
#include "tests/fuzz/check.hpp"
#include "tests/lib/io/bytes.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// What is taken by operator new in this thread while it is counted; zlib's few hundred KiB are not in it.
struct Count {
  bool on = false;
  std::size_t peak = 0;  ///< bytes held at once at most, beyond those held before
  std::ptrdiff_t held = 0;
};
thread_local Count count;

void* take(std::size_t bytes) {
  void* taken = std::malloc(bytes == 0 ? 1 : bytes);
  if (taken == nullptr) throw std::bad_alloc();
  if (count.on) {
    count.held += static_cast<std::ptrdiff_t>(::malloc_usable_size(taken));
    count.peak = std::max(count.peak, static_cast<std::size_t>(std::max<std::ptrdiff_t>(count.held, 0)));
  }
  return taken;
}

void give_back(void* taken) noexcept {
  if (count.on && taken != nullptr) count.held -= static_cast<std::ptrdiff_t>(::malloc_usable_size(taken));
  std::free(taken);
}

}  // namespace

void* operator new(std::size_t bytes) { return take(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return take(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* taken) noexcept { give_back(taken); }
void operator delete(void* taken, std::size_t) noexcept { give_back(taken); }

namespace {

/// The most bytes that `call` holds at once, refused or not.
std::size_t memory_of(const std::function<void()>& call) {
  count = {true, 0, 0};
  error_of(call);
  count.on = false;
  return count.peak;
}

const std::filesystem::path corpus = std::filesystem::path(PERP_SOURCE_DIR) / "tests/fuzz/corpus";

/// FILE or FILE:TENSOR, as in the first column of the two tables, and what is read of it.
struct Place {
  explicit Place(const std::string& text) {
    const std::size_t colon = text.find(':');
    file = corpus / text.substr(0, colon);
    if (colon != text.npos) tensor = text.substr(colon + 1);
    bytes = read_file(file);
  }
  TableRows from_memory(const Selection& selection = {}) const {
    return open_table(std::make_shared<const ByteSource>("t", InMemory{bytes}), tensor, selection);
  }

  std::filesystem::path file;
  std::optional<std::string> tensor;
  std::string bytes;
};

/// A table of two columns, which a tab divides.
std::map<std::string, std::string> expected_of(const char* table) {
  std::map<std::string, std::string> lines;
  std::ifstream file(corpus / table);
  for (std::string name, rest; std::getline(file, name, '\t') && std::getline(file, rest);)
    lines[name] = rest;
  return lines;
}

/// Those that begin so, as READER/FILE.
std::vector<std::string> names_of_files(const char* beginning) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus))
    if (entry.path().filename().string().starts_with(beginning))
      names.push_back(std::filesystem::relative(entry.path(), corpus));
  return names;
}

/// What it is refused with, behind the file's name; nothing when it is read.
std::optional<std::string> refusal_of(const Place& place) {
  const std::string reader = place.file.parent_path().filename();
  const auto said = place.tensor              ? try_table(place.bytes, place.tensor)
                    : reader == "safetensors" ? try_safetensors(place.bytes)
                    : reader == "index"       ? try_index(place.bytes)
                    : reader == "gguf"        ? try_gguf(place.bytes)
                                              : try_table(place.bytes);
  if (!said) return std::nullopt;
  const std::string name = reader == "index" ? "some/folder/index.json" : "a/table";
  for (const std::string& shown : {"'" + name + "'", name})
    if (said->starts_with(shown)) return said->substr(shown.size());
  return "without its name: " + *said;
}

std::string rows_text(const TableRows& table) {
  const Matrix<double> all = table.all<double>();
  std::string text;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    std::string line = table.words().empty() ? "" : table.words()[i];
    for (const double number : row(all, i)) line += fmt::format("{}{:.17g}", line.empty() ? "" : " ", number);
    text += (i > 0 ? "\t" : "") + line;
  }
  return text;
}

/// Any rows of it are those of the whole, bit for bit.
void check_parts(const TableRows& table, const std::string& what) {
  const Matrix<double> all = table.all<double>();
  for (const std::size_t count : {1, 5, 31, 32, 33})
    for (std::size_t first = 0; first + count <= table.rows(); ++first) {
      std::vector<double> part(count * table.cols());
      table.read(first, count, std::span<double>(part));
      BOOST_TEST_REQUIRE(std::memcmp(part.data(), row(all, first).data(), part.size() * sizeof(double)) == 0,
                         what << ": " << count << " rows from " << first);
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_corpus)

BOOST_AUTO_TEST_CASE(what_can_be_read_holds_its_numbers) {
  const auto tables = expected_of("tables.txt");
  BOOST_TEST(tables.size() > 80U);
  for (const auto& [name, rows] : tables) {
    const Place place(name);
    BOOST_TEST(rows_text(place.from_memory()) == rows, name << ": " << rows_text(place.from_memory()));
    BOOST_TEST(rows_text(open_table({place.file, place.tensor})) == rows, name);
    check_parts(place.from_memory(), name);
    check_parts(place.from_memory({.transpose = true}), name + ", turned");
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_says_why) {
  auto lines = expected_of("refused.txt");
  for (const std::string& name : names_of_files("bad-")) lines.try_emplace(name);
  const char* write = std::getenv("PERP_WRITE_GOLDEN");
  if (write != nullptr && *write == '1') {
    std::string text;
    for (const auto& [name, line] : lines) text += name + '\t' + refusal_of(Place(name)).value_or("") + '\n';
    write_whole(corpus / "refused.txt", text);
    return;
  }
  BOOST_TEST(lines.size() > 260U);
  for (const auto& [name, line] : lines) {
    const Place place(name);
    const std::string said = refusal_of(place).value_or("read");
    BOOST_TEST(said == line, name << ": " << said);
    // What it promises allocates nothing.
    const std::size_t memory = memory_of([&] { place.from_memory(); });
    BOOST_TEST(memory < 32 * 1024U, name << ": " << memory << " bytes");
  }
}

BOOST_AUTO_TEST_CASE(what_is_valid_is_read_whole_and_in_parts) {
  for (const std::string& name : names_of_files("valid-")) {
    const auto said = refusal_of(Place(name));
    BOOST_TEST(!said.has_value(), name << said.value_or(""));
  }
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;
constexpr double of_text = 12;  // times its bytes, as words.hpp says

}  // namespace

BOOST_AUTO_TEST_SUITE(io_hostile)

BOOST_AUTO_TEST_CASE(files_cut_at_any_byte_are_refused) {
  for (const char* name : {"npy/valid-f4-little", "npy/valid-f8-version-2", "npy/valid-f4-version-3",
                           "safetensors/valid-two", "gguf/valid-two", "index/valid-index"}) {
    Place cut(name);
    while (!cut.bytes.empty()) {
      cut.bytes.pop_back();
      BOOST_TEST_REQUIRE(refusal_of(cut).has_value(), name << " cut to " << cut.bytes.size());
    }
  }
}

// A text cut within its last number, or behind a line when no header counts them, cannot be told from a whole
// one. What was there before is what it was.
BOOST_AUTO_TEST_CASE(text_cut_at_any_byte_is_refused_or_begins_alike) {
  for (const std::string_view whole :
       {"2 3\nin 0.5 1e-3 7\nfor 1 2 -0.25\n", "in 0.5 1e-3 7\nfor 1 2 -0.25\n",
        "\xEF\xBB\xBFx 1 2\r\n\xc3\xbc b 3 4 \r\n"}) {
    const auto rows_in = [&](std::string_view bytes) {
      return open_table(std::make_shared<const ByteSource>("t", InMemory{bytes}), std::nullopt);
    };
    const Matrix<double> all = rows_in(whole).all<double>();
    for (std::size_t size = 0; size < whole.size(); ++size) {
      if (try_table(whole.substr(0, size))) continue;
      const TableRows table = rows_in(whole.substr(0, size));
      BOOST_TEST_REQUIRE((!whole.starts_with('2') || table.rows() == 2U), "cut to " << size);
      const Matrix<double> found = table.all<double>();
      for (std::size_t i = 0; i + 1 < table.rows(); ++i)
        for (std::size_t j = 0; j < table.cols(); ++j) BOOST_TEST_REQUIRE(found(i, j) == all(i, j));
    }
  }
}

// Words, names and the numbers of a text become objects larger than the few bytes that a file can say them
// in, by a factor that does not grow; numbers of the binary formats take nothing.
BOOST_AUTO_TEST_CASE(memory_is_bounded_by_the_size_of_the_file) {
  const auto check = [](const char* what, const std::string& bytes, double times) {
    const std::size_t memory = memory_of(
        [&] { open_table(std::make_shared<const ByteSource>("t", InMemory{bytes}), std::nullopt); });
    BOOST_TEST(static_cast<double>(memory) < times * static_cast<double>(bytes.size()) + MiB,
               what << ": " << memory << " of " << bytes.size() << " bytes");
  };
  std::string many_tensors = "{", many_entries = "{\"weight_map\":{";
  for (int i = 0; i < 100'000; ++i) {
    const char* comma = i > 0 ? "," : "";
    if (i < 20'000)
      many_tensors += fmt::format(R"({}"{:x}":{{"dtype":"F4","shape":[0],"data_offsets":[0,0]}})", comma, i);
    many_entries += fmt::format(R"({}"{:x}":"a")", comma, i);
  }
  check("many tensors", safetensors_file(many_tensors + "}", ""), 12);
  check("many entries", many_entries + "}}", 20);

  // Lists that double are largest just behind a power of two; a word of three letters and a digit make the
  // shortest line.
  constexpr std::size_t many = (std::size_t{1} << 19) + 1, letters = 90;
  std::string lines, numbers = "a";
  for (std::size_t i = 0; i < many; ++i) {
    for (const std::size_t letter : {i / (letters * letters), i / letters % letters, i % letters})
      lines += static_cast<char>('!' + letter);
    lines += " 1\n";
    numbers += " 7";
  }
  check("text of short lines", lines, of_text);
  check("text of one line", numbers, of_text);
  // Compressed, as many times its text.
  const Scratch scratch;
  const auto path = scratch.file("t", gzip(lines));
  const std::size_t memory = memory_of([&] { open_table({path, std::nullopt}); });
  BOOST_TEST(static_cast<double>(memory) < of_text * static_cast<double>(lines.size()) + 2 * MiB);
}

BOOST_AUTO_TEST_CASE(reading_a_tile_takes_the_tile_and_a_buffer) {
  const std::string bytes =
      npy_file(npy_dictionary(">f8", true, "(1000, 1000)"), std::string(8'000'000, 'x'));
  const TableRows table = open_table(std::make_shared<const ByteSource>("t", InMemory{bytes}), std::nullopt);
  std::vector<double> tile(100 * 1000);
  BOOST_TEST(memory_of([&] { table.read(300, 100, tile); }) < 300 * KiB);
}

// Too long for the corpus, or of a length that the disk does not hold.
BOOST_AUTO_TEST_CASE(what_is_deep_or_long_is_refused_in_one_line) {
  const std::string arrays(200'000, '[');
  std::string objects;
  for (int i = 0; i < 200'000; ++i) objects += "{\"a\":";
  const auto header = [](const std::string& json) {
    return try_safetensors(safetensors_file(json, "")).value_or("");
  };
  const Scratch scratch;
  const auto sparse = [&](const std::string& bytes, std::size_t size, const char* wanted) {
    const auto path = scratch.file("sparse", bytes);
    std::filesystem::resize_file(path, size);
    return message_of([&] { open_table({path, wanted}); });
  };
  for (const auto& [said, part] : std::vector<std::pair<std::string, const char*>>{
           {header("{\"w\":{\"shape\":" + arrays), "has an array at 'w', 'shape'"},
           {header("{\"__metadata__\":" + objects), "has an object at '__metadata__', 'a'"},
           {try_index("{\"x\": " + arrays).value_or(""), "is nested deeper than 64"},
           {sparse(items_bytes(std::vector<std::uint64_t>{100'000'001}, false) + "{", 200'000'000, "w"),
            "a header of 100000001 bytes in a file of 200000000; at most 100000000 were expected"},
           {sparse(R"({"weight_map": {)", 20'000'001, "w"), "an index of 20000001 bytes; at most"}})
    BOOST_TEST(contains(said, part), said << " without " << part);
}

// Names and words go into messages as one line that cannot turn around or hide what follows.
BOOST_AUTO_TEST_CASE(messages_are_one_plain_line_whatever_is_in_a_file) {
  const std::string evil =
      "a'\"`$(x)|<script>\n\r\t\x1b[31m\x7f\xe2\x80\xae\xe2\x80\xa8\xc2\x9b\xff\xef\xbb\xbf";
  const std::string shown =
      "a'\"`$(x)|<script>\\x0a\\x0d\\x09\\x1b["
      "31m\\x7f\\xe2\\x80\\xae\\xe2\\x80\\xa8\\xc2\\x9b\\xff\\xef\\xbb\\xbf";
  BOOST_TEST(on_one_line(evil) == shown);
  BOOST_TEST(on_one_line("f\xc3\xbcr \xe2\x82\xac \xf0\x9f\x98\x80") ==
             "f\xc3\xbcr \xe2\x82\xac \xf0\x9f\x98\x80");
  // Over-long, half of a pair, beyond Unicode, cut off.
  BOOST_TEST(on_one_line("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\xe2\x82") ==
             "\\xc0\\xaf\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80\\xe2\\x82");

  BOOST_TEST(with_marks_shown("a\xe2\x80\xae|b\xe2\x81\xa6\xd8\x9c\xc2\x85\xe2\x80\xa9\xff\n") ==
             "a\\u202e|b\\u2066\\u061c\\u0085\\u2029\xff\n");
  BOOST_TEST(with_marks_shown("\xd9\x85\xe2\x80\x8c\xd8\xa7 f\xc3\xbcr") ==
             "\xd9\x85\xe2\x80\x8c\xd8\xa7 f\xc3\xbcr");
  CsvWriter csv({"word"});
  csv.text("=\xe2\x80\xae").end_row();
  BOOST_TEST(csv.str() == "word\n'=\\u202e\n");
}

BOOST_AUTO_TEST_SUITE_END()
