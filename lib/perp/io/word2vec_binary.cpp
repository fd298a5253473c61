#include "perp/io/word2vec_binary.hpp"

#include <algorithm>
#include <optional>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/words.hpp"

namespace perp {
namespace {

constexpr std::size_t item_bytes = 4, longest_word = 10'000, longest_header = 64;
constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 18;

struct Beginning {
  WordsHeader promised;
  std::size_t bytes = 0;  // of the first line, its end included
};

std::optional<Beginning> first_line(std::string_view text) {
  const std::size_t end = text.substr(0, longest_header).find('\n');
  if (end == text.npos) return std::nullopt;
  const std::optional<WordsHeader> header = words_header(text.substr(0, end));
  if (!header || header->words == 0 || header->dim == 0) return std::nullopt;
  return Beginning{*header, end + 1};
}

// UTF-8 without control bytes; its end may be cut off.
bool is_text(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto first = static_cast<unsigned char>(bytes.front());
    if ((first < 0x20 && first != '\t' && first != '\n' && first != '\r') || first == 0x7f) return false;
    const std::size_t count = utf8_bytes(bytes);
    if (count == 0) return bytes.size() < 4 && first >= 0xC2;
    bytes.remove_prefix(count);
  }
  return true;
}

// Walks through a file's bytes by a window, so that its length does not matter.
class Walk {
 public:
  explicit Walk(const ByteSource& source) : source_(source) {}

  std::uint64_t at() const { return at_; }
  std::uint64_t left() const { return source_.size() - at_; }
  void skip(std::uint64_t count) { at_ += count; }

  // Up to `count` bytes from here on; fewer only at the file's end.
  std::string_view ahead(std::size_t count) {
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(count, left()));
    if (at_ < begin_ || at_ + wanted > begin_ + window_.size()) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_bytes, left()));
      window_.resize(size);
      source_.read(at_, window_.data(), size);
      begin_ = at_;
    }
    return std::string_view(window_).substr(static_cast<std::size_t>(at_ - begin_), wanted);
  }

 private:
  const ByteSource& source_;
  std::string window_;
  std::uint64_t begin_ = 0, at_ = 0;
};

// The word from here to its blank; both are stepped over.
std::string take_word(Walk& walk, std::size_t row, const std::string& name) {
  const std::string_view ahead = walk.ahead(longest_word + 1);
  const std::size_t end = ahead.find(' ');
  require(end != ahead.npos,
          "{}: row {}: no blank ends the word at byte {}; a word of at most {} bytes was expected", name, row,
          walk.at(), longest_word);
  const std::string_view word = ahead.substr(0, end);
  require(!word.empty(), "{}: row {}: an empty word at byte {}", name, row, walk.at());
  if (word.find('\n') != word.npos)
    refuse("{}: row {}: the word {} at byte {} has a line end in it", name, row, in_quotes(word), walk.at());
  std::string taken(word);
  walk.skip(end + 1);
  return taken;
}

}  // namespace

bool is_word2vec_binary(std::string_view beginning) {
  const std::optional<Beginning> line = first_line(beginning);
  if (!line) return false;
  const std::string_view rest = beginning.substr(line->bytes);
  const std::size_t blank = rest.find(' ');
  if (blank == rest.npos || blank == 0 || blank > longest_word) return false;
  const std::size_t most = rest.size() / item_bytes;
  const std::string_view numbers = rest.substr(blank + 1, item_bytes * std::min(line->promised.dim, most));
  return !is_text(numbers);
}

BinaryWords word2vec_binary(const ByteSource& source, std::size_t max_words) {
  const std::string name = in_quotes(source.path());
  const std::optional<Beginning> line = first_line(source.beginning(longest_header));
  if (!line) refuse("{} does not begin with a line of two numbers, how many words and dimensions", name);
  const auto [words, dim] = line->promised;
  const std::uint64_t left = source.size() - line->bytes;
  // A word has a byte at least, and a blank.
  require(dim <= left / item_bytes && words <= left / (dim * item_bytes + 2),
          "{} has {} bytes behind its header, which promises {} words in {} dimensions: that takes more",
          name, left, words, dim);
  const std::uint64_t row_bytes = std::uint64_t{dim} * item_bytes;

  BinaryWords found;
  found.table.line_items = dim;
  Walk walk(source);
  walk.skip(line->bytes);
  const std::size_t wanted = std::min(words, max_words);
  require(wanted > 0, "{}: 0 rows wanted, at least 1 was expected", name);
  while (found.words.size() < wanted) {
    const std::size_t row = found.words.size();
    if (walk.ahead(1) == "\n") walk.skip(1);  // behind the numbers of the word before
    require(walk.left() > 0, "{} ends before row {}, its header promises {} words", name, row, words);
    found.words.push_back(take_word(walk, row, name));
    require(walk.left() >= row_bytes, "{}: row {}: {} bytes behind the word {}; {} were expected", name, row,
            walk.left(), in_quotes(found.words.back()), row_bytes);
    found.table.line_begins.push_back(walk.at());
    walk.skip(row_bytes);
  }
  if (wanted == words) {
    if (walk.ahead(1) == "\n") walk.skip(1);
    require(walk.left() == 0, "{} has {} bytes behind the {} words that its header promises", name,
            walk.left(), words);
  }
  if (const std::optional<Repeated> word = find_repeated(found.words))
    refuse("{}: row {}: the word {} is row {} already", name, word->again,
           in_quotes(found.words[word->again]), word->first);
  found.table.lines = wanted;
  return found;
}

}  // namespace perp
