// D5's tables and lines.

#include <algorithm>
#include <cmath>

#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/d5_index.hpp"

namespace perp::distance {

double rounding_spread(double length) {
  constexpr double u = 0x1p-53;
  const double d = index_dimension;
  const double bound = theory::table_rounding_bound(index_dimension, 4 * u) +
                       theory::angle_rounding_bound(index_dimension, usual_base, u, length, length) +
                       d * u * d / 2;
  return 2 * bound / theory::kernel_exact(index_dimension, usual_base, 1);
}

double turned_rounding_spread(double length, std::span<const double> content) {
  constexpr double u = 0x1p-53;
  const double d = index_dimension;
  const std::vector<double> omega = frequencies(index_dimension, usual_base);
  double power = 0, largest = 0, score = 0;
  for (std::size_t i = 0; i < omega.size(); ++i) {
    const double square = content[2 * i] * content[2 * i] + content[2 * i + 1] * content[2 * i + 1];
    power += square;
    largest = std::max(largest, square);
    score += square * std::cos(omega[i]);
  }
  const double entries = theory::table_rounding_bound(index_dimension, 6 * u) + d * u * d / 2;
  const double bound = entries * power / (d / 2) +
                       largest * theory::angle_rounding_bound(index_dimension, usual_base, u, length, length);
  return 2 * bound / std::abs(score);
}

Table growth_table(const std::vector<CellRecords>& cells) {
  Table table{"d5_growth.csv",
              {{"encoding", "", Kind::exact, "how a position is told"},
               {"draw", "1", Kind::exact, "replicate of an encoding that is drawn"},
               {"positions", "1", Kind::exact, "length of the text L"},
               {"norm", "1", Kind::sampled,
                "largest length of a position's vector or of a turned content; largest size of a bias"},
               {"least", "1", Kind::sampled, "smallest score of two neighbours in the text"},
               {"mean", "1", Kind::sampled, "mean score of neighbours"},
               {"most", "1", Kind::sampled, "largest score of two neighbours"},
               {"first", "1", Kind::sampled, "score of positions 1 and 2"},
               {"last", "1", Kind::sampled, "score of the last two positions"}},
              {}};
  for (const Coordinates& r : records_of(cells, "growth"))
    table.add({at(r, "encoding"), at(r, "draw"), at(r, "l"), at(r, "norm"), at(r, "least"), at(r, "mean"),
               at(r, "most"), at(r, "first"), at(r, "last")});
  return table;
}

Table collision_table(const std::vector<CellRecords>& cells) {
  Table table{"d5_collisions.csv",
              {{"encoding", "", Kind::exact, "how a position is told"},
               {"draw", "1", Kind::exact, "replicate of an encoding that is drawn"},
               {"longest", "1", Kind::exact, "every length up to this one was held against every other"},
               {"compared", "1", Kind::exact, "near pairs in a short text times far pairs in a long one"},
               {"equal", "1", Kind::count, "of them with equal scores"}},
              {}};
  for (const Coordinates& r : records_of(cells, "collisions"))
    table.add({at(r, "encoding"), at(r, "draw"), at(r, "longest"), at(r, "compared"), at(r, "equal")});
  return table;
}

Table example_table(const std::vector<CellRecords>& cells) {
  Table table{"d5_examples.csv",
              {{"encoding", "", Kind::exact, "how a position is told"},
               {"short_length", "1", Kind::exact, "words of the short text"},
               {"near_first", "1", Kind::exact, "its pair: first position, counted from 0"},
               {"near_second", "1", Kind::exact, "second position"},
               {"long_length", "1", Kind::exact, "words of the long text"},
               {"far_first", "1", Kind::exact, "its pair: first position"},
               {"far_second", "1", Kind::exact, "second position"},
               {"score", "1", Kind::rounded, "the score of both pairs"}},
              {}};
  for (const Coordinates& r : records_of(cells, "example"))
    table.add({at(r, "encoding"), at(r, "short_length"), at(r, "near_first"), at(r, "near_second"),
               at(r, "long_length"), at(r, "far_first"), at(r, "far_second"), at(r, "score")});
  return table;
}

Table sentence_table(const std::vector<CellRecords>& cells) {
  Table table{"d5_sentences.csv",
              {{"encoding", "", Kind::exact, "how a position is told"},
               {"sentence", "", Kind::exact, "near: I went to the river bank; far: the one about swimming"},
               {"words", "1", Kind::exact, "words of the sentence"},
               {"river", "1", Kind::exact, "position of river, counted from 0"},
               {"bank", "1", Kind::exact, "position of bank"},
               {"distance", "1", Kind::exact, "words from river to bank"},
               {"score", "1", Kind::sampled,
                "product of the two positions, or of the content turned there; the bias"}},
              {}};
  for (const Coordinates& r : records_of(cells, "sentence"))
    table.add({at(r, "encoding"), at(r, "sentence"), at(r, "words"), at(r, "river"), at(r, "bank"),
               integer_at(r, "bank") - integer_at(r, "river"), at(r, "score")});
  return table;
}

Table distance_table(const std::vector<CellRecords>& cells) {
  Table table{"d5_distances.csv",
              {{"encoding", "", Kind::exact, "how a position is told"},
               {"draw", "1", Kind::exact, "replicate of what is drawn"},
               {"distances", "1", Kind::exact, "1 … this many"},
               {"compared", "1", Kind::exact, "pairs of them, one at least four times the other"},
               {"equal", "1", Kind::sampled, "of these with equal scores"},
               {"alike", "1", Kind::sampled, "and with scores equal to half a unit of float32"},
               {"closest", "1", Kind::sampled, "smallest difference of two scores, as a share of the larger"},
               {"near", "1", Kind::sampled, "least distance with an equal score; 0 for none"},
               {"far", "1", Kind::sampled, "the least it is equal to"}},
              {}};
  for (const Coordinates& r : records_of(cells, "distances"))
    table.add({at(r, "encoding"), at(r, "draw"), at(r, "lags"), at(r, "compared"), at(r, "equal"),
               at(r, "alike"), at(r, "closest"), at(r, "near"), at(r, "far")});
  return table;
}

}  // namespace perp::distance
