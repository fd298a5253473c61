#include "studies/inputs/trained_rows.hpp"

#include "perp/statistics/spread.hpp"

namespace perp {

std::vector<bool> trained_rows(const std::vector<double>& lengths) {
  std::vector<bool> trained;
  if (lengths.empty()) return trained;
  const double least = trained_length * median(lengths);
  for (const double length : lengths) trained.push_back(length >= least && length > 0);
  return trained;
}

RowRange trained_run(const std::vector<bool>& trained) {
  RowRange longest, run;
  for (std::size_t t = 0; t < trained.size(); ++t) {
    run = trained[t] ? RowRange{run.first, t + 1} : RowRange{t + 1, t + 1};
    if (run.count() > longest.count()) longest = run;
  }
  return longest;
}

}  // namespace perp
