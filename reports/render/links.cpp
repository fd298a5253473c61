#include "reports/render/links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "reports/render/text.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;

bool is_page(std::string_view file) {
  return file == "REPORT.md" || file == "FINDINGS.md" || file.starts_with("chapters/");
}

/// A site weighs five megabytes at most, pictures and all: what is longer is only named.
constexpr std::uintmax_t longest_table = 7'600;

/// Where the '[' stands that the ']' at `close` belongs to.
std::optional<std::size_t> opening(std::string_view text, std::size_t close) {
  int depth = 0;
  for (std::size_t at = close + 1; at-- > 0;) {
    if (at > 0 && text[at - 1] == '\\') continue;
    if (text[at] == ']') ++depth;
    if (text[at] == '[' && --depth == 0) return at;
  }
  return std::nullopt;
}

}  // namespace

Links::Links(const Facts& facts, Layout layout, std::string page, std::string base)
    : facts_(facts), layout_(std::move(layout)), page_(std::move(page)), base_(std::move(base)) {}

std::string Links::html_of(std::string_view page) {
  return page == "REPORT.md" ? "index.html" : lower(fs::path(page).stem().string()) + ".html";
}

std::string Links::stem() const { return lower(fs::path(page_).stem().string()); }

/// The page with the section of the claim "o4"; "" if the report has none.
std::string Links::page_of_claim(std::string_view place) const {
  std::string id(place);
  id.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(id.front())));
  const Results* study = facts_.study_of_claim(id);
  if (!study) return "";
  const bool own = std::ranges::find(layout_.chapters, study->study) != layout_.chapters.end();
  return own ? fmt::format("chapters/{}.md", study->study) : "REPORT.md";
}

std::string Links::to(std::string_view target) const {
  static const Pattern claim("[a-z][0-9]+");
  const std::size_t hash = std::min(target.find('#'), target.size());
  std::string file(target.substr(0, hash));
  const std::string_view place = target.substr(std::min(hash + 1, target.size()));
  const std::string fragment = place.empty() ? "" : fmt::format("#{}", place);
  if (file.empty()) {
    if (!claim.fits(place)) return fragment;
    file = page_of_claim(place);
    if (file.empty()) return "";
  }
  if (file == page_ && !fragment.empty()) return fragment;
  switch (layout_.form) {
    case Form::single:
      if (is_page(file)) return fragment.empty() ? "#" + lower(fs::path(file).stem().string()) : fragment;
      return file.starts_with("figures/") ? file : "";
    case Form::site:
      return in_site(file, fragment);
    case Form::github:
      break;
  }
  const bool below = page_.starts_with("chapters/");
  if (below && file.starts_with("chapters/"))
    return file.substr(std::string_view("chapters/").size()) + fragment;
  return (below ? "../" : base_) + file + fragment;
}

std::string Links::in_site(const std::string& file, const std::string& fragment) const {
  const auto is = [&](const std::string& page) { return file == page || file == "../published/" + page; };
  if (is_page(file) || std::ranges::any_of(layout_.beside, is)) return html_of(file) + fragment;
  if (file.starts_with("figures/")) return file + fragment;
  // A figure of no claim, in the page of another verb.
  if (!layout_.at.empty() && file.starts_with("../pages/") && file.ends_with(".gp"))
    return "scripts/" + fs::path(file).filename().string();
  // Both are written with the pages: what lay there before says nothing. The conditions are long.
  if (file == "ledger.csv") return "tables/" + file;
  if (file == "conditions.csv") return "";
  std::error_code none;
  const std::uintmax_t bytes = fs::file_size(facts_.folder() / file, none);
  const bool carried = !none && bytes <= longest_table && file.ends_with(".csv");
  return carried ? fmt::format("tables/{}", file) : "";
}

std::string Links::label(std::string_view text, std::string_view target) const {
  const std::string address = to(target);
  return address.empty() ? std::string(text) : fmt::format("[{}]({})", text, address);
}

std::string Links::in_text(std::string_view text) const {
  std::string out;
  std::size_t at = 0;
  for (std::size_t middle; (middle = text.find("](", at)) != text.npos;) {
    const std::size_t close = text.find(')', middle);
    if (close == text.npos) break;
    const std::string_view target = text.substr(middle + 2, close - middle - 2);
    out.append(text.substr(at, middle - at));
    at = close + 1;
    if (target.find("://") != target.npos || target.find(' ') != target.npos) {
      out.append(text.substr(middle, at - middle));
      continue;
    }
    const std::string address = to(target);
    if (!address.empty())
      out += fmt::format("]({})", address);
    else if (const auto open = opening(out + "]", out.size()))
      out.erase(*open, 1);
  }
  return out.append(text.substr(at));
}

std::string Links::own_place(std::string_view name) const {
  return layout_.form == Form::single ? fmt::format("{}-{}", stem(), name) : std::string(name);
}

std::string Links::to_script(std::string_view figure, const fs::path& script) const {
  if (layout_.at.empty() || layout_.form == Form::single) return "";
  if (layout_.form == Form::site) return fmt::format("scripts/{}.gp", figure);
  const fs::path way = fs::weakly_canonical(fs::absolute(script)).lexically_relative(layout_.at);
  return (page_.starts_with("chapters/") ? "../" : base_) + way.generic_string();
}

}  // namespace perp::report
