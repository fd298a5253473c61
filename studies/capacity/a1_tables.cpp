// A1: tables.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/theory/recovery.hpp"
#include "studies/capacity/a1_size.hpp"

namespace perp::capacity {
namespace {

/// The columns every table of shares begins with, and one row's values for them.
std::vector<Column> place_columns() {
  return {{"d", "1", Kind::exact, "dimension"},
          {"words", "words", Kind::exact, "V: how many words there are to choose from"},
          {"positions", "positions", Kind::exact, "L: how many positions there are to choose from"},
          {"centred", "1", Kind::exact, "1: positions less their mean over positions; 0: as they are"},
          {"noise", "1", Kind::exact, "length of the noise (root mean square) in lengths of a word"}};
}
std::vector<Value> place(const Coordinates& r) {
  return {at(r, "d"), at(r, "v"), at(r, "l"), at(r, "centred"), at(r, "noise")};
}

/// A share with its interval: three columns, three values.
void add_share(std::vector<Column>& columns, const std::string& name, const std::string& meaning) {
  const std::string low = name + "_low", high = name + "_high";
  columns.push_back({name, "1", Kind::sampled, meaning, low, high});
  columns.push_back({low, "1", Kind::sampled, "lower end of its 99 % interval"});
  columns.push_back({high, "1", Kind::sampled, "upper end of its 99 % interval"});
}
void add_share(std::vector<Value>& row, const Coordinates& r, const std::string& name) {
  for (const char* end : {"", "_low", "_high"}) row.push_back(at(r, name + end));
}
void append(std::vector<Column>& columns, std::vector<Column> more) {
  columns.insert(columns.end(), more.begin(), more.end());
}

bool usual(const Coordinates& r) {
  return text_at(r, "family") == "sphere" && size_at(r, "v") == usual_words &&
         size_at(r, "l") == usual_positions && size_at(r, "centred") == 0 && number_at(r, "noise") == 0;
}

Table star_table(const std::vector<CellRecords>& cells) {
  Table table{"a1_star.csv", {{"family", "", Kind::exact, "law of the words, or learned"}}, {}};
  append(table.columns, place_columns());
  append(table.columns,
         {{"rho", "1", Kind::exact,
           "length of a position (root mean square) in lengths of a word; 0: the position taken off before"},
          {"n", "trials", Kind::exact, "sums decoded"},
          {"line", "1", Kind::rounded, "exact share for unit words of no preferred direction"},
          {"gaussian_line", "1", Kind::rounded, "exact share for Gaussian words, nearest by distance"},
          {"knee", "1", Kind::exact, "sqrt(d/(2 ln V))"},
          {"chance", "1", Kind::exact, "share of positions a guess finds, 1/L"}});
  add_share(table.columns, "word", "share of words that are the nearest word to their sum");
  add_share(table.columns, "position", "share of positions that are the nearest position to their sum");
  for (const Coordinates& r : records_of(cells, "share")) {
    std::vector<Value> values{at(r, "family")};
    for (const Value& value : place(r)) values.push_back(value);
    for (const char* name : {"rho", "n", "line", "gaussian_line"}) values.push_back(at(r, name));
    values.emplace_back(theory::recovery_knee(size_at(r, "d"), number_at(r, "v")));
    values.emplace_back(1 / number_at(r, "l"));
    add_share(values, r, "word");
    add_share(values, r, "position");
    table.add(values);
  }
  return table;
}

/// Where a falling curve crosses one half, straight in ln ρ between its points; NaN if it does not.
double half_crossing(const std::vector<double>& sizes, const std::vector<double>& shares) {
  for (std::size_t i = 1; i < sizes.size(); ++i)
    if (shares[i] < 0.5 && shares[i - 1] >= 0.5 && sizes[i - 1] > 0)
      return sizes[i - 1] *
             std::pow(sizes[i] / sizes[i - 1], (shares[i - 1] - 0.5) / (shares[i - 1] - shares[i]));
  return std::nan("");
}

Table knee_table(const std::vector<CellRecords>& cells) {
  Table table{"a1_knee.csv", {{"family", "", Kind::exact, "law of the words, or learned"}}, {}};
  append(table.columns, place_columns());
  append(
      table.columns,
      {{"n", "trials", Kind::exact, "sums decoded at each size"},
       {"knee", "1", Kind::exact, "sqrt(d/(2 ln V))"},
       {"exact_half", "1", Kind::rounded,
        "size at which half the words are found, exact for unit words of no preferred direction, no noise"},
       {"half", "1", Kind::sampled,
        "the same, between measured sizes; empty if the noise alone hides half"}});
  add_share(table.columns, "comparable", "share of words found at size 1");
  add_share(table.columns, "comparable_position", "share of positions found at size 1");
  add_share(table.columns, "small_position", "share of positions found at size .1");
  for (const CellRecords& cell : cells) {
    std::vector<double> at_size, shares;
    const std::vector<Coordinates> rows = records_of({cell}, "share");
    if (rows.empty()) continue;
    const Coordinates *one = nullptr, *tenth = nullptr;
    for (const Coordinates& r : rows) {
      at_size.push_back(number_at(r, "rho"));
      shares.push_back(number_at(r, "word"));
      if (at_size.back() == comparable) one = &r;
      if (at_size.back() == small) tenth = &r;
    }
    const double v = number_at(*one, "v");
    const std::size_t d = size_at(*one, "d");
    std::vector<Value> values{at(*one, "family")};
    for (const Value& value : place(*one)) values.push_back(value);
    values.push_back(at(*one, "n"));
    values.emplace_back(theory::recovery_knee(d, v));
    values.emplace_back(theory::recovery_ratio(d, v, 0.5));
    values.emplace_back(half_crossing(at_size, shares));
    add_share(values, *one, "word");
    add_share(values, *one, "position");
    add_share(values, *tenth, "position");
    table.add(values);
  }
  return table;
}

Table scale_table(const std::vector<CellRecords>& cells) {
  Table table{"a1_scale.csv",
              {{"d", "1", Kind::exact, "model width"},
               {"words", "words", Kind::exact, "V"},
               {"n", "trials", Kind::exact, "sums decoded at each size"},
               {"knee", "1", Kind::exact, "sqrt(d/(2 ln V))"},
               {"plain_rho", "1", Kind::exact, "sqrt(d/2): the sinusoid against words of length 1"},
               {"plain_line", "1", Kind::rounded, "exact share of words found there"},
               {"scaled_line", "1", Kind::rounded,
                "exact share at sqrt(1/2): the sinusoid against the same words times sqrt(d)"}},
              {}};
  add_share(table.columns, "plain", "share of words found without the factor sqrt(d)");
  add_share(table.columns, "scaled", "share of words found with it");
  add_share(table.columns, "plain_position", "share of positions found without the factor");
  add_share(table.columns, "scaled_position", "share of positions found with it");
  for (const CellRecords& cell : cells) {
    const std::vector<Coordinates> rows = records_of({cell}, "share");
    if (rows.empty() || !usual(rows.front())) continue;
    const std::size_t d = size_at(rows.front(), "d");
    if (std::ranges::find(model_widths, d) == model_widths.end()) continue;
    const auto find_size = [&](double size) {
      return *std::ranges::find_if(rows, [&](const Coordinates& r) { return number_at(r, "rho") == size; });
    };
    const Coordinates plain = find_size(std::sqrt(static_cast<double>(d) / 2)),
                      scaled = find_size(std::numbers::sqrt2 / 2);
    std::vector<Value> values{
        at(plain, "d"),   at(plain, "v"),    at(plain, "n"),    theory::recovery_knee(d, usual_words),
        at(plain, "rho"), at(plain, "line"), at(scaled, "line")};
    add_share(values, plain, "word");
    add_share(values, scaled, "word");
    add_share(values, plain, "position");
    add_share(values, scaled, "position");
    table.add(values);
  }
  std::ranges::sort(table.rows, {}, [](const std::vector<Value>& row) { return to_number(row[0]); });
  return table;
}

Table decoder_table(const std::vector<CellRecords>& cells) {
  Table table{"a1_decoders.csv", place_columns(), {}};
  append(table.columns,
         {{"rho", "1", Kind::exact, "length of a position in lengths of a word"},
          {"n", "trials", Kind::exact, "sums decoded"},
          {"removed", "1", Kind::exact, "dimensions projected out: those with 99.9 % of positions' power"}});
  add_share(table.columns, "nothing", "share of words found by the nearest word");
  add_share(table.columns, "projected", "the same with the positions' subspace projected out");
  add_share(table.columns, "joint", "the same by joint maximum likelihood over all words and positions");
  add_share(table.columns, "known", "the same with the position known and taken off");
  add_share(table.columns, "position", "share of positions found by the nearest position");
  add_share(table.columns, "joint_position", "the same by joint maximum likelihood");
  add_share(table.columns, "pair", "share of sums of which joint maximum likelihood finds both");
  for (const Coordinates& r : records_of(cells, "decoders")) {
    std::vector<Value> values = place(r);
    for (const char* name : {"rho", "n", "removed"}) values.push_back(at(r, name));
    for (const char* name : {"nothing", "projected", "joint", "known", "position", "joint_position", "pair"})
      add_share(values, r, name);
    table.add(values);
  }
  return table;
}

Table read_out_table(const std::vector<CellRecords>& cells) {
  Table table{"a1_readout.csv",
              {{"d", "1", Kind::exact, "dimension, and number of positions"},
               {"sigma", "1", Kind::exact, "standard deviation of words per dimension"},
               {"noise", "1", Kind::exact, "standard deviation of the noise per dimension"},
               {"i", "1", Kind::exact, "eigenfunction of position, from the strongest"},
               {"eigenvalue", "1", Kind::rounded, "its eigenvalue: variance of positions along that axis"},
               {"n", "rows", Kind::exact, "rows tested"},
               {"line", "1", Kind::rounded, "eigenvalue/(eigenvalue + sigma^2 + noise^2)"}},
              {}};
  add_share(table.columns, "r2", "R2 of the linear read-out on rows it has not seen");
  for (const Coordinates& r : records_of(cells, "readout")) {
    std::vector<Value> values{at(r, "d"),          at(r, "sigma"), at(r, "noise"), at(r, "i"),
                              at(r, "eigenvalue"), at(r, "n"),     at(r, "line")};
    add_share(values, r, "r2");
    table.add(values);
  }
  return table;
}

/// The exact curve, finely, where figures draw it.
Table line_table() {
  constexpr std::size_t points = 80;
  constexpr double first = 0.05, last = 32;
  Table table{"a1_line.csv",
              {{"d", "1", Kind::exact, "dimension"},
               {"words", "words", Kind::exact, "V"},
               {"rho", "1", Kind::exact, "length of a position in lengths of a word"},
               {"recovered", "1", Kind::rounded, "exact share for unit words of no preferred direction"}},
              {}};
  for (const std::size_t words : {paired_words, usual_words})
    for (std::size_t i = 0; i <= points; ++i) {
      const double size = first * std::pow(last / first, static_cast<double>(i) / points);
      table.add({whole(usual_width), whole(words), size,
                 theory::recovered(usual_width, static_cast<double>(words), size)});
    }
  return table;
}

}  // namespace

std::vector<Table> size_tables(const std::vector<CellRecords>& cells) {
  return {star_table(cells),    knee_table(cells),     scale_table(cells),
          decoder_table(cells), read_out_table(cells), line_table()};
}

}  // namespace perp::capacity
