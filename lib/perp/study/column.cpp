#include "perp/study/column.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

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
