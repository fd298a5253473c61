#pragma once
// A real text to learn masked words of.

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "perp/study/options.hpp"
#include "perp/study/results.hpp"
#include "studies/learning/tasks.hpp"

namespace perp::learning {

/// The text as numbers of words; one number, the last, stands for all words outside the vocabulary. The last
/// tenth is kept for the test.
class Text {
 public:
  /// Reads nothing but the file's hash. `bytes`: no further than this.
  Text(std::filesystem::path path, std::size_t vocabulary, std::size_t bytes);

  /// The task "text": words from a random place of the text to learn from, of which one in five is masked by
  /// a word of its own (the last token) and asked for; a test draw's are taken from the last tenth likewise.
  /// Attention sees both sides. The first draw reads the text.
  Task task() const;

  const Input& input() const { return input_; }
  std::size_t vocabulary() const { return vocabulary_; }
  /// What the cells depend on.
  std::vector<std::string> hashes() const;

  /// Perplexity on the last tenth of whoever knows how frequent each word is in the rest, and nothing else.
  double unigram_perplexity() const;

 private:
  struct Read;
  const Read& read() const;
  std::filesystem::path path_;
  std::size_t vocabulary_, bytes_;
  Input input_;
  mutable std::once_flag once_;
  mutable std::shared_ptr<const Read> read_;
};
/// Empty if there is no text or the preset is not long: its runs are then left out.
using SharedText = std::shared_ptr<const Text>;

/// --corpus FILE, or Debian's dict-gcide if it is there; none for --corpus none. Throws Error{unusable} for a
/// file that was asked for and is not there.
SharedText load_text(const Options& options);

}  // namespace perp::learning
