// V6: what a position does to each dimension of a word: a shift that is the same everywhere, and what moves.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "perp/statistics/moments.hpp"
#include "perp/theory/columns.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"

namespace perp::anatomy {
namespace {

constexpr std::array<const char*, 4> quarters{"first", "second", "third", "last"};
/// "A lot" is more than an even share of what moves, "only slightly" less than a twentieth.
constexpr double even_share = 0.25, slight_share = 0.05;

std::vector<Cell> cells(const Options&) {
  std::vector<Cell> cells;
  for (const std::size_t l : {std::size_t{50}, length, text_length, std::size_t{8192}})
    cells.push_back({{{"l", whole(l)}}, 1e-8 * static_cast<double>(l * width)});
  return cells;
}

Records run(const Cell& cell, const Streams&) {
  const std::size_t l = size_at(cell.at, "l");
  const Matrix<double> table = sinusoidal<double>(l, width);
  std::vector<MomentSums> columns(width);
  for (std::size_t t = 0; t < l; ++t)
    for (std::size_t j = 0; j < width; ++j) columns[j].add(table(t, j));
  Records records;
  for (std::size_t j = 0; j < width; ++j) {
    const Moments m = columns[j].moments();
    records.push_back({"column",
                       {{"j", whole(j)},
                        {"shift", m.mean * m.mean},
                        // Positions are all there are, not a sample of them.
                        {"moves", m.variance * static_cast<double>(l - 1) / static_cast<double>(l)}}});
  }
  return records;
}

/// Both parts of every column at one length, and their closed forms.
struct Parts {
  std::size_t l = 0;
  std::vector<double> shift, moves, shift_line, moves_line;
};

std::vector<Parts> parts_of(const std::vector<CellRecords>& cells) {
  std::vector<Parts> all;
  for (const Coordinates& r : records_of(cells, "column")) {
    const std::size_t l = size_at(r, "l"), j = size_at(r, "j");
    if (all.empty() || all.back().l != l) all.push_back({l, {}, {}, {}, {}});
    Parts& parts = all.back();
    parts.shift.push_back(number_at(r, "shift"));
    parts.moves.push_back(number_at(r, "moves"));
    const theory::ColumnMoments line = theory::sinusoid_column(l, width, j, usual_base);
    parts.shift_line.push_back(line.mean * line.mean);
    parts.moves_line.push_back(line.variance);
  }
  return all;
}

double sum(const std::vector<double>& values, std::size_t quarter) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(quarter * width / quarters.size());
  return std::accumulate(begin, begin + width / quarters.size(), 0.0);
}
double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// How many of the first dimensions hold nine tenths of what moves.
std::size_t ninety(const std::vector<double>& moves) {
  const double all = sum(moves);
  double part = 0;
  std::size_t j = 0;
  while (j < moves.size() && part < 0.9 * all) part += moves[j++];
  return j;
}

Table dimension_table(const std::vector<Parts>& all) {
  Table table{"v6_dimensions.csv",
              {{"dimension", "1", Kind::exact, "column; 512 positions, 512 dimensions"},
               {"wave", "", Kind::exact, "sine or cosine"},
               {"shift", "1", Kind::rounded,
                "squared mean over the positions, in variances of a word of unit variance"},
               {"moves", "1", Kind::rounded, "variance over the positions, likewise"},
               {"moves_line", "1", Kind::exact, "the same in closed form"}},
              {}};
  for (const Parts& parts : all)
    for (std::size_t j = 0; parts.l == text_length && j < width; ++j)
      table.add({whole(j), std::string(j % 2 ? "cosine" : "sine"), parts.shift[j], parts.moves[j],
                 parts.moves_line[j]});
  return table;
}

Table quarter_table(const std::vector<Parts>& all) {
  Table table{"v6_quarters.csv",
              {{"positions", "positions", Kind::exact, "L; 512 dimensions"},
               {"quarter", "", Kind::exact, "of the dimensions"},
               {"power", "1", Kind::rounded, "mean square of a dimension, in variances of a word"},
               {"moves", "1", Kind::rounded, "of that, what differs from position to position"},
               {"share", "1", Kind::rounded, "the quarter's share of all that moves"},
               {"share_line", "1", Kind::exact, "the same in closed form"},
               {"ninety", "1", Kind::count, "dimensions from the first that hold 90 % of what moves"}},
              {}};
  for (const Parts& parts : all)
    for (std::size_t q = 0; q < quarters.size(); ++q) {
      const double n = static_cast<double>(width / quarters.size()), moves = sum(parts.moves, q);
      table.add({whole(parts.l), std::string(quarters[q]), (sum(parts.shift, q) + moves) / n, moves / n,
                 moves / sum(parts.moves), sum(parts.moves_line, q) / sum(parts.moves_line),
                 whole(ninety(parts.moves))});
    }
  return table;
}

void add_findings(const std::vector<Parts>& all, std::vector<Finding>& findings) {
  double departure = 0;
  const double per_quarter = static_cast<double>(width / quarters.size());
  for (const Parts& parts : all) {
    for (std::size_t j = 0; j < width; ++j)
      departure = std::max({departure, std::abs(parts.shift[j] - parts.shift_line[j]),
                            std::abs(parts.moves[j] - parts.moves_line[j])});
    for (std::size_t q = 0; q < quarters.size(); ++q) {
      const Coordinates place{{"quarter", std::string(quarters[q])}, {"l", whole(parts.l)}};
      const double moves = sum(parts.moves, q);
      const auto add = [&](const char* measure, double value, double theory, const char* meaning) {
        findings.push_back(finding("V6", measure, place, {value},
                                   {.theory = theory,
                                    .n = parts.l * width / quarters.size(),
                                    .kind = Kind::rounded,
                                    .meaning = meaning}));
      };
      add("power", (sum(parts.shift, q) + moves) / per_quarter, 0.5,
          "Mean square of what positions add to a dimension of this quarter, in variances of a word of unit "
          "variance; theory: sine and cosine of a pair make 1.");
      add("share", moves / sum(parts.moves), sum(parts.moves_line, q) / sum(parts.moves_line),
          "This quarter's share of what differs from position to position; theory: closed form.");
    }
    findings.push_back(
        finding("V6", "ninety", {{"l", whole(parts.l)}}, {static_cast<double>(ninety(parts.moves))},
                {.theory = static_cast<double>(ninety(parts.moves_line)),
                 .unit = "dimensions",
                 .n = parts.l * width,
                 .kind = Kind::count,
                 .meaning = "Dimensions, from the first, that hold nine tenths of what differs from "
                            "position to position; theory: closed form."}));
  }
  findings.push_back(
      finding("V6", "departure", {}, {departure},
              {.theory = 0.0,
               .n = all.size() * width,
               .kind = Kind::rounded,
               .meaning = "Largest departure of a dimension's squared mean or variance from its "
                          "closed form."}));
}

/// What the picture of 50 positions shows, checked on it; what follows for words A2 measures.
Rule rule() {
  return {{.finding = "V6.share.first.l50",
           .is = Is::above,
           .bound = even_share,
           .evidence = Evidence::closed_form,
           .levels = {{"quarter", "first"}},
           .says = "share of the first quarter of 512 dimensions in what differs between 50 positions"},
          {.finding = "V6.share.last.l50",
           .is = Is::below,
           .bound = slight_share,
           .evidence = Evidence::closed_form,
           .levels = {{"quarter", "last"}},
           .says = "the same of the last quarter"}};
}

Outcome summarise(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  const std::vector<Parts> all = parts_of(cells);
  outcome.tables = {dimension_table(all), quarter_table(all)};
  add_findings(all, outcome.findings);
  outcome.rule = rule();
  const auto value = [&](const char* id) { return find(outcome.findings, id)->value; };
  outcome.condition = fmt::format(
      "of what differs between positions the first quarter of the dimensions has {:.0f} % at 512 positions "
      "and "
      "the last {:.1f} % ({:.0f} and {:.0f} % at 8,192); what is added in all is {:.2f} of a word's variance "
      "in "
      "either",
      100 * value("V6.share.first.l512"), 100 * value("V6.share.last.l512"),
      100 * value("V6.share.first.l8192"), 100 * value("V6.share.last.l8192"), value("V6.power.last.l512"));
  outcome.matters = fmt::format(
      "at 512 positions the first {:.0f} of 512 dimensions hold nine tenths of what differs between "
      "positions",
      value("V6.ninety.l512"));
  return outcome;
}

}  // namespace

Experiment distortion(const Options& options) {
  return beside_the_claims(Experiment{
      "V6",
      "Positional encodings distort the first dimensions of a word a lot, and the last only slightly.",
      "[e]",
      {},
      cells(options),
      run,
      summarise});
}

}  // namespace perp::anatomy
