#include "reports/render/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "reports/render/claims.hpp"
#include "reports/render/escape.hpp"
#include "reports/render/record.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;

/// "1:05", or "–" where no timings.json says.
std::string time_of(const fs::path& folder) {
  const nlohmann::json record = read_record(folder / "timings.json");
  if (!record.contains("total_s") || !record["total_s"].is_number()) return "–";
  const long seconds = static_cast<long>(record["total_s"].get<double>() + 0.5);
  return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

/// As the report judges them: by the findings of all studies.
std::string verdicts(const Facts& facts, const Results& study) {
  std::vector<const Claim*> claims;
  for (const Claim& own : study.claims)
    if (const Claim* claim = facts.claim(own.id)) claims.push_back(claim);
  std::vector<std::string> parts;
  for (const Verdict verdict : std::array{Verdict::is_true, Verdict::depends, Verdict::is_false,
                                          Verdict::open, Verdict::unmeasured}) {
    const auto is = [&](const Claim* claim) { return claim->verdict() == verdict; };
    if (const auto times = std::ranges::count_if(claims, is); times > 0)
      parts.push_back(fmt::format("{} {}", times, to_text(verdict)));
  }
  std::string text = claims.empty()
                         ? ""
                         : fmt::format("{} {}: {}", claims.size(), claims.size() == 1 ? "claim" : "claims",
                                       fmt::join(parts, ", "));
  if (const std::size_t others = study.claims.size() - claims.size(); others > 0)
    text += fmt::format("{}{} of evidence or pictures", text.empty() ? "" : "; ", others);
  return text;
}

/// By the findings of all studies: of another one, too.
bool is_judged(const Facts& facts, const std::string& id) {
  const Claim* claim = facts.claim(id);
  return claim && claim->verdict() != Verdict::unmeasured;
}

}  // namespace

std::string summary(const Facts& facts) {
  std::string text, missing;
  for (const Results& study : facts.studies()) {
    text += fmt::format("  {:<15}{:>6}  {}\n", study.study, time_of(facts.folder() / study.study),
                        verdicts(facts, study));
    for (const Claim& claim : study.claims)
      if (!claim.of.empty() &&  // a table or a picture beside the claims needs nothing
          !is_judged(facts, claim.id) &&
          std::ranges::all_of(claim.judgement.readings,
                              [](const Reading& reading) { return reading.answer == Answer::unmeasured; }))
        missing +=
            fmt::format("  {} not measured: {}\n", claim.id, without_escapes(found_text(facts, claim, {})));
  }
  return text + missing;
}

}  // namespace perp::report
