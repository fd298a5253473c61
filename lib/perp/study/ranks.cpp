#include "perp/study/ranks.hpp"

#include <mutex>

#include "perp/base/parallel.hpp"

namespace perp {
namespace {

class OneRank final : public Ranks {
 public:
  bool leads() const override { return true; }
  std::size_t count() const override { return 1; }

  void run_leader(const std::vector<std::size_t>& items, std::size_t threads, const Task& task,
                  const std::function<void(const Done&)>& finished) override {
    std::mutex mutex;
    parallel_for(items.size(), threads, [&](std::size_t i) {
      const Meter meter;
      task(items[i]);
      const Spent spent = meter.read();
      const std::lock_guard lock(mutex);
      finished({items[i], 0, spent});
    });
  }

  void run_worker(const std::function<Part(std::size_t)>&) override {}
};

}  // namespace

std::unique_ptr<Ranks> one_rank() { return std::make_unique<OneRank>(); }

}  // namespace perp
