#include "studies/distance/d9_summary.hpp"

#include "perp/base/error.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d9_tables.hpp"

namespace perp::distance {
namespace {

void add_finding(const Table& t, std::size_t i, const char* measure, const std::string& column,
                 const std::string& line, bool with_ratio, const char* meaning, std::vector<Finding>& out) {
  Coordinates where{{"words", t.at(i, "words")}, {"matrix", t.at(i, "matrix")}, {"d", t.at(i, "d")}};
  if (with_ratio) where.emplace_back("rho", t.at(i, "ratio"));
  out.push_back({finding_id("D9", measure, where), where, t.number(i, column), t.number(i, column + "_low"),
                 t.number(i, column + "_high"), decisive, t.number(i, line), "1",
                 static_cast<std::uint64_t>(t.number(i, "draws")), Kind::sampled, meaning});
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

std::string condition(const std::vector<Finding>& findings) {
  const Finding& random = *find(findings, "D9.position_share.gaussian.gaussian.d64");
  const Finding& tied = *find(findings, "D9.position_share.gaussian.tied.d64");
  return fmt::format(
      "for independent random Q and K: position with position has {:.4f} of the variance at d = 64, and "
      "lengths and "
      "means alone say {:.4f}; with Q = K of rank 64 it has {:.3f}",
      random.value, *random.theory, tied.value);
}

}  // namespace

Outcome summarise_sums(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  Table table = four_shares_table(cells);
  add_findings(table, outcome.findings);
  outcome.tables = {std::move(table)};
  for (const char* id : {"gaussian.d64", "heads.d64", "tied.d64"})
    outcome.rule.push_back({fmt::format("D9.position_share.gaussian.{}", id), Is::within, "theory"});
  if (judge(outcome.findings, outcome.rule) == Verdict::conditional)
    outcome.condition = condition(outcome.findings);
  return outcome;
}

}  // namespace perp::distance
