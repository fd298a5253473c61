#include "reports/pattern.hpp"

#include <regex>

namespace perp::report {

struct Pattern::Compiled {
  std::regex form;
};

Pattern::Pattern(const char* expression) : compiled_(new Compiled{std::regex(expression)}) {}
Pattern::~Pattern() = default;

bool Pattern::fits(std::string_view text) const { return !match(text).empty(); }

std::vector<std::string> Pattern::match(std::string_view text) const {
  std::cmatch found;
  std::vector<std::string> groups;
  if (std::regex_match(text.data(), text.data() + text.size(), found, compiled_->form))
    for (const auto& group : found) groups.push_back(group.str());
  return groups;
}

std::vector<std::string> Pattern::all(std::string_view text) const {
  std::vector<std::string> groups;
  for (std::cregex_iterator it(text.data(), text.data() + text.size(), compiled_->form), end; it != end; ++it)
    groups.push_back((*it)[1].str());
  return groups;
}

}  // namespace perp::report
