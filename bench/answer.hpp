#pragma once
// What to install and set, and whether anybody would notice: configurations held against the default.

#include <string>
#include <string_view>
#include <vector>

#include "bench/runs.hpp"
#include "bench/verdict.hpp"

namespace perp::bench {

inline constexpr double noticed = 1.5;  ///< a factor in time that a user notices

/// One configuration against another over some rows: geometric mean over operations, each that over its rows.
struct Held {
  const Configuration* configuration = nullptr;
  std::string_view operation = {};  ///< empty: all of them
  /// Its time over the other's; interval (Bonferroni) and p (Holm) hold for the whole family at once.
  Contrast cost = {};
};

/// What the default costs at one number of threads.
struct Answer {
  const Configuration *usual = nullptr, *best = nullptr;  ///< `best` may be the default itself
  Contrast cost = {1, 1, 1, 1, 0};                        ///< the default's time over the best's
  std::vector<Held> overall = {};                         ///< every configuration over the default
  std::vector<Held> equals = {};                          ///< not told apart from the best, over it
  std::vector<Held> operations = {};  ///< every configuration over the default by operation

  /// "wrong" (the default is), "unclear" (it may cost what a user notices), "nothing", "little" (less than a user notices),
  /// "set" (a variable and no more) or "install".
  std::string act() const;
  /// The variable or the package: "OPENBLAS_CORETYPE=SkylakeX", "libblis4-pthread", "libblis4-pthread and BLIS_ARCH_TYPE=3"; of
  /// what is not told apart from the best that which needs nothing installed. "nothing" where a user would notice nothing.
  std::string what() const;
};
/// One for the fewest threads and one for the most; none where the default was not timed. A configuration with a wrong
/// result is no candidate.
std::vector<Answer> answers_of(const std::vector<Configuration>& all, const std::vector<Row>& rows,
                               const std::string& baseline);

}  // namespace perp::bench
