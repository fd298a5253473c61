// O1: tables, findings and rule.

#include <algorithm>
#include <cmath>

#include "perp/statistics/order.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"
#include "studies/orthogonality/o1_random_pairs.hpp"

namespace perp::orthogonality {
namespace {

/// The width of BERT and GPT-2 that the claim is read at, and the one of Vaswani et al., where it ends.
constexpr std::size_t usual_width = 768, narrower = 512;

/// Of the pairs of one record with |cosine| below `near`. Pairs of a tile share words: where these have a
/// mean in common, tiles alone are independent.
Estimate share_near(const Coordinates& record) {
  const std::uint64_t close = size_at(record, "close"), pairs = size_at(record, "pairs"),
                      tiles = size_at(record, "tiles");
  Spread spread = share_spread(close, pairs);
  spread.mean = MeanSpread{number_at(record, "share_error"), static_cast<double>(tiles - 1)};
  spread.replicates = tiles;
  return estimated(static_cast<double>(close) / static_cast<double>(pairs), spread);
}

Table spread_table(const std::vector<CellRecords>& cells) {
  Table table{
      "o1_spread.csv",
      {{"family", "", Kind::exact, "law of the word vectors"},
       {"d", "1", Kind::exact, "dimension"},
       {"pairs", "1", Kind::exact, "pairs of words, in tiles of 32 x 32 fresh words"},
       {"spread", "1", Kind::sampled, "root mean square cosine times the square root of d", "spread_low",
        "spread_high"},
       {"spread_low", "1", Kind::sampled, "its 99% interval, by Student's t over tiles"},
       {"spread_high", "1", Kind::sampled, "its 99% interval, by Student's t over tiles"},
       {"spread_theory", "1", Kind::exact, "1 for entries that are iid and symmetric"},
       {"share_near", "1", Kind::sampled, "share of pairs with |cosine| below .1", "share_low", "share_high"},
       {"share_low", "1", Kind::sampled,
        "its 99% interval: the wider, on either side, of Wilson's over pairs and Student's t over tiles"},
       {"share_high", "1", Kind::sampled, "its 99% interval, likewise"},
       {"share_theory", "1", Kind::exact,
        "1 - I_{1-m²}((d-1)/2, 1/2) at m = .1; exact for spherical words alone"},
       {"ks_distance", "1", Kind::sampled, "largest distance of the distribution of all pairs from the law"},
       {"disjoint_pairs", "1", Kind::exact, "pairs that share no word"},
       {"ks_p", "1", Kind::sampled, "Kolmogorov-Smirnov p-value of the disjoint pairs against the law"}},
      {}};
  for (const Coordinates& r : records_of(cells, "spread")) {
    const std::size_t d = size_at(r, "d");
    const Estimate share = share_near(r);
    const Family family = family_from(text_at(r, "family"));
    const double none = std::nan("");
    table.add({at(r, "family"), whole(d), at(r, "pairs"), at(r, "spread"), at(r, "spread_low"),
               at(r, "spread_high"), is_isotropic(family) ? 1.0 : none, share.value, *share.low, *share.high,
               is_spherical(family) ? 1 - theory::cosine_exceeds(d, near) : none, at(r, "ks_distance"),
               at(r, "disjoint_pairs"), at(r, "ks_p")});
  }
  return table;
}

Table density_table(const std::vector<CellRecords>& cells) {
  Table table{"o1_density.csv",
              {{"family", "", Kind::exact, "law of the word vectors"},
               {"d", "1", Kind::exact, "dimension"},
               {"cosine", "1", Kind::exact, "centre of a bin"},
               {"density", "1", Kind::sampled, "share of pairs in the bin over its width"},
               {"law", "1", Kind::exact, "density of the cosine of two uniform directions"}},
              {}};
  for (const Coordinates& r : records_of(cells, "density"))
    table.add({at(r, "family"), at(r, "d"), at(r, "cosine"), at(r, "density"),
               theory::cosine_density(size_at(r, "d"), number_at(r, "cosine"))});
  return table;
}

/// Largest cosines of all draws with the same coordinates but the draw.
struct Draws {
  std::string family;
  std::size_t d, words;
  std::vector<double> largest;
};

std::vector<Draws> draws_of(const std::vector<CellRecords>& cells) {
  std::vector<Draws> groups;
  for (const Coordinates& r : records_of(cells, "largest")) {
    const std::string& family = text_at(r, "family");
    const std::size_t d = size_at(r, "d"), words = size_at(r, "v");
    if (groups.empty() || groups.back().family != family || groups.back().d != d ||
        groups.back().words != words)
      groups.push_back({family, d, words, {}});
    groups.back().largest.push_back(number_at(r, "largest"));
  }
  return groups;
}

double pairs_among(std::size_t words) {
  const double v = static_cast<double>(words);
  return v * (v - 1) / 2;
}

Table largest_table(const std::vector<Draws>& groups) {
  Table table{"o1_largest.csv",
              {{"family", "", Kind::exact, "law of the word vectors"},
               {"d", "1", Kind::exact, "dimension"},
               {"words", "1", Kind::exact, "words V, all V(V-1)/2 pairs"},
               {"draws", "1", Kind::exact, "independent tables"},
               {"largest", "1", Kind::sampled, "median over draws of the largest |cosine|", "smallest_draw",
                "largest_draw"},
               {"smallest_draw", "1", Kind::sampled, "smallest over draws"},
               {"largest_draw", "1", Kind::sampled, "largest over draws"},
               {"theory", "1", Kind::exact, "the m that solves (1 - P(|c| > m))^(V(V-1)/2) = 1/2"},
               {"theory_low", "1", Kind::exact, "the law's .5% quantile of one draw"},
               {"theory_high", "1", Kind::exact, "the law's 99.5% quantile of one draw"}},
              {}};
  for (const Draws& group : groups) {
    const double pairs = pairs_among(group.words);
    const auto [low, high] = std::minmax_element(group.largest.begin(), group.largest.end());
    table.add({group.family, whole(group.d), whole(group.words), whole(group.largest.size()),
               median(group.largest), *low, *high, theory::largest_cosine_median(group.d, pairs),
               theory::largest_cosine_quantile(group.d, pairs, (1 - shown_level) / 2),
               theory::largest_cosine_quantile(group.d, pairs, (1 + shown_level) / 2)});
  }
  return table;
}

/// A theory column's value, absent where the theory says nothing of that row.
std::optional<double> theory_of(const Table& table, std::size_t row, std::string_view column) {
  const double value = table.number(row, column);
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

/// What one row of the spread table says, for the dimensions people use.
void add_spread_findings(const std::vector<CellRecords>& cells, const Table& spread,
                         std::vector<Finding>& findings) {
  const std::vector<Coordinates> records = records_of(cells, "spread");  // one for each row
  for (std::size_t i = 0; i < spread.rows.size(); ++i) {
    const double d = spread.number(i, "d");
    if (d != 64 && d != narrower && d != usual_width && d != 1024) continue;
    const Coordinates at{{"family", spread.at(i, "family")}, {"d", spread.at(i, "d")}};
    const std::uint64_t pairs = static_cast<std::uint64_t>(spread.number(i, "pairs"));
    findings.push_back(
        finding("O1", "share_near", at, share_near(records[i]),
                {.theory = theory_of(spread, i, "share_theory"),
                 .n = pairs,
                 .kind = Kind::sampled,
                 .meaning = "Share of random pairs with |cosine| below .1; interval: the wider of Wilson's "
                            "over pairs and Student's t over tiles."}));
    findings.push_back(
        {finding_id("O1", "spread", at), at, spread.number(i, "spread"), spread.number(i, "spread_low"),
         spread.number(i, "spread_high"), shown_level, theory_of(spread, i, "spread_theory"), "1", pairs,
         Kind::sampled,
         "Root mean square cosine of random pairs times the square root of d; interval by Student's t "
         "over tiles."});
  }
}

/// How far the worst rows are from the exact law.
void add_law_findings(const Table& spread, std::vector<Finding>& findings) {
  double departure = 0, smallest_p = 1;
  std::uint64_t pairs = 0, disjoint = 0;
  std::size_t tests = 0;
  for (std::size_t i = 0; i < spread.rows.size(); ++i) {
    const Family family = family_from(std::get<std::string>(spread.at(i, "family")));
    if (is_isotropic(family)) {
      departure = std::max(departure, std::abs(spread.number(i, "spread") - 1));
      pairs += static_cast<std::uint64_t>(spread.number(i, "pairs"));
    }
    if (is_spherical(family)) {
      smallest_p = std::min(smallest_p, spread.number(i, "ks_p"));
      disjoint += static_cast<std::uint64_t>(spread.number(i, "disjoint_pairs"));
      ++tests;
    }
  }
  findings.push_back({finding_id("O1", "spread_departure"),
                      {},
                      departure,
                      {},
                      {},
                      {},
                      0.0,
                      "1",
                      pairs,
                      Kind::sampled,
                      "Largest |spread - 1| over all dimensions and families of iid symmetric entries."});
  findings.push_back(
      {finding_id("O1", "law_p"),
       {},
       1 - std::pow(1 - smallest_p, static_cast<double>(tests)),
       {},
       {},
       {},
       {},
       "1",
       disjoint,
       Kind::sampled,
       "Chance that the worst of the Kolmogorov-Smirnov tests of the spherical families against the "
       "exact law is as bad or worse (Šidák over all of them)."});
}

void add_largest_findings(const std::vector<Draws>& groups, std::vector<Finding>& findings) {
  double departure = 0;
  for (const Draws& group : groups) {
    const double theory = theory::largest_cosine_median(group.d, pairs_among(group.words));
    const double value = median(group.largest);
    if (is_spherical(family_from(group.family)) && group.d >= 64)
      departure = std::max(departure, std::abs(value / theory - 1));
    if (group.family != "gaussian" || group.d != 512) continue;
    const Coordinates at{{"v", whole(group.words)}, {"d", whole(group.d)}};
    // Few draws bound a median badly; what one draw may give by theory is the honest interval around the
    // value.
    const double pairs = pairs_among(group.words);
    const double low = theory::largest_cosine_quantile(group.d, pairs, (1 - shown_level) / 2) - theory;
    const double high = theory::largest_cosine_quantile(group.d, pairs, (1 + shown_level) / 2) - theory;
    findings.push_back(
        {finding_id("O1", "largest", at), at, value, value + low, value + high, shown_level, theory, "1",
         group.largest.size(), Kind::sampled,
         "Median over draws of the largest |cosine| among all pairs of V Gaussian words; the interval "
         "is the law's spread of one draw."});
  }
  findings.push_back(
      {finding_id("O1", "largest_departure"),
       {},
       departure,
       {},
       {},
       {},
       0.0,
       "1",
       groups.size(),
       Kind::sampled,
       "Largest relative departure of the median largest |cosine| of spherical words from its law, "
       "from 64 dimensions on."});
}

/// By the exact law, which needs no draws.
void add_exact_findings(std::vector<Finding>& findings) {
  for (const std::size_t d : {narrower, usual_width})
    findings.push_back(
        finding("O1", "share_law", {{"d", whole(d)}}, {1 - theory::cosine_exceeds(d, near)},
                {.kind = Kind::rounded,
                 .meaning = "Share of pairs of uniform directions, which Gaussian and spherical words have, "
                            "with |cosine| below .1; exact."}));
  findings.push_back(finding(
      "O1", "first_dimension", {}, {static_cast<double>(theory::first_dimension(near, almost_always))},
      {.unit = "dimensions",
       .meaning = "Smallest d in which 99% of pairs of uniform directions have |cosine| below .1, by "
                  "the exact law."}));
}

Condition above_almost_always(std::string finding, Role role, Evidence evidence, std::string_view family,
                              std::string says, std::string needs = {}) {
  return {.finding = std::move(finding),
          .is = Is::above,
          .bound = almost_always,
          .role = role,
          .evidence = evidence,
          .levels = {{"words", std::string(family)}},
          .says = std::move(says),
          .needs = std::move(needs)};
}

/// "spherical": how a reader says the family.
std::string_view in_words(Family family) {
  return family == Family::gaussian     ? "Gaussian"
         : family == Family::sphere     ? "spherical"
         : family == Family::rademacher ? "random-sign"
                                        : to_text(family);
}

Rule rule() {
  Rule rule{above_almost_always(
      fmt::format("O1.share_law.d{}", usual_width), Role::core, Evidence::closed_form, "uniform directions",
      fmt::format("share of uniform directions with |cos| below {}, d = {}", near, usual_width))};
  const auto drawn = [&](Family family, std::size_t d, Role role, const std::string& needs) {
    rule.push_back(above_almost_always(
        finding_id("O1", "share_near", {{"f", std::string(to_text(family))}, {"d", whole(d)}}), role,
        Evidence::simulation, to_text(family),
        fmt::format("share of {} pairs with |cos| below {}, d = {}", in_words(family), near, d), needs));
  };
  for (const Family family : families)
    if (is_isotropic(family))
      drawn(family, usual_width, Role::core, fmt::format("pairs drawn at d = {}", usual_width));
  rule.push_back(above_almost_always(
      fmt::format("O1.share_law.d{}", narrower), Role::limit, Evidence::closed_form, "uniform directions",
      fmt::format("share of uniform directions with |cos| below {}, d = {}", near, narrower)));
  drawn(Family::anisotropic, 1024, Role::limit, "d = 1,024 among the dimensions");
  rule.back().says =
      fmt::format("share of pairs of words with a common mean with |cos| below {}, d = 1,024", near);
  return rule;
}

std::string condition_of(const std::vector<Finding>& findings) {
  const auto percent = [&](const std::string& id) { return 100 * find(findings, id)->value; };
  std::string text = fmt::format(
      "of uniform directions {:.2f} % of the pairs have |cos| below {} at d = {} and {:.2f} % at d = {}; "
      "99 % from d = {:.0f} on",
      percent(fmt::format("O1.share_law.d{}", usual_width)), near, usual_width,
      percent(fmt::format("O1.share_law.d{}", narrower)), narrower,
      find(findings, "O1.first_dimension")->value);
  if (find(findings, "O1.share_near.anisotropic.d1024"))
    text += fmt::format("; of words that share a mean {:.0f} % at d = 1,024",
                        percent("O1.share_near.anisotropic.d1024"));
  return text;
}

}  // namespace

Outcome summarise_random_pairs(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  const std::vector<Draws> draws = draws_of(cells);
  outcome.tables = {spread_table(cells), density_table(cells), largest_table(draws)};
  add_spread_findings(cells, outcome.tables[0], outcome.findings);
  add_law_findings(outcome.tables[0], outcome.findings);
  add_largest_findings(draws, outcome.findings);
  add_exact_findings(outcome.findings);
  outcome.rule = rule();
  outcome.condition = condition_of(outcome.findings);
  outcome.matters = fmt::format(
      "the chance cosine 1/√d is {:.3f} at d = 384 and {:.3f} at 1,024, so single pairs are nearly "
      "orthogonal "
      "for no reason but dimension",
      theory::cosine_sd(384), theory::cosine_sd(1024));
  return outcome;
}

}  // namespace perp::orthogonality
