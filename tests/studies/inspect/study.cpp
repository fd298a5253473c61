// The study with small models: verdicts, findings and tables against what they are made to be, what its cells depend
// on, and two models against what they gave when somebody last looked (tests/support/golden.hpp). One of these was
// never trained; the other has positions that are half learned and four heads, of which one hears the distance.

#include <boost/test/unit_test.hpp>

#include "perp/io/sha256.hpp"
#include "perp/vectors/corpus.hpp"
#include "perp/vectors/words.hpp"
#include "studies/inputs/positions.hpp"
#include "studies/inputs/words.hpp"
#include "tests/lib/io/bytes.hpp"
#include "tests/studies/inspect/made.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/scratch.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

constexpr std::size_t words_here = 2000, length = 60, dim_here = 32, heads_here = 4;

/// Made in double precision and kept as float: the files' bytes, whose hashes stand in rules, are the same
/// whether or not a compiler fuses a product with a sum.
Matrix<float> rounded_normals(const char* what, std::size_t rows, std::size_t cols) {
  return converted<float>(normal_matrix<double>(rows, cols, stream(1, "test", "inspect golden", 0, what)));
}

/// The sinusoid and as much that hangs on the single position.
Matrix<float> half_learned() {
  Matrix<double> positions = sinusoidal<double>(length, dim_here);
  const Matrix<float> own = rounded_normals("positions", length, dim_here);
  for (std::size_t i = 0; i < positions.size(); ++i) positions.data()[i] += 0.7 * own.data()[i];
  return converted<float>(positions);
}

/// Words that share a direction and leave some of the others empty.
Matrix<float> leaning_words() {
  Matrix<float> words = rounded_normals("words", words_here, dim_here);
  for (std::size_t i = 0; i < rows(words); ++i)
    for (std::size_t j = 0; j < dim_here; ++j)
      words(i, j) = words(i, j) * (j % 4 ? 0.2F : 1.0F) + (j == 0 ? 1.0F : 0.0F);
  return words;
}

/// Queries or keys: the first head hands its dimensions on, the others are random.
Matrix<float> projection(const char* what) {
  Matrix<float> weights = rounded_normals(what, dim_here, dim_here);
  for (std::size_t i = 0; i < dim_here; ++i)
    for (std::size_t j = 0; j < dim_here / heads_here; ++j) weights(i, j) = i == j ? 1 : 0;
  return weights;
}

std::string models(const Made& made) {
  made.table("words.npy", rounded_normals("plain words", words_here, dim_here));
  made.table("leaning.npy", leaning_words());
  made.table("wave.npy", sinusoidal<double>(length, dim_here));
  made.table("half.npy", half_learned());
  made.table("query.npy", projection("query"));
  made.table("key.npy", projection("key"));
  const std::string folder = made.path().string();
  return fmt::format(
      "[untrained]\nwords = {0}/words.npy\npositions = {0}/wave.npy\n"
      "[half]\nwords = {0}/leaning.npy\npositions = {0}/half.npy\nquery = {0}/query.npy\nkey = {0}/key.npy\n"
      "heads = {1}\n",
      folder, heads_here);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_golden)

BOOST_AUTO_TEST_CASE(two_models) {
  const Made made;
  check_golden("inspect", made.results(models(made)));
}

BOOST_AUTO_TEST_CASE(words_by_frequency_and_behind_layernorm) {
  const Made made;
  Matrix<double> gain = matrix<double>(1, dim_here);
  for (std::size_t j = 0; j < dim_here; ++j) gain(0, j) = (double(j) - 5) / 8;
  std::string counts;
  for (std::size_t i = 0; i < words_here; ++i) counts += fmt::format("{}\n", i % 4);
  check_golden("inspect_frequency", made.results(made.model("read", leaning_words(), half_learned()) +
                                                     fmt::format("layernorm = {0},{0}\ncounts = {1}\n",
                                                                 made.table("gain.npy", gain),
                                                                 made.file("counts.txt", counts).string()),
                                                 {"M3"}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(inspect_study)

namespace {

/// Normal words and a sinusoid: a model that was never trained.
std::string untrained(const Made& made) {
  return made.model("untrained", normals("words", 3000, 48), sinusoidal<double>(64, 48));
}

/// What the cells of one model depend on, one text.
std::string depends_of(const Made& made, const std::string& model) {
  return fmt::format("{}", fmt::join(made.opened(model).hashes, "\n"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(cells_depend_on_every_table_and_on_the_file_that_it_is_of) {
  const Made made;
  const auto file = [&](const char* name, const char* a) {
    const auto bytes = [](const char* what, std::size_t rows) { return bytes_of(normals(what, rows, 8)); };
    return made
        .file(name, TensorWriter()
                        .add("table", "F32", "[40, 8]", bytes("table", 40))
                        .add("a", "F32", "[8]", bytes(a, 1))
                        .add("b", "F32", "[8]", bytes("other", 1))
                        .file())
        .string();
  };
  std::filesystem::create_directory(made / "x");
  const std::string one = file("m.safetensors", "gain"), two = file("x/m.safetensors", "other");
  const auto with = [&](const std::string& gain, const std::string& bias) {
    return depends_of(made, fmt::format("[a]\npositions = {}:table\nlayernorm = {},{}\n", one, gain, bias));
  };
  BOOST_TEST(with(one + ":a", one + ":b") != with(one + ":b", one + ":b"));
  BOOST_TEST(with(one + ":a", two + ":b") != with(two + ":a", one + ":b"));  // two files of one name
  BOOST_TEST(!contains(with(one + ":a", one + ":b"), made.path().string()));
  // Of an index on the file that it names; a lineage is no part of what is measured.
  const std::string index = made.file("m.safetensors.index.json", R"({"weight_map": {"table": "m.safetensors",
    "w": "weights.safetensors"}})")
                                .string();
  const auto now = [&](const char* seed, const char* more = "") {
    made.file("weights.safetensors",
              TensorWriter().add("w", "F32", "[8, 8]", bytes_of(normals(seed, 8, 8))).file());
    return depends_of(
        made,
        fmt::format("[a]\npositions = {0}:table\nquery = {0}:w\nkey = {0}:w\nheads = 2\n{1}", index, more));
  };
  const std::string before = now("before");
  BOOST_TEST(before == now("before", "lineage = tree\n"));
  BOOST_TEST(before != now("after"));
}

// Along one line: as much fewer dimensions than a sinusoid's as others have more.
BOOST_AUTO_TEST_CASE(fewer_dimensions_than_a_sinusoid_are_as_unlike_it_as_more) {
  const Made made;
  Matrix<double> line = zeros<double>(64, 48);
  for (std::size_t t = 0; t < 64; ++t) line(t, 3) = double(t + 1);
  const Results results = made.results(made.model("line", line), {"M8"});
  BOOST_TEST(value(results, "M8.r99_factor.line") >= 5);
  BOOST_TEST(answer(results, "M8.r99_factor.line") == "fails");
}

BOOST_AUTO_TEST_CASE(models_of_one_lineage_count_once_in_verdicts) {
  const Made made;
  const std::string model = untrained(made), tables = model.substr(model.find(']') + 1),
                    declared = "lineage = tree\n";
  const auto rule_size = [&](const std::string& models) {
    return claim(made.results(models, {"M1"}), "M1").rule.size();
  };
  const std::size_t one = rule_size("[a]" + tables);
  BOOST_TEST(rule_size("[a]" + tables + "[b]" + tables) == 2 * one);
  const Results results =
      made.results("[a]" + tables + declared + "[b]" + tables + declared + "rows = 0:60\n", {"M1", "M3"});
  BOOST_TEST(claim(results, "M1").rule.size() == one);
  for (const char* said : {"M1", "M3"})
    for (const Condition& condition : claim(results, said).rule) {
      BOOST_TEST(condition.finding.ends_with(".a"), condition.finding);
      BOOST_TEST((condition.levels.at(2) == std::pair<std::string, std::string>("lineage", "tree")));
    }
  BOOST_TEST(!find(results.findings, "M1.mean.b"));
  BOOST_TEST(find(results.findings, "M3.overlap.b"));  // stands beside, and is not judged
  BOOST_TEST(to_text(at(results.parameters, "b_lineage")) == "tree");
  BOOST_TEST(results.inputs.size() == 2U);  // two files are read by both models
  BOOST_TEST(!contains(to_json(results), made.path().string()));
}

BOOST_AUTO_TEST_CASE(words_or_positions_alone_work) {
  const Made made;
  const Results words =
      made.results(fmt::format("[words]\nwords = {}\n", made.table("w.npy", normals("words", 3000, 48))));
  BOOST_TEST((claim(words, "M2").verdict() == Verdict::is_false));  // normal words fill the space
  const Results positions = made.results(made.model("alone", sinusoidal<double>(64, 48)), {"M4", "M7"});
  BOOST_TEST(answer(positions, "M4.defect.alone") == "holds");
  const auto unmeasured = [](const Results& results, const char* id) {
    const Claim& of = claim(results, id);
    BOOST_TEST((of.verdict() == Verdict::unmeasured && of.findings.empty()), id);
  };
  for (const char* id : {"M1", "M3", "M4", "M5", "M6", "M7", "M8", "M9"}) unmeasured(words, id);
  unmeasured(positions, "M7");
}

// Their products differ by rounding alone, of which distance explains nothing that can be told: no error.
BOOST_AUTO_TEST_CASE(orthonormal_positions_leave_one_condition_unmeasured) {
  const Made made;
  Matrix<double> axes = zeros<double>(10, 12);
  for (std::size_t t = 0; t < 10; ++t) axes(t, t) = 1;
  const Results results = made.results(made.model("axes", axes), {"M8"});
  BOOST_TEST(answer(results, "M8.r2_apart.axes") == "unmeasured");
  BOOST_TEST(claim(results, "M8").judgement.unmeasured == 1U);
}

BOOST_AUTO_TEST_CASE(model_files_that_are_refused) {
  const Made made;
  const std::string good = untrained(made);
  std::string zeros;
  for (std::size_t i = 0; i < 3000; ++i) zeros += "0\n";
  for (const auto& [text, part] : std::vector<std::pair<std::string, const char*>>{
           {"", "no model; expected [name]"},
           {"words = a\n", "models.txt:1: an option before the first [name]"},
           {"[a]\nwords\n", "models.txt:2: 'words'; expected [name] or option = value"},
           {"[a\n", "models.txt:1: '[a'; expected [name]"},
           {"[A b]\n", "models.txt:1: the name 'A b'; expected a-z, 0-9 and _"},
           {"[a]\ncolour = red\n", "models.txt:2: no option 'colour' of a model"},
           {"[a]\nwords =\n", "models.txt:2: words has no value"},
           {"[a]\nlimit = 3\nlimit = 4\n", "models.txt:3: limit comes twice"},
           {"[a]\nlimit = 0\n", "models.txt:2: --limit '0': expected a whole number from 1"},
           {"[a]\nrows = 4:3\n", "models.txt:2: rows '4:3': expected A:B"},
           {good + good, "two models are called 'untrained'"},
           {good + "rank-words = x\n", "--rank-words 'x': expected a whole number"},
           {good + "transpose = words\n", "3000 dimensions"},
           {good + "lineage = A b\n", "--lineage: the name 'A b'; expected a-z, 0-9 and _"},
           {good + "heads = 2\n", "--heads without --query"},
           {good + "tokens = " + made.file("tokens.txt", "a\nb\n").string() + "\n", "2 lines; expected "},
           {good + "counts = " + made.file("few.txt", "1\n2\n").string() + "\n", "2 lines; expected "},
           {good + "counts = " + made.file("bad.txt", "2.5\n" + zeros.substr(2)).string() + "\n",
            "bad.txt:1: '2.5'; expected a whole number"},
           {good + "counts = " + made.file("none.txt", zeros).string() + "\n",
            "0 words that a text has; expected at least 2"},
           {good + "rows = 0:4\nrows-positions = 0:4\n", "--rows and --rows-positions"}})
    check_refusal([&, &lines = text] { made.results(lines, {"M4"}); }, part);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(inspect_inputs)

namespace {

WordInputs loaded(const char* option, const std::filesystem::path& value, const Scratch& scratch) {
  Options options;
  options.preset = Preset::quick;
  options.threads = 1;
  options.build = scratch / "kept";
  options.extra = {{option, value.string()}};
  return load_words(options);
}

}  // namespace

BOOST_AUTO_TEST_CASE(words_of_an_index_depend_on_the_file_that_it_names) {
  const Scratch scratch;
  scratch.file("m.safetensors.index.json", R"({"weight_map": {"w": "shard.safetensors"}})");
  const auto inputs = [&](float first) {
    const std::string bytes = items_bytes(std::vector<float>{first, 2, 3, 4}, false);
    scratch.file("shard.safetensors", TensorWriter().add("w", "F32", "[2, 2]", bytes).file());
    return loaded("words", scratch / "m.safetensors.index.json:w", scratch);
  };
  const WordInputs one = inputs(1);
  BOOST_TEST(one.files.size() == 2U);
  BOOST_TEST((one.hashes == inputs(1).hashes));
  BOOST_TEST((one.hashes != inputs(5).hashes));
}

BOOST_AUTO_TEST_CASE(words_without_a_direction_are_left_out_with_their_names) {
  const Scratch scratch;
  const auto file = scratch.file("words.txt", "<pad> 0 0\nking 1 0\nred 0 2\n<unk> 0 0\nsea 3 3\n");
  const RealWords words = loaded("words", file, scratch).words.value();
  BOOST_TEST(words.words == (std::vector<std::string>{"king", "red", "sea"}));
  BOOST_REQUIRE(rows(words.unit) == 3U);
  BOOST_TEST(words.unit(1, 1) == 1.0F);
}

BOOST_AUTO_TEST_CASE(rows_below_half_of_the_median_are_left_out_and_the_longest_run_is_the_first) {
  const std::vector<bool> trained = trained_rows({0.99, 2, 1, 0, 3, 2, 2});  // median 2
  BOOST_TEST((trained == std::vector<bool>{false, true, true, false, true, true, true}));
  BOOST_TEST(trained_rows({}).empty());
  BOOST_TEST((trained_rows({0, 0}) == std::vector<bool>{false, false}));
  for (const auto& [met, run] : {std::pair<std::vector<bool>, const char*>{{true, true, true}, "0:3"},
                                 {{false, true, true, false, true, true, false}, "1:3"},
                                 {{true, false, true, true}, "2:4"},
                                 {{true, true, false}, "0:2"},
                                 {{false, false}, "0:0"},
                                 {{}, "0:0"}})
    BOOST_TEST(trained_run(met).text() == run);
}

BOOST_AUTO_TEST_SUITE_END()
