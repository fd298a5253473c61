// operator new that counts, for memory_of.

#include "counting_new.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

struct Count {
  bool on = false;
  std::size_t largest = 0, peak = 0;
  std::ptrdiff_t held = 0;
};
thread_local Count count;

void* take(std::size_t bytes) {
  void* taken = std::malloc(bytes == 0 ? 1 : bytes);
  if (taken == nullptr) throw std::bad_alloc();
  if (count.on) {
    count.largest = std::max(count.largest, bytes);
    count.held += static_cast<std::ptrdiff_t>(::malloc_usable_size(taken));
    count.peak = std::max(count.peak, static_cast<std::size_t>(std::max<std::ptrdiff_t>(count.held, 0)));
  }
  return taken;
}

void give_back(void* taken) noexcept {
  if (count.on && taken != nullptr) count.held -= static_cast<std::ptrdiff_t>(::malloc_usable_size(taken));
  std::free(taken);
}

}  // namespace

void* operator new(std::size_t bytes) { return take(bytes); }
void* operator new[](std::size_t bytes) { return take(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return take(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t bytes, const std::nothrow_t& tag) noexcept {
  return operator new(bytes, tag);
}
void operator delete(void* taken) noexcept { give_back(taken); }
void operator delete[](void* taken) noexcept { give_back(taken); }
void operator delete(void* taken, std::size_t) noexcept { give_back(taken); }
void operator delete[](void* taken, std::size_t) noexcept { give_back(taken); }

perp::test::Memory perp::test::memory_of(const std::function<void()>& call) {
  count = {true, 0, 0, 0};
  try {
    call();
  } catch (...) {
    count.on = false;
    throw;
  }
  count.on = false;
  return {count.largest, count.peak};
}
