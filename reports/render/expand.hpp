#pragma once
// Fills templates in from facts. docs/TEMPLATES.md is the language; whatever it cannot fill is an error that
// names the template and its line.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "perp/base/error.hpp"
#include "reports/render/bibliography.hpp"
#include "reports/render/claims.hpp"
#include "reports/render/facts.hpp"
#include "reports/render/figure.hpp"
#include "reports/render/links.hpp"
#include "reports/render/text.hpp"

namespace perp::report {

/// A passage whose guard does not hold in these results.
struct LeftOut {
  std::string place;  ///< "studies/capacity/a7.md:12"
  std::string guard;  ///< "A7.loss.d32 below 0.1"
  std::string why;    ///< "0.12 [0.11, 0.13]"; empty: not measured
};

/// Markdown: texts from data are escaped. Plain: they are not (a figure's title, an alt text).
enum class Target { markdown, plain };

/// In the place of the references, which are known once the page is whole; templates and data hold no such character.
inline constexpr char references_mark = '\x01';

class Expander {
 public:
  /// `sources` is where {{study x}} and {{section O1}} look. One expander fills in one page, whose links
  /// lead where `links` says. The references must outlive the expander.
  Expander(const Facts& facts, const std::vector<Figure>& figures, Sources sources, Links links);
  /// For a report of one page.
  Expander(const Facts& facts, const std::vector<Figure>& figures, Sources sources);

  /// The expanded file, ending in one line break, without runs of empty lines; of the page itself also with
  /// its list of references.
  std::string file(const std::filesystem::path& path);

  /// A page that no template made, its links led to where they lead from this page.
  std::string given(std::string_view text) const { return links_.in_text(text); }

  /// The chapter <study>.md with what this study found; "" without its results.
  std::string study(const std::string& name);

  /// The expanded text, which begins at `line` of `file`.
  std::string text(std::string_view text, std::string_view file, std::size_t line, Target target);

  /// What the claim's own section says of it; nothing where there is none, or nothing was measured.
  Said said(const Claim& claim, Target target);

  /// The passages that guards left out so far.
  const std::vector<LeftOut>& left_out() const { return left_out_; }
  /// The result pages that a page of a site led to, in its order.
  const std::vector<std::string>& results() const { return results_; }

 private:
  struct Cursor {
    const std::vector<Piece>& pieces;
    std::string_view file;
    std::size_t at = 0;
  };
  enum class Branch { taken, checked, left_out };

  std::string sequence(Cursor& cursor, const Piece* block, bool live);
  std::string literal(const std::string& text, std::string_view file, std::size_t line);
  std::string cited(std::string_view keys);
  std::string own_caption(Cursor& cursor, const Piece& opening, bool live);
  std::string answer(Cursor& cursor, const Piece& opening, bool live);
  std::string finished(std::string page);
  std::string block(Cursor& cursor, bool live);
  Branch guarded(const Piece& opening, std::string_view file);
  Branch guard(const std::string& text, std::string& why) const;
  Branch of_preset(const std::vector<std::string>& words) const;
  Branch decide(const std::vector<std::string>& words) const;
  bool is_measured(const std::string& id) const;
  Branch condition_came_out(const std::string& kind, const std::string& id) const;
  const Claim* claim_or_entry(std::string_view id) const;
  void check_claim_is_known(const std::string& id) const;

  std::string tag(const std::string& tag);
  std::string directive(const std::vector<std::string>& words, const std::string& tag);
  std::string directive_alone(const std::string& word);
  std::string value(std::string_view name, std::string_view format);
  std::string counted(std::string_view what) const;
  std::string finding_part(const Finding& finding, std::string_view part, std::string_view format);
  std::string said_of(const Finding& finding, std::string_view part, std::string_view format) const;
  std::string claim_part(const Claim& claim, std::string_view part) const;
  std::string parameter(std::string_view name, std::string_view format) const;
  std::string number(double value, std::string_view format) const;
  std::string escaped(std::string_view text) const;
  std::string of_studies(const std::string& word) const;
  [[noreturn]] void unknown(std::string_view name) const;

  const Claim& claim_named(const std::string& id) const;
  std::filesystem::path section_of(const Results& study, std::string_view claim) const;
  std::string section(const std::string& claim);
  std::string included(const std::string& name);
  std::string chapter(const std::string& name) const;
  std::string result(const std::string& name);
  std::string instrument(const std::string& name) const;
  std::string ledger();
  std::string sources(const Claim& claim);
  std::string label(const std::string& kind, const std::string& name);
  const Figure& figure_named(const std::string& name) const;
  std::string figure(const std::string& name);
  std::string shown(const Figure& figure, const std::string& caption);
  std::string sources_of(const Figure& figure) const;
  std::string command(const std::string& claim) const;

  const Facts& facts_;
  const std::vector<Figure>& figures_;
  Sources sources_;
  Links links_;
  Citations citations_;
  std::vector<std::string> results_;
  std::vector<LeftOut> left_out_;
  std::vector<std::pair<std::string, std::string>> labels_;  ///< kind and name, in order
  const Results* study_ = nullptr;                           ///< whose file is being expanded
  Target target_ = Target::markdown;
  int checking_ = 0, depth_ = 0;
};

}  // namespace perp::report
