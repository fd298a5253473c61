#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "perp/base/parallel.hpp"
#include "perp/vectors/corpus.hpp"
#include "perp/vectors/embedding.hpp"

namespace perp {
namespace {

constexpr std::size_t rows_per_task = 16;

/// Where each word stands in the text: word w at places[starts[w]] … places[starts[w+1]-1], ascending.
struct Places {
  std::vector<std::uint64_t> starts;
  std::vector<std::uint32_t> places;
};

Places find_places(std::span<const std::uint32_t> tokens, std::size_t vocabulary) {
  Places found{std::vector<std::uint64_t>(vocabulary + 1, 0), {}};
  for (const std::uint32_t token : tokens)
    if (token != outside_vocabulary) ++found.starts[token + 1];
  std::partial_sum(found.starts.begin(), found.starts.end(), found.starts.begin());
  found.places.resize(found.starts.back());
  std::vector<std::uint64_t> next(found.starts.begin(), found.starts.end() - 1);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i] != outside_vocabulary) found.places[next[tokens[i]]++] = static_cast<std::uint32_t>(i);
  return found;
}

/// One row of sums, with a bit per column that says which were touched: emptied in ascending order without
/// sorting.
class RowSums {
 public:
  explicit RowSums(std::size_t cols) : sums_(cols, 0), touched_((cols + 63) / 64, 0) {}

  void add(std::uint32_t column, std::uint64_t weight) {
    sums_[column] += weight;
    touched_[column / 64] |= std::uint64_t{1} << (column % 64);
  }

  void move_to(SparseRows<std::uint64_t>& rows) {
    for (std::size_t word = 0; word < touched_.size(); ++word) {
      for (std::uint64_t bits = touched_[word]; bits != 0; bits &= bits - 1) {
        const std::size_t column = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        rows.add(static_cast<std::uint32_t>(column), sums_[column]);
        sums_[column] = 0;
      }
      touched_[word] = 0;
    }
    rows.end_row();
  }

 private:
  std::vector<std::uint64_t> sums_, touched_;
};

void add_neighbours(std::span<const std::uint32_t> tokens, std::size_t place,
                    std::span<const std::uint64_t> weights, RowSums& sums) {
  for (std::size_t k = 1; k < weights.size(); ++k) {
    if (place >= k && tokens[place - k] != outside_vocabulary) sums.add(tokens[place - k], weights[k]);
    if (place + k < tokens.size() && tokens[place + k] != outside_vocabulary)
      sums.add(tokens[place + k], weights[k]);
  }
}

/// ln n_a, n_a the sum of row a; 0 for an empty row, which no entry ever asks for.
std::vector<double> log_row_sums(const Sparse<std::uint64_t>& counts) {
  std::vector<double> logs(counts.rows, 0.0);
  for (std::size_t a = 0; a < counts.rows; ++a) {
    std::uint64_t sum = 0;
    for (std::uint64_t k = counts.starts[a]; k < counts.starts[a + 1]; ++k) sum += counts.values[k];
    if (sum > 0) logs[a] = std::log(static_cast<double>(sum));
  }
  return logs;
}

struct Terms {
  std::vector<double> word, context;  // ln S - ln n_a, and -smoothing * ln n_b
};

Terms pmi_terms(const Sparse<std::uint64_t>& counts, double smoothing) {
  const std::vector<double> logs = log_row_sums(counts);
  Terms terms{logs, logs};
  double total = 0;
  for (std::size_t b = 0; b < logs.size(); ++b) {
    if (counts.starts[b] < counts.starts[b + 1]) total += std::exp(smoothing * logs[b]);
    terms.context[b] = -smoothing * logs[b];
  }
  for (double& term : terms.word) term = std::log(total) - term;
  return terms;
}

/// The entries ln n_ab + (of_row[a] + of_column[b]) above 0. Called with the terms exchanged it gives the
/// transposed matrix: the counts are symmetric, and so is the sum, to the last bit.
Sparse<float> positive_entries(const Sparse<std::uint64_t>& counts, const std::vector<double>& of_row,
                               const std::vector<double>& of_column, std::size_t threads) {
  std::vector<SparseRows<float>> parts((counts.rows + rows_per_task - 1) / rows_per_task);
  parallel_for(parts.size(), threads, [&](std::size_t task) {
    const std::size_t last = std::min(counts.rows, (task + 1) * rows_per_task);
    for (std::size_t a = task * rows_per_task; a < last; ++a) {
      for (std::uint64_t k = counts.starts[a]; k < counts.starts[a + 1]; ++k) {
        const std::uint32_t b = counts.columns[k];
        const double pmi = std::log(static_cast<double>(counts.values[k])) + (of_row[a] + of_column[b]);
        if (const float value = static_cast<float>(pmi); value > 0) parts[task].add(b, value);
      }
      parts[task].end_row();
    }
  });
  return stack(counts.cols, std::move(parts));
}

}  // namespace

std::uint64_t weight_unit(std::size_t window) {
  std::uint64_t unit = 1;
  for (std::uint64_t k = 2; k <= window; ++k) unit = std::lcm(unit, k);
  return unit;
}

Sparse<std::uint64_t> count_cooccurrences(std::span<const std::uint32_t> tokens, std::size_t vocabulary,
                                          std::size_t window, std::size_t threads) {
  std::vector<std::uint64_t> weights(window + 1, 0);
  for (std::size_t k = 1; k <= window; ++k) weights[k] = weight_unit(window) / k;
  const Places found = find_places(tokens, vocabulary);

  std::vector<SparseRows<std::uint64_t>> parts((vocabulary + rows_per_task - 1) / rows_per_task);
  parallel_for(parts.size(), threads, [&](std::size_t task) {
    RowSums sums(vocabulary);
    const std::size_t last = std::min(vocabulary, (task + 1) * rows_per_task);
    for (std::size_t word = task * rows_per_task; word < last; ++word) {
      for (std::uint64_t i = found.starts[word]; i < found.starts[word + 1]; ++i)
        add_neighbours(tokens, found.places[i], weights, sums);
      sums.move_to(parts[task]);
    }
  });
  return stack(vocabulary, std::move(parts));
}

SparsePair positive_pmi(const Sparse<std::uint64_t>& counts, double smoothing, std::size_t threads) {
  const Terms terms = pmi_terms(counts, smoothing);
  return {positive_entries(counts, terms.word, terms.context, threads),
          positive_entries(counts, terms.context, terms.word, threads)};
}

}  // namespace perp
