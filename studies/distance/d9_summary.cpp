#include "studies/distance/d9_summary.hpp"

#include "perp/base/error.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d9_tables.hpp"
#include "studies/distance/spreads.hpp"

namespace perp::distance {
namespace {

/// The shares that the claim is judged by, and how near to their lines they have to be.
constexpr const char *independent = "D9.judged_share.gaussian.heads.d64",
                     *tied = "D9.judged_share.gaussian.tied.d64";
constexpr const char* many_draws = "at least 800 draws: preset full";
constexpr double independent_margin = 0.005, tied_margin = 0.01;

void add_finding(const Table& t, std::size_t i, const char* measure, const std::string& column,
                 const std::string& line, bool with_ratio, const char* meaning, std::vector<Finding>& out) {
  Coordinates where{{"words", t.at(i, "words")}, {"matrix", t.at(i, "matrix")}, {"d", t.at(i, "d")}};
  if (with_ratio) where.emplace_back("rho", t.at(i, "ratio"));
  const auto draws = static_cast<std::uint64_t>(t.number(i, "draws"));
  const double low = t.number(i, column + "_low"), high = t.number(i, column + "_high");
  // A ratio of the lag to all else is not symmetric about its value: it keeps its interval and has no spread.
  const Estimate estimate = column == "signal_to_noise"
                                ? Estimate{t.number(i, column), low, high, shown_level}
                                : from_interval(t.number(i, column), low, high, shown_level, draws);
  out.push_back(
      finding("D9", measure, where, estimate,
              {.theory = t.number(i, line), .n = draws, .kind = Kind::sampled, .meaning = meaning}));
}

void add_findings(const Table& t, std::vector<Finding>& out) {
  const char* noise =
      "Variance of the scores' mean per lag over that of all else in the score of two sums, both summed over "
      "draws; "
      "theory: the ratio of their expectations.";
  for (std::size_t i = 0; i < t.rows.size(); ++i) {
    const double ratio = t.number(i, "ratio");
    if (ratio == natural_ratio) {
      add_finding(t, i, "position_share", "position_position", "position_position_line", false,
                  "Share of the position-position term in the variance of the score of two sums, words with "
                  "entries of "
                  "variance 1 and the sinusoid as it is; theory: for random M, from lengths and means alone.",
                  out);
      add_finding(t, i, "word_share", "word_word", "word_word_line", false, "The same of the word-word term.",
                  out);
      add_finding(t, i, "signal_to_noise", "signal_to_noise", "signal_to_noise_line", false, noise, out);
      if (std::get<std::string>(t.at(i, "matrix")) == "tied")
        add_finding(t, i, "own_line", "position_position", "own_line", false,
                    "The position-position share beside the line for tied weights.", out);
    } else if ((ratio == 0.1 || ratio == 1 || ratio == 16) && t.number(i, "d") == 64) {
      add_finding(t, i, "signal_to_noise", "signal_to_noise", "signal_to_noise_line", true, noise, out);
    }
  }
}

/// The two shares that the claim is judged by, where there are draws enough.
void add_judged(const Table& t, std::vector<Finding>& out) {
  for (std::size_t i = 0; i < t.rows.size(); ++i) {
    const std::string& matrix = std::get<std::string>(t.at(i, "matrix"));
    if (t.number(i, "ratio") != natural_ratio || t.number(i, "d") != 64 || matrix == "gaussian") continue;
    if (t.number(i, "draws") < static_cast<double>(judged_draws)) continue;
    add_finding(t, i, "judged_share", "position_position",
                matrix == "tied" ? "own_line" : "position_position_line", false,
                "The position-position share beside its line, from at least 800 draws: what the rule reads.",
                out);
  }
}

Rule rule() {
  return {
      {.finding = independent,
       .is = Is::equal,
       .bound = "theory",
       .margin = independent_margin,
       .evidence = Evidence::simulation,
       .levels = {{"weights", "Q and K drawn apart"}},
       .says =
           "share of the position–position term in the variance of the score of two sums, random Q and K of "
           "rank 64, d = 64, beside lengths and means alone",
       .needs = many_draws},
      {.finding = tied,
       .is = Is::equal,
       .bound = "theory",
       .margin = tied_margin,
       .evidence = Evidence::simulation,
       .levels = {{"weights", "Q = K"}},
       .says = "the same, Q = K of rank 64, beside the line of tied weights",
       .needs = many_draws}};
}

}  // namespace

Outcome summarise_sums(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  Table table = four_shares_table(cells);
  add_findings(table, outcome.findings);
  add_judged(table, outcome.findings);
  outcome.tables = {std::move(table)};
  outcome.rule = rule();
  const Finding &apart = *find(outcome.findings, "D9.position_share.gaussian.heads.d64"),
                &same = *find(outcome.findings, "D9.own_line.gaussian.tied.d64");
  outcome.condition = fmt::format(
      "at d = 64 the position–position term has {:.4f} of the variance for random Q and K, where lengths and "
      "means alone say {:.4f}, and {:.4f} for Q = K, whose own line says {:.4f}",
      apart.value, *apart.theory, same.value, *same.theory);
  outcome.matters = fmt::format(
      "what the lag alone says is {:.1f} % of all else in such a score, and positions sixteen times as long "
      "as "
      "words make it {:.0f} %",
      100 * find(outcome.findings, "D9.signal_to_noise.gaussian.heads.d64")->value,
      100 * find(outcome.findings, "D9.signal_to_noise.gaussian.heads.d64.rho16")->value);
  return outcome;
}

}  // namespace perp::distance
