#include "perp/vectors/corpus_cache.hpp"

#include <optional>
#include <utility>

#include "perp/io/file.hpp"
#include "perp/io/npy.hpp"
#include "perp/io/numbers.hpp"
#include "perp/io/sha256.hpp"
#include "perp/io/text.hpp"

namespace perp {
namespace {

constexpr std::string_view title = "learned words, file format 1";

/// One item per line: title, SHA-256 of the vectors' file, counts, values, words; the SHA-256 of all that
/// last.
std::string to_text(const LearnedWords& learned, const std::string& vectors_sha256) {
  std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", title, vectors_sha256, learned.tokens,
                                 learned.distinct, learned.singular_values.size(), learned.words.size());
  for (const double value : learned.singular_values) text += shortest(value) + '\n';
  for (const std::string& word : learned.words) text += word + '\n';
  return text + sha256_hex(text) + '\n';
}

/// Takes lines off the front of a text.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  std::string_view next() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) fail("the file ends early");
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }

  std::uint64_t next_count() {
    const std::string_view line = next();
    const std::optional<std::uint64_t> count = parse_whole(line);
    if (!count) fail("\"{}\" is no count", line);
    return *count;
  }

 private:
  std::string_view rest_;
};

/// What stands before the last line, if that line is its SHA-256.
std::optional<std::string_view> checked_part(std::string_view text) {
  constexpr std::size_t last_line = 64 + 1;
  if (text.size() < last_line) return {};
  const std::string_view before = text.substr(0, text.size() - last_line);
  if (text.substr(before.size()) != sha256_hex(before) + '\n') return {};
  return before;
}

/// Throws Error if anything is missing or in disorder.
std::optional<LearnedWords> read_entry(const CacheEntry& entry) {
  const std::string text = read_file(entry.words);
  const std::optional<std::string_view> part = checked_part(text);
  if (!part) return {};
  Lines lines(*part);
  if (lines.next() != title || lines.next() != sha256_file(entry.vectors)) return {};
  LearnedWords learned;
  learned.tokens = lines.next_count();
  learned.distinct = lines.next_count();
  const std::uint64_t dimension = lines.next_count(), vocabulary = lines.next_count();
  for (std::uint64_t i = 0; i < dimension; ++i)
    learned.singular_values.push_back(parse_double(lines.next()).value());
  for (std::uint64_t i = 0; i < vocabulary; ++i) learned.words.emplace_back(lines.next());
  learned.vectors = read_npy<float>(entry.vectors);
  if (rows(learned.vectors) != vocabulary || cols(learned.vectors) != dimension) return {};
  return learned;
}

/// Nothing for an entry that is not there or not whole: it is only a copy of what can be learned again.
std::optional<LearnedWords> try_entry(const CacheEntry& entry) {
  if (!std::filesystem::exists(entry.words) || !std::filesystem::exists(entry.vectors)) return {};
  try {
    return read_entry(entry);
  } catch (const Error&) {
    return {};
  } catch (const std::bad_optional_access&) {
    return {};
  }
}

void write_entry(const CacheEntry& entry, const LearnedWords& learned) {
  make_folders(entry.words.parent_path());
  set_aside(entry.words);
  set_aside(entry.vectors);
  write_npy(entry.vectors, learned.vectors);
  // The words name the vectors' checksum, so they come last: an entry cut off in between does not match.
  write_whole(entry.words, to_text(learned, sha256_file(entry.vectors)));
}

}  // namespace

CacheEntry cache_entry(const std::filesystem::path& folder, const CorpusOptions& options,
                       const std::string& text_sha256) {
  const std::string key = sha256_hex(describe(options) + "\n" + text_sha256);
  return {folder / (key + ".npy"), folder / (key + ".txt")};
}

CachedWords learn_words_cached(const std::filesystem::path& text_path, const CorpusOptions& options,
                               const std::filesystem::path& folder, std::size_t threads,
                               const Progress& progress) {
  if (progress) progress(0, "reading the text");
  const std::string text = read_gzip_or_plain(text_path, largest_text_bytes);
  CachedWords result;
  result.text_sha256 = sha256_hex(text);
  const CacheEntry entry = cache_entry(folder, options, result.text_sha256);
  if (std::optional<LearnedWords> kept = try_entry(entry)) {
    result.learned = std::move(*kept);
    result.from_cache = true;
    return result;
  }
  result.learned = learn_words(text, options, threads, progress);
  write_entry(entry, result.learned);
  return result;
}

}  // namespace perp
