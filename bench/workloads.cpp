// build/bench/workloads: times the six workloads and prints one line of JSON for each, in the form that the
// programs of bench/peers print as well, so that compare_peers can put both sides next to each other.

#include "bench/workloads.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/whole_number.hpp"
#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/program.hpp"

namespace perp::bench {

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> all{
      {"w1",
       "cosines of 100,000 Gaussian words with 2,048 sinusoidal positions, d = 512: histogram, mean square, "
       "largest",
       cosines_of_words_and_positions, products_of_w1},
      {"w2",
       "largest principal-angle cosine of 200 random pairs of subspaces, d = 512, k = 128, r = 64",
       angles_of_random_subspaces,
       {}},
      {"w3",
       "mean and worst deviation per lag of the 8,192 x 8,192 Gram matrix of sinusoidal positions, d = 512",
       distance_only_check,
       {}},
      {"w4", "nearest of 50,000 words for 8,192 noisy sums, d = 256", nearest_words_of_noisy_sums,
       products_of_w4},
      {"w5", "sinusoidal table 200,000 x 512, float32 of float64 angles", sinusoidal_table, {}},
      {"w6", "50 million float32 normals and their standard deviation", many_normals, {}}};
  return all;
}

namespace {

using Json = nlohmann::ordered_json;

struct WorkloadOptions {
  std::vector<std::string> only;
  std::size_t threads = available_threads(), repeats = 2;
  std::string blas;
};

WorkloadOptions read_options(int argc, char** argv) {
  WorkloadOptions o;
  CLI::App app("Times six workloads; bench/peers does the same in NumPy. One line of JSON each.");
  app.add_option("--only", o.only, "names, such as w1,w4")->delimiter(',');
  app.add_option("--threads", o.threads, "worker threads (default: all)")
      ->check(whole_number(1, most_threads));
  app.add_option("--repeats", o.repeats, "runs of each; all their times are printed (default 2)")
      ->check(whole_number(1, 1000));
  app.add_option("--blas", o.blas, "file that must answer for BLAS");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {
      print_data(app.help());
      std::exit(0);
    }
    refuse("{}", e.what());
  }
  for (const std::string& name : o.only)
    require(std::ranges::any_of(workloads(), [&](const Workload& w) { return w.name == name; }),
            "--only: there is no workload '{}'; there are w1 to w6", name);
  return o;
}

template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The fastest of strips of several heights, so that the product alone is given its best chance.
double product_seconds(const Products& products, const WorkloadOptions& o) {
  double best = std::numeric_limits<double>::infinity();
  for (const std::size_t strip : {256, 1024, 4096})
    for (std::size_t i = 0; i < o.repeats; ++i)
      best = std::min(best, seconds_of([&] { multiply_only(products, strip, o.threads); }));
  return best;
}

Json measured(const Workload& w, const WorkloadOptions& o, const BlasIdentity& blas) {
  Numbers numbers;
  std::vector<double> seconds;
  for (std::size_t i = 0; i < o.repeats; ++i)
    seconds.push_back(seconds_of([&] { numbers = w.run(o.threads); }));
  Json line{{"side", "perpendicular"},  {"workload", w.name}, {"meaning", w.meaning},
            {"threads", o.threads},     {"blas", blas.name},  {"version", blas.version},
            {"kernel", blas.kernel},    {"path", blas.path},  {"seconds", seconds},
            {"numbers", Json::object()}};
  for (const auto& [name, value] : numbers) line["numbers"][std::string(name)] = value;
  if (w.products.m > 0) line["product_seconds"] = product_seconds(w.products, o);
  return line;
}

int run(int argc, char** argv) {
  const WorkloadOptions o = read_options(argc, argv);
  settle_blas(argv);
  if (const std::string& warning = kernel_settlement().warning; !warning.empty())
    print_message("workloads: {}\n", warning);
  const BlasIdentity blas = loaded_blas();
  std::error_code error;
  if (!o.blas.empty() && !std::filesystem::equivalent(o.blas, blas.path, error))
    refuse("{} was named, but {} answers", o.blas, blas.path.empty() ? "nothing" : blas.path);
  for (const Workload& w : workloads())
    if (o.only.empty() || std::ranges::find(o.only, w.name) != o.only.end())
      print_data(measured(w, o, blas).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  return 0;
}

}  // namespace
}  // namespace perp::bench

int main(int argc, char** argv) {
  return perp::run_program("workloads", [&] { return perp::bench::run(argc, argv); });
}
