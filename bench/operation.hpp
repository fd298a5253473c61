#pragma once
// What is benched: operations, shapes, and how many floating-point operations and bytes each must cost. The
// counts of the whole suite are here and nowhere else.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perp::bench {

/// m x n results over an inner dimension k, as BLAS counts; an operation reads of them what it needs.
struct Shape {
  std::size_t m = 0, n = 0, k = 0;
  std::string text() const;  ///< "512x64x128"; dimensions that are 0 are left out
};

enum class Type { f32, f64 };
std::string_view to_text(Type type);

/// Floating-point operations and bytes of one call. Bytes are what must move if every operand is read and
/// every result written once.
struct Cost {
  double operations = 0, bytes = 0;
};

struct Operation {
  std::string_view name, title;  ///< in a row's name, and for people
  std::vector<Shape> shapes;     ///< ascending in cost: a smaller shape's rate predicts the time of the next
  std::vector<Type> types;
  Cost (*cost)(double m, double n, double k);  ///< with one byte an element
};

/// Whether LAPACK does it, rather than BLAS; of an operation of the bench or of blas-check.
bool is_lapack(std::string_view operation);

/// Every operation, in the order of the report.
const std::vector<Operation>& operations();
/// Throws Error{Exit::unusable} where there is none.
const Operation& operation(std::string_view name);

/// One line of the bench: an operation at one shape in one type.
struct Row {
  std::string_view operation;
  Type type;
  Shape shape;
  std::string name() const;  ///< "gemm/bare/f32/512x512x512"
  Cost cost() const;
};
inline constexpr unsigned default_row_limit = 120;  ///< seconds after which a row counts as failed

/// All rows, operation by operation; `quick` keeps the smaller half of each operation's shapes.
std::vector<Row> all_rows(bool quick);

}  // namespace perp::bench
