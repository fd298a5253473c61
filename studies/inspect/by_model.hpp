#pragma once
// What the claims share: cells of the given tables and of Gaussian ones of their shape, the numbers that they
// give, model by model, and what a claim's summary says of each model.

#include <cmath>

#include "perp/study/claim.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {

/// A departure from chance counts from here on, in standard deviations: one in 370 unrelated tables has it.
inline constexpr double departs = 3;
inline constexpr const char* deviations = "standard deviations";
inline constexpr const char* both_tables = "a model with words and positions (perp inspect MODEL)";

struct OfModel {
  std::string model;
};
PERP_ROW(OfModel, model)
/// The tables of a model as they are ("given"), or a draw of Gaussian ones of their shape ("gaussian").
struct Drawn : OfModel {
  std::string table;
  std::size_t draw;
  bool is_given() const { return table == "given"; }
};
PERP_ROW_OF(Drawn, OfModel, table, draw)

inline const auto model_name = exact("model", "name of the model", &OfModel::model);
inline const auto table_name = exact("table", "given, or Gaussian of the same shape", &Drawn::table);

using Wanted = bool(const ModelUnderTest&);
/// The models that `wanted` holds for, one cell each.
std::vector<OfModel> cells_of(const Models& models, Wanted wanted);
/// Their given tables and, unless there is no need of them, the draws of Gaussian ones.
std::vector<Drawn> drawn_cells_of(const Models& models, Wanted wanted, bool with_gaussian = true);

using AddCurves = void(const ModelUnderTest&, const Measurement&, const Drawn&, Rows&);
/// In each cell every number that describes the tables (a NumberRow), and what `add_curves` adds.
void measure_numbers(Experiment& claim, const Models& models, const std::vector<Drawn>& cells,
                     AddCurves add_curves);

/// Added in their order and divided; NaN of none. The standard deviation is NaN below two.
double mean_of(const std::vector<double>& values);
double sd_of(const std::vector<double>& values);

/// One number of the given tables, or of a draw.
struct NumberRow : Drawn {
  std::string part, measure, label;  ///< as a DescribedNumber has them
  double value, chance, sd;
  std::string key() const { return fmt::format("{}.{}", part, measure); }
};
PERP_ROW_OF(NumberRow, Drawn, part, measure, label, value, chance, sd)
/// One number of one model, and the same of its Gaussian tables.
struct Number : Group<NumberRow> {
  AgainstChance given;        ///< beside chance in closed form, where there is one
  std::vector<double> draws;  ///< on Gaussian tables

  explicit Number(const Group<NumberRow>& rows);
  double gaussian_mean() const { return mean_of(draws); }
  double gaussian_sd() const { return sd_of(draws); }
  /// From chance: by the closed form where it has a standard deviation, else by the draws; NaN without.
  double departure() const;
};
/// A model's numbers in the order in which they are said.
struct ModelNumbers : OfModel {
  std::vector<Number> numbers;
  const Number* find(std::string_view key) const;
  const Number& at(std::string_view key) const;  ///< throws Error where it is not there
  double value(std::string_view key) const { return at(key).given.value; }
  std::uint64_t count(std::string_view key) const { return static_cast<std::uint64_t>(value(key)); }
  std::uint64_t pairs() const { return count("words.rows") * count("positions.rows"); }
};
std::vector<ModelNumbers> numbers_by_model(const Cells& cells);

/// "12 standard deviations above chance", "within three standard deviations of chance (-0.2)".
std::string in_words(double departure);

/// What a finding says besides its number.
struct Beside {
  double theory = NAN;  ///< NaN: none
  std::string_view unit = "1";
  Kind kind = Kind::rounded;
  std::uint64_t n = 0;  ///< 0: as many observations as the model's other numbers have
};
/// What a condition compares with; `margin` of Is::equal.
struct Threshold {
  Is is;
  Bound bound;
  double margin = 0;
};

/// What a claim's summary says of its models, one after the other.
class ModelSummaries {
 public:
  ModelSummaries(Summary& summary, const Models& models) : summary_(summary), models_(models) {}

  /// What follows is said of this model, from n observations.
  void begin(const std::string& model, std::uint64_t n = 1);
  /// The finding `measure`; none for a value that is not finite.
  void number(std::string_view measure, const Estimate& estimate, const Beside& beside,
              std::string_view meaning);
  /// A condition of the rule on the finding `measure`, measured or not; `levels` follow those that name the
  /// model. Of a lineage the first model is asked.
  void require_that(Role role, std::string_view measure, const Threshold& threshold, const Levels& levels,
                    std::string_view says, std::string_view needs = {});
  /// A row of the table of sentences; none if `says` is empty.
  void add_sentence(const std::string& says);
  /// Writes the table of sentences to `file`. Where nothing was required: a rule that says that it needs
  /// `missing`, and no findings.
  void finish(std::string_view file, std::string_view missing);

 private:
  struct Sentence : OfModel {
    std::string says;
  };
  Summary& summary_;
  const Models& models_;
  std::string model_;
  std::uint64_t n_ = 1;
  std::vector<Sentence> sentences_;
};

}  // namespace perp::inspect
