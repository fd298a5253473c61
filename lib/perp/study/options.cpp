#include "perp/study/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/io/text.hpp"
#include "perp/study/measuring.hpp"
#include "perp/study/start.hpp"

namespace perp {
namespace {

constexpr std::size_t longest_list = 100'000, most_parts = 100'000;

double number(std::string_view text, std::string_view whole) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  require(error == std::errc() && end == text.data() + text.size() && std::isfinite(value),
          "list {}: {} is not a number; expected for example 64,128,512 or 64..4096*2 or 0..1+0.1",
          in_quotes(whole), in_quotes(text));
  return value;
}

/// How many characters of `text` are the number that it begins with; the sign of an exponent is one of them.
std::size_t number_size(std::string_view text) {
  double value = 0;
  return static_cast<std::size_t>(std::from_chars(text.data(), text.data() + text.size(), value).ptr -
                                  text.data());
}

void append_range(std::string_view part, std::string_view whole, std::vector<double>& out) {
  const std::size_t dots = part.find("..");
  const std::size_t mark = part.find_first_of("*+", dots + 2 + number_size(part.substr(dots + 2)));
  require(mark != std::string_view::npos,
          "list {}: range {} has no step; expected first..last*factor or first..last+step", in_quotes(whole),
          in_quotes(part));
  const double first = number(part.substr(0, dots), whole);
  const double last = number(part.substr(dots + 2, mark - dots - 2), whole);
  const double step = number(part.substr(mark + 1), whole);
  const bool geometric = part[mark] == '*';
  require(geometric ? (step > 1 && first > 0) : step > 0, "list {}: the step of {} does not move forward",
          in_quotes(whole), in_quotes(part));
  require(first <= last, "list {}: range {} holds no number; expected its end at {} or behind it",
          in_quotes(whole), in_quotes(part), first);
  // Computed from the start each time, so that rounding does not pile up and drop the last value.
  for (std::size_t i = 0; out.size() <= longest_list; ++i) {
    const double steps = static_cast<double>(i);
    const double value = geometric ? first * std::pow(step, steps) : first + step * steps;
    const double slack = 1e-9 * (geometric ? value : step);
    if (value > last + slack) return;
    out.push_back(std::abs(value - last) <= slack ? last : value);
  }
}

/// An option that takes a whole number from `least` to `most`, in plain decimal digits: CLI11 would also take 0x10,
/// read 010 as 8 and name a range of 300 digits.
template <class Number>
void add_number(CLI::App& app, const char* name, Number& number, std::uint64_t least, std::uint64_t most,
                const char* what, const char* help) {
  app.add_option_function<std::string>(
         name, [&number](const std::string& text) { number = static_cast<Number>(*parse_whole(text)); }, help)
      ->check([=](const std::string& text) {
        const std::optional<std::uint64_t> value = parse_whole(text);
        if (value && *value >= least && *value <= most) return std::string();
        return fmt::format("{} is no {}; expected a whole number from {} to {}", in_quotes(text), what, least,
                           most);
      })
      ->type_name("UINT")
      ->default_str(fmt::format("{}", number));
}

/// Options that studies and words share, as they are typed.
struct Shared {
  Options options;
  std::string preset = "full", out, build = "build";

  Shared() { options.threads = available_threads(); }
};

/// Adds the shared option of that name; false if there is none.
bool add_shared(CLI::App& app, const std::string& name, const char* help, Shared& to) {
  if (name == "preset")
    app.add_option("--preset", to.preset, help)
        ->check(CLI::IsMember({"quick", "full", "long"}))
        ->capture_default_str();
  else if (name == "seed")
    add_number(app, "--seed", to.options.seed, 0, std::numeric_limits<std::uint64_t>::max(), "seed", help);
  else if (name == "threads")
    add_number(app, "--threads", to.options.threads, 1, 4096, "number of threads", help);
  else if (name == "out" || name == "build")
    app.add_option("--" + name, name == "out" ? to.out : to.build, help)
        ->check(wrong_folder)
        ->capture_default_str();
  else if (name == "json")
    app.add_flag("--json", to.options.json, help);
  else
    return false;
  return true;
}

/// The options, once the command line was read.
Options as_read(const CLI::App& app, const Shared& read) {
  Options options = read.options;
  options.threads = callers_at_once(threads_with_room(options.threads));
  options.preset = read.preset == "quick"  ? Preset::quick
                   : read.preset == "full" ? Preset::full
                                           : Preset::long_;
  options.out = read.out;
  options.build = read.build;
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0 && !option->get_lnames().empty())
      options.typed.insert(option->get_lnames().front());
  return options;
}

/// An option whose text is kept under its name; an empty one means nothing.
void add_text(CLI::App& app, const ExtraOption& option, std::map<std::string, std::string>& typed) {
  app.add_option_function<std::string>(
         "--" + option.name, [&typed, name = option.name](const std::string& text) { typed[name] = text; },
         option.help)
      ->check([option](const std::string& text) {
        if (option.placeholder == "DIR") return wrong_folder(text);
        if (!text.empty()) return std::string();
        return fmt::format("an empty value; expected {}", option.placeholder);
      })
      ->type_name(option.placeholder);
}

}  // namespace

std::string_view to_text(Preset preset) { return pick<std::string_view>(preset, "quick", "full", "long"); }

bool Options::wants(std::string_view claim) const {
  return only.empty() || std::find(only.begin(), only.end(), claim) != only.end();
}

void Options::expect_alone(std::string_view asked, std::initializer_list<std::string_view> read) const {
  for (const std::string& name : typed)
    require(name == asked || std::find(read.begin(), read.end(), name) != read.end(),
            "--{} and --{}: expected one of them", asked, name);
}

void Options::expect_none_of(std::initializer_list<std::string_view> idle, std::string_view asked) const {
  for (const std::string_view name : idle)
    require(!typed.contains(std::string(name)), "--{} and --{}: expected one of them", asked, name);
}

std::optional<std::string> Options::text(const std::string& name) const {
  const auto it = extra.find(name);
  return it == extra.end() ? std::nullopt : std::optional(it->second);
}

std::optional<double> Options::number(const std::string& name) const {
  const std::optional<std::string> given = text(name);
  if (!given) return std::nullopt;
  const std::optional<double> value = parse_double(*given);
  require(value && std::isfinite(*value), "--{} {}: expected one number", name, in_quotes(*given));
  return value;
}

std::optional<std::size_t> Options::count(const std::string& name) const {
  const std::optional<std::string> given = text(name);
  if (!given) return std::nullopt;
  const std::optional<double> value = parse_double(*given);
  require(value && *value >= 1 && *value <= 1e9 && *value == std::floor(*value),
          "--{} {}: expected a whole number from 1 to 1000000000", name, in_quotes(*given));
  return static_cast<std::size_t>(*value);
}

std::vector<std::size_t> Options::sizes(const std::string& name, std::vector<std::size_t> otherwise) const {
  const std::optional<std::string> given = text(name);
  if (!given) return otherwise;
  std::vector<std::size_t> result;
  const std::vector<double> values = [&] {
    try {
      return parse_list(*given);
    } catch (const Error& error) {
      refuse("--{}: {}", name, error.what());
    }
  }();
  for (const double value : values) {
    require(value >= 1 && value <= 1e9 && value == std::floor(value),
            "--{} {}: {} is not a whole number from 1 to 1000000000", name, in_quotes(*given), value);
    result.push_back(static_cast<std::size_t>(value));
  }
  return result;
}

Part parse_part(std::string_view text) {
  if (text == "slurm") {
    const auto number = [](const char* name) {
      const char* value = std::getenv(name);
      const std::optional<std::uint64_t> read = value ? parse_whole(value) : std::nullopt;
      require(read.has_value(),
              "--part slurm: {} is {}; expected a job of an array, as sbatch --array=1-16 makes", name,
              value ? in_quotes(value) : "not set");
      return *read;
    };
    const std::uint64_t id = number("SLURM_ARRAY_TASK_ID"), least = number("SLURM_ARRAY_TASK_MIN"),
                        most = number("SLURM_ARRAY_TASK_MAX"), count = number("SLURM_ARRAY_TASK_COUNT");
    require(least <= id && id <= most && 1 <= count && count <= most_parts && most - least == count - 1,
            "--part slurm: job {} of {} between {} and {}; expected an array without gaps of at most {}, "
            "such as 1-16",
            id, count, least, most, most_parts);
    return {id - least + 1, count};
  }
  const std::size_t slash = text.find('/');
  const std::optional<std::uint64_t> number = parse_whole(text.substr(0, slash)),
                                     of = parse_whole(text.substr(std::min(slash, text.size() - 1) + 1));
  require(slash != text.npos && number && of && *number >= 1 && *number <= *of && *of <= most_parts,
          "--part {}: expected I/N with I from 1 to N, for example 3/16, or slurm; N is at most {}",
          in_quotes(text), most_parts);
  return {*number, *of};
}

ExtraOption part_option() {
  return {"part", "I/N",
          "Measure one part of the cells, for example 3/16, or slurm: that of an array of jobs. It writes "
          "nothing "
          "but what is kept; the same command without --part merges the parts"};
}

void read_part(Options& options) {
  const auto text = options.extra.find("part");
  if (text == options.extra.end()) return;
  options.part = parse_part(text->second);
  options.extra.erase(text);
  require(options.text("fresh") != "yes",
          "--part and --fresh: expected one of them; a new folder for kept cells measures afresh");
  require(!options.json, "--part and --json: expected one of them; a part has no results");
}

std::vector<double> parse_list(std::string_view text) {
  std::vector<double> out;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    if (part.find("..") != std::string_view::npos)
      append_range(part, text, out);
    else
      out.push_back(number(part, text));
    begin = end + 1;
  }
  require(out.size() <= longest_list, "list {} has over {} numbers", in_quotes(text), longest_list);
  return out;
}

Parsed parse_options(const std::string& study, const std::string& about,
                     const std::vector<std::string>& claims, const std::vector<ExtraOption>& extra, int argc,
                     char** argv) {
  const std::string folder = "reports/out/" + study;
  std::vector<ExtraOption> options = {
      {"preset", "", "Size of the grids: quick, full (the report), long (overnight)"},
      {"seed", "", "Names all random streams"},
      {"threads", "", "Cells run side by side; results do not depend on it"},
      {"out", "",
       "Folder that itself receives results.json, the tables, run.json and timings.json (default: " + folder +
           ")"},
      {"build", "", "Folder that keeps finished cells and learned words between runs"},
      part_option(),
      {"only", "CLAIMS", "Claims to measure, for example O4 or \"O1 O4\""},
      {"json", "", "Print results.json to standard output too"},
      {"list", "", "List the claims and stop"},
      {"fresh", "", "Measure every cell again and ignore kept ones"}};
  options.insert(options.end(), extra.begin(), extra.end());
  const std::string examples = fmt::format(
      "  {0} --preset quick --out /tmp/{0}   a first try\n"
      "  {0} --only {1}                  one claim\n"
      "  {0} --json --preset quick | less   findings as JSON\n"
      "A killed run loses only the cells under way: the same command goes on.",
      study, claims.empty() ? "O1" : claims.front());
  Parsed parsed = parse_word({study, about, examples, "", ""}, options, argc, argv);
  if (!parsed.options) return parsed;
  Options& own = *parsed.options;
  if (!own.typed.contains("out")) own.out = folder;
  own.only = names_typed(own, "only");
  own.list = own.typed.contains("list");
  own.fresh = own.typed.contains("fresh");
  if (own.list) own.expect_alone("list", {"only"});
  read_part(own);
  for (const std::string& claim : own.only)
    require(std::find(claims.begin(), claims.end(), claim) != claims.end(),
            "--only {}: this study measures {}", claim, fmt::join(claims, ", "));
  return parsed;
}

Parsed parse_word(const WordUsage& usage, const std::vector<ExtraOption>& options, int argc, char** argv) {
  Shared shared;
  std::map<std::string, std::string> typed;
  CLI::App app(usage.about, usage.name);
  app.footer(fmt::format("Examples:\n{}\nExit codes: 0 done, 1 failed, 2 unusable options or input.",
                         usage.examples));
  if (!usage.files.empty()) app.add_option(usage.files, shared.options.files, usage.files_help);
  for (const ExtraOption& option : options) {
    if (add_shared(app, option.name, option.help.c_str(), shared)) continue;
    if (option.placeholder.empty())
      app.add_flag_function(
          "--" + option.name, [&typed, name = option.name](std::int64_t) { typed[name] = "yes"; },
          option.help);
    else
      add_text(app, option, typed);
  }
  if (const std::optional<int> code = answered(app, argc, argv)) return {std::nullopt, *code};
  Options read = as_read(app, shared);
  read.extra = std::move(typed);
  return {std::move(read), 0};
}

}  // namespace perp
