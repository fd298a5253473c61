#pragma once
// Six pieces of work as a user would meet them, small enough to write again in NumPy (bench/peers/): same
// sizes, same meaning, own random numbers. Each runs on worker threads with one BLAS thread each, as the
// studies do.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace perp::bench {

/// What a workload found, by name: the numbers that the other side must find as well.
using Numbers = std::vector<std::pair<std::string_view, double>>;

/// The products alone that a workload cannot do without: m x n of inner size k in float32.
struct Products {
  std::size_t m = 0, n = 0, k = 0;
};

struct Workload {
  std::string_view name, meaning;
  Numbers (*run)(std::size_t threads);
  Products products;  ///< all 0 where matrix products are not most of the work
};

/// w1 … w6.
const std::vector<Workload>& workloads();

/// The same products by the same BLAS and nothing else, each thread on its own strips of `strip` rows: what a
/// workload that makes them can at best reach.
void multiply_only(const Products& products, std::size_t strip, std::size_t threads);

// By what they exercise; each pair in a file of its own.
Numbers cosines_of_words_and_positions(std::size_t threads);  ///< w1
Numbers angles_of_random_subspaces(std::size_t threads);      ///< w2
Numbers distance_only_check(std::size_t threads);             ///< w3
Numbers nearest_words_of_noisy_sums(std::size_t threads);     ///< w4
Numbers sinusoidal_table(std::size_t threads);                ///< w5
Numbers many_normals(std::size_t threads);                    ///< w6

inline constexpr Products products_of_w1{100'000, 2048, 512}, products_of_w4{8192, 50'000, 256};

}  // namespace perp::bench
