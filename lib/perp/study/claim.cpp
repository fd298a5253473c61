#include "perp/study/claim.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "perp/base/error.hpp"

// ---- rows and groups

namespace perp::detail {
namespace {

const Value* named(const Coordinates& coordinates, std::string_view name) {
  const auto found = std::ranges::find(coordinates, name, &Coordinate::name);
  return found == coordinates.end() ? nullptr : &found->value;
}

}  // namespace

void FieldWriter::operator()(const char* name, const Value& value) const {
  const Value* given = place ? named(*place, name) : nullptr;
  if (!given || *given != value) out.emplace_back(name, value);
}

void FieldWriter::operator()(const char* name, const std::string& text) const { (*this)(name, Value(text)); }
void FieldWriter::operator()(const char* name, double real) const { (*this)(name, Value(real)); }
void FieldWriter::operator()(const char* name, std::int64_t integer) const { (*this)(name, Value(integer)); }

void FieldWriter::operator()(const char* name, const Estimate& estimate) const {
  (*this)(name, Value(estimate.value));
  (*this)(fmt::format("{}_low", name).c_str(), Value(estimate.low.value_or(NAN)));
  (*this)(fmt::format("{}_high", name).c_str(), Value(estimate.high.value_or(NAN)));
}

const Value& FieldReader::find(std::string_view name) const {
  if (const Value* value = named(record, name)) return *value;
  if (const Value* value = named(place, name)) return *value;
  fail("row {}: no field '{}' in its record or its cell", row, name);
}

void FieldReader::operator()(const char* name, double& value) const { value = to_number(find(name)); }

void FieldReader::operator()(const char* name, std::string& value) const {
  const auto* text = std::get_if<std::string>(&find(name));
  require(text != nullptr, "row {}: field '{}' is a number, expected a text", row, name);
  value = *text;
}

void FieldReader::operator()(const char* name, Estimate& estimate) const {
  const double low = to_number(find(fmt::format("{}_low", name)));
  const double high = to_number(find(fmt::format("{}_high", name)));
  estimate = {to_number(find(name))};
  if (!std::isnan(low)) estimate = {estimate.value, low, high, shown_level};
}

std::int64_t FieldReader::integer(const char* name) const {
  const auto* number = std::get_if<std::int64_t>(&find(name));
  require(number != nullptr, "row {}: field '{}' is {}, expected an integer", row, name, to_text(find(name)));
  return *number;
}

void Keys::add(std::string_view text) { row_.emplace_back(std::string(text)); }
void Keys::add(double real) { row_.emplace_back(real); }
void Keys::add(std::int64_t integer) { row_.emplace_back(integer); }

void Keys::end_row() {
  const std::size_t next = numbers_.size();
  group_of_row_.push_back(numbers_.try_emplace(std::move(row_), next).first->second);
  row_.clear();
}

}  // namespace perp::detail

// ---- columns

namespace perp {

ColumnValue::ColumnValue(std::int64_t integer) : ColumnValue(Value(integer)) {}
ColumnValue::ColumnValue(double real) : ColumnValue(Value(real)) {}
ColumnValue::ColumnValue(const char* text) : value(text) {}
ColumnValue::ColumnValue(const std::string& text) : value(text) {}
ColumnValue::ColumnValue(const Value& given) : value(given) {
  if (!std::holds_alternative<std::string>(value)) estimate.value = to_number(value);
}
ColumnValue::ColumnValue(const Estimate& given) : value(given.value), estimate(given) {}

}  // namespace perp

namespace perp::detail {
namespace {

/// The same number of every item.
template <class Number>
struct Constant final : Getter {
  Number number;
  explicit Constant(Number given) : number(given) {}
  ColumnValue operator()(const void*) const override { return number; }
};

struct OfPart final : Getter {
  Read read;
  PartOf find;
  OfPart(const Read& given, PartOf where) : read(given), find(where) {}
  ColumnValue operator()(const void* item) const override { return (*read)(find(item)); }
};

struct IntervalEnd final : Getter {
  Read read;
  std::optional<double> Estimate::*end;
  IntervalEnd(const Read& given, std::optional<double> Estimate::*which) : read(given), end(which) {}
  ColumnValue operator()(const void* item) const override {
    return ((*read)(item).estimate.*end).value_or(NAN);
  }
};

std::uint64_t count_from(const ColumnValue& number) {
  const auto* integer = std::get_if<std::int64_t>(&number.value);
  return integer ? static_cast<std::uint64_t>(*integer) : static_cast<std::uint64_t>(number.estimate.value);
}

}  // namespace

Getter::~Getter() = default;

Read shared(const Getter* owned) { return Read(owned); }
Read of_part(const Read& part, PartOf find) { return part ? shared(new OfPart(part, find)) : nullptr; }

AnyColumn::AnyColumn(Column about, Read read) : about_(std::move(about)), read_(std::move(read)) {}
AnyColumn::AnyColumn(const AnyColumn& part, PartOf find)
    : about_(part.about_),
      read_(of_part(part.read_, find)),
      theory_(of_part(part.theory_, find)),
      n_(of_part(part.n_, find)) {
  for (const auto& [about, read] : part.companions_) companions_.push_back({about, of_part(read, find)});
}

AnyColumn AnyColumn::unit(std::string_view unit) const {
  AnyColumn copy = *this;
  copy.about_.unit = unit;
  return copy;
}

AnyColumn AnyColumn::interval(std::string_view low, std::string_view high, std::string_view meaning_low,
                              std::string_view meaning_high) const {
  AnyColumn copy = *this;
  copy.about_.low = low;
  copy.about_.high = high;
  const auto end = [&](std::string_view name, std::string_view meaning,
                       std::optional<double> Estimate::*which) {
    copy.companions_.push_back(
        {{name, about_.unit, about_.kind, meaning}, shared(new IntervalEnd(read_, which))});
  };
  end(low, meaning_low, &Estimate::low);
  end(high, meaning_high.empty() ? meaning_low : meaning_high, &Estimate::high);
  return copy;
}

AnyColumn AnyColumn::theory(Read law) const {
  AnyColumn copy = *this;
  copy.theory_ = std::move(law);
  return copy;
}

AnyColumn AnyColumn::theory(std::string_view name, std::string_view meaning, const Read& law) const {
  return theory(law).with({name, about_.unit, Kind::exact, meaning}, law);
}

AnyColumn AnyColumn::chance(double level) const { return theory(shared(new Constant(level))); }

AnyColumn AnyColumn::with(Column about, Read read) const {
  AnyColumn copy = *this;
  copy.companions_.push_back({std::move(about), std::move(read)});
  return copy;
}

AnyColumn AnyColumn::n(Read count) const {
  AnyColumn copy = *this;
  copy.n_ = std::move(count);
  return copy;
}

AnyColumn AnyColumn::n(std::uint64_t count) const { return n(shared(new Constant(count))); }

AnyColumn AnyColumn::as(std::string_view name, std::string_view meaning) const {
  AnyColumn copy = *this;
  copy.about_.name = name;
  copy.about_.meaning = meaning;
  return copy;
}

Finding AnyColumn::finding(std::string_view claim, const Coordinates& at, const void* item) const {
  return perp::finding(claim, about_.name, at, (*read_)(item).estimate,
                       {.theory = theory_ ? std::optional((*theory_)(item).estimate.value) : std::nullopt,
                        .unit = about_.unit,
                        .n = n_ ? std::optional(count_from((*n_)(item))) : std::nullopt,
                        .kind = about_.kind,
                        .meaning = sentence(about_.meaning)});
}

void AnyColumn::add_columns(std::vector<Column>& columns) const {
  columns.push_back(about_);
  for (const Companion& companion : companions_) columns.push_back(companion.about);
}

void AnyColumn::add_values(const void* item, std::vector<Value>& row) const {
  row.push_back((*read_)(item).value);
  for (const Companion& companion : companions_) row.push_back((*companion.read)(item).value);
}

}  // namespace perp::detail

// ---- what follows from a claim

namespace perp {

void Summary::add_table(std::string_view file, const Sequence& items, const Sequence& columns) {
  std::vector<Column> about;
  for (std::size_t c = 0; c < columns.count; ++c) columns.column(c).add_columns(about);
  Table made{file, std::move(about)};
  for (std::size_t i = 0; i < items.count; ++i) {
    std::vector<Value> row;
    for (std::size_t c = 0; c < columns.count; ++c) columns.column(c).add_values(items[i], row);
    made.add(std::move(row));
  }
  tables.push_back(std::move(made));
}

void Summary::add_findings(const Sequence& items, const Sequence& keys, const Sequence& columns) {
  for (std::size_t i = 0; i < items.count; ++i) {
    Coordinates at;
    for (std::size_t k = 0; k < keys.count; ++k)
      at.emplace_back(keys.column(k).about().name, keys.column(k).read(items[i]).value);
    for (std::size_t c = 0; c < columns.count; ++c)
      findings.push_back(columns.column(c).finding(claim_, at, items[i]));
  }
}

double Summary::value(std::string_view id) const {
  const Finding* found = find(findings, whole_id(claim_, id));
  require(found != nullptr, "{}: no finding '{}'", claim_, id);
  return found->value;
}

Outcome Summary::finish() && {
  complete(*this, claim_);
  return std::move(*this);
}

void Experiment::conclude(std::function<void(const Cells&, Summary&)> follows) {
  summarise = [claim = claim, follows = std::move(follows)](const Cells& measured) {
    Summary summary(claim);
    follows(measured, summary);
    return std::move(summary).finish();
  };
}

void add_overall(Summary& summary, std::string_view measure, const Coordinates& at, double value,
                 std::uint64_t n, std::string_view meaning, std::optional<double> theory, Kind kind,
                 std::string_view unit) {
  summary.number(measure, at, {value},
                 {.theory = theory, .unit = unit, .n = n, .kind = kind, .meaning = meaning});
}

}  // namespace perp
