// V6: what a position does to each dimension of a word: a shift that is the same everywhere, and what moves.

#include <algorithm>
#include <cmath>
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
/// Both parts of a dimension over the positions, and their closed forms.
struct Dimension : Length {
  std::size_t j;
  double shift, moves, shift_line, moves_line;

  double departure() const { return std::max(std::abs(shift - shift_line), std::abs(moves - moves_line)); }
};
PERP_ROW_OF(Dimension, Length, j, shift, moves, shift_line, moves_line)
/// All of one length.
using Dimensions = Group<Dimension>;

void measure(const Length& at, const Streams&, Rows& rows) {
  const Matrix<double> table = sinusoidal<double>(at.l, width);
  std::vector<MomentSums> columns(width);
  for (std::size_t t = 0; t < at.l; ++t)
    for (std::size_t j = 0; j < width; ++j) columns[j].add(table(t, j));
  for (std::size_t j = 0; j < width; ++j) {
    const Moments m = columns[j].moments();
    const theory::ColumnMoments line = theory::sinusoid_column(at.l, width, j, usual_base);
    // Positions are all there are, not a sample of them.
    const double variance = m.variance * double(at.l - 1) / double(at.l);
    rows.add(Dimension{at, j, m.mean * m.mean, variance, line.mean * line.mean, line.variance});
  }
}

using Part = double Dimension::*;

double sum(const Dimensions& all, Part part, std::size_t first = 0, std::size_t count = width) {
  const std::vector<double> values = all.values(part);
  const auto begin = values.begin() + std::ptrdiff_t(first);
  return std::accumulate(begin, begin + std::ptrdiff_t(count), 0.0);
}

/// How many of the first dimensions hold nine tenths of what moves.
std::size_t ninety(const Dimensions& all, Part moves) {
  const double enough = 0.9 * sum(all, moves);
  double part = 0;
  std::size_t j = 0;
  while (j < all.size() && part < enough) part += all[j++].*moves;
  return j;
}

struct Quarter : Length {
  std::string name;
  double power, moves, share, share_line;
  std::size_t ninety, ninety_line;
};

std::vector<Quarter> quarters_of(const Dimensions& all) {
  std::vector<Quarter> out;
  for (std::size_t q = 0; q < std::size(quarters); ++q) {
    const auto part = [&](Part which) { return sum(all, which, q * quarter_width, quarter_width); };
    const double shift = part(&Dimension::shift), moves = part(&Dimension::moves);
    out.push_back({all.front(), quarters[q], (shift + moves) / quarter_width, moves / quarter_width,
                   moves / sum(all, &Dimension::moves),
                   part(&Dimension::moves_line) / sum(all, &Dimension::moves_line),
                   ninety(all, &Dimension::moves), ninety(all, &Dimension::moves_line)});
  }
  return out;
}

void add_dimensions(const std::vector<Dimension>& dimensions, Summary& summary) {
  summary.table(
      "v6_dimensions.csv", only(dimensions, &Dimension::l, text_length),
      {exact("dimension", "column; 512 positions, 512 dimensions", &Dimension::j),
       exact("wave", "sine or cosine", [](const Dimension& d) { return d.j % 2 ? "cosine" : "sine"; }),
       rounded("shift", "squared mean over the positions, in variances of a word of unit variance",
               &Dimension::shift),
       rounded("moves", "variance over the positions, likewise", &Dimension::moves),
       exact("moves_line", "the same in closed form", &Dimension::moves_line)});
}

void add_quarters(const std::vector<Dimensions>& lengths, Summary& summary) {
  const auto l = exact("l", "", &Length::l);
  const auto quarter = exact("quarter", "of the dimensions", &Quarter::name);
  const auto n = [](const Length& at) { return at.l * quarter_width; };
  const auto power = rounded("power",
                             "mean square of what positions add to a dimension of this quarter, in variances "
                             "of a word of unit variance; theory: sine and cosine of a pair make 1",
                             &Quarter::power)
                         .chance(0.5)
                         .n(n);
  const auto share =
      rounded("share", "this quarter's share of what differs from position to position; theory: closed form",
              &Quarter::share)
          .theory("share_line", "the same in closed form", &Quarter::share_line)
          .n(n);
  const auto ninety = counted("ninety",
                              "leading dimensions that hold nine tenths of what differs from position to "
                              "position; theory: closed form",
                              &Quarter::ninety);
  std::vector<Quarter> all;
  for (const Dimensions& dimensions : lengths)
    for (const Quarter& one : quarters_of(dimensions)) all.push_back(one);
  const auto told = [](const Quarter& q) {
    return q.l == text_length || (q.l != length && (q.name == "first" || q.name == "last"));
  };
  summary.each(where(all, told), {quarter, l}, {share});
  const auto of_text = only(all, &Length::l, text_length, &Quarter::name, "last");
  summary.each(of_text, {quarter, l}, {power});
  summary.each(of_text, {l}, {ninety.unit("dimensions").theory(&Quarter::ninety_line).n([](const Length& at) {
                 return at.l * width;
               })});
  summary.table(
      "v6_quarters.csv", all,
      {exact("positions", "L; 512 dimensions", &Length::l).unit("positions"), quarter, power,
       rounded("moves", "of that, what differs from position to position", &Quarter::moves), share, ninety});
}

void conclude(const Cells& cells, Summary& summary) {
  const auto dimensions = rows_of<Dimension>(cells);
  add_dimensions(dimensions, summary);
  add_quarters(group_by(dimensions, &Dimension::l), summary);
  add_overall(summary, "departure", {}, most(dimensions, &Dimension::departure), dimensions.size(),
              "Largest departure of a dimension's squared mean or variance from its closed form.", 0.0);
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
      std::vector<Length>{{50}, {length}, {text_length}, {8192}},
      [](const Length& at) { return 1e-8 * at.l * width; }, measure);
  claim.conclude(conclude);
  return beside_the_claims(claim);
}

}  // namespace perp::anatomy
