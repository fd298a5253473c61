#pragma once
// The pages of a report: REPORT.md, a chapter for each study, the rules, all findings.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "reports/render/expand.hpp"

namespace perp::report {

struct Page {
  std::string file;   ///< "REPORT.md", "chapters/order.md", as it is called in a repository
  std::string title;  ///< its heading's first words
  std::string text;   ///< Markdown
};

struct Pages {
  std::vector<Page> list;         ///< in the order in which a reader meets them
  std::vector<LeftOut> left_out;  ///< passages whose guards do not hold
};

/// The studies that report.md includes ({{study x}}) or gives a page ({{chapter x}}), in its order; only the
/// latter.
std::vector<std::string> studies_named(const std::filesystem::path& report);
std::vector<std::string> chapters_named(const std::filesystem::path& report);

/// The pages in one form; of Form::single one, with everything on it. `facts` are in the order of report.md.
Pages pages_of(const Facts& facts, const std::vector<Figure>& figures, const Sources& sources, Layout layout);

}  // namespace perp::report
