#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perp {

/// The one of these names that somebody may have meant by a wrong one; "" if none is near.
std::string nearest(std::string_view wrong, const std::vector<std::string>& among);

/// Behind "no column 'larget'": "; did you mean 'largest'?", or the names that there are.
std::string instead_of(std::string_view wrong, const std::vector<std::string>& among);

}  // namespace perp
