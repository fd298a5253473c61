#include "studies/anatomy/study.hpp"

#include "studies/anatomy/claims.hpp"

namespace perp::anatomy {
namespace {

Prepared prepare(const Options& options) {
  return {{heat_map(options), clock_hands(options), circle_of_sums(options), wavelengths(options),
           similarity(options), distortion(options)},
          {},
          {}};
}

}  // namespace

Study study() {
  return {"anatomy",
          "What do the usual pictures of the sinusoidal encoding show, and what do people read into them?",
          {"V1", "V2", "V3", "V4", "V5", "V6"},
          {},
          prepare};
}

}  // namespace perp::anatomy
