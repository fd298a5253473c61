#pragma once
// Claim A7: what a linear reader of one random table gets through noise, and through another table added to it.
//
// The table: M vectors of d coordinates N(0, P/d), all equally likely, read by their likelihoods. Another
// table added to it is noise to a reader that knows no more of it than mean and covariance:
//   white      n'² = n² + P_other/d. Over random tables an unknown row of the other is N(0, P_other/d I), so
//              for the reader that takes it for that the bits are those of n', exactly, in the mean over
//              tables.
//   coloured   n² + λ_i along the axes of the finite table's covariance, for the reader that knows it. Bits
//              by the white noise through which as much Gaussian capacity gets: exact for equal λ.
// A curve of one table alone so predicts the sum, with nothing to fit. What counts are bits per dimension:
// capacity is (d/2) log2(1 + P/(d n²)), so that at a fixed share of log2(M) the signal P/(d n²) in a
// dimension, and with it the interference beside the noise, P_other/(d n²), falls as log2(M)/d.

#include <cstddef>
#include <span>

namespace perp::theory {

/// Bits through white noise, the mean over tables, which are at most log2 M; d >= 2. With c = y - x over all
/// x and s = P/(d n²): given y, which only counts by R = ‖y‖²/n², the squared distances are independent,
/// s χ'²_d(R/s) of other rows and s/(1+s) χ'²_d(R/(s + s²)) of the sent one; and by Frullani's integral
///   E ln Σ e^((D_sent - D_v)/2) = E_R ∫ (1 - φ(x)^(M-1)) φ_sent(x) dx,   φ(x) = E exp(-e^(x - D/2)).
/// The ensemble is Shannon's (1959, Bell Syst. Tech. J. 38:611), the integral exact to 1e-6 bits, for d < 8 to
/// 1e-3.
double table_bits(double codewords, std::size_t d, double power, double noise);

/// n' for which d log2(1 + v/n'²) = Σ log2(1 + v/(n² + λ_i)): of variances λ_i of the interference along its
/// axes (d of them, below 0 counts as 0) and a table of variance v = P/d a coordinate. Of equal λ it is the white n'
/// above.
double noise_beside(double noise, double variance, std::span<const double> eigenvalues);

/// The same for the covariance of a table of `rows` random vectors, centred, of which only total power is
/// known: its eigenvalues by Marchenko and Pastur's law, their mean logarithm in closed form (Tulino and Verdú
/// 2004, Random matrix theory and wireless communications, eq. 1.14). Of two rows or more.
double noise_beside_random(double noise, std::size_t d, double power, double other_power, std::size_t rows);

/// The dimensions that cost_of_adding takes.
inline constexpr std::size_t least_dimension = 16, largest_dimension = 16'384;

/// What a linear reader loses by adding, of words and positions of random entries.
struct CostOfAdding {
  double ceiling = 0;  ///< log2(V L)
  double noise = 0;    ///< n, at a power of 3/2 a coordinate
  std::size_t split_width = 0;
  double split_share = 0, split = 0;  ///< best concatenation: d_p, β, its bits
  double sum_share = 0, sum = 0;      ///< best sum, both over all d: β, its bits

  double loss() const { return split - sum; }  ///< bits
};
/// Shares β of the power for the position that are tried, with d_p = d/8, d/4, 3d/8 and d/2.
inline constexpr double shares_of_position[] = {1 / 12.0, 1 / 6.0, 1 / 3.0, 1 / 2.0, 2 / 3.0};

/// In the noise where the best concatenation carries the share `carried` of log2(V L), by the laws above:
/// concatenated, each table alone in its coordinates; added, each through the coloured noise of the other.
/// Integrals on a coarser grid than table_bits': bits within 1e-4 from d = 64 on, 2e-3 at 16. Throws
/// Error{unusable} for d outside 16 … 16,384, V or L outside 2 … 10⁸, carried outside .1 … .99.
CostOfAdding cost_of_adding(std::size_t d, std::size_t words, std::size_t positions, double carried);

/// The same at a glance, as a share of log2(V L), where the concatenation carries about nine tenths:
///   ln V ln L / (d ln VL)
/// which is V's share of the bits times L's, times ln 2, times the bits a dimension. One of M code words is read
/// to nine tenths once its signal-to-noise ratio, summed over the dimensions, is Γ = 2κ ln M; there the bits grow
/// by e per cent for each per cent of Γ, and eκ lies between .46 and .49 for M = 64 … 50,257. Added, each table is
/// noise to the other, and Γ_w falls to Γ_w/(1 + Γ_p/d). A concatenation packs each code into fewer dimensions,
/// whose rows are less nearly orthogonal: that costs .38 of the same amount. What is left of both parts, over the
/// bits sent, is 4 · .9 · eκ · (1 - .38) = 1.03 times the law: no factor is fitted to the cells that claim A7
/// measures. For tables of random entries with V, L >= 64 or so: of few code words the reader removes the other
/// table's directions altogether. At half or nearly all of the bits carried the loss is smaller.
double law_of_adding(std::size_t d, std::size_t words, std::size_t positions);

/// A stream of d dimensions that holds more than a word and its place: `features` random tables of `codewords` rows each and
/// one of positions, all read linearly as above.
struct Superposition {
  std::size_t d, features, codewords, positions;

  double bits() const;  ///< log2 of all that can be sent
};
/// Shares of those bits that are lost, each in the noise where its concatenation carries `carried` of them.
struct CostOfStream {
  double noise = 0;  ///< n, of `all`
  double all = 0;    ///< every table added over all d, against each in dimensions of its own
  double position =
      0;  ///< features added in both; the position added to them over all d, against one in its own dimensions
  double law = 0;  ///< of `all` at nine tenths: ½ ln 2 (1 - Σ s²) bits/d, s a table's share of the bits
};
/// Tables have power, and where they are apart dimensions, in proportion to their bits; whatever else is added is white noise
/// of its power (table_bits, exact in the mean over tables). With one feature `law` is law_of_adding. At least two
/// dimensions a table.
CostOfStream cost_of_stream(const Superposition& stream, double carried);

}  // namespace perp::theory
