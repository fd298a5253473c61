// O6: 768 dimensions leave at least twice the room of 384. In words: o6.toml.

#include "perp/study/experiment.hpp"
#include "perp/theory/subspaces.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t length = 512, narrow = 384, wide = 768;

void fold(const Frames& measured, Out& out) {
  const auto free = [&](std::size_t d, const char* of) {
    return double(d) - measured["room"].where("d", whole(d)).front().number(of);
  };
  out("ratio", {{"rooms", free(wide, "r99") / free(narrow, "r99")},
                {"law", free(wide, "line") / free(narrow, "line")}});
}

}  // namespace

Experiment room(const Options&) {
  Experiment claim("O6", toml_of("o6"));
  for (const std::size_t d : {narrow, wide})
    claim.cell({{"d", whole(d)}}, 0.3, [=](const Streams&, Out& out) {
      out("room", {{"r99", measured_r99(length, d)}, {"line", theory::sinusoid_r99(length, d, usual_base)}});
    });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::orthogonality
