#include "perp/study/mpirun.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/kernels.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/message.hpp"
#include "perp/io/numbers.hpp"
#include "perp/io/program.hpp"
#include "perp/study/ranks.hpp"

namespace perp {
namespace {

using Clock = std::chrono::steady_clock;
using Lines = std::vector<std::string>;

constexpr std::string_view go_on = "finished cells are kept; the same command continues";
constexpr std::size_t shortest_rule = 60;  ///< dashes in a line, around what Open MPI has to say

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

void set(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }

// ---- signals: Ctrl-C in a terminal reaches mpirun, too; a signal to this process alone is handed on

volatile std::sig_atomic_t asked = 0;
volatile pid_t started = 0;

extern "C" void perp_hand_on(int signal) {
  asked = asked || signal != SIGALRM;
  if (signal == SIGINT)
    ::alarm(2);  // mpirun has that long to end by itself
  else
    ::kill(started, SIGTERM);
}

void hand_on_signals() {
  struct sigaction action {};
  action.sa_handler = perp_hand_on;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGALRM}) sigaction(signal, &action, nullptr);
}

// ---- what mpirun is told

unsigned seconds_of_silence() {
  const std::string text = environment("PERP_RANK_SECONDS");
  if (text.empty()) return 60;
  const std::optional<double> seconds = parse_double(text);
  require(seconds && *seconds >= 8 && *seconds <= 99'999 && *seconds == static_cast<unsigned>(*seconds),
          "PERP_RANK_SECONDS={}: expected seconds from 8", in_quotes(text));
  return static_cast<unsigned>(*seconds);
}

/// Open MPI reads these.
void set_environment(unsigned limit) {
  // It refuses root unless told twice that this is meant.
  if (::geteuid() == 0) set("OMPI_ALLOW_RUN_AS_ROOT", "1"), set("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  // Warnings about networks and shared memory that nobody here can do anything about.
  set("OMPI_MCA_btl_base_warn_component_unused", "0");
  set("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
  set("PMIX_MCA_gds", "hash");
  // A host that went away is seen by what it does not answer: asked after half the limit, then four times (by itself Open MPI
  // waits eight minutes).
  set("OMPI_MCA_oob_tcp_keepalive_time", std::to_string(limit / 2));
  set("OMPI_MCA_oob_tcp_keepalive_intvl", std::to_string(limit / 8));
  set("OMPI_MCA_oob_tcp_keepalive_probes", "4");
  // One machine needs no ssh; Open MPI insists on a name. Of a host that is silent, ssh can say which it is.
  bool ssh = false;
  std::istringstream path(environment("PATH"));
  for (std::string folder; std::getline(path, folder, ':');)
    ssh = ssh || ::access((folder + "/ssh").c_str(), X_OK) == 0;
  if (environment("OMPI_MCA_plm_rsh_agent").empty())
    set("OMPI_MCA_plm_rsh_agent", ssh ? fmt::format("ssh -o ConnectTimeout={} : rsh", limit / 2) : "true");
  // Kernels that this process has chosen for itself are no wish of the user's: each rank chooses its own.
  if (!kernel_settlement().chosen.empty())
    for (const char* library : {"OpenBLAS", "BLIS"}) ::unsetenv(core_variable(library));
}

Lines command_line(std::size_t count, const Lines& command) {
  // A rank has threads of its own; bound to one core they would share it.
  Lines words = {"mpirun", "-n", std::to_string(count), "--bind-to", "none", "-x", "PERP_RANKS_ANNOUNCE=yes"};
  if (environment("SLURM_JOB_ID").empty() && count > available_threads())
    words.emplace_back("--oversubscribe");
  for (const char* name :
       {"LD_LIBRARY_PATH", "PERP_COMMIT", "PERP_KERNELS", "OPENBLAS_CORETYPE", "BLIS_ARCH_TYPE"})
    if (!environment(name).empty()) words.insert(words.end(), {"-x", name});
  std::istringstream more(environment("RANKS_FLAGS"));
  for (std::string flag; more >> flag;) words.push_back(flag);
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

// ---- mpirun as it runs

/// Starts it with nothing to read; its standard error comes out of the descriptor that is returned.
int start(Lines words) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) fail("cannot start mpirun: {}", reason(errno));
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDERR_FILENO);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, "mpirun", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  if (error == ENOENT) fail("no mpirun here: make deps-mpi");
  if (error != 0) fail("cannot start mpirun: {}", reason(error));
  started = child;
  return pipe[0];
}

/// Their parent is the process.
std::vector<pid_t> children_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{0}/task/{0}/children", process));
  return {std::istream_iterator<pid_t>(file), {}};
}

/// The hosts that mpirun has called, the last word before the command there: "ssh -x host2 PATH=… orted …".
Lines called_hosts() {
  std::set<std::string> hosts;
  for (const pid_t child : children_of(started)) {
    std::ifstream command(fmt::format("/proc/{}/cmdline", child));
    std::string last;
    for (std::string word; std::getline(command, word, '\0'); last = word) {
      std::istringstream words(word);
      std::string first;
      words >> first;
      if (first.starts_with("PATH=") || first.ends_with("orted")) {
        hosts.insert(last);
        break;
      }
    }
  }
  return {hosts.begin(), hosts.end()};
}

/// Reads and sifts until nobody writes any more; ends a run whose hosts have not all answered in time.
void watch(int messages, Sifted& sifted, RanksEnded& ended) {
  const auto begin = Clock::now();
  const auto passed = [&](unsigned seconds) { return Clock::now() - begin >= std::chrono::seconds(seconds); };
  std::string rest;
  const auto pass = [](const std::string& text) { print_message("{}\n", text); };
  std::optional<Clock::time_point> gone;
  for (;;) {
    pollfd reading{messages, POLLIN, 0};
    const int ready = ::poll(&reading, 1, 200);
    std::array<char, 4096> bytes{};
    const ssize_t got = ready > 0 ? ::read(messages, bytes.data(), bytes.size()) : -1;
    if (got == 0) break;
    if (got > 0) rest.append(bytes.data(), static_cast<std::size_t>(got));
    for (std::size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      sifted.line(rest.substr(0, end), pass);
      rest.erase(0, end + 1);
    }
    if (!sifted.here && !ended.late && passed(ended.seconds)) {
      ended.late = true;
      ended.called_hosts = called_hosts();
      ::kill(started, SIGTERM);
    }
    if (ended.late && passed(ended.seconds + 5)) ::kill(started, SIGKILL);
    // What mpirun left behind may hold the pipe open.
    siginfo_t info{};
    if (!gone && ::waitid(P_PID, static_cast<id_t>(started), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid != 0)
      gone = Clock::now();
    if (gone && Clock::now() - *gone > std::chrono::seconds(2)) break;
  }
  if (!rest.empty()) sifted.line(rest, pass);
}

std::string found(const Lines& lines, const char* pattern, const char* as) {
  const std::regex wanted(pattern);
  for (const std::string& line : lines)
    if (std::smatch match; std::regex_search(line, match, wanted)) return match.format(as);
  return "";
}

}  // namespace

void Sifted::line(const std::string& text, const std::function<void(const std::string&)>& pass) {
  static const std::regex of_mpi(R"(^\[[^\] ]+:[0-9]+\]|^[0-9]+ total process)");
  if (text.size() >= shortest_rule && text.find_first_not_of('-') == text.npos)
    inside = !inside;
  else if (inside || std::regex_search(text, of_mpi))
    said.push_back(text);
  else if (text == all_ranks_are_here)
    here = true;
  else if (here)
    pass(text);
  else
    before.push_back(text);
}

std::pair<int, std::string> conclusion(const Sifted& sifted, const RanksEnded& ended) {
  const Lines& said = sifted.said;
  const std::string before = fmt::format("{}", fmt::join(sifted.before, "\n"));
  if (ended.code == 0) return {0, sifted.here ? "" : before};
  constexpr const char* killed =
      "process rank ([0-9]+) with PID [0-9]+ on node ([^ ]+) exited on signal ([0-9]+)";
  const bool nearby = found(said, killed, "$2") == ended.host;
  const std::string died =
      found(said, killed, nearby ? "rank $1 was killed (signal $3)" : "rank $1 on $2 was killed (signal $3)");
  std::string left = found(said, "process rank ([0-9]+) .*exiting improperly", "$1");
  if (left.empty()) left = found(said, R"(Process name: +\[\[[0-9]+,[0-9]+\],([0-9]+)\])", "$1");
  const std::string lost = found(said, "Remote daemon: .* on node (.+)", "$1");
  if (ended.late) {
    Lines silent = ended.called_hosts;
    if (silent.size() != 1) silent.insert(silent.begin(), "one of the hosts");
    return {1, fmt::format("no answer from {} within {} s (PERP_RANK_SECONDS); nothing was started",
                           fmt::join(silent, " "), ended.seconds)};
  }
  // mpirun is silent about a signal that it has answered itself.
  if (ended.asked || (ended.code <= 128 && said.empty())) return {1, fmt::format("interrupted; {}", go_on)};
  if (!lost.empty()) return {1, fmt::format("host {} does not answer any more; {}", lost, go_on)};
  if (!died.empty()) return {1, fmt::format("{}; {}", died, go_on)};
  if (left == "0" && ended.code <= 2)  // rank 0 has said why
    return {ended.code, sifted.here || sifted.before.empty() ? "" : sifted.before.front()};
  if (!left.empty()) return {1, fmt::format("rank {} ended early (exit {}); {}", left, ended.code, go_on)};
  if (ended.code > 128 && said.empty())
    return {1, fmt::format("mpirun was killed (signal {}); {}", ended.code - 128, go_on)};
  std::string all = before;
  for (const std::string& text : said) all += " " + text;
  all = std::regex_replace(all, std::regex("\\s+"), " ");
  // Half a page of guesses follows.
  all.resize(std::min({all.size(), all.find(" This usually is caused by"), std::size_t{200}}));
  return {1, fmt::format("mpirun failed: {}", all.substr(all.starts_with(' ') ? 1 : 0))};
}

int run_ranks(std::string_view name, std::size_t count, const std::vector<std::string>& command) {
  RanksEnded ended;
  ended.seconds = seconds_of_silence();
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0) ended.host = host.data();
  ended.host.erase(std::min(ended.host.find('.'), ended.host.size()));  // Open MPI's names are short
  set_environment(ended.seconds);
  const int messages = start(command_line(count, command));
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  hand_on_signals();
  Sifted sifted;
  watch(messages, sifted, ended);
  ::close(messages);
  int status = 0;
  while (::waitpid(started, &status, 0) < 0 && errno == EINTR) continue;
  // An ssh to a host that went away would wait for it long after mpirun.
  for (const pid_t left : children_of(::getpid())) ::kill(left, SIGTERM);
  ended.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  ended.asked = asked != 0;
  const auto [code, line] = conclusion(sifted, ended);
  if (!line.empty()) print_message("{}: {}\n", name, line);
  return code;
}

}  // namespace perp
