#pragma once
// What the claims share: a cell of each given model, and what a rule asks of it.

#include <cmath>

#include "perp/study/claim.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {

/// A departure from chance counts from here on, in standard deviations: one in 370 unrelated tables has it.
inline constexpr double departs = 3;
inline constexpr const char* both_tables = "a model with words and positions (perp inspect MODEL)";

struct OfModel {
  std::string model;
};
PERP_ROW(OfModel, model)
inline const auto model_name = exact("model", "name of the model", &OfModel::model);

using Wanted = bool(const ModelUnderTest&);
/// The models that `wanted` holds for, a cell each.
std::vector<OfModel> cells_of(const Models& models, Wanted wanted);
/// Of these the first of each lineage: several releases of one training are one witness.
std::vector<OfModel> cells_of_lineages(const Models& models, Wanted wanted);

/// Added in their order and divided; NaN of none. The standard deviation is NaN below two.
double mean_of(const std::vector<double>& values);
double sd_of(const std::vector<double>& values);

/// "12 standard deviations above chance", "within three standard deviations of chance (-0.2)".
std::string in_words(double departure);

/// What a claim asks of a model: a condition on its finding `measure`, measured or not.
struct Asked {
  std::string measure;
  Is is;
  Bound bound;
  double margin = 0;  ///< of Is::equal
  Role role = Role::core;
  Levels levels = {};  ///< behind those that name the model
  std::string says, needs = {};
};
void ask(Summary& summary, const ModelUnderTest& model, Asked asked);
/// Of no models a rule that says that it needs `missing`.
void finish(Summary& summary, std::size_t models, std::string_view missing);
/// The finding `models`, by which a figure knows that there is something to show.
void add_count(Summary& summary, std::size_t models);

}  // namespace perp::inspect
