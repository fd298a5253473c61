#include "perp/vectors/encoding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "perp/base/functions.hpp"
#include "perp/random/draws.hpp"

namespace perp {
namespace {

class Sinusoidal final : public Encoding {
 public:
  Sinusoidal() : Encoding("sinusoidal", Action::adds_vector) {}

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream&) const override {
    return sinusoidal<double>(length, d);
  }
};

class SineOnly final : public Encoding {
 public:
  SineOnly() : Encoding("sine_only", Action::adds_vector) {}

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream&) const override {
    const std::vector<double> omega = frequencies(2 * d, usual_base);  // T^(-2i/2d)
    Matrix<double> table = matrix<double>(length, d);
    std::vector<double> angles(d), turned(2 * d);
    for (std::size_t t = 0; t < length; ++t) {
      for (std::size_t i = 0; i < d; ++i) angles[i] = omega[i] * static_cast<double>(t);
      sines_and_cosines(angles, turned.data());
      for (std::size_t i = 0; i < d; ++i) table(t, i) = turned[2 * i];
    }
    return table;
  }
};

class Random final : public Encoding {
 public:
  Random() : Encoding("random", Action::adds_vector) {}

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream& stream) const override {
    Matrix<double> table = normal_matrix<double>(length, d, stream);
    for (std::size_t i = 0; i < table.size(); ++i) table.data()[i] /= std::numbers::sqrt2;
    return table;
  }
};

class RandomFourier final : public Encoding {
 public:
  RandomFourier() : Encoding("random_fourier", Action::adds_vector) {}

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream& stream) const override {
    constexpr double scale = 10;
    std::vector<double> omega(d / 2);
    fill_normal(stream, std::span<double>(omega));
    for (double& w : omega) w /= scale;
    Matrix<double> table = matrix<double>(length, d);
    std::vector<double> angles(omega.size());
    for (std::size_t t = 0; t < length; ++t) {
      for (std::size_t i = 0; i < omega.size(); ++i) angles[i] = omega[i] * static_cast<double>(t);
      sines_and_cosines(angles, row(table, t).data());
    }
    return table;
  }
};

/// The index, or the index over the last one.
class Index final : public Encoding {
 public:
  explicit Index(bool normalised)
      : Encoding(normalised ? "normalised_index" : "index", Action::adds_vector), normalised_(normalised) {}

  Matrix<double> vectors(std::size_t length, std::size_t d, const Stream&) const override {
    Matrix<double> table = matrix<double>(length, d);
    const double last = normalised_ ? static_cast<double>(std::max<std::size_t>(length - 1, 1)) : 1;
    const double root = std::sqrt(static_cast<double>(d));
    for (std::size_t t = 0; t < length; ++t)
      std::fill_n(row(table, t).begin(), d, static_cast<double>(t) / last / root);
    return table;
  }

 private:
  bool normalised_;
};

class Rotary final : public Encoding {
 public:
  explicit Rotary(double base) : Encoding("rotary", Action::rotates_vector), base_(base) {}

  void rotate(Matrix<double>& x, std::size_t first_position) const override {
    const std::vector<double> omega = frequencies(cols(x), base_);
    for (std::size_t r = 0; r < rows(x); ++r)
      for (std::size_t i = 0; i < omega.size(); ++i) {
        const double angle = omega[i] * static_cast<double>(first_position + r);
        const double c = std::cos(angle), s = std::sin(angle);
        double &a = x(r, 2 * i), &b = x(r, 2 * i + 1);
        const double turned = a * c - b * s;
        b = a * s + b * c;
        a = turned;
      }
  }

 private:
  double base_;
};

class Alibi final : public Encoding {
 public:
  explicit Alibi(double slope) : Encoding("alibi", Action::biases_score), slope_(slope) {}

  double bias(std::int64_t t, std::int64_t s) const override {
    return -slope_ * std::abs(static_cast<double>(t - s));
  }

 private:
  double slope_;
};

class T5 final : public Encoding {
 public:
  explicit T5(const Stream& biases) : Encoding("t5", Action::biases_score) {
    fill_normal(biases, std::span<double>(biases_));
  }

  double bias(std::int64_t t, std::int64_t s) const override { return biases_[t5_bucket(s - t)]; }

 private:
  std::array<double, t5_buckets> biases_{};
};

}  // namespace

EncodingPointer rotary_encoding(double base) { return std::make_unique<Rotary>(base); }

double alibi_slope(std::size_t head, std::size_t heads) {
  return std::exp2(-8 * static_cast<double>(head) / static_cast<double>(heads));
}

std::size_t t5_bucket(std::int64_t lag) {
  constexpr std::uint64_t exact = 8,
                          most = 128;  // distances with a bucket each; where the last begins at most
  constexpr std::size_t per_side = t5_buckets / 2;
  const std::size_t side = lag > 0 ? per_side : 0;
  const std::uint64_t distance = lag < 0 ? -static_cast<std::uint64_t>(lag) : static_cast<std::uint64_t>(lag);
  if (distance < exact) return side + static_cast<std::size_t>(distance);
  if (distance >= most) return side + per_side - 1;
  // 8 + floor(8 log(n/8)/log(128/8)) = 8 + floor(log2(n²/8²)), in integers: logarithms in floating point may
  // fall short of a whole number at n = 16, 32, 64.
  const auto halves = static_cast<std::size_t>(std::bit_width(distance * distance / (exact * exact))) - 1;
  return side + std::min(exact + halves, per_side - 1);
}

std::vector<EncodingPointer> encodings(const EncodingSettings& settings) {
  std::vector<EncodingPointer> list;
  list.push_back(std::make_unique<Sinusoidal>());
  list.push_back(std::make_unique<SineOnly>());
  list.push_back(std::make_unique<Index>(false));
  list.push_back(std::make_unique<Index>(true));
  list.push_back(std::make_unique<Random>());
  list.push_back(std::make_unique<RandomFourier>());
  list.push_back(rotary_encoding());
  list.push_back(std::make_unique<Alibi>(alibi_slope(settings.head, settings.heads)));
  list.push_back(std::make_unique<T5>(settings.biases));
  return list;
}

EncodingPointer encoding_named(std::string_view name, const EncodingSettings& settings) {
  std::string names;
  for (EncodingPointer& encoding : encodings(settings)) {
    if (encoding->name() == name) return std::move(encoding);
    names += (names.empty() ? "" : ", ") + encoding->name();
  }
  refuse("encoding '{}' is none of {}", name, names);
}

}  // namespace perp
