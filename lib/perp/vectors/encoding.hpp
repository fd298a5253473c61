#pragma once
// Ways to tell a Transformer where a word stands, behind one interface that says what each of them does:
// adds a vector to the word, turns queries and keys, or biases the score.
//
// By name, and nothing else is on the list:
//   sinusoidal        Vaswani et al. 2017, section 3.5; d even, ‖p_t‖² = d/2.
//   sine_only         p_t,i = sin(T^(-i/d) t), i = 0 … d-1, twice as many frequencies over the same range instead of
//                     the cosines. p_0 = 0.
//   index             p_t = t (1, …, 1)/√d: one direction, spread over all coordinates so that no layout or
//                     permutation can matter; ‖p_t‖ = t and p_t·p_s = t s.
//   normalised_index  the same with t/(length-1) for t, between 0 and 1 (length 1: 0).
//   random            entries iid N(0, 1/2), E‖p_t‖² = d/2 as the sinusoid's: an untrained table.
//   random_fourier    (sin w_i t, cos w_i t) with w_i iid N(0, 1/scale²), scale = 10 positions, ‖p_t‖² = d/2; the
//                     expected kernel is (d/2) exp(-k²/(2 scale²)) at lag k (Rahimi & Recht 2007, "Random features for
//                     large-scale kernel machines", NIPS 20). d even.
//   rotary            pair i of row t turned by the angle ω_i t, (a, b) -> (a cos - b sin, a sin + b cos), so that a
//                     turned query and key have the product qᵀR(s-t)k (Su et al. 2021, "RoFormer", section 3.2). Pairs
//                     are neighbours.
//   alibi             -slope |t - s| (Press, Smith & Lewis 2022, "Train short, test long", section 3; there under a
//                     causal mask, so s <= t).
//   t5                a bias per bucket, iid N(0, 1) from the stream, standing for learned ones.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/base/error.hpp"
#include "perp/random/draws.hpp"
#include "perp/vectors/positions.hpp"

namespace perp {

enum class Action {
  adds_vector,     ///< word + p_t: `vectors`
  rotates_vector,  ///< query and key turned by angles that grow with the position: `rotate`
  biases_score     ///< score + b(t, s): `bias`
};

class Encoding {
 public:
  virtual ~Encoding() = default;
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;

  const std::string& name() const { return name_; }
  Action action() const { return action_; }

  // Each of the three throws Error when `action` is another one.

  /// Row t is p_t, t = 0 … length-1; length x d. Only a random encoding reads the stream, and its row t (or
  /// its frequency i) depends on the stream and t (or i) alone.
  virtual Matrix<double> vectors(std::size_t, std::size_t, const Stream&) const {
    refuse("encoding '{}' adds no vector", name_);
  }

  /// Turns row r of x (n x d, queries or keys) as position first_position + r would, in place. Lengths of
  /// rows stay.
  virtual void rotate(Matrix<double>&, std::size_t) const { refuse("encoding '{}' turns nothing", name_); }

  /// What is added to the score of query position t against key position s.
  virtual double bias(std::int64_t, std::int64_t) const {
    refuse("encoding '{}' has no bias of a score", name_);
  }

 protected:
  Encoding(std::string name, Action action) : name_(std::move(name)), action_(action) {}

 private:
  std::string name_;
  Action action_;
};

using EncodingPointer = std::unique_ptr<const Encoding>;

EncodingPointer rotary_encoding(double base = usual_base);

/// ALiBi's slope of head h = 1 … heads: 2^(-8h/heads).
double alibi_slope(std::size_t head, std::size_t heads);

/// T5's bucket of the lag s - t, 0 … 31 (Raffel et al. 2020, JMLR 21:140, section 2.1, bidirectional): keys
/// before the query and at it 0 … 15, keys after it 16 more (16 itself is never used). Distances below 8 have
/// a bucket each; from there a bucket per half octave, 8, 12, 16, 23, 32, 46, 64, 91; the last holds
/// everything beyond.
std::size_t t5_bucket(std::int64_t lag);
inline constexpr std::size_t t5_buckets = 32;

struct EncodingSettings {
  std::size_t head = 4, heads = 8;  ///< of alibi: slope 1/16
  Stream biases{};                  ///< of t5
};

/// All, in the order above.
std::vector<EncodingPointer> encodings(const EncodingSettings& settings = {});

/// One of them by its name; throws Error that lists the names.
EncodingPointer encoding_named(std::string_view name, const EncodingSettings& settings = {});

}  // namespace perp
