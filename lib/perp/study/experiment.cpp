#include "perp/study/experiment.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>

#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/file.hpp"
#include "perp/io/inputs.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/io/written.hpp"
#include "perp/study/cells.hpp"
#include "perp/study/display.hpp"
#include "perp/study/provenance.hpp"
#include "perp/study/start.hpp"

namespace perp {

std::vector<std::size_t> doubling(std::size_t first, std::size_t last) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = first; size <= last; size *= 2) sizes.push_back(size);
  return sizes;
}

std::vector<std::size_t> first(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

Records records_of(std::vector<Row> rows) {
  Records records;
  for (const Row& row : rows) records.push_back({row.table, row.kept()});
  return records;
}

std::string whole_id(std::string_view claim, std::string_view id) {
  const bool is_whole = id.empty() || id == "theory" || std::isupper(static_cast<unsigned char>(id.front()));
  return is_whole ? std::string(id) : fmt::format("{}.{}", claim, id);
}

namespace {

/// Where its first sentence, or the part of it before "; ", ends. A point in a number (".1", "99.9%") or behind
/// an abbreviation ("et al. 2019") ends none.
std::size_t first_part(std::string_view text) {
  const auto is_capital = [&](std::size_t at) { return std::isupper(static_cast<unsigned char>(text[at])); };
  for (std::size_t at = 1; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (rest == "." || rest.starts_with("; ") ||
        (rest.starts_with(". ") && rest.size() > 2 && is_capital(at + 2)))
      return at;
  }
  return text.size();
}

}  // namespace

std::string words_of(const Finding& finding) {
  std::string text = finding.meaning.substr(0, first_part(finding.meaning));
  if (text.size() > 1 && (text[1] == ' ' || std::islower(static_cast<unsigned char>(text[1]))))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  for (const auto& [name, value] : finding.at) {
    const std::string said = display_name(to_text(value), name);
    text += std::holds_alternative<std::string>(value) ? fmt::format(", {}", said)
                                                       : fmt::format(", {} = {}", name, said);
  }
  return text;
}

void complete(Outcome& outcome, std::string_view claim) {
  for (Condition& line : outcome.rule) {
    line.finding = whole_id(claim, line.finding);
    const Finding* found = find(outcome.findings, line.finding);
    if (line.says.empty() && found) line.says = words_of(*found);
    if (auto* id = std::get_if<std::string>(&line.bound)) *id = whole_id(claim, *id);
  }
}

Experiment evidence_for(std::string_view claim, Experiment experiment) {
  experiment.of = claim;
  return experiment;
}

Experiment beside_the_claims(Experiment experiment) { return evidence_for("", std::move(experiment)); }

namespace {

using Clock = std::chrono::steady_clock;

/// What follows from an experiment's cells, and the verdict; its errors name the claim.
std::pair<Outcome, Judgement> follow(const Experiment& experiment, const std::vector<CellRecords>& cells) {
  try {
    Outcome outcome = experiment.summarise(cells);
    Judgement judgement = judge(outcome.findings, outcome.rule);
    return {std::move(outcome), std::move(judgement)};
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", experiment.claim, error.what()), error.exit());
  }
}

Results conclude(const Study& study, const Options& options, const Prepared& prepared,
                 const std::vector<Experiment>& experiments, const Measured& measured) {
  Results results{study.name,
                  std::string(to_text(options.preset)),
                  options.seed,
                  prepared.parameters,
                  prepared.inputs,
                  {},
                  {},
                  {}};
  for (std::size_t e = 0; e < experiments.size(); ++e) {
    const Experiment& experiment = experiments[e];
    auto [outcome, judgement] = follow(experiment, measured.records[e]);
    Claim claim{experiment.claim,
                experiment.statement,
                experiment.source,
                experiment.of,
                std::move(judgement),
                outcome.rule,
                {}};
    for (Finding& finding : outcome.findings) {
      claim.findings.push_back(finding.id);
      results.findings.push_back(std::move(finding));
    }
    results.claims.push_back(std::move(claim));
    for (Table& table : outcome.tables) results.tables.push_back(std::move(table));
  }
  return results;
}

/// Of what the study prepares. Throws Error for a claim that lacks a part, or that study.cpp lists without
/// preparing it, or the other way round: nobody would miss it.
std::vector<Experiment> wanted(const Study& study, std::vector<Experiment> experiments,
                               const Options& options) {
  for (const Experiment& experiment : experiments) {
    const std::string& claim = experiment.claim;
    require(std::ranges::count(study.claims, claim) > 0,
            "{}: prepared by study '{}' and missing in its list of claims (study.cpp)", claim, study.name);
    require(!experiment.statement.empty() && !experiment.source.empty(),
            "{}: a claim has a statement and a source, such as [d]", claim);
  }
  for (const std::string& claim : options.only)
    require(std::ranges::count(experiments, claim, &Experiment::claim) > 0,
            "{}: in the list of claims of study '{}' and not prepared (study.cpp)", claim, study.name);
  std::erase_if(experiments, [&](const Experiment& experiment) { return !options.wants(experiment.claim); });
  return experiments;
}

/// What has a name that a table of these claims may get is to be an earlier run's, too.
void expect_place_for_tables(const std::filesystem::path& folder,
                             const std::vector<Experiment>& experiments) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    const auto is_its = [&](const Experiment& experiment) {
      std::string begin = experiment.claim + "_";
      begin[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(begin[0])));
      return name.starts_with(begin);
    };
    if (name.ends_with(".csv") && std::ranges::any_of(experiments, is_its)) names.push_back(name);
  }
  written_results(folder).expect(names);
}

/// Measures and writes the study's files, or prints what was asked for instead.
void run(const StudyRun& run) {
  const auto& [study, options, command] = run;
  expect_no_interrupt();  // that came when the study before had no cell left
  const Clock::time_point start = Clock::now();
  const double before = process_seconds();
  forget_peak_memory();
  watch_interrupts();
  const InputWatch watch;
  const Prepared prepared = study.prepare(options);
  const std::vector<Experiment> experiments = wanted(study, prepared.experiments, options);
  if (options.list) {
    std::string list;
    for (const Experiment& experiment : experiments)
      list += fmt::format("{}  {} {}\n", experiment.claim, experiment.statement, experiment.source);
    return print_data(list);
  }
  if (const std::optional<Part>& part = options.part) {
    const RunRecord done = measure_cells(study, experiments, options).run;
    return print_message("{}: part {} of {}, {} cells measured, {} reused, {:.1f} s\n", study.name,
                         part->number, part->of, done.cells_run, done.cells_reused, done.total_s);
  }
  expect_place_for_tables(options.out, experiments);
  make_folders(options.build / "cells");  // first: a folder for results that stays empty goes again
  make_folders(options.out);
  Measured measured = measure_cells(study, experiments, options);
  Results results = conclude(study, options, prepared, experiments, measured);
  measured.run.command = command;
  measured.run.process_cpu_s = process_seconds() - before;
  measured.run.total_s = std::chrono::duration<double>(Clock::now() - start).count();
  expect_inputs_unchanged();  // claims were concluded from them, too
  const std::size_t claims = results.claims.size();
  const std::string json = write_results(options.out, std::move(results),
                                         {{options.out / "run.json", run_json(measured.run)},
                                          {options.out / "timings.json", timings_json(measured.run)}});
  if (options.json) print_data(json);
  print_message("{}: {} claim{}, {} cells measured, {} reused, {:.1f} s -> {}\n", study.name, claims,
                claims == 1 ? "" : "s", measured.run.cells_run, measured.run.cells_reused,
                measured.run.total_s, on_one_line(options.out.string()));
}

}  // namespace

Results measure(const Study& study, const Options& options) {
  const InputWatch watch;
  const Prepared prepared = study.prepare(options);
  const std::vector<Experiment> experiments = wanted(study, prepared.experiments, options);
  return conclude(study, options, prepared, experiments, measure_cells(study, experiments, options));
}

void run_all(const std::vector<StudyRun>& runs) {
  for (const auto& [study, options, command] : runs) {
    if (!options.list && !options.part) expect_place_for_results(options.out, study.name);
    if (!options.list) expect_no_checkout(options.build);
  }
  for (const StudyRun& one : runs) run(one);
}

void say_part(std::string_view name, const Part& part, const std::filesystem::path& kept) {
  print_message(
      "{}: part {} of {} is measured and kept in {}; once all are, the same command without --part (make: "
      "without PART) merges them\n",
      name, part.number, part.of, on_one_line(kept.string()));
}

int run_study(const Study& study, int argc, char** argv) {
  return start(study.name, argv, [&] {
    trust_blas(study.name);
    const Parsed parsed = parse_options(study.name, study.about, study.claims, study.extra, argc, argv);
    if (!parsed.options) return parsed.exit_code;
    std::optional<Alone> alone;
    if (!parsed.options->list && !parsed.options->part) alone.emplace(study.name, parsed.options->out);
    run_all({{study, *parsed.options, {argv, argv + argc}}});
    if (parsed.options->part) say_part(study.name, *parsed.options->part, parsed.options->build);
    return 0;
  });
}

}  // namespace perp
