// D4: why sine and cosine: what becomes of the products with sines alone, at equal width.
// Sines alone: p_t,i = sin(T^(-i/d) t), i = 0 … d-1.

#include "perp/measures/kernel.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/encoding.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

using Sizes = std::vector<std::size_t>;

/// Defects and errors above this are no rounding and no detail.
constexpr double clear = 0.1;
constexpr const char* tables[] = {"sine_only", "sinusoidal"};
const Sizes law_lengths = doubling(64, 2048);

struct Range {
  std::string measure, encoding;
  std::size_t d, l;
};
PERP_ROW(Range, measure, encoding, d, l)
struct Defect : Range {
  double defect, line;
};
PERP_ROW_OF(Defect, Range, defect, line)
bool is_alone(const Range& at) { return at.encoding == "sine_only"; }
bool is_both(const Range& at) { return at.encoding == "sinusoidal"; }

void measure_defect(const Range& at, const Streams& streams, Rows& rows) {
  const Matrix<double> table = encoding_named(at.encoding)->vectors(at.l, at.d, streams("nothing"));
  rows.add(Defect{at, toeplitz_defect(lag_statistics(table, 1)),
                  is_alone(at) ? sine_alone_defect(at.l, usual_base) : 0.0});
}

const auto encoding =
    exact("encoding", "sine_only: d sines; sinusoidal: d/2 sines and their cosines", &Range::encoding);
const auto d = exact("d", "dimension", &Range::d);
const auto positions = exact("positions", "L", &Range::l).unit("positions");
const auto e = encoding.as("e", "");
const auto l = positions.as("l", "");

const Coordinates sine_only{{"e", "sine_only"}}, sinusoidal{{"e", "sinusoidal"}};

void add_defects(const std::vector<Defect>& defects, Summary& summary) {
  const auto defect = rounded("defect",
                              "Toeplitz residual |G - Toep(G)|/|G|, G the products of all positions; theory: "
                              "its limit for many dimensions",
                              &Defect::defect)
                          .theory(&Defect::line)
                          .n(std::uint64_t{512 * 512});
  summary.table("d4_defect.csv", defects,
                {encoding, d, positions, defect,
                 rounded("line", "its limit for many dimensions; 0 for the sinusoid", &Defect::line)});
  const std::vector<Defect> alone = where(defects, is_alone), both = where(defects, is_both);
  add_overall(summary, "defect_largest", sine_only, most(alone, &Defect::defect), alone.size(),
              "Largest Toeplitz residual of sines alone over the widths and lengths tried.");
  add_overall(summary, "defect_largest", sinusoidal, most(both, &Defect::defect), both.size(),
              "Largest Toeplitz residual of sine and cosine over the widths and lengths tried.", 0.0);
  summary.each(where(alone, [](const Defect& r) { return r.l == 512 && (r.d == 64 || r.d == 512); }),
               {e, d, l}, {defect});
}

/// The smallest defect over many lengths, in closed form.
struct Law {
  std::size_t d;
  double least;
};
std::vector<Law> defect_laws() {
  std::vector<Law> laws;
  for (const std::size_t d : doubling(32, 1024)) {
    // d sines have the frequencies of a sinusoid of 2d dimensions.
    const std::vector<double> kernel = sinusoid_kernel(2 * law_lengths.back(), 2 * d);
    const auto defect = [&](std::size_t length) { return sine_alone_defect(length, kernel); };
    laws.push_back({d, least(law_lengths, defect)});
  }
  return laws;
}

Rule rule() {
  Rule rule;
  for (const std::size_t d : {512, 1024, 256, 128, 64, 32})
    rule.push_back(condition(Role::core, fmt::format("defect_law.d{}", d), Is::above, clear,
                             Evidence::closed_form, {{"d", fmt::format("{}", d)}}));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  add_defects(rows_of<Defect>(cells), summary);
  const std::vector<Law> laws = defect_laws();
  summary.each(laws, {exact("d", "", &Law::d)},
               {rounded("defect_law",
                        "Smallest Toeplitz residual of sines alone over 64, 128, … 2,048 positions, from the "
                        "exact sums of cosines.",
                        &Law::least)
                    .n(law_lengths.size())});
  summary.rule = rule();
}

}  // namespace

Experiment sine_alone(const Options& options) {
  Experiment claim{"D4", "Both sine and cosine are needed; sines alone are not enough.", "[a]"};
  const std::vector<Range> defects = grid<Range>(
      "defect", tables, pick<Sizes>(options.preset, {64, 512}, doubling(32, 512), doubling(32, 1024)),
      pick<Sizes>(options.preset, {64, 512}, {64, 256, 512, 1024, 2048}, {64, 256, 512, 1024, 4096, 16384}));
  claim.measure(
      defects, [](const Range& r) { return 1e-10 * double(r.l * r.l) * r.d + 1e-3; }, measure_defect);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
