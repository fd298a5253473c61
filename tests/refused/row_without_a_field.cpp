// Does not compile: a field that its row leaves out would be kept by no cell and read as 0 by every rule.

#include "perp/study/row.hpp"

namespace {

struct Place {
  std::size_t d;
};
PERP_ROW(Place, d)
struct Measured : Place {
  double bits, share;
};
PERP_ROW_OF(Measured, Place, bits)

}  // namespace
