#pragma once
// What a claim's file cannot say, for it depends on what a run is given.

#include "perp/study/claim_file.hpp"

namespace perp {

/// Joins more to what follows from a claim that has its fold: a table as wide as a matrix, a model's conditions.
inline void extend(DescribedClaim& claim, std::function<void(Outcome&)> more) {
  claim.summarise = [id = claim.claim, follows = claim.summarise,
                     more = std::move(more)](const Cells& cells) {
    Outcome outcome = follows(cells);
    more(outcome);
    complete(outcome, id);
    return outcome;
  };
}

}  // namespace perp
