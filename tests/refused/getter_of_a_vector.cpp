// Does not compile: a cell of a table is one number or one text.

#include "perp/study/column.hpp"

namespace {

struct Place {
  std::vector<double> shares;
};
const auto shares = perp::exact("shares", "shares", &Place::shares);

}  // namespace
