#include "perp/io/words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "perp/io/text.hpp"

namespace perp {
namespace {

constexpr std::string_view blanks = " \t";

std::string_view without_trailing_blanks(std::string_view line) {
  return line.substr(0, line.find_last_not_of(blanks) + 1);
}

/// The next field of `line` from `at` on, which moves behind it; empty at the end.
std::string_view next_field(std::string_view line, std::size_t& at) {
  const std::size_t begin = std::min(line.find_first_not_of(blanks, at), line.size());
  at = std::min(line.find_first_of(blanks, begin), line.size());
  return line.substr(begin, at - begin);
}

std::size_t count_fields(std::string_view line) {
  std::size_t count = 0;
  for (std::size_t at = 0; !next_field(line, at).empty();) ++count;
  return count;
}

bool is_whole(std::string_view field) {
  return parse_whole(field.substr(field.starts_with('-') ? 1 : 0)).has_value();
}

bool is_whole_number(double x) { return std::floor(x) == x; }

/// Whole numbers that rise all along, three or more, behind a name where rows have names: pandas' to_csv writes the names of columns
/// above a table, 0 1 2 … or those that were chosen. Empty for another line.
std::vector<double> column_numbers(std::string_view line) {
  std::size_t at = 0;
  if (std::size_t behind = 0; !parse_float(next_field(line, behind))) at = behind;
  std::vector<double> found;
  for (std::string_view field; !(field = next_field(line, at)).empty();) {
    const std::optional<double> value = parse_double(field);
    if (!value || !is_whole_number(*value) || (!found.empty() && *value <= found.back())) return {};
    found.push_back(*value);
  }
  return found.size() > 2 ? found : std::vector<double>();
}

/// Whether a field begins as numbers do, behind signs (U+2212, too), brackets, quotes or a '#': 0.5, as well as (0,5.
bool begins_like_number(std::string_view field) {
  field.remove_prefix(std::min(field.find_first_not_of("+-\xe2\x88\x92\"'([{#"), field.size()));
  if (field.starts_with('.')) field.remove_prefix(1);
  return !field.empty() && field.front() >= '0' && field.front() <= '9';
}

/// Whether the lines of a table begin with words at all. np.savetxt's do not, and their first numbers would pass for
/// words; no model's words are numbers alone, but those of a table of tokens' numbers.
class FirstFields {
 public:
  /// Whether every line so far begins with a number.
  bool are_numbers() const { return numbers_; }
  /// Whether these are whole and what stands behind them is not.
  bool are_ids() const { return ids_ && !all_whole_; }
  bool are_unclear() const { return ids_ && all_whole_; }
  const std::vector<float>& values() const { return values_; }

  /// The first line that does not begin with a number where most do or nearly do, some of them with a fraction or a separator:
  /// of numbers with a comment, a gap or commas. 0 where there is none, as in a table of words, few of which are numbers.
  std::size_t odd_line() const { return fraction_ && 2 * found_ > seen_ ? odd_ : 0; }

  void see(std::string_view line, std::size_t number) {
    std::size_t at = 0;
    const std::string_view first = next_field(line, at);
    const std::optional<float> value = parse_float(first);
    const std::string_view unsigned_part =
        first.substr(first.starts_with('+') ? 1 : 0);  // of np.savetxt's "%+.3f"
    ++seen_;
    if (value || parse_double(unsigned_part)) {
      ++found_;
      fraction_ = fraction_ || !is_whole(unsigned_part);
    } else if (begins_like_number(first)) {
      ++found_;
      fraction_ = fraction_ || first.find_first_of(".,;|") != first.npos;
    }
    if (!value && odd_ == 0) odd_ = number;
    if (!numbers_) return;
    numbers_ = value.has_value();
    ids_ = ids_ && numbers_ && parse_whole(first);
    if (!numbers_) {
      values_ = {};
      return;
    }
    values_.push_back(*value);
    while (all_whole_ && at < line.size())
      if (const std::string_view field = next_field(line, at); !field.empty()) all_whole_ = is_whole(field);
  }

 private:
  bool numbers_ = true, ids_ = true, all_whole_ = true, fraction_ = false;
  std::size_t seen_ = 0, found_ = 0, odd_ = 0;
  std::vector<float> values_;  // a line each
};

/// Where a word stands that stood before, and where that was; counted from 0.
struct Repeated {
  std::size_t first = 0, again = 0;
};
std::optional<Repeated> find_repeated(const std::vector<std::string>& words) {
  std::vector<std::size_t> order(words.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(std::string_view(words[i]), i); });
  std::optional<Repeated> earliest;
  for (std::size_t k = 1; k < order.size(); ++k)
    if (words[order[k]] == words[order[k - 1]] && (!earliest || order[k] < earliest->again))
      earliest = Repeated{order[k - 1], order[k]};
  return earliest;
}

// Rows of one file, collected one by one. Fields are counted and then read, not listed, and words lie in one
// text until all are there: a list of the short ones would take many times the bytes of the file.
class Rows {
 public:
  Rows(std::string name, const std::optional<WordsHeader>& header)
      : name_(std::move(name)), has_header_(header), dim_(header ? header->dim : 0) {}

  std::size_t count() const { return lengths_.size(); }
  /// Whether lines that are not wanted may still say what those that are wanted hold.
  bool is_open() const { return !has_header_ && firsts_.are_numbers(); }
  void look(std::string_view line, std::size_t number) { firsts_.see(line, number); }

  void add(std::string_view line, std::size_t number) {
    if (count() == 0) first_line_ = number;
    const std::size_t fields = count_fields(line);
    require(fields > 0, "{}:{}: an empty line, a word and its numbers were expected", name_, number);
    if (count() == 0 && !has_header_)
      if (const std::vector<double> heading = column_numbers(line); !heading.empty()) {
        heading_ = true;
        if (heading.front() == 0 && heading.back() == static_cast<double>(heading.size() - 1))
          refuse_heading();
      }
    if (!has_header_) look(line, number);
    if (is_open()) line.remove_prefix(line.find_first_not_of(blanks));
    require(blanks.find(line.front()) == blanks.npos, "{}:{}: begins with a blank, a word was expected",
            name_, number);
    const std::size_t found = fields - 1, first = is_open() ? 1 : 0;  // which may be a number
    if (found + first == 0) refuse("{}:{}: the word {} without numbers", name_, number, in_quotes(line));
    if (count() == 0 && !has_header_) dim_ = found;
    if (first == 0) check_width();
    require(found >= dim_, "{}:{}: {} numbers, {} were expected", name_, number, found + first, dim_ + first);
    std::size_t at = 0;
    std::string_view last;  // piece of the word
    for (std::size_t piece = 0; piece <= found - dim_; ++piece) last = next_field(line, at);
    const std::size_t word_end = at;
    add_numbers(line, at, found - dim_, number);
    require(found == dim_ || !parse_float(last), "{}:{}: more than {} numbers, {} were expected", name_,
            number, dim_ + first, dim_ + first);
    letters_.append(line.substr(0, word_end));
    lengths_.push_back(static_cast<std::uint32_t>(word_end));
  }

  WordRows rows() && {
    // Where all is whole the first line may be a row.
    if (heading_ && !(std::ranges::all_of(firsts_.values(), is_whole_number) &&
                      std::ranges::all_of(values_, is_whole_number)))
      refuse_heading();
    if (is_open() && (firsts_.are_unclear() || are_written_numbers()))
      refuse(
          "{}: {}, and no telling whether the first of each line is a word; expected a first line 'V d' (V "
          "words of d numbers), or a table without words as .npy",
          name_, firsts_.are_unclear() ? "whole numbers alone" : "a whole number in front of each line");
    if (is_open() && !firsts_.are_ids()) return without_words();
    if (const std::size_t odd = has_header_ ? 0 : firsts_.odd_line())
      refuse(
          "{}:{}: does not begin with a number, as most lines do or nearly do; expected a word in front of "
          "every line, or "
          "of none, and numbers of digits and a point with blanks between them, without a plus sign",
          name_, odd);
    check_width();
    std::vector<std::string> words;
    words.reserve(count());
    for (std::size_t begin = 0; const std::uint32_t length : lengths_) {
      words.emplace_back(letters_, begin, length);
      begin += length;
    }
    letters_ = {};
    lengths_ = {};
    if (const std::optional<Repeated> word = find_repeated(words))
      refuse("{}:{}: the word {} is in line {} already", name_, first_line_ + word->again,
             in_quotes(words[word->again]), first_line_ + word->first);
    return {std::move(words), dim_, std::move(values_)};
  }

 private:
  [[noreturn]] void refuse_heading() const {
    refuse("{}:{}: a heading with the numbers of the columns; expected rows alone (pandas: header=False)",
           name_, first_line_);
  }

  // Rows numbered as others write numbers, -1, 1.0 or 1e+00, in front of fractions. An identity has two such rows at most.
  bool are_written_numbers() const {
    std::vector<float> firsts = firsts_.values();
    if (firsts_.are_ids() || firsts.size() < 3 || !std::ranges::all_of(firsts, is_whole_number) ||
        std::ranges::all_of(values_, is_whole_number))
      return false;
    std::ranges::sort(firsts);
    return std::ranges::adjacent_find(firsts) == firsts.end();
  }

  // A first line of one number is no row where it turns out to be a word.
  void check_width() const {
    if (dim_ == 0)
      refuse("{}:{}: the word {} without numbers", name_, first_line_,
             in_quotes(std::string_view(letters_).substr(0, lengths_.front())));
  }

  // The first fields are numbers like the others.
  WordRows without_words() const {
    WordRows out{{}, dim_ + 1, {}};
    out.values.reserve(count() * out.dim);
    for (std::size_t i = 0; i < count(); ++i) {
      const float first = firsts_.values()[i];
      require(std::isfinite(first), "{}:{}: field 1 is {}, a finite number was expected", name_,
              first_line_ + i, first);
      out.values.push_back(first);
      const auto rest = values_.begin() + static_cast<std::ptrdiff_t>(i * dim_);
      out.values.insert(out.values.end(), rest, rest + static_cast<std::ptrdiff_t>(dim_));
    }
    return out;
  }

  // The numbers of `line` from `at` on, behind that many fields more than one.
  void add_numbers(std::string_view line, std::size_t at, std::size_t before, std::size_t number) {
    if (values_.empty()) values_.reserve(dim_);
    bool is_zero = !is_open() || firsts_.values().back() == 0, is_lost = false;
    for (std::size_t k = 0; k < dim_; ++k) {
      const std::string_view field = next_field(line, at);
      const std::optional<float> value = parse_float(field);
      if (!value || !std::isfinite(*value))
        refuse("{}:{}: field {} is {}, a finite number was expected", name_, number, before + k + 2,
               in_quotes(field));
      values_.push_back(*value);
      is_zero = is_zero && *value == 0;
      is_lost = is_lost || (*value == 0 && parse_double(field) != 0.0);
    }
    if (is_zero && is_lost) refuse("{}:{}: holds numbers that float32 cannot tell from 0", name_, number);
  }

  std::string name_;
  bool has_header_ = false, heading_ = false;
  std::size_t dim_ = 0, first_line_ = 1;
  FirstFields firsts_;                  // of a table without a header
  std::string letters_;                 // of all words
  std::vector<std::uint32_t> lengths_;  // of each; LineReader ends a line long before they do
  std::vector<float> values_;
};

}  // namespace

std::optional<WordsHeader> words_header(std::string_view line) {
  if (count_fields(line) != 2) return std::nullopt;
  std::size_t at = 0;
  const std::optional<std::size_t> words = parse_whole(next_field(line, at)),
                                   dim = parse_whole(next_field(line, at));
  if (!words || !dim) return std::nullopt;
  return WordsHeader{*words, *dim};
}

WordRows read_word_rows(LineReader& lines, std::size_t max_rows) {
  const std::string name = on_one_line(lines.path().native());
  std::string_view line;
  require(lines.next(line) && !without_trailing_blanks(line).empty(),
          "{} is empty or begins with an empty line, words and their vectors were expected", name);
  const std::optional<WordsHeader> header = words_header(line);
  require(!header || (header->words > 0 && header->dim > 0), "{}:1: a header of {} words in {} dimensions",
          name, header ? header->words : 0, header ? header->dim : 0);
  Rows found(name, header);
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
  while (found.is_open() && lines.next(line))
    if (const std::string_view content = without_trailing_blanks(line); !content.empty())
      found.look(content, lines.number());
  require(!header || found.count() == std::min(header->words, max_rows),
          "{}: {} words found, its header promises {}", name, found.count(), header ? header->words : 0);
  return std::move(found).rows();
}

}  // namespace perp
