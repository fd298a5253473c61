// M9: the table of numbers that others published of GPT-2's positions, and of sinusoids. It is data beside its
// section (reports/templates/inspect/published.csv), which tests/inspect/known.cpp holds against the table itself.

#include "studies/inspect/by_model.hpp"

namespace perp::inspect {

Experiment published() {
  Experiment claim{"M9", "Published numbers for GPT-2's positions and for sinusoids can be reproduced.",
                   "(published)"};
  claim.conclude(
      [](const Cells&, Summary& summary) { finish(summary, 0, "nothing: it is a table of data"); });
  return beside_the_claims(std::move(claim));
}

}  // namespace perp::inspect
