// O6: 384 dimensions do; 768 give double the room.

#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/angles.hpp"
#include "perp/measures/sinusoid_spectrum.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/random/normal.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/angles.hpp"
#include "perp/theory/dimension.hpp"
#include "perp/theory/room.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t length = 512;    // positions
constexpr std::size_t word_rank = 32;  // dimensions of the word subspace that is held against the positions'

struct Reader {
  std::size_t d, words, positions;
};
/// Sizes that readers come with: small sentence encoders to wide decoders.
constexpr Reader readers[] = {{128, 30000, 512},   {384, 30000, 512},   {512, 37000, 512},
                              {768, 30000, 512},   {768, 50000, 1024},  {1024, 50000, 2048},
                              {2048, 32000, 2048}, {4096, 128000, 8192}};

std::vector<Cell> cells(const Options& options) {
  const std::vector<std::size_t> dims = pick<std::vector<std::size_t>>(
      options.preset, {128, 384, 768}, {64, 128, 256, 384, 512, 768, 1024, 2048, 4096},
      {64, 128, 256, 384, 512, 768, 1024, 2048, 4096, 8192});
  const std::size_t draws = room_draws(options.preset);
  std::vector<Cell> cells;
  for (const std::size_t d : dims)
    cells.push_back({{{"measure", std::string("room")}, {"d", whole(d)}, {"draws", whole(draws)}},
                     1e-7 * static_cast<double>(d * draws) + 0.3});
  for (const Reader& reader : readers)
    if (options.preset != Preset::quick || reader.d <= 1024)
      cells.push_back({{{"measure", std::string("reader")},
                        {"d", whole(reader.d)},
                        {"v", whole(reader.words)},
                        {"l", whole(reader.positions)}},
                       0.2});
  return cells;
}

std::size_t measured_r99(std::size_t positions, std::size_t d) {
  return effective_dimension(sinusoid_spectra(frequencies(d), positions).uncentred).r99;
}

/// Leading r right singular vectors of the sinusoidal table by way of its L x L Gram matrix: r x d
/// orthonormal rows.
Matrix<double> leading_positions(std::size_t d, std::size_t r) {
  const Matrix<double> table = sinusoidal<double>(length, d);
  const Eigen<double> eigen = symmetric_eigen(gram_rows(View<double>(table)));
  Matrix<double> top = matrix<double>(r, length);
  for (std::size_t i = 0; i < r; ++i)
    std::ranges::copy(row(eigen.vectors, length - 1 - i), row(top, i).begin());
  return orthonormal_rows(product(View<double>(top), View<double>(table)));
}

Records run_room(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d"), draws = size_at(cell.at, "draws");
  const std::size_t r = measured_r99(length, d);
  const Matrix<double> positions = leading_positions(d, r);
  MomentSums largest;
  Matrix<double> words = matrix<double>(word_rank, d);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    fill_normal(streams("words", draw), std::span<double>(words.data(), words.size()));
    largest.add(principal_cosines(words, positions).front());
  }
  const Moments moments = largest.moments();
  const Interval interval = mean_interval(moments, shown_level);
  return {{"room",
           {{"r99", whole(r)},
            {"largest", moments.mean},
            {"largest_low", interval.low},
            {"largest_high", interval.high}}}};
}

Records run(const Cell& cell, const Streams& streams) {
  if (text_at(cell.at, "measure") == "room") return run_room(cell, streams);
  return {{"reader", {{"r99", whole(measured_r99(size_at(cell.at, "l"), size_at(cell.at, "d")))}}}};
}

// ---- what follows
// -----------------------------------------------------------------------------------------------

Table room_table(const std::vector<CellRecords>& cells) {
  Table table{"o6_room.csv",
              {{"d", "1", Kind::exact, "dimension"},
               {"r99", "1", Kind::count, "dimensions that hold 99% of 512 sinusoidal positions"},
               {"r99_line", "1", Kind::exact, "closed form for r99"},
               {"free", "1", Kind::count, "d - r99"},
               {"free_share", "1", Kind::rounded, "(d - r99)/d"},
               {"largest", "1", Kind::sampled,
                "mean over draws of the largest principal cosine of a random 32-dimensional "
                "subspace with these r99 dimensions",
                "largest_low", "largest_high"},
               {"largest_low", "1", Kind::sampled, "its 99% interval by Student's t"},
               {"largest_high", "1", Kind::sampled, "its 99% interval by Student's t"},
               {"largest_theory", "1", Kind::exact, "Johnstone's approximation, 1 from 32 + r99 = d on"},
               {"draws", "1", Kind::exact, "random subspaces"}},
              {}};
  for (const Coordinates& r : records_of(cells, "room")) {
    const std::size_t d = size_at(r, "d"), r99 = size_at(r, "r99");
    table.add({at(r, "d"), at(r, "r99"), theory::sinusoid_r99(length, d, usual_base), whole(d - r99),
               static_cast<double>(d - r99) / static_cast<double>(d), at(r, "largest"), at(r, "largest_low"),
               at(r, "largest_high"), theory::largest_cosine_expected(d, word_rank, r99), at(r, "draws")});
  }
  return table;
}

Table reader_table(const std::vector<CellRecords>& cells) {
  Table table{
      "practitioner.csv",
      {{"d", "1", Kind::exact, "dimension"},
       {"words", "1", Kind::exact, "words V"},
       {"positions", "1", Kind::exact, "sinusoidal positions L"},
       {"chance_cosine", "1", Kind::exact,
        "1/sqrt(d): spread of the cosine of a word with anything unrelated"},
       {"largest_words", "1", Kind::exact, "largest |cosine| to expect among all pairs of V unrelated words"},
       {"largest_word_position", "1", Kind::exact, "largest |cosine| to expect among V L unrelated pairs"},
       {"r99", "1", Kind::count, "dimensions that hold 99% of the positions"},
       {"free", "1", Kind::count, "d - r99"}},
      {}};
  for (const Coordinates& r : records_of(cells, "reader")) {
    const std::size_t d = size_at(r, "d"), r99 = size_at(r, "r99");
    const theory::Expectation e = theory::expect(d, size_at(r, "v"), size_at(r, "l"), usual_base);
    table.add({at(r, "d"), at(r, "v"), at(r, "l"), e.chance_cosine, e.largest_words, e.largest_word_position,
               whole(r99), whole(d - r99)});
  }
  return table;
}

void add_findings(const Table& room, std::vector<Finding>& findings) {
  double free_384 = std::nan(""), free_768 = free_384, line_384 = free_384, line_768 = free_384;
  for (std::size_t i = 0; i < room.rows.size(); ++i) {
    const double d = room.number(i, "d");
    if (d != 384 && d != 768) continue;
    (d == 384 ? free_384 : free_768) = room.number(i, "free");
    (d == 384 ? line_384 : line_768) = d - room.number(i, "r99_line");
    const Coordinates at{{"d", room.at(i, "d")}};
    findings.push_back({finding_id("O6", "r99", at),
                        at,
                        room.number(i, "r99"),
                        {},
                        {},
                        {},
                        room.number(i, "r99_line"),
                        "dimensions",
                        length,
                        Kind::count,
                        "Dimensions that hold 99% of 512 sinusoidal positions."});
    findings.push_back({finding_id("O6", "free_share", at),
                        at,
                        room.number(i, "free_share"),
                        {},
                        {},
                        {},
                        1 - room.number(i, "r99_line") / d,
                        "1",
                        length,
                        Kind::rounded,
                        "Share of the dimensions that the positions leave free."});
    findings.push_back(
        {finding_id("O6", "largest", at), at, room.number(i, "largest"), room.number(i, "largest_low"),
         room.number(i, "largest_high"), shown_level, room.number(i, "largest_theory"), "1",
         static_cast<std::uint64_t>(room.number(i, "draws")), Kind::sampled,
         "Largest principal cosine of a random 32-dimensional subspace with the positions' r99 dimensions."});
  }
  findings.push_back({finding_id("O6", "room_ratio"),
                      {},
                      free_768 / free_384,
                      {},
                      {},
                      {},
                      line_768 / line_384,
                      "1",
                      2,
                      Kind::rounded,
                      "Free dimensions at 768 over free dimensions at 384, 512 positions."});
}

std::string condition_of(const std::vector<Finding>& findings) {
  const Finding *small = find(findings, "O6.r99.d384"), *large = find(findings, "O6.r99.d768");
  if (!small || !large) return "d = 384 and 768 were not both measured";
  return fmt::format(
      "{} positions take {:.0f} of 384 dimensions and {:.0f} of 768, which leaves {:.2f} times as "
      "many free",
      length, small->value, large->value, find(findings, "O6.room_ratio")->value);
}

Outcome summarise(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {room_table(cells), reader_table(cells)};
  add_findings(outcome.tables[0], outcome.findings);
  const auto free = [](const char* d) {
    return Condition{
        .finding = fmt::format("O6.free_share.d{}", d),
        .is = Is::above,
        .bound = 0.5,
        .evidence = Evidence::closed_form,
        .levels = {{"width", d}},
        .says = fmt::format("share of the dimensions that {} positions leave free, d = {}", length, d)};
  };
  outcome.rule = {
      free("384"),
      free("768"),
      {.finding = "O6.room_ratio",
       .is = Is::above,
       .bound = 2.0,
       .evidence = Evidence::closed_form,
       .levels = {{"width", "768 over 384"}},
       .says = fmt::format("free dimensions at d = 768 over those at 384, {} positions", length)}};
  outcome.condition = condition_of(outcome.findings);
  outcome.matters = fmt::format(
      "at both widths most dimensions stay almost free of {} positions; what a model needs of them, training "
      "must show",
      length);
  return outcome;
}

}  // namespace

std::size_t room_draws(Preset preset) { return pick<std::size_t>(preset, 4, 20, 100); }

Experiment room(const Options& options) {
  return {"O6", "384 dimensions do, 768 give double the room.", "[a]", {}, cells(options), run, summarise};
}

}  // namespace perp::orthogonality
