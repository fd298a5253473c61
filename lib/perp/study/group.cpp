#include "perp/study/group.hpp"

namespace perp::detail {

void Keys::add(std::string_view text) { row_.emplace_back(std::string(text)); }
void Keys::add(double real) { row_.emplace_back(real); }
void Keys::add(std::int64_t integer) { row_.emplace_back(integer); }

void Keys::end_row() {
  const std::size_t next = numbers_.size();
  group_of_row_.push_back(numbers_.try_emplace(std::move(row_), next).first->second);
  row_.clear();
}

}  // namespace perp::detail
