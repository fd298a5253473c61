// A2: words and positions from bands, merged over codebooks; findings and rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "perp/base/error.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/columns.hpp"
#include "perp/vectors/positions.hpp"
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
Estimate share_of(const Tally& tally) {
  return estimated(tally.share(), share_spread(tally.right, tally.n, tally.shares));
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
    const Estimate share = share_of(t);
    table.add({band_order(t.band), t.band, t.centred, t.factor, ratio_of(t.factor), t.noise, share.value,
               *share.low, *share.high, t.line(), 1 / static_cast<double>(t.words), whole(t.n)});
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
    const Estimate share = share_of(t);
    table.add({band_order(t.band), t.band, t.factor, ratio_of(t.factor), share.value, *share.low, *share.high,
               t.off / static_cast<double>(t.n), 1 / static_cast<double>(band_positions), whole(t.n)});
  }
  return table;
}

void add_shares(const std::vector<Tally>& words, const std::vector<Tally>& positions,
                std::vector<Finding>& findings) {
  for (const Tally& t : words) {
    const std::string measure = t.noise ? "recovered_in_noise" : "recovered";
    findings.push_back(finding("A2", measure, {{"centred", t.centred}, {"band", t.band}, {"a", t.factor}},
                               share_of(t),
                               {.theory = t.lines.empty() ? std::optional<double>{} : t.line(),
                                .n = t.n,
                                .kind = Kind::sampled,
                                .meaning = "Share of words found from these dimensions of the sum, positions "
                                           "multiplied by a; theory: the chance given the disturbance."}));
    // The rule's: with the number of words in its name, for shorter runs draw fewer.
    if (t.band == "first" && t.centred == "as_is" && t.factor == 1 && !t.noise)
      findings.push_back(finding("A2", "first_quarter", {{"v", whole(t.words)}}, share_of(t),
                                 {.theory = t.lines.empty() ? std::optional<double>{} : t.line(),
                                  .n = t.n,
                                  .kind = Kind::sampled,
                                  .meaning = "Share of so many words found from the first quarter of the "
                                             "dimensions alone, positions as they come; theory: the chance "
                                             "given the disturbance."}));
  }
  for (const Tally& t : positions) {
    findings.push_back(
        finding("A2", "position", {{"band", t.band}, {"a", t.factor}}, share_of(t),
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
  findings.push_back(finding(
      "A2", "gap", {{"centred", std::string(centred)}}, estimated(moments_of(gaps)),
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

/// The last quarter's share of the power that varies with the position, in closed form.
void add_last_share(std::vector<Finding>& findings) {
  struct Size {
    std::size_t d, length;
  };
  for (const Size& size : {Size{512, 512}, Size{512, 8192}, Size{768, 1024}}) {
    const auto varying = [&](std::size_t quarter) {
      return 1 - theory::constant_share(size.length, size.d, quarter * size.d / quarters,
                                        (quarter + 1) * size.d / quarters, usual_base);
    };
    double all = 0;  // sine and cosine of a pair make 1, so that all quarters have the same power
    for (std::size_t q = 0; q < quarters; ++q) all += varying(q);
    findings.push_back(finding("A2", "last_share", {{"d", whole(size.d)}, {"l", whole(size.length)}},
                               {varying(quarters - 1) / all},
                               {.kind = Kind::rounded,
                                .meaning = "Share of the positions' power that varies with the position "
                                           "which the last quarter of the dimensions holds, closed form."}));
  }
}

/// Two propositions; evenly spread power would give a quarter of the dimensions a quarter of it.
Rule rule() {
  const auto touched = [](std::size_t length, const char* size, Role role) {
    return Condition{
        .finding = fmt::format("A2.last_share.d{}.l{}", band_width, length),
        .is = Is::below,
        .bound = hardly,
        .role = role,
        .evidence = Evidence::closed_form,
        .levels = {{"proposition", "the last dimensions are hardly touched"}},
        .says = fmt::format("last quarter's share of the power that varies with the position, {}", size)};
  };
  return {{.finding = "A2.first_quarter.v5000",
           .is = Is::below,
           .bound = usable,
           .evidence = Evidence::simulation,
           .levels = {{"proposition", "the first dimensions are unusable"}},
           .says = "share of 5,000 words found from the first quarter alone, d = 512, L = 512, A = 1",
           .needs = "preset full"},
          touched(band_positions, "d = 512, L = 512", Role::core),
          touched(8192, "d = 512, L = 8,192", Role::limit)};
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

  add_last_share(outcome.findings);

  outcome.rule = rule();
  const auto share = [&](const char* id) { return 100 * find(outcome.findings, id)->value; };
  outcome.condition = fmt::format(
      "at the usual size, A = 1, the first quarter of the dimensions alone finds {:.0f} % of the words; the "
      "last quarter holds {:.1f} % of the power that varies over {} positions, {:.0f} % over 8,192",
      share("A2.recovered.as_is.first.a1"), share("A2.last_share.d512.l512"), band_positions,
      share("A2.last_share.d512.l8192"));
  outcome.matters = fmt::format(
      "at d = 768 and 1,024 positions the last quarter holds {:.1f} %; what it adds instead is nearly "
      "constant, which any bias removes",
      share("A2.last_share.d768.l1024"));
  return outcome;
}

}  // namespace perp::capacity
