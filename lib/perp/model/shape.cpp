#include "perp/model/shape.hpp"

#include "perp/base/error.hpp"

namespace perp::model {

std::string_view to_text(Norm norm) {
  switch (norm) {
    case Norm::before:
      return "before";
    case Norm::after:
      return "after";
    case Norm::none:
      return "none";
  }
  refuse("to_text: no normalisation of number {}", static_cast<int>(norm));
}

void check(const Shape& shape) {
  require(shape.width > 0 && shape.heads > 0 && shape.width % shape.heads == 0,
          "Transformer: {} heads of a width of {}; expected heads that divide it", shape.heads, shape.width);
  require(!shape.feed_forward || shape.inner > 0, "Transformer: a feed-forward of inner width 0");
}

}  // namespace perp::model
