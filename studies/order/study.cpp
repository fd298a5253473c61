#include "studies/order/study.hpp"

#include "studies/order/claims.hpp"

namespace perp::order {
namespace {

Prepared prepare(const Options& options) {
  return {{same_sentence(options), causal_mask(options), order_of_rows(options), surviving_depth(options)},
          {},
          {}};
}

}  // namespace

Study study() {
  return {"order",
          "What does a Transformer know of the order of its words, and where does it know it from?",
          {"S1", "S2", "S3", "S4"},
          {},
          prepare};
}

}  // namespace perp::order
