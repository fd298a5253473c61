#pragma once
// The study that holds the example of docs/adding-a-claim.md.

#include "perp/study/experiment.hpp"

namespace perp::example {

std::string_view toml_of(std::string_view claim);
Experiment random_directions(const Options& options);  // X1

inline Study study() {
  return {"example", "Are random directions orthogonal?", {"X1"}, {}, [](const Options& options) {
            return Prepared{{random_directions(options)}, {}, {}};
          }};
}

}  // namespace perp::example
