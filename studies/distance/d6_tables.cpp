#include "studies/distance/d6_tables.hpp"

#include <algorithm>
#include <cmath>

#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/d6_expected.hpp"
#include "studies/distance/spreads.hpp"

namespace perp::distance {
namespace {

std::vector<double> sinusoid_kernel(std::size_t length, std::size_t d) {
  std::vector<double> kernel(length);
  for (std::size_t k = 0; k < length; ++k)
    kernel[k] = theory::kernel_exact(d, usual_base, static_cast<double>(k));
  return kernel;
}

/// Ratio of expected variances; NaN where there is no line.
double expected_share(const Coordinates& r) {
  const std::string& matrix = text_at(r, "matrix");
  const bool random = matrix == "gaussian" || matrix == "heads";
  if (text_at(r, "encoding") != "sinusoidal" || (!random && matrix != "tied")) return std::nan("");
  const std::vector<double> kernel = sinusoid_kernel(size_at(r, "l"), size_at(r, "d"));
  return random ? expected_for_random(kernel).share() : expected_for_tied(kernel, size_at(r, "rank")).share();
}

/// A record's mean over draws with its interval.
Estimate mean_of(const Coordinates& r, const std::string& name) {
  return from_interval(number_at(r, name), number_at(r, name + "_low"), number_at(r, name + "_high"),
                       recorded_level, size_at(r, "draws"));
}

}  // namespace

Table r2_table(const std::vector<CellRecords>& cells) {
  Table table{
      "d6_r2.csv",
      {{"encoding", "", Kind::exact, "positions; none: contents alone (rotary) or independent scores (iid)"},
       {"matrix", "", Kind::exact,
        "between two positions: identity; gaussian M; heads QᵀK of the rank; tied QᵀQ of the rank; commutant "
        "blocks "
        "[a b; -b a]; rotary, one content everywhere or each position its own; iid scores"},
       {"rank", "1", Kind::exact, "rows of Q and K; 0 where there are none"},
       {"d", "1", Kind::exact, "dimension"},
       {"positions", "1", Kind::exact, "L: positions 1 … L"},
       {"draws", "1", Kind::exact, "draws of weights, contents and random positions"},
       {"r2", "1", Kind::sampled, "share of the scores' variance that the lag explains, mean over draws",
        "r2_low", "r2_high"},
       {"r2_low", "1", Kind::sampled, "its 99 % interval by Student's t"},
       {"r2_high", "1", Kind::sampled, "its 99 % interval by Student's t"},
       {"sd", "1", Kind::sampled, "its standard deviation over draws"},
       {"smallest", "1", Kind::sampled, "its smallest value"},
       {"q05", "1", Kind::sampled, "5 % quantile over draws"},
       {"q95", "1", Kind::sampled, "95 % quantile over draws"},
       {"null", "1", Kind::exact, "2/(L+1): independent scores"},
       {"pooled", "1", Kind::sampled, "variance by lag over all variance, both summed over draws",
        "pooled_low", "pooled_high"},
       {"pooled_low", "1", Kind::sampled, "its 99 % interval by Student's t on the linearised ratio"},
       {"pooled_high", "1", Kind::sampled, "its 99 % interval by Student's t on the linearised ratio"},
       {"pooled_theory", "1", Kind::exact, "ratio of the expected variances"},
       {"odd", "1", Kind::sampled, "share of what the lag explains that is odd in it, mean over draws",
        "odd_low", "odd_high"},
       {"odd_low", "1", Kind::sampled, "its 99 % interval by Student's t"},
       {"odd_high", "1", Kind::sampled, "its 99 % interval by Student's t"},
       {"order", "1", Kind::exact, "row of the figure, from above; 0: not in it"}},
      {}};
  // What the figure shows, from above.
  const std::vector<std::string> drawn{
      "sinusoidal identity 0",     "sinusoidal commutant 0",  "none rotary_same 0",
      "sinusoidal tied 64",        "sinusoidal tied 16",      "sinusoidal gaussian 0",
      "sinusoidal heads 512",      "sinusoidal heads 64",     "sinusoidal heads 16",
      "random_fourier identity 0", "random_fourier heads 64", "random identity 0",
      "random heads 64",           "none rotary_own 0",       "none iid 0"};
  for (const Coordinates& r : records_of(cells, "r2")) {
    const std::string name =
        fmt::format("{} {} {}", text_at(r, "encoding"), text_at(r, "matrix"), size_at(r, "rank"));
    const auto place = std::find(drawn.begin(), drawn.end(), name);
    const Estimate r2 = mean_of(r, "r2"), pooled = mean_of(r, "pooled"), odd = mean_of(r, "odd");
    const bool in = size_at(r, "d") == 512 && place != drawn.end();
    table.add({at(r, "encoding"),
               at(r, "matrix"),
               at(r, "rank"),
               at(r, "d"),
               at(r, "l"),
               at(r, "draws"),
               r2.value,
               end_or_nan(r2.low),
               end_or_nan(r2.high),
               at(r, "sd"),
               at(r, "smallest"),
               at(r, "q05"),
               at(r, "q95"),
               theory::toeplitz_null(size_at(r, "l")),
               pooled.value,
               end_or_nan(pooled.low),
               end_or_nan(pooled.high),
               expected_share(r),
               odd.value,
               end_or_nan(odd.low),
               end_or_nan(odd.high),
               whole(in ? static_cast<std::size_t>(place - drawn.begin()) + 1 : 0)});
  }
  return table;
}

Table nullity_table(const std::vector<CellRecords>& cells) {
  Table table{"d6_nullity.csv",
              {{"condition", "", Kind::exact,
                "shift: M with R'MR = M, for all positions; few: the lag alone over L positions, T = 10"},
               {"d", "1", Kind::exact, "dimension"},
               {"positions", "1", Kind::exact, "L; 0 for all"},
               {"dimension", "1", Kind::count, "of the space of such M"},
               {"theory", "1", Kind::exact, "d; for L up to d it is d^2 - (L-1)^2"},
               {"largest_null", "1", Kind::rounded, "largest singular value taken for 0, over the largest"},
               {"smallest_kept", "1", Kind::rounded, "smallest one not taken for 0, over the largest"}},
              {}};
  for (const Coordinates& r : records_of(cells, "null")) {
    const bool shift = text_at(r, "what") == "shift";
    const std::size_t d = shift ? size_at(r, "d") : 8, length = shift ? 0 : size_at(r, "l");
    table.add({shift ? std::string("shift") : std::string("few"), whole(d), whole(length), at(r, "dimension"),
               whole(theory::commutant_dimension(shift ? d + 1 : length, d)), at(r, "largest_null"),
               at(r, "smallest_kept")});
  }
  return table;
}

Table panel_table(const std::vector<CellRecords>& cells) {
  const char* matrices[] = {"identity", "commutant", "rotary_same", "heads", "tied", "rotary_own"};
  Table table{"d6_panels.csv",
              {{"t", "1", Kind::exact, "query position"}, {"s", "1", Kind::exact, "key position"}},
              {}};
  for (const char* matrix : matrices)
    table.columns.push_back(
        {matrix, "1", Kind::sampled,
         "score less its mean over the matrix, in its standard deviations, to two digits; d = 64, "
         "L = 64; what stands between the positions as in d6_r2.csv, Q and K of rank 16"});
  for (const Coordinates& r : records_of(cells, "panel")) {
    std::vector<Value> row{at(r, "t"), at(r, "s")};
    for (const char* matrix : matrices) row.push_back(at(r, matrix));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace perp::distance
