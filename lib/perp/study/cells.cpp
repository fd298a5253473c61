#include "perp/study/cells.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/memory.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/file.hpp"
#include "perp/io/inputs.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/io/sha256.hpp"
#include "perp/study/provenance.hpp"

namespace perp {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string minutes(double seconds) {
  const long whole = static_cast<long>(seconds + 0.5);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

bool on_terminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace

ProgressLine::ProgressLine(std::string title, double total, const Turn& turn)
    : title_(std::move(title)), total_(total), after_(turn.after_s) {
  if (!turn.step.empty()) title_ += " (" + turn.step + ")";
}

ProgressLine::~ProgressLine() {
  if (on_terminal() && width_ > 0) print_message("\r{:{}}\r", "", width_);
}

void ProgressLine::done(double cost, std::string_view what) {
  const std::lock_guard lock(mutex_);
  done_ += cost;
  if (since(last_) < (on_terminal() ? 0.1 : 10.0)) return;
  last_ = Clock::now();
  const double share = total_ > 0 ? std::min(done_ / total_, 1.0) : 1.0;
  const double left = share > 0 ? since(start_) * (1 - share) / share : 0;
  const std::string all = after_ > 0 ? fmt::format(" here, {} in all", minutes(left + after_)) : "";
  const std::string line =
      fmt::format("{}: {:3.0f}%, {} left{}, {}", title_, 100 * share, minutes(left), all, what);
  if (on_terminal())
    print_message("\r{:<{}}", line, width_);
  else
    print_message("{}\n", line);
  width_ = std::max(width_, columns(line));
}

namespace {

/// Bytes depend on the study's libraries, on the BLAS that answers and on the seed; inputs are named by each
/// experiment.
std::string store_context(const Study& study, const Options& options) {
  const BlasIdentity blas = loaded_blas();
  return fmt::format("perp cells 1\n{}\n{}\n{}\n{} {} {}\n{}\n", study.name, program_sha256(study.name),
                     options.seed, blas.path, blas.version, blas.kernel, blas.lapack_path);
}

Records run_cell(const Experiment& experiment, const Cell& cell, std::uint64_t seed) {
  try {
    return experiment.measure(cell, seed);
  } catch (const Error& error) {
    throw Error(fmt::format("{} at {}: {}", experiment.claim, to_text(cell.at), error.what()), error.exit());
  } catch (const std::bad_alloc&) {
    fail("{} at {}: out of memory: {}", experiment.claim, to_text(cell.at), memory_limit_text());
  }
}

/// Where one cell of one experiment stands.
struct Task {
  std::size_t experiment, cell;
};
/// Each work once, dearest first; and a cell beside the earlier one that is the same work.
struct Work {
  std::vector<Task> tasks;
  std::vector<std::pair<Task, Task>> shared;
};

/// Makes room for all cells of all experiments. Whatever is kept already, the same list in every run.
Work distinct_work(const std::vector<Experiment>& experiments, const CellStore& store, Measured& measured) {
  Work work;
  std::map<std::filesystem::path, Task> listed;
  measured.records.resize(experiments.size());
  for (std::size_t e = 0; e < experiments.size(); ++e)
    for (std::size_t c = 0; c < experiments[e].cells.size(); ++c) {
      const Task task{e, c};
      measured.records[e].push_back({experiments[e].cells[c], {}});
      const auto [first, is_new] =
          listed.try_emplace(store.path(experiments[e], experiments[e].cells[c]), task);
      require(is_new || first->second.experiment != e, "{}: the cell {} is listed twice",
              experiments[e].claim, to_text(experiments[e].cells[c].at));
      if (is_new)
        work.tasks.push_back(task);
      else
        work.shared.emplace_back(task, first->second);
    }
  const auto cost = [&](const Task& task) { return experiments[task.experiment].cells[task.cell].cost; };
  std::ranges::stable_sort(work.tasks, std::ranges::greater{}, cost);
  return work;
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
  const Work work = distinct_work(experiments, store, measured);
  const std::vector<Task> own = options.part ? dealt_to(*options.part, work.tasks) : work.tasks;
  const std::vector<Task> missing = reuse(experiments, own, store, options, measured);

  double total = 0;
  for (const auto& [e, c] : missing) total += experiments[e].cells[c].cost;
  std::vector<ExperimentTime> times(experiments.size());
  std::vector<double> begin(experiments.size(), -1);
  ProgressLine progress(study.name, total, options.turn);
  std::mutex mutex;
  parallel_for(missing.size(), options.threads, [&](std::size_t i) {
    const auto [e, c] = missing[i];
    const Experiment& experiment = experiments[e];
    const Cell& cell = experiment.cells[c];
    const double begun = since(start);
    const double before = thread_seconds();
    Records records = run_cell(experiment, cell, options.seed);
    expect_inputs_unchanged();
    store.keep(experiment, cell, records);  // on the disk from here on
    measured.records[e][c].records = std::move(records);
    const double spent = thread_seconds() - before;
    const std::lock_guard lock(mutex);
    if (begin[e] < 0) begin[e] = begun;
    ++times[e].cells;
    times[e].cpu_s += spent;
    times[e].wall_s = since(start) - begin[e];
    progress.done(cell.cost, fmt::format("{} {}", experiment.claim, to_text(cell.at)));
  });
  tidy();  // again: a run killed while it waited for the disk may have gone only now

  for (const auto& [again, first] : work.shared)
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

namespace {

using nlohmann::json;
constexpr std::size_t largest_entry = std::size_t{1} << 30;

// A text that JSON can hold stands behind a quote, any other one (a word of a file that is no UTF-8) as its
// bytes behind an x, so that it comes back as it was.
json to_value(const std::string& text) {
  if (is_utf8(text)) return "'" + text;
  std::string out = "x";
  for (const char byte : text) out += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return out;
}

std::string from_bytes(std::string_view digits) {
  std::string text(digits.size() / 2, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    std::from_chars(digits.data() + 2 * i, digits.data() + 2 * i + 2, byte, 16);
    text[i] = static_cast<char>(byte);
  }
  return text;
}

// Not finite is kept as a text: JSON has no NaN, and null would lose the difference to infinity.
json to_value(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* text = std::get_if<std::string>(&value)) return to_value(*text);
  const double real = std::get<double>(value);
  if (std::isfinite(real)) return real;
  return std::isnan(real) ? "nan" : real > 0 ? "inf" : "-inf";
}

Value from_value(const json& value) {
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number_float()) return value.get<double>();
  const std::string text = value.get<std::string>();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!text.empty() && text.front() == '\'') return text.substr(1);
  if (!text.empty() && text.front() == 'x') return from_bytes(std::string_view(text).substr(1));
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  require(text == "inf" || text == "-inf", "kept cell: unknown value '{}'", text);
  return text == "inf" ? infinity : -infinity;
}

std::string text_of(const Records& records) {
  std::string text;
  for (const Record& record : records) {
    json values = json::array();
    for (const auto& [key, value] : record.values) values.push_back(json::array({key, to_value(value)}));
    text += json::array({record.name, values}).dump() + "\n";
  }
  return text;
}

/// Throws Error on text that text_of did not write.
Records records_from(std::string_view text) {
  Records records;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    try {
      const json line = json::parse(text.substr(0, end));
      Record record{line.at(0).get<std::string>(), {}};
      for (const json& pair : line.at(1))
        record.values.emplace_back(pair.at(0).get<std::string>(), from_value(pair.at(1)));
      records.push_back(std::move(record));
    } catch (const json::exception&) {
      refuse("kept cell: line '{}' is not a record", text.substr(0, std::min<std::size_t>(end, 60)));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return records;
}

}  // namespace

CellStore::CellStore(std::filesystem::path folder, std::string context)
    : folder_(std::move(folder)), context_(std::move(context)) {}

void CellStore::remove_leftovers() const {
  std::error_code absent;
  for (const auto& shelf : std::filesystem::directory_iterator(folder_, absent))
    perp::remove_leftovers(shelf.path());
}

std::string CellStore::name(const Experiment& experiment, const Cell& cell) const {
  std::string name = fmt::format("{}\n{}\n{}\n", context_, experiment.cells_name(), to_text(cell.at));
  for (const std::string& hash : experiment.depends) name += hash + "\n";
  return sha256_hex(name);
}

std::filesystem::path CellStore::path(const Experiment& experiment, const Cell& cell) const {
  const std::string key = name(experiment, cell);
  return folder_ / key.substr(0, 2) / (key + ".cell");
}

CellStore::Found CellStore::find(const Experiment& experiment, const Cell& cell) const {
  const std::filesystem::path file = path(experiment, cell);
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) return {};
  try {
    const std::string bytes = read_file(file, largest_entry);
    const std::size_t line = bytes.find('\n');
    const std::string payload = line == std::string::npos ? "" : bytes.substr(line + 1);
    if (bytes.substr(0, line) != fmt::format("{} {}", name(experiment, cell), sha256_hex(payload)))
      return {State::damaged, {}};
    return {State::kept, records_from(payload)};
  } catch (const Error&) {
    return {State::damaged, {}};
  }
}

void CellStore::keep(const Experiment& experiment, const Cell& cell, const Records& records) const {
  const std::filesystem::path file = path(experiment, cell);
  const std::string payload = text_of(records);
  make_folders(file.parent_path());
  set_aside(file);
  write_whole(file, fmt::format("{} {}\n{}", name(experiment, cell), sha256_hex(payload), payload));
}

}  // namespace perp
