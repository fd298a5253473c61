#pragma once
// Frames: rows of named fields. A cell writes rows of named tables; the fold reads them and writes rows that need all
// cells. What the columns mean, and which cells of the tables are findings, stands in the claim's file (experiment.hpp).
//
//   out("angles", {{"k", k}, {"r", r}, {"largest", cosines.front()}});             in a cell, d = 512
//
//   for (const Frame& draws : measured["angles"].by("d k r"))                          in the fold
//     out("largest", draws, {{"draws", draws.size()}, {"largest", draws.mean("largest")}});
//
// In front of its own fields a row has its place: the coordinates of its cell, or what its group agrees in. A field or a
// table that is not there is an Error of one line that names the nearest.

#include <concepts>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "perp/study/finding.hpp"

namespace perp {

/// A named integer, real number (NaN: absent), text, or number with its interval.
struct Field {
  std::string name;
  Value value;
  std::shared_ptr<const Estimate> estimate = {};  ///< of a number with its interval, and how that spreads

  Field(std::string_view name, const Value& value);
  Field(std::string_view name, std::int64_t whole);
  Field(std::string_view name, std::integral auto whole) : Field(name, static_cast<std::int64_t>(whole)) {}
  Field(std::string_view name, double real);
  Field(std::string_view name, const char* text);
  Field(std::string_view name, const std::string& text);
  Field(std::string_view name, const Estimate& estimate);
};

std::vector<Field> fields_of(const Coordinates& values);

/// One row of a table.
struct Row {
  std::string table;
  std::vector<Field> place, fields;

  const Field& operator[](std::string_view field) const;  ///< its own, before one of its place
  double number(std::string_view field) const;
  std::size_t whole(std::string_view field) const;
  std::string text(std::string_view field) const;
  /// The number with its interval; nothing where the field has none. Kept cells have the ends in fields of their own,
  /// `<field>_low` and `<field>_high`.
  std::optional<Estimate> estimate(std::string_view field) const;
  Coordinates kept() const;  ///< its own fields as a cell keeps them

 private:
  const Field* find(std::string_view field) const;
};

/// Rows of one table, or a group of them.
struct Frame : std::vector<Row> {
  std::string table;
  std::vector<Field> key = {};  ///< what the rows of a group agree in

  explicit Frame(std::string_view name) : table(name) {}

  const Row& front() const;  ///< throws Error where there is no row
  /// The rows whose field has this value; the rows for which `holds` is true.
  Frame where(std::string_view field, const Value& value) const;
  Frame where(const std::function<bool(const Row&)>& holds) const;
  /// Groups that agree in these fields ("d k r"), in the order in which each first appears.
  std::vector<Frame> by(std::string_view fields) const;

  /// Over the rows.
  std::vector<double> numbers(std::string_view field) const;
  std::vector<double> numbers(const std::function<double(const Row&)>& get) const;
  Moments moments(std::string_view field) const;
  Estimate mean(std::string_view field) const;  ///< with Student's interval; without one for a single row
  double sum(std::string_view field) const;
  double most(std::string_view field) const;  ///< NaN is passed over; -infinity, and infinity, of none
  double least(std::string_view field) const;
};

/// Every table that cells, or the fold, wrote.
class Frames {
 public:
  const Frame& operator[](std::string_view table) const;
  bool has(std::string_view table) const { return frames_.contains(table); }
  /// A table that is not used in this run, and no mistake.
  void pass_over(std::string_view table) const { read_.emplace(table); }
  void add(Row row);
  /// Throws Error for a table that nobody has read and that is none of `known`.
  void expect_read(const std::vector<std::string>& known) const;

 private:
  std::map<std::string, Frame, std::less<>> frames_;
  mutable std::set<std::string, std::less<>> read_;
};

/// Takes the rows that a cell or the fold writes.
class Out {
 public:
  explicit Out(const Coordinates& place = {});
  void operator()(std::string_view table, std::initializer_list<Field> fields);
  /// With the group's key for a place.
  void operator()(std::string_view table, const Frame& group, std::initializer_list<Field> fields);
  std::vector<Row> take() { return std::move(rows_); }

 private:
  std::vector<Field> place_;
  std::vector<Row> rows_;
};

/// A table read back from CSV: the fold of rows that were published gives what it gave of the rows as measured.
Frame frame_from_csv(std::string_view table, std::string_view csv);

}  // namespace perp
