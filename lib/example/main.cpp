// The largest cosine of 2,000 random words with 512 sinusoidal positions, in eight draws, and a verdict on
// whether it stays near that of as many independent pairs: a claim without a study around it.

#include <cstdio>

#include "perp/measures/cosines.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"

namespace {

constexpr std::size_t words = 2000, positions = 512, dim = 512;

struct Draw {
  std::size_t d, draw;
};
PERP_ROW(Draw, d, draw)
struct Largest : Draw {
  double cosine;
};
PERP_ROW_OF(Largest, Draw, cosine)

Largest measure(const Draw& at) {
  const perp::Stream stream = perp::stream(1, "example", "", at.draw, "words");
  const perp::UnitRows x = perp::unit_rows(perp::draw_words(perp::Family::gaussian, words, at.d, stream));
  const perp::UnitRows p = perp::unit_rows(perp::sinusoidal<float>(positions, at.d));
  return {at, perp::max_abs_cosine_between(x.rows, p.rows, 1)};
}

}  // namespace

int main() {
  perp::Cells cells;
  for (const Draw& at : perp::grid<Draw>(dim, perp::first(8))) {
    const perp::Cell cell(perp::coordinates_of(at));
    perp::Rows rows(cell);
    rows.add(measure(at));
    cells.push_back({cell, rows.take()});
  }

  const double chance = perp::theory::largest_cosine_median(512, double(words) * double(positions));
  const auto d = perp::exact("d", "dimension", &Draw::d);
  const auto cosine = perp::mean("cosine", "largest |cosine|, mean over draws", &Largest::cosine)
                          .interval("low", "high", "its 99 % interval by Student's t");
  perp::Summary summary("X");
  summary.each(perp::group_by(perp::rows_of<Largest>(cells), &Largest::d), {d},
               {cosine.as("cosine", "Largest |cosine|.")});
  summary.rule = {perp::condition(perp::Role::core, "cosine.d512", perp::Is::below, 1.2 * chance,
                                  perp::Evidence::simulation, {{"d", "512"}}, "largest |cosine|, d = 512")};
  const perp::Outcome outcome = std::move(summary).finish();
  std::printf("largest |cosine| %.3f; of as many independent pairs %.3f; below 1.2 of it: %s\n",
              outcome.findings.front().value, chance,
              perp::to_text(perp::judge(outcome.findings, outcome.rule)).c_str());
}
