#include "perp/measures/stream_table.hpp"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <mutex>

#include "perp/base/linalg.hpp"
#include "perp/base/parallel.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/rows.hpp"

namespace perp {
namespace {

/// What one tile adds.
struct Part {
  std::size_t rows = 0, zero_rows = 0;
  std::vector<float> norms;
  std::vector<double> sum, unit_sum;  // sum: of the rows about the origin given
  Matrix<float> gram, outer;          // of the rows about the origin given; of the unit rows
  double max_abs_cosine = 0;
  std::optional<Histogram> cosines;
};

/// Running totals; every part's rows are about the same `origin`, so that a large common mean costs no
/// digits.
struct Totals {
  std::vector<float> origin;
  TableSums sums;
  std::vector<double> shifted_sum;
  Matrix<double> shifted_gram, outer;

  void add(const Part& part) {
    sums.rows += part.rows;
    sums.zero_rows += part.zero_rows;
    sums.norms.insert(sums.norms.end(), part.norms.begin(), part.norms.end());
    for (std::size_t j = 0; j < shifted_sum.size(); ++j) {
      shifted_sum[j] += part.sum[j];
      sums.unit_sum[j] += part.unit_sum[j];
    }
    for (std::size_t i = 0; i < shifted_gram.size(); ++i) shifted_gram.data()[i] += part.gram.data()[i];
    if (part.outer.size() > 0)
      for (std::size_t i = 0; i < outer.size(); ++i) outer.data()[i] += part.outer.data()[i];
    sums.max_abs_cosine = std::max(sums.max_abs_cosine, part.max_abs_cosine);
    if (part.cosines) sums.cosines ? sums.cosines->merge(*part.cosines) : void(sums.cosines = part.cosines);
  }
};

std::vector<float> mean_of_rows(View<float> rows) {
  std::vector<double> sum(rows.cols, 0.0);
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j < rows.cols; ++j) sum[j] += rows(i, j);
  std::vector<float> mean(rows.cols);
  for (std::size_t j = 0; j < rows.cols; ++j)
    mean[j] = static_cast<float>(sum[j] / static_cast<double>(rows.rows));
  return mean;
}

/// Norms and unit rows of `tile`; the unit rows without zero rows go to `unit`.
void take_directions(View<float> tile, std::size_t first, const std::string& name, float* unit, Part& part) {
  const std::size_t d = tile.cols;
  part.norms.resize(tile.rows);
  part.unit_sum.assign(d, 0.0);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < tile.rows; ++i) {
    const std::span<const float> x = tile.row(i);
    const double norm = std::sqrt(sum_of_squares(x));
    require(std::isfinite(norm), "{}: row {} holds a value that is not finite; expected finite numbers", name,
            first + i);
    require(norm < 1e18, "{}: row {} has length {:.3g}; expected less than 1e18", name, first + i, norm);
    part.norms[i] = static_cast<float>(norm);
    if (!(norm > 0)) continue;
    float* const u = unit + kept++ * d;
    const double inverse = 1 / norm;
    for (std::size_t j = 0; j < d; ++j) {
      const double direction = x[j] * inverse;
      part.unit_sum[j] += direction;
      u[j] = static_cast<float>(direction);
    }
  }
  part.rows = tile.rows;
  part.zero_rows = tile.rows - kept;
}

/// Moves the tile's rows to `origin`, in place, and sums them.
void take_moments(Matrix<float>& tile, std::size_t count, const std::vector<float>& origin, Part& part) {
  const std::size_t d = cols(tile);
  part.sum.assign(d, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<float> x = row(tile, i);
    for (std::size_t j = 0; j < d; ++j) {
      x[j] -= origin[j];
      part.sum[j] += x[j];
    }
  }
  part.gram = gram_columns(block(tile, 0, count));
}

void take_cosines(View<float> unit, const StreamOptions& options, Part& part) {
  if (options.against.rows == 0 || unit.rows == 0) return;
  const CosineSummary seen =
      cosines_between(unit, options.against, std::max<std::size_t>(options.bins, 1), 1);
  part.max_abs_cosine = seen.max_abs;
  if (options.bins > 0) part.cosines = seen.histogram;
}

/// Hands tiles out in order and takes their parts back in order.
class OrderedTiles {
 public:
  OrderedTiles(const RowStream& rows, Totals& totals) : rows_(rows), totals_(totals) {}

  struct Ticket {
    std::size_t tile = 0, first = 0, count = 0;
  };

  /// The next tile into `out`; a count of 0 at the end, or once something went wrong.
  Ticket take(std::size_t most, Matrix<float>& out) {
    const std::lock_guard lock(reading_);
    if (ended_ || is_broken()) return {};
    std::size_t count = 0;
    while (count < most) {  // a stream may give its rows in smaller pieces
      const std::size_t got = rows_.next(most - count, out.data() + count * rows_.cols);
      if (got == 0) break;
      count += got;
    }
    ended_ = count < most;
    if (tiles_ == 0 && count > 0) totals_.origin = mean_of_rows(block(out, 0, count));
    const Ticket ticket{tiles_, first_, count};
    tiles_ += count > 0;
    first_ += count;
    return ticket;
  }

  void give(const Ticket& ticket, const Part& part) {
    std::unique_lock lock(merging_);
    turn_.wait(lock, [&] { return broken_ || merged_ == ticket.tile; });
    if (broken_) return;
    totals_.add(part);
    ++merged_;
    turn_.notify_all();
  }

  void stop() {
    const std::lock_guard lock(merging_);
    broken_ = true;
    turn_.notify_all();
  }

 private:
  bool is_broken() {
    const std::lock_guard lock(merging_);
    return broken_ || interrupt_requested();
  }

  const RowStream& rows_;
  Totals& totals_;
  std::mutex reading_, merging_;
  std::condition_variable turn_;
  std::size_t tiles_ = 0, first_ = 0, merged_ = 0;
  bool ended_ = false, broken_ = false;
};

/// Four million numbers at once: products run at full speed, and adding their d x d sums up costs little beside.
std::size_t tile_rows(std::size_t width) {
  return std::clamp<std::size_t>((std::size_t{1} << 22) / width, 256, 4096);
}

void work(const RowStream& rows, const StreamOptions& options, const Totals& totals, OrderedTiles& tiles) {
  const std::size_t most = tile_rows(rows.cols);
  Matrix<float> tile = matrix<float>(most, rows.cols), unit = matrix<float>(most, rows.cols);
  for (;;) {
    const OrderedTiles::Ticket ticket = tiles.take(most, tile);
    if (ticket.count == 0) return;
    Part part;
    take_directions(block(tile, 0, ticket.count), ticket.first, rows.name, unit.data(), part);
    const View<float> directed = block(unit, 0, part.rows - part.zero_rows);
    take_moments(tile, ticket.count, totals.origin, part);
    if (directed.rows > 0) part.outer = gram_columns(directed);
    take_cosines(directed, options, part);
    tiles.give(ticket, part);
  }
}

/// From sums about an origin o to those about 0 and about the mean: with y = x - o, Σ x xᵀ = Σ y yᵀ + s oᵀ +
/// o sᵀ + n o oᵀ and Σ (x-x̄)(x-x̄)ᵀ = Σ y yᵀ - s sᵀ/n, s = Σ y.
TableSums finish(Totals& totals) {
  TableSums& sums = totals.sums;
  const std::size_t d = totals.origin.size();
  const double n = static_cast<double>(sums.rows), directed = static_cast<double>(sums.directed());
  const std::vector<double>& s = totals.shifted_sum;
  const std::vector<float>& o = totals.origin;
  sums.mean.resize(d);
  for (std::size_t j = 0; j < d; ++j) sums.mean[j] = o[j] + s[j] / n;
  sums.as_is = matrix<double>(d, d);
  sums.centred = std::move(totals.shifted_gram);
  sums.directions = std::move(totals.outer);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      const double y = sums.centred(i, j);
      sums.as_is(i, j) = (y + s[i] * o[j] + s[j] * o[i]) / n + static_cast<double>(o[i]) * o[j];
      sums.centred(i, j) = (y - s[i] * s[j] / n) / n;
      sums.directions(i, j) /= std::max(directed, 1.0);
    }
  return std::move(sums);
}

}  // namespace

TableSums stream_table(const RowStream& rows, const StreamOptions& options) {
  const std::size_t d = rows.cols;
  require(d > 0, "{}: rows without numbers", rows.name);
  require(options.against.rows == 0 || options.against.cols == d,
          "{}: rows of {} numbers beside rows of {}; expected as many", rows.name, d, options.against.cols);
  Totals totals;
  totals.sums.unit_sum.assign(d, 0.0);
  totals.shifted_sum.assign(d, 0.0);
  totals.shifted_gram = zeros<double>(d, d);
  totals.outer = zeros<double>(d, d);
  OrderedTiles tiles(rows, totals);
  parallel_for(options.threads, options.threads, [&](std::size_t) {
    try {
      work(rows, options, totals, tiles);
    } catch (...) {
      tiles.stop();
      throw;
    }
  });
  if (interrupt_requested()) fail("{}: interrupted", rows.name);
  require(totals.sums.rows > 0, "{}: no rows", rows.name);
  const float longest = *std::ranges::max_element(totals.sums.norms);
  require(longest >= 1e-12F || totals.sums.directed() == 0,
          "{}: the longest row has length {:.3g}; expected at least 1e-12, or rows of 0", rows.name, longest);
  return finish(totals);
}

RowStream stream_of(View<float> table, std::string name) {
  auto next = [table, at = std::size_t{0}](std::size_t most, float* out) mutable {
    const std::size_t count = std::min(most, table.rows - at);
    for (std::size_t i = 0; i < count; ++i)
      std::copy_n(table.row(at + i).data(), table.cols, out + i * table.cols);
    at += count;
    return count;
  };
  return {std::move(name), table.cols, std::move(next)};
}

double mean_cosine(const TableSums& sums) {
  const double n = static_cast<double>(sums.directed());
  require(n >= 2, "mean_cosine: {} rows that are not 0; expected at least 2", sums.directed());
  double square = 0;
  for (const double x : sums.unit_sum) square += x * x;
  return (square - n) / (n * (n - 1));
}

std::vector<double> covariance_spectrum(const Matrix<double>& covariance, std::size_t rows) {
  std::vector<double> values = symmetric_eigenvalues(covariance);
  std::reverse(values.begin(), values.end());
  for (double& value : values) value = std::max(value, 0.0);
  values.resize(std::min(values.size(), rows));
  return values;
}

Matrix<double> leading_directions(const Matrix<double>& covariance, std::size_t rank) {
  return leading_directions(symmetric_eigen(covariance), rank);
}

Matrix<double> leading_directions(const Eigen<double>& eigen, std::size_t rank) {
  const std::size_t d = eigen.values.size();
  Matrix<double> out = matrix<double>(rank, d);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::span<const double> from = row(eigen.vectors, d - 1 - i);
    std::copy(from.begin(), from.end(), row(out, i).begin());
  }
  return out;
}

}  // namespace perp
