#pragma once
// A real text, byte by byte: masked bytes, or the next one.

#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perp/study/options.hpp"
#include "perp/study/results.hpp"
#include "studies/learning/tasks.hpp"

namespace perp::learning {

inline constexpr std::size_t text_length = 128;
/// Tasks on a text: three bytes in ten are masked by a token of their own and asked for, attention sees both
/// sides; or every byte's next one is asked for, and attention sees what stands before.
inline constexpr std::string_view masked_text = "text", causal_text = "text_causal";
inline bool is_text(std::string_view task) { return task == masked_text || task == causal_text; }

/// Learned from are eighteen twentieths; one is kept for choosing, the last for the test. A10's pairs learn from
/// seventeen: the eighteenth judges them, for the last has been looked at since pairs were first made.
class Text {
 public:
  enum class Part { learned, learned_by_pairs, judged_on, chosen_on, tested };

  /// Reads nothing but the file's hash.
  explicit Text(std::filesystem::path path);

  /// "text" or "text_causal": sequences of 128 bytes from random places, tested on one of the parts that are
  /// kept, learned from `learned`. Classes are the byte values that occur, the mask is one token more. Throws
  /// Error{unusable} for a file that cannot be read or is shorter than forty sequences.
  Task task(std::string_view name, Part test = Part::tested, Part learned = Part::learned) const;

  const Input& input() const { return input_; }
  /// Byte values that occur, and the mask.
  std::size_t words() const { return read().kinds + 1; }
  /// Bits a byte of the test for whoever knows how frequent each byte is in what is learned from, and nothing else.
  double unigram_bits(Part test = Part::tested, Part learned = Part::learned) const;

 private:
  struct Read {
    std::vector<std::int32_t> bytes;  ///< as classes 0 … kinds - 1
    std::size_t kinds = 0;
    std::span<const std::int32_t> part(Part part) const;
  };
  const Read& read() const;
  std::filesystem::path path_;
  Input input_;
  mutable std::once_flag once_;
  mutable Read read_;
};
/// Empty if there is no text: its runs are then left out.
using SharedText = std::shared_ptr<const Text>;

/// --corpus FILE, or Debian's dict-gcide if it is there; none for --corpus none. Throws Error{unusable} for a
/// file that was asked for and is not there.
SharedText load_text(const Options& options);

}  // namespace perp::learning
