#include "perp/model/shape.hpp"

#include "perp/base/error.hpp"

namespace perp::model {

void check(const Shape& shape) {
  require(shape.width > 0 && shape.heads > 0 && shape.width % shape.heads == 0,
          "Transformer: {} heads of a width of {}; expected heads that divide it", shape.heads, shape.width);
  require(!shape.feed_forward || shape.inner > 0, "Transformer: a feed-forward of inner width 0");
}

}  // namespace perp::model
