#include "studies/inspect/claims.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "perp/base/error.hpp"
#include "perp/statistics/moments.hpp"

namespace perp::inspect {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

void add_readings(const Look& look, Records& records) {
  for (const Reading& r : readings(look.seen))
    records.push_back({"number",
                       {{"key", fmt::format("{}.{}", r.table, r.measure)},
                        {"label", r.label},
                        {"value", r.number.value},
                        {"chance", r.number.chance},
                        {"sd", r.number.sd}}});
  if (!look.portrait) return;
  const auto add = [&](const char* key, const char* label, double value, double chance) {
    records.push_back({"number",
                       {{"key", std::string(key)},
                        {"label", std::string(label)},
                        {"value", value},
                        {"chance", chance},
                        {"sd", none}}});
  };
  const distance::Portrait& p = *look.portrait;
  add("positions.r2_apart", "R2 of the distance, different rows", p.r2_apart, none);
  add("positions.neighbours", "nearest row is a neighbour", p.neighbours,
      2 / static_cast<double>(look.seen.positions->numbers.rows - 1));
  add("positions.norm_spread", "spread of lengths", p.norm_spread, none);
}

}  // namespace

const Subject& subject_named(const Subjects& subjects, const std::string& name) {
  for (const Subject& subject : *subjects)
    if (subject.name() == name) return subject;
  fail("no model '{}'", name);
}

std::vector<std::string> depends(const Subjects& subjects) {
  std::vector<std::string> out;
  for (const Subject& subject : *subjects) {
    out.push_back(subject.name());
    out.insert(out.end(), subject.hashes().begin(), subject.hashes().end());
  }
  return out;
}

std::vector<Cell> cells_of(const Subjects& subjects, const Plan& plan) {
  std::vector<Cell> cells;
  for (const Subject& subject : *subjects) {
    if (!plan.wants(subject)) continue;
    cells.push_back({{{"model", subject.name()}, {"table", std::string("given")}, {"draw", whole(0)}}, 2});
    for (std::size_t draw = 0; plan.gaussian && draw < subject.draws(); ++draw)
      cells.push_back(
          {{{"model", subject.name()}, {"table", std::string("gaussian")}, {"draw", whole(draw)}}, 1});
  }
  return cells;
}

Records run_cell(const Subjects& subjects, const Plan& plan, const Cell& cell) {
  const Subject& subject = subject_named(subjects, text_at(cell.at, "model"));
  const bool drawn = text_at(cell.at, "table") == "gaussian";
  const std::size_t draw = size_at(cell.at, "draw");
  const Look& look = drawn ? subject.gaussian(draw) : subject.given();
  Records records;
  add_readings(look, records);
  if (plan.curves) plan.curves(subject, look, drawn ? std::optional(draw) : std::nullopt, records);
  return records;
}

double Number::gaussian_mean() const {
  double sum = 0;
  for (const double x : draws) sum += x;
  return draws.empty() ? none : sum / static_cast<double>(draws.size());
}

double Number::gaussian_sd() const {
  if (draws.size() < 2) return none;
  double square = 0;
  const double mean = gaussian_mean();
  for (const double x : draws) square += (x - mean) * (x - mean);
  return std::sqrt(square / static_cast<double>(draws.size() - 1));
}

double Number::departure() const {
  const double closed_form = closed.departure();
  if (!std::isnan(closed_form)) return closed_form;
  const double sd = gaussian_sd();
  return sd > 0 ? (closed.value - gaussian_mean()) / sd : none;
}

Numbers::Numbers(const std::vector<CellRecords>& cells) {
  for (const Coordinates& r : records_of(cells, "number")) {
    const std::string &model = text_at(r, "model"), &key = text_at(r, "key");
    const double value = number_at(r, "value");
    if (text_at(r, "table") == "gaussian") {
      // Sizes and scales are given, not measured.
      const bool given = key.ends_with(".rows") || key.ends_with(".mean_norm");
      if (std::isfinite(value) && !given) numbers_[{model, key}].draws.push_back(value);
      continue;
    }
    if (std::ranges::find(models_, model) == models_.end()) models_.push_back(model);
    order_.emplace_back(model, key);
    Number& number = numbers_[{model, key}];
    number.label = text_at(r, "label");
    number.closed = {value, number_at(r, "chance"), number_at(r, "sd")};
  }
}

const Number* Numbers::find(const std::string& model, const std::string& key) const {
  const auto it = numbers_.find({model, key});
  return it == numbers_.end() ? nullptr : &it->second;
}

double Numbers::value(const std::string& model, const std::string& key) const {
  const Number* number = find(model, key);
  return number ? number->closed.value : none;
}

std::string in_words(double departure) {
  if (std::isnan(departure)) return "the same in every Gaussian table";
  if (std::abs(departure) < departs) return fmt::format("at chance, {:+.1f} standard deviations", departure);
  return fmt::format("{:.{}f} standard deviations {} chance", std::abs(departure),
                     std::abs(departure) < 100 ? 1 : 0, departure > 0 ? "above" : "below");
}

void Verdicts::add(const char* measure, const std::string& model, Estimate estimate, About about) {
  if (!std::isfinite(estimate.value)) return;
  outcome.findings.push_back(finding(claim, measure, {{"model", model}}, estimate, std::move(about)));
}

void Verdicts::ask(const char* measure, const std::string& model, Condition condition) {
  condition.finding = finding_id(claim, measure, {{"model", model}});
  condition.evidence = Evidence::released;
  Levels levels{{"evidence", "released"}, {"model", model}};
  levels.insert(levels.end(), condition.levels.begin(), condition.levels.end());
  condition.levels = std::move(levels);
  condition.says = fmt::format("{}: {}", model, condition.says);
  outcome.rule.push_back(std::move(condition));
}

void Verdicts::say(const std::string& model, std::string sentence, const std::string& brief) {
  found.push_back(fmt::format("{}: {}", model, brief));
  Table* models = nullptr;
  std::string file = fmt::format("{}_models.csv", claim);
  std::ranges::transform(file, file.begin(), [](unsigned char c) { return std::tolower(c); });
  for (Table& table : outcome.tables)
    if (table.file == file) models = &table;
  if (!models) {
    outcome.tables.push_back(
        {file,
         {{"model", "", Kind::exact, "name of the model"},
          {"says", "", Kind::sampled, "what the claim's numbers say of it, in a sentence"}},
         {}});
    models = &outcome.tables.back();
  }
  models->add({model, std::move(sentence)});
}

Outcome Verdicts::finish(const std::string& missing) {
  if (outcome.rule.empty()) {
    outcome.rule = {{.finding = {},
                     .evidence = Evidence::released,
                     .levels = {{"evidence", "released"}},
                     .says = "a released model's tables",
                     .needs = "a released model: make reports MODELS=FILE"}};
    outcome.condition = missing;
    outcome.findings.clear();  // they decide nothing, and the section does not show them
    std::erase_if(outcome.tables, [](const Table& table) { return table.rows.empty(); });
    return std::move(outcome);
  }
  // A name that is always there when the claim is measured: figures ask for it.
  outcome.findings.push_back(
      finding(claim, "models", {}, {static_cast<double>(found.size())},
              {.unit = "models", .meaning = "Models that have what the claim needs."}));
  outcome.condition = fmt::format("{}", fmt::join(found, "; "));
  return std::move(outcome);
}

}  // namespace perp::inspect
