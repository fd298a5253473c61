// The files that tests/fuzz/make_corpus.py makes. One that can be read holds the numbers of tables.txt, which
// that script decodes; one that cannot is refused with its line of refused.txt, which PERP_WRITE_GOLDEN=1
// writes anew.

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <cstring>
#include <map>

#include "counting_new.hpp"
#include "perp/io/file.hpp"
#include "tests/fuzz/check.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

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
  const std::string text = read_file(corpus / table);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t tab = text.find('\t', at), end = text.find('\n', at);
    lines[text.substr(at, tab - at)] = text.substr(tab + 1, end - tab - 1);
    at = end + 1;
  }
  return lines;
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
  const char* write = std::getenv("PERP_WRITE_GOLDEN");
  if (write != nullptr && *write == '1') {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus))
      if (entry.path().filename().string().starts_with("bad-"))
        lines[std::filesystem::relative(entry.path(), corpus)];
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
    const Memory memory = memory_of([&] { error_of([&] { place.from_memory(); }); });
    BOOST_TEST(memory.peak < 32 * 1024U, name << ": " << memory.peak << " bytes");
  }
}

BOOST_AUTO_TEST_CASE(no_file_is_without_what_is_expected_of_it) {
  const auto refusals = expected_of("refused.txt"), tables = expected_of("tables.txt");
  std::size_t bytes_in_all = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus)) {
    if (entry.is_directory() || entry.path().extension() == ".txt") continue;
    const std::string file = entry.path().filename(), name = std::filesystem::relative(entry.path(), corpus);
    const Place place(name);
    const auto said = refusal_of(place);
    if (file.starts_with("bad-")) BOOST_TEST(refusals.contains(name), name);
    if (file.starts_with("valid-")) {
      BOOST_TEST(!said.has_value(), name << said.value_or(""));
      const auto first = tables.lower_bound(name);
      BOOST_TEST((name.starts_with("index/") || (first != tables.end() && first->first.starts_with(name))),
                 name);
    }
    bytes_in_all += place.bytes.size();
  }
  BOOST_TEST(bytes_in_all < 200'000U);
}

BOOST_AUTO_TEST_SUITE_END()
