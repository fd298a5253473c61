#pragma once
// Typed rows: a struct whose fields are named once, here, is a cell's place, what a cell measured, and what
// tables and findings read. This is the only place where a row meets text.
//
//   struct Curve { std::size_t d; double base; };               PERP_ROW(Curve, d, base)
//   struct Step : Curve { std::size_t lag; double share; };     PERP_ROW_OF(Step, Curve, lag, share)
//
//   rows.add(Step{at, lag, share});                        in the cell `at`: keeps lag and share
//   for (const Step& step : rows_of<Step>(cells)) …        step.d, step.base are the cell's

#include <boost/preprocessor/seq/for_each.hpp>
#include <boost/preprocessor/stringize.hpp>
#include <boost/preprocessor/variadic/size.hpp>
#include <boost/preprocessor/variadic/to_seq.hpp>
#include <concepts>
#include <type_traits>
#include <utility>

#include "perp/study/experiment.hpp"

namespace perp {

namespace detail {

template <class From, class To>
using same_const = std::conditional_t<std::is_const_v<From>, const To, To>;

/// Writes a row's fields, in order. With a place, fields that it has with the same value are left out.
struct FieldWriter {
  Coordinates& out;
  const Coordinates* place = nullptr;

  void operator()(const char* name, const Value& value) const;
  void operator()(const char* name, const std::string& text) const;
  void operator()(const char* name, double real) const;
  void operator()(const char* name, std::int64_t integer) const;
  void operator()(const char* name, std::integral auto integer) const {
    (*this)(name, static_cast<std::int64_t>(integer));
  }
  /// Three values: name, name_low, name_high; NaN where there is no interval.
  void operator()(const char* name, const Estimate& estimate) const;
};

/// Reads them back: from the record, or from its cell's place. Throws Error naming the row and the field that
/// neither has.
struct FieldReader {
  const char* row;
  const Coordinates &record, &place;

  const Value& find(std::string_view name) const;
  void operator()(const char* name, std::string& value) const;
  void operator()(const char* name, double& value) const;
  void operator()(const char* name, Estimate& estimate) const;
  void operator()(const char* name, std::integral auto& value) const {
    value = static_cast<std::remove_reference_t<decltype(value)>>(integer(name));
  }

 private:
  std::int64_t integer(const char* name) const;
};

/// Stands for the value of any field of a row, and for none of its bases, which then take a value for each of
/// theirs.
template <class Row, std::size_t>
struct AnyField {
  template <class Field>
  requires(!std::is_base_of_v<Field, Row>) operator Field() const;
};
template <class Row, std::size_t... Field>
constexpr bool takes(std::index_sequence<Field...>) {
  return requires { Row{AnyField<Row, Field>{}...}; };
}
/// Fields of a row, those of its bases among them.
template <class Row, std::size_t so_far = 0>
constexpr std::size_t count_fields() {
  if constexpr (takes<Row>(std::make_index_sequence<so_far + 1>()))
    return count_fields<Row, so_far + 1>();
  else
    return so_far;
}

template <class Axis>
concept ListOfValues = std::ranges::range<Axis> && !std::convertible_to<Axis, std::string_view>;
template <class Axis>
std::size_t size_of_axis(const Axis& axis) {
  if constexpr (ListOfValues<Axis>)
    return std::ranges::size(axis);
  else
    return 1;
}
template <class Axis>
decltype(auto) value_of_axis(const Axis& axis, std::size_t place) {
  if constexpr (ListOfValues<Axis>)
    return std::ranges::begin(axis)[place];
  else
    return (axis);
}
/// Whether the axes' values fill the fields of an `At`, in their order.
template <class At, class... Axes>
concept TakesWithoutNarrowing = requires(const Axes&... axes) {
  At{value_of_axis(axes, 0)...};
};

}  // namespace detail

#define PERP_VISIT_FIELD(r, row, field) visit(BOOST_PP_STRINGIZE(field), row.field);
#define PERP_VISITOR(Type, of_base, visit_base, ...)                                                 \
  static_assert(perp::detail::count_fields<Type>() == of_base + BOOST_PP_VARIADIC_SIZE(__VA_ARGS__), \
                BOOST_PP_STRINGIZE(Type) ": its row has to name each of its fields");                \
  template <class Row, class Visit>                                                                  \
  requires std::same_as<std::remove_const_t<Row>, Type>                                              \
  void visit_fields(Row& row, const Visit& visit) {                                                  \
    visit_base BOOST_PP_SEQ_FOR_EACH(PERP_VISIT_FIELD, row, BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__))   \
  }                                                                                                  \
  [[maybe_unused]] constexpr const char* row_name(const Type*) { return BOOST_PP_STRINGIZE(Type); }

/// Names the fields of a struct: integers, real numbers, texts; estimates at shown_level, of which the value
/// and the interval are kept, not how they spread. Beside the struct, in its namespace.
#define PERP_ROW(Type, ...) PERP_VISITOR(Type, 0, , __VA_ARGS__)
/// The same for a struct that begins with the fields of `Base`.
#define PERP_ROW_OF(Type, Base, ...)                                                        \
  PERP_VISITOR(Type, perp::detail::count_fields<Base>(),                                    \
               visit_fields(static_cast<perp::detail::same_const<Row, Base>&>(row), visit); \
               , __VA_ARGS__)

/// A row's fields by name, in order.
template <class Row>
Coordinates coordinates_of(const Row& row) {
  Coordinates out;
  visit_fields(row, detail::FieldWriter{out});
  return out;
}

template <class Row>
Row row_from(const Coordinates& record, const Coordinates& place = {}) {
  Row row{};
  visit_fields(row, detail::FieldReader{row_name(static_cast<Row*>(nullptr)), record, place});
  return row;
}

/// What one cell measured; rows of any types.
class Rows {
 public:
  explicit Rows(const Cell& cell) : place_(cell.at) {}
  explicit Rows(const Cell&&) = delete;  // its coordinates are read as long as rows are added

  template <class Row>
  void add(const Row& row) {
    Coordinates values;
    visit_fields(row, detail::FieldWriter{values, &place_});
    records_.emplace_back(row_name(&row), std::move(values));
  }
  Records take() { return std::move(records_); }

 private:
  const Coordinates& place_;
  Records records_;
};

/// Every row of this type, in cell order.
template <class Row>
std::vector<Row> rows_of(const std::vector<CellRecords>& cells) {
  const std::string_view name = row_name(static_cast<Row*>(nullptr));
  std::vector<Row> rows;
  for (const CellRecords& entry : cells)
    for (const Record& record : entry.records)
      if (record.name == name) rows.push_back(row_from<Row>(record.values, entry.cell.at));
  return rows;
}

/// One At{…} for each combination of the axes' values, the last axis fastest; an axis is a value or a list of
/// them:
///   grid<Draw>("grid", 512, first(50))
template <class At, class... Axes>
requires detail::TakesWithoutNarrowing<At, Axes...> std::vector<At> grid(const Axes&... axes) {
  const std::size_t count = (detail::size_of_axis(axes) * ... * 1);
  std::vector<At> cells;
  for (std::size_t cell = 0; cell < count; ++cell) {
    std::size_t block = count;  // cells in which the axes so far stay as they are
    const auto chosen = [&](const auto& axis) -> decltype(auto) {
      const std::size_t size = detail::size_of_axis(axis);
      block /= size;
      return detail::value_of_axis(axis, cell / block % size);
    };
    cells.push_back(At{chosen(axes)...});
  }
  return cells;
}

}  // namespace perp
