// What tests/cli/scale.sh needs beside the program: a large table of keyed random numbers and this machine's
// rate of products.

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "perp/base/blas.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/parallel.hpp"
#include "perp/random/draws.hpp"

using namespace perp;

namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A .npy of rows x cols normal float32, written tile by tile.
void make_table(const std::string& path, std::size_t rows, std::size_t cols) {
  std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, cols);
  header.resize((header.size() + 10 + 1 + 63) / 64 * 64 - 10, ' ');
  header.back() = '\n';
  std::ofstream out(path, std::ios::binary);
  out << "\x93NUMPY" << '\1' << '\0' << static_cast<char>(header.size() % 256)
      << static_cast<char>(header.size() / 256) << header;
  const Stream numbers = stream(1, "scale", path.substr(path.rfind('/') + 1), 0, "table");
  std::vector<float> tile;
  for (std::size_t first = 0; first < rows; first += 4096) {
    tile.resize(std::min<std::size_t>(4096, rows - first) * cols);
    fill_normal(numbers, tile, first * cols);
    out.write(reinterpret_cast<const char*>(tile.data()),
              static_cast<std::streamsize>(tile.size() * sizeof(float)));
  }
  out.close();
  require(out.good(), "scale: no room for {}", path);
}

double cpu_seconds() {
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

struct Rate {
  double a_second = 0, a_cpu_second = 0;  ///< the latter of one thread, whoever else is busy
};

/// Operations of float32 products, every thread with its own: the best of a few.
Rate product_rate(std::size_t threads) {
  constexpr std::size_t n = 1536;
  const Stream numbers = stream(1, "scale", "rate", 0, "matrix");
  const Matrix<float> a = normal_matrix<float>(n, n, numbers);
  std::vector<Matrix<float>> out(threads, matrix<float>(n, n));
  double best = 1e300, best_cpu = 1e300;
  for (int round = 0; round < 5; ++round) {
    const double start = seconds(), cpu = cpu_seconds();
    parallel_for(threads, threads, [&](std::size_t t) { product_nt_into(a, a, out[t].data()); });
    best = std::min(best, seconds() - start);
    best_cpu = std::min(best_cpu, cpu_seconds() - cpu);
  }
  const double operations = static_cast<double>(threads) * 2 * n * n * n;
  return {operations / best, operations / best_cpu};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  settle_blas(argv);
  if (verb == "table" && argc == 5) {
    make_table(argv[2], std::stoull(argv[3]), std::stoull(argv[4]));
  } else if (verb == "products" && argc == 3) {
    const Rate rate = product_rate(std::stoull(argv[2]));
    std::printf("%.0f %.0f\n", rate.a_second, rate.a_cpu_second);
  } else {
    std::fprintf(stderr, "scale_tool: table FILE ROWS COLS | products THREADS\n");
    return 2;
  }
  return 0;
}
