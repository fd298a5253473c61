#pragma once
// The page of one study beside a report that has others: BENCHMARKS.md.

#include <filesystem>
#include <string>

#include "perp/io/written.hpp"
#include "reports/render/render.hpp"

namespace perp::program {

/// What earlier runs wrote into `options.out` with the page of that name, as <page>.sha256 lists it.
Written written_page(const report::RenderOptions& options, const std::string& page);

/// Renders the one study below `options.results`, by the templates of its own, and puts its tables (<study>/), figures and
/// its page under the name `page` into `options.out`, all of them or none. results.json stays behind: it would pass for a
/// study's of the report. Throws Error as Written::write does, before anything is drawn.
void put_page(const report::RenderOptions& options, const std::string& page);

}  // namespace perp::program
