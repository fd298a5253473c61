#include "perp/io/words.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/numbers.hpp"
#include "perp/io/text.hpp"

namespace perp {
namespace {

constexpr std::string_view blanks = " \t";

std::string_view without_trailing_blanks(std::string_view line) {
  return line.substr(0, line.find_last_not_of(blanks) + 1);
}

void split(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  const auto is_blank = [&](std::size_t i) { return line[i] == ' ' || line[i] == '\t'; };
  for (std::size_t end = 0; end < line.size();) {
    std::size_t begin = end;
    while (begin < line.size() && is_blank(begin)) ++begin;
    end = begin;
    while (end < line.size() && !is_blank(end)) ++end;
    if (end > begin) fields.push_back(line.substr(begin, end - begin));
  }
}

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

void check_distinct(const std::vector<std::string>& words, std::size_t first_line, const std::string& name) {
  if (const std::optional<Repeated> word = find_repeated(words))
    refuse("{}:{}: the word {} is in line {} already", name, first_line + word->again,
           in_quotes(words[word->again]), first_line + word->first);
}

// Rows of one file, collected one by one.
class Rows {
 public:
  // dim 0: the first row decides.
  Rows(std::string name, std::size_t dim) : name_(std::move(name)), dim_(dim) {}

  std::size_t count() const { return words_.size(); }

  void add(std::string_view line, std::size_t number) {
    if (count() == 0) first_line_ = number;
    split(line, fields_);
    require(!fields_.empty(), "{}:{}: an empty line, a word and its numbers were expected", name_, number);
    require(fields_[0].data() == line.data(), "{}:{}: begins with a blank, a word was expected", name_,
            number);
    const std::size_t found = fields_.size() - 1;
    if (found == 0) refuse("{}:{}: the word {} without numbers", name_, number, in_quotes(line));
    if (dim_ == 0) dim_ = found;
    require(found >= dim_, "{}:{}: {} numbers, {} were expected", name_, number, found, dim_);
    add_numbers(found - dim_, number);
    const std::string_view last = fields_[found - dim_];
    words_.emplace_back(line.substr(0, static_cast<std::size_t>(last.data() + last.size() - line.data())));
  }

  WordRows rows() && {
    check_distinct(words_, first_line_, name_);
    return {std::move(words_), dim_, std::move(values_), zero_rows_};
  }

 private:
  // The numbers behind fields_[last], the last piece of the word.
  void add_numbers(std::size_t last, std::size_t number) {
    bool zero = true;
    for (std::size_t k = last + 1; k < fields_.size(); ++k) {
      const std::optional<float> value = parse_float(fields_[k]);
      if (!value || !std::isfinite(*value))
        refuse("{}:{}: field {} is {}, a finite number was expected", name_, number, k + 1,
               in_quotes(fields_[k]));
      zero = zero && *value == 0;
      values_.push_back(*value);
    }
    require(last == 0 || !parse_float(fields_[last]), "{}:{}: more than {} numbers, {} were expected", name_,
            number, dim_, dim_);
    zero_rows_ += zero ? 1 : 0;
  }

  std::string name_;
  std::size_t dim_ = 0, first_line_ = 1, zero_rows_ = 0;
  std::vector<std::string> words_;
  std::vector<float> values_;
  std::vector<std::string_view> fields_;
};

void check_writable(const WordTable& table) {
  require(table.words.size() == rows(table.vectors) && rows(table.vectors) > 0 && cols(table.vectors) > 0,
          "word table: {} words for {} x {} vectors", table.words.size(), rows(table.vectors),
          cols(table.vectors));
  check_distinct(table.words, 1, "word table");
  std::vector<std::string_view> parts;
  for (std::size_t i = 0; i < table.words.size(); ++i) {
    const std::string& word = table.words[i];
    split(word, parts);
    const bool reads_back = !parts.empty() && parts.front().data() == word.data() &&
                            without_trailing_blanks(word).size() == word.size() &&
                            word.find('\n') == word.npos && (parts.size() == 1 || !parse_float(parts.back()));
    if (!reads_back) refuse("word table: row {}: the word {} would not read back", i + 1, in_quotes(word));
    for (const float value : row(table.vectors, i))
      require(std::isfinite(value), "word table: row {}: {} is not finite", i + 1, value);
  }
}

}  // namespace

std::optional<WordsHeader> words_header(std::string_view line) {
  std::vector<std::string_view> fields;
  split(line, fields);
  if (fields.size() != 2) return std::nullopt;
  const std::optional<std::size_t> words = whole_number(fields[0]), dim = whole_number(fields[1]);
  if (!words || !dim) return std::nullopt;
  return WordsHeader{*words, *dim};
}

std::optional<Repeated> find_repeated(const std::vector<std::string>& words) {
  std::unordered_map<std::string_view, std::size_t> seen;
  seen.reserve(words.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    if (const auto [earlier, is_new] = seen.emplace(words[i], i); !is_new)
      return Repeated{earlier->second, i};
  return std::nullopt;
}

WordRows read_word_rows(LineReader& lines, std::size_t max_rows) {
  const std::string name = on_one_line(lines.path().native());
  require(max_rows > 0, "{}: 0 rows wanted, at least 1 was expected", name);
  std::string_view line;
  require(lines.next(line) && !without_trailing_blanks(line).empty(),
          "{} is empty or begins with an empty line, words and their vectors were expected", name);
  const std::optional<WordsHeader> header = words_header(line);
  require(!header || (header->words > 0 && header->dim > 0), "{}:1: a header of {} words in {} dimensions",
          name, header ? header->words : 0, header ? header->dim : 0);
  Rows found(name, header ? header->dim : 0);
  if (!header) found.add(without_trailing_blanks(line), 1);

  std::size_t empty_line = 0;
  while (found.count() < max_rows && lines.next(line)) {
    const std::string_view content = without_trailing_blanks(line);
    if (content.empty() && empty_line == 0) empty_line = lines.number();
    if (content.empty()) continue;
    require(empty_line == 0, "{}:{}: an empty line between words", name, empty_line);
    require(!header || found.count() < header->words,
            "{}:{}: more than the {} words that its header promises", name, lines.number(),
            header ? header->words : 0);
    found.add(content, lines.number());
  }
  require(!header || found.count() == std::min(header->words, max_rows),
          "{}: {} words found, its header promises {}", name, found.count(), header ? header->words : 0);
  return std::move(found).rows();
}

WordTable read_words_text(const std::filesystem::path& path, std::size_t max_rows) {
  LineReader lines(path);
  WordRows found = read_word_rows(lines, max_rows);
  Matrix<float> vectors = matrix<float>(found.words.size(), found.dim);
  std::copy(found.values.begin(), found.values.end(), vectors.data());
  return {std::move(found.words), std::move(vectors), found.zero_rows};
}

void write_words_text(const std::filesystem::path& path, const WordTable& table) {
  check_writable(table);
  WholeFile file(path);
  file.append(fmt::format("{} {}\n", rows(table.vectors), cols(table.vectors)));
  std::string line;
  for (std::size_t i = 0; i < table.words.size(); ++i) {
    line = table.words[i];
    for (const float value : row(table.vectors, i)) line += ' ' + shortest(value);
    file.append(line += '\n');
  }
  file.commit();
}

}  // namespace perp
