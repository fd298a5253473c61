// O3: words fill a smaller subspace, positions another.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "perp/measures/sinusoid_spectrum.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/dimension.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"
#include "studies/orthogonality/positions_basis.hpp"

namespace perp::orthogonality {
namespace {

/// Crowding x = L ln T/(πd) between which the closed form bends and is stated to be less exact.
constexpr double bend_low = 0.8, bend_high = 1.6;
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
struct Words {
  std::string table;
  std::size_t v, d;
};
PERP_ROW(Words, table, v, d)
struct Dimensions {
  std::string centring;
  double stable_rank, participation;
  std::size_t r90, r99, r999;
};
struct OfPositions : Positions, Dimensions {};
PERP_ROW_OF(OfPositions, Positions, centring, stable_rank, participation, r90, r99, r999)
struct OfWords : Words, Dimensions {};
PERP_ROW_OF(OfWords, Words, centring, stable_rank, participation, r90, r99, r999)
struct Eigenvalue {
  std::string table;
  std::size_t rows;
  std::string centring;
  std::size_t index;
  double share, cumulated;
};
PERP_ROW(Eigenvalue, table, rows, centring, index, share, cumulated)

std::vector<Positions> positions_grid(Preset preset) {
  std::vector<std::size_t> dims{128, 512}, lengths{128, 512, 2048, 8192}, bases{10000};
  if (preset != Preset::quick) {
    dims = doubling(64, 4096);
    lengths = doubling(16, 65536);
    bases = {1000, 10000, 100000};
  }
  std::vector<Positions> grid;
  for (const std::size_t d : dims)
    for (const std::size_t length : lengths)
      for (const std::size_t base : bases) grid.push_back({"positions", length, d, base});
  return grid;
}

Dimensions dimensions(const char* centring, const std::vector<double>& eigenvalues) {
  const EffectiveDimension e = effective_dimension(eigenvalues);
  return {centring, e.stable_rank, e.participation_ratio, e.r90, e.r99, e.r999};
}

void add_spectrum(const std::string& table, std::size_t size, const char* centring,
                  const std::vector<double>& eigenvalues, Rows& rows) {
  const double total = std::accumulate(eigenvalues.begin(), eigenvalues.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < eigenvalues.size(); ++i) {
    sum += eigenvalues[i];
    // Tails below this are rounding and belong to no figure.
    if (eigenvalues[i] < 1e-8 * total) return;
    rows.add(Eigenvalue{table, size, centring, i + 1, eigenvalues[i] / total, sum / total});
  }
}

bool is_usual(const Positions& at) { return at.d == 512 && at.base == usual_base; }

void measure_positions(const Positions& at, const Streams&, Rows& rows) {
  const SinusoidSpectra spectra = sinusoid_spectra(frequencies(at.d, at.base), at.l);
  rows.add(OfPositions{at, dimensions("as_is", spectra.uncentred)});
  if (is_usual(at) && (at.l == 128 || at.l == 512 || at.l == 2048 || at.l == 8192))
    add_spectrum(at.table, at.l, "as_is", spectra.uncentred, rows);
  rows.add(OfPositions{at, dimensions("centred", spectra.centred)});
}

void measure_words(const Words& at, const Matrix<float>& words, Rows& rows) {
  for (const auto& [name, centring] :
       {std::pair{"as_is", Centring::as_is}, std::pair{"centred", Centring::centred}}) {
    const std::vector<double> eigenvalues = spectrum(words, centring);
    rows.add(OfWords{at, dimensions(name, eigenvalues)});
    add_spectrum(at.table, at.v, name, eigenvalues, rows);
  }
}

double crowding(const OfPositions& p) { return theory::sinusoid_crowding(p.l, p.d, p.base); }
double r99_line(const OfPositions& p) {
  return p.centring == "as_is" ? theory::sinusoid_r99(p.l, p.d, p.base)
                               : theory::sinusoid_r99_centred(p.l, p.d, p.base);
}

constexpr const char* share_of_width =
    "Share of the dimensions that hold 99% of the sinusoidal table's energy.";

/// What both tables show, numbers of these kinds: centring, stable_rank, participation, r90, r99, r999.
std::array<ColumnOf<Dimensions>, 6> dimension_columns(Kind real, Kind integer) {
  const auto column = [](const char* name, Kind kind, const char* meaning, auto get) {
    return ColumnOf<Dimensions>({name, "1", kind, meaning}, ColumnOf<Dimensions>::reader(get));
  };
  return {
      exact("centring", "as_is, or centred: mean row subtracted", &Dimensions::centring),
      column("stable_rank", real, "sum of eigenvalues over the largest", &Dimensions::stable_rank),
      column("participation", real, "square of the sum over the sum of squares", &Dimensions::participation),
      column("r90", integer, "fewest leading eigenvalues with 90% of the sum", &Dimensions::r90),
      column("r99", integer, "fewest leading eigenvalues with 99% of the sum", &Dimensions::r99),
      column("r999", integer, "fewest leading eigenvalues with 99.9% of the sum", &Dimensions::r999)};
}

void add_positions(const std::vector<OfPositions>& positions, Summary& summary) {
  const auto [centring, stable_rank, participation, r90, r99, r999] =
      dimension_columns(Kind::rounded, Kind::count);
  const auto d = exact("d", "dimension", &Positions::d);
  summary.table(
      "o3_dimensions.csv", positions,
      {exact("positions", "sinusoidal positions L", &Positions::l), d, exact("base", "T", &Positions::base),
       centring, exact("crowding", "x = L ln T/(pi d)", crowding), stable_rank, participation, r90, r99, r999,
       exact("r99_line", "closed form for r99", r99_line)});
  const auto reported = [](const OfPositions& p) {
    return is_usual(p) && p.centring == "as_is" && (p.l == 512 || p.l == 2048 || p.l == 8192);
  };
  const auto share = [](const OfPositions& p) { return double(p.r99) / p.d; };
  const auto line_share = [](const OfPositions& p) { return r99_line(p) / p.d; };
  summary.each(where(positions, reported), {centring.as("c", ""), d, exact("l", "", &Positions::l)},
               {ColumnOf<OfPositions>(r99).theory(r99_line).unit("dimensions").n(&Positions::l),
                rounded("r99_share", share_of_width, share).theory(line_share).n(&Positions::l)});
}

/// How far the closed form is off at worst, near its bend and elsewhere.
void add_departures(const std::vector<OfPositions>& positions, Summary& summary) {
  const auto measured = where(positions, [](const OfPositions& p) { return p.d <= 1024; });
  const auto worst = [&](const char* where_, bool near_bend, const char* range) {
    const auto there = where(measured, [&](const OfPositions& p) {
      return (crowding(p) > bend_low && crowding(p) < bend_high) == near_bend;
    });
    if (there.empty()) return;
    const double departure =
        most(there, [](const OfPositions& p) { return std::abs(double(p.r99) - r99_line(p)); });
    add_overall(summary, "line_departure", {{"where", where_}}, std::max(0.0, departure), there.size(),
                fmt::format("Largest |r99 - closed form| over L, T and d up to 1024, for crowding x = L ln "
                            "T/(pi d) {} .8 to 1.6.",
                            range),
                0.0, Kind::rounded, "dimensions");
    summary.findings.back().at.clear();  // no place of a grid: the id says which
  };
  worst("bend", true, "near the bend,");
  worst("elsewhere", false, "outside");
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

void add_words(const std::vector<OfWords>& words, Summary& summary) {
  const auto [centring, stable_rank, participation, r90, r99, r999] =
      dimension_columns(Kind::sampled, Kind::sampled);
  const auto name =
      exact("words", "real: learned or given; gaussian: the same shape at random", &Words::table);
  summary.table("o3_words.csv", words,
                {name, exact("v", "words V", &Words::v), exact("d", "dimension", &Words::d), centring,
                 stable_rank, participation, r90, r99, r999});
  summary.each(where(words, [](const OfWords& w) { return w.table == "real"; }),
               {centring.as("c", ""), name.as("w", "")},
               {sampled("r99_share", "share of the dimensions that hold 99% of the words' energy",
                        [](const OfWords& w) { return double(w.r99) / w.d; })
                    .n(&Words::v)});
}

void add_spectra(const std::vector<Eigenvalue>& eigenvalues, Summary& summary) {
  summary.table(
      "o3_spectra.csv", eigenvalues,
      {exact("table", "positions (d = 512, T = 10000), real words, gaussian words", &Eigenvalue::table),
       exact("rows", "rows of the table", &Eigenvalue::rows),
       exact("centring", "as_is, or centred: mean row subtracted", &Eigenvalue::centring),
       exact("index", "1: the largest eigenvalue", &Eigenvalue::index),
       sampled("share", "eigenvalue over the sum of all", &Eigenvalue::share),
       sampled("cumulated", "shares up to here", &Eigenvalue::cumulated)});
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
  const auto positions = rows_of<OfPositions>(cells);
  add_positions(positions, summary);
  add_departures(positions, summary);
  add_usual(summary);
  add_words(rows_of<OfWords>(cells), summary);
  add_spectra(rows_of<Eigenvalue>(cells), summary);
  summary.rule = rule();
}

}  // namespace

Experiment smaller_subspaces(const Options& options, const SharedInputs& inputs) {
  Experiment claim{"O3",
                   "Words fill a smaller subspace and positional encodings another; positions disturb only "
                   "part of the vector.",
                   "[d, e]", inputs->hashes};
  claim.measure(
      positions_grid(options.preset),
      [](const Positions& at) { return 1e-9 * std::pow(at.d / 2.0, 3) / 4 + 1e-3; }, measure_positions);
  if (const auto& words = inputs->words) {
    claim.measure(grid<Words>("real", rows(words->unit), cols(words->unit)), 0.5,
                  [inputs](const Words& at, const Streams&, Rows& rows) {
                    measure_words(at, inputs->words->unit, rows);
                  });
    claim.measure(grid<Words>("gaussian", rows(words->unit), cols(words->unit)), 0.5,
                  [](const Words& at, const Streams& streams, Rows& rows) {
                    measure_words(at, draw_words(Family::sphere, at.v, at.d, streams("words")), rows);
                  });
  }
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::orthogonality
