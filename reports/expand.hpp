#pragma once
// Fills templates in from facts. docs/TEMPLATES.md is the language; whatever it cannot fill is an error that
// names the template and its line.

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "perp/base/error.hpp"
#include "reports/facts.hpp"
#include "reports/figure.hpp"
#include "reports/scanner.hpp"

namespace perp::report {

/// Markdown: texts from data are escaped. Plain: they are not (a figure's title, an alt text).
enum class Target { markdown, plain };

/// The two texts that come from one template. GitHub's: what a repository shows. Page: what becomes
/// report.html, with both themes of a picture inside (page.hpp).
enum class Form { github, page };

class Expander {
 public:
  /// `templates` is where {{study x}} and {{section O1}} look; links to figures, MACHINE.md and sections
  /// begin with `link_base` ("" or "reports/out/"). The references must outlive the expander.
  Expander(const Facts& facts, const std::vector<Figure>& figures, std::filesystem::path templates,
           std::string link_base = "", Form form = Form::github);

  /// The expanded file, ending in one line break, without runs of empty lines.
  std::string file(const std::filesystem::path& path);

  /// The expanded text, which begins at `line` of `file`.
  std::string text(std::string_view text, std::string_view file, std::size_t line, Target target);

  /// Ids of the findings printed so far.
  const std::set<std::string, std::less<>>& printed() const { return printed_; }

 private:
  struct Cursor {
    const std::vector<Piece>& pieces;
    std::string_view file;
    std::size_t at = 0;
  };
  enum class Branch { taken, checked, left_out };

  std::string sequence(Cursor& cursor, const Piece* block, bool live);
  std::string block(Cursor& cursor, bool live);
  Branch decide(const std::vector<std::string>& words) const;
  bool is_measured(const std::string& id) const;
  bool theory_within(const std::string& id) const;
  Branch condition_came_out(const std::string& kind, const std::string& id) const;
  const Claim* claim_or_entry(std::string_view id) const;
  void check_claim_is_known(const std::string& id) const;

  std::string tag(const std::string& tag);
  std::string directive(const std::vector<std::string>& words, const std::string& tag);
  std::string directive_alone(const std::string& word) const;
  std::string value(std::string_view name, std::string_view format);
  std::string counted(std::string_view what) const;
  std::string finding_part(const Finding& finding, std::string_view part, std::string_view format);
  std::string claim_part(const Claim& claim, std::string_view part) const;
  std::string parameter(std::string_view name, std::string_view format) const;
  std::string number(double value, std::string_view format) const;
  std::string escaped(std::string_view text) const;
  std::string of_studies(const std::string& word) const;
  [[noreturn]] void unknown(std::string_view name) const;

  const Claim& claim_named(const std::string& id) const;
  std::string study(const std::string& name);
  std::string section(const std::string& claim);
  std::string each(const std::string& name);
  std::string figure(const std::string& name);
  std::string sources_of(const Figure& figure) const;
  std::string findings(const std::string& claim);
  std::string command(const std::string& claim) const;
  std::string found_by_long(const std::string& claim) const;

  const Facts& facts_;
  const std::vector<Figure>& figures_;
  std::filesystem::path templates_;
  std::string link_base_;
  Form form_;
  std::set<std::string, std::less<>> printed_;
  const Results* study_ = nullptr;  ///< whose file is being expanded
  Target target_ = Target::markdown;
  int checking_ = 0, depth_ = 0;
};

}  // namespace perp::report
