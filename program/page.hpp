#pragma once
// The page of one study beside a report that has others: BENCHMARKS.md, SCALING.md.

#include <filesystem>
#include <string>

#include "reports/render.hpp"

namespace perp::program {

/// Renders the one study below `options.results`, by the templates of its own and the frame that every page of a report
/// shares (`frame`: a folder with page.html), and puts its tables (<study>/), figures and its page under the name `page`
/// into `options.out`, all of them or none. results.json stays behind: it would pass for a study's of the report. What
/// somebody else put at the end of the page (`make bench-peers`) stays there. Throws Error.
void put_page(report::RenderOptions options, const std::filesystem::path& frame, const std::string& page);

}  // namespace perp::program
