#pragma once
// What ranks tell one another. Rank 0 calls the others for each study; then their workers ask and rank 0 answers,
// one message each way for each item.

#include <cstdint>
#include <string>

#include "perp/base/error.hpp"
#include "perp/study/ranks.hpp"

namespace perp {

inline constexpr int call_tag = 0, report_tag = 1;
inline constexpr int no_turn = -1;    ///< instead of a turn: nothing more comes
inline constexpr int answer_tag = 2;  ///< of worker 0; worker w is answered at answer_tag + w
enum class What : int { wants, done, failed, unprepared, left };

/// A worker's message to rank 0.
struct Report {
  int worker = 0;
  What what = What::wants;
  std::uint64_t position = 0;  ///< of the item that is done or failed
  Spent spent{};
  std::string error{};
  Exit exit = Exit::failed;

  template <class Archive>
  void serialize(Archive& archive, unsigned) {
    archive& worker& what& position& error& exit;
    WorkCounters& work = spent.work;
    archive& spent.seconds& work.cpu_s& work.products_s& work.decompositions_s& work.flops& work.calls& work
        .normals;
  }
};

/// Rank 0's answer: an item and its position in the order, or nothing more.
struct Answer {
  bool more = false;
  std::uint64_t position = 0, item = 0;

  template <class Archive>
  void serialize(Archive& archive, unsigned) {
    archive& more& position& item;
  }
};

}  // namespace perp
