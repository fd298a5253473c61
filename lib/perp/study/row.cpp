#include "perp/study/row.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"

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

}  // namespace perp::detail
