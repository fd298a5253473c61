#pragma once
// How two runs keep out of each other's way.

#include <filesystem>
#include <string_view>

namespace perp {

/// As long as it lives, no other run writes into the folder, which is made if it is not there; who has to wait for that says
/// for whom. The lock lies on the folder itself, and goes with the process; a folder that was made and is still empty goes with
/// the object. Throws Error{Exit::unusable} for a folder that
/// cannot be made.
class Alone {
 public:
  Alone(std::string_view name, const std::filesystem::path& folder);
  ~Alone();
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  int descriptor_ = -1;
  std::filesystem::path folder_,
      made_;  ///< `made_`: the first above `folder_`, or itself, that was not there before
};

}  // namespace perp
