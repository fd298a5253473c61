// V6: what a position does to each dimension of a word: a shift that is the same everywhere, and what moves.

#include <numeric>

#include "perp/study/claim.hpp"
#include "perp/theory/columns.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"

namespace perp::anatomy {
namespace {

constexpr const char* quarters[] = {"first", "second", "third", "last"};
constexpr std::size_t quarter_width = width / std::size(quarters);
/// "A lot" is more than an even share of what moves, "only slightly" less than a twentieth.
constexpr double even_share = 0.25, slight_share = 0.05;

struct Length {
  std::size_t l;
};
PERP_ROW(Length, l)
/// Both parts of a dimension over the positions.
struct Dimension : Length {
  std::size_t j;
  double shift, moves;
};
PERP_ROW_OF(Dimension, Length, j, shift, moves)
struct Quarter : Length {
  std::string name;
  double share;
};

void measure(const Length& at, const Streams&, Rows& rows) {
  const Matrix<double> table = sinusoidal<double>(at.l, width);
  std::vector<MomentSums> columns(width);
  for (std::size_t t = 0; t < at.l; ++t)
    for (std::size_t j = 0; j < width; ++j) columns[j].add(table(t, j));
  for (std::size_t j = 0; j < width; ++j) {
    const Moments m = columns[j].moments();
    // Positions are all there are, not a sample of them.
    rows.add(Dimension{at, j, m.mean * m.mean, m.variance * double(at.l - 1) / double(at.l)});
  }
}

std::vector<Quarter> quarters_of(const Group<Dimension>& all) {
  const std::vector<double> moves = all.values(&Dimension::moves);
  std::vector<Quarter> out;
  for (std::size_t q = 0; q < std::size(quarters); ++q) {
    const auto first = moves.begin() + std::ptrdiff_t(q * quarter_width);
    out.push_back({all.front(), quarters[q],
                   std::accumulate(first, first + quarter_width, 0.0) /
                       std::accumulate(moves.begin(), moves.end(), 0.0)});
  }
  return out;
}

void conclude(const Cells& cells, Summary& summary) {
  const auto dimensions = rows_of<Dimension>(cells);
  summary.table(
      "v6_dimensions.csv", only(dimensions, &Dimension::l, text_length),
      {exact("dimension", "column; 512 positions, 512 dimensions", &Dimension::j),
       exact("wave", "sine or cosine", [](const Dimension& d) { return d.j % 2 ? "cosine" : "sine"; }),
       rounded("shift", "squared mean over the positions, in variances of a word of unit variance",
               &Dimension::shift),
       rounded("moves", "variance over the positions, likewise", &Dimension::moves),
       exact("moves_line", "the same in closed form", [](const Dimension& d) {
         return theory::sinusoid_column(d.l, width, d.j, usual_base).variance;
       })});
  for (const auto& one : group_by(dimensions, &Dimension::l))
    summary.each(
        where(quarters_of(one),
              [](const Quarter& q) { return q.l == text_length || q.name == "first" || q.name == "last"; }),
        {exact("quarter", "of the dimensions", &Quarter::name), exact("l", "", &Length::l)},
        {rounded("share", "this quarter's share of what differs from position to position", &Quarter::share)
             .n([](const Length& at) { return at.l * quarter_width; })});
  // What the picture of 50 positions shows, checked on it; what follows for words A2 measures.
  summary.rule = {condition(Role::core, "share.first.l50", Is::above, even_share, Evidence::closed_form,
                            {{"quarter", "first"}}),
                  condition(Role::core, "share.last.l50", Is::below, slight_share, Evidence::closed_form,
                            {{"quarter", "last"}})};
}

}  // namespace

Experiment distortion(const Options&) {
  Experiment claim{
      "V6", "Positional encodings distort the first dimensions of a word a lot, and the last only slightly.",
      "[e]"};
  claim.measure(
      std::vector<Length>{{50}, {text_length}, {8192}}, [](const Length& at) { return 1e-8 * at.l * width; },
      measure);
  claim.conclude(conclude);
  return beside_the_claims(claim);
}

}  // namespace perp::anatomy
