#include "perp/study/cells.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <new>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/memory.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/study/cell_store.hpp"
#include "perp/study/progress_line.hpp"
#include "perp/study/provenance.hpp"

namespace perp {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Bytes depend on the study's libraries, on the BLAS that answers and on the seed; inputs are named by each
/// experiment.
std::string store_context(const Study& study, const Options& options) {
  const BlasIdentity blas = loaded_blas();
  return fmt::format("perp cells 1\n{}\n{}\n{}\n{} {} {}\n{}\n", study.name, program_sha256(study.name),
                     options.seed, blas.path, blas.version, blas.kernel, blas.lapack_path);
}

Records run_cell(const Experiment& experiment, const Cell& cell, std::uint64_t seed) {
  try {
    return experiment.run(cell, Streams{seed, experiment.cells_name(), to_text(cell.at)});
  } catch (const Error& error) {
    throw Error(fmt::format("{} at {}: {}", experiment.claim, to_text(cell.at), error.what()), error.exit());
  } catch (const std::bad_alloc&) {
    fail("{} at {}: out of memory: {}", experiment.claim, to_text(cell.at), memory_limit_text());
  }
}

/// Makes room for all cells of all experiments, and lists each work once, dearest first: whatever is kept already, the
/// same list in every run.
std::vector<Task> distinct_tasks(const std::vector<Experiment>& experiments, const CellStore& store,
                                 Measured& measured) {
  std::vector<Task> tasks;
  std::map<std::filesystem::path, Task> listed;
  measured.records.resize(experiments.size());
  for (std::size_t e = 0; e < experiments.size(); ++e)
    for (std::size_t c = 0; c < experiments[e].cells.size(); ++c) {
      const Task task{e, c};
      measured.records[e].push_back({experiments[e].cells[c], {}});
      const auto [first, is_new] =
          listed.try_emplace(store.path(experiments[e], experiments[e].cells[c]), task);
      if (is_new)
        tasks.push_back(task);
      else
        measured.shared.emplace_back(task, first->second);
    }
  const auto cost = [&](const Task& task) { return experiments[task.experiment].cells[task.cell].cost; };
  std::ranges::stable_sort(tasks, std::ranges::greater{}, cost);
  return tasks;
}

/// Dealt round, the dearest first, so that parts cost alike.
std::vector<Task> dealt_to(const Part& part, const std::vector<Task>& tasks) {
  std::vector<Task> own;
  for (std::size_t i = part.number - 1; i < tasks.size(); i += part.of) own.push_back(tasks[i]);
  return own;
}

/// Cells already kept are read; the others come back in the order of the tasks.
std::vector<Task> reuse(const std::vector<Experiment>& experiments, const std::vector<Task>& tasks,
                        const CellStore& store, const Options& options, Measured& measured) {
  std::vector<Task> missing;
  for (const Task& task : tasks) {
    const Experiment& experiment = experiments[task.experiment];
    CellRecords& entry = measured.records[task.experiment][task.cell];
    CellStore::Found found = options.fresh ? CellStore::Found{} : store.find(experiment, entry.cell);
    if (found.state == CellStore::State::damaged) {
      ++measured.run.cells_repaired;
      print_message("{}: kept cell {} is damaged; measured again\n",
                    store.path(experiment, entry.cell).string(), to_text(entry.cell.at));
    }
    if (found.state == CellStore::State::kept)
      entry.records = std::move(found.records);
    else
      missing.push_back(task);
  }
  return missing;
}

}  // namespace

Measured measure_cells(const Study& study, const std::vector<Experiment>& experiments,
                       const Options& options) {
  const Clock::time_point start = Clock::now();
  const CellStore store(options.build / "cells", store_context(study, options));
  // A part leaves to the run that merges what is half-written: machines may not see each other's locks.
  const auto tidy = [&] {
    if (!options.part) store.remove_leftovers();
  };
  tidy();
  Measured measured;
  const std::vector<Task> all = distinct_tasks(experiments, store, measured);
  const std::vector<Task> own = options.part ? dealt_to(*options.part, all) : all;
  const std::vector<Task> missing = reuse(experiments, own, store, options, measured);

  double total = 0;
  for (const auto& [e, c] : missing) total += experiments[e].cells[c].cost;
  std::vector<ExperimentTime> times(experiments.size());
  std::vector<double> begin(experiments.size(), -1);
  measured.run.seconds_per_normal = seconds_per_normal();
  ProgressLine progress(study.name, total, options.turn);
  std::mutex mutex;
  parallel_for(missing.size(), options.threads, [&](std::size_t i) {
    const auto [e, c] = missing[i];
    const Experiment& experiment = experiments[e];
    const Cell& cell = experiment.cells[c];
    const double begun = since(start);
    const WorkCounters before = thread_work();
    Records records = run_cell(experiment, cell, options.seed);
    store.keep(experiment, cell, records);  // on the disk from here on
    measured.records[e][c].records = std::move(records);
    const WorkCounters spent = thread_work() - before;
    const std::lock_guard lock(mutex);
    if (begin[e] < 0) begin[e] = begun;
    times[e].add(to_text(cell.at), spent, measured.run.seconds_per_normal);
    times[e].wall_s = since(start) - begin[e];
    progress.done(cell.cost, fmt::format("{} {}", experiment.claim, to_text(cell.at)));
  });
  tidy();  // again: a run killed while it waited for the disk may have gone only now

  for (const auto& [again, first] : measured.shared)
    measured.records[again.experiment][again.cell].records =
        measured.records[first.experiment][first.cell].records;
  for (std::size_t e = 0; e < experiments.size(); ++e) times[e].claim = experiments[e].claim;
  measured.run.study = study.name;
  measured.run.threads = options.threads;
  measured.run.cells_run = missing.size();
  measured.run.cells_reused = own.size() - missing.size();
  measured.run.experiments = std::move(times);
  measured.run.total_s = since(start);
  return measured;
}

}  // namespace perp
