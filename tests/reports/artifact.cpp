// The commands that make a report again: as they were given, safe to paste, folders left out.

#include "reports/render/facts.hpp"
#include "reports/render/runs.hpp"
#include "tests/reports/support.hpp"

namespace perp::report {
namespace {

/// Studies with the command lines that their run.json keeps.
struct Commands : Workplace {
  std::vector<Results> studies;

  void add(const std::string& name, const std::string& words, Coordinates parameters = {},
           std::vector<Input> inputs = {}) {
    Claim claim;
    claim.id = fmt::format("A{}", studies.size() + 1);
    studies.push_back({name, "quick", 3, std::move(parameters), std::move(inputs), {}, {claim}, {}});
    make_folders(options.results / name);
    write(fmt::format("results/{}/run.json", name),
          fmt::format(R"({{"command": ["build/studies/x"{}]}})", words));
  }
  Facts facts() const { return Facts(options.results, studies); }
  /// What the command says behind preset and seed.
  std::string given(const std::string& words) {
    studies.clear();
    add("inspect", words);
    const std::string start = "perp report --studies inspect --only A1 --preset quick --seed 3",
                      command = command_for(facts(), "A1");
    BOOST_TEST_REQUIRE(command.starts_with(start));
    return command.substr(start.size());
  }
};

BOOST_FIXTURE_TEST_SUITE(artifact, Commands)

BOOST_AUTO_TEST_CASE(a_command_says_what_was_given) {
  for (
      const auto& [words, expected] : std::initializer_list<std::pair<const char*, const char*>>{
          {"", ""},
          {R"(, "--preset", "quick", "--threads", "2", "--fresh", "--build", "b", "--out", "o", "--only", "A1")",
           ""},
          {R"(, "--corpus", "none", "--dim", "64")", " --corpus none"},
          {R"(, "--words=/of/mine/w.npy", "--rows-words", "0:9")", " --words w.npy --rows-words 0:9"},
          {R"(, "--layernorm", "a/m.st:ln/gain,b/m.st:ln/bias")", " --layernorm m.st:ln/gain,m.st:ln/bias"},
          {R"(, "--words", "w.npy", "--counts", "/my/c", "--norm", "sum")",
           " --words w.npy --counts c --norm sum"},
          {R"(, "--models", "/my/list", "--heads", "12")", " --models models.txt --heads 12"},
          {R"(, "--words", "it's\n`$(x)`; rm *")", R"( --words 'it'\''s\x0a`$(x)`; rm *')"},
          {R"(, "--words", "--help")", " --words=--help"},
          {R"(, "--arms", "sum.a none")", " --arms 'sum.a none'"},
          // What make would run, and what is no command line.
          {R"_(, "--shell", "sh", "--eval=$(shell x)", "--makeflags", "-n", "--$(shell x)", "y", "SHELL=sh")_",
           ""},
          {R"(, "--words")", ""},
          {R"(, "--words", 3, {}, "--heads", "1")", " --words '' --heads 1"}})
    BOOST_TEST(given(words) == expected, words);
  write("results/inspect/run.json", R"({"command": "make"})");
  BOOST_TEST(command_for(facts(), "A1").ends_with(" --seed 3"));
  fs::remove(options.results / "inspect/run.json");
  BOOST_TEST(command_for(facts(), "A1").ends_with(" --seed 3"));
  BOOST_CHECK_EXCEPTION(command_for(facts(), "A9"), Error, saying("no results for a claim 'A9'"));
}

BOOST_AUTO_TEST_CASE(studies_that_ran_alike_have_one_command) {
  add("plain", "");
  add("words", R"(, "--words", "a/w.npy")");
  add("other", "");
  BOOST_TEST(commands(facts()) ==
             "```sh\nperp report --studies \"plain other\" --preset quick --seed 3\n"
             "perp report --studies \"words\" --preset quick --seed 3 --words w.npy\n"
             "```\n\nFiles are named without their folders.\n");
  studies.pop_back(), studies.erase(studies.begin() + 1);
  add("learning", R"(, "--arms", "none")");  // names no file
  BOOST_TEST(commands(facts()).ends_with("--seed 3 --arms none\n```\n"));
  studies.pop_back();
  BOOST_TEST(commands(facts()) == "```sh\nperp report --studies \"plain\" --preset quick --seed 3\n```\n");
}

// One study notes the models that have words; the other was given one more by its own options.
BOOST_AUTO_TEST_CASE(a_file_of_models_is_written_first) {
  add("capacity", R"(, "--models", "list")", {{"a_words", "w.npy"}, {"models", "a"}});
  add("inspect", R"(, "--positions", "p.npy", "--name", "mine", "--models", "list")",
      {{"mine_positions", "p.npy"},
       {"a_words", "w.npy"},
       {"a_b_positions", "p\n.npy"},
       {"a_b_scale-words", "sqrt"},
       {"a_b_kind", "text"},
       {"a_b_counts", "n.txt"},
       {"a_b_part", "decoder"},
       {"c_layers", "c.gguf"},
       {"models", "mine a a_b c"}});
  add("order", "", {{"models", "no"}, {"no_words", "w.npy"}});
  BOOST_TEST(commands(facts()) ==
             "```sh\ncat >models.txt <<'END'\n[a]\nwords = w.npy\n[a_b]\npositions = p\\x0a.npy\n"
             "scale-words = sqrt\nkind = text\ncounts = n.txt\npart = decoder\n"
             "[c]\nlayers = c.gguf\nEND\n"
             "perp report --studies \"capacity\" --preset quick --seed 3 --models models.txt\n"
             "perp report --studies \"inspect\" --preset quick --seed 3 --positions p.npy --name mine "
             "--models models.txt\n"
             "perp report --studies \"order\" --preset quick --seed 3\n"
             "```\n\nFiles are named without their folders.\n");
}

BOOST_AUTO_TEST_CASE(minutes_are_those_of_cells_that_were_measured) {
  const auto minutes = [&](const char* cells) {
    studies.clear();
    add("order", "");
    write("results/order/timings.json",
          fmt::format(R"({{"experiments": [{{"claim": "A1", "cells": {}, "cpu_s": 90}}]}})", cells));
    const std::string table = artifact_table(facts(), Links(facts()));
    return contains(table, "| 1.5 |") ? "1.5" : contains(table, "| – |") ? "–" : table;
  };
  BOOST_TEST(minutes("7") == "1.5");
  BOOST_TEST(minutes("0") == "–");  // all kept from before
}

BOOST_AUTO_TEST_CASE(what_was_read) {
  add("plain", "");
  BOOST_TEST(inputs_table(facts()) == "No file: everything was generated.\n");
  add("words", "", {}, {{"words|1.txt", "ab12"}});
  add("more", "", {}, {{"words|1.txt", "ab12"}});
  BOOST_TEST(inputs_table(facts()).ends_with("| words\\|1.txt | `ab12` | words, more |\n"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
