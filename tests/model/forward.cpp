// The whole Transformer against its definition, every switch both ways, both precisions.

#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/model/slow.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;
using model::Norm;
using model::Shape;

namespace {

constexpr std::size_t length = 7, batch = 3;

template <class T>
model::AttentionPositions<T> positions_of(Knows knows, const Shape& shape) {
  if (knows == Knows::rotary)
    return model::rotary_positions<T>(*rotary_encoding(), length, shape.head_width());
  std::vector<EncodingPointer> heads;
  if (knows == Knows::alibi)
    for (std::size_t h = 1; h <= shape.heads; ++h) heads.push_back(alibi_encoding(h, shape.heads));
  return model::biased_positions<T>(heads, length);
}

/// Distance of the fast forward pass from the slow one, in rounding bounds.
template <class T>
double over_bound(const Shape& shape, Knows knows) {
  const auto transformer = any_transformer<T>(shape);
  const Matrix<T> x = normal_rows<T>(batch * length, shape.width, "tokens");
  const Matrix<T> fast = model::forward<T>(transformer, x, length, positions_of<T>(knows, shape));
  return apart(fast, slow_forward(transformer, x, length, knows)) /
         model::permutation_bound(shape, shape.depth, length, roundoff<T>);
}

const Shape usual{.width = 24, .heads = 3, .inner = 40, .depth = 3};

}  // namespace

BOOST_AUTO_TEST_SUITE(model_forward)

BOOST_AUTO_TEST_CASE(every_switch_against_the_definition) {
  std::size_t tried = 0;
  for (const Norm norm : {Norm::before, Norm::after, Norm::none})
    for (int bits = 0; bits < 16; ++bits)
      for (const Knows knows : {Knows::nothing, Knows::rotary, Knows::alibi}) {
        Shape shape = usual;
        shape.norm = norm;
        shape.causal = bits & 1;
        shape.residual = bits & 2;
        shape.feed_forward = bits & 4;
        shape.activation = bits & 8 ? model::Activation::relu : model::Activation::gelu;
        const std::string what =
            fmt::format("norm {} bits {} knows {}", to_text(norm), bits, static_cast<int>(knows));
        BOOST_TEST(over_bound<double>(shape, knows) < 1, what);
        BOOST_TEST(over_bound<float>(shape, knows) < 1, what);
        ++tried;
      }
  BOOST_TEST(tried == 144U);
}

BOOST_AUTO_TEST_CASE(permuting_tokens_permutes_outputs) {
  // Every order of one sequence without an encoding: each output row where its token went.
  const auto transformer = any_transformer<double>(usual);
  const Matrix<double> x = normal_rows<double>(length, usual.width, "tokens");
  const Matrix<double> before = model::forward<double>(transformer, x, length);
  for (std::size_t shift = 1; shift < length; ++shift) {
    Matrix<double> moved = matrix<double>(length, usual.width);
    Rows expected(length, std::vector<double>(usual.width));
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t to = (i * 3 + shift) % length;
      std::ranges::copy(row(x, i), row(moved, to).begin());
      std::ranges::copy(row(before, i), expected[to].begin());
    }
    const double distance = apart(model::forward<double>(transformer, moved, length), expected);
    BOOST_TEST(distance < model::permutation_bound(usual, usual.depth, length, roundoff<double>));
    Shape causal = usual;
    causal.causal = true;
    BOOST_TEST(apart(model::forward<double>(any_transformer<double>(causal), moved, length), expected) >
               0.01);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(mask_hides_what_comes_later, T, decltype(std::tuple<float, double>())) {
  // Not one bit of an earlier output moves when a later token does, however large it becomes.
  Shape shape{.width = 32, .heads = 4, .inner = 64, .depth = 4, .causal = true};
  constexpr std::size_t n = 17;
  const auto transformer = any_transformer<T>(shape);
  const Matrix<T> x = normal_rows<T>(2 * n, shape.width, "tokens");
  const Matrix<T> before = model::forward<T>(transformer, x, n);
  for (const std::size_t changed : {std::size_t{1}, std::size_t{9}, n - 1}) {
    Matrix<T> other = x;
    for (T& value : row(other, changed)) value = -1000 * value + 5;
    const Matrix<T> after = model::forward<T>(transformer, other, n);
    for (std::size_t i = 0; i < 2 * n; ++i) {
      const bool same = std::ranges::equal(row(before, i), row(after, i));
      BOOST_TEST(same == (i < changed || i >= n), "row " << i << " with token " << changed << " changed");
    }
  }
}

BOOST_AUTO_TEST_CASE(sequences_do_not_see_one_another) {
  const auto transformer = any_transformer<double>(usual);
  const Matrix<double> x = normal_rows<double>(2 * length, usual.width, "tokens");
  const Matrix<double> both = model::forward<double>(transformer, x, length);
  Matrix<double> second = matrix<double>(length, usual.width);
  for (std::size_t i = 0; i < length; ++i) std::ranges::copy(row(x, length + i), row(second, i).begin());
  const Matrix<double> alone = model::forward<double>(transformer, second, length);
  Rows expected(length);
  for (std::size_t i = 0; i < length; ++i) {
    const auto from = row(both, length + i);
    expected[i].assign(from.begin(), from.end());
  }
  BOOST_TEST(apart(alone, expected) < model::permutation_bound(usual, usual.depth, length, roundoff<double>));
}

BOOST_AUTO_TEST_CASE(every_depth_is_shown) {
  const auto transformer = any_transformer<double>(usual);
  const Matrix<double> x = normal_rows<double>(length, usual.width, "tokens");
  std::vector<std::size_t> depths;
  Matrix<double> last = matrix<double>(0, 0);
  const Matrix<double> out = model::forward<double>(
      transformer, x, length, {}, [&](std::size_t depth, const Matrix<double>& states) {
        depths.push_back(depth);
        if (depth == 0) BOOST_TEST(std::ranges::equal(row(states, 2), row(x, 2)));
        last = states;
      });
  BOOST_TEST(depths == (std::vector<std::size_t>{0, 1, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(std::ranges::equal(row(last, 3), row(out, 3)));
}

BOOST_AUTO_TEST_CASE(weights_have_the_usual_scales) {
  const Shape shape{.width = 128, .heads = 4, .inner = 512, .depth = 2};
  const auto mean_square = [](const model::Linear<double>& map) {
    double sum = 0;
    for (const double w : std::span<const double>(map.weight.data(), map.weight.size())) sum += w * w;
    return sum / static_cast<double>(map.weight.size());
  };
  // A mean of 16,384 squares of normals or more: relative deviation √(2/16384) = .011; six of them.
  const double allowed = 6 * std::sqrt(2.0 / (128 * 128));
  const auto near = [&](double value, double expected) { return std::abs(value / expected - 1) < allowed; };
  const auto fan_in =
      model::random_transformer<double>(shape, model::Initialisation::fan_in, named("scales"));
  const auto gpt2 = model::random_transformer<double>(shape, model::Initialisation::gpt2, named("scales"));
  for (std::size_t k = 0; k < 2; ++k) {
    const model::Block<double>& a = fan_in.blocks[k];
    for (const auto* map : {&a.attention.query, &a.attention.key, &a.attention.value, &a.feed_forward.inner})
      BOOST_TEST(near(mean_square(*map), 1.0 / 128));
    BOOST_TEST(near(mean_square(a.attention.output), 1.0 / 128 / 4));  // 2 depth = 4
    BOOST_TEST(near(mean_square(a.feed_forward.outer), 1.0 / 512 / 4));
    BOOST_TEST(near(mean_square(gpt2.blocks[k].attention.query), 4e-4));
    BOOST_TEST(near(mean_square(gpt2.blocks[k].feed_forward.outer), 4e-4 / 4));
  }
  Shape bare = shape;
  bare.residual = false;
  const auto plain = model::random_transformer<double>(bare, model::Initialisation::fan_in, named("scales"));
  BOOST_TEST(near(mean_square(plain.blocks[0].attention.output), 1.0 / 128));
}

BOOST_AUTO_TEST_CASE(both_precisions_hold_the_same_numbers) {
  const auto narrow = model::random_transformer<float>(usual, model::Initialisation::fan_in, named("same"));
  const auto wide = model::random_transformer<double>(usual, model::Initialisation::fan_in, named("same"));
  for (std::size_t k = 0; k < usual.depth; ++k) {
    const Matrix<float>& a = narrow.blocks[k].feed_forward.outer.weight;
    const Matrix<double>& b = wide.blocks[k].feed_forward.outer.weight;
    for (std::size_t i = 0; i < a.size(); ++i) BOOST_REQUIRE(static_cast<double>(a.data()[i]) == b.data()[i]);
  }
  // No two maps share their numbers.
  const model::Block<double>& block = wide.blocks.front();
  BOOST_TEST(block.attention.query.weight(0, 0) != block.attention.key.weight(0, 0));
  BOOST_TEST(block.attention.query.weight(0, 0) != wide.blocks[1].attention.query.weight(0, 0));
}

BOOST_AUTO_TEST_CASE(bounds_by_hand) {
  BOOST_TEST(model::rounding_bound(1, 64, 0x1p-53) == 16 * 0x1p-53);
  const Shape shape{.width = 64, .heads = 4, .inner = 256, .depth = 12};
  BOOST_TEST(model::permutation_bound(shape, 12, 8, 0x1p-24) == 12 * 12 * 16 * 0x1p-24);
  BOOST_TEST(model::permutation_bound(shape, 1, 1024, 0x1p-24) == 12 * 32 * 0x1p-24);
}

BOOST_AUTO_TEST_CASE(refusals) {
  const auto build = [](Shape shape) {
    model::random_transformer<float>(shape, model::Initialisation::fan_in, named("refused"));
  };
  check_refusal([&] { build({.width = 0, .heads = 1, .inner = 4}); }, "1 heads of a width of 0");
  check_refusal([&] { build({.width = 10, .heads = 4, .inner = 4}); }, "4 heads of a width of 10");
  check_refusal([&] { build({.width = 8, .heads = 0, .inner = 4}); }, "0 heads");
  check_refusal([&] { build({.width = 8, .heads = 2, .inner = 0}); }, "inner width 0");
  const auto transformer = any_transformer<float>(usual);
  check_refusal([&] { model::forward<float>(transformer, normal_rows<float>(4, 23, "x"), 4); }, "width 23");
  check_refusal([&] { model::forward<float>(transformer, normal_rows<float>(5, 24, "x"), 4); },
                "5 tokens are no sequences of 4");
  check_refusal([&] { model::forward<float>(transformer, normal_rows<float>(5, 24, "x"), 0); },
                "sequences of 0");
}

BOOST_AUTO_TEST_SUITE_END()
