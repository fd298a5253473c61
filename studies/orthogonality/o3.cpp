// O3: words fill a smaller subspace, positions another.

#include <algorithm>
#include <cmath>

#include "perp/measures/sinusoid_spectrum.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/dimension.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/orthogonality/claims.hpp"
#include "studies/orthogonality/positions_basis.hpp"

namespace perp::orthogonality {
namespace {

/// A subspace of at most this share of the dimensions is called smaller.
constexpr double smaller = 0.5;

struct Size {
  std::size_t d, length;
};
/// Widths and contexts that people use; and where the claim ends.
constexpr Size usual[] = {{512, 512}, {768, 512}, {768, 1024}, {1024, 2048}}, long_context = {512, 8192};

struct Positions {
  std::string table;
  std::size_t l, d, base;
};
PERP_ROW(Positions, table, l, d, base)
struct Dimensions : Positions {
  std::string centring;
  double stable_rank, participation;
  std::size_t r90, r99, r999;
};
PERP_ROW_OF(Dimensions, Positions, centring, stable_rank, participation, r90, r99, r999)

std::vector<Positions> positions_grid(Preset preset) {
  std::vector<std::size_t> dims{128, 512}, lengths{128, 512, 2048, 8192};
  if (preset != Preset::quick) {
    dims = doubling(64, 4096);
    lengths = doubling(16, 65536);
  }
  std::vector<Positions> grid;
  for (const std::size_t d : dims)
    for (const std::size_t length : lengths)
      grid.push_back({"positions", length, d, std::size_t(usual_base)});
  return grid;
}

void measure_positions(const Positions& at, const Streams&, Rows& rows) {
  const SinusoidSpectra spectra = sinusoid_spectra(frequencies(at.d, at.base), at.l);
  for (const auto& [centring, eigenvalues] :
       {std::pair{"as_is", &spectra.uncentred}, std::pair{"centred", &spectra.centred}}) {
    const EffectiveDimension e = effective_dimension(*eigenvalues);
    rows.add(Dimensions{at, centring, e.stable_rank, e.participation_ratio, e.r90, e.r99, e.r999});
  }
}

double r99_line(const Dimensions& p) {
  return p.centring == "as_is" ? theory::sinusoid_r99(p.l, p.d, p.base)
                               : theory::sinusoid_r99_centred(p.l, p.d, p.base);
}

constexpr const char* share_of_width =
    "Share of the dimensions that hold 99% of the sinusoidal table's energy.";

void add_positions(const std::vector<Dimensions>& positions, Summary& summary) {
  const auto d = exact("d", "dimension", &Positions::d);
  const auto centring = exact("centring", "as_is, or centred: mean row subtracted", &Dimensions::centring);
  const auto fewest = [](const char* name, const char* meaning, std::size_t Dimensions::*get) {
    return counted(name, meaning, get);
  };
  const auto r99 = fewest("r99", "fewest leading eigenvalues with 99% of the sum", &Dimensions::r99);
  summary.table(
      "o3_dimensions.csv", positions,
      {exact("positions", "sinusoidal positions L", &Positions::l), d, centring,
       rounded("stable_rank", "sum of eigenvalues over the largest", &Dimensions::stable_rank),
       rounded("participation", "square of the sum over the sum of squares", &Dimensions::participation),
       fewest("r90", "fewest leading eigenvalues with 90% of the sum", &Dimensions::r90), r99,
       fewest("r999", "fewest leading eigenvalues with 99.9% of the sum", &Dimensions::r999),
       exact("r99_line", "closed form for r99", r99_line)});
  const auto reported = [](const Dimensions& p) {
    return p.d == 512 && p.centring == "as_is" && (p.l == 512 || p.l == 2048 || p.l == 8192);
  };
  summary.each(where(positions, reported), {centring.as("c", ""), d, exact("l", "", &Positions::l)},
               {r99.theory(r99_line).unit("dimensions").n(&Positions::l),
                rounded("r99_share", share_of_width, [](const Dimensions& p) {
                  return double(p.r99) / p.d;
                }).theory([](const Dimensions& p) {
                    return r99_line(p) / p.d;
                  }).n(&Positions::l)});
}

std::string share_id(const Size& size) { return fmt::format("r99_share.as_is.d{}.l{}", size.d, size.length); }

/// The usual sizes that the grid does not hold; the spectrum has a closed form, up to eigenvalues.
void add_usual(Summary& summary) {
  for (const Size& size : usual) {
    if (find(summary.findings, "O3." + share_id(size))) continue;
    const double d = double(size.d), r99 = double(measured_r99(size.length, size.d));
    add_overall(summary, "r99_share", {{"c", "as_is"}, {"d", whole(size.d)}, {"l", whole(size.length)}},
                r99 / d, size.length, share_of_width,
                theory::sinusoid_r99(size.length, size.d, usual_base) / d);
  }
}

/// "8,192"
std::string grouped(std::size_t size) {
  return size < 1000 ? fmt::format("{}", size) : fmt::format("{},{:03}", grouped(size / 1000), size % 1000);
}

Rule rule() {
  const auto positions = [](Role role, const Size& size) {
    const std::string length = grouped(size.length);
    return condition(role, share_id(size), Is::below, smaller, Evidence::closed_form,
                     {{"table", "positions"},
                      {"evidence", "closed form"},
                      {"size", fmt::format("d = {}, L = {}", grouped(size.d), length)}},
                     {}, "L = " + length);
  };
  Rule rule;
  for (const Size& size : usual) rule.push_back(positions(Role::core, size));
  rule.push_back(
      condition(Role::core, elsewhere, Is::above, 0.0, Evidence::released, {{"evidence", "released"}},
                "share of the dimensions that hold 99% of a released model's words, centred", needs_model));
  rule.push_back(positions(Role::limit, long_context));
  return rule;
}

void conclude(const Cells& cells, Summary& summary) {
  add_positions(rows_of<Dimensions>(cells), summary);
  add_usual(summary);
  summary.rule = rule();
}

}  // namespace

Experiment smaller_subspaces(const Options& options) {
  Experiment claim{"O3",
                   "Words fill a smaller subspace and positional encodings another; positions disturb only "
                   "part of the vector.",
                   "[d, e]"};
  claim.measure(
      positions_grid(options.preset),
      [](const Positions& at) { return 1e-9 * std::pow(at.d / 2.0, 3) / 4 + 1e-3; }, measure_positions);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::orthogonality
