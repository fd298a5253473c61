// The study with small models: verdicts, findings and tables against what they are made to be.

#include "studies/inspect/study.hpp"

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <thread>

#include "perp/base/matrix_algebra.hpp"
#include "perp/io/npy.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inspect/model_under_test.hpp"
#include "tests/io/safetensors_bytes.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

Results results_of(const std::string& models, const Scratch& scratch, std::vector<std::string> only = {},
                   std::size_t threads = 2) {
  Options options;
  options.preset = Preset::quick;
  options.threads = threads;
  options.build = scratch / fmt::format("kept{}", threads);
  options.only = std::move(only);
  options.extra = {{"models", scratch.file("models.txt", models).string()}};
  return measure(inspect::study(true), options);
}

const Claim& claim(const Results& results, const char* id) {
  for (const Claim& c : results.claims)
    if (c.id == id) return c;
  throw std::runtime_error("no claim");
}

/// What the claim's condition on a finding came out as.
Answer answer_of(const Results& results, const char* id, std::string_view finding) {
  const Claim& of = claim(results, id);
  for (std::size_t i = 0; i < of.rule.size(); ++i)
    if (of.rule[i].finding == finding) return of.judgement.readings[i].answer;
  BOOST_FAIL("no condition on " << finding);
  throw 0;
}

double value(const Results& results, std::string_view id) {
  const Finding* found = find(results.findings, id);
  BOOST_REQUIRE_MESSAGE(found, "no finding " << id);
  return found->value;
}

/// Normal words and a sinusoid: a model that was never trained.
std::string untrained(const Scratch& scratch) {
  const Matrix<float> words = normal_matrix<float>(3000, 48, stream(1, "test", "inspect", 0, "words"));
  const Matrix<double> wave = sinusoidal<double>(64, 48);
  write_npy(scratch / "words.npy", words);
  write_npy(scratch / "wave.npy", wave);
  return fmt::format("[untrained]\nwords = {}\npositions = {}\n", (scratch / "words.npy").string(),
                     (scratch / "wave.npy").string());
}

/// A tensor of `rows` x `columns` reproducible numbers, as its bytes.
std::string tensor_bytes(const char* name, std::size_t rows, std::size_t columns) {
  std::vector<float> numbers(rows * columns);
  fill_normal(stream(1, "test", "inspect", 0, name), std::span<float>(numbers));
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)};
}

/// What the cells of one model depend on, one text.
std::string depends_of(const std::string& model, const Scratch& scratch) {
  Options options;
  options.extra = {{"models", scratch.file("models.txt", model).string()}};
  const inspect::ModelUnderTest under_test(inspect::models_of(options).front(), 1, Preset::quick,
                                           std::make_shared<SharedThreads>(1));
  return fmt::format("{}", fmt::join(under_test.hashes, "\n"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_study)

BOOST_AUTO_TEST_CASE(tensors_whose_names_end_alike_behind_a_slash_are_told_apart) {
  const Scratch scratch;
  const std::string file =
      scratch
          .file("m.safetensors", TensorWriter()
                                     .add("enc/kernel", "F32", "[40, 8]", tensor_bytes("enc", 40, 8))
                                     .add("dec/kernel", "F32", "[40, 8]", tensor_bytes("dec", 40, 8))
                                     .file())
          .string();
  const auto look = [&](const char* tensor) {
    return results_of(fmt::format("[a]\npositions = {}:{}\n", file, tensor), scratch, {"M4"});
  };
  const Results enc = look("enc/kernel"), dec = look("dec/kernel");
  BOOST_TEST(value(enc, "M4.defect.a") != value(dec, "M4.defect.a"));
  BOOST_TEST(text_at(enc.parameters, "a_positions") == "m.safetensors:enc/kernel");
  BOOST_TEST(text_at(dec.parameters, "a_positions") == "m.safetensors:dec/kernel");
}

BOOST_AUTO_TEST_CASE(cells_depend_on_every_table_and_on_the_file_that_it_is_of) {
  const Scratch scratch;
  const std::string gain = tensor_bytes("gain", 1, 8), other = tensor_bytes("other", 1, 8),
                    table = tensor_bytes("table", 40, 8);
  const auto file = [&](const char* name, const std::string& a) {
    return scratch
        .file(name, TensorWriter()
                        .add("table", "F32", "[40, 8]", table)
                        .add("a", "F32", "[8]", a)
                        .add("b", "F32", "[8]", other)
                        .file())
        .string();
  };
  std::filesystem::create_directory(scratch / "x");
  const std::string one = file("m.safetensors", gain), two = file("x/m.safetensors", other);
  const auto with = [&](const std::string& layernorm) {
    return depends_of(fmt::format("[a]\npositions = {}:table\nlayernorm = {}\n", one, layernorm), scratch);
  };
  BOOST_TEST(with(one + ":a," + one + ":b") != with(one + ":b," + one + ":b"));
  // Two files of one name.
  BOOST_TEST(with(one + ":a," + two + ":b") != with(two + ":a," + one + ":b"));
  BOOST_TEST(with(one + ":a," + one + ":b").find(scratch.path().string()) == std::string::npos);
}

BOOST_AUTO_TEST_CASE(cells_depend_on_the_file_that_an_index_names) {
  const Scratch scratch;
  scratch.file("m.safetensors.index.json",
               R"({"weight_map": {"table": "shard.safetensors", "w": "weights.safetensors"}})");
  const auto shard = [&](const char* name, const char* tensor, const char* shape, const std::string& bytes) {
    return scratch.file(name, TensorWriter().add(tensor, "F32", shape, bytes).file());
  };
  shard("shard.safetensors", "table", "[40, 8]", tensor_bytes("table", 40, 8));
  const std::string index = (scratch / "m.safetensors.index.json").string();
  const auto now = [&](const char* seed) {
    shard("weights.safetensors", "w", "[8, 8]", tensor_bytes(seed, 8, 8));
    return depends_of(
        fmt::format("[a]\npositions = {0}:table\nquery = {0}:w\nkey = {0}:w\nheads = 2\n", index), scratch);
  };
  const std::string before = now("before");
  BOOST_TEST(before == now("before"));
  BOOST_TEST(before != now("after"));
}

BOOST_AUTO_TEST_CASE(what_a_padded_table_does_not_have_is_not_made_up) {
  // A row of zeros, as paddings are: no nearest row is asked for, so there is no number of it, whatever the
  // Gaussian tables beside it have.
  const Scratch scratch;
  Matrix<double> wave = sinusoidal<double>(64, 48);
  for (double& x : row(wave, 0)) x = 0;
  write_npy(scratch / "padded.npy", wave);
  const Results results = results_of(
      fmt::format("[padded]\npositions = {}\n", (scratch / "padded.npy").string()), scratch, {"M4", "M5"});
  for (const char* id : {"M5.neighbours.padded", "M5.kernel_1.padded", "M5.kernel_rest.padded"})
    BOOST_TEST(!find(results.findings, id), id << " is " << find(results.findings, id)->value);
  BOOST_TEST(claim(results, "M5").condition.find("nan") == std::string::npos, claim(results, "M5").condition);
  BOOST_TEST(value(results, "M4.defect.padded") > 0);
}

BOOST_AUTO_TEST_CASE(lengths_stand_at_the_position_that_a_row_is_of) {
  const Scratch scratch;
  Matrix<double> rows = zeros<double>(8, 16);
  for (std::size_t t = 0; t < 8; ++t) rows(t, t) = double(t + 1);
  write_npy(scratch / "rows.npy", rows);
  const Results results = results_of(
      fmt::format("[some]\npositions = {}\nrows-positions = 2:8\n", (scratch / "rows.npy").string()), scratch,
      {"M2"});
  const auto norms = std::ranges::find(results.tables, "m2_norms.csv", &Table::file);
  BOOST_REQUIRE((norms != results.tables.end() && norms->rows.size() == 6));
  for (std::size_t i = 0; i < 6; ++i) {
    BOOST_TEST(norms->number(i, "place") == double(i + 2));
    BOOST_TEST(norms->number(i, "norm") == double(i + 3));
  }
}

// Three patterns of ±1 that are orthogonal and have no mean, on axes of their own, ten, three and one long.
BOOST_AUTO_TEST_CASE(positions_on_their_leading_directions) {
  const Scratch scratch;
  Matrix<double> made = zeros<double>(8, 16);
  const auto sign = [](std::size_t t, std::size_t bit) { return t >> bit & 1 ? -1.0 : 1.0; };
  for (std::size_t t = 0; t < 8; ++t) {
    made(t, 5) = 1 + sign(t, 0);
    made(t, 9) = -10 * sign(t, 1);
    made(t, 2) = 3 * sign(t, 2);
  }
  write_npy(scratch / "made.npy", made);
  const Results results =
      results_of(fmt::format("[made]\npositions = {}\n", (scratch / "made.npy").string()), scratch, {"M4"});
  BOOST_TEST(value(results, "M4.axes") == 8);
  const auto axes = std::ranges::find(results.tables, "m4_axes.csv", &Table::file);
  BOOST_REQUIRE((axes != results.tables.end() && axes->rows.size() == 8));
  const double scale = std::sqrt(110.0);
  for (std::size_t t = 0; t < 8; ++t) {
    BOOST_TEST(axes->number(t, "position") == double(t));
    BOOST_TEST(std::abs(std::abs(axes->number(t, "first")) - 10 / scale) < tolerance::closed_form);
    BOOST_TEST(std::abs(axes->number(t, "first") * axes->number(0, "first") - 100 / 110.0 * sign(t, 1)) <
               tolerance::closed_form);
    BOOST_TEST(std::abs(axes->number(t, "second") * axes->number(0, "second") - 9 / 110.0 * sign(t, 2)) <
               tolerance::closed_form);
    BOOST_TEST(std::abs(axes->number(t, "third") * axes->number(0, "third") - 1 / 110.0 * sign(t, 0)) <
               tolerance::closed_form);
  }
}

// Along one line: as much fewer dimensions than a sinusoid's as others have more.
BOOST_AUTO_TEST_CASE(fewer_dimensions_than_a_sinusoid_are_as_unlike_it_as_more) {
  const Scratch scratch;
  Matrix<double> line = zeros<double>(64, 48);
  for (std::size_t t = 0; t < 64; ++t) line(t, 3) = double(t + 1);
  write_npy(scratch / "line.npy", line);
  const Results results =
      results_of(fmt::format("[line]\npositions = {}\n", (scratch / "line.npy").string()), scratch, {"M8"});
  BOOST_TEST(value(results, "M8.r99_factor.line") >= 5);
  BOOST_TEST((answer_of(results, "M8", "M8.r99_factor.line") == Answer::fails));
}

BOOST_AUTO_TEST_CASE(the_density_of_the_cosines_is_that_of_all_pairs) {
  const Scratch scratch;
  const Results results = results_of(untrained(scratch), scratch, {"M1"});
  const auto density = std::ranges::find(results.tables, "m1_density.csv", &Table::file);
  BOOST_REQUIRE((density != results.tables.end()));
  const double step = density->number(1, "cosine") - density->number(0, "cosine");
  double pairs = 0, area = 0;
  for (std::size_t i = 0; i < density->rows.size(); ++i) {
    pairs += density->number(i, "pairs");
    area += density->number(i, "pairs") * density->number(i, "density_of_one") * step;
  }
  BOOST_TEST(pairs == 3000.0 * 64);  // the root of 48 is below 8: no pair lies beyond
  BOOST_TEST(std::abs(area - 1) < 1e-6);
}

BOOST_AUTO_TEST_CASE(models_of_one_lineage_count_once_in_verdicts) {
  const Scratch scratch;
  const std::string model = untrained(scratch), tables = model.substr(model.find(']') + 1);
  const auto rule_of = [&](const std::string& models) {
    return claim(results_of(models, scratch, {"M1"}), "M1").rule;
  };
  const Rule one = rule_of("[a]" + tables);
  const std::string declared = "lineage = tree\n";
  const std::string two = "[a]" + tables + declared + "[b]" + tables + declared + "rows = 0:60\n";
  const Rule same = rule_of(two);
  BOOST_TEST(same.size() == one.size());
  for (const Condition& condition : same) {
    BOOST_TEST(condition.finding.ends_with(".a"), condition.finding);
    BOOST_TEST((condition.levels.at(2) == std::pair<std::string, std::string>("lineage", "tree")));
  }
  BOOST_TEST(rule_of("[a]" + tables + "[b]" + tables).size() == 2 * one.size());
  // The other's numbers stand beside it.
  const Results results = results_of(two, scratch, {"M1"});
  BOOST_TEST(find(results.findings, "M1.mean.b"));
  BOOST_TEST(text_at(results.parameters, "b_lineage") == "tree");
  BOOST_TEST(results.inputs.size() == 2U);  // two files are read by both models
  BOOST_TEST(to_json(results).find(scratch.path().string()) == std::string::npos);
  // Its sentence stands in the table, not in the claim's.
  const std::string& said = claim(results, "M1").condition;
  BOOST_TEST(said.starts_with("a: "));
  BOOST_TEST(said.find("b: ") == said.npos);
  const Table& sentences = *std::ranges::find(results.tables, "m1_models.csv", &Table::file);
  BOOST_TEST(sentences.rows.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_lineage_is_no_part_of_what_is_measured) {
  const Scratch scratch;
  const std::string model = untrained(scratch);
  BOOST_TEST(depends_of(model, scratch) == depends_of(model + "lineage = tree\n", scratch));
}

BOOST_AUTO_TEST_CASE(cells_side_by_side_share_the_threads) {
  const Scratch scratch;
  std::string models = untrained(scratch), model = models;
  for (const char* name : {"[second]", "[third]", "[fourth]", "[fifth]", "[sixth]"})
    models += std::string(name) + model.substr(model.find(']') + 1);
  const auto running = [] {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& thread : std::filesystem::directory_iterator("/proc/self/task"))
      ++count;
    return count;
  };
  std::atomic<bool> done{false};
  std::atomic<std::size_t> most{0};
  std::thread watcher([&] {
    while (!done) most = std::max(most.load(), running());
  });
  const std::size_t before = running(), threads = 6;
  results_of(models, scratch, {"M2"}, threads);
  done = true;
  watcher.join();
  BOOST_TEST(most > before);
  BOOST_TEST(most <= before + 2 * (threads - 1));  // the cells' own, and those that one of them takes
}

BOOST_AUTO_TEST_CASE(words_alone_work) {
  const Scratch scratch;
  const std::string both = untrained(scratch), words = both.substr(0, both.find("positions"));
  const Results results = results_of(words, scratch);
  BOOST_TEST((claim(results, "M2").verdict() == Verdict::is_false));  // normal words fill the space
  for (const char* id : {"M1", "M3", "M4", "M5", "M6", "M7", "M8", "M9"})
    BOOST_TEST((claim(results, id).verdict() == Verdict::unmeasured && claim(results, id).findings.empty()),
               id);
}

BOOST_AUTO_TEST_CASE(positions_alone_work) {
  const Scratch scratch;
  const std::string both = untrained(scratch);
  const Results results = results_of(
      fmt::format("[alone]\npositions = {}\n", (scratch / "wave.npy").string()), scratch, {"M4", "M7"});
  BOOST_TEST((answer_of(results, "M4", "M4.defect.alone") == Answer::holds));
  // Some of it was measured, but not what decides: nothing is left that a section would have to show.
  BOOST_TEST((claim(results, "M7").verdict() == Verdict::unmeasured));
  BOOST_TEST(claim(results, "M7").findings.empty());
}

BOOST_AUTO_TEST_CASE(layernorm_takes_a_common_mean_entry) {
  // Words and positions that share the direction (1, …, 1) and nothing else.
  const Scratch scratch;
  Matrix<float> words = normal_matrix<float>(2000, 40, stream(1, "test", "inspect", 1, "words")),
                positions = normal_matrix<float>(50, 40, stream(1, "test", "inspect", 1, "positions"));
  for (std::size_t i = 0; i < words.size(); ++i) words.data()[i] += 1;
  for (std::size_t i = 0; i < positions.size(); ++i) positions.data()[i] += 1;
  write_npy(scratch / "w.npy", words);
  write_npy(scratch / "p.npy", positions);
  const Results results = results_of(fmt::format("[shifted]\nwords = {}\npositions = {}\n",
                                                 (scratch / "w.npy").string(), (scratch / "p.npy").string()),
                                     scratch, {"M1", "M7"});
  BOOST_TEST((claim(results, "M1").verdict() == Verdict::is_false));
  BOOST_TEST((answer_of(results, "M1", "M1.mean.shifted") == Answer::fails));
  BOOST_TEST((answer_of(results, "M7", "M7.energy_kept.shifted") == Answer::fails));
  BOOST_TEST((answer_of(results, "M7", "M7.mean_cosine_kept.shifted") == Answer::fails));
  BOOST_TEST(std::abs(value(results, "M7.mean_cosine_kept.shifted")) < 0.1);
}

BOOST_AUTO_TEST_CASE(layernorm_keeps_a_common_direction_without_a_mean_entry) {
  const Scratch scratch;
  Matrix<float> words = normal_matrix<float>(2000, 40, stream(1, "test", "inspect", 1, "words")),
                positions = normal_matrix<float>(50, 40, stream(1, "test", "inspect", 1, "positions"));
  for (Matrix<float>* table : {&words, &positions})
    for (std::size_t i = 0; i < table->size(); ++i) table->data()[i] += i % 2 ? 1.0F : -1.0F;
  write_npy(scratch / "w.npy", words);
  write_npy(scratch / "p.npy", positions);
  const Results results = results_of(fmt::format("[common]\nwords = {}\npositions = {}\n",
                                                 (scratch / "w.npy").string(), (scratch / "p.npy").string()),
                                     scratch, {"M7"});
  BOOST_TEST((answer_of(results, "M7", "M7.mean_cosine_kept.common") == Answer::holds));
  BOOST_TEST(value(results, "M7.mean_cosine_kept.common") > 1);  // lengths fall, the common part stays
}

BOOST_AUTO_TEST_CASE(positions_of_which_layernorm_leaves_nothing_do_not_end_the_run) {
  // Multiples of (1, …, 1): of whole numbers nothing is left at all, of .1 what the running sum rounds.
  const Scratch scratch;
  Matrix<double> positions = matrix<double>(30, 40), whole = positions;
  for (std::size_t t = 0; t < 30; ++t) {
    std::ranges::fill(row(positions, t), 0.1 * (t + 1.0));
    std::ranges::fill(row(whole, t), t + 1.0);
  }
  write_npy(scratch / "p.npy", positions);
  write_npy(scratch / "whole.npy", whole);
  write_npy(scratch / "w.npy", normal_matrix<float>(500, 40, stream(1, "test", "inspect", 1, "words")));
  const auto model = [&](const char* name, const char* table) {
    return fmt::format("[{}]\nwords = {}\npositions = {}\n", name, (scratch / "w.npy").string(),
                       (scratch / table).string());
  };
  const Results results = results_of(
      model("flat", "p.npy") + model("whole", "whole.npy") + untrained(scratch), scratch, {"M1", "M3", "M7"});
  for (const char* id : {"M7.mean_cosine_kept.flat", "M7.energy_kept.flat", "M7.mean_cosine_kept.whole",
                         "M7.energy_kept.whole"}) {
    BOOST_TEST((answer_of(results, "M7", id) == Answer::unmeasured));
    BOOST_TEST(!find(results.findings, id));
  }
  BOOST_TEST((answer_of(results, "M7", "M7.energy_kept.untrained") == Answer::holds));
  BOOST_TEST(claim(results, "M7").condition.find("nan") == std::string::npos, claim(results, "M7").condition);
}

BOOST_AUTO_TEST_CASE(mean_products_are_read_at_their_own_distance) {
  // Beyond 64 the curve that is drawn has not every distance: 100 is not among them.
  const Scratch scratch;
  const Matrix<double> block = normal_matrix<double>(100, 48, stream(1, "test", "inspect", 0, "block"));
  Matrix<double> repeated = matrix<double>(300, 48);
  for (std::size_t t = 0; t < 300; ++t) {
    std::ranges::copy(row(block, t % 100), row(repeated, t).begin());
    repeated(t, 0) += 0.01 * t;  // no two rows are equal
  }
  write_npy(scratch / "repeated.npy", repeated);
  const Results results = results_of(
      fmt::format("[repeated]\npositions = {}\n", (scratch / "repeated.npy").string()), scratch, {"M5"});
  BOOST_TEST(value(results, "M5.kernel_rest.repeated") > 0.9);
  BOOST_TEST((answer_of(results, "M5", "M5.kernel_1.repeated") == Answer::fails));
}

BOOST_AUTO_TEST_CASE(overlaps_by_definition) {
  // Words of which the first twenty rows are short, as unused entries are, and the other three hundred are
  // spread in other directions in each third.
  const Scratch scratch;
  Matrix<double> words = normal_matrix<double>(320, 20, stream(1, "test", "inspect", 2, "words")),
                 positions = normal_matrix<double>(60, 20, stream(1, "test", "inspect", 2, "positions"));
  for (std::size_t i = 0; i < 320; ++i) {
    double square = 0;
    for (std::size_t j = 0; j < 20; ++j) {
      words(i, j) = words(i, j) * (j / 7 == (i - 20) / 100 ? 3 : 1) + (j == 19 ? 2 : 0);
      square += words(i, j) * words(i, j);
    }
    const double length = i < 20 ? 0.5 : 2 + 0.2 * (i % 5);
    for (std::size_t j = 0; j < 20; ++j) words(i, j) *= length / std::sqrt(square);
  }
  for (std::size_t t = 0; t < 60; ++t)
    for (std::size_t j = 0; j < 20; ++j)
      positions(t, j) = t == 59 ? 0.01 : positions(t, j) * (j < 7 ? 2 : 1) + 1;
  write_npy(scratch / "w.npy", words);
  write_npy(scratch / "p.npy", positions);
  const Results results = results_of(fmt::format("[made]\nwords = {}\npositions = {}\n",
                                                 (scratch / "w.npy").string(), (scratch / "p.npy").string()),
                                     scratch, {"M3"});
  const auto covariance = [](const Matrix<double>& table, std::size_t first, std::size_t end, bool centred) {
    std::vector<double> mean(20, 0.0);
    const double n = double(end - first);
    for (std::size_t i = first; i < end && centred; ++i)
      for (std::size_t j = 0; j < 20; ++j) mean[j] += table(i, j) / n;
    Matrix<double> out = zeros<double>(20, 20);
    for (std::size_t i = first; i < end; ++i)
      for (std::size_t j = 0; j < 20; ++j)
        for (std::size_t k = 0; k < 20; ++k)
          out(j, k) += (table(i, j) - mean[j]) * (table(i, k) - mean[k]) / n;
    return out;
  };
  const auto overlap = [&](std::size_t first, std::size_t end, std::size_t positions_end, bool centred) {
    const Matrix<double> a = covariance(words, first, end, centred),
                         b = covariance(positions, 0, positions_end, centred);
    double product = 0, trace_a = 0, trace_b = 0;
    for (std::size_t j = 0; j < 20; ++j) {
      trace_a += a(j, j), trace_b += b(j, j);
      for (std::size_t k = 0; k < 20; ++k) product += a(j, k) * b(k, j);
    }
    return 20 * product / (trace_a * trace_b);
  };
  const auto close = boost::test_tools::tolerance(1e-5);
  BOOST_TEST(value(results, "M3.overlap.made") == overlap(0, 320, 60, true), close);
  BOOST_TEST(value(results, "M3.overlap_uncentred.made") == overlap(0, 320, 60, false), close);
  BOOST_TEST(value(results, "M3.overlap_trained_rows.made") == overlap(20, 320, 59, true), close);
  BOOST_TEST(value(results, "M3.overlap_frequent.made") == overlap(20, 120, 59, true), close);
  BOOST_TEST(value(results, "M3.overlap_middle.made") == overlap(120, 220, 59, true), close);
  BOOST_TEST(value(results, "M3.overlap_rare.made") == overlap(220, 320, 59, true), close);
}

BOOST_AUTO_TEST_CASE(ranks_are_compared_where_the_space_has_room_for_them) {
  const Scratch scratch;
  const auto table = [&](const char* name, std::size_t rows) {
    write_npy(scratch / name, normal_matrix<float>(rows, 12, stream(1, "test", "inspect", 0, name)));
    return (scratch / name).string();
  };
  const Results none = results_of(
      fmt::format("[narrow]\nwords = {}\npositions = {}\n", table("a.npy", 50), table("b.npy", 20)), scratch,
      {"M3"});
  BOOST_TEST(!find(none.findings, "M3.rank_pairs"));
  BOOST_TEST(value(none, "M3.overlaps") == 7);
  BOOST_TEST(std::ranges::count(none.tables, "m3_ranks.csv", &Table::file) == 0);
}

BOOST_AUTO_TEST_CASE(directions_that_only_rounding_made_are_not_compared) {
  const Scratch scratch;
  // As covariances, 60 rows of a sinusoid have 14 directions, n rows of words n - 1.
  write_npy(scratch / "wave.npy", sinusoidal<double>(60, 32));
  const auto words = [&](std::size_t rows) {
    write_npy(scratch / fmt::format("{}.npy", rows),
              normal_matrix<float>(rows, 32, stream(1, "test", "inspect", 3, "words")));
    return fmt::format("[of_{0}]\nwords = {1}/{0}.npy\npositions = {1}/wave.npy\n", rows,
                       scratch.path().string());
  };
  const Results results = results_of(words(500) + words(16), scratch, {"M3"});
  const Table& ranks = *std::ranges::find(results.tables, "m3_ranks.csv", &Table::file);
  std::vector<std::string> compared;
  for (std::size_t i = 0; i < ranks.rows.size(); ++i)
    compared.push_back(fmt::format("{} {} {} {}", std::get<std::string>(ranks.at(i, "model")),
                                   std::get<std::string>(ranks.at(i, "end")), ranks.number(i, "k"),
                                   ranks.number(i, "r")));
  const std::vector<std::string> expected{"of_500 leading 8 8", "of_500 leading 16 8", "of_16 leading 8 8",
                                          "of_500 trailing 8 8", "of_500 trailing 16 8"};
  BOOST_TEST(compared == expected, boost::test_tools::per_element());
  BOOST_TEST(find(results.findings, "M3.inside.of_500"));
  BOOST_TEST(!find(results.findings, "M3.inside.of_16"));
}

BOOST_AUTO_TEST_CASE(words_and_positions_that_keep_apart_are_seen_to) {
  // Words live in the first 24 of 48 dimensions and hardly in the others, positions in the others.
  const Scratch scratch;
  Matrix<float> words = normal_matrix<float>(1600, 48, stream(1, "test", "inspect", 2, "words"));
  Matrix<double> positions = normal_matrix<double>(80, 48, stream(1, "test", "inspect", 2, "positions"));
  for (std::size_t j = 0; j < 48; ++j) {
    for (std::size_t i = 0; i < 1600; ++i) words(i, j) *= j < 24 ? 1.0F : 0.1F;
    for (std::size_t t = 0; t < 80; ++t) positions(t, j) *= j < 24 ? 0.0 : 1.0;
  }
  write_npy(scratch / "w.npy", words);
  write_npy(scratch / "p.npy", positions);
  const Results results = results_of(fmt::format("[apart]\nwords = {}\npositions = {}\n",
                                                 (scratch / "w.npy").string(), (scratch / "p.npy").string()),
                                     scratch, {"M3"});
  BOOST_TEST(value(results, "M3.overlap.apart") < 0.03);
  BOOST_TEST(value(results, "M3.overlap_beside.apart") < 0.03);
  BOOST_TEST(value(results, "M3.inside.apart") < 0.02);
  BOOST_TEST(*find(results.findings, "M3.inside.apart")->theory == 0.5);
  BOOST_TEST(value(results, "M3.mean_square_ratio.apart.k16") < 0.1);
  BOOST_TEST(value(results, "M3.trailing_ratio.apart.k16") > 1.5);
  // Spectra that fill all dimensions cannot be turned apart for good: words hold 1/100 where positions are.
  BOOST_TEST(value(results, "M3.overlap_floor.apart") < value(results, "M3.overlap.apart"));
  BOOST_TEST(value(results, "M3.overlap_floor.apart") > 0.5 * value(results, "M3.overlap.apart"));
  for (const char* ratio : {"M3.mean_square_ratio.apart.k16", "M3.trailing_ratio.apart.k16"}) {
    const Finding& of_words = *find(results.findings, ratio);
    BOOST_TEST(of_words.spread->mean->freedom == 15);
    BOOST_TEST(*of_words.low < of_words.value);
  }
  const Finding& overlap = *find(results.findings, "M3.overlap.apart");
  BOOST_TEST(overlap.spread->mean->freedom == 15);
  BOOST_TEST(overlap.spread->replicates == 16U);
  BOOST_TEST((answer_of(results, "M3", "M3.overlap.apart") == Answer::holds));
  const Table& lineages = *std::ranges::find(results.tables, "m3_lineages.csv", &Table::file);
  BOOST_TEST(lineages.number(0, "mean_square_centred") < 0.1);
  BOOST_TEST(lineages.number(0, "mean_square_centred_sd") > 0.01);
  // Put in random orders, the coordinates overlap as chance has it.
  BOOST_TEST(lineages.number(0, "permuted_low") > 0.5);
  BOOST_TEST(lineages.number(0, "permuted_high") < 1.5);
}

BOOST_AUTO_TEST_CASE(rows_that_training_never_met_are_left_out) {
  // A sinusoid whose last row was never moved from its start: without it, a sinusoid.
  const Scratch scratch;
  Matrix<double> wave = sinusoidal<double>(64, 48);
  const Matrix<double> start = normal_matrix<double>(1, 48, stream(1, "test", "inspect", 0, "start"));
  for (std::size_t j = 0; j < 48; ++j) wave(63, j) = 0.02 * start(0, j);
  write_npy(scratch / "wave.npy", wave);
  const Results results = results_of(
      fmt::format("[started]\npositions = {}\n", (scratch / "wave.npy").string()), scratch, {"M8"});
  const double whole = value(results, "M8.r2_apart.started"),
               trained = value(results, "M8.r2_apart_trained_rows.started");
  BOOST_TEST(trained == 1, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(whole < 0.99 * trained);
  BOOST_TEST(value(results, "M8.kernel_departure_trained_rows.started") < 1e-12);
  BOOST_TEST(value(results, "M8.kernel_departure.started") > 0.001);
  BOOST_TEST(value(results, "M8.r99_factor_trained_rows.started") == 1);
  BOOST_TEST(value(results, "M8.neighbours_trained_rows.started") == 1);
  BOOST_TEST(claim(results, "M8").judgement.unmeasured == 0U);
  BOOST_TEST((answer_of(results, "M8", "M8.r2_apart_trained_rows.started") == Answer::holds));
}

BOOST_AUTO_TEST_CASE(energy_is_compared_with_that_of_as_many_directions) {
  // Words along every axis have the energy of chance in any directions, before LayerNorm and after it.
  // Positions are nearly the constant that it takes: of their directions one counts before, several after.
  const Scratch scratch;
  Matrix<float> words = zeros<float>(40, 40), positions = matrix<float>(50, 40);
  for (std::size_t i = 0; i < 40; ++i) words(i, i) = 1;
  for (std::size_t t = 0; t < 50; ++t)
    for (std::size_t j = 0; j < 40; ++j)
      positions(t, j) = 20 + (j < 12 ? (t % (j + 2) == 0 ? 1.0F : -1.0F) : 0.0F);
  write_npy(scratch / "w.npy", words);
  write_npy(scratch / "p.npy", positions);
  const Results results = results_of(fmt::format("[axes]\nwords = {}\npositions = {}\n",
                                                 (scratch / "w.npy").string(), (scratch / "p.npy").string()),
                                     scratch, {"M7"});
  BOOST_TEST(value(results, "M7.energy_kept.axes") == 1, boost::test_tools::tolerance(1e-5));
  for (const Table& table : results.tables)
    if (table.file == "m7_layernorm.csv")
      for (std::size_t row = 0; row < table.rows.size(); ++row)
        if (to_text(table.at(row, "label")) == "words' energy in the positions' subspace") {
          BOOST_TEST(table.number(row, "before") == 1.0 / 40, boost::test_tools::tolerance(1e-5));
          BOOST_TEST(table.number(row, "after") > 1.9 / 39);
        }
}

BOOST_AUTO_TEST_CASE(published_numbers_are_held_against_the_model_that_they_are_of) {
  // A sinusoid under the name of the published model, and under its own.
  const Scratch scratch;
  const Matrix<double> wave = sinusoidal<double>(600, 64);
  write_npy(scratch / "wave.npy", wave);
  write_npy(scratch / "short.npy", leading_rows(wave, 511));
  const Results results = results_of(
      fmt::format("[gpt2]\npositions = {0}/wave.npy\n[wave]\npositions = {0}/wave.npy\n[short]\npositions = "
                  "{0}/short.npy\n",
                  scratch.path().string()),
      scratch, {"M9"});
  const auto theory = [&](const char* id) { return find(results.findings, id)->theory; };
  for (const char* model : {"gpt2", "wave"}) {
    const auto of = [&](const char* measure) {
      return value(results, fmt::format("M9.{}.{}", measure, model));
    };
    BOOST_TEST(of("index_error") < 1e-3);
    BOOST_TEST(of("index_error_sinusoid") < 1e-3);
    BOOST_TEST(of("random_weights") == of("sinusoid_random_weights"));
    const std::vector<double> trained = spectrum(block(wave, 1, 512), Centring::centred),
                              whole = spectrum(wave, Centring::centred);
    BOOST_TEST(of("stable_rank") == std::accumulate(trained.begin(), trained.end(), 0.0) / trained[0],
               boost::test_tools::tolerance(1e-9));
    BOOST_TEST(of("three_directions") ==
                   (whole[0] + whole[1] + whole[2]) / std::accumulate(whole.begin(), whole.end(), 0.0),
               boost::test_tools::tolerance(1e-9));
  }
  BOOST_TEST(!find(results.findings, "M9.stable_rank.short"));
  BOOST_TEST(theory("M9.stable_rank.gpt2").value() == 2.05);
  BOOST_TEST(!theory("M9.stable_rank.wave"));
  BOOST_TEST(theory("M9.index_error_sinusoid.wave").value() == 0);
  BOOST_TEST((claim(results, "M9").verdict() != Verdict::is_true));
  BOOST_TEST((answer_of(results, "M9", "M9.stable_rank.gpt2") == Answer::fails));
  BOOST_TEST(claim(results, "M9").condition.find("(published 2.05)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(model_files_that_are_refused) {
  const Scratch scratch;
  const std::string good = untrained(scratch);
  const auto refused = [&](const std::string& text, const char* part) {
    check_refusal([&] { results_of(text, scratch, {"M4"}); }, part);
  };
  refused("", "no model; expected [name]");
  refused("words = a\n", "models.txt:1: an option before the first [name]");
  refused("[a]\nwords\n", "models.txt:2: 'words'; expected [name] or option = value");
  refused("[a\n", "models.txt:1: '[a'; expected [name]");
  refused("[A b]\n", "models.txt:1: the name 'A b'; expected a-z, 0-9 and _");
  refused("[a]\ncolour = red\n", "models.txt:2: no option 'colour' of a model");
  refused("[a]\nwords =\n", "models.txt:2: words has no value");
  refused("[a]\nlimit = 3\nlimit = 4\n", "models.txt:3: limit comes twice");
  refused("[a]\n", "a: neither words nor positions");
  refused(good + good, "two models are called 'untrained'");
  refused(good + "rank-words = x\n", "--rank-words 'x': expected a whole number");
  refused(good + "limit = 0\n", "--limit '0': expected a whole number from 1");
  refused(good + "transpose = words\n", "3000 dimensions");
  refused(good + "lineage = A b\n", "--lineage: the name 'A b'; expected a-z, 0-9 and _");
  refused(good + "heads = 2\n", "--heads without --query");
  refused(good + "rows = 0:4\nrows-positions = 0:4\n", "--rows and --rows-positions");
}

BOOST_AUTO_TEST_SUITE_END()
