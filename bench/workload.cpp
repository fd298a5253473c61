#include "bench/workload.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/options.hpp"
#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/program.hpp"

namespace perp::bench {
namespace {

using Json = nlohmann::ordered_json;

WorkloadOptions read_options(int argc, char** argv, const std::vector<Workload>& workloads) {
  WorkloadOptions o;
  o.threads = available_threads();
  CLI::App app("Times six workloads; bench/peers does the same elsewhere. One line of JSON each.");
  app.add_option("--only", o.only, "names, such as w1,w4")->delimiter(',');
  app.add_option("--threads", o.threads, "worker threads (default: all)")
      ->check(whole_number(1, most_threads));
  app.add_option("--repeats", o.repeats, "runs of each; all their times are printed (default 2)")
      ->check(whole_number(1, 1000));
  app.add_option("--blas", o.blas, "file that must answer for BLAS");
  parse_options(app, argc, argv);
  for (const std::string& name : o.only)
    require(std::ranges::find(workloads, name, &Workload::name) != workloads.end(),
            "--only: there is no workload '{}'; there are w1 to w6", name);
  return o;
}

Json measured(const Workload& w, const WorkloadOptions& o, const Side& side) {
  Numbers numbers;
  std::vector<double> seconds;
  for (std::size_t i = 0; i < o.repeats; ++i)
    seconds.push_back(seconds_of([&] { numbers = w.run(o.threads); }));
  Json line{{"side", side.name},       {"workload", w.name}, {"meaning", w.meaning},
            {"threads", side.threads}, {"blas", side.blas},  {"version", side.version},
            {"path", side.path},       {"seconds", seconds}, {"numbers", Json::object()}};
  if (w.least.count > 0) line["least"] = {{"type", w.least.type}, {"count", w.least.count}};
  for (const auto& [name, value] : numbers) line["numbers"][std::string(name)] = value;
  return line;
}

}  // namespace

int run_workloads(int argc, char** argv, const std::vector<Workload>& workloads,
                  Side (*side)(const WorkloadOptions& options)) {
  const WorkloadOptions o = read_options(argc, argv, workloads);
  const Side here = side(o);
  for (const Workload& w : workloads)
    if (o.only.empty() || std::ranges::find(o.only, w.name) != o.only.end())
      print_data(measured(w, o, here).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  return 0;
}

}  // namespace perp::bench
