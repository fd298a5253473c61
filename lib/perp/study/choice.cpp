#include "perp/study/choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

/// The study that measures nothing but models.
constexpr std::string_view of_models = "inspect";

const Study* find(const std::vector<Study>& studies, const std::string& name) {
  const auto study = std::ranges::find(studies, name, &Study::name);
  return study == studies.end() ? nullptr : &*study;
}

bool measures(const Study& study, const std::string& claim) {
  return std::ranges::find(study.claims, claim) != study.claims.end();
}

std::vector<std::string> names_of(const std::vector<Study>& studies) {
  std::vector<std::string> names;
  for (const Study& study : studies) names.push_back(study.name);
  return names;
}

/// Throws unless one of the studies named measures the claim.
void check_claim(const std::vector<Study>& studies, const std::vector<std::string>& names,
                 const std::string& claim, bool has_model) {
  const auto owner =
      std::ranges::find_if(studies, [&](const Study& study) { return measures(study, claim); });
  if (owner == studies.end()) {
    std::vector<std::string> all;
    for (const Study& study : studies) all.insert(all.end(), study.claims.begin(), study.claims.end());
    refuse("--only {}: no study has this claim; there are: {}", in_quotes(claim), fmt::join(all, " "));
  }
  require(
      owner->name != of_models || has_model,
      "--only {} is measured of a model: expected --words FILE, --positions FILE or --models FILE with it",
      claim);
  require(std::ranges::find(names, owner->name) != names.end(),
          "--only {}: of the study {}, which is not in --studies \"{}\"", claim, owner->name,
          fmt::join(names, " "));
}

}  // namespace

bool has_option(const Study& study, std::string_view name) {
  const auto is = [&](std::string_view wanted) {
    return std::ranges::any_of(study.extra, [&](const ExtraOption& option) {
      return option.name == wanted && !option.moved && wanted != "list";
    });
  };
  return is(name) && (name != "rows" || is("positions"));
}

std::vector<ExtraOption> options_of(const std::vector<Study>& studies) {
  std::vector<ExtraOption> options;
  for (const Study& study : studies)
    for (const ExtraOption& option : study.extra)
      if (has_option(study, option.name) &&
          std::ranges::find(options, option.name, &ExtraOption::name) == options.end())
        options.push_back(option);
  return options;
}

std::vector<Chosen> choose(const std::vector<Study>& studies, const std::vector<std::string>& names,
                           const std::vector<std::string>& claims, bool has_model) {
  std::vector<std::string> wanted = names;
  if (wanted.empty()) wanted = names_of(studies);
  if (names.empty() && !has_model) std::erase(wanted, of_models);
  for (const std::string& name : wanted)
    require(find(studies, name) != nullptr, "no study {}; there are: {}", in_quotes(name),
            fmt::join(names_of(studies), " "));
  for (const std::string& claim : claims) check_claim(studies, wanted, claim, has_model);
  std::vector<Chosen> chosen;
  for (const std::string& name : wanted) {
    Chosen one{find(studies, name), {}};
    for (const std::string& claim : claims)
      if (measures(*one.study, claim)) one.claims.push_back(claim);
    if (claims.empty() || !one.claims.empty()) chosen.push_back(std::move(one));
  }
  return chosen;
}

Given options_for(const Study& study, const Given& given) {
  Given own = given;
  std::erase_if(own, [&](const auto& option) { return !has_option(study, option.first); });
  return own;
}

void expect_used(const std::vector<Chosen>& chosen, const Given& given) {
  std::vector<std::string> names;
  for (const Chosen& one : chosen) names.push_back(one.study->name);
  for (const auto& option : given)
    require(
        std::ranges::any_of(chosen, [&](const Chosen& one) { return has_option(*one.study, option.first); }),
        "no study of {} has the option --{}", fmt::join(names, " "), option.first);
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t from = text.find_first_not_of(" ,"); from < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" ,", from), text.size());
    names.emplace_back(text.substr(from, end - from));
    from = text.find_first_not_of(" ,", end);
  }
  return names;
}

}  // namespace perp
