#pragma once
// Regular expressions, compiled in one source: <regex> costs every source that includes it seconds.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace perp::report {

class Pattern {
 public:
  explicit Pattern(const char* expression);
  ~Pattern();

  /// Whether the whole text is of this form.
  bool fits(std::string_view text) const;

  /// The whole text and its groups, "" for a group that took no part; nothing at all if the text is not of
  /// this form.
  std::vector<std::string> match(std::string_view text) const;

  /// The first group of every place in the text that is of this form.
  std::vector<std::string> all(std::string_view text) const;

 private:
  struct Compiled;
  std::unique_ptr<const Compiled> compiled_;
};

}  // namespace perp::report
