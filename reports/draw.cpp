// Runs gnuplot: no shell, no settings of the user's, nothing of ours in its way but one program file.

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "reports/escape.hpp"
#include "reports/expand.hpp"
#include "reports/figure.hpp"
#include "reports/scanner.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;

/// A folder of our own that goes away with the scope.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "perp-figure-XXXXXX").string();
    if (!mkdtemp(name.data()))
      fail("cannot create a temporary folder {}: {}", in_quotes(name), reason(errno));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Runs `gnuplot -d program`, standard output to `svg`, standard error to `talk`; returns what waitpid says.
int run_gnuplot(const fs::path& program, const fs::path& svg, const fs::path& talk) {
  const char* path = std::getenv("PATH");
  std::string path_variable = fmt::format("PATH={}", path ? path : ""), locale = "LC_ALL=C.UTF-8";
  std::string name = "gnuplot", plain = "-d", file = program.string();
  std::array<char*, 4> arguments{name.data(), plain.data(), file.data(), nullptr};
  std::array<char*, 3> environment{path_variable.data(), locale.data(), nullptr};

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, svg.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, talk.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, name.c_str(), &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    refuse("gnuplot is not installed, and the figures need it: sudo apt-get install gnuplot-nox");
  if (error != 0) fail("gnuplot does not start: {}", reason(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("gnuplot was lost: {}", reason(errno));
  return status;
}

/// What gnuplot said, on one line: the last lines name the place and the complaint.
std::string complaint(const std::string& talk) {
  std::string text;
  for (const std::string& line : split(talk, '\n'))
    if (!line.empty() && line != "^") text += (text.empty() ? "" : " / ") + line;
  return text.size() > 400 ? text.substr(text.size() - 400) : text;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Between <tag> and </tag>, at its first place.
void replace_element(std::string& svg, const std::string& tag, const std::string& content) {
  const std::size_t open = svg.find(fmt::format("<{}>", tag)), close = svg.find(fmt::format("</{}>", tag));
  if (open == svg.npos || close == svg.npos) return;
  const std::size_t from = open + tag.size() + 2;
  svg.replace(from, close - from, escape_html(content));
}

}  // namespace

std::string draw(const Figure& figure, Theme theme, const Facts& facts, Expander& expander) {
  const TemporaryFolder folder;
  const fs::path program = folder.path() / "figure.gp", out = folder.path() / "figure.svg",
                 err = folder.path() / "talk";
  write_whole(program, gnuplot_program(figure, theme, facts, expander));
  const int status = run_gnuplot(program, out, err);
  const std::string talk = complaint(read_file(err));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !talk.empty())
    fail("{}: gnuplot {}", figure.script.string(),
         talk.empty() ? "stopped without a word" : fmt::format("says: {}", talk));
  std::string svg = read_file(out);
  if (!trim(svg).ends_with("</svg>")) fail("{}: gnuplot wrote no complete SVG", figure.script.string());
  // Elsewhere DejaVu may be missing: a font as wide as it, so that nothing runs over. And words for whoever
  // cannot see the picture, in place of gnuplot's name.
  replace_all(svg, "font-family=\"DejaVu Sans\"", "font-family=\"DejaVu Sans, Verdana, sans-serif\"");
  const std::string script = figure.script.string();
  replace_element(svg, "title", expander.text(figure.title.text, script, figure.title.line, Target::plain));
  replace_element(svg, "desc", expander.text(figure.alt.text, script, figure.alt.line, Target::plain));
  return svg;
}

}  // namespace perp::report
