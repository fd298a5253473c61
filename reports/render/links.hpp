#pragma once
// How the pages of a report link to one another, to pictures and to data.

#include <string>
#include <string_view>
#include <vector>

#include "reports/render/facts.hpp"

namespace perp::report {

/// Pages as a repository shows them; pages for a browser (site/); one file for a browser (report.html).
enum class Form { github, site, single };

/// What is the same for all pages of a report.
struct Layout {
  Form form = Form::github;
  std::vector<std::string> chapters;  ///< studies with a page of their own; the others stand in REPORT.md
  std::filesystem::path at;  ///< where the report lies, for links to the figures' scripts; empty: not linked
  std::vector<std::string> beside = {};  ///< further pages of a site: "results/why-add.md", "MACHINE.md"
};

/// Links of one page. A target is named as it lies in the report's folder ("chapters/order.md#s1",
/// "FINDINGS.md", "orthogonality/o1_spread.csv", "figures/x.svg"); "#o4" is the section of claim O4, wherever
/// it stands, every other "#…" a place on the page itself. A site is complete in itself: whatever its pages
/// link to lies in it, scripts in scripts/, tables that are not too large in tables/.
class Links {
 public:
  /// `page` as above; `base`: where another folder's text has the report ("reports/published/").
  Links(const Facts& facts, Layout layout = {}, std::string page = "REPORT.md", std::string base = "");

  /// The address, or "" where this form of the report has nothing to link to.
  std::string to(std::string_view target) const;

  /// "[text](address)", or the text alone. `text` is Markdown.
  std::string label(std::string_view text, std::string_view target) const;

  /// What a template's author wrote, its Markdown links led to where they lead from this page.
  std::string in_text(std::string_view template_text) const;

  /// What a page is called in site/: "index.html", "order.html", "findings.html".
  static std::string html_of(std::string_view page);

  /// A place on this page, unlike those of the other pages where all are one file: "ref-x", "order-ref-x".
  std::string own_place(std::string_view name) const;

  /// The address of a figure's script; "" where the report does not lie beside the scripts.
  std::string to_script(std::string_view figure, const std::filesystem::path& script) const;

  Form form() const { return layout_.form; }
  /// Another file's block, such as the README's.
  bool is_elsewhere() const { return !base_.empty(); }
  /// "order" of chapters/order.md, "report" of REPORT.md.
  std::string stem() const;

 private:
  std::string page_of_claim(std::string_view place) const;
  std::string in_site(const std::string& file, const std::string& fragment) const;

  const Facts& facts_;
  Layout layout_;
  std::string page_, base_;
};

}  // namespace perp::report
