#pragma once
// A program as several ranks of Open MPI, and what becomes of what mpirun has to say.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace perp {

/// Runs the command as so many ranks by mpirun and returns the exit code. Standard output is the program's; what mpirun says
/// about a rank or a host that went becomes one line, and exit code 1. In the environment: RANKS_FLAGS, further options of
/// mpirun, for example "--hostfile hosts"; PERP_RANK_SECONDS, how long a host may be silent (60).
int run_ranks(std::string_view name, std::size_t count, const std::vector<std::string>& command);

/// What comes on mpirun's standard error, apart: the program's lines pass; Open MPI's are kept: paragraphs between dashes, and
/// lines that begin with [host:process]. What comes before rank 0 says that all are here (all_ranks_are_here) is of whatever
/// reaches the hosts: ssh's, and a program's that cannot start.
struct Sifted {
  std::vector<std::string> said, before;
  bool here = false, inside = false;

  void line(const std::string& text, const std::function<void(const std::string&)>& pass);
};

/// How mpirun ended.
struct RanksEnded {
  std::string host;                       ///< this one, whose name goes without saying
  int code = 0;                           ///< 128 and the signal's number, if a signal ended it
  bool asked = false;                     ///< somebody has interrupted this process
  bool late = false;                      ///< not all were here in time: it was ended
  std::vector<std::string> called_hosts;  ///< then those that mpirun had called, if they are known
  unsigned seconds = 60;                  ///< the time they had
};

/// The exit code of the whole, and one line for people: "" where rank 0 has said why, or where nothing is to be said.
std::pair<int, std::string> conclusion(const Sifted& sifted, const RanksEnded& ended);

}  // namespace perp
