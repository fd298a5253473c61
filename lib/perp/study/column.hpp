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
#include <memory>
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

  ColumnValue(std::int64_t integer);
  ColumnValue(std::integral auto integer) : ColumnValue(static_cast<std::int64_t>(integer)) {}
  ColumnValue(double real);
  ColumnValue(const char* text);
  ColumnValue(const std::string& text);
  ColumnValue(const Value& value);
  ColumnValue(const Estimate& estimate);
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
template <class Get>
using result_of = std::decay_t<std::invoke_result_t<const Get&, const item_of<Get>&>>;
template <class Get>
concept GetsNumber = std::integral<result_of<Get>> || std::floating_point<result_of<Get>>;

/// Whether a column of `Part` can be read off an `Item`: the same, a base of it, or a row of the group that
/// it is.
template <class Item, class Part>
concept ReadsRow = std::derived_from<Item, Part>;
template <class Item, class Part>
concept ReadsGroup = std::derived_from<typename Item::row_type, Part>;
template <class Item, class Part>
concept Reads = ReadsRow<Item, Part> || ReadsGroup<Item, Part>;

/// Where the part lies that a column or a getter reads.
template <class Item, class Part>
const void* part_of(const void* item) {
  const auto& whole = *static_cast<const Item*>(item);
  if constexpr (ReadsRow<Item, Part>)
    return static_cast<const Part*>(&whole);
  else
    return static_cast<const Part*>(&whole.front());
}
using PartOf = const void* (*)(const void* item);

/// A function of an item whose type it alone knows: what a column does with it is compiled once, in
/// claim.cpp.
struct Getter {
  virtual ~Getter();
  virtual ColumnValue operator()(const void* item) const = 0;
};
template <class Get>
struct GetterOf final : Getter {
  Get get;
  explicit GetterOf(const Get& given) : get(given) {}
  ColumnValue operator()(const void* item) const override {
    return std::invoke(get, *static_cast<const item_of<Get>*>(item));
  }
};

/// A getter that columns share, or none.
using Read = std::shared_ptr<const Getter>;
Read shared(const Getter* owned);
Read of_part(const Read& part, PartOf find);

template <class Item, class Get>
Read read_by(Get get) {
  static_assert(std::convertible_to<result_of<Get>, ColumnValue>,
                "a column's getter gives a number, a text or an estimate");
  static_assert(Reads<Item, item_of<Get>>,
                "this getter reads neither the column's item, nor a base of it, nor a row of the group");
  Read own = shared(new GetterOf<Get>(get));
  if constexpr (std::same_as<Item, item_of<Get>>)
    return own;
  else
    return of_part(own, part_of<Item, item_of<Get>>);
}
/// A column of items of any type.
class AnyColumn {
 public:
  AnyColumn(Column about, Read read);
  AnyColumn(const AnyColumn& part, PartOf find);

  AnyColumn unit(std::string_view unit) const;
  AnyColumn interval(std::string_view low, std::string_view high, std::string_view meaning_low,
                     std::string_view meaning_high) const;
  AnyColumn theory(Read law) const;
  AnyColumn theory(std::string_view name, std::string_view meaning, const Read& law) const;
  AnyColumn chance(double level) const;
  AnyColumn with(Column about, Read read) const;
  AnyColumn n(Read count) const;
  AnyColumn n(std::uint64_t count) const;
  AnyColumn as(std::string_view name, std::string_view meaning) const;

  const Column& about() const { return about_; }
  ColumnValue read(const void* item) const { return (*read_)(item); }
  Finding finding(std::string_view claim, const Coordinates& at, const void* item) const;
  void add_columns(std::vector<Column>& columns) const;
  void add_values(const void* item, std::vector<Value>& row) const;

 private:
  struct Companion {
    Column about;
    Read read;
  };
  Column about_;
  Read read_, theory_, n_;
  std::vector<Companion> companions_;
};

}  // namespace detail

template <class Item>
class ColumnOf {
 public:
  explicit ColumnOf(detail::AnyColumn any) : any_(std::move(any)) {}
  ColumnOf(Column about, detail::Read read) : any_(std::move(about), std::move(read)) {}
  /// The same column of a wider item.
  template <class Part>
  requires(!std::same_as<Item, Part> && detail::Reads<Item, Part>) ColumnOf(const ColumnOf<Part>& of)
      : any_(of.any(), detail::part_of<Item, Part>) {}
  /// Of another item: the compiler then names both.
  template <class Part>
  requires(!detail::Reads<Item, Part>) ColumnOf(const ColumnOf<Part>& of)
  = delete;

  // ---- what else the number has; each gives a copy with it
  ColumnOf unit(std::string_view unit) const { return ColumnOf(any_.unit(unit)); }
  /// Two columns behind this one: the ends of its interval.
  ColumnOf interval(std::string_view low, std::string_view high, std::string_view meaning_low,
                    std::string_view meaning_high = {}) const {
    return ColumnOf(any_.interval(low, high, meaning_low, meaning_high));
  }
  /// The law's value as the finding's theory, and in a table as a column behind this one. NaN: the law does
  /// not speak of this item.
  template <detail::GetsNumber Law>
  ColumnOf theory(Law law) const {
    return ColumnOf(any_.theory(reader(law)));
  }
  template <detail::GetsNumber Law>
  ColumnOf theory(std::string_view name, std::string_view meaning, Law law) const {
    return ColumnOf(any_.theory(name, meaning, reader(law)));
  }
  ColumnOf chance(double level) const { return ColumnOf(any_.chance(level)); }
  /// Another column behind this one.
  template <class Get>
  ColumnOf with(Column about, Get get) const {
    return ColumnOf(any_.with(std::move(about), reader(get)));
  }
  /// Observations behind the number; of a mean the rows of its group.
  template <detail::GetsNumber Get>
  ColumnOf n(Get get) const {
    return ColumnOf(any_.n(reader(get)));
  }
  ColumnOf n(std::integral auto count) const { return ColumnOf(any_.n(static_cast<std::uint64_t>(count))); }
  /// The number under another name and with another sentence: a column as a finding.
  ColumnOf as(std::string_view name, std::string_view meaning) const {
    return ColumnOf(any_.as(name, meaning));
  }
  ColumnOf as(std::string_view name) const { return as(name, about().meaning); }

  // ---- what is read
  const Column& about() const { return any_.about(); }
  const detail::AnyColumn& any() const { return any_; }
  ColumnValue read(const Item& item) const { return any_.read(&item); }
  Finding finding(std::string_view claim, const Coordinates& at, const Item& item) const {
    return any_.finding(claim, at, &item);
  }
  template <class Get>
  static detail::Read reader(Get get) {
    return detail::read_by<Item>(get);
  }

 private:
  detail::AnyColumn any_;
};

namespace detail {

/// The unit of a text is none.
template <class Get>
ColumnOf<item_of<Get>> column(std::string_view name, std::string_view meaning, Kind kind, Get get) {
  const bool is_text = std::convertible_to<result_of<Get>, std::string_view>;
  return {Column{name, is_text ? "" : "1", kind, meaning}, read_by<item_of<Get>>(get)};
}

}  // namespace detail

// A column of a number (or a text) that is read by a member pointer or a function of an item; by kind.
template <class Get>
auto exact(std::string_view name, std::string_view meaning, Get get) {
  return detail::column(name, meaning, Kind::exact, get);
}
template <class Get>
auto counted(std::string_view name, std::string_view meaning, Get get) {
  return detail::column(name, meaning, Kind::count, get);
}
template <class Get>
auto rounded(std::string_view name, std::string_view meaning, Get get) {
  return detail::column(name, meaning, Kind::rounded, get);
}
template <class Get>
auto sampled(std::string_view name, std::string_view meaning, Get get) {
  return detail::column(name, meaning, Kind::sampled, get);
}

/// How many rows a group has.
template <class Row>
ColumnOf<Group<Row>> rows_in(std::string_view name, std::string_view meaning) {
  return exact(name, meaning, [](const Group<Row>& group) { return group.size(); });
}

/// The mean over a group's rows, with its interval; n: the rows. Throws Error for a NaN.
template <detail::GetsNumber Get>
auto mean(std::string_view name, std::string_view meaning, Get get) {
  using Rows = Group<detail::item_of<Get>>;
  return ColumnOf<Rows>({name, "1", Kind::sampled, meaning},
                        detail::read_by<Rows>([get](const Rows& rows) { return rows.estimate(get); }))
      .n(&Rows::size);
}

}  // namespace perp
