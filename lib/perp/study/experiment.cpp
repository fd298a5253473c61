#include "perp/study/experiment.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <mutex>
#include <numeric>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/file.hpp"
#include "perp/study/cell_store.hpp"
#include "perp/study/progress_line.hpp"
#include "perp/study/provenance.hpp"

namespace perp {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Where one cell of one experiment stands.
struct Task {
  std::size_t experiment, cell;
};

struct Measured {
  std::vector<std::vector<CellRecords>> records;  ///< by experiment, then by cell
  std::vector<std::pair<Task, Task>> shared;      ///< a cell, and the earlier one that is the same work
  RunRecord run;
};

/// Bytes depend on the program, on the BLAS that answers and on the seed; inputs are named by each
/// experiment.
std::string store_context(const Study& study, const Options& options) {
  const BlasIdentity blas = loaded_blas();
  return fmt::format("perp cells 1\n{}\n{}\n{}\n{} {} {}\n{}\n", study.name, program_sha256(), options.seed,
                     blas.path, blas.version, blas.kernel, blas.lapack_path);
}

Records run_cell(const Experiment& experiment, const Cell& cell, std::uint64_t seed) {
  try {
    return experiment.run(cell, Streams{seed, experiment.cells_name(), to_text(cell.at)});
  } catch (const Error& error) {
    throw Error(fmt::format("{} at {}: {}", experiment.claim, to_text(cell.at), error.what()), error.exit());
  }
}

/// Cells already kept are read; the names of the others come back, dearest first.
std::vector<Task> reuse(const std::vector<Experiment>& experiments, const CellStore& store,
                        const Options& options, Measured& measured) {
  std::vector<Task> missing;
  std::map<std::filesystem::path, Task> listed;
  for (std::size_t e = 0; e < experiments.size(); ++e) {
    const Experiment& experiment = experiments[e];
    measured.records.emplace_back();
    for (std::size_t c = 0; c < experiment.cells.size(); ++c) {
      CellRecords entry{experiment.cells[c], {}};
      const auto [first, is_new] = listed.try_emplace(store.path(experiment, entry.cell), Task{e, c});
      if (!is_new) {
        measured.shared.emplace_back(Task{e, c}, first->second);
        measured.records.back().push_back(std::move(entry));
        continue;
      }
      CellStore::Found found = options.fresh ? CellStore::Found{} : store.find(experiment, entry.cell);
      if (found.state == CellStore::State::damaged) {
        ++measured.run.cells_repaired;
        fmt::print(stderr, "{}: kept cell {} is damaged; measured again\n",
                   store.path(experiment, entry.cell).string(), to_text(entry.cell.at));
      }
      if (found.state == CellStore::State::kept)
        entry.records = std::move(found.records);
      else
        missing.push_back({e, c});
      measured.records.back().push_back(std::move(entry));
    }
  }
  std::stable_sort(missing.begin(), missing.end(), [&](const Task& a, const Task& b) {
    return experiments[a.experiment].cells[a.cell].cost > experiments[b.experiment].cells[b.cell].cost;
  });
  return missing;
}

Measured measure_cells(const Study& study, const std::vector<Experiment>& experiments,
                       const Options& options) {
  const Clock::time_point start = Clock::now();
  const CellStore store(options.build / "cells", store_context(study, options));
  Measured measured;
  const std::vector<Task> missing = reuse(experiments, store, options, measured);

  double total = 0;
  for (const Task& task : missing) total += experiments[task.experiment].cells[task.cell].cost;
  std::vector<ExperimentTime> times(experiments.size());
  std::vector<double> begin(experiments.size(), -1);
  measured.run.seconds_per_normal = seconds_per_normal();
  ProgressLine progress(study.name, total);
  std::mutex mutex;
  parallel_for(missing.size(), options.threads, [&](std::size_t i) {
    const auto [e, c] = missing[i];
    const Experiment& experiment = experiments[e];
    const Cell& cell = experiment.cells[c];
    const double started = since(start);
    const Work before = thread_work();
    Records records = run_cell(experiment, cell, options.seed);
    store.keep(experiment, cell, records);
    const Work spent = thread_work() - before;
    const double ended = since(start);
    {
      const std::lock_guard lock(mutex);
      if (begin[e] < 0) begin[e] = started;
      times[e].add(to_text(cell.at), spent, measured.run.seconds_per_normal);
      times[e].wall_s = ended - begin[e];
      measured.records[e][c].records = std::move(records);
    }
    progress.done(cell.cost, fmt::format("{} {}", experiment.claim, to_text(cell.at)));
  });

  for (const auto& [again, first] : measured.shared)
    measured.records[again.experiment][again.cell].records =
        measured.records[first.experiment][first.cell].records;

  std::size_t all = 0;
  for (std::size_t e = 0; e < experiments.size(); ++e) {
    times[e].claim = experiments[e].claim;
    all += experiments[e].cells.size();
  }
  measured.run.study = study.name;
  measured.run.threads = options.threads;
  measured.run.cells_run = missing.size();
  measured.run.cells_reused = all - missing.size() - measured.shared.size();
  measured.run.experiments = std::move(times);
  measured.run.total_s = since(start);
  return measured;
}

/// A finding without its definition, or an id said twice, would make the report lie: refuse it here.
void check(const Outcome& outcome, const std::vector<Finding>& before) {
  for (std::size_t i = 0; i < outcome.findings.size(); ++i) {
    const Finding& finding = outcome.findings[i];
    require(!finding.meaning.empty(), "finding {} has no meaning", finding.id);
    const auto same = [&](const Finding& other) { return other.id == finding.id; };
    require(std::none_of(before.begin(), before.end(), same) &&
                std::none_of(outcome.findings.begin(),
                             outcome.findings.begin() + static_cast<std::ptrdiff_t>(i), same),
            "finding {} is stated twice", finding.id);
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
    Outcome outcome = experiment.summarise(measured.records[e]);
    check(outcome, results.findings);
    Claim claim{experiment.claim,
                experiment.statement,
                experiment.source,
                judge(outcome.findings, outcome.rule),
                outcome.condition,
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

std::vector<Experiment> wanted(std::vector<Experiment> experiments, const Options& options) {
  std::erase_if(experiments, [&](const Experiment& experiment) { return !options.wants(experiment.claim); });
  return experiments;
}

int run(const Study& study, const Options& options, int argc, char** argv) {
  const Clock::time_point start = Clock::now();
  if (const std::optional<std::string> answer = study.answer ? study.answer(options) : std::nullopt) {
    fmt::print("{}\n", *answer);
    return 0;
  }
  const Prepared prepared = study.prepare(options);
  const std::vector<Experiment> experiments = wanted(prepared.experiments, options);
  if (options.list) {
    for (const Experiment& experiment : experiments)
      fmt::print("{}  {} {}\n", experiment.claim, experiment.statement, experiment.source);
    return 0;
  }
  make_folders(options.out);
  Measured measured = measure_cells(study, experiments, options);
  const Results results = conclude(study, options, prepared, experiments, measured);
  for (const Experiment& experiment : experiments)
    if (experiment.clock)
      for (TimedWork& timed : experiment.clock()) measured.run.timed.push_back(std::move(timed));
  measured.run.command.assign(argv, argv + argc);
  measured.run.total_s = since(start);
  const std::string json = to_json(results);
  NamedBytes files;
  for (const Table& table : results.tables) files.emplace_back(options.out / table.file, to_csv(table));
  files.emplace_back(options.out / "run.json", run_json(measured.run));
  files.emplace_back(options.out / "timings.json", timings_json(measured.run));
  files.emplace_back(options.out / "results.json", json);
  write_together(files);
  if (options.json) fmt::print("{}", json);
  fmt::print(stderr, "{}: {} claims, {} cells measured, {} reused, {:.1f} s -> {}\n", study.name,
             results.claims.size(), measured.run.cells_run, measured.run.cells_reused, measured.run.total_s,
             options.out.string());
  return 0;
}

}  // namespace

std::vector<Coordinates> records_of(const std::vector<CellRecords>& cells, std::string_view name) {
  std::vector<Coordinates> found;
  for (const CellRecords& entry : cells)
    for (const Record& record : entry.records)
      if (record.name == name) {
        found.push_back(entry.cell.at);
        found.back().insert(found.back().end(), record.values.begin(), record.values.end());
      }
  return found;
}

Results measure(const Study& study, const Options& options) {
  const Prepared prepared = study.prepare(options);
  const std::vector<Experiment> experiments = wanted(prepared.experiments, options);
  return conclude(study, options, prepared, experiments, measure_cells(study, experiments, options));
}

int run_study(const Study& study, int argc, char** argv) {
  pin_blas_threads(argv);
  watch_interrupts();
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is then an error with a message, not a death
  try {
    const Parsed parsed = parse_options(study.name, study.about, study.claims, study.extra, argc, argv);
    return parsed.options ? run(study, *parsed.options, argc, argv) : parsed.exit_code;
  } catch (const Error& error) {
    fmt::print(stderr, "{}: {}\n", study.name, error.what());
    return static_cast<int>(error.exit());
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", study.name, error.what());
    return static_cast<int>(Exit::failed);
  }
}

}  // namespace perp
