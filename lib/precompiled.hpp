// What most sources parse anyway, parsed once (CMake's precompiled headers). No source may count on it: each
// includes what it uses, and compiles with -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON.

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/base/error.hpp"
