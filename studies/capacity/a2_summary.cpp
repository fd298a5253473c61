// A2: words and positions from bands, merged over codebooks; findings and rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "perp/base/error.hpp"
#include "perp/statistics/interval.hpp"
#include "perp/statistics/moments.hpp"
#include "studies/capacity/a2_dimensions.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

Moments moments_of(const std::vector<double>& values) {
  MomentSums sums;
  sums.add(std::span<const double>(values));
  return sums.moments();
}

/// One line of the table: a band, a factor, a way to prepare positions; all codebooks together.
struct Tally {
  std::string band, centred;
  std::int64_t factor = 0, noise = 0;
  std::uint64_t right = 0, n = 0;
  std::vector<double> shares;  ///< by codebook
  std::vector<double> lines;   ///< of the codebooks that have one
  double off = 0;
  std::size_t words = 0;
  double share() const { return static_cast<double>(right) / static_cast<double>(n); }
  double line() const { return lines.empty() ? std::nan("") : moments_of(lines).mean; }
};

/// Trials of one codebook are not independent, and codebooks that all agree say nothing of their spread: the
/// wider of Student's interval over codebooks and Wilson's over trials.
Interval interval_of(const Tally& tally, double level) {
  const Interval trials = wilson(tally.right, tally.n, level),
                 codebooks = mean_interval(moments_of(tally.shares), level);
  return {std::max(0.0, std::min(trials.low, codebooks.low)),
          std::min(1.0, std::max(trials.high, codebooks.high)), level};
}

void merge(std::vector<Tally>& tallies, const Coordinates& r, bool words) {
  const std::string centred = words ? text_at(r, "centred") : "as_is";
  const std::int64_t noise = words ? integer_at(r, "noise") : 0;
  Tally* found = nullptr;
  for (Tally& tally : tallies)
    if (tally.band == text_at(r, "band") && tally.factor == integer_at(r, "factor") && tally.noise == noise &&
        tally.centred == centred)
      found = &tally;
  if (!found) {
    tallies.emplace_back();
    found = &tallies.back();
    found->band = text_at(r, "band");
    found->centred = centred;
    found->factor = integer_at(r, "factor");
    found->noise = noise;
    found->words = size_at(r, "words");
  }
  found->right += size_at(r, "right");
  found->n += size_at(r, "sent");
  found->shares.push_back(number_at(r, "right") / number_at(r, "sent"));
  if (!words)
    found->off += number_at(r, "off");
  else if (!std::isnan(number_at(r, "line")))
    found->lines.push_back(number_at(r, "line"));
}

std::vector<Tally> tallies_of(const std::vector<CellRecords>& cells, bool words) {
  std::vector<Tally> tallies;
  for (const Coordinates& r : records_of(cells, words ? "word" : "position")) merge(tallies, r, words);
  return tallies;
}

/// ρ = ‖A p‖/‖x‖ for words of unit variance.
double ratio_of(std::int64_t factor) { return static_cast<double>(factor) / std::numbers::sqrt2; }

Value band_order(const std::string& band) {
  for (std::size_t b = 0; b < bands.size(); ++b)
    if (band == bands[b]) return whole(b + 1);
  refuse("no band is called '{}'", band);
}

Table word_table(const std::vector<Tally>& tallies) {
  Table table{
      "a2_words.csv",
      {{"order", "1", Kind::exact, "order of the bands"},
       {"band", "", Kind::exact, "dimensions seen: a quarter, 128 random ones, or all 512"},
       {"centred", "", Kind::exact, "as_is, or centred: positions less their mean"},
       {"factor", "1", Kind::exact, "A; words have unit variance"},
       {"rho", "1", Kind::exact, "length of A p over that of the word, A/sqrt 2"},
       {"noise", "1", Kind::exact, "noise sd per dimension"},
       {"share", "1", Kind::sampled, "words found by nearest word in the band", "low", "high"},
       {"low", "1", Kind::sampled, "99 %: the wider of Wilson over trials and Student over codebooks"},
       {"high", "1", Kind::sampled, "99 %: the wider of Wilson over trials and Student over codebooks"},
       {"line", "1", Kind::sampled, "the same in theory; empty with noise"},
       {"chance", "1", Kind::exact, "1/V"},
       {"trials", "1", Kind::exact, "sums"}},
      {}};
  for (const Tally& t : tallies) {
    const Interval interval = interval_of(t, level);
    table.add({band_order(t.band), t.band, t.centred, t.factor, ratio_of(t.factor), t.noise, t.share(),
               interval.low, interval.high, t.line(), 1 / static_cast<double>(t.words), whole(t.n)});
  }
  return table;
}

Table position_table(const std::vector<Tally>& tallies) {
  Table table{
      "a2_positions.csv",
      {{"order", "1", Kind::exact, "order of the bands"},
       {"band", "", Kind::exact, "dimensions seen: a quarter, 128 random ones, or all 512"},
       {"factor", "1", Kind::exact, "A; words have unit variance"},
       {"rho", "1", Kind::exact, "length of A p over that of the word, A/sqrt 2"},
       {"share", "share", Kind::sampled, "positions found exactly by nearest position in the band", "low",
        "high"},
       {"low", "1", Kind::sampled, "99 %: the wider of Wilson over trials and Student over codebooks"},
       {"high", "1", Kind::sampled, "99 %: the wider of Wilson over trials and Student over codebooks"},
       {"off", "positions", Kind::sampled, "mean distance of the position found"},
       {"chance", "1", Kind::exact, "1/L"},
       {"trials", "1", Kind::exact, "sums"}},
      {}};
  for (const Tally& t : tallies) {
    const Interval interval = interval_of(t, level);
    table.add({band_order(t.band), t.band, t.factor, ratio_of(t.factor), t.share(), interval.low,
               interval.high, t.off / static_cast<double>(t.n), 1 / static_cast<double>(band_positions),
               whole(t.n)});
  }
  return table;
}

void add_shares(const std::vector<Tally>& words, const std::vector<Tally>& positions,
                std::vector<Finding>& findings) {
  for (const Tally& t : words) {
    const Interval i = interval_of(t, decisive);
    const std::string measure = t.noise ? "recovered_in_noise" : "recovered";
    findings.push_back(finding("A2", measure, {{"centred", t.centred}, {"band", t.band}, {"a", t.factor}},
                               {t.share(), i.low, i.high, i.level},
                               {.theory = t.lines.empty() ? std::optional<double>{} : t.line(),
                                .n = t.n,
                                .kind = Kind::sampled,
                                .meaning = "Share of words found from these dimensions of the sum, positions "
                                           "multiplied by a; theory: the chance given the disturbance."}));
  }
  for (const Tally& t : positions) {
    const Interval i = interval_of(t, level);
    findings.push_back(
        finding("A2", "position", {{"band", t.band}, {"a", t.factor}}, {t.share(), i.low, i.high, i.level},
                {.theory = 1 / static_cast<double>(band_positions),
                 .unit = "share",
                 .n = t.n,
                 .kind = Kind::sampled,
                 .meaning = "Share of positions found exactly from these dimensions of the sum; "
                            "theory: chance."}));
  }
}

/// Last quarter less first, at the factor at which quarters are compared, paired by codebook.
void add_gap(const std::vector<Tally>& words, const char* centred, std::vector<Finding>& findings) {
  const auto part = [&](const char* band) -> const Tally& {
    for (const Tally& t : words)
      if (t.band == band && t.centred == centred && !t.noise && t.factor == compared_factor) return t;
    refuse("A2: no words were read from the {} quarter", band);
  };
  const Tally &last = part("last"), &first = part("first");
  std::vector<double> gaps;
  for (std::size_t c = 0; c < last.shares.size(); ++c) gaps.push_back(last.shares[c] - first.shares[c]);
  const Moments moments = moments_of(gaps);
  const Interval i = mean_interval(moments, decisive);
  findings.push_back(finding(
      "A2", "gap", {{"centred", std::string(centred)}}, {moments.mean, i.low, i.high, i.level},
      {.theory = last.line() - first.line(),
       .n = last.n,
       .kind = Kind::sampled,
       .meaning = "Share of words found from the last quarter of the dimensions less that from the first, "
                  "positions multiplied by 4; Student over codebooks."}));
}

void add_column_findings(const std::vector<CellRecords>& cells, std::vector<Finding>& findings) {
  double departure = 0;
  std::uint64_t columns = 0;
  for (const Coordinates& r : records_of(cells, "shares")) {
    const Coordinates place{{"d", at(r, "d")}, {"l", at(r, "l")}};
    departure = std::max(departure, number_at(r, "departure"));
    columns += size_at(r, "d");
    findings.push_back(
        finding("A2", "constant_share", place, {number_at(r, "constant")},
                {.theory = number_at(r, "line"),
                 .n = size_at(r, "d"),
                 .kind = Kind::rounded,
                 .meaning = "Share of the positions' power that is the same at every position; "
                            "theory: closed form."}));
    if (size_at(r, "d") != band_width || size_at(r, "l") != band_positions) continue;
    findings.push_back(finding("A2", "last_cosine", place, {number_at(r, "last_cosine")},
                               {.theory = 1.0,
                                .n = size_at(r, "l"),
                                .kind = Kind::rounded,
                                .meaning = "Mean of the slowest cosine column; theory: a constant."}));
    for (std::size_t q = 0; q < quarters; ++q)
      findings.push_back(finding("A2", "varying", {{"quarter", std::string(bands[q])}},
                                 {number_at(r, bands[q])},
                                 {.theory = number_at(r, std::string(bands[q]) + "_line"),
                                  .n = size_at(r, "d") / quarters,
                                  .kind = Kind::rounded,
                                  .meaning = "Share of a quarter's power that varies with the position, 512 "
                                             "positions in 512 dimensions; theory: closed form."}));
  }
  findings.push_back(finding("A2", "departure", {}, {departure},
                             {.theory = 0.0,
                              .n = columns,
                              .kind = Kind::rounded,
                              .meaning = "Largest departure of a column's mean or variance from its closed "
                                         "form."}));
}

}  // namespace

Outcome summarise_dimensions(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  const std::vector<Tally> words = tallies_of(cells, true), positions = tallies_of(cells, false);
  outcome.tables = column_tables(cells);
  outcome.tables.push_back(word_table(words));
  outcome.tables.push_back(position_table(positions));
  add_column_findings(cells, outcome.findings);
  add_shares(words, positions, outcome.findings);
  for (const char* centred : {"as_is", "centred"}) add_gap(words, centred, outcome.findings);

  // Unusable: at the usual size, a quarter that sees the fastest columns loses half of the words or more.
  // Hardly touched: the last quarter tells more words than the first, as it is and centred.
  outcome.rule = {{"A2.recovered.as_is.first.a1", Is::below, usable},
                  {"A2.gap.as_is", Is::above, 0.0},
                  {"A2.gap.centred", Is::above, 0.0}};
  const auto value = [&](const std::string& id) { return find(outcome.findings, id)->value; };
  outcome.condition = fmt::format(
      "once positions are centred: at A = 4 the last quarter then finds {:.0f} % of the words and the first "
      "{:.0f} "
      "%; as it is {:.0f} and {:.0f} %, because all quarters have the same power, though of the last one's "
      "{:.1f} "
      "% is constant; and at the usual size, A = 1, the first quarter alone finds {:.0f} %",
      100 * value("A2.recovered.centred.last.a4"), 100 * value("A2.recovered.centred.first.a4"),
      100 * value("A2.recovered.as_is.last.a4"), 100 * value("A2.recovered.as_is.first.a4"),
      100 * (1 - value("A2.varying.last")), 100 * value("A2.recovered.as_is.first.a1"));
  return outcome;
}

}  // namespace perp::capacity
