#include "perp/study/frame.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "perp/base/error.hpp"
#include "perp/io/csv.hpp"
#include "perp/io/message.hpp"
#include "perp/study/measuring.hpp"

namespace perp {
namespace {

const Field* named(const std::vector<Field>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace

Field::Field(std::string_view name_, const Value& value_) : name(name_), value(value_) {}
Field::Field(std::string_view name_, std::int64_t whole) : name(name_), value(whole) {}
Field::Field(std::string_view name_, double real) : name(name_), value(real) {}
Field::Field(std::string_view name_, const char* text) : name(name_), value(text) {}
Field::Field(std::string_view name_, const std::string& text) : name(name_), value(text) {}
Field::Field(std::string_view name_, const Estimate& given)
    : name(name_), value(given.value), estimate(std::make_shared<Estimate>(given)) {}

std::vector<Field> fields_of(const Coordinates& values) {
  std::vector<Field> fields;
  for (const auto& [name, value] : values) fields.emplace_back(name, value);
  return fields;
}

const Field* Row::find(std::string_view field) const {
  const Field* own = named(fields, field);
  return own ? own : named(place, field);
}

const Field& Row::operator[](std::string_view field) const {
  if (const Field* found = find(field)) return *found;
  std::vector<std::string> names;
  for (const auto* part : {&place, &fields})
    for (const Field& there : *part) names.push_back(there.name);
  refuse("table '{}' has no field '{}'{}", table, field, instead_of(field, names));
}

double Row::number(std::string_view field) const {
  const Value& value = (*this)[field].value;
  require(!std::holds_alternative<std::string>(value),
          "table '{}': field '{}' is the text '{}', expected a number", table, field, to_text(value));
  return to_number(value);
}

std::size_t Row::whole(std::string_view field) const {
  const Value& value = (*this)[field].value;
  const auto* integer = std::get_if<std::int64_t>(&value);
  require(integer && *integer >= 0, "table '{}': field '{}' is {}, expected a whole number", table, field,
          to_text(value));
  return static_cast<std::size_t>(*integer);
}

std::string Row::text(std::string_view field) const { return to_text((*this)[field].value); }

std::optional<Estimate> Row::estimate(std::string_view field) const {
  if (const auto& given = (*this)[field].estimate) return *given;
  const Field *low = find(fmt::format("{}_low", field)), *high = find(fmt::format("{}_high", field));
  if (!low || !high) return std::nullopt;
  Estimate kept{number(field)};
  if (const double end = to_number(low->value); !std::isnan(end))
    kept = {kept.value, end, to_number(high->value), shown_level};
  return kept;
}

Coordinates Row::kept() const {
  Coordinates values;
  for (const auto& [name, value, estimate] : fields) {
    values.emplace_back(name, value);
    if (!estimate) continue;
    values.emplace_back(name + "_low", estimate->low.value_or(NAN));
    values.emplace_back(name + "_high", estimate->high.value_or(NAN));
  }
  return values;
}

const Row& Frame::front() const {
  require(!empty(), "{}: no row of those that were expected", table);
  return std::vector<Row>::front();
}
Frame Frame::where(const std::function<bool(const Row&)>& holds) const {
  Frame rows(table);
  rows.key = key;
  std::ranges::copy_if(*this, std::back_inserter(rows), holds);
  return rows;
}

Frame Frame::where(std::string_view field, const Value& value) const {
  return where([&](const Row& row) { return row[field].value == value; });
}

std::vector<Frame> Frame::by(std::string_view fields) const {
  const std::vector<std::string> names = names_in(fields);
  std::vector<Frame> groups;
  std::map<std::vector<Value>, std::size_t> numbers;
  for (const Row& row : *this) {
    std::vector<Field> key;
    std::vector<Value> values;
    for (const std::string& name : names) values.push_back(key.emplace_back(row[name]).value);
    const auto [group, is_new] = numbers.try_emplace(std::move(values), groups.size());
    if (is_new) groups.emplace_back(table).key = std::move(key);
    groups[group->second].push_back(row);
  }
  return groups;
}

std::vector<double> Frame::numbers(std::string_view field) const {
  return numbers([field](const Row& row) { return row.number(field); });
}
std::vector<double> Frame::numbers(const std::function<double(const Row&)>& get) const {
  std::vector<double> values;
  for (const Row& row : *this) values.push_back(get(row));
  return values;
}

Moments Frame::moments(std::string_view field) const {
  MomentSums sums;
  for (const double value : numbers(field)) sums.add(value);
  return sums.moments();
}
Estimate Frame::mean(std::string_view field) const { return estimated(numbers(field)); }

double Frame::sum(std::string_view field) const {
  const std::vector<double> values = numbers(field);
  return std::accumulate(values.begin(), values.end(), 0.0);
}
double Frame::most(std::string_view field) const {
  double most = -INFINITY;
  for (const double value : numbers(field)) most = std::fmax(most, value);
  return most;
}
double Frame::least(std::string_view field) const {
  double least = INFINITY;
  for (const double value : numbers(field)) least = std::fmin(least, value);
  return least;
}

const Frame& Frames::operator[](std::string_view table) const {
  read_.emplace(table);
  if (const auto found = frames_.find(table); found != frames_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, frame] : frames_) names.push_back(name);
  refuse("no table '{}'{}", table, instead_of(table, names));
}

void Frames::add(Row row) {
  Frame& frame = frames_.try_emplace(row.table, row.table).first->second;
  frame.push_back(std::move(row));
}

void Frames::expect_read(const std::vector<std::string>& known) const {
  for (const auto& [name, frame] : frames_)
    require(read_.contains(name) || std::ranges::count(known, name) > 0,
            "nobody reads the table '{}' that was written{}", name, instead_of(name, known));
}

Out::Out(const Coordinates& place) : place_(fields_of(place)) {}
void Out::operator()(std::string_view table, std::initializer_list<Field> fields) {
  rows_.push_back({std::string(table), place_, fields});
}
void Out::operator()(std::string_view table, const Frame& group, std::initializer_list<Field> fields) {
  rows_.push_back({std::string(table), group.key, fields});
}

Frame frame_from_csv(std::string_view table, std::string_view csv) {
  const Csv read = parse_csv(csv, std::string(table));
  Frame frame(table);
  for (const std::vector<std::string>& values : read.rows) {
    Row& row = frame.emplace_back(Row{std::string(table), {}, {}});
    for (std::size_t c = 0; c < values.size(); ++c)
      row.fields.emplace_back(read.columns[c], value_from(values[c]));
  }
  return frame;
}

}  // namespace perp
