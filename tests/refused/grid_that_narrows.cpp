// Does not compile: half a dimension would become none.

#include "perp/study/row.hpp"

namespace {

struct Place {
  std::size_t d;
};
PERP_ROW(Place, d)
const auto places = perp::grid<Place>(std::vector{0.5, 1.5});

}  // namespace
