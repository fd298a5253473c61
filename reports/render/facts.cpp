#include "reports/render/facts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/study/display.hpp"
#include "reports/render/text.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* results_name = "results.json";

/// Folders `long` and `long-…`, each with the results of one run.
std::set<fs::path> longer_runs(const fs::path& folder) {
  std::set<fs::path> runs;
  if (!fs::is_directory(folder)) return runs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if ((name == "long" || name.starts_with("long-")) && entry.is_directory() && !studies_in(entry).empty())
      runs.insert(entry.path());
  }
  return runs;
}

std::vector<Results> read_studies(const fs::path& folder) {
  require(fs::is_directory(folder), "no folder {} with results; run the studies first (perp report)",
          in_quotes(folder));
  const std::set<std::string> names = studies_in(folder);
  require(!names.empty(), "{} holds no <study>/results.json; run the studies first (perp report)",
          in_quotes(folder));
  std::vector<Results> studies;
  for (const std::string& name : names) {
    studies.push_back(read_results(folder / name));
    require(studies.back().study == name, "{}: is of study '{}'; expected its folder's name",
            (folder / name / results_name).string(), studies.back().study);
    expect_tables_of(studies.back(), folder / name);
  }
  return studies;
}

/// A finding called O1.x.theory could not be told from the theory of O1.x.
void check_id(const std::string& id) {
  static const Pattern form(R"([A-Z][0-9]+(\.[a-z0-9_]+)+)");
  require(form.fits(id), "finding {} is not named as claim.measure.place", in_quotes(id));
  const std::string last = id.substr(id.rfind('.') + 1);
  constexpr std::array<std::string_view, 3> reserved{"interval", "theory", "n"};
  require(std::find(reserved.begin(), reserved.end(), last) == reserved.end(),
          "finding '{}' ends in '{}', which templates read as a part of a finding", id, last);
}

bool same_interval(const std::optional<Interval>& a, const std::optional<Interval>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  // Another machine's mathematical functions may differ in a last bit.
  const double tolerance = 1e-9 * std::max(std::abs(a->low), std::abs(a->high));
  return std::abs(a->low - b->low) <= tolerance && std::abs(a->high - b->high) <= tolerance &&
         std::abs(a->level - b->level) <= 1e-9;
}

/// What the file says and what its rule and findings give.
void check_judgement(const Claim& claim, const Judgement& computed) {
  const Judgement& said = claim.judgement;
  require(computed.verdict == said.verdict && computed.limited == said.limited,
          "claim {}: the file says {}, its rule and findings say {}", claim.id, to_text(said),
          to_text(computed));
  require(computed.factor == said.factor,
          "claim {}: the file says that it depends on '{}', its rule and findings on '{}'", claim.id,
          said.factor, computed.factor);
  require(std::abs(computed.strict_level - said.strict_level) <= 1e-9,
          "claim {}: the file judges at the level {}, its rule says {}", claim.id, said.strict_level,
          computed.strict_level);
  for (std::size_t i = 0; i < claim.rule.size(); ++i) {
    require(computed.readings[i].answer == said.readings.at(i).answer,
            "claim {}: the file says that the condition on {} {}, its finding says {}", claim.id,
            in_quotes(claim.rule[i].finding), to_text(said.readings[i].answer),
            to_text(computed.readings[i].answer));
    require(same_interval(computed.readings[i].interval, said.readings[i].interval),
            "claim {}: the interval of the condition on {} does not follow from its finding", claim.id,
            in_quotes(claim.rule[i].finding));
  }
}

/// A condition without a finding gives way to measured ones with its levels.
bool gives_way(const Condition& condition, const Rule& others) {
  if (!condition.finding.empty()) return false;
  return std::ranges::any_of(others, [&](const Condition& other) {
    const auto has = [&](const auto& level) { return std::ranges::count(other.levels, level) > 0; };
    return !other.finding.empty() && std::ranges::all_of(condition.levels, has);
  });
}

/// The level that a condition has of a factor, if any.
std::optional<std::string> level_of(const Condition& condition, std::string_view factor) {
  for (const auto& [name, level] : condition.levels)
    if (name == factor) return level;
  return std::nullopt;
}

/// Appends the conditions of evidence: a missing level once, and a file that the claim's own study was given,
/// too, once.
void add_conditions(Rule& rule, const Rule& evidence) {
  const Rule own = rule;
  for (const Condition& condition : evidence) {
    const std::optional<std::string> file = level_of(condition, "file");
    const bool known = std::any_of(own.begin(), own.end(), [&](const Condition& other) {
      const bool missing = condition.finding.empty() && other.finding.empty();
      return (file && level_of(other, "file") == file) || (missing && other.levels == condition.levels);
    });
    if (!known) rule.push_back(condition);
  }
}

std::tuple<char, std::size_t, std::string> as_counted(const Claim* claim) {
  return {claim->id.front(), claim->id.size(), claim->id};
}

const Claim* find_claim(const std::vector<Claim>& claims, std::string_view id) {
  const auto it = std::ranges::find(claims, id, &Claim::id);
  return it == claims.end() ? nullptr : &*it;
}

void check_claim(const Results& study, const Claim& claim) {
  static const Pattern form("[A-Z][0-9]+");
  require(form.fits(claim.id), "claim {} is not named by a letter and a number", in_quotes(claim.id));
  for (const std::string& id : claim.findings)
    require(find(study.findings, id) != nullptr, "claim {} names the finding {}, which is not there",
            claim.id, in_quotes(id));
  if (claim.rule.empty()) {
    require(claim.verdict() == Verdict::unmeasured, "claim {}: the file says {} and has no rule", claim.id,
            to_text(claim.verdict()));
    return;
  }
  check_judgement(claim, judge(study.findings, claim.rule));
}

}  // namespace

std::set<std::string> studies_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (fs::is_regular_file(entry.path() / results_name)) names.insert(entry.path().filename().string());
  return names;
}

Results read_results(const fs::path& study) {
  return results_from_json(read_file(study / results_name), (study / results_name).string());
}

Facts::Facts(fs::path folder) : Facts(folder, read_studies(folder)) {}

Facts::Facts(fs::path folder, std::vector<Results> studies)
    : folder_(std::move(folder)), studies_(std::move(studies)) {
  check();
  for (const Results& results : studies_)
    findings_.insert(findings_.end(), results.findings.begin(), results.findings.end());
  add_what_longer_runs_measured();
  join();
}

void Facts::add_what_longer_runs_measured() {
  for (const fs::path& run : longer_runs(folder_)) {
    const std::vector<Results>& there = runs_[run.filename().string()] = Facts(run).studies();
    for (const Results& results : there)
      for (const Finding& finding : results.findings)
        if (!std::isnan(finding.value) && !find(longer_, finding.id)) longer_.push_back(finding);
  }
  for (Results& results : studies_)
    for (Claim& claim : results.claims) {
      bool is_new = false;
      for (std::size_t i = 0; i < claim.rule.size(); ++i) {
        const Finding* measured = find(longer_, claim.rule[i].finding);
        // What is there of too few draws is shown, and judges nothing.
        if (!measured || claim.judgement.readings[i].answer != Answer::unmeasured) continue;
        is_new = true;
        if (!of_long_.insert(measured->id).second) continue;
        std::erase_if(findings_, [&](const Finding& here) { return here.id == measured->id; });
        findings_.push_back(*measured);
      }
      if (is_new) claim.judgement = judge(findings_, claim.rule);
    }
}

void Facts::join() {
  claims_.clear();
  for (const Results& results : studies_)
    for (const Claim* claim : in_order(results))
      if (claim->is_claim() || (!claim->of.empty() && entry(claim->of) == nullptr)) claims_.push_back(*claim);
  for (Claim& claim : claims_) {
    for (const Results& results : studies_)
      for (const Claim* evidence : in_order(results))
        if (evidence->of == claim.id && evidence->id != claim.id) add_conditions(claim.rule, evidence->rule);
    const Rule all = claim.rule;
    std::erase_if(claim.rule, [&](const Condition& condition) { return gives_way(condition, all); });
    keep_one_of_each_lineage(claim.rule);
    if (!claim.rule.empty()) claim.judgement = judge(findings_, claim.rule);
  }
}

void Facts::check() const {
  std::set<std::string> ids;
  const auto once = [&](const std::string& id) {
    require(ids.insert(id).second, "'{}' is defined twice", id);
  };
  for (const Results& results : studies_) {
    try {
      for (const Finding& finding : results.findings) check_id(finding.id), once(finding.id);
      for (const Claim& claim : results.claims) check_claim(results, claim), once(claim.id);
    } catch (const Error& error) {
      refuse("{}: {}", (folder_ / results.study / "results.json").string(), error.what());
    }
  }
}

void Facts::arrange(const std::vector<std::string>& order) {
  const auto rank = [&](const Results& r) {
    return std::find(order.begin(), order.end(), r.study) - order.begin();
  };
  std::ranges::stable_sort(studies_, {}, rank);
  join();
}

const Results* Facts::study(std::string_view name) const {
  const auto it = std::ranges::find(studies_, name, &Results::study);
  return it == studies_.end() ? nullptr : &*it;
}

const Results* Facts::study_of_claim(std::string_view id) const {
  const auto it =
      std::ranges::find_if(studies_, [&](const Results& r) { return find_claim(r.claims, id) != nullptr; });
  return it == studies_.end() ? nullptr : &*it;
}

const Claim* Facts::claim(std::string_view id) const { return find_claim(claims_, id); }

const Claim* Facts::entry(std::string_view id) const {
  const Results* study = study_of_claim(id);
  return study ? find_claim(study->claims, id) : nullptr;
}

const Finding* Facts::finding(std::string_view id) const {
  const Finding* longer = find(longer_, id);
  for (const Results& results : studies_)
    if (const Finding* here = find(results.findings, id)) {
      const std::uint64_t drawn = here->low ? here->n : 1;
      const std::uint64_t replicates = here->spread ? here->spread->replicates : drawn;  // 0: a law gives it
      const bool is_of_few = here->kind == Kind::sampled && 0 < replicates && replicates < fewest_replicates;
      return longer && is_of_few ? longer : here;
    }
  return longer;
}

fs::path Facts::table_path(std::string_view name) const {
  static const Pattern form(R"((long(?:-[a-z]+)?/)?([a-z0-9_]+)/([a-z0-9_]+\.csv))");
  const std::vector<std::string> match = form.match(name);
  require(!match.empty(), "table {} is not named <study>/<table>.csv", in_quotes(name));
  // A long run that is the report itself has them at its own place.
  const bool is_here =
      !studies_.empty() && studies_.front().preset == "long" && !fs::is_directory(folder_ / match[1]);
  return folder_ / (is_here ? "" : match[1]) / match[2] / match[3];
}

const Table& Facts::table_definition(std::string_view name) const {
  const fs::path path = table_path(name), folder = path.parent_path();
  const auto run = runs_.find(folder.parent_path().filename().string());
  const std::vector<Results>& there =
      run != runs_.end() && folder.parent_path().parent_path() == folder_ ? run->second : studies_;
  const auto results = std::ranges::find(there, folder.filename().string(), &Results::study);
  require(results != there.end(), "table '{}': that study has no results here", name);
  const auto table = std::ranges::find(results->tables, path.filename().string(), &Table::file);
  require(table != results->tables.end(), "table '{}': its study's results.json defines no such table", name);
  return *table;
}

Csv Facts::table(std::string_view name) const {
  const Table& definition = table_definition(name);
  Csv csv = read_csv(table_path(name));
  require(std::ranges::equal(csv.columns, definition.columns, {}, {}, &Column::name),
          "{}: its columns are not those that results.json defines", csv.name);
  return csv;
}

std::vector<const Claim*> in_order(const Results& study) {
  std::vector<const Claim*> claims;
  for (const Claim& claim : study.claims) claims.push_back(&claim);
  std::ranges::stable_sort(claims, {}, as_counted);
  return claims;
}

}  // namespace perp::report
