#include "reports/verify_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/numbers.hpp"
#include "reports/record.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// What bytes depend on besides seed and inputs, with its name in messages.
struct Dependence {
  const char *name, *pointer;
};
constexpr Dependence dependences[] = {
    {"program", "/program_sha256"}, {"processor", "/host_cpu"},
    {"processor", "/cpu_model"},    {"BLAS", "/blas/name"},
    {"BLAS", "/blas/version"},      {"BLAS", "/blas/kernel"},
    {"BLAS library", "/blas/path"}, {"LAPACK library", "/blas/lapack_path"}};

std::string field(const json& record, const char* pointer) {
  const json::json_pointer at(pointer);
  return record.contains(at) && record[at].is_string() ? record[at].get<std::string>() : "";
}

/// The names of the parts that differ; one that a run did not record counts as different.
std::vector<std::string> parts_apart(const json& published, const json& fresh) {
  std::vector<std::string> names;
  for (const Dependence& part : dependences) {
    const std::string before = field(published, part.pointer);
    const bool same = !before.empty() && before == field(fresh, part.pointer);
    if (!same && (names.empty() || names.back() != part.name)) names.emplace_back(part.name);
  }
  return names;
}

bool rounding_grows_in(const Results& results) {
  return std::ranges::any_of(results.parameters, [](const auto& parameter) {
    return parameter == Coordinate(rounding_parameter, rounding_grows);
  });
}

Estimate estimate(const Finding& finding) {
  return {finding.value, finding.low, finding.high, finding.level};
}

/// What one decision that falls on the other side makes of a share of trials, and of the ends of its
/// interval.
struct Tip {
  double value = 0, end = 0;
};
Tip tip_of(const Finding& finding) {
  if (!finding.spread || !finding.spread->share || !finding.level) return {};
  const double decision = 1.0 / static_cast<double>(finding.spread->share->trials);
  const auto& groups = finding.spread->mean;
  return {decision, decision * tolerance::end_of_share(groups ? groups->freedom : INFINITY, *finding.level)};
}

/// Value, ends of the interval and theory, each as a number that moves; another seed is judged by the value
/// alone.
std::vector<std::pair<const char*, Pair>> numbers_of(const Finding& before, const Finding& now,
                                                     Common common) {
  const Tip tip = tip_of(now);
  Pair value{now.kind, estimate(before), estimate(now), now.unit};
  value.one_decision = tip.value;
  std::vector<std::pair<const char*, Pair>> numbers{{"", value}};
  if (common == Common::definitions) return numbers;
  const auto add = [&](const char* name, std::optional<double> Finding::*part) -> Pair& {
    Pair pair = value;
    pair.published.value = (before.*part).value_or(std::nan(""));
    pair.fresh.value = (now.*part).value_or(std::nan(""));
    return numbers.emplace_back(name, std::move(pair)).second;
  };
  for (const auto& [name, end] : {std::pair{".low", &Finding::low}, {".high", &Finding::high}}) {
    Pair& pair = add(name, end);
    pair.one_decision = tip.end;
    pair.spread = now.level ? tolerance::end_moves(static_cast<double>(now.n), *now.level) : 1;
  }
  Pair& theory = add(".theory", &Finding::theory);
  theory.kind = Kind::rounded;
  theory.one_decision = 0;
  return numbers;
}

void verify_finding(const StudyPair& pair, const Finding& before, const Finding& now) {
  Moved moved{Outcome::equal, before.id, "", "", ""};
  if (const auto other =
          apart(before.id, {{"kind", std::string(to_text(before.kind)), std::string(to_text(now.kind))},
                            {"unit", before.unit, now.unit},
                            {"level", shortest(before.level.value_or(std::nan(""))),
                             shortest(now.level.value_or(std::nan("")))},
                            {"n", fmt::format("{}", before.n), fmt::format("{}", now.n)},
                            {"meaning", before.meaning, now.meaning}}))
    moved = *other;
  for (const auto& [name, number] : numbers_of(before, now, pair.common))
    if (const Judgement judged = compare(number, pair.common); judged.outcome > moved.outcome)
      moved = {judged.outcome, before.id + name, shortest(number.published.value),
               shortest(number.fresh.value), judged.why};
  pair.into.note("findings", pair.excused(std::move(moved), false, now.kind));
}

}  // namespace

StudyRun read_study_run(const fs::path& folder) {
  const fs::path file = folder / "results.json";
  require(fs::is_regular_file(file), "{}: not there; perp report writes it", file.string());
  return {folder, results_from_json(read_file(file), file.string())};
}

std::string InputsApart::names() const {
  std::set<std::string> all = absent;
  all.insert(other.begin(), other.end());
  return fmt::format("{}", fmt::join(all, ", "));
}

InputsApart inputs_apart(const Results& published, const Results& fresh) {
  std::map<std::string, std::string> before, now;
  for (const Input& input : published.inputs) before[input.name] = input.sha256;
  for (const Input& input : fresh.inputs) now[input.name] = input.sha256;
  InputsApart apart;
  for (const auto& [name, hash] : before)
    if (!now.contains(name))
      apart.absent.insert(name);
    else if (now.at(name) != hash)
      apart.other.insert(name);
  for (const auto& [name, hash] : now)
    if (!before.contains(name)) apart.absent.insert(name);
  return apart;
}

Common common_of(const StudyRun& published, const StudyRun& fresh, std::string& why) {
  const std::vector<std::string> apart =
      parts_apart(read_record(published.folder / "run.json"), read_record(fresh.folder / "run.json"));
  if (published.results.seed != fresh.results.seed) {
    why = fmt::format("seed {} here, {} published: what was sampled by its interval, the rest by its kind",
                      fresh.results.seed, published.results.seed);
    return Common::definitions;
  }
  const InputsApart inputs = inputs_apart(published.results, fresh.results);
  if (apart.empty() && inputs.none()) {
    why = "same program, processor, BLAS and seed: byte for byte";
    return Common::bytes;
  }
  const std::string other = apart.empty() ? "input" : fmt::format("{}", fmt::join(apart, ", "));
  if (rounding_grows_in(fresh.results)) {
    why = fmt::format("another {}, where rounding grows: what was sampled by its interval", other);
    return Common::definitions;
  }
  why = fmt::format("another {}, same seed: every number by its kind", other);
  return Common::draws;
}

Moved StudyPair::excused(Moved moved, bool missing, Kind kind) const {
  const bool explained = missing ? !inputs.none() : kind == Kind::sampled && !inputs.other.empty();
  if (moved.outcome != Outcome::failed || !explained) return moved;
  moved.outcome = Outcome::skipped;
  moved.why = fmt::format("{} {}", inputs.names(), missing ? "absent or another file" : "another file");
  return moved;
}

std::optional<Moved> apart(const std::string& where, const std::vector<Part>& parts) {
  const auto other = std::ranges::find_if(parts, [](const Part& p) { return p.published != p.fresh; });
  if (other == parts.end()) return std::nullopt;
  return Moved{Outcome::failed, fmt::format("{}.{}", where, other->name), other->published, other->fresh,
               fmt::format("another {}", other->name)};
}

void verify_findings(const StudyPair& pair) {
  side_by_side(pair, "findings", pair.published.results.findings, pair.fresh.results.findings, &Finding::id,
               [&](const Finding& before, const Finding& now) { verify_finding(pair, before, now); });
}

void verify_results(const StudyPair& pair) {
  verify_findings(pair);
  verify_claims(pair);
  verify_tables(pair);
}

}  // namespace perp::report
