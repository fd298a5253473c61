#include "reports/render/verify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>

#include "perp/base/error.hpp"
#include "perp/base/functions.hpp"
#include "perp/io/csv.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/text.hpp"
#include "perp/study/results.hpp"
#include "reports/render/facts.hpp"
#include "reports/render/runs.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// One study of both runs.
struct StudyPair {
  fs::path published_folder, fresh_folder;
  Results published, fresh;
  Common common = Common::bytes;
  std::vector<std::string> absent = {}, other = {};  ///< inputs that one run lacked, or had with other bytes
  Verification& into;

  /// What an input explains is skipped: what is missing if one was absent or another, what was sampled if it was another.
  void note(const std::string& sort, Moved moved, bool missing, Kind kind, std::size_t times = 1) const {
    const bool explained =
        missing ? !absent.empty() || !other.empty() : kind == Kind::sampled && !other.empty();
    if (moved.outcome == Outcome::failed && explained) {
      moved.outcome = Outcome::skipped;
      moved.why = fmt::format("input {}{}{}: absent or another", fmt::join(absent, ", "),
                              absent.empty() || other.empty() ? "" : ", ", fmt::join(other, ", "));
    }
    into.note(sort, std::move(moved), times);
  }
};

/// Names of what bytes depend on besides seed and inputs, and differs or was not recorded.
std::vector<std::string> parts_apart(const json& published, const json& fresh) {
  std::vector<std::string> names;
  for (const auto& [name, pointer] :
       std::initializer_list<std::pair<const char*, const char*>>{{"program", "/program_sha256"},
                                                                  {"processor", "/host_cpu"},
                                                                  {"processor", "/cpu_model"},
                                                                  {"BLAS", "/blas/name"},
                                                                  {"BLAS", "/blas/version"},
                                                                  {"BLAS", "/blas/kernel"},
                                                                  {"BLAS library", "/blas/path"},
                                                                  {"LAPACK library", "/blas/lapack_path"}}) {
    const json::json_pointer at(pointer);
    const bool same = published.contains(at) && published[at].is_string() && published[at] != "" &&
                      fresh.contains(at) && fresh[at] == published[at];
    if (!same && (names.empty() || names.back() != name)) names.emplace_back(name);
  }
  return names;
}

StudyPair pair_of(const VerifyOptions& options, const std::string& name, Verification& into) {
  const fs::path published = options.published / name, fresh = options.fresh / name;
  StudyPair pair{published, fresh, read_results(published), read_results(fresh), {}, {}, {}, into};
  const std::string& preset = options.preset.empty() ? pair.published.preset : options.preset;
  for (const auto& [folder, run] : {std::pair{&published, &pair.published}, {&fresh, &pair.fresh}})
    require(run->preset == preset, "{}: is of preset {}; expected {}: runs of one preset compare",
            (*folder / "results.json").string(), run->preset, preset);
  std::map<std::string, std::vector<std::string>> hashes;
  for (const Results* run : {&pair.published, &pair.fresh})
    for (const Input& input : run->inputs) hashes[input.name].push_back(input.sha256);
  for (const auto& [input, found] : hashes)
    if (found.size() < 2)
      pair.absent.push_back(input);
    else if (found[0] != found[1])
      pair.other.push_back(input);

  std::vector<std::string> apart = parts_apart(read_record(pair.published_folder / "run.json"),
                                               read_record(pair.fresh_folder / "run.json"));
  for (const auto* inputs : {&pair.absent, &pair.other})
    for (const std::string& input : *inputs) apart.push_back(fmt::format("input {}", input));
  const bool grows =
      std::ranges::count(pair.fresh.parameters, Coordinate(rounding_parameter, rounding_grows)) > 0;
  std::string how = "byte for byte: the same program, processor, BLAS and seed";
  if (pair.published.seed != pair.fresh.seed) {
    pair.common = Common::definitions;
    how = fmt::format("by intervals and kinds: seed {} here, {} published", pair.fresh.seed,
                      pair.published.seed);
  } else if (!apart.empty()) {
    pair.common = grows ? Common::definitions : Common::draws;
    how = fmt::format("{}: the same seed, another {}",
                      grows ? "by intervals, for rounding grows" : "by kinds", fmt::join(apart, ", "));
  }
  into.headings.push_back(fmt::format("{}: {}", name, how));
  return pair;
}

/// One number of both runs; NaN where it is not there.
struct Number {
  Kind kind;
  std::string unit;
  double published, fresh;
  std::array<double, 2> widths{};  ///< of its interval in either run; NaN where it has none
  double level = shown_level;      ///< of that interval
  double largest = 0;              ///< magnitude in its column
  double decision = 0;             ///< what it moves by when one decision of a share falls on the other side
  double grows = 1;                ///< by how much more than the mean an end of its interval moves
};

Moved compared(std::string where, const Number& x, Common common) {
  Moved moved{Outcome::equal, std::move(where), shortest(x.published), shortest(x.fresh), ""};
  const bool absent = std::isnan(x.published), absent_now = std::isnan(x.fresh);
  if (x.published == x.fresh || (absent && absent_now)) return moved;
  const auto is_whole = [](double value) { return value == std::floor(value); };
  const bool whole = is_whole(x.published) && is_whole(x.fresh);
  const bool natural = x.unit == "share" || x.unit == "cosine" || x.unit == "standard deviations";
  const double of = std::max({std::abs(x.published), std::abs(x.fresh), x.largest}),
               size = std::max(of, natural ? 1.0 : 0.0);
  const double rounding = x.unit == "rounding" || x.unit == "× rounding error" ? 1 : 1e-5 * size + 1e-8;
  const bool spreads = x.widths[0] > 0 && x.widths[1] > 0;
  const double standard_error =
      spreads ? std::hypot(x.widths[0], x.widths[1]) / (2 * normal_quantile((1 + x.level) / 2)) : 0;
  double allowed = 0;
  if (common != Common::bytes) {
    if (x.kind == Kind::exact) allowed = whole ? 0 : 1e-12 * of;
    if (x.kind == Kind::count) allowed = std::max(1.0, 1e-3 * of);
    if (x.kind == Kind::rounded) allowed = rounding;
    if (x.kind == Kind::sampled)
      allowed =
          common == Common::draws
              ? std::max({2e-3 * x.grows * size, 2e-2 * std::fmax(0, std::fmax(x.widths[0], x.widths[1])),
                          x.decision * (1 + 1e-12), 1e-8})
              : 6 * standard_error + rounding;
    const bool place = x.kind == Kind::rounded && whole,
               unbounded = x.kind == Kind::sampled && common == Common::definitions && !spreads;
    if (place || unbounded) {
      moved.outcome = Outcome::listed;
      moved.why = place ? "where an extreme lies" : "sampled, without an interval";
      return moved;
    }
  }
  const double distance = std::abs(x.published - x.fresh);
  moved.outcome = distance <= allowed ? Outcome::within : Outcome::failed;
  if (absent != absent_now)
    moved.why = "measured in one run only";
  else if (moved.outcome == Outcome::failed)
    moved.why = fmt::format("{}: {:.2g} apart, {:.2g} allowed", to_text(x.kind), distance, allowed);
  return moved;
}

/// What a number, a column, a condition or a claim is said to be: no run may change it. Of a condition without its
/// outcome; bounds to nine digits, for the last ones are the processor's.
std::string said_of(const Finding& f) {
  return fmt::format("{}, {}, level {}, n {}: {}", to_text(f.kind), f.unit, f.level.value_or(std::nan("")),
                     f.n, f.meaning);
}
std::string said_of(const Column& c) {
  return fmt::format("{}, {}, interval {} {}: {}", to_text(c.kind), c.unit, c.low, c.high, c.meaning);
}
std::string said_of(const Condition& c) {
  const double* number = std::get_if<double>(&c.bound);
  return fmt::format("{} {} {} ± {:.9g}, {}, {}, {}, {} {}", c.finding, to_text(c.is),
                     number ? fmt::format("{:.9g}", *number) : std::get<std::string>(c.bound), c.margin,
                     to_text(c.role), to_text(c.evidence), fmt::join(c.levels, " "), c.says, c.needs);
}
std::string said_of(const Claim& c) {
  return fmt::format("{} {} {}, {} conditions", c.of, c.source, c.statement, c.rule.size());
}

/// `worst` becomes the other one where that is worse.
void see(Moved& worst, const Moved& other) {
  if (other.outcome > worst.outcome) worst = other;
}
template <class Item>
Moved said(const std::string& where, const Item& before, const Item& now) {
  const std::string was = said_of(before), is = said_of(now);
  return {was == is ? Outcome::equal : Outcome::failed, where, was, is, "said to be another thing"};
}

/// Calls `both` with findings, claims or tables of one name; what only one of the runs has is noted.
template <class Item, class Both>
void side_by_side(const StudyPair& pair, const std::string& sort, std::vector<Item> Results::*items,
                  std::string Item::*name, const Both& both) {
  for (const auto& [mine, others, why] : {std::tuple{&pair.published, &pair.fresh, "not found again"},
                                          std::tuple{&pair.fresh, &pair.published, "not published"}})
    for (const Item& item : mine->*items)
      if (const auto it = std::ranges::find(others->*items, item.*name, name); it == (others->*items).end())
        pair.note(sort, {Outcome::failed, fmt::format("{}/{}", mine->study, item.*name), "", "", why}, true,
                  Kind::exact);
      else if (mine == &pair.published)
        both(item, *it);
}

/// An end of an interval, mean ± t s/√n, moves by 1 + t/√(n-1) times what each of the n observations does, that of a share by
/// 1 + t decisions.
void verify_finding(const StudyPair& pair, const Finding& before, const Finding& now) {
  const auto width = [](const Finding& f) { return f.high.value_or(NAN) - f.low.value_or(NAN); };
  const double level = now.level.value_or(shown_level), beyond = (1 - level) / 2;
  Number value{now.kind, now.unit, before.value, now.value, {width(before), width(now)}, level};
  const bool share = now.spread && now.spread->share;
  const double freedom = share && now.spread->mean ? now.spread->mean->freedom : INFINITY;
  if (share) value.decision = 1.0 / static_cast<double>(now.spread->share->trials);
  Moved worst = compared(before.id, value, pair.common);
  // Another seed has other words, and so other laws.
  if (pair.common != Common::definitions) {
    see(worst, compared(before.id + ".theory",
                        {Kind::rounded, now.unit, before.theory.value_or(NAN), now.theory.value_or(NAN)},
                        pair.common));
    for (const auto& [name, part] : {std::pair{".low", &Finding::low}, {".high", &Finding::high}}) {
      Number end = value;
      end.published = (before.*part).value_or(NAN), end.fresh = (now.*part).value_or(NAN);
      end.decision =
          value.decision * (1 + (std::isfinite(freedom) ? special::student_quantile_above(freedom, beyond)
                                                        : normal_quantile(1 - beyond)));
      const double n = static_cast<double>(now.n);
      if (n >= 2) end.grows = 1 + special::student_quantile_above(n - 1, beyond) / std::sqrt(n - 1);
      see(worst, compared(before.id + name, end, pair.common));
    }
  }
  see(worst, said(before.id, before, now));
  pair.note("findings", worst, false, now.kind);
}

/// The same rule, and no condition that came out the opposite way.
void verify_claim(const StudyPair& pair, const Claim& before, const Claim& now) {
  const std::string then = to_text(before.judgement), here = to_text(now.judgement);
  Moved worst{then == here ? Outcome::equal : Outcome::listed, before.id + ".verdict", then, here,
              "another verdict"};
  see(worst, said(before.id, before, now));
  for (std::size_t i = 0; i < std::min(before.rule.size(), now.rule.size()); ++i) {
    see(worst, said(before.id + ".rule", before.rule[i], now.rule[i]));
    const Answer a = before.judgement.readings.at(i).answer, b = now.judgement.readings.at(i).answer;
    if (a == b || a == Answer::unmeasured || b == Answer::unmeasured) continue;
    const bool turned = a != Answer::open && b != Answer::open;
    see(worst, {turned ? Outcome::failed : Outcome::listed,
                fmt::format("{}: {}", before.id, said_of(now.rule[i])), std::string(to_text(a)),
                std::string(to_text(b)), turned ? "the opposite outcome" : "open in one run"});
  }
  pair.note("claims", worst, true, Kind::exact);
}

double cell(const Csv& csv, std::size_t row, const std::string& column) {
  return column.empty() ? NAN : parse_double(csv.rows[row][csv.column(column)]).value_or(NAN);
}

/// One column, cell by cell; a line an outcome.
void verify_column(const StudyPair& pair, const std::string& name, const Csv& before, const Csv& now,
                   const Column& column) {
  const std::size_t at = now.column(column.name);
  double largest = 0;
  for (const Csv* csv : {&before, &now})
    for (const auto& row : csv->rows)
      largest = std::max(largest, std::abs(parse_double(row[at]).value_or(0)));
  std::map<Outcome, std::pair<Moved, std::size_t>> found;
  for (std::size_t row = 0; row < now.rows.size(); ++row) {
    const std::string &was = before.rows[row][at], &is = now.rows[row][at];
    const std::optional<double> a = parse_double(was), b = parse_double(is);
    const std::string where = fmt::format("{} {} row {}", name, column.name, row + 1);
    const auto width = [&](const Csv& csv) {
      return cell(csv, row, column.high) - cell(csv, row, column.low);
    };
    Moved moved{Outcome::equal, where, was, is, ""};
    if ((a || was.empty()) && (b || is.empty())) {
      Number x{column.kind, column.unit, a.value_or(NAN), b.value_or(NAN), {width(before), width(now)}};
      x.largest = largest;
      if (!column.low.empty() && std::ranges::count(now.columns, "trials") > 0)
        x.decision = 1 / cell(now, row, "trials");
      moved = compared(where, x, pair.common);
    } else if (was != is)
      moved = {pair.common == Common::bytes || column.kind == Kind::exact ? Outcome::failed : Outcome::listed,
               where, was, is, chosen_text};
    ++found.try_emplace(moved.outcome, moved, 0).first->second.second;
  }
  for (auto& [outcome, first] : found)
    pair.note("table values", std::move(first.first), false, column.kind, first.second);
}

void verify_table(const StudyPair& pair, const Table& was, const Table& is) {
  const std::string name = fmt::format("{}/{}", pair.fresh.study, is.file);
  const Csv before = read_csv(pair.published_folder / is.file), now = read_csv(pair.fresh_folder / is.file);
  const auto fail_with = [&](Moved moved) { pair.note("table values", std::move(moved), true, Kind::exact); };
  if (before.columns != now.columns || before.rows.size() != now.rows.size())
    return fail_with({Outcome::failed, name,
                      fmt::format("{} x {}", before.rows.size(), before.columns.size()),
                      fmt::format("{} x {}", now.rows.size(), now.columns.size()), "other rows or columns"});
  const auto is_an_end = [&](const Column& column) {
    return std::ranges::any_of(
        is.columns, [&](const Column& c) { return c.low == column.name || c.high == column.name; });
  };
  for (std::size_t c = 0; c < is.columns.size(); ++c) {
    const Column &then = was.columns.at(c), &here = is.columns[c];
    const Moved column = said(fmt::format("{} {}", name, here.name), then, here);
    if (column.outcome == Outcome::failed) fail_with(column);
    // How an interval moves is the finding's to say.
    if (pair.common == Common::bytes || !is_an_end(here)) verify_column(pair, name, before, now, here);
  }
}

void verify_pair(const StudyPair& pair) {
  side_by_side(pair, "findings", &Results::findings, &Finding::id,
               [&](const Finding& before, const Finding& now) { verify_finding(pair, before, now); });
  side_by_side(pair, "claims", &Results::claims, &Claim::id,
               [&](const Claim& before, const Claim& now) { verify_claim(pair, before, now); });
  side_by_side(pair, "table values", &Results::tables, &Table::file,
               [&](const Table& before, const Table& now) { verify_table(pair, before, now); });
}

/// What another command publishes into the same folder, or names the machine or holds seconds, or lists such files.
bool is_compared(const std::string& name) {
  const auto begins = [&](std::string_view part) { return name.starts_with(part); };
  const auto ends = [&](std::string_view part) { return name.ends_with(part); };
  return std::ranges::none_of(
             std::array{"BENCHMARKS.md", "bench/", "figures/bench-", "long/", "long-", "rope/"}, begins) &&
         std::ranges::none_of(std::array{"run.json", "timings.json", ".sha256"}, ends);
}

/// The files under the folder by relative names, without those of some of its folders.
std::set<std::string> files_in(const fs::path& folder, const std::set<std::string>& without) {
  std::set<std::string> names;
  for (auto it = fs::recursive_directory_iterator(folder); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().lexically_relative(folder).generic_string();
    if (it->is_directory() && without.contains(name)) it.disable_recursion_pending();
    if (it->is_regular_file() && is_compared(name)) names.insert(name);
  }
  return names;
}

std::vector<Moved> compare_files(const fs::path& published, const fs::path& fresh,
                                 const std::set<std::string>& without) {
  const std::set<std::string> before = files_in(published, without), now = files_in(fresh, without);
  std::set<std::string> all = before;
  all.insert(now.begin(), now.end());
  std::vector<Moved> files;
  for (const std::string& name : all) {
    const char* why = !now.contains(name)      ? "not written again"
                      : !before.contains(name) ? "not published"
                                               : "";
    if (!*why && read_file(published / name) != read_file(fresh / name)) why = "other bytes";
    files.push_back({*why ? Outcome::failed : Outcome::equal, name, "", "", why});
  }
  return files;
}

/// gnuplot and pandoc write some of the pages. Where none of a program's files agrees, another version of it wrote them, or none.
void verify_pages(const VerifyOptions& options, const std::set<std::string>& studies, Verification& into) {
  std::vector<Moved> pages = compare_files(options.published, options.pages, studies);
  struct Written {
    const char *program, *extension, *folder;
  };
  for (const Written& by : {Written{"gnuplot", ".svg", "figures/"}, {"pandoc", ".html", "site/"}}) {
    const auto is_its = [&](const Moved& page) {
      return page.where.ends_with(by.extension) || page.where.starts_with(by.folder);
    };
    const auto agrees = [&](const Moved& page) {
      return page.outcome == Outcome::equal && page.where.ends_with(by.extension);
    };
    if (std::ranges::any_of(pages, agrees)) continue;
    for (Moved& page : pages)
      if (is_its(page) && page.outcome == Outcome::failed)
        page.outcome = Outcome::skipped, page.why = fmt::format("another {}, or none", by.program);
  }
  for (Moved& page : pages) into.note("pages", std::move(page));
}

}  // namespace

void Verification::note(const std::string& sort, Moved one, std::size_t times) {
  tallies[sort].at(static_cast<std::size_t>(one.outcome)) += times;
  if (times > 1) one.where += fmt::format(" and {} more", times - 1);
  if (one.outcome != Outcome::equal && one.outcome != Outcome::within) moved.push_back(std::move(one));
}

std::size_t Verification::counted(Outcome outcome) const {
  std::size_t sum = 0;
  for (const auto& [sort, tally] : tallies) sum += tally.at(static_cast<std::size_t>(outcome));
  return sum;
}

void verify_study(const fs::path& published, const fs::path& fresh, Common common, Verification& into) {
  verify_pair({published, fresh, read_results(published), read_results(fresh), common, {}, {}, into});
}

Verification verify(const VerifyOptions& options) {
  for (const fs::path& folder : {options.published, options.fresh})
    require(fs::is_directory(folder), "no folder '{}' with results", folder.string());
  const std::set<std::string> published = studies_in(options.published), fresh = studies_in(options.fresh);
  std::set<std::string> wanted(options.studies.begin(), options.studies.end());
  if (wanted.empty()) std::ranges::set_union(published, fresh, std::inserter(wanted, wanted.end()));
  require(!published.empty(), "'{}' holds no <study>/results.json", options.published.string());
  Verification verification;
  for (const std::string& name : wanted) {
    require(published.contains(name) || fresh.contains(name), "no study {} in either folder; there are: {}",
            in_quotes(name), fmt::join(published, ", "));
    if (!published.contains(name) || !fresh.contains(name)) {
      verification.note("files", {Outcome::failed, name + "/results.json", "", "",
                                  published.contains(name) ? "not measured again" : "not published"});
      continue;
    }
    const StudyPair pair = pair_of(options, name, verification);
    verify_pair(pair);
    if (pair.common == Common::bytes)
      for (Moved& file : compare_files(pair.published_folder, pair.fresh_folder, {})) {
        file.where = name + "/" + file.where;
        verification.note("files", std::move(file));
      }
  }
  if (!options.pages.empty()) verify_pages(options, published, verification);
  return verification;
}

std::string verification_text(const Verification& verification) {
  std::string text = fmt::format("{}\n", fmt::join(verification.headings, "\n"));
  for (const auto& [outcome, title] : {std::pair{Outcome::listed, "Listed, not judged"},
                                       {Outcome::skipped, "Skipped"},
                                       {Outcome::failed, "Moved beyond tolerance"}}) {
    if (verification.counted(outcome) == 0) continue;
    text += fmt::format("\n{} (published, here)\n", title);
    for (const Moved& moved : verification.moved)
      if (moved.outcome == outcome)
        text += on_one_line(
                    fmt::format("  {}  {}  {}  {}", moved.where, moved.published, moved.fresh, moved.why)) +
                "\n";
  }
  text += fmt::format("\n{:<14}{:>10}", "", "compared");
  for (const char* name : outcome_names) text += fmt::format("{:>10}", name);
  for (const auto& [sort, tally] : verification.tallies) {
    text += fmt::format("\n{:<14}{:>10}", sort, std::accumulate(tally.begin(), tally.end(), std::size_t{0}));
    for (const std::size_t times : tally) text += fmt::format("{:>10}", times);
  }
  return text + fmt::format("\n\n{}\n", verification.passed() ? "verified" : "not verified");
}

}  // namespace perp::report
