#include "perp/study/cells.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <new>
#include <thread>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/memory.hpp"
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

/// All cells of all experiments in order: an item is a place in this list, the same on every rank.
std::vector<Task> all_tasks(const std::vector<Experiment>& experiments) {
  std::vector<Task> tasks;
  for (std::size_t e = 0; e < experiments.size(); ++e)
    for (std::size_t c = 0; c < experiments[e].cells.size(); ++c) tasks.push_back({e, c});
  return tasks;
}

/// Cells already kept are read; the items of the others come back, dearest first.
std::vector<std::size_t> reuse(const std::vector<Experiment>& experiments, const std::vector<Task>& tasks,
                               const CellStore& store, const Options& options, Measured& measured) {
  std::vector<std::size_t> missing;
  std::map<std::filesystem::path, Task> listed;
  measured.records.resize(experiments.size());
  for (std::size_t item = 0; item < tasks.size(); ++item) {
    const Task& task = tasks[item];
    const Experiment& experiment = experiments[task.experiment];
    CellRecords entry{experiment.cells[task.cell], {}};
    const auto [first, is_new] = listed.try_emplace(store.path(experiment, entry.cell), task);
    if (!is_new) {
      measured.shared.emplace_back(task, first->second);
      measured.records[task.experiment].push_back(std::move(entry));
      continue;
    }
    CellStore::Found found = options.fresh ? CellStore::Found{} : store.find(experiment, entry.cell);
    if (found.state == CellStore::State::damaged) {
      ++measured.run.cells_repaired;
      print_message("{}: kept cell {} is damaged; measured again\n",
                    store.path(experiment, entry.cell).string(), to_text(entry.cell.at));
    }
    if (found.state == CellStore::State::kept)
      entry.records = std::move(found.records);
    else
      missing.push_back(item);
    measured.records[task.experiment].push_back(std::move(entry));
  }
  const auto cost = [&](std::size_t item) {
    return experiments[tasks[item].experiment].cells[tasks[item].cell].cost;
  };
  std::ranges::stable_sort(missing, std::ranges::greater{}, cost);
  return missing;
}

/// Measures one cell; when this returns, the records are on the disk.
Records measure_cell(const Experiment& experiment, const Cell& cell, const CellStore& store,
                     std::uint64_t seed) {
  Records records = run_cell(experiment, cell, seed);
  store.keep(experiment, cell, records);
  return records;
}

/// What another rank kept. Its name holds program, BLAS, seed and inputs: a rank that differs in one of them,
/// or that writes to another disk, is found out here, before its numbers are mixed with ours. A file system
/// over a network may show a new file to another machine a little later: listing its folder asks for news.
Records kept_by(std::size_t rank, const Experiment& experiment, const Cell& cell, const CellStore& store) {
  CellStore::Found found = store.find(experiment, cell);
  for (int again = 0; found.state == CellStore::State::absent && again < 20; ++again) {
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    std::error_code absent;
    for (const auto& entry :
         std::filesystem::directory_iterator(store.path(experiment, cell).parent_path(), absent))
      static_cast<void>(entry);
    found = store.find(experiment, cell);
  }
  if (found.state != CellStore::State::kept)
    fail(
        "{} at {}: rank {} has measured it, but {} does not hold it; expected one --build folder that all "
        "ranks share, and the same program, BLAS, kernels and inputs on each (on unlike processors, "
        "PERP_KERNELS=Haswell gives all of them the same kernels)",
        experiment.claim, to_text(cell.at), rank, store.path(experiment, cell).string());
  return std::move(found.records);
}

}  // namespace

Measured measure_cells(const Study& study, const std::vector<Experiment>& experiments, const Options& options,
                       Ranks& ranks) {
  const Clock::time_point start = Clock::now();
  const CellStore store(options.build / "cells", store_context(study, options));
  store.remove_leftovers();
  const std::vector<Task> tasks = all_tasks(experiments);
  Measured measured;
  const std::vector<std::size_t> missing = reuse(experiments, tasks, store, options, measured);

  double total = 0;
  for (const std::size_t item : missing)
    total += experiments[tasks[item].experiment].cells[tasks[item].cell].cost;
  std::vector<ExperimentTime> times(experiments.size());
  std::vector<double> begin(experiments.size(), -1);
  measured.run.seconds_per_normal = seconds_per_normal();
  ProgressLine progress(study.name, total, options.turn);
  const auto task = [&](std::size_t item) {
    const auto [e, c] = tasks[item];
    measured.records[e][c].records =
        measure_cell(experiments[e], experiments[e].cells[c], store, options.seed);
  };
  ranks.run_leader(missing, options.threads, task, [&](const Ranks::Done& done) {
    const auto [e, c] = tasks[done.item];
    const Cell& cell = experiments[e].cells[c];
    if (done.rank != 0) measured.records[e][c].records = kept_by(done.rank, experiments[e], cell, store);
    const double ended = since(start);
    if (begin[e] < 0) begin[e] = ended - done.spent.seconds;
    times[e].add(to_text(cell.at), done.spent.work, measured.run.seconds_per_normal);
    times[e].wall_s = ended - begin[e];
    progress.done(cell.cost, fmt::format("{} {}", experiments[e].claim, to_text(cell.at)));
  });
  store.remove_leftovers();  // again: a rank killed while it waited for the disk may have gone only now

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
  measured.run.ranks = ranks.count();
  measured.run.cells_run = missing.size();
  measured.run.cells_reused = all - missing.size() - measured.shared.size();
  measured.run.experiments = std::move(times);
  measured.run.total_s = since(start);
  return measured;
}

Ranks::Part part_of(const Study& study, std::vector<Experiment> experiments, const Options& options) {
  struct Shared {
    std::vector<Experiment> experiments;
    std::vector<Task> tasks;
    CellStore store;
  };
  std::vector<Task> tasks = all_tasks(experiments);
  const auto shared = std::make_shared<const Shared>(
      Shared{std::move(experiments), std::move(tasks),
             CellStore(options.build / "cells", store_context(study, options))});
  return {options.threads, [shared, seed = options.seed](std::size_t item) {
            const auto [e, c] = shared->tasks.at(item);
            const Experiment& experiment = shared->experiments[e];
            measure_cell(experiment, experiment.cells[c], shared->store, seed);
          }};
}

}  // namespace perp
