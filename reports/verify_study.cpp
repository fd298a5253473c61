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
#include "reports/verify_share.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t largest_record = std::size_t{1} << 20;

json read_run(const fs::path& folder) {
  const fs::path path = folder / "run.json";
  if (!fs::exists(path)) return json::object();
  json record = json::parse(read_file(path, largest_record), nullptr, false);
  require(record.is_object(), "{}: is not a JSON object", path.string());
  return record;
}

/// What bytes depend on besides seed and inputs, with its name in messages.
struct Part {
  const char *name, *pointer;
};
constexpr Part parts[] = {{"program", "/program_sha256"}, {"processor", "/host_cpu"},
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
  for (const Part& part : parts) {
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

/// One decision's part in either run, for a share; else nothing.
Tip tip_of(const Finding& before, const Finding& now) {
  Tip most{0, 0, 0};
  for (const Finding* finding : {&before, &now})
    if (const auto tip = one_decision(estimate(*finding), static_cast<double>(finding->n)))
      most = {std::max(most.value, tip->value), std::max(most.low, tip->low), std::max(most.high, tip->high)};
  return most;
}

/// The parts of a finding besides its value that rounding alone may move: not judged under another seed.
std::vector<std::pair<const char*, Pair>> parts_of(const Finding& before, const Finding& now) {
  std::vector<std::pair<const char*, Pair>> pairs;
  const Tip tip = tip_of(before, now);
  const double spread = now.level ? tolerance::end_moves(static_cast<double>(now.n), *now.level) : 1;
  const auto add = [&](const char* name, Kind kind, std::optional<double> a, std::optional<double> b,
                       double one_decision, double spread) {
    Pair pair{kind, estimate(before), estimate(now), now.unit};
    pair.published.value = a.value_or(std::nan(""));
    pair.fresh.value = b.value_or(std::nan(""));
    pair.one_decision = one_decision;
    pair.spread = spread;
    pairs.emplace_back(name, pair);
  };
  add(".low", now.kind, before.low, now.low, tip.low, spread);
  add(".high", now.kind, before.high, now.high, tip.high, spread);
  add(".theory", Kind::rounded, before.theory, now.theory, 0, 1);
  return pairs;
}

/// What no run may change about a finding that both have: the number would be another one.
std::vector<Moved> apart(const Finding& before, const Finding& now) {
  std::vector<Moved> moved;
  const auto add = [&](const char* name, const std::string& was, const std::string& is) {
    if (was != is)
      moved.push_back({Outcome::failed, before.id + "." + name, was, is, fmt::format("another {}", name)});
  };
  add("kind", std::string(to_text(before.kind)), std::string(to_text(now.kind)));
  add("unit", before.unit, now.unit);
  add("level", shortest(before.level.value_or(std::nan(""))), shortest(now.level.value_or(std::nan(""))));
  add("n", fmt::format("{}", before.n), fmt::format("{}", now.n));
  add("meaning", before.meaning, now.meaning);
  return moved;
}

void verify_finding(const StudyPair& pair, const Finding& before, const Finding& now) {
  Pair value{now.kind, estimate(before), estimate(now), now.unit};
  value.one_decision = tip_of(before, now).value;
  Judgement judged = compare(value, pair.common);
  Moved moved{judged.outcome, before.id, shortest(before.value), shortest(now.value), judged.why};
  if (pair.common != Common::definitions)
    for (const auto& [name, part] : parts_of(before, now)) {
      const Judgement other = compare(part, pair.common);
      if (other.outcome <= moved.outcome) continue;
      moved = {other.outcome, before.id + name, shortest(part.published.value), shortest(part.fresh.value),
               other.why};
    }
  for (Moved& other : apart(before, now))
    if (moved.outcome != Outcome::failed) moved = std::move(other);
  pair.into.note("findings", pair.excused(std::move(moved), false, now.kind));
}

}  // namespace

StudyRun read_study_run(const fs::path& folder) {
  const fs::path file = folder / "results.json";
  require(fs::is_regular_file(file), "{}: not there; make reports writes it", file.string());
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
  const std::vector<std::string> apart = parts_apart(read_run(published.folder), read_run(fresh.folder));
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

void verify_findings(const StudyPair& pair) {
  const std::vector<Finding>&before = pair.published.results.findings, &now = pair.fresh.results.findings;
  for (const Finding& finding : before)
    if (const Finding* other = find(now, finding.id))
      verify_finding(pair, finding, *other);
    else
      pair.into.note("findings", pair.excused({Outcome::failed, finding.id, shortest(finding.value), "–",
                                               "not found again"},
                                              true, finding.kind));
  for (const Finding& finding : now)
    if (!find(before, finding.id))
      pair.into.note("findings", pair.excused({Outcome::failed, finding.id, "–", shortest(finding.value),
                                               "not published"},
                                              true, finding.kind));
}

}  // namespace perp::report
