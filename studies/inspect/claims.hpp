#pragma once
// Study `inspect`: what people claim of positions and words, held against the tables of given models. One
// function per claim; each returns its experiment, which is evidence for the claim that it tests: each model
// adds its own conditions to that claim's rule.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "perp/study/experiment.hpp"
#include "studies/inspect/subject.hpp"

namespace perp::inspect {

/// A departure from chance counts from here on, in standard deviations: one in 370 unrelated tables has it.
inline constexpr double departs = 3;

Experiment unrelated(const Subjects& subjects);                                // M1: O2
Experiment dimensions(const Subjects& subjects);                               // M2: O3
Experiment subspaces(const Subjects& subjects);                                // M3: O4
Experiment lag_alone(const Subjects& subjects);                                // M4: D1
Experiment nearby(const Subjects& subjects);                                   // M5: D2
Experiment through_weights(const Subjects& subjects, const Options& options);  // M6: D6
Experiment after_layer_norm(const Subjects& subjects);                         // M7: Q2
Experiment like_sinusoids(const Subjects& subjects);                           // M8: Q4
Experiment published(const Subjects& subjects, const Options& options);        // M9: beside the claims

// ---- what they share
// --------------------------------------------------------------------------------------

/// What is measured of one model: which cells it has, what one gives.
struct Plan {
  std::function<bool(const Subject&)> wants;
  bool gaussian = true;  ///< the same measures on Gaussian tables of its shape, too
  /// Curves of the given tables, besides the readings; `draw` is nothing for these, and the number of the
  /// draw for Gaussian ones.
  std::function<void(const Subject&, const Look&, std::optional<std::size_t> draw, Records&)> curves = {};
};
std::vector<Cell> cells_of(const Subjects& subjects, const Plan& plan);
Records run_cell(const Subjects& subjects, const Plan& plan, const Cell& cell);
/// Hashes of all subjects' inputs.
std::vector<std::string> depends(const Subjects& subjects);
const Subject& subject_named(const Subjects& subjects, const std::string& name);

/// One reading of one model with its draws on Gaussian tables.
struct Number {
  std::string label;
  AgainstChance closed;       ///< beside chance in closed form, where there is one
  std::vector<double> draws;  ///< on Gaussian tables

  double gaussian_mean() const;
  double gaussian_sd() const;  ///< NaN below two draws
  /// From chance: by the closed form where it has a standard deviation, else by the draws; NaN without.
  double departure() const;
};

/// Readings by model and "table.measure", as run_cell recorded them.
class Numbers {
 public:
  explicit Numbers(const std::vector<CellRecords>& cells);
  const std::vector<std::string>& models() const { return models_; }
  const Number* find(const std::string& model, const std::string& key) const;
  double value(const std::string& model, const std::string& key) const;  ///< NaN where it is not there
  const std::vector<std::pair<std::string, std::string>>& order() const { return order_; }  ///< model, key

 private:
  std::vector<std::string> models_;
  std::vector<std::pair<std::string, std::string>> order_;
  std::map<std::pair<std::string, std::string>, Number> numbers_;
};

/// "12 standard deviations above chance", "at chance (-.2 standard deviations)".
std::string in_words(double departure);

/// A claim's findings, rule and sentences, gathered model by model.
struct Verdicts {
  std::string claim;
  Outcome outcome;
  std::vector<std::string> found = {};  ///< one per model: its name, and the numbers that decide

  /// The finding claim.measure.model; none for a value that is not finite.
  void add(const char* measure, const std::string& model, Estimate estimate, About about);
  /// A condition of the rule on the finding `measure` of the model, measured or not. `condition` gives its
  /// relation, bound and role, and what the number is; its levels follow those that name the model.
  void ask(const char* measure, const std::string& model, Condition condition);
  /// `sentence` for the table <claim>_models.csv, `brief` for the outcome's condition.
  void say(const std::string& model, std::string sentence, const std::string& brief);
  /// The outcome; unmeasured with `missing`, and a condition that says what it needs, if nothing was asked.
  Outcome finish(const std::string& missing);
};

}  // namespace perp::inspect
