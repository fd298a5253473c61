#pragma once

#include <string_view>

#include "reports/render/render.hpp"

namespace perp::program {

/// Renders, and says how many files that made and what the report says.
void render_and_say(std::string_view name, const report::RenderOptions& options);

}  // namespace perp::program
