#pragma once
// Columns: what a number is called, what it is, and how it is read off an item. A table is items times
// columns; a finding is the cell of one column under the keys of some others.
//
//   const auto d = exact("d", "dimension", &Order::d);
//   const auto rise = counted("rise", "smallest k with g(k+1) > g(k)", &Order::rise).n(&Order::lags);
//   summary.table("d2_nearness.csv", orders, {d, rise});
//   summary.each(orders, {d}, rise.as("first_rise", "Smallest k with g(k+1) > g(k), T = 10000."));
//
// An item is a row, a group of rows (a column of a row reads the first of the group) or any other type.

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "perp/study/group.hpp"
#include "perp/study/table.hpp"

namespace perp {

/// A value as a column gives it: an integer, a text, or a real number with its interval if it has one.
struct ColumnValue {
  Value value;
  Estimate estimate = {};

  ColumnValue(std::integral auto integer) : ColumnValue(Value(static_cast<std::int64_t>(integer))) {}
  ColumnValue(double real) : ColumnValue(Value(real)) {}
  ColumnValue(const char* text) : value(text) {}
  ColumnValue(const std::string& text) : value(text) {}
  ColumnValue(const Value& value);
  ColumnValue(const Estimate& estimate) : value(estimate.value), estimate(estimate) {}
};

namespace detail {

template <class>
struct item_of_getter;
template <class Type, class Item>
struct item_of_getter<Type Item::*> {
  using type = Item;
};
template <class Out, class Function, class Item>
struct item_of_getter<Out (Function::*)(Item) const> {
  using type = std::decay_t<Item>;
};
template <class Out, class Item>
struct item_of_getter<Out (*)(Item)> {
  using type = std::decay_t<Item>;
};
template <class Out, class Item>
struct item_of_getter<Out (Item::*)() const> {
  using type = Item;
};
template <class Get>
concept Lambda = requires {
  &Get::operator();
};
template <Lambda Get>
struct item_of_getter<Get> : item_of_getter<decltype(&Get::operator())> {};
template <class Get>
using item_of = typename item_of_getter<Get>::type;

/// Whether a column of `Part` can be read off an `Item`: the same, a base of it, or a row of the group that
/// it is.
template <class Item, class Part>
concept ReadsRow = std::derived_from<Item, Part>;
template <class Item, class Part>
concept ReadsGroup = !ReadsRow<Item, Part> && requires {
  typename Item::row_type;
}
&&std::derived_from<typename Item::row_type, Part>;

template <class Part, class Item>
const Part& part_of(const Item& item) {
  if constexpr (ReadsRow<Item, Part>)
    return item;
  else
    return item.front();
}

}  // namespace detail

template <class Item>
class ColumnOf {
 public:
  template <class Type>
  using Read = std::function<Type(const Item&)>;

  ColumnOf(Column about, Read<ColumnValue> read) : about_(std::move(about)), read_(std::move(read)) {}

  /// The same column of a wider item.
  template <class Part>
  requires(!std::same_as<Item, Part> && (detail::ReadsRow<Item, Part> || detail::ReadsGroup<Item, Part>))
      ColumnOf(const ColumnOf<Part>& of)
      : about_(of.about_), read_(widened(of.read_)), theory_(widened(of.theory_)), n_(widened(of.n_)) {
    for (const auto& [about, read] : of.companions_) companions_.push_back({about, widened(read)});
  }

  // ---- what else the number has; each gives a copy with it
  ColumnOf unit(std::string_view unit) const {
    ColumnOf copy = *this;
    copy.about_.unit = unit;
    return copy;
  }
  /// Two columns behind this one: the ends of its interval.
  ColumnOf interval(std::string_view low, std::string_view high, std::string_view meaning_low,
                    std::string_view meaning_high = {}) const;
  /// The law's value as the finding's theory, and in a table as a column behind this one.
  template <class Law>
  ColumnOf theory(Law law) const {
    ColumnOf copy = *this;
    copy.theory_ = [law](const Item& item) {
      return static_cast<double>(std::invoke(law, detail::part_of<detail::item_of<Law>>(item)));
    };
    return copy;
  }
  template <class Law>
  ColumnOf theory(std::string_view name, std::string_view meaning, Law law) const {
    return theory(law).with({name, about_.unit, Kind::exact, meaning}, law);
  }
  /// Another column behind this one.
  template <class Get>
  ColumnOf with(Column about, Get get) const {
    ColumnOf copy = *this;
    copy.companions_.push_back({std::move(about), reader(get)});
    return copy;
  }
  /// Observations behind the number; of a mean the rows of its group.
  template <class Get>
  ColumnOf n(Get get) const {
    ColumnOf copy = *this;
    copy.n_ = [get](const Item& item) {
      return static_cast<std::uint64_t>(std::invoke(get, detail::part_of<detail::item_of<Get>>(item)));
    };
    return copy;
  }
  ColumnOf n(std::uint64_t count) const {
    ColumnOf copy = *this;
    copy.n_ = [count](const Item&) { return count; };
    return copy;
  }
  ColumnOf chance(double level) const {
    ColumnOf copy = *this;
    copy.theory_ = [level](const Item&) { return level; };
    return copy;
  }
  /// The number under another name and with another sentence: a column as a finding.
  ColumnOf as(std::string_view name, std::string_view meaning) const {
    ColumnOf copy = *this;
    copy.about_.name = name;
    copy.about_.meaning = meaning;
    return copy;
  }

  // ---- what is read
  const Column& about() const { return about_; }
  ColumnValue read(const Item& item) const { return read_(item); }
  void add_columns(std::vector<Column>& columns) const {
    columns.push_back(about_);
    for (const auto& companion : companions_) columns.push_back(companion.about);
  }
  void add_values(const Item& item, std::vector<Value>& row) const {
    row.push_back(read_(item).value);
    for (const auto& companion : companions_) row.push_back(companion.read(item).value);
  }
  Finding finding(std::string_view claim, const Coordinates& at, const Item& item) const {
    const ColumnValue entry = read_(item);
    return perp::finding(claim, about_.name, at, entry.estimate,
                         {.theory = theory_at(item),
                          .unit = about_.unit,
                          .n = n_ ? n_(item) : 1,
                          .kind = about_.kind,
                          .meaning = about_.meaning});
  }

  template <class Get>
  static Read<ColumnValue> reader(Get get) {
    return [get](const Item& item) -> ColumnValue {
      return std::invoke(get, detail::part_of<detail::item_of<Get>>(item));
    };
  }

 private:
  /// NaN: the law does not speak of this item.
  std::optional<double> theory_at(const Item& item) const {
    const double theory = theory_ ? theory_(item) : NAN;
    return std::isnan(theory) ? std::nullopt : std::optional(theory);
  }

  template <class>
  friend class ColumnOf;
  struct Companion {
    Column about;
    Read<ColumnValue> read;
  };
  template <class Type, class Part>
  static Read<Type> widened(const std::function<Type(const Part&)>& read) {
    if (!read) return {};
    return [read](const Item& item) { return read(detail::part_of<Part>(item)); };
  }

  Column about_;
  Read<ColumnValue> read_;
  Read<double> theory_;
  Read<std::uint64_t> n_;
  std::vector<Companion> companions_;
};

template <class Item>
ColumnOf<Item> ColumnOf<Item>::interval(std::string_view low, std::string_view high,
                                        std::string_view meaning_low, std::string_view meaning_high) const {
  ColumnOf copy = *this;
  copy.about_.low = low;
  copy.about_.high = high;
  const auto end = [&](std::string_view name, std::string_view meaning,
                       std::optional<double> Estimate::*end) {
    copy.companions_.push_back(
        {{name, about_.unit, about_.kind, meaning}, [read = read_, end](const Item& item) -> ColumnValue {
           return (read(item).estimate.*end).value_or(NAN);
         }});
  };
  end(low, meaning_low, &Estimate::low);
  end(high, meaning_high.empty() ? meaning_low : meaning_high, &Estimate::high);
  return copy;
}

namespace detail {

/// The unit of a text is none.
template <class Item, class Get>
ColumnOf<Item> column(std::string_view name, std::string_view meaning, Kind kind, Get get) {
  using Type = std::decay_t<std::invoke_result_t<const Get&, const Item&>>;
  return {Column{name, std::convertible_to<Type, std::string_view> ? "" : "1", kind, meaning},
          ColumnOf<Item>::reader(get)};
}

}  // namespace detail

// A column of a number (or a text) that is read by a member pointer or a function of an item; by kind.
template <class Get>
auto exact(std::string_view name, std::string_view meaning, Get get) {
  return detail::column<detail::item_of<Get>>(name, meaning, Kind::exact, get);
}
template <class Get>
auto counted(std::string_view name, std::string_view meaning, Get get) {
  return detail::column<detail::item_of<Get>>(name, meaning, Kind::count, get);
}
template <class Get>
auto rounded(std::string_view name, std::string_view meaning, Get get) {
  return detail::column<detail::item_of<Get>>(name, meaning, Kind::rounded, get);
}
template <class Get>
auto sampled(std::string_view name, std::string_view meaning, Get get) {
  return detail::column<detail::item_of<Get>>(name, meaning, Kind::sampled, get);
}

/// The mean over a group's rows, with its interval; n: the rows. Throws Error for a NaN.
template <class Get>
auto mean(std::string_view name, std::string_view meaning, Get get) {
  using Rows = Group<detail::item_of<Get>>;
  return ColumnOf<Rows>({name, "1", Kind::sampled, meaning},
                        [get](const Rows& rows) -> ColumnValue { return rows.estimate(get); })
      .n([](const Rows& rows) { return rows.size(); });
}

/// How many rows a group has.
template <class Row>
ColumnOf<Group<Row>> rows_in(std::string_view name, std::string_view meaning) {
  return exact(name, meaning, [](const Group<Row>& group) { return group.size(); });
}

}  // namespace perp
